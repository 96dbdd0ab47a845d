"""Vectors: how near an entry's window is to a query in meaning.

    window(e) = v(e) + .7 v(previous) + .5 v(following) + .3 v(two away)
    meaning(e) = z of cos(q, window(e)) over all entries that have a vector; 0 for the others

    kin(word) = the 12 words of the index nearest to it, with a cosine above .35

The mean of neighbouring vectors needs no extra embedding. Only the products q.v and the windows' lengths are needed,
and the lengths are kept until an entry or a vector changes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from asterism.core.columns import Bools, Floats
from asterism.core.recall.index import Index
from asterism.core.recall.lexical import window_weights, windowed
from asterism.core.recall.parameters import RecallParameters

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]

BLOCK = 8192
NO_SPREAD = 1e-9  # cosines that differ by less say nothing


class Meaning:
    """Unit vectors of an index's entries, by row, and of its words, by number; a row of zeros has none."""

    def __init__(
        self, index: Index, parameters: RecallParameters, *, entries: Matrix, words: Matrix | None = None
    ) -> None:
        self.index = index
        self.p = parameters
        self.entries = entries
        self.words = words
        self._version = -1
        self._lengths: Floats = np.empty(0)
        self._known: Bools = np.empty(0, dtype=bool)

    def cosines(self, query: Vector) -> Floats:
        """Give the cosine of a query to each entry's window; the query's length does not matter to `standard`."""
        self._refresh()
        near = windowed((self.entries @ query).astype(np.float64), self.index, self.p)
        return np.divide(near, self._lengths, out=np.zeros_like(near), where=self._lengths > 0)

    def standard(self, query: Vector) -> Floats:
        """Give the standard scores of the cosines, over the entries that have a vector; 0 for the others."""
        cosines = self.cosines(query)
        held = cosines[self._known]
        spread = float(held.std()) if len(held) else 0.0
        if spread < NO_SPREAD:
            return np.zeros_like(cosines)
        return np.where(self._known, (cosines - float(held.mean())) / spread, 0.0)

    def kin(self, word: str, vector: Vector) -> list[tuple[str, float]]:
        """Name the words of the index nearest in meaning to a word, with their cosines; ties by word."""
        if self.words is None:
            return []
        likeness = np.round((self.words @ vector).astype(np.float64), 9)
        near = np.flatnonzero(likeness > self.p.kin_likeness)
        if len(near) > self.p.kin_words:
            edge = np.partition(likeness[near], -self.p.kin_words)[-self.p.kin_words]
            near = near[likeness[near] >= edge]
        names = self.index.words.names
        found = sorted((-float(likeness[number]), names[number]) for number in near if names[number] != word)
        return [(name, -likeness) for likeness, name in found[: self.p.kin_words]]

    def _refresh(self) -> None:
        if self._version == self.index.version:
            return
        facts = self.index.facts.trim()
        missing = facts.size - len(self.entries)
        if missing > 0:  # entries that came since have no vector yet
            self.entries = np.vstack([self.entries, np.zeros((missing, self.entries.shape[1]), dtype=np.float32)])
        self._known = facts.alive & self.entries.any(axis=1)
        self._lengths = np.empty(facts.size)
        neighbours = self.index.neighbours()
        for start in range(0, facts.size, BLOCK):
            rows = np.arange(start, min(start + BLOCK, facts.size))
            total = self.entries[rows].astype(np.float64)
            for side, weight in window_weights(self.p).items():
                beside = neighbours[side][rows]
                total += np.where(beside >= 0, weight, 0.0)[:, None] * self.entries[beside]
            self._lengths[rows] = np.sqrt(np.einsum("ij,ij->i", total, total))
        self._version = self.index.version

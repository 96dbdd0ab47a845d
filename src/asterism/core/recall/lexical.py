"""Keyword search over windows: BM25, where an entry also speaks with the words of its neighbours.

    tf(e, t) = count(e, t) + .7 count(previous) + .5 count(following) + .3 count(two away)
    idf(t) = ln(1 + (N - n + .5) / (n + .5)), n entries that hold t themselves
    bm25(e) = sum over t of idf(t) tf (k1 + 1) / (tf + k1 (1 - b + b length(e) / mean length))

In a conversation the answer often shares no word with the question, and the turn before it does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from asterism.core.columns import Floats, Ints, Rows
from asterism.core.recall.index import Index
from asterism.core.recall.parameters import RecallParameters


def idf(entries: int, holding: int) -> float:
    """Weigh a term by how few entries hold it.

    >>> round(idf(1000, 10), 3), round(idf(1000, 1000), 4)
    (4.557, 0.0005)
    """
    return math.log(1.0 + (entries - holding + 0.5) / (holding + 0.5))


def windowed(values: Floats, index: Index, p: RecallParameters) -> Floats:
    """Add to every entry's value those of its neighbours, weighted; rows in use, dead ones included."""
    total = values.copy()
    neighbours = index.neighbours()
    for side, weight in window_weights(p).items():
        beside = neighbours[side]
        seen = beside >= 0
        total[seen] += weight * values[beside[seen]]
    return total


def window_weights(p: RecallParameters) -> dict[str, float]:
    """Give the weight of each neighbour."""
    return {
        "previous": p.window_previous,
        "following": p.window_following,
        "second_previous": p.window_second,
        "second_following": p.window_second,
    }


COMMON_KEPT = 32  # common terms whose scores are kept
_FEW = 32  # a term in fewer than one row of 32 is summed over its postings, others over all rows
_SEEN_FROM = {
    "previous": "following",
    "following": "previous",
    "second_previous": "second_following",
    "second_following": "second_previous",
}


class Lexical:
    """Keyword scores over one index; lengths are kept until the index changes."""

    def __init__(self, index: Index, parameters: RecallParameters) -> None:
        self.index = index
        self.p = parameters
        self._version = -1
        self._pull: Floats = np.empty(0)  # k1 (1 - b + b length / mean length)
        self._grouped = False
        self._neighbours: dict[str, Ints] = {}
        self._common: dict[str, Floats] = {}

    def scores(self, weights: Mapping[str, float]) -> tuple[Floats, Floats]:
        """Score every row by weighted terms: windowed BM25, and the share of their weight that its own words hold."""
        self._refresh()
        index = self.index
        scores, share, tf = (np.zeros(index.facts.size) for _ in range(3))
        mass = 0.0
        for term, weight in sorted(weights.items()):
            rows, counts = index.holding(term)
            worth = weight * idf(len(index), len(rows))
            mass += worth
            if not len(rows):
                continue
            share[rows] += worth
            if len(rows) * _FEW < len(tf):
                touched, heard = self._heard(tf, rows, counts)
                scores[touched] += worth * heard
                tf[touched] = 0.0
            else:
                scores += worth * self._heard_by_all(term, rows, counts)
        return scores, share / mass if mass else share

    def _heard(self, tf: Floats, rows: Ints, counts: Ints) -> tuple[Rows, Floats]:
        """Say which rows hear a term in their window, and how loudly: tf (k1 + 1) / (tf + k1 (..)), at most k1 + 1."""
        touched = self._fill(tf, rows, counts)
        frequency = tf[touched]
        return touched, (self.p.k1 + 1.0) * frequency / (frequency + self._pull[touched])

    def _heard_by_all(self, term: str, rows: Ints, counts: Ints) -> Floats:
        """Do the same for a common term, whose long postings are walked once and kept until the index changes."""
        kept = self._common.get(term)
        if kept is None:
            kept = np.zeros(len(self._pull))
            touched, heard = self._heard(np.zeros(len(kept)), rows, counts)
            kept[touched] = heard
            while len(self._common) >= COMMON_KEPT:
                self._common.pop(next(iter(self._common)))
            self._common[term] = kept
        return kept

    def _fill(self, tf: Floats, rows: Ints, counts: Ints) -> Rows:
        """Write the windowed frequencies of one term into `tf` and name the rows written."""
        tf[rows] = counts
        if not self._grouped:
            return rows
        reached = [rows]
        for side, weight in window_weights(self.p).items():
            seeing = self._neighbours[_SEEN_FROM[side]][rows]
            near = seeing >= 0
            tf[seeing[near]] += weight * counts[near]
            reached.append(seeing[near])
        return np.unique(np.concatenate(reached)) if len(rows) * _FEW < len(tf) else np.flatnonzero(tf)

    def _refresh(self) -> None:
        if self._version == self.index.version:
            return
        facts = self.index.facts.trim()
        length = windowed(np.where(facts.alive, facts.length, 0).astype(np.float64), self.index, self.p)
        mean = float(length[facts.alive].mean()) if len(self.index) else 0.0
        relative = length / mean if mean else length
        self._pull = self.p.k1 * (1.0 - self.p.b + self.p.b * relative)
        self._neighbours = self.index.neighbours()
        self._common = {}
        self._grouped = bool((facts.previous >= 0).any())
        self._version = self.index.version

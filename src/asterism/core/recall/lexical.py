"""Keyword search over windows: BM25, where an entry also speaks with the words of its neighbours.

    tf(e, t) = count(e, t) + .7 count(previous) + .5 count(following) + .3 count(two away)
    idf(t) = ln(1 + (N - n + .5) / (n + .5)), n entries that hold t themselves
    bm25(e) = sum over t of idf(t) tf (k1 + 1) / (tf + k1 (1 - b + b length(e) / mean length))

In a conversation the answer often shares no word with the question, and the turn before it does.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from asterism.core.ledger.columns import Floats, Ints, Rows
from asterism.core.recall.index import Index
from asterism.core.recall.parameters import RecallParameters
from asterism.core.text.rarity import idf


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


COMMON_KEPT = 32  # terms in every row whose scores would be kept
HEARD_KEPT = 2_000_000  # rows whose scores are kept at least
_FEW = 32  # a term in fewer than one row of 32 is kept with the rows that hear it, others over all rows
_SEEN_FROM = ("following", "previous", "second_following", "second_previous")  # who hears it: the other way round


class Lexical:
    """Keyword scores over one index; lengths, and how loudly terms are heard, are kept until the index changes."""

    def __init__(self, index: Index, parameters: RecallParameters) -> None:
        self.index = index
        self.p = parameters
        self._version = -1
        self._pull: Floats = np.empty(0)  # k1 (1 - b + b length / mean length)
        self._beside: Ints = np.empty((0, 0), dtype=np.int32)  # by side and row: who hears the row
        self._tf: Floats = np.empty(0)
        self._heard: dict[str, tuple[Rows | None, Floats, Rows]] = {}
        self._kept = 0

    def scores(self, weights: Mapping[str, float], *, share: bool = True) -> tuple[Floats, Floats]:
        """Score every row by weighted terms: windowed BM25, and the share of their weight that its own words hold."""
        self._refresh()
        size = self.index.facts.size
        scores, shares = np.zeros(size), np.zeros(size if share else 0)
        mass, part = 0.0, np.empty(size)
        for term, weight in sorted(weights.items()):
            touched, heard, rows = self._term(term)
            worth = weight * idf(len(self.index), len(rows))
            mass += worth
            if touched is None:
                scores += np.multiply(heard, worth, out=part)
            else:
                scores[touched] += worth * heard
            if share:
                shares[rows] += worth
        return scores, shares / mass if mass else shares

    def holding(self, term: str) -> Rows:
        """Give the rows that hold a term, in no order."""
        self._refresh()
        return self._term(term)[2]

    def _term(self, term: str) -> tuple[Rows | None, Floats, Rows]:
        """Say which rows hear a term in their window (none: all), how loudly, and which rows hold it."""
        kept = self._heard.get(term)
        if kept is None:
            rows, counts = self.index.holding(term)
            touched, heard = self._hear(rows, counts)
            kept = touched, heard, rows
            if len(rows) * _FEW >= len(self._pull):
                everywhere = np.zeros(len(self._pull))
                everywhere[touched] = heard
                kept = None, everywhere, rows
            self._kept += len(kept[1])
            while self._heard and self._kept > max(HEARD_KEPT, COMMON_KEPT * len(self._pull)):
                self._kept -= len(self._heard.pop(next(iter(self._heard)))[1])
            self._heard[term] = kept
        return kept

    def _hear(self, rows: Ints, counts: Ints) -> tuple[Rows, Floats]:
        """Give the windowed frequencies of one term as loudness: tf (k1 + 1) / (tf + k1 (..)), at most k1 + 1."""
        tf, touched = self._tf, rows
        tf[rows] = counts
        if len(self._beside):
            beside = self._beside[:, rows]
            for near, weight in zip(beside, window_weights(self.p).values(), strict=True):
                tf[near] += weight * counts
            touched = np.unique(np.append(rows, beside))
            touched = touched[np.searchsorted(touched, 0) :]  # -1 is no row
        frequency = tf[touched]
        tf[touched] = 0.0
        tf[-1] = 0.0  # of no row: where a neighbour is missing
        return touched, (self.p.k1 + 1.0) * frequency / (frequency + self._pull[touched])

    def _refresh(self) -> None:
        if self._version == self.index.version:
            return
        facts = self.index.facts.trim()
        length = windowed(np.where(facts.alive, facts.length, 0).astype(np.float64), self.index, self.p)
        mean = float(length[facts.alive].mean()) if len(self.index) else 0.0
        relative = length / mean if mean else length
        self._pull = self.p.k1 * (1.0 - self.p.b + self.p.b * relative)
        neighbours = self.index.neighbours()
        grouped = bool((facts.previous >= 0).any())
        self._beside = np.array([neighbours[side] for side in _SEEN_FROM] if grouped else [], dtype=np.int32)
        self._tf = np.zeros(facts.size + 1)
        self._heard = {}
        self._kept = 0
        self._version = self.index.version

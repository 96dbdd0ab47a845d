"""Keyword search over windows: BM25, where an entry also speaks with the words of its neighbours.

    tf(e, t) = count(e, t) + .7 count(previous) + .5 count(following) + .3 count(two away)
    idf(t) = ln(1 + (N - n + .5) / (n + .5)), n entries that hold t themselves
    bm25(e) = sum over t of idf(t) tf (k1 + 1) / (tf + k1 (1 - b + b length(e) / mean length))

In a conversation the answer often shares no word with the question, and the turn before it does.

What was computed for a term is kept. A changed entry changes the frequencies of its own words in its own and its
neighbours' windows, and through the mean length how loudly everything is heard: the first is brought up to date where
it changed, the second is computed anew from the frequencies when a term is next asked for. Both give what computing
everything anew would, to the bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from asterism.core.ledger.columns import Floats, Longs, Rows
from asterism.core.recall.index import Index
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.windows import Lengths, window_weights
from asterism.core.text.rarity import idf
from asterism.core.text.terms import term_of

COMMON_KEPT = 32  # terms in every row whose scores would be kept
HEARD_KEPT = 2_000_000  # rows whose scores are kept at least
CHANGED_FEW = 256  # rows that are brought up to date; with more, terms are heard anew
_FEW = 32  # a term in fewer than one row of 32 is kept with the rows that hear it, others over all rows
_SEEN_FROM = [1, 0, 3, 2]  # who hears a row: the other side of each neighbour


@dataclass
class Heard:
    """A term: which rows hear it in their window (none: all), how often, how loudly, and which rows hold it."""

    touched: Rows | None
    frequency: Floats
    rows: Rows
    loud: Floats | None = None
    of: int = -1  # the version of the lengths that it is so loud by


class Lexical:
    """Keyword scores over one index; lengths, and how loudly terms are heard, are kept and follow the index."""

    def __init__(self, index: Index, parameters: RecallParameters) -> None:
        self.index = index
        self.p = parameters
        self._version = -1
        self._lengths = Lengths(index, parameters)
        self._pull: Floats = np.empty(0)  # k1 (1 - b + b length / mean length)
        self._tf: Floats = np.zeros(1)
        self._heard: dict[str, Heard] = {}
        self._kept = 0

    def scores(self, weights: Mapping[str, float], *, share: bool = True) -> tuple[Floats, Floats]:
        """Score every row by weighted terms: windowed BM25, and the share of their weight that its own words hold."""
        self._refresh()
        size = self.index.facts.size
        scores, shares = np.zeros(size), np.zeros(size if share else 0)
        mass, part = 0.0, np.empty(size)
        for term, weight in sorted(weights.items()):
            heard = self._term(term)
            assert heard.loud is not None
            worth = weight * idf(len(self.index), len(heard.rows))
            mass += worth
            if heard.touched is None:
                scores += np.multiply(heard.loud, worth, out=part)
            else:
                scores[heard.touched] += worth * heard.loud
            if share:
                shares[heard.rows] += worth
        return scores, shares / mass if mass else shares

    def holding(self, term: str) -> Rows:
        """Give the rows that hold a term, in no order."""
        self._refresh()
        return self._term(term).rows

    def _term(self, term: str) -> Heard:
        """Say who hears a term, how loudly, and who holds it."""
        heard = self._heard.get(term)
        if heard is None:
            heard = self._hear(term)
            self._kept += len(heard.frequency)
            while self._heard and self._kept > max(HEARD_KEPT, COMMON_KEPT * len(self._pull)):
                self._kept -= len(self._heard.pop(next(iter(self._heard))).frequency)
            self._heard[term] = heard
        if heard.of != self._version:
            self._sound(heard)
        return heard

    def _hear(self, term: str) -> Heard:
        """Count a term in every window that it is in."""
        rows, counts = self.index.holding(term)
        everywhere = len(rows) * _FEW >= len(self._pull)
        tf, touched = np.zeros(len(self._pull) + 1) if everywhere else self._tf, rows
        tf[rows] = counts
        if self._lengths.grouped:
            beside = self._lengths.sides[:, rows][_SEEN_FROM]
            for near, weight in zip(beside, window_weights(self.p).values(), strict=True):
                tf[near] += weight * counts
            if not everywhere:
                touched = np.unique(np.append(rows, beside))
                touched = touched[np.searchsorted(touched, 0) :]  # -1 is no row
        if everywhere:
            return Heard(None, tf[:-1], rows)
        frequency = tf[touched]
        tf[touched] = 0.0
        tf[-1] = 0.0  # of no row: where a neighbour is missing
        return Heard(touched, frequency, rows)

    def _sound(self, heard: Heard) -> None:
        """Say how loudly a term is heard: tf (k1 + 1) / (tf + k1 (..)), at most k1 + 1."""
        if heard.touched is None:
            self._kept += len(self._pull) - len(heard.frequency)
            heard.frequency = _padded(heard.frequency, len(self._pull))
        tf = heard.frequency
        pull = self._pull if heard.touched is None else self._pull[heard.touched]
        loud = np.add(tf, pull)
        heard.loud = np.divide((self.p.k1 + 1.0) * tf, loud, out=loud, where=tf > 0.0)
        heard.loud[tf == 0.0] = 0.0
        heard.of = self._version

    def _refresh(self) -> None:
        if self._version == self.index.version:
            return
        touched = self.index.touched_since(self._version)
        if touched is None or len(touched) > CHANGED_FEW:
            self._lengths.measure()
            self._heard, self._kept = {}, 0
        else:
            words = self._words_near(touched)  # before and after: the neighbours there were are known to the lengths
            self._lengths.change(touched)
            self._change(touched, words | self._words_near(touched))
        self._pull = self._lengths.pull()
        if len(self._tf) <= len(self._pull):
            self._tf = np.zeros(len(self._pull) + 1 + len(self._pull) // 8)
        self._version = self.index.version

    def _words_near(self, rows: Longs) -> set[str]:
        """Name the terms of some rows and of their neighbours."""
        sides = self._lengths.sides
        beside = sides[:, rows[rows < sides.shape[1]]]
        near = {*rows.tolist(), *beside[beside >= 0].tolist()}
        return {term_of(word) for row in near for word in self.index.words.keys_of(row)}

    def _change(self, rows: Longs, terms: set[str]) -> None:
        """Bring the terms up to date that are heard otherwise in some rows."""
        kept = [(term, self._heard[term]) for term in sorted(terms) if term in self._heard]
        if not kept:
            return
        alive = self.index.facts.trim().alive
        window = np.vstack([rows, self._lengths.sides[:, rows]])
        window[:, ~alive[rows]] = -1
        near = np.unique(window[window >= 0])
        count = {term: np.zeros(len(near) + 1) for term, _ in kept}  # the last one stands for -1: no row
        for place, row in enumerate(near.tolist()):
            for word, times in self.index.words.counts_of(row):
                if term_of(word) in count:
                    count[term_of(word)][place] += times
        places = np.where(window >= 0, np.searchsorted(near, window), len(near))
        stays = np.ones(len(alive), dtype=bool)
        stays[rows] = False
        for term, heard in kept:
            own, *others = count[term][places]
            tf = own.copy()
            for beside, weight in zip(others, window_weights(self.p).values(), strict=True):
                tf += weight * beside
            heard.rows = np.append(heard.rows[stays[heard.rows]], rows[own > 0.0])
            heard.of = -1
            self._kept -= len(heard.frequency)
            if heard.touched is None:
                heard.frequency = _padded(heard.frequency, len(alive))
                heard.frequency[rows] = tf
            else:
                before = stays[heard.touched]
                touched = np.append(heard.touched[before], rows[tf > 0.0])
                order = np.argsort(touched)
                heard.touched = touched[order]
                heard.frequency = np.append(heard.frequency[before], tf[tf > 0.0])[order]
            self._kept += len(heard.frequency)


def _padded(values: Floats, size: int) -> Floats:
    return values if len(values) == size else np.append(values, np.zeros(size - len(values)))

"""Vectors: how near an entry's window is to a query in meaning.

    window(e) = v(e) + .7 v(previous) + .5 v(following) + .3 v(two away)
    meaning(e) = z of cos(q, window(e)) over all entries that have a vector; 0 for the others

    kin(word) = the 12 words of the index nearest to it, with a cosine above .35

The mean of neighbouring vectors needs no extra embedding. Up to `FEW` entries the windows are kept, and every cosine is
one product. Above that the windows' shadows on their 32 main directions are kept: they say which entries are worth a
look, and only those are multiplied (`rough`, `exactly`). What is kept changes with the entries that change.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Bools, Floats, Ints, Longs, Rows
from asterism.core.recall.index import Index
from asterism.core.recall.lexical import window_weights
from asterism.core.recall.parameters import RecallParameters

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]

FEW = 20_000  # entries up to which every cosine is taken
SHADOW = 32  # directions
BLOCK = 4096
KIN_KEPT = 4096  # words
NO_SPREAD = 1e-9  # cosines that differ by less say nothing
_NEVER = (np.empty(0, dtype=np.float32), list[tuple[str, float]]())


class Meaning:
    """Unit vectors of an index's entries, by row, and of its words, by number; a row of zeros has none."""

    def __init__(
        self,
        index: Index,
        parameters: RecallParameters,
        *,
        entries: Matrix,
        words: Matrix | None = None,
        few: int = FEW,
    ) -> None:
        self.index = index
        self.p = parameters
        self.entries = entries
        self.words = words
        self.few = few
        self._version = -1
        self._seen: Matrix | None = None  # what the rest was made of
        self._beside: Ints = np.empty((4, 0), dtype=np.int32)
        self._has: Bools = np.empty(0, dtype=bool)  # a vector
        self._known: Bools = np.empty(0, dtype=bool)  # has one and lives
        self._axes: Matrix = np.empty((0, 0), dtype=np.float32)  # the main directions, if there are many entries
        self._shadow: Matrix = np.empty((0, 0), dtype=np.float32)  # windows of length 1: whole, or on the axes
        self._scale: Vector = np.empty(0, dtype=np.float32)  # one over the windows' lengths
        self._sum: Floats = np.empty(0)  # of all known windows, and of their products with themselves
        self._squares: Floats = np.empty((0, 0))
        self._kin: dict[str, tuple[Vector, list[tuple[str, float]]]] = {}
        self._kin_in: Matrix | None = None

    def put(self, rows: Rows, vectors: Matrix) -> None:
        """Take the vectors of rows that had none; only what they change is computed anew."""
        self._room()
        self.entries[rows] = vectors
        self._version = -1

    @property
    def many(self) -> bool:
        """Say whether there are so many entries that `rough` is worth it."""
        return self.index.facts.size > self.few

    def cosines(self, query: Vector) -> Floats:
        """Give the cosine of a query to each entry's window; the query's length does not matter to `standard`."""
        self._refresh()
        if not self.many:
            return products(self._shadow[: self.index.facts.size], query)
        every = np.arange(self.index.facts.size)
        return np.concatenate(
            [products(self._windows(every[at : at + BLOCK]), query) for at in range(0, len(every), BLOCK)]
        )

    def standard(self, query: Vector) -> Floats:
        """Give the standard scores of the cosines, over the entries that have a vector; 0 for the others."""
        cosines = self.cosines(query)
        held = np.sort(cosines[self._known])  # so that the sums below do not depend on who came first
        spread = float(held.std()) if len(held) else 0.0
        if spread < NO_SPREAD:
            return np.zeros_like(cosines)
        return np.where(self._known, (cosines - float(held.mean())) / spread, 0.0)

    # Many entries

    def rough(self, query: Vector) -> Floats:
        """Give roughly the standard scores, from the windows' shadows."""
        self._refresh()
        mean, spread = self._moments(query)
        if spread < NO_SPREAD:
            return np.zeros(self.index.facts.size)
        rough = (self._shadow[: self.index.facts.size] @ (self._axes.T @ query)).astype(np.float64)
        rough -= mean
        rough /= spread
        rough[~self._known] = 0.0
        return rough

    def exactly(self, query: Vector, rows: Longs) -> Floats:
        """Give the standard scores of some rows."""
        mean, spread = self._moments(query)
        if spread < NO_SPREAD:
            return np.zeros(len(rows))
        near = products(self.entries[rows], query)
        for side, weight in zip(self._beside[:, rows], window_weights(self.p).values(), strict=True):
            near += np.where(side >= 0, weight * products(self.entries[side], query), 0.0)
        near *= self._scale[rows]
        return np.where(self._known[rows], (near - mean) / spread, 0.0)

    def _moments(self, query: Vector) -> tuple[float, float]:
        """Give mean and spread of all cosines: E cos = q.E w, E cos^2 = q.(E w w').q."""
        count = max(int(np.count_nonzero(self._known)), 1)
        long = query.astype(np.float64)
        mean = float(long @ self._sum) / count
        return mean, max(float(long @ self._squares @ long) / count - mean * mean, 0.0) ** 0.5

    def _windows(self, rows: Longs, beside: Ints | None = None, has: Bools | None = None) -> Matrix:
        """Give the windows of rows, at length 1; those of now, or those there were."""
        beside = self._beside if beside is None else beside
        total = self.entries[rows]
        if has is not None:
            total *= has[rows][:, None]
        for side, weight in zip(beside[:, rows], window_weights(self.p).values(), strict=True):
            near = np.flatnonzero(side >= 0)
            share = np.float32(weight) * (1.0 if has is None else has[side[near]][:, None])
            total[near] += (share * self.entries[side[near]]).astype(np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", total, total))
        scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        if has is None:
            self._scale[rows] = scale
        total *= scale[:, None]
        return total

    def kin(self, word: str, vector: Vector) -> list[tuple[str, float]]:
        """Name the words of the index nearest in meaning to a word, with their cosines; ties by word."""
        return self.kin_of({word: vector})[word]

    def kin_of(self, asked: Mapping[str, Vector]) -> dict[str, list[tuple[str, float]]]:
        """Do it for several words at once; what was found is kept while the words of the index stay the same."""
        if self.words is None:
            return {word: [] for word in asked}
        if self._kin_in is not self.words:
            self._kin, self._kin_in = {}, self.words
        known = {word: self._kin.get(word, _NEVER) for word in asked}
        new = sorted(word for word, vector in asked.items() if not np.array_equal(known[word][0], vector))
        if new:
            likeness = self.words @ np.array([asked[word] for word in new]).T
            for column, word in enumerate(new):
                while len(self._kin) >= KIN_KEPT:
                    self._kin.pop(next(iter(self._kin)))
                self._kin[word] = known[word] = asked[word], self._nearest(word, likeness[:, column])
        return {word: kin for word, (_, kin) in known.items()}

    def _nearest(self, word: str, products: Vector) -> list[tuple[str, float]]:
        near = np.flatnonzero(products > self.p.kin_likeness - NO_SPREAD)
        likeness = np.round(products[near].astype(np.float64), 9)
        near, likeness = near[likeness > self.p.kin_likeness], likeness[likeness > self.p.kin_likeness]
        if len(near) > self.p.kin_words:
            edge = np.partition(likeness, -self.p.kin_words)[-self.p.kin_words]
            near, likeness = near[likeness >= edge], likeness[likeness >= edge]
        names = self.index.words.names
        pairs = zip((-likeness).tolist(), (names[number] for number in near.tolist()), strict=True)
        found = sorted((far, name) for far, name in pairs if name != word)
        return [(name, -far) for far, name in found[: self.p.kin_words]]

    def _room(self) -> None:
        """Make room for the entries that came since: they have no vector yet."""
        missing = self.index.facts.size - len(self.entries)
        if missing > 0:
            same = self._seen is self.entries
            spare = max(missing, len(self.entries) // 8)  # so that not every new entry copies all others
            self.entries = np.vstack([self.entries, np.zeros((spare, self.entries.shape[1]), dtype=np.float32)])
            self._seen = self.entries if same else None

    def _refresh(self) -> None:
        """Bring what is kept up to date, for the rows whose windows changed."""
        if self._version == self.index.version:
            return
        self._room()
        facts, size, before = self.index.facts.trim(), self.index.facts.size, len(self._has)
        beside = np.array(list(self.index.neighbours().values()), dtype=np.int32)
        if self._seen is not self.entries or self.many != bool(self._axes.size) or size > before + before // 4:
            self._make(beside, _any(self.entries[:size]), facts.alive)
        else:
            has = np.concatenate([self._has, np.zeros(size - before, dtype=bool)])
            has[~has] = _any(self.entries[:size][~has])
            self._change(beside, has, facts.alive)
        self._version = self.index.version

    def _make(self, beside: Ints, has: Bools, alive: Bools) -> None:
        """Compute everything."""
        size, width = len(has), self.entries.shape[1]
        self._seen, self._beside, self._has, self._known = self.entries, beside, has, has & alive
        self._sum, self._squares = np.zeros(width), np.zeros((width, width))
        self._axes, self._scale = np.empty((0, 0), dtype=np.float32), np.zeros(size, dtype=np.float32)
        blocks = [np.arange(at, min(at + BLOCK, size)) for at in range(0, size, BLOCK)]
        if self.many:
            for rows in blocks:
                self._count(self._windows(rows[self._known[rows]]), 1.0)
            _, axes = np.linalg.eigh(self._squares)
            self._axes = np.ascontiguousarray(axes[:, -SHADOW:], dtype=np.float32)
        self._shadow = np.zeros((len(self.entries), self._axes.shape[1] if self.many else width), dtype=np.float32)
        for rows in blocks:
            self._cast(rows)

    def _change(self, beside: Ints, has: Bools, alive: Bools) -> None:
        """Compute what a few changed entries change."""
        before = len(self._has)
        old = np.pad(self._beside, ((0, 0), (0, len(has) - before)), constant_values=-1)
        had, known = (np.pad(each, (0, len(has) - before)) for each in (self._has, self._known))
        differs = np.append(has != had, False)  # the last one stands for -1: no neighbour
        changed = (beside != old).any(axis=0) | differs[:-1] | differs[beside].any(axis=0) | ((has & alive) != known)
        changed[before:] = True
        rows = np.flatnonzero(changed)
        if self.many:
            self._count(self._windows(rows[known[rows]], old, had), -1.0)
        self._beside, self._has, self._known = beside, has, has & alive
        self._scale = np.pad(self._scale, (0, len(has) - before))
        if len(self._shadow) < len(self.entries):
            self._shadow = np.pad(self._shadow, ((0, len(self.entries) - len(self._shadow)), (0, 0)))
        windows = self._cast(rows)
        if self.many:
            self._count(windows[self._known[rows]], 1.0)

    def _cast(self, rows: Longs) -> Matrix:
        """Write the shadows of rows, and give their windows."""
        windows = self._windows(rows)
        self._shadow[rows] = windows @ self._axes if self.many else windows
        return windows

    def _count(self, windows: Matrix, sign: float) -> None:
        self._sum += sign * windows.sum(axis=0, dtype=np.float64)
        self._squares += sign * (windows.T @ windows)


def products(rows: Matrix, query: Vector) -> Floats:
    """Multiply each row with a query, in an order that does not depend on the row's place, as BLAS does."""
    found: Vector = np.einsum("ij,j->i", rows, query)
    return found.astype(np.float64)


def _any(vectors: Matrix) -> Bools:
    """Say which vectors are more than zeros."""
    return np.asarray(vectors.any(axis=1), dtype=np.bool_)

"""Vectors: how near an entry's window is to a query in meaning.

    window(e) = v(e) + .7 v(previous) + .5 v(following) + .3 v(two away)
    meaning(e) = z of cos(q, window(e)) over all entries that have a vector; 0 for the others

    kin(word) = the 12 words of the index nearest to it, with a cosine above .35

The mean of neighbouring vectors needs no extra embedding. Up to `FEW` entries the windows are kept, and every cosine is
one product. Above that the windows' shadows on their 32 main directions are kept: they say which entries are worth a
look, and only those are multiplied (`rough`, `exactly`). What is kept changes with the entries that change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Bools, Floats, Ints, Longs, Rows
from asterism.core.recall.index import Index
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.windows import window_weights

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]
Codes = NDArray[np.int8]  # a vector a row, as whole numbers

FEW = 20_000  # entries up to which every cosine is taken
SHADOW = 32  # directions
BLOCK = 4096
KIN_KEPT = 4096  # words
FIRST_ROWS = 64
NO_SPREAD = 1e-9  # cosines that differ by less say nothing
KIN_SPARE = 8  # times as many words are kept as are asked for: some may be gone when it is asked again
ROUGHLY = 1e-4  # more than float32 products are off


class Kin(NamedTuple):
    """The words near to one, among the first so many of an index."""

    word: str
    vector: Vector
    among: int = 0
    words: Sequence[tuple[float, str]] = ()  # nearest first, with their cosines, negated
    cut: bool = False  # there are more


class Moments(NamedTuple):
    """Sums over windows: of themselves, and of their products with themselves."""

    sum: Floats
    squares: Floats


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
        self.words = words  # rows are only ever added to it
        self.few = few
        self.tick: Callable[[], None] | None = None  # called between portions of work, which it may end
        self._version = -1
        self._fresh: list[Longs] = []  # rows that were given a vector since
        self._seen: Matrix | None = None  # what the rest was made of
        self._beside: Ints = np.empty((4, 0), dtype=np.int32)
        self._has: Bools = np.empty(0, dtype=bool)  # a vector
        self._known: Bools = np.empty(0, dtype=bool)  # has one and lives
        self._axes: Matrix = np.empty((0, 0), dtype=np.float32)  # the main directions, if there are many entries
        self._shadow: Matrix = np.empty((0, 0), dtype=np.float32)  # windows of length 1: whole, or on the axes
        self._scale: Vector = np.empty(0, dtype=np.float32)  # one over the windows' lengths
        self._sum: Floats = np.empty(0)  # of all known windows, and of their products with themselves
        self._squares: Floats = np.empty((0, 0))
        self._kin: dict[str, Kin] = {}

    def put(self, rows: Rows, vectors: Matrix) -> None:
        """Take the vectors of rows that had none; only what they change is computed anew."""
        self._room()
        self.entries[rows] = vectors
        self._fresh.append(np.asarray(rows, dtype=np.int64))

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
        """Do it for several words at once; what was found is kept, and compared with the words that come later."""
        if self.words is None:
            return {word: [] for word in asked}
        found = {word: self._kin.get(word) for word in asked}
        new = sorted(word for word, kin in found.items() if kin is None or not np.array_equal(kin.vector, asked[word]))
        if new:
            rough = self.words @ np.array([asked[word] for word in new]).T
            for column, word in enumerate(new):
                while len(self._kin) >= KIN_KEPT:
                    self._kin.pop(next(iter(self._kin)))
                self._kin[word] = found[word] = self._nearest(Kin(word, asked[word]), rough[:, column])
        for word, kin in found.items():
            assert kin is not None
            if kin.among < len(self.words):
                self._kin[word] = found[word] = self._nearest(kin, self.words[kin.among :] @ kin.vector)
        return {word: self._held(kin) for word, kin in found.items() if kin is not None}

    def _held(self, kin: Kin) -> list[tuple[str, float]]:
        """Give the nearest words that some entry holds now."""
        held = [(name, -far) for far, name in kin.words if self.index.words.spread(name)]
        if len(held) < self.p.kin_words and kin.cut:  # those that were kept are gone, and there may be others
            assert self.words is not None
            rough = self.words @ kin.vector
            rough[[not count for count in self.index.words.held[: len(rough)]]] = -1.0
            held = [(name, -far) for far, name in self._nearest(Kin(kin.word, kin.vector), rough).words]
        return held[: self.p.kin_words]

    def _nearest(self, kin: Kin, rough: Vector) -> Kin:
        """Find the nearest among the words there were and those behind them; rough products only propose."""
        assert self.words is not None
        least, most = self.p.kin_likeness - ROUGHLY, KIN_SPARE * self.p.kin_words
        if len(rough) > most > 0:
            least = max(least, float(np.partition(rough, -most)[-most]) - 2 * ROUGHLY)
        near = np.flatnonzero(rough > least)
        cut = kin.cut or least > self.p.kin_likeness - ROUGHLY
        likeness = np.round(products(self.words[kin.among + near].astype(np.float64), kin.vector.astype(np.float64)), 9)
        names = self.index.words.names
        pairs = zip(likeness.tolist(), (names[kin.among + number] for number in near.tolist()), strict=True)
        found = sorted(
            [*kin.words, *((-like, name) for like, name in pairs if like > self.p.kin_likeness and name != kin.word)]
        )
        return Kin(kin.word, kin.vector, len(self.words), found[:most], cut or len(found) > most)

    def _room(self) -> None:
        """Make room for the entries that came since: they have no vector yet."""
        size = self.index.facts.size
        if size > len(self.entries):
            same = self._seen is self.entries
            room = size + max(size // 8, FIRST_ROWS)  # so that not every new entry copies all others
            larger = np.zeros((room, self.entries.shape[1]), dtype=np.float32)
            larger[: len(self.entries)] = self.entries
            self.entries = larger
            self._seen = self.entries if same else None

    def _refresh(self) -> None:
        """Bring what is kept up to date, for the rows whose windows changed."""
        if self._version == self.index.version and not self._fresh:
            return
        self._room()
        size, before = self.index.facts.size, len(self._has)
        touched = self.index.touched_since(self._version)
        given = np.concatenate([np.empty(0, dtype=np.int64), *self._fresh])
        few = touched is not None and size <= before + before // 4 and len(given) <= before // 4
        if few and self._seen is self.entries and self.many == bool(self._axes.size):
            assert touched is not None
            self._change(touched, given)
        else:
            self._make()
        self._version, self._fresh = self.index.version, []

    def moments(self) -> Moments | None:
        """Give the sums over all windows, if there are so many entries that they are kept."""
        self._refresh()
        return Moments(self._sum.copy(), self._squares.copy()) if self.many else None

    def take_moments(self, kept: Moments) -> None:
        """Take the sums over the windows of these very entries: to compute them takes longer than all the rest."""
        self._room()
        self._make(Moments(kept.sum.copy(), kept.squares.copy()))
        self._version, self._fresh = self.index.version, []

    def _make(self, kept: Moments | None = None) -> None:
        """Compute everything, but for the sums, if they are known."""
        facts, size, width = self.index.facts.trim(), self.index.facts.size, self.entries.shape[1]
        self._beside = np.array(list(self.index.neighbours().values()), dtype=np.int32)
        self._has = _any(self.entries[:size])
        self._seen, self._known = None, self._has & facts.alive
        self._sum, self._squares = kept or (np.zeros(width), np.zeros((width, width)))
        self._axes, self._scale = np.empty((0, 0), dtype=np.float32), np.zeros(size, dtype=np.float32)
        blocks = [np.arange(at, min(at + BLOCK, size)) for at in range(0, size, BLOCK)]
        if self.many:
            for rows in blocks if kept is None else ():
                self._count(self._windows(rows[self._known[rows]]), 1.0)
                self._ticked()
            _, axes = np.linalg.eigh(self._squares)
            self._axes = np.ascontiguousarray(axes[:, -SHADOW:], dtype=np.float32)
        self._shadow = np.zeros((len(self.entries), self._axes.shape[1] if self.many else width), dtype=np.float32)
        for rows in blocks:
            self._cast(rows)
            self._ticked()
        self._seen = self.entries

    def _ticked(self) -> None:
        if self.tick is not None:
            self.tick()

    def _change(self, touched: Longs, given: Longs) -> None:
        """Compute what a few changed entries change: those that came, went or moved, and those that got a vector."""
        facts, missing = self.index.facts.trim(), self.index.facts.size - len(self._has)
        old = np.pad(self._beside, ((0, 0), (0, missing)), constant_values=-1)
        had, known = np.pad(self._has, (0, missing)), np.pad(self._known, (0, missing))
        beside, has = old.copy(), had.copy()
        beside[:, touched] = [column[touched] for column in self.index.neighbours().values()]
        fresh = np.union1d(touched, given)
        has[fresh] = _any(self.entries[fresh])
        rows = np.unique(np.concatenate([fresh, old[:, given].ravel(), beside[:, given].ravel()]))
        rows = rows[rows >= 0]
        if self.many:
            self._count(self._windows(rows[known[rows]], old, had), -1.0)
        known[fresh] = has[fresh] & facts.alive[fresh]
        self._beside, self._has, self._known = beside, has, known
        self._scale = np.pad(self._scale, (0, missing))
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


def products(rows: Matrix | Floats, query: Vector | Floats) -> Floats:
    """Multiply each row with a query, in an order that does not depend on the row's place, as BLAS does."""
    found: Vector = np.einsum("ij,j->i", rows, query)
    return found.astype(np.float64)


def _any(vectors: Matrix) -> Bools:
    """Say which vectors are more than zeros."""
    return np.asarray(vectors.any(axis=1), dtype=np.bool_)

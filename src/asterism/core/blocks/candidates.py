"""Candidates for edges: of each new block the best pairs, proposed by BLAS, block by block; never an N x N array.

Every proposal is a bound: float32 with a margin, tags and categories from above. What is kept is scored anew in
float64.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from asterism.core.blocks.batch import MARGIN, Frame
from asterism.core.ledger.columns import Bools, Floats, Ints, Longs

Singles = NDArray[np.float32]

ROWS = 256  # rows multiplied at a time
COLUMNS = 2_048  # columns multiplied at a time: products of both stay near the processor
LONGER = 3  # times as long a list as asked for: cheaper than to look again
NOBODY = -1


class Pairs(NamedTuple):
    """Two blocks each, by row."""

    a: Longs
    b: Longs


class Listed(NamedTuple):
    """The best pairs of some rows; a pair that is not listed scores at most the floor of its row."""

    pairs: Pairs
    bound: Floats  # of the score, by pair
    floor: Floats  # by row; minus infinity where every pair worth a look is listed

    @property
    def cut(self) -> Bools:
        """Which rows have more pairs than are listed."""
        return np.isfinite(self.floor)


class Best:
    """The best few columns found so far for each of some rows."""

    def __init__(self, rows: int, most: int, *, floor: Singles | float) -> None:
        self.score = np.full((rows, most), -np.inf, dtype=np.float32)
        self.column = np.full((rows, most), NOBODY, dtype=np.int32)
        self.floor = np.full(rows, floor, dtype=np.float32)
        self._lowest = self.floor.copy()

    def take(self, rows: Longs, columns: Longs, score: Singles) -> None:
        """Take in the scores of rows against columns; no pair is given twice."""
        hit = np.flatnonzero(score >= self.floor[rows][:, None])
        if not len(hit):
            return
        row, place = np.divmod(hit, len(columns))
        starts = np.flatnonzero(np.diff(row, prepend=-1))
        count = np.diff(starts, append=len(row))
        some = row[starts]
        inside = np.arange(len(row)) - np.repeat(starts, count)
        line = np.repeat(np.arange(len(some)), count)
        found = np.full((len(some), int(count.max())), -np.inf, dtype=np.float32)
        which = np.full(found.shape, NOBODY, dtype=np.int32)
        found[line, inside] = score.ravel()[hit]
        which[line, inside] = columns[place]
        self._merge(rows[some], which, found)

    def _merge(self, rows: Longs, columns: Ints, score: Singles) -> None:
        """Keep the best of what these rows had and of what was found for them."""
        most = self.score.shape[1]
        every = np.concatenate([self.score[rows], score], axis=1)
        which = np.concatenate([self.column[rows], columns], axis=1)
        place = np.argpartition(every, -most, axis=1)[:, -most:]
        self.score[rows] = kept = np.take_along_axis(every, place, axis=1)
        self.column[rows] = np.take_along_axis(which, place, axis=1)
        self.floor[rows] = np.maximum(kept.min(axis=1), self._lowest[rows])

    def listed(self, rows: Longs) -> Listed:
        """Give the pairs of these rows, the first of the table being the first of them."""
        held = self.column != NOBODY
        floor = np.where(held.all(axis=1), self.floor.astype(np.float64) + MARGIN, -np.inf)
        pairs = Pairs(np.repeat(rows, np.count_nonzero(held, axis=1)), self.column[held].astype(np.int64))
        return Listed(pairs, self.score[held].astype(np.float64), floor)


def bounds(frame: Frame, rows: Longs | slice, columns: Longs | slice) -> Singles:
    """Bound the scores of rows against columns from above; 0 where the cosine is below the guard."""
    return Bounds(frame).of(rows, columns)


class Bounds:
    """Bounds many rows and columns in the same memory: each answer lasts until the next."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._make_room(0)

    def of(self, rows: Longs | slice, columns: Longs | slice) -> Singles:
        """Do what `bounds` does."""
        frame = self.frame
        near, vectors = frame.vectors[rows], frame.vectors[columns]
        size = len(near) * len(vectors)
        if len(self._score) < size:
            self._make_room(size)
        shape = len(near), len(vectors)
        score, more = self._score[:size].reshape(shape), self._more[:size].reshape(shape)
        passed = self._passed[:size].reshape(shape)
        np.matmul(near * np.float32(frame.parameters.weight_cosine), vectors.T, out=score)
        np.matmul(frame.rest_columns[rows], frame.rest_columns[columns].T, out=more)
        np.greater_equal(score, np.float32(frame.guard), out=passed)
        score += more
        score *= passed
        return score

    def _make_room(self, size: int) -> None:
        self._score, self._more = np.empty(size, np.float32), np.empty(size, np.float32)
        self._passed = np.empty(size, np.bool_)


class Search(Protocol):
    """Where candidates come from."""

    exact: bool

    def best(self, *, first: int, most: int) -> Listed:
        """List for each row from `first` on its best pairs."""

    def better(self, rows: Longs, fresh: Bools, bar: Floats, *, most: int) -> Listed:
        """List for each of these rows its best pairs, one end fresh, that both ends would rather have.

        `bar` is what a pair must score to be worth more to a block than the weakest of its edges.
        """


class EveryPair:
    """The exact path: every pair is looked at."""

    exact = True

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.lowest = frame.parameters.edge_score_threshold - MARGIN
        self.bounds = Bounds(frame)

    def best(self, *, first: int, most: int) -> Listed:
        """List the best pairs of each row with the rows before it: each unordered pair once."""
        every = np.arange(len(self.frame))
        lists = []
        for start in range(first, len(self.frame), ROWS):
            end = min(start + ROWS, len(self.frame))
            best = Best(end - start, LONGER * most, floor=self.lowest)
            mine = np.arange(end - start)
            for left in range(0, end, COLUMNS):
                right = min(left + COLUMNS, end)
                score = self.bounds.of(slice(start, end), slice(left, right))
                if right > start:
                    among = max(left, start)
                    score[:, among - left :] *= every[among:right] < every[start:end, None]
                best.take(mine, every[left:right], score)
            lists.append(best.listed(every[start:end]))
        return joined(lists)

    def better(self, rows: Longs, fresh: Bools, bar: Floats, *, most: int) -> Listed:
        """List the best pairs of each row with all others."""
        lists = []
        for start in range(0, len(rows), ROWS):
            some = rows[start : start + ROWS]
            columns = np.arange(len(self.frame)) if fresh[some].any() else np.flatnonzero(fresh)
            best = Best(len(some), most, floor=worth(bar[some], self.lowest))
            for left in range(0, len(columns), COLUMNS):
                others = columns[left : left + COLUMNS]
                score = wanted(self.bounds.of(some, others), some, others, fresh, bar)
                best.take(np.arange(len(some)), others, score)
            lists.append(best.listed(some))
        return joined(lists)


def wanted(score: Singles, rows: Longs, columns: Longs, fresh: Bools, bar: Floats) -> Singles:
    """Keep the bounds of pairs, one end fresh, that the columns would rather have; 0 for all others; in place.

    Columns are in ascending order.
    """
    score *= score >= worth(bar[columns], 0.0)
    place = np.searchsorted(columns, rows)
    inside = np.flatnonzero(columns[np.minimum(place, len(columns) - 1)] == rows)
    score[inside, place[inside]] = 0.0
    if not (fresh[rows].all() or fresh[columns].all()):
        score *= fresh[rows][:, None] | fresh[columns]
    return score


def worth(bar: Floats, lowest: float) -> Singles:
    """Say from where on a bound is worth a look: the bar less a margin."""
    return np.maximum(bar - MARGIN, lowest).astype(np.float32)


def joined(lists: list[Listed]) -> Listed:
    """Put lists one after the other."""
    none = np.zeros(0, dtype=np.int64)
    lists = lists or [Listed(Pairs(none, none), np.zeros(0), np.zeros(0))]
    a, b = (np.concatenate(ends) for ends in zip(*(each.pairs for each in lists), strict=True))
    bound, floor = (np.concatenate(each) for each in zip(*(each[1:] for each in lists), strict=True))
    return Listed(Pairs(a, b), bound, floor)

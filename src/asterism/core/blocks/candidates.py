"""Candidates for edges: of each new block the best pairs, proposed by BLAS, block by block; never an N x N array.

Every proposal is a bound: float32 with a margin, tags and categories from above. What is kept is scored anew in
float64.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from asterism.core.blocks.batch import MARGIN, Frame
from asterism.core.columns import Bools, Floats, Longs

Singles = NDArray[np.float32]

ROWS = 1_024  # rows multiplied at a time
FIRST_COLUMNS, MOST_COLUMNS = 512, 8_192  # columns multiplied at a time: few at first, to learn what is worth a look
NOBODY = -1


class Pairs(NamedTuple):
    """Two blocks each, by row."""

    a: Longs
    b: Longs


class Listed(NamedTuple):
    """The best pairs of some rows; a pair that is not listed scores at most the floor of its row."""

    pairs: Pairs
    floor: Floats  # by row; minus infinity where every pair worth a look is listed

    @property
    def cut(self) -> Bools:
        """Which rows have more pairs than are listed."""
        return np.isfinite(self.floor)


class Best:
    """The best few columns found so far for each of some rows."""

    def __init__(self, rows: int, most: int, *, floor: float) -> None:
        self.score = np.full((rows, most), -np.inf, dtype=np.float32)
        self.column = np.full((rows, most), NOBODY, dtype=np.int32)
        self.floor = np.full(rows, floor, dtype=np.float32)
        self._lowest = floor

    def take(self, rows: Longs, columns: Longs, score: Singles) -> None:
        """Take in the scores of rows against columns; no pair is given twice."""
        hit = score >= self.floor[rows][:, None]
        count = np.count_nonzero(hit, axis=1)
        most = self.score.shape[1]
        if int(count.max(initial=0)) > 2 * most:  # many rows with many hits: the best of each row, by partition
            place = np.argpartition(score, -most, axis=1)[:, -most:]
            found = np.take_along_axis(score, place, axis=1)
            found[found < self.floor[rows][:, None]] = -np.inf
            self._merge(rows, np.where(np.isfinite(found), columns[place], NOBODY), found)
            return
        some = np.flatnonzero(count)
        if not len(some):
            return
        row, column = np.divmod(np.flatnonzero(hit[some]), len(columns))
        width = int(count.max())
        inside = np.arange(len(row)) - np.repeat(np.cumsum(count[some]) - count[some], count[some])
        found = np.full((len(some), width), -np.inf, dtype=np.float32)
        which = np.full((len(some), width), NOBODY, dtype=np.int64)
        found[row, inside] = score[some[row], column]
        which[row, inside] = columns[column]
        self._merge(rows[some], which, found)

    def _merge(self, rows: Longs, columns: Longs, score: Singles) -> None:
        most = self.score.shape[1]
        every = np.concatenate([self.score[rows], score], axis=1)
        place = np.argpartition(every, -most, axis=1)[:, -most:]
        self.score[rows] = kept = np.take_along_axis(every, place, axis=1)
        self.column[rows] = np.take_along_axis(np.concatenate([self.column[rows], columns], axis=1), place, axis=1)
        self.floor[rows] = np.maximum(kept.min(axis=1), self._lowest)

    def listed(self, rows: Longs) -> Listed:
        """Give the pairs of these rows, the first of the table being the first of them."""
        row, place = np.nonzero(self.column != NOBODY)
        cut = (self.column != NOBODY).all(axis=1)
        floor = np.where(cut, self.floor.astype(np.float64) + MARGIN, -np.inf)
        return Listed(Pairs(rows[row], self.column[row, place].astype(np.int64)), floor)


def bounds(frame: Frame, rows: Longs | slice, columns: Longs | slice) -> Singles:
    """Bound the scores of rows against columns from above; 0 where the cosine is below the guard."""
    scaled: Singles = frame.vectors[rows] * np.float32(frame.parameters.weight_cosine)
    near: Singles = scaled @ frame.vectors[columns].T
    passed = near >= frame.guard
    near += frame.rest_columns[rows] @ frame.rest_columns[columns].T
    near += np.float32(frame.rest)
    near *= passed
    return near


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

    def best(self, *, first: int, most: int) -> Listed:
        """List the best pairs of each row with the rows before it: each unordered pair once."""
        every = np.arange(len(self.frame))
        lists = []
        for start in range(first, len(self.frame), ROWS):
            end = min(start + ROWS, len(self.frame))
            best = Best(end - start, most, floor=self.lowest)
            mine = np.arange(end - start)
            left, width = 0, FIRST_COLUMNS
            while left < end:
                right = min(left + width, end)
                score = bounds(self.frame, slice(start, end), slice(left, right))
                if right > start:
                    score *= every[left:right] < every[start:end, None]
                best.take(mine, every[left:right], score)
                left, width = right, min(2 * width, MOST_COLUMNS)
            lists.append(best.listed(every[start:end]))
        return joined(lists)

    def better(self, rows: Longs, fresh: Bools, bar: Floats, *, most: int) -> Listed:
        """List the best pairs of each row with all others."""
        lists = []
        for start in range(0, len(rows), ROWS):
            some = rows[start : start + ROWS]
            columns = np.arange(len(self.frame)) if fresh[some].any() else np.flatnonzero(fresh)
            best = Best(len(some), most, floor=self.lowest)
            for left in range(0, len(columns), MOST_COLUMNS):
                others = columns[left : left + MOST_COLUMNS]
                best.take(np.arange(len(some)), others, wanted(self.frame, some, others, fresh, bar))
            lists.append(best.listed(some))
        return joined(lists)


def wanted(frame: Frame, rows: Longs, columns: Longs, fresh: Bools, bar: Floats) -> Singles:
    """Bound the scores of pairs, one end fresh, that both ends would rather have; 0 for all others."""
    score = bounds(frame, rows, columns)
    least = np.maximum(bar[rows][:, None], bar[columns][None, :]) - MARGIN
    score *= (score >= least) & (rows[:, None] != columns) & (fresh[rows][:, None] | fresh[columns])
    return score


def joined(lists: list[Listed]) -> Listed:
    """Put lists one after the other."""
    none = np.zeros(0, dtype=np.int64)
    pairs = [each.pairs for each in lists] or [Pairs(none, none)]
    return Listed(
        Pairs(np.concatenate([each.a for each in pairs]), np.concatenate([each.b for each in pairs])),
        np.concatenate([each.floor for each in lists] or [np.zeros(0)]),
    )

"""The approximate path: blocks are put into cells by what they have in common, and only near cells are searched.

A score is nearly a product of two rows (the cosine's columns beside those of tags, category and time), so blocks that
score high together fall into the same or into neighbouring cells, whichever signal it is that joins them. Blocks that
share a rare tag are looked at besides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from asterism.core.blocks.batch import MARGIN, Frame
from asterism.core.blocks.candidates import Best, Bounds, EveryPair, Listed, wanted, worth
from asterism.core.blocks.state import Vectors
from asterism.core.ledger.columns import Bools, Floats, Longs

ROUNDS = 3  # of moving the cells' centres
SOUNDED = 200  # rows by which the number of near cells is found
SAMPLE = 32  # rows for each cell, by which its centre is found
REST = 0.5  # how much tags, category and time weigh against the cosine when cells are made
RARE = 64  # a tag of no more blocks than this is rare
ROWS = 1_024  # rows put into cells at a time
LINES, MEMBERS = 1_024, 4_096  # multiplied at a time


class Cells(NamedTuple):
    """Which of some rows are in which cell, and which cells are nearest to each; rows by their place among them."""

    home: Longs
    near: Longs
    number: int

    def members(self) -> list[Longs]:
        """Give the places in each cell."""
        order = np.argsort(self.home, kind="stable")
        return np.split(order, np.searchsorted(self.home[order], np.arange(1, self.number)))


class NearCells:
    """The approximate path: near cells and rare tags."""

    exact = False

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.lowest = frame.parameters.edge_score_threshold - MARGIN
        self.bounds = Bounds(frame)
        self.cells = make_cells(frame, np.arange(len(frame)), rest=REST, probes=None)
        self.members = self.cells.members()

    def best(self, *, first: int, most: int) -> Listed:
        """List the best pairs found."""
        best = Best(len(self.frame) - first, most, floor=self.lowest)
        rows = np.arange(first, len(self.frame))
        for near in (self.cells.near[rows, :1], self.cells.near[rows, 1:]):  # the own cell tells what is worth a look
            for places, members in self._visits(near):
                score = self.bounds.of(rows[places], members)
                score *= rows[places][:, None] != members
                best.take(places, members, score)
        self._look_at_rare_tags(best, first=first)
        return best.listed(rows)

    def better(self, rows: Longs, fresh: Bools, bar: Floats, *, most: int) -> Listed:
        """List the better pairs found."""
        best = Best(len(rows), most, floor=worth(bar[rows], self.lowest))
        for places, members in self._visits(self.cells.near[rows]):
            score = self.bounds.of(rows[places], members)
            best.take(places, members, wanted(score, rows[places], members, fresh, bar))
        return best.listed(rows)

    def _visits(self, near: Longs) -> Iterator[tuple[Longs, Longs]]:
        """Give for each cell the lines that name it, and its members, in portions."""
        for lines, cell in visits(near, self.cells.number):
            members = self.members[cell]
            for start, first in product(range(0, len(lines), LINES), range(0, len(members), MEMBERS)):
                yield lines[start : start + LINES], members[first : first + MEMBERS]

    def _look_at_rare_tags(self, best: Best, *, first: int) -> None:
        codes = self.frame.tags.codes
        order = np.argsort(codes, kind="stable")
        owners = np.repeat(np.arange(len(self.frame)), self.frame.tags.sizes)[order]
        starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
        ends = np.append(starts[1:], len(codes))
        rare = (ends - starts > 1) & (ends - starts <= RARE)
        for start, end in zip(starts[rare].tolist(), ends[rare].tolist(), strict=True):
            members = owners[start:end]
            rows = members[members >= first]
            known = (best.column[rows - first][:, None, :] == members[None, :, None]).any(axis=2)
            score = self.bounds.of(rows, members)
            score *= (rows[:, None] != members) & ~known
            best.take(rows - first, members, score)


def visits(near: Longs, number: int) -> Iterator[tuple[Longs, int]]:
    """Give for each cell that is named the lines that name it, in ascending order."""
    order = np.argsort(near.ravel(), kind="stable")
    ends = np.searchsorted(near.ravel()[order], np.arange(1, number))
    for cell, lines in enumerate(np.split(order // near.shape[1], ends)):
        if len(lines):
            yield lines, cell


def make_cells(frame: Frame, rows: Longs, *, rest: float, probes: int | None) -> Cells:
    """Put rows into cells, about twice as many cells as the root of the rows; `rest` weighs all but the cosine.

    Without a number of `probes`, as many cells are near as it takes to find what the parameters ask for.
    """
    count = min(round(2 * math.sqrt(len(rows))), len(rows))
    centres = _centres(frame, rows, count, rest)
    near = _near(frame, rows, centres, rest, min(probes or frame.parameters.dream_probes, count))
    home = near[:, 0].copy()
    if probes is None:
        probes = min(_probes(frame, centres, home, rest), count)
        if probes > near.shape[1]:
            near = _near(frame, rows, centres, rest, probes)
    return Cells(home, near, count)


def _near(frame: Frame, rows: Longs, centres: Vectors, rest: float, probes: int) -> Longs:
    """Give the cells nearest to each row, its own first; of equal ones the first is its own."""
    near = np.empty((len(rows), probes), dtype=np.int64)
    for start in range(0, len(rows), ROWS):
        score = _lines(frame, rows[start : start + ROWS], rest) @ centres.T
        own = score.argmax(axis=1)
        score[np.arange(len(own)), own] = np.inf
        order = np.argpartition(score, -probes, axis=1)[:, -probes:]
        near[start : start + ROWS] = np.where(order == own[:, None], order[:, :1], order)
        near[start : start + ROWS, 0] = own
    return near


def _probes(frame: Frame, centres: Vectors, home: Longs, rest: float) -> int:
    """Say how many cells a row must search: for rows at equal steps the best pairs of all are looked for."""
    rows = np.unique(np.linspace(0, len(frame) - 1, SOUNDED).astype(np.int64))
    nothing = np.zeros(len(frame))
    listed = EveryPair(frame).better(rows, nothing == 0, nothing, most=min(frame.parameters.dream_list, len(frame)))
    place = np.searchsorted(rows, listed.pairs.a)
    order = np.argsort(-(_lines(frame, rows, rest) @ centres.T), axis=1, kind="stable")
    rank = np.argsort(order, axis=1, kind="stable")
    needed = np.sort(rank[place, home[listed.pairs.b]]) + 1
    least = frame.parameters.dream_probes
    if not len(needed):
        return least
    return max(least, int(needed[math.ceil(frame.parameters.dream_recall * len(needed)) - 1]))


def _lines(frame: Frame, rows: Longs, rest: float) -> Vectors:
    near = frame.vectors[rows] * np.float32(math.sqrt(frame.parameters.weight_cosine))
    return np.concatenate([near, np.float32(rest) * frame.rest_columns[rows]], axis=1) if rest else near


def _centres(frame: Frame, rows: Longs, count: int, rest: float) -> Vectors:
    """Find the cells' centres by a few rounds of spherical k-means over rows taken at equal steps."""
    some = np.unique(np.linspace(0, len(rows) - 1, count * SAMPLE).astype(np.int64))
    sample = _lines(frame, rows[some], rest)
    centres = _unit(sample[np.linspace(0, len(sample) - 1, count).astype(np.int64)])
    for _ in range(ROUNDS):
        home = (sample @ centres.T).argmax(axis=1)
        order = np.argsort(home, kind="stable")
        held, starts = np.unique(home[order], return_index=True)
        centres[held] = _unit(np.add.reduceat(sample[order], starts, axis=0))
    return centres


def _unit(rows: Vectors) -> Vectors:
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return np.asarray(rows / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

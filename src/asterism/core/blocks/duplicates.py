"""Near-duplicates: which new blocks say what is already there, and which older ones they supersede.

Judged in the order (at, id), each new block against what was kept before it, and only where numbers, negations and
names are the same sets. So blocks fall into groups of equal facts, and only pairs within a group are looked at.
BLAS proposes, float64 decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from asterism.core.blocks.batch import MARGIN, Frame
from asterism.core.blocks.candidates import Pairs
from asterism.core.blocks.cells import make_cells, visits
from asterism.core.ledger.columns import Bools, Floats, Longs

SMALL = 8  # groups of so many are looked at all together
ROWS, COLUMNS = 256, 4_096  # multiplied at a time
MANY = 50_000  # more hits than this are judged in smaller portions: what is rejected is not looked at again
FEWEST = 32
PROBES = 4  # near-duplicates are in the same cell or in one of the next

NOBODY: Mapping[int, Set[int]] = MappingProxyType({})

Hits = Callable[[Longs], Iterator[Pairs]]


class Judged(NamedTuple):
    """What became of the blocks: for a duplicate the block it repeats, for a superseded one its successor."""

    kept: Bools
    repeats: dict[int, int]
    successor: dict[int, int]
    exact: bool


def judge(frame: Frame, facts: Longs, order: Longs, *, first: int, apart: Mapping[int, Set[int]] = NOBODY) -> Judged:
    """Judge the rows from `first` on; `order` is the place of each row in (at, id), and new rows stand in that order.

    From .95 a new block is a duplicate of the nearest kept one. From .90 the older of the two is superseded. Rows that
    are `apart`, because they conflict for one, are neither.
    """
    court = _Court(frame, order, apart)
    by_facts = np.lexsort((np.arange(len(frame)), facts))
    starts = np.flatnonzero(np.append(True, np.diff(facts[by_facts]) != 0)) if len(frame) else np.zeros(0, np.int64)
    sizes = np.diff(np.append(starts, len(frame)))
    court.judge(*_small_pairs(by_facts, np.repeat(sizes <= SMALL, sizes), facts, first=first))
    exact = True
    for start, size in zip(starts[sizes > SMALL].tolist(), sizes[sizes > SMALL].tolist(), strict=True):
        members = by_facts[start : start + size]
        new = members[members >= first]
        every = len(new) * size <= frame.parameters.dream_exact_pairs
        exact &= every
        hits = court.all_hits(members) if every else court.cell_hits(members)
        rows = ROWS if every else len(new)
        for place in range(0, len(new), rows):
            court.judge_rows(new[place : place + rows], hits)
    return Judged(court.kept, court.repeats, court.successor, exact)


def _small_pairs(by_facts: Longs, small: Bools, facts: Longs, *, first: int) -> tuple[Longs, Longs]:
    """Give every pair of a new row and an earlier one within the small groups."""
    rows = by_facts[small]
    a, b = [rows[:0]], [rows[:0]]
    for apart in range(1, SMALL):
        later, earlier = rows[apart:], rows[:-apart]
        both = (facts[later] == facts[earlier]) & (later >= first)
        a.append(later[both])
        b.append(earlier[both])
    return np.concatenate(a), np.concatenate(b)


class _Court:
    """Judges new rows, and knows what was kept so far."""

    def __init__(self, frame: Frame, order: Longs, apart: Mapping[int, Set[int]]) -> None:
        self.frame = frame
        self.apart = apart
        self.order = order
        self.least = frame.parameters.supersede_cosine - MARGIN
        self.kept = np.ones(len(frame), dtype=np.bool_)
        self.repeats: dict[int, int] = {}
        self.successor: dict[int, int] = {}

    def all_hits(self, members: Longs) -> Hits:
        """Look at every kept member."""
        return lambda rows: self._near(rows, members[self.kept[members]])

    def cell_hits(self, members: Longs) -> Hits:
        """Look at the kept members in the cells nearest to a row."""
        cells = make_cells(self.frame, members, rest=0.0, probes=PROBES)
        place = np.zeros(len(self.frame), dtype=np.int64)
        place[members] = np.arange(len(members))
        inside = [members[each] for each in cells.members()]

        def hits(rows: Longs) -> Iterator[Pairs]:
            for line, cell in visits(cells.near[place[rows]], cells.number):
                others = inside[cell]
                yield from self._near(rows[line], others[self.kept[others]])

        return hits

    def judge_rows(self, rows: Longs, hits: Hits) -> None:
        """Judge some rows, fewer at a time where there are many hits."""
        found, number = [Pairs(rows[:0], rows[:0])], 0
        for pairs in hits(rows):
            found.append(pairs)
            number += len(pairs.a)
            if number > MANY and len(rows) > FEWEST:
                half = len(rows) // 2
                self.judge_rows(rows[:half], hits)
                self.judge_rows(rows[half:], hits)
                return
        self.judge(*(np.concatenate(ends) for ends in zip(*found, strict=True)))

    def judge(self, a: Longs, b: Longs) -> None:
        """Judge pairs of a new row and an earlier one."""
        cosine = self.frame.cosines(a, b)
        close = np.flatnonzero(cosine >= self.frame.parameters.supersede_cosine)
        close = close[np.argsort(a[close], kind="stable")]
        each, starts = np.unique(a[close], return_index=True)
        ends = np.append(starts, len(close))[1:]
        for new, start, end in zip(each.tolist(), starts.tolist(), ends.tolist(), strict=True):
            mine = close[start:end]
            self._judge_one(new, b[mine], cosine[mine])

    def _near(self, rows: Longs, columns: Longs) -> Iterator[Pairs]:
        """Give the pairs of a row and an earlier column that may be near-duplicates; rows are in ascending order."""
        vectors = self.frame.vectors
        for first in range(0, len(rows), ROWS):
            some = rows[first : first + ROWS]
            earlier = columns[: np.searchsorted(columns, some[-1])]
            mine = vectors[some]
            for start in range(0, len(earlier), COLUMNS):
                others = earlier[start : start + COLUMNS]
                found = np.flatnonzero(mine @ vectors[others].T >= self.least)
                if len(found):
                    row, column = some[found // len(others)], others[found % len(others)]
                    before = column < row
                    yield Pairs(row[before], column[before])

    def _judge_one(self, new: int, others: Longs, cosine: Floats) -> None:
        there = self.kept[others]
        if new in self.apart:
            there = there & ~np.isin(others, [*self.apart[new]])
        others, cosine = others[there], cosine[there]
        if not len(others):
            return
        nearest = np.lexsort((self.order[others], -cosine))
        later = others[nearest][self.order[others[nearest]] > self.order[new]]
        if cosine.max() >= self.frame.parameters.near_duplicate_cosine:
            self.repeats[new] = int(others[nearest[0]])
            self.kept[new] = False
        elif len(later):  # learned before it, told after it: the new one is the older of the two
            self.successor[new] = int(later[0])
            self.kept[new] = False
        else:
            for old in others.tolist():
                self.successor[old] = new
                self.kept[old] = False

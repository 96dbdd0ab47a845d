"""Which candidates become edges: in the order (score, pair of ids), while both ends have room.

Protected links fill a block's room first. The result is the one set of edges in which no pair is left out that both of
its ends would rather have than their weakest edge; so it does not depend on the order in which pairs are found.
Lists of candidates are cut short; where a block ends with less than its list promised, all its pairs are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from asterism.core.blocks.batch import Frame
from asterism.core.blocks.candidates import EveryPair, Pairs, Search
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import DIGITS
from asterism.core.blocks.state import Edges
from asterism.core.columns import Bools, Floats, Longs

PORTION = 4_000  # pairs between two looks at who is full


class Settled(NamedTuple):
    """The edges admitted, and what a pair must score to be worth more to a block than its weakest one."""

    edges: Edges
    bar: Floats


class Admitted(NamedTuple):
    """What admission did: edges made, edges displaced, and all there are now."""

    created: Edges
    displaced: Edges
    settled: Settled


@dataclass(frozen=True)
class Room:
    """How many edges each block may have, and how ties are broken."""

    free: Longs
    rank: Longs  # the place of each block's id among all ids
    threshold: float

    def settle(self, pairs: Edges) -> Settled:
        """Admit pairs, best first, ties by the pair of ids, while both ends have room; no pair is given twice."""
        asked = self._degrees(pairs)
        crowded = (asked > self.free)[pairs.a] | (asked > self.free)[
            pairs.b
        ]  # all other pairs find room whatever comes
        rest = pairs.where(crowded)
        one, other = self.rank[rest.a], self.rank[rest.b]
        best_first = np.rint((1.0 - rest.score) * DIGITS).astype(np.int64)
        order = np.lexsort((np.maximum(one, other), best_first * len(self.rank) + np.minimum(one, other)))
        free = self.free.copy()
        left = free.data  # reads and writes one value faster
        chosen: list[int] = []
        for start in range(0, len(order), PORTION):
            some = order[start : start + PORTION]
            some = some[(free[rest.a[some]] > 0) & (free[rest.b[some]] > 0)]
            for pair, a, b in zip(some.tolist(), rest.a[some].tolist(), rest.b[some].tolist(), strict=True):
                if left[a] and left[b]:
                    left[a] -= 1
                    left[b] -= 1
                    chosen.append(pair)
        edges = pairs.where(~crowded).join(rest.where(np.array(chosen, dtype=np.int64)))
        return Settled(edges, self.bar(edges))

    def bar(self, edges: Edges) -> Floats:
        """Say what a pair must score to be admitted at each block: the threshold, or its weakest edge if it is full."""
        weakest = np.full(len(self.free), np.inf)
        np.minimum.at(weakest, edges.a, edges.score)
        np.minimum.at(weakest, edges.b, edges.score)
        return np.where(self._degrees(edges) < self.free, self.threshold, weakest)

    def _degrees(self, edges: Edges) -> Longs:
        size = len(self.free)
        return np.bincount(edges.a, minlength=size) + np.bincount(edges.b, minlength=size)


def room_for(taken: Longs, rank: Longs, parameters: BlockParameters) -> Room:
    """Give each block the cap less the protected links it has."""
    return Room(np.maximum(parameters.edge_degree_cap - taken, 0), rank, parameters.edge_score_threshold)


def admit(
    search: Search, frame: Frame, room: Room, *, first: int, edges: Edges, lost: Edges, before: Floats, fresh: Bools
) -> Admitted:
    """Settle existing edges and the candidates of the rows from `first` on, and look again where a list was too short.

    `before` is the bar at the start. Candidates are the pairs of which one end is fresh.
    """
    size, most = len(frame), frame.parameters.dream_list
    listed = search.best(first=first, most=most)
    known = _grown(edges, lost, size)
    known = _grown(known, _scored(frame, listed.pairs), size)
    settled = room.settle(known)
    doubtful = settled.bar < before
    doubtful[first:] |= settled.bar[first:] < listed.floor
    while doubtful.any():
        more, cut = _better(search, frame, settled, np.flatnonzero(doubtful), fresh, most=most)
        grown = _grown(known, more, size)
        if len(grown.a) == len(known.a) and not cut.any():
            break
        known, last = grown, settled.bar
        settled = room.settle(known)
        doubtful = (settled.bar < last) | cut
        most *= 2
    was, now = _keys(edges, size), _keys(settled.edges, size)
    return Admitted(
        created=settled.edges.where(~_among(now, was)), displaced=edges.where(~_among(was, now)), settled=settled
    )


def edge_recall(frame: Frame, room: Room, settled: Settled, rows: Longs, fresh: Bools) -> float:
    """Say which share of the edges that these rows should have they do have, by looking at all of their pairs.

    A row should have the best, as many as it has room for, of its edges and the pairs both ends would rather have.
    """
    most = 4 * int(room.free.max(initial=1)) + 8
    better, _ = _better(EveryPair(frame), frame, settled, rows, fresh, most=most)
    edges = settled.edges
    every = _grown(edges, better, len(frame))
    had = wanted = 0
    for row in rows.tolist():
        mine = np.flatnonzero((every.a == row) | (every.b == row))
        best = mine[np.argsort(-every.score[mine], kind="stable")][: int(room.free[row])]
        wanted += len(best)
        had += int((best < len(edges.a)).sum())
    return had / wanted if wanted else 1.0


def _better(
    search: Search, frame: Frame, settled: Settled, rows: Longs, fresh: Bools, *, most: int
) -> tuple[Edges, Bools]:
    """Find the pairs of these rows that both ends would rather have; say which rows may have still more."""
    bar, most = settled.bar, min(most, len(frame))
    listed = search.better(rows, fresh, bar, most=most)
    found = _scored(frame, listed.pairs)
    cut = np.zeros(len(frame), dtype=np.bool_)
    cut[rows[listed.cut]] = most < len(frame)
    return found.where(found.score >= np.maximum(bar[found.a], bar[found.b])), cut


def _scored(frame: Frame, pairs: Pairs) -> Edges:
    """Score each pair once, and keep those that reach the threshold."""
    size = max(len(frame), 1)
    keys = np.sort(np.minimum(*pairs) * size + np.maximum(*pairs))
    a, b = np.divmod(keys[np.diff(keys, prepend=-1) > 0], size)
    score = frame.scores(a, b)
    enough = score >= frame.parameters.edge_score_threshold
    return Edges(a[enough], b[enough], score[enough])


def _keys(edges: Edges, size: int) -> Longs:
    return np.asarray(np.minimum(edges.a, edges.b) * size + np.maximum(edges.a, edges.b), dtype=np.int64)


def _grown(known: Edges, more: Edges, size: int) -> Edges:
    """Put those of `more` that are not known after those that are; `more` has no pair twice."""
    return known.join(more.where(~_among(_keys(more, size), _keys(known, size))))


def _among(keys: Longs, others: Longs) -> Bools:
    """Say which keys are among others."""
    if not len(others):
        return np.zeros(len(keys), dtype=np.bool_)
    ordered = np.sort(others)
    place = np.minimum(np.searchsorted(ordered, keys), len(others) - 1)
    return np.asarray(ordered[place] == keys, dtype=np.bool_)

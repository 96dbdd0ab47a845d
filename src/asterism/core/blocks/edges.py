"""Which candidates become edges: in the order (score, pair of ids), while both ends have room.

Protected links fill a block's room first. The result is the one set of edges in which no pair is left out that both of
its ends would rather have than their weakest edge; so it does not depend on the order in which pairs are found.
Lists of candidates are cut short; where a block ends with less than its list promised, all its pairs are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from asterism.core.blocks.batch import MARGIN, Frame
from asterism.core.blocks.candidates import EveryPair, Listed, Search
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.state import Edges
from asterism.core.ledger.columns import Bools, Floats, Longs, Rows
from asterism.core.ledger.rounding import DIGITS

PORTION = 1_000  # pairs between two looks at who is full


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
        edges = pairs.where(self.choose(pairs))
        return Settled(edges, self.bar(edges))

    def choose(self, pairs: Edges, kept: Bools | None = None) -> Longs:
        """Say which pairs are admitted; what is kept is, and better than all that is new since it was chosen."""
        kept = np.zeros(len(pairs.a), dtype=np.bool_) if kept is None else kept
        free = self.free - self._degrees(pairs.where(kept))
        open_still = np.flatnonzero(~kept & (free[pairs.a] > 0) & (free[pairs.b] > 0))
        rest = pairs.where(open_still)
        crowded = self._degrees(rest) > free
        crowd = np.flatnonzero(crowded[rest.a] | crowded[rest.b])  # all others find room whatever comes
        best = crowd[self._best_first(rest.where(crowd))]
        taken = np.ones(len(open_still), dtype=np.bool_)
        taken[crowd] = False
        taken[best[chosen(rest.a[best], rest.b[best], free)]] = True
        return np.concatenate([np.flatnonzero(kept), open_still[taken]])

    def _best_first(self, pairs: Edges) -> Rows:
        """Order pairs by score, then by the pair of ids."""
        one, other = self.rank[pairs.a], self.rank[pairs.b]
        score = np.rint((1.0 - pairs.score) * DIGITS).astype(np.int64)
        key = score * len(self.rank) + np.minimum(one, other)
        order = np.argsort(key)
        equal = np.flatnonzero(np.diff(key[order]) == 0)
        if len(equal):
            places = np.union1d(equal, equal + 1)
            tied = order[places]
            order[places] = tied[np.lexsort((np.maximum(one, other)[tied], key[tied]))]
        return order

    def bar(self, edges: Edges) -> Floats:
        """Say what a pair must score to be admitted at each block: the threshold, or its weakest edge if it is full."""
        weakest = np.full(len(self.free), np.inf)
        np.minimum.at(weakest, edges.a, edges.score)
        np.minimum.at(weakest, edges.b, edges.score)
        return np.where(self._degrees(edges) < self.free, self.threshold, weakest)

    def _degrees(self, edges: Edges) -> Longs:
        size = len(self.free)
        return np.bincount(edges.a, minlength=size) + np.bincount(edges.b, minlength=size)


def chosen(a: Longs, b: Longs, free: Longs) -> Longs:
    """Say which pairs, best first, are admitted while both ends have room."""
    free = free.copy()
    left = free.data  # reads and writes one value faster
    found: list[int] = []
    for start in range(0, len(a), PORTION):
        some = np.arange(start, min(start + PORTION, len(a)))
        some = some[(free[a[some]] > 0) & (free[b[some]] > 0)]
        for pair, one, other in zip(some.tolist(), a[some].tolist(), b[some].tolist(), strict=True):
            if left[one] and left[other]:
                left[one] -= 1
                left[other] -= 1
                found.append(pair)
    return np.array(found, dtype=np.int64)


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
    known = Rated.sure(_grown(edges, lost, size)).grown(_rated(frame, listed), size)
    settled, known, rows = _settled(frame, room, known, np.zeros(len(known.exact), dtype=np.bool_))
    doubtful = settled.bar < before
    doubtful[first:] |= settled.bar[first:] < listed.floor
    while doubtful.any():
        more, cut = _better(search, frame, settled, np.flatnonzero(doubtful), fresh, most=most)
        grown = known.grown(more, size)
        if len(grown.exact) == len(known.exact) and not cut.any():
            break
        last, kept = settled.bar, _above(grown, rows, slice(len(known.exact), None))
        settled, known, rows = _settled(frame, room, grown, kept)
        doubtful = (settled.bar < last) | cut
        most *= 2
    was, now = _keys(edges, size), _keys(settled.edges, size)
    return Admitted(
        created=settled.edges.where(~_among(now, was)), displaced=edges.where(~_among(was, now)), settled=settled
    )


class Rated(NamedTuple):
    """Pairs and their scores: exact, or else at most a margin off."""

    pairs: Edges
    exact: Bools

    @classmethod
    def sure(cls, pairs: Edges) -> Rated:
        """Take exact scores."""
        return cls(pairs, np.ones(len(pairs.a), dtype=np.bool_))

    def where(self, mask: Bools) -> Rated:
        """Give some of them."""
        return Rated(self.pairs.where(mask), self.exact[mask])

    def grown(self, more: Rated, size: int) -> Rated:
        """Put those of `more` that are not known after those that are; `more` has no pair twice."""
        new = ~_among(_keys(more.pairs, size), _keys(self.pairs, size))
        more = more.where(new)
        return Rated(self.pairs.join(more.pairs), np.concatenate([self.exact, more.exact]))

    def sharpened(self, frame: Frame, mask: Bools) -> Rated:
        """Score some of the pairs exactly."""
        loose = np.flatnonzero(mask & ~self.exact)
        score = self.pairs.score.copy()
        score[loose] = frame.scores(self.pairs.a[loose], self.pairs.b[loose])
        return Rated(self.pairs._replace(score=score), self.exact | mask)


def _settled(frame: Frame, room: Room, known: Rated, kept: Bools) -> tuple[Settled, Rated, Longs]:
    """Settle pairs as if all their scores were exact: those that are admitted, or nearly, are.

    What is admitted is right when no other pair is worth more to both its ends than their weakest edge.
    """
    while True:
        before = known.exact
        rows = room.choose(known.pairs, kept)
        admitted = np.zeros(len(before), dtype=np.bool_)
        admitted[rows] = True
        known = known.sharpened(frame, admitted)
        edges = known.pairs.where(rows)
        settled = Settled(edges, room.bar(edges))
        bar = np.maximum(settled.bar[known.pairs.a], settled.bar[known.pairs.b])
        known = known.sharpened(frame, ~admitted & (known.pairs.score >= bar - MARGIN))
        missed = ~admitted & (known.pairs.score >= bar)
        if not missed.any() or np.array_equal(before, known.exact):  # else equal scores: ids decided
            return settled, known, rows
        kept = _above(known, rows, missed)


def _above(known: Rated, rows: Longs, new: Bools | slice) -> Bools:
    """Say which of the admitted rows no new pair can displace: those that score higher, whatever the margin."""
    kept = np.zeros(len(known.exact), dtype=np.bool_)
    kept[rows] = known.pairs.score[rows] > known.pairs.score[new].max(initial=0.0) + 2 * MARGIN
    return kept


def edge_recall(frame: Frame, room: Room, settled: Settled, rows: Longs, fresh: Bools) -> float:
    """Say which share of the edges that these rows should have they do have, by looking at all of their pairs.

    A row should have the best, as many as it has room for, of its edges and the pairs both ends would rather have.
    """
    most = 4 * int(room.free.max(initial=1)) + 8
    better, _ = _better(EveryPair(frame), frame, settled, rows, fresh, most=most)
    edges = settled.edges
    every = _grown(edges, better.pairs, len(frame))
    had = wanted = 0
    for row in rows.tolist():
        mine = np.flatnonzero((every.a == row) | (every.b == row))
        best = mine[np.argsort(-every.score[mine], kind="stable")][: int(room.free[row])]
        wanted += len(best)
        had += int((best < len(edges.a)).sum())
    return had / wanted if wanted else 1.0


def _better(
    search: Search, frame: Frame, settled: Settled, rows: Longs, fresh: Bools, *, most: int
) -> tuple[Rated, Bools]:
    """Find the pairs of these rows that both ends would rather have; say which rows may have still more."""
    bar, most = settled.bar, min(most, len(frame))
    listed = search.better(rows, fresh, bar, most=most)
    found = _rated(frame, listed)
    cut = np.zeros(len(frame), dtype=np.bool_)
    cut[rows[listed.cut]] = most < len(frame)
    bars = np.maximum(bar[found.pairs.a], bar[found.pairs.b])
    found = found.sharpened(frame, np.abs(found.pairs.score - bars) < MARGIN)
    return found.where(found.pairs.score >= bars), cut


def _rated(frame: Frame, listed: Listed) -> Rated:
    """Score each pair once, nearly, and keep those that reach the threshold, which is found out exactly."""
    bits = len(frame).bit_length()
    keys = np.minimum(*listed.pairs) << bits | np.maximum(*listed.pairs)
    order = np.argsort(keys)
    keys = keys[order]
    once = np.flatnonzero(np.diff(keys, prepend=-1))
    a, b = keys[once] >> bits, keys[once] & ((1 << bits) - 1)
    score, unsure = frame.nearly(a, b, listed.bound[order[once]])
    rated = Rated(Edges(a, b, score), np.zeros(len(a), dtype=np.bool_)).sharpened(frame, unsure)
    return rated.where(rated.pairs.score >= frame.parameters.edge_score_threshold)


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

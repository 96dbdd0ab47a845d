"""One step of a dream: what becomes of a bounded batch of the inbox, as a value.

    near-duplicates -> promote -> edges

It decides and changes nothing: what it gives is what a `dreamed` item says, and the fold does it. Every block promoted
in this dream counts at the dream's hour, on both sides of a pair (D3), so that many steps of one dream give the edges
that one step over the whole inbox gives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from asterism.core.blocks.batch import Frame, nearness
from asterism.core.blocks.candidates import EveryPair, Search
from asterism.core.blocks.cells import NearCells
from asterism.core.blocks.duplicates import judge
from asterism.core.blocks.edges import Admitted, Room, admit, edge_recall, room_for
from asterism.core.blocks.links import Edge, Marked
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.state import UNIT, Active, Edges, Inbox, Protected, Vectors, unit_vectors
from asterism.core.ledger.columns import Bools, Longs, ranks

ROWS = 256  # vectors looked at together
SAMPLE = 200  # new blocks by which the recall of an approximate step is measured


@dataclass(frozen=True)
class Dreamed:
    """What one step decided."""

    hours: float  # the dream's hour
    promoted: tuple[str, ...]
    duplicates: tuple[tuple[str, str], ...]  # (block, the block it repeats)
    superseded: tuple[tuple[str, str], ...]  # (older block, its successor)
    edges_created: tuple[Edge, ...]
    edges_displaced: tuple[Edge, ...]
    exact: bool  # every pair had its chance
    recall: float  # share of the edges that looking at every pair would give; measured on a sample unless exact
    remaining: int  # blocks still in the inbox
    conflicts: tuple[Marked, ...] = ()  # pairs that probably cannot both hold


@dataclass(frozen=True)
class Stage:
    """The blocks of a step after the duplicates are gone: active ones, then promoted ones."""

    frame: Frame
    first: int  # row of the first promoted block
    ids: list[str]
    room: Room
    fresh: Bools


def dream_step(
    state: Active,
    inbox: Inbox,
    vectors: Sequence[ArrayLike] | Vectors,
    *,
    now_hours: float,
    parameters: BlockParameters,
    conflicts: Sequence[Marked] = (),
    apart: Collection[tuple[str, str]] = (),
) -> Dreamed:
    """Consolidate the first blocks of the inbox in the order (at, id); `vectors` are those of the inbox.

    Pairs in conflict, or `apart` for another reason, are neither duplicates nor superseded. The steps of one dream
    share `now_hours`, and mark in `state` what earlier steps promoted and displaced.
    """
    order = np.lexsort((np.array(inbox.ids, dtype=str), inbox.at))[: parameters.dream_batch_blocks]
    ids = [*state.ids, *(inbox.ids[row] for row in order.tolist())]
    rank = ranks(np.argsort(np.array(ids, dtype=str), kind="stable")).astype(np.int64)
    frame = _frame(state, inbox, vectors, order, now_hours, parameters)
    old = len(state.ids)
    at = np.concatenate([state.at, inbox.at[order]])
    place = ranks(np.lexsort((rank, at))).astype(np.int64)
    kept_apart = _apart(ids, [mark[:2] for mark in conflicts], apart)
    judged = judge(frame, np.concatenate([state.facts, inbox.facts[order]]), place, first=old, apart=kept_apart)

    live = np.flatnonzero(judged.kept)
    heirs = {ids[row]: ids[heir] for row, heir in (judged.repeats | judged.successor).items()}
    stage = _stage(state, frame, ids, rank, live, old, heirs)
    admitted, every_pair = _admitted(state, stage, live, old)
    exact = judged.exact and every_pair
    recall = 1.0 if exact else _recall(stage, admitted)
    return Dreamed(
        hours=now_hours,
        promoted=tuple(stage.ids[stage.first :]),
        duplicates=tuple((ids[row], ids[judged.repeats[row]]) for row in sorted(judged.repeats)),
        superseded=tuple((ids[row], ids[judged.successor[row]]) for row in sorted(judged.successor)),
        edges_created=_named(admitted.created, stage),
        edges_displaced=_named(admitted.displaced, stage),
        exact=exact,
        recall=recall,
        remaining=len(inbox.ids) - len(order),
        conflicts=tuple(mark for mark in conflicts if not {*mark[:2]} & heirs.keys()),
    )


def _apart(ids: Sequence[str], *pairs: Iterable[tuple[str, str]]) -> dict[int, set[int]]:
    """Give by row which other rows are not the same, whatever they look like."""
    found = dict[int, set[int]]()
    both = [pair for some in pairs for pair in some]
    row = {name: place for place, name in enumerate(ids)} if both else {}
    for a, b in both:
        if a in row and b in row:
            found.setdefault(row[a], set()).add(row[b])
            found.setdefault(row[b], set()).add(row[a])
    return found


def _frame(
    state: Active,
    inbox: Inbox,
    vectors: Sequence[ArrayLike] | Vectors,
    order: Longs,
    now_hours: float,
    parameters: BlockParameters,
) -> Frame:
    dimension = state.vectors.shape[1] if len(state.ids) else 0
    new = _units(inbox.ids, vectors, dimension)[order]
    time = np.where(state.fresh, 1.0, nearness(state.hours, now_hours, parameters))
    return Frame(
        vectors=np.concatenate([state.vectors, new]) if len(state.ids) else new,
        tags=state.tags.join(inbox.tags.take(order)),
        category=np.concatenate([state.category, inbox.category[order]]),
        time=np.concatenate([time, np.ones(len(order))]),
        parameters=parameters,
    )


def _units(ids: Sequence[str], vectors: Sequence[ArrayLike] | Vectors, dimension: int) -> Vectors:
    """Do as `unit_vectors` does, and leave vectors that surely have length 1 as they are."""
    if isinstance(vectors, np.ndarray) and vectors.dtype == np.float32 and vectors.ndim == 2:
        right = len(vectors) == len(ids) and vectors.shape[1] == (dimension or vectors.shape[1])
        if right and all(_are_units(vectors[start : start + ROWS]) for start in range(0, len(ids), ROWS)):
            return vectors
    return unit_vectors(ids, vectors, dimension=dimension)


def _are_units(vectors: Vectors) -> bool:
    squares = np.square(vectors, dtype=np.float64).sum(axis=1)
    return bool((np.abs(squares - 1.0) < UNIT).all())


def _stage(
    state: Active, frame: Frame, ids: list[str], rank: Longs, live: Longs, old: int, heirs: Mapping[str, str]
) -> Stage:
    """Leave out what was judged to go."""
    first = int(np.searchsorted(live, old))
    if len(live) < len(frame):
        frame = frame.take(live)
        ids = [ids[row] for row in live.tolist()]
        rank = ranks(np.argsort(rank[live])).astype(np.int64)
    fresh = np.ones(len(ids), dtype=np.bool_)
    fresh[:first] = state.fresh[live[:first]]
    return Stage(frame, first, ids, room_for(_taken(state.protected, ids, heirs), rank, frame.parameters), fresh)


def _taken(protected: Sequence[Protected], ids: Sequence[str], heirs: Mapping[str, str]) -> Longs:
    """Count the protected links of each block; those of a block that goes are its heir's."""
    taken = np.zeros(len(ids), dtype=np.int64)
    moved = {(*sorted((_heir(link.a, heirs), _heir(link.b, heirs))), link.kind) for link in protected}
    if moved:
        row = {block: place for place, block in enumerate(ids)}
        for a, b, _ in moved:
            if a != b:
                for end in (a, b):
                    if end in row:
                        taken[row[end]] += 1
    return taken


def _heir(block: str, heirs: Mapping[str, str]) -> str:
    while block in heirs:
        block = heirs[block]
    return block


def _admitted(state: Active, stage: Stage, live: Longs, old: int) -> tuple[Admitted, bool]:
    """Admit edges, and say whether every pair was looked at."""
    frame, first = stage.frame, stage.first
    gone = np.full(old, -1, dtype=np.int64)
    gone[live[:first]] = np.arange(first)
    edges, lost = _moved(state.edges, gone), _moved(state.lost, gone)
    before = np.full(old, frame.parameters.edge_score_threshold)
    if old:
        before = room_for(_taken(state.protected, state.ids, {}), gone, frame.parameters).bar(state.edges)
    new = len(frame) - first
    every = new * len(frame) <= frame.parameters.dream_exact_pairs
    search: Search = EveryPair(frame) if every else NearCells(frame)
    bar = np.concatenate([before[live[:first]], np.full(new, -np.inf)])
    admitted = admit(search, frame, stage.room, first=first, edges=edges, lost=lost, before=bar, fresh=stage.fresh)
    return admitted, search.exact


def _moved(edges: Edges, place: Longs) -> Edges:
    a, b = place[edges.a], place[edges.b]
    both = (a >= 0) & (b >= 0)
    return Edges(a[both], b[both], edges.score[both])


def _recall(stage: Stage, admitted: Admitted) -> float:
    """Measure on new blocks at equal steps."""
    rows = np.unique(np.linspace(stage.first, len(stage.frame) - 1, SAMPLE).astype(np.int64))
    return edge_recall(stage.frame, stage.room, admitted.settled, rows, stage.fresh)


def _named(edges: Edges, stage: Stage) -> tuple[Edge, ...]:
    """Name the ends of edges, and put them in order."""
    one, other = stage.room.rank[edges.a], stage.room.rank[edges.b]
    small = np.where(one < other, edges.a, edges.b)
    large = edges.a + edges.b - small
    order = np.lexsort((np.maximum(one, other), np.minimum(one, other)))
    ids = stage.ids
    a, b = ([ids[row] for row in rows[order].tolist()] for rows in (small, large))
    return tuple(map(Edge._make, zip(a, b, edges.score[order].tolist(), strict=True)))

"""Small worlds of blocks, and a dream written plainly: every pair, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from hypothesis import strategies as st

from asterism.core.blocks.dreaming import Dreamed, dream_step
from asterism.core.blocks.links import Edge
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import category_match, composite, cosine, jaccard, temporal_proximity
from asterism.core.blocks.state import Active, Edges, Inbox, Protected, Tags, unit_vectors
from asterism.core.ledger.rounding import rounded

NOW = 40.0


@dataclass(frozen=True)
class Block:
    id: str
    at: int
    vector: tuple[float, ...]
    tags: frozenset[int] = frozenset()
    category: int = 0
    facts: int = 0
    hours: float = NOW


@dataclass(frozen=True)
class World:
    """Active blocks, an inbox, and the links there are."""

    active: tuple[Block, ...] = ()
    inbox: tuple[Block, ...] = ()
    edges: tuple[Edge, ...] = ()
    protected: tuple[Protected, ...] = ()
    fresh: frozenset[str] = frozenset()
    lost: tuple[Edge, ...] = ()
    dimension: int = 3
    done: list[Dreamed] = field(default_factory=list)


def state_of(world: World) -> Active:
    row = {block.id: place for place, block in enumerate(world.active)}
    return replace(
        Active.none(world.dimension),
        ids=[block.id for block in world.active],
        at=np.array([block.at for block in world.active], dtype=np.int64),
        tags=Tags.of([block.tags for block in world.active]),
        category=np.array([block.category for block in world.active], dtype=np.int32),
        facts=np.array([block.facts for block in world.active], dtype=np.int64),
        hours=np.array([block.hours for block in world.active], dtype=np.float64),
        vectors=vectors_of(world.active, world.dimension),
        fresh=np.array([block.id in world.fresh for block in world.active], dtype=np.bool_),
        edges=Edges.of([(row[edge.a], row[edge.b], edge.score) for edge in world.edges]),
        lost=Edges.of([(row[edge.a], row[edge.b], edge.score) for edge in world.lost]),
        protected=world.protected,
    )


def inbox_of(blocks: Sequence[Block]) -> Inbox:
    return Inbox(
        ids=[block.id for block in blocks],
        at=np.array([block.at for block in blocks], dtype=np.int64),
        tags=Tags.of([block.tags for block in blocks]),
        category=np.array([block.category for block in blocks], dtype=np.int32),
        facts=np.array([block.facts for block in blocks], dtype=np.int64),
    )


def vectors_of(blocks: Sequence[Block], dimension: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return unit_vectors(
        [block.id for block in blocks], [block.vector for block in blocks], dimension=dimension
    ).reshape(len(blocks), dimension)


def step(world: World, parameters: BlockParameters) -> Dreamed:
    return dream_step(
        state_of(world),
        inbox_of(world.inbox),
        vectors_of(world.inbox, world.dimension),
        now_hours=NOW,
        parameters=parameters,
    )


def between(a: str, b: str, kind: str) -> Protected:
    return Protected(min(a, b), max(a, b), kind)


def after(world: World, dreamed: Dreamed) -> World:
    """Do what a step decided, as the fold does."""
    heirs = dict(dreamed.duplicates) | dict(dreamed.superseded)

    def heir(name: str) -> str:
        return heir(heirs[name]) if name in heirs else name

    promoted = [replace(block, hours=NOW) for block in world.inbox if block.id in dreamed.promoted]
    active = tuple(block for block in world.active if block.id not in heirs) + tuple(promoted)
    alive = {block.id for block in active}
    displaced = set(dreamed.edges_displaced)
    edges = [edge for edge in world.edges if edge not in displaced and {edge.a, edge.b} <= alive]
    moved = {between(heir(link.a), heir(link.b), link.kind) for link in world.protected}
    created = {edge[:2] for edge in dreamed.edges_created}
    lost = [edge for edge in (*world.lost, *dreamed.edges_displaced) if {edge.a, edge.b} <= alive]
    return World(
        active=active,
        inbox=tuple(block for block in world.inbox if block.id not in heirs and block.id not in dreamed.promoted),
        edges=(*edges, *dreamed.edges_created),
        protected=tuple(sorted(link for link in moved if link.a != link.b)),
        fresh=world.fresh | set(dreamed.promoted),
        lost=tuple(edge for edge in lost if edge[:2] not in created),
        dimension=world.dimension,
        done=[*world.done, dreamed],
    )


def dream(world: World, parameters: BlockParameters) -> World:
    """Step until nothing is left in the inbox."""
    world = after(world, step(world, parameters))
    while world.inbox:
        world = after(world, step(world, parameters))
    return world


# --- plainly -----------------------------------------------------------------------------------------------------


def plain_score(a: Block, b: Block, parameters: BlockParameters, *, fresh: set[str]) -> float:
    one, other = (unit_vectors([each.id], [each.vector])[0].astype(float).tolist() for each in (a, b))
    hours = [NOW if each.id in fresh else each.hours for each in (a, b)]
    return composite(
        cosine=cosine(one, other),
        tags=jaccard(a.tags, b.tags),
        category=category_match(str(a.category), str(b.category), cross_category_score=parameters.cross_category_score),
        time=temporal_proximity(hours[0], hours[1], sigma=parameters.temporal_sigma_hours),
        parameters=parameters,
    )


def plain_dream(world: World, parameters: BlockParameters) -> World:
    kept = {block.id: block for block in world.active}
    heirs: dict[str, str] = {}
    for new in sorted(world.inbox, key=lambda block: (block.at, block.id)):
        near = []
        for other in kept.values():
            one, two = (unit_vectors([each.id], [each.vector])[0].astype(float).tolist() for each in (new, other))
            near.append((rounded(min(max(cosine(one, two), 0.0), 1.0)), other))
        close = [each for each in near if each[0] >= parameters.supersede_cosine and each[1].facts == new.facts]
        close.sort(key=lambda each: (-each[0], each[1].at, each[1].id))
        later = [other for _, other in close if (other.at, other.id) > (new.at, new.id)]
        if close and close[0][0] >= parameters.near_duplicate_cosine:
            heirs[new.id] = close[0][1].id
        elif later:
            heirs[new.id] = later[0].id
        else:
            for _, other in close:
                heirs[other.id] = new.id
                del kept[other.id]
            kept[new.id] = new

    def heir(name: str) -> str:
        return heir(heirs[name]) if name in heirs else name

    protected = {(*sorted((heir(link.a), heir(link.b))), link.kind) for link in world.protected}
    free = dict.fromkeys(kept, parameters.edge_degree_cap)
    for a, b, _ in protected:
        for end in (a, b):
            if a != b and end in free:
                free[end] = max(0, free[end] - 1)
    old = {block.id for block in world.active}
    fresh = set(kept) - old
    pairs = [edge for edge in world.edges if edge.a in kept and edge.b in kept]
    for a in kept:
        for b in kept:
            if a < b and (a in fresh or b in fresh):
                score = plain_score(kept[a], kept[b], parameters, fresh=fresh)
                pairs += [Edge(a, b, score)] if score >= parameters.edge_score_threshold else []
    chosen = []
    for edge in sorted(pairs, key=lambda edge: (-edge.score, edge.a, edge.b)):
        if free[edge.a] and free[edge.b]:
            free[edge.a] -= 1
            free[edge.b] -= 1
            chosen.append(edge)
    return replace(world, active=tuple(kept.values()), inbox=(), edges=tuple(chosen))


# --- random ones -------------------------------------------------------------------------------------------------

NUMBERS = st.integers(-2, 3).map(float)


@st.composite
def parameters(draw: st.DrawFn) -> BlockParameters:
    return BlockParameters.build(
        draw(st.sampled_from(["seed", "tight"])),
        {
            "edge_degree_cap": draw(st.integers(0, 3)),
            "dream_list": draw(st.integers(1, 4)),
            "dream_batch_blocks": 1_000,
            "supersede_cosine": draw(st.sampled_from([0.9, 0.98])),
            "near_duplicate_cosine": draw(st.sampled_from([0.98, 1.0])),
        },
    )


@st.composite
def worlds(draw: st.DrawFn, most: int = 14) -> World:
    def block(name: str) -> Block:
        return Block(
            id=name,
            at=draw(st.integers(0, 5)),
            vector=draw(st.tuples(NUMBERS, NUMBERS, NUMBERS)),
            tags=draw(st.frozensets(st.integers(0, 3), max_size=3)),
            category=draw(st.integers(0, 1)),
            facts=draw(st.integers(0, 3)),
            hours=draw(st.sampled_from([0.0, 24.0, 39.0, NOW])),
        )

    names = draw(st.permutations([f"{number:02d}" for number in range(draw(st.integers(0, most)))]))
    cut = draw(st.integers(0, len(names)))
    active, inbox = tuple(map(block, names[:cut])), tuple(map(block, names[cut:]))
    pairs = [(a, b) for a in sorted(names[:cut]) for b in sorted(names[:cut]) if a < b]
    scores = st.sampled_from([0.4, 0.5, 0.6, 0.7, 0.8])
    edges: list[Edge] = []
    free = dict.fromkeys(names, 1)  # within every cap but 0
    for a, b in draw(st.lists(st.sampled_from(pairs), unique=True, max_size=6)) if pairs else []:
        if free[a] and free[b]:
            free[a], free[b] = 0, 0
            edges.append(Edge(a, b, draw(scores)))
    ends = st.sampled_from([*names, "star"])
    links = draw(st.lists(st.tuples(ends, ends, st.sampled_from(["outcome", "user"])), max_size=5))
    protected = {between(a, b, kind) for a, b, kind in links if a != b}
    return World(active, inbox, tuple(edges), tuple(sorted(protected)))

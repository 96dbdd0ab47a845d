"""Large dreams: cells find what looking at every pair finds, in bounded portions, and say so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from asterism.core.blocks.batch import Frame
from asterism.core.blocks.cells import NearCells, make_cells
from asterism.core.blocks.dreaming import Dreamed, dream_step
from asterism.core.blocks.edges import edge_recall, room_for
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import jaccard
from asterism.core.blocks.state import Active, Edges, Inbox, Tags, Vectors, unit_vectors

CELLS = BlockParameters.build("seed", {"dream_exact_pairs": 0, "dream_batch_blocks": 1_000_000})
EVERY = replace(CELLS, dream_exact_pairs=10**15)


def learned(size: int, *, dimension: int = 16, facts: int = 1, seed: int = 0) -> tuple[Inbox, Vectors]:
    """Blocks about topics, with rare and frequent tags."""
    chance = np.random.default_rng(seed)
    topic = chance.integers(0, size // 20, size)
    vectors = chance.normal(size=(size // 20, dimension))[topic] + 0.7 * chance.normal(size=(size, dimension))
    tags = [
        {int(each) % 7, 100 + int(other)}
        for each, other in zip(topic, chance.integers(0, size // 4, size), strict=True)
    ]
    ids = [f"{name:016x}" for name in chance.permutation(size)]
    inbox = Inbox(
        ids,
        np.arange(size, dtype=np.int64),
        Tags.of(tags),
        chance.integers(0, 3, size).astype(np.int32),
        chance.integers(0, facts, size),
    )
    return inbox, unit_vectors(ids, vectors.astype(np.float32))


def dream(inbox: Inbox, vectors: Vectors, rules: BlockParameters) -> Dreamed:
    return dream_step(Active.none(), inbox, vectors, now_hours=0.0, parameters=rules)


def links(dreamed: Dreamed) -> set[tuple[str, str]]:
    return {edge[:2] for edge in dreamed.edges_created}


@pytest.mark.parametrize("facts", [1, 100])
def test_cells_find_nearly_every_edge_and_the_recall_is_told(facts: int) -> None:
    inbox, vectors = learned(800, facts=facts)
    near, every = dream(inbox, vectors, CELLS), dream(inbox, vectors, EVERY)
    assert (near.exact, every.exact, every.recall) == (False, True, 1.0)
    assert near.promoted == every.promoted
    recall = len(links(near) & links(every)) / len(links(every))
    assert recall > 0.9
    assert near.recall == pytest.approx(recall, abs=0.08)


def test_cells_serve_a_dream_into_a_memory() -> None:
    inbox, vectors = learned(800, facts=5_000)
    first = np.arange(700)
    old = Inbox(inbox.ids[:700], inbox.at[:700], inbox.tags.take(first), inbox.category[:700], inbox.facts[:700])
    done = dream(old, vectors[:700], EVERY)
    row = {name: place for place, name in enumerate(inbox.ids)}
    kept = np.array(sorted(row[name] for name in done.promoted))
    place = {inbox.ids[number]: number_kept for number_kept, number in enumerate(kept.tolist())}
    state = replace(
        Active.none(16),
        ids=[inbox.ids[number] for number in kept.tolist()],
        at=inbox.at[kept],
        tags=inbox.tags.take(kept),
        category=inbox.category[kept],
        facts=inbox.facts[kept],
        hours=np.zeros(len(kept)),
        vectors=vectors[kept],
        fresh=np.zeros(len(kept), dtype=np.bool_),
        edges=Edges.of([(place[a], place[b], score) for a, b, score in done.edges_created]),
    )
    last = np.arange(700, 800)
    new = Inbox(inbox.ids[700:], inbox.at[700:], inbox.tags.take(last), inbox.category[700:], inbox.facts[700:])
    near, every = (dream_step(state, new, vectors[700:], now_hours=1.0, parameters=rules) for rules in (CELLS, EVERY))
    assert len(links(near) & links(every)) / len(links(every)) > 0.9
    assert every.edges_displaced


def test_every_pair_of_many_blocks_in_several_portions() -> None:
    inbox, vectors = learned(3_200, dimension=4, facts=10_000)
    once = dream(inbox, vectors, EVERY)
    short = dream(inbox, vectors, replace(EVERY, dream_list=3))
    assert once == short


@pytest.mark.parametrize("rules", [CELLS, EVERY])
def test_hundreds_of_duplicates_of_one_text_leave_one_block(rules: BlockParameters) -> None:
    size = 700
    inbox, _ = learned(size)
    vectors = unit_vectors(inbox.ids, np.ones((size, 8), dtype=np.float32))
    dreamed = dream(inbox, vectors, rules)
    assert dreamed.promoted == (inbox.ids[0],)
    assert {of for _, of in dreamed.duplicates} == {inbox.ids[0]}
    assert not dreamed.edges_created


def test_an_empty_dream_does_nothing() -> None:
    inbox, vectors = learned(20)
    none = Inbox([], inbox.at[:0], Tags.of([]), inbox.category[:0], inbox.facts[:0])
    dreamed = dream(none, vectors[:0], EVERY)
    assert dreamed == Dreamed(0.0, (), (), (), (), (), exact=True, recall=1.0, remaining=0)


def test_recall_is_whole_where_there_is_nothing_to_have() -> None:
    frame = Frame(
        unit_vectors(["a", "b"], [[1.0, 0.0], [0.0, 1.0]]), Tags.of([[], []]), np.zeros(2, np.int32), np.ones(2), CELLS
    )
    room = room_for(np.zeros(2, dtype=np.int64), np.arange(2), CELLS)
    settled = room.settle(Edges.of())
    assert edge_recall(frame, room, settled, np.arange(2), np.ones(2, dtype=np.bool_)) == 1.0


def test_a_cell_without_members_is_not_visited() -> None:
    inbox, vectors = learned(60)
    frame = Frame(vectors, inbox.tags, inbox.category, np.ones(60), CELLS)
    search = NearCells(frame)
    search.members[0] = search.members[0][:0]
    near = np.array([[0, 1], [1, 0]])
    assert [(lines.tolist(), len(members) > 0) for lines, members in search._visits(near)] == [([0, 1], True)]


def test_vectors_of_any_length_and_kind_dream_alike() -> None:
    inbox, vectors = learned(120)
    longer = dream(inbox, (vectors * np.float32(3.0)).astype(np.float32), EVERY)
    assert (
        links(longer) == links(dream(inbox, vectors.astype(np.float64), EVERY)) == links(dream(inbox, vectors, EVERY))
    )


@pytest.mark.parametrize("tags", [3, 1_000])
def test_tags_beyond_the_frequent_ones_are_compared_too(tags: int) -> None:
    chance = np.random.default_rng(tags)
    held = [set(chance.integers(0, tags, 4).tolist()) for _ in range(400)]
    frame = Frame(np.zeros((400, 2), np.float32), Tags.of(held), np.zeros(400, np.int32), np.ones(400), CELLS)
    a, b = chance.integers(0, 400, (2, 3_000))
    plain = [jaccard(held[one], held[other]) for one, other in zip(a.tolist(), b.tolist(), strict=True)]
    assert frame.jaccards(a, b).tolist() == plain


def test_every_row_is_near_to_its_own_cell_first_and_to_no_cell_twice() -> None:
    inbox, vectors = learned(400)
    frame = Frame(vectors, inbox.tags, inbox.category, np.ones(400), CELLS)
    cells = make_cells(frame, np.arange(400), rest=0.5, probes=6)
    assert (cells.near[:, 0] == cells.home).all()
    assert all(len(set(line)) == 6 for line in cells.near.tolist())
    assert sorted(np.concatenate(cells.members()).tolist()) == list(range(400))

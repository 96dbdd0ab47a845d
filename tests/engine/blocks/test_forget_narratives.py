"""Forgetting narratives of a memory: not found any more, not made again, and back when restored."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from asterism import Memory
from asterism.core.ledger.model import Node
from asterism.engine.blocks.forget import forget_all, forgotten
from asterism.errors import InputError, UnknownError
from tests.support.exploring import AIM, QUERY, filled, left_behind
from tests.support.memories import NOON, remembering
from tests.support.stores import STORES, Place, place_of, store_of


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def kinds(place: Place) -> list[str]:
    return [stored.item.what for stored in store_of(place, read_only=True).items("me")]


def test_a_forgotten_narrative_is_found_by_nothing_until_it_is_restored(place: Place) -> None:
    with filled(place) as memory:
        made = memory.explore(QUERY, intention=AIM).narratives[0].id
        assert made in [hit.id for hit in memory.recall(AIM).hits]
        links = [link.id for link in memory.links(made)]
        assert links
        gone = memory.forget(made)
        assert isinstance(gone, Node)
        assert (gone.id, gone.kind, gone.state) == (made, "narrative", "forgotten")
        assert made not in [hit.id for hit in memory.recall(AIM, k=50).hits]
        again = memory.explore(QUERY, intention=AIM, learn=False)
        assert made not in {each.id for each in again.found}
        assert made not in {step.node for step in again.trace}
        assert not {link.id for link in memory.links()} & set(links)
        back = memory.restore(made)
        assert (back.id, back.state) == (made, "")
        assert made in [hit.id for hit in memory.recall(AIM).hits]
        assert [link.id for link in memory.links(made)] == links
        assert memory.verify().ok


def test_a_forgotten_narrative_that_is_erased_is_among_the_nodes_that_go(place: Place) -> None:
    with filled(place) as memory:
        made = [each.id for each in memory.explore(QUERY, intention=AIM).narratives]  # which go together
        memory.forget(made[0])
        assert memory.what_if(without=f"node:{made[0]}").nodes_gone == len(made)
        assert memory.erase(f"node:{made[0]}").nodes == tuple(sorted(made))


def test_a_walk_does_not_make_it_again(place: Place) -> None:
    with filled(place) as memory:
        first = memory.explore(QUERY, intention=AIM, start="dry/0", learn=False)
        learnt = memory.explore(QUERY, intention=AIM, start="dry/0")
        assert [each.id for each in first.narratives] == [each.id for each in learnt.narratives]
        for each in learnt.narratives:
            memory.forget(each.id)
        again = memory.explore(QUERY, intention=AIM, start="dry/0")
        assert not {each.id for each in again.narratives} & {each.id for each in learnt.narratives}


def test_it_is_said_once_and_stays_so_in_the_next_process(place: Place) -> None:
    with filled(place) as memory:
        made = memory.explore(QUERY, intention=AIM).narratives[0].id
        memory.forget(made, source="me")
        memory.forget(made)
        assert kinds(place).count("narrative_forgotten") == 1
    with remembering(place) as memory:
        assert made not in [hit.id for hit in memory.recall(AIM, k=50).hits]
        memory.restore(made)
        memory.restore(made)
        assert kinds(place).count("narrative_restored") == 1
        with pytest.raises(UnknownError):
            memory.forget("narrative-0000000000000000")


def test_told_of_an_earlier_time_it_was_never_seen_after_it(place: Place) -> None:
    with filled(place) as memory:
        found = memory.explore(QUERY, intention=AIM)
        made, other = found.narratives[0].id, memory.blocks()[0].id
        memory.forget(made, at="2026-01-01")
        assert made not in [hit.id for hit in memory.recall(AIM, k=50).hits]
        assert memory.forget(other).state == "forgotten"  # blocks go as they did
        assert memory.restore(other).state == "inbox"
        assert memory.verify().ok


@pytest.mark.parametrize("place", [":memory:", "memory.db"])
def test_blocks_and_narratives_are_put_away_and_brought_back_together(place: str, tmp_path: Path) -> None:
    async def run() -> None:
        path = place if place == ":memory:" else tmp_path / place
        async with Memory.open(path, space="me", clock=NOON, embedder="hashed") as memory:
            narrative, blocks = await left_behind(memory)
            before = (await memory.stats()).items
            with pytest.raises(UnknownError):
                await forget_all(memory, [narrative, blocks[0], "nope"])
            with pytest.raises(InputError, match="was not forgotten"):
                await forget_all(memory, [narrative, blocks[0]], back=True)
            assert (await memory.stats()).items == before
            gone = await forget_all(memory, [blocks[0], narrative, blocks[1], blocks[0]], source="ann")
            assert [each.id for each in gone] == [blocks[0], narrative, blocks[1]]
            assert {each.id for each in await forgotten(memory)} == {blocks[0], narrative, blocks[1]}
            assert not {each.id for each in await memory.nodes()} & {narrative, *blocks[:2]}
            again = await forget_all(memory, [narrative])  # it is so already
            assert [each.id for each in again] == [narrative]
            after = (await memory.stats()).items
            assert (after["forgotten"], after["narrative_forgotten"]) == (2, 1)
            await forget_all(memory, [narrative, blocks[1], blocks[0]], back=True)
            assert await forgotten(memory) == []
            assert await memory.links(narrative)
            assert (await memory.verify()).ok

    asyncio.run(run())

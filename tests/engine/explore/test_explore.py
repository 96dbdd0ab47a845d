"""Exploring a memory: the same every time and everywhere, in time, one item at the end or nothing; what it leaves."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from asterism.core.dialogue.lines import Line
from asterism.core.walkers.result import Exploration
from asterism.engine.explore.run import ExplorationTimeout
from asterism.engine.memory import Memory
from asterism.errors import AsterismError, InputError, UnknownError
from tests.support.exploring import AIM, QUERY, Ticking, copied, explored, filled, timed
from tests.support.memories import DAY, NOON, HandClock, erase_items, is_told_well, remembering
from tests.support.stores import STORES, Place, place_of, store_of


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def said(found: Exploration) -> dict[str, object]:
    told = {name: value for name, value in found.to_dict().items() if name != "took_ms"}
    return told | {"effects": dict(found.effects)}


# Writing


def test_without_learning_nothing_is_written(place: Place) -> None:
    with filled(place) as memory:
        memory.recall("water")
        store = store_of(place, read_only=True)
        before, version = store.items("me"), store.version("me")
        data = place.read_bytes() if isinstance(place, Path) else b""
        first = memory.explore(QUERY, intention=AIM, learn=False)
        assert first.found
        assert said(memory.explore(QUERY, intention=AIM, learn=False)) == said(first)
        assert (store.items("me"), store.version("me")) == (before, version)
        if isinstance(place, Path):
            assert place.read_bytes() == data
    if isinstance(place, Path):
        with remembering(place, read_only=True) as memory:
            assert said(memory.explore(QUERY, intention=AIM, learn=False)) == said(first)
            with pytest.raises(AsterismError, match="reading only"):
                memory.explore(QUERY, intention=AIM)


def test_learning_writes_one_item_and_a_replay_says_the_same(place: Place) -> None:
    with filled(place) as memory:
        found = memory.explore(QUERY, intention=AIM)
        assert explored(place) == 1
        assert found.narratives
        verified = memory.verify()
        assert verified.ok
        narrative = found.narratives[0]
        hits = memory.recall(AIM, kinds=["narrative"]).hits
        assert {hit.id for hit in hits} == {each.id for each in found.narratives}
        assert memory.recall(narrative.content, k=1).hits[0].kind == "narrative"
        assert memory.entries(narrative.id)[narrative.id].text == narrative.content
        ties = [link for link in memory.links(narrative.id) if link.kind == "walk"]
        assert {end for tie in narrative.ties for end in (tie.a, tie.b)} == {narrative.id, *(link.b for link in ties)}
        assert all((link.family, link.origin) == ("structural", "exploration") for link in ties)
        again = said(memory.explore(QUERY, intention=AIM, learn=False))
    if isinstance(place, Path):
        with remembering(place) as memory:
            assert memory.verify().digest == verified.digest
            assert said(memory.explore(QUERY, intention=AIM, learn=False)) == again


def test_the_second_time_it_names_the_narrative_there_is(place: Place) -> None:
    with remembering(place) as memory:
        for number in range(4):
            memory.add_star(f"Garden {number}", domain="health", at=NOON - DAY)
        for number in range(3):
            memory.observe(f"Garden {number}", f"Garden {number + 1}", "user_creates", at=NOON - DAY)
        first = memory.explore("garden", intention=AIM, start="Garden 0")
        assert first.crystallized is not None
        second = memory.explore("garden", intention=AIM, start="Garden 0")
        assert second.crystallized is None
        assert first.crystallized in str(second.declined_because)
        assert first.crystallized in {each.id for each in second.found}
        assert explored(place) == 2  # it still left energy and colours
        third = said(memory.explore("garden", intention=AIM, start="Garden 0", learn=False))
        copy = copied(place)
    with remembering(copy) as cold:  # nodes and links are not built again for these; there they are
        assert said(cold.explore("garden", intention=AIM, start="Garden 0", learn=False)) == third


def test_colours_change_later_walks_the_same_way_in_every_process(place: Place) -> None:
    with filled(place) as memory:
        before = memory.explore(QUERY, learn=False)
        memory.explore(QUERY, intention=AIM)
        after = memory.explore(QUERY, learn=False)
        assert said(after) != said(before)
        memory.explore("river in Lisbon", intention="see the museum")
        warm = [said(memory.explore(query, learn=False)) for query in (QUERY, "museum", "bucket")]
        copy = copied(place)
    with remembering(copy) as cold:
        assert [said(cold.explore(query, learn=False)) for query in (QUERY, "museum", "bucket")] == warm


def test_late_explorations_are_folded_in_their_place(place: Place, tmp_path: Path) -> None:
    clock = HandClock(NOON + DAY)
    with filled(place, clock=clock) as memory:
        memory.explore(QUERY, intention=AIM)
        with filled(tmp_path / "early.db") as early:
            found = early.explore("river in Lisbon", intention="see the museum")
        memory.merge(tmp_path / "early.db")
        assert explored(place) == 2
        assert memory.verify().ok
        assert {each.id for each in found.narratives} <= {
            hit.id for hit in memory.recall("see the museum", kinds=["narrative"], k=50).hits
        }
        then = memory.as_of(NOON + timedelta(hours=1))
        assert {hit.id for hit in then.recall("garden", kinds=["narrative"], k=50).hits} == {
            each.id for each in found.narratives
        }
        assert memory.as_of(NOON - timedelta(hours=1)).recall("garden", kinds=["narrative"]).hits == ()
        assert memory.as_of(NOON - timedelta(hours=1)).links(found.narratives[0].id) == []


def test_merged_in_either_order_it_is_the_same(tmp_path: Path) -> None:
    paths = [tmp_path / "a.db", tmp_path / "b.db"]
    for path, query, now in zip(paths, (QUERY, "river in Lisbon"), (NOON, NOON + DAY), strict=True):
        with filled(path, clock=now) as memory:
            memory.explore(query, intention=AIM)
            memory.explore("bucket", intention=AIM)
    told = []
    for name, order in (("ab.db", paths), ("ba.db", paths[::-1])):
        with remembering(tmp_path / name, clock=NOON + DAY) as memory:
            for path in order:
                memory.merge(path)
            verified = memory.verify()
            assert verified.ok
            told.append((verified.digest, said(memory.explore(QUERY, learn=False))))
    assert told[0] == told[1]


def test_what_is_erased_was_never_walked(place: Place) -> None:
    with filled(place) as memory:
        before = said(memory.explore(QUERY, intention=AIM, learn=False))
        found = memory.explore(QUERY, intention=AIM)
        store = store_of(place)
        item = next(stored.item for stored in store.items("me") if stored.item.what == "explored")
        erase_items(store, [item.id], at=item.at + 1)
        assert memory.recall(AIM, kinds=["narrative"]).hits == ()
        assert memory.links(found.narratives[0].id) == []
        assert memory.verify().ok
        assert said(memory.explore(QUERY, intention=AIM, learn=False)) == before


def test_other_parameters_make_another_graph(place: Place) -> None:
    with filled(place) as memory:
        before = said(memory.explore(QUERY, learn=False))
        memory.configure(parameters={"link_permanence": 0.9})
        assert said(memory.explore(QUERY, learn=False)) != before


def test_the_lines_of_a_transcript_are_found(place: Place) -> None:
    said_so = [("Ann", "I look for water in the garden."), ("DM", "The well in the garden holds no water.")]
    said_so += [
        ("Ann", "I carry water from the river to the garden."),
        ("DM", "The plants of the garden drink the water."),
    ]
    with remembering(place) as memory:
        lines = [Line(number, *each) for number, each in enumerate(said_so)]
        memory.read_transcript(lines, session="Dry", started_at=NOON - DAY)
        found = memory.explore("water in the garden", start="dry/0", learn=False)
        assert {each.id for each in found.found if each.kind == "thing"} >= {"dry/2", "dry/3"}
        assert found.health.backtracks == 0  # not back by the cause of what it came by the order of
        found = memory.explore("water in the garden", start="dry/1", learn=False)
        first = [next(step.node for step in found.trace if step.walker == each) for each in ("0.0", "0.1")]
        assert first[0] != first[1]  # order and cause lead to the same line, and send one walker there


# Starting


def test_where_it_starts(place: Place) -> None:
    with filled(place) as memory:
        for start in ("river", "River", "dry/0", "ann", "Ann", memory.blocks()[0].id):
            assert memory.explore(QUERY, start=start, learn=False).trace
        assert memory.explore(QUERY, start="Ann", learn=False).trace[0].node == "ann"
        assert memory.explore(QUERY, start="ann", learn=False).walkers > 1  # from an actor to what they said
        best = memory.recall(QUERY, k=1).hits[0].id
        assert memory.explore(QUERY, learn=False).trace[0].node == best
        assert memory.explore("日本", learn=False).steps > 0
        with pytest.raises(UnknownError) as caught:
            memory.explore(QUERY, start="Rivver")
        assert (caught.value.code, "river" in str(caught.value.hint)) == ("unknown_node", True)
        assert explored(place) == 0


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("bad_text", {"query": " "}),
        ("bad_text", {"query": 7}),
        ("bad_text", {"intention": ""}),
        ("bad_text", {"start": ""}),
        ("bad_deadline", {"deadline": -1}),
        ("bad_deadline", {"deadline": float("nan")}),
        ("bad_concurrency", {"concurrency": 0}),
        ("empty_space", {"query": QUERY}),
    ],
)
def test_what_cannot_be_explored_is_refused(place: Place, code: str, how: dict[str, object]) -> None:
    with remembering(place) as memory, pytest.raises(InputError) as caught:
        memory.explore(**{"query": QUERY, **how})
    assert caught.value.code == code
    assert is_told_well(caught.value)


# Async, many at once, out of time


def test_the_same_at_any_concurrency_and_from_either_face(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with filled(path) as memory:
        here = said(memory.explore(QUERY, intention=AIM, learn=False))

    async def scenario() -> None:
        async with Memory.open(path, space="me", clock=NOON, embedder="hashed") as memory:
            for concurrency in (1, 64):
                found = await memory.explore(QUERY, intention=AIM, learn=False, concurrency=concurrency)
                assert said(found) == here
            several = [memory.explore(QUERY, intention=AIM, learn=False) for _ in range(3)]
            assert [said(each) for each in await asyncio.gather(*several)] == [here] * 3
            both = await asyncio.gather(memory.explore(QUERY, intention=AIM), memory.explore(QUERY, intention=AIM))
            assert [said(each) for each in both] == [here] * 2
            assert explored(path) == 2
            assert (await memory.verify()).ok

    asyncio.run(scenario())


def test_a_cancelled_exploration_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with filled(path):
        pass

    async def scenario() -> None:
        async with Memory.open(path, space="me", clock=NOON, embedder="hashed") as memory:
            await memory.explore(QUERY, intention=AIM, learn=False)  # what is got ready once
            memory._timer = counting = Ticking()
            await memory.explore(QUERY, intention=AIM, learn=False, deadline=86_400)
            loop = asyncio.get_running_loop()
            for looks in (1, 2, 6, counting.looks // 2, counting.looks - 5):  # getting ready, and walking
                task = asyncio.create_task(memory.explore(QUERY, intention=AIM, deadline=86_400))
                memory._timer = Ticking(then=partial(loop.call_soon_threadsafe, task.cancel), at=looks)
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert explored(path) == 0
            memory._timer = Ticking()
            assert (await memory.explore(QUERY, intention=AIM, deadline=86_400)).found
            assert explored(path) == 1

    asyncio.run(scenario())


def test_out_of_time_it_says_what_it_found_and_writes_nothing(place: Place) -> None:
    with filled(place) as memory:
        memory.explore(QUERY, intention=AIM, learn=False)  # what is got ready once
        timed(memory, whole := Ticking())
        found = memory.explore(QUERY, intention=AIM, deadline=86_400, learn=False)
        assert found.took_ms == 1e3 * (whole.looks - 1)  # all that the call did
        part, steps, got_ready = found, [], 0
        for seconds in range(whole.looks - 1):
            timed(memory, Ticking())
            with pytest.raises(ExplorationTimeout) as caught:
                memory.explore(QUERY, intention=AIM, deadline=seconds)
            part = caught.value.exploration
            assert (part.stop, part.effects, part.took_ms > 1e3 * seconds) == ("deadline", {}, True)
            assert {each.id for each in part.found} <= {each.id for each in found.found}
            assert f"after {seconds} seconds" in str(caught.value)
            assert ("still being got ready" in str(caught.value)) == (not part.steps)
            assert is_told_well(caught.value)
            steps.append(part.steps)
            got_ready += not part.steps
        assert steps == sorted(steps)
        assert 5 < got_ready < len(steps)
        assert (steps[-1], len(part.found)) == (found.steps, len(found.found))  # there was no time to write it
        assert explored(place) == 0
        timed(memory, Ticking())
        assert memory.explore(QUERY, intention=AIM, deadline=whole.looks).found
        assert explored(place) == 1

"""Running an exploration: the same whatever the graph and the scheduler do; it ends in time, and says who failed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.parameters import Setting
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.places import Near, Nearest, Place
from asterism.core.walkers.result import Exploration
from asterism.engine.explore.run import (
    STEPS_PER_LOOK,
    Asking,
    Countdown,
    ExplorationTimeout,
    Graph,
    explore,
    explore_now,
)
from asterism.errors import AsterismError, InputError
from tests.support.exploring import Ticking
from tests.support.walkers import Link, Node, directions, graph, graphs, rules, settings_drawn, toward

FORK = graph(
    [
        Node("m", "moment", toward(0)),
        Node("n", "narrative", toward(40)),
        Node("c", "moment", toward(-40), "text"),
        Node("d", "place", toward(-70), "text"),
        Node("e", "place", toward(-80), "text"),
    ],
    [Link("m", "n"), Link("m", "c"), Link("c", "d"), Link("c", "e")],
)


class Slow:
    """A graph that has to be awaited, for as long as chance says, and may break at a node."""

    def __init__(self, inner: WalkGraph, chance: random.Random, *, broken: str = "", silent: bool = False) -> None:
        self.inner = inner
        self.chance = chance
        self.broken = broken
        self.silent = silent
        self.at_once = 0
        self.most_at_once = 0

    @property
    def dimension(self) -> int:
        return self.inner.dimension

    async def look(self, node: int) -> Place:
        place = self.inner.look(node)
        await self._wait()
        if place.id == self.broken:
            raise OSError(f"cannot read {place.id}")
        if self.silent and place.id != "m":
            await asyncio.Event().wait()
        return place

    async def nearest(self, asked: Near) -> Nearest | None:
        await self._wait()
        return self.inner.nearest(asked)

    async def _wait(self) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        for _ in range(self.chance.randrange(4)):
            await asyncio.sleep(0)
        self.at_once -= 1


class Breaking:
    """A graph that answers at once and breaks at a node."""

    def __init__(self, inner: WalkGraph, broken: str) -> None:
        self.inner = inner
        self.broken = broken

    @property
    def dimension(self) -> int:
        return self.inner.dimension

    def look(self, node: int) -> Place:
        place = self.inner.look(node)
        if place.id == self.broken:
            raise OSError(f"cannot read {place.id}")
        return place

    def nearest(self, asked: Near) -> Nearest | None:
        return self.inner.nearest(asked)


def asking(query: list[float], intention: list[float] | None = None, **more: object) -> Asking:
    why = None if intention is None else "why"
    return Asking(query="what", query_vector=query, intention=why, intention_vector=intention, start=0, **more)  # type: ignore[arg-type]


def same(one: Exploration, other: Exploration) -> bool:
    first, second = one.to_dict(), other.to_dict()
    first.pop("took_ms")
    second.pop("took_ms")
    return first == second and one.effects == other.effects


@settings(max_examples=40, deadline=None)
@given(
    graphs(kinds=["moment", "narrative", "thing"]),
    directions(perhaps_none=False),
    settings_drawn(),
    st.integers(0, 999),
)
def test_one_walker_at_a_time_or_sixty_four_and_any_schedule_give_the_same(
    place: WalkGraph, query: list[float], chosen: Mapping[str, Setting], seed: int
) -> None:
    p = rules(**chosen)
    plain = explore_now(place, asking(query, parameters=p))
    for concurrency in (1, 64):
        slow = Slow(place, random.Random(seed + concurrency))
        assert same(plain, asyncio.run(explore(slow, asking(query, parameters=p, concurrency=concurrency))))
        assert slow.most_at_once <= concurrency
    assert same(plain, asyncio.run(explore(place, asking(query, parameters=p))))


def test_children_are_fetched_side_by_side() -> None:
    slow = Slow(FORK, random.Random(3))
    asyncio.run(explore(slow, asking(toward(0), parameters=rules(min_link_score=0.0))))
    assert slow.most_at_once > 1


@pytest.mark.parametrize("looks", range(1, 20))
def test_a_deadline_ends_it_with_what_was_found_and_nothing_to_write(looks: int) -> None:
    asked = asking(toward(0))
    with pytest.raises(ExplorationTimeout) as late:
        asyncio.run(explore(FORK, asked, countdown=Countdown(looks, clock=Ticking())))
    told = late.value.exploration
    assert told.stop == "deadline"
    assert told.effects == {}
    assert told.took_ms >= 1000.0 * looks
    assert late.value.code == "deadline"
    assert ("n" in {each.id for each in told.found}) == (looks >= 8)


def test_where_nothing_waits_the_clock_is_looked_at_every_few_steps() -> None:
    whole = explore_now(FORK, asking(toward(0)))
    for looks in range(1, whole.steps // STEPS_PER_LOOK + 2):
        with pytest.raises(ExplorationTimeout) as late:
            explore_now(FORK, asking(toward(0)), countdown=Countdown(looks, clock=Ticking()))
        told = late.value.exploration
        assert (told.stop, told.effects) == ("deadline", {})
        assert STEPS_PER_LOOK * (looks - 1) - told.walkers <= told.steps <= STEPS_PER_LOOK * (looks - 1)


class Mute:
    """A graph that takes a day to say anything of any node but the first."""

    dimension = 2

    def __init__(self) -> None:
        self.now = 0.0

    def look(self, node: int) -> Place | Awaitable[Place]:
        return self._never() if node else FORK.look(node)

    def _never(self) -> Awaitable[Place]:
        self.now += 86_400.0
        return asyncio.get_running_loop().create_future()

    def nearest(self, asked: Near) -> Nearest | None:
        return FORK.nearest(asked)


@pytest.mark.parametrize("start", ["m", "n"])
def test_a_graph_that_never_answers_is_not_waited_for(start: str) -> None:
    mute, number = Mute(), FORK.number(start)
    assert number is not None
    asked = Asking(query="what", query_vector=toward(0), start=number)
    with pytest.raises(AsterismError) as late:
        asyncio.run(explore(mute, asked, countdown=Countdown(3_600.0, clock=lambda: mute.now)))
    assert late.value.code == "deadline"
    assert isinstance(late.value, ExplorationTimeout) == (start == "m")


def test_a_round_of_many_walkers_ends_in_time() -> None:
    chance = np.random.default_rng(1)
    size = 2_000
    vectors = chance.normal(size=(size, 32)) + 2.0
    large = WalkGraph.build(
        ids=[f"n{number}" for number in range(size)],
        kinds=["moment"] * size,
        vectors=vectors,
        a=chance.integers(0, size, 10 * size),
        b=chance.integers(0, size, 10 * size),
    )
    many = rules(max_walkers=100_000, max_depth=1000, fatigue_window=1000, max_steps=1_000_000, min_link_score=0.0)
    with pytest.raises(ExplorationTimeout) as late:
        explore_now(large, asking([1.0] * 32, parameters=many), countdown=Countdown(60.0, clock=Ticking()))
    assert late.value.exploration.walkers > 3 * STEPS_PER_LOOK
    assert 1 < late.value.exploration.steps <= 60 * STEPS_PER_LOOK


def test_a_child_that_fails_is_raised_or_told() -> None:
    broken: list[Graph] = [Slow(FORK, random.Random(2), broken="c"), Breaking(FORK, "c")]
    for place in broken:
        with pytest.raises(OSError, match="cannot read c") as failed:
            asyncio.run(explore(place, asking(toward(0))))
        assert "tolerate_failures" in failed.value.__notes__[0]
        told = asyncio.run(explore(place, asking(toward(0), tolerate_failures=True)))
        assert [(each.node, each.error) for each in told.failed] == [("c", "cannot read c")]
        assert "n" in {each.id for each in told.found}
        assert told.to_dict()["failed"] == [{"walker": told.failed[0].walker, "node": "c", "error": "cannot read c"}]
    with pytest.raises(OSError, match="cannot read c"):
        explore_now(Breaking(FORK, "c"), asking(toward(0)))
    assert explore_now(Breaking(FORK, "c"), asking(toward(0), tolerate_failures=True)).failed


def test_a_root_that_fails_is_always_raised() -> None:
    row = graph([Node("a", "place", toward(0)), Node("b", "place", toward(5))], [Link("a", "b")])
    with pytest.raises(OSError, match="cannot read b"):
        explore_now(Breaking(row, "b"), asking(toward(0), tolerate_failures=True))


def test_it_can_be_cancelled() -> None:
    async def cancelled(place: Graph) -> None:
        endless = rules(max_walkers=10_000, min_link_score=0.0)
        task = asyncio.ensure_future(explore(place, asking(toward(0), parameters=endless)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    for place in (FORK, Slow(FORK, random.Random(1), silent=True)):
        asyncio.run(cancelled(place))


def test_a_graph_that_has_to_be_awaited_is_refused_without_a_loop() -> None:
    with pytest.raises(InputError) as refused:
        explore_now(Slow(FORK, random.Random(1)), asking(toward(0)))
    assert refused.value.code == "not_async"


class Ready:
    """A graph whose answers are awaitable without being coroutines."""

    dimension = 2

    def look(self, node: int) -> Awaitable[Place]:
        return self._done(FORK.look(node))

    def nearest(self, asked: Near) -> Nearest | None:
        return FORK.nearest(asked)

    def _done(self, place: Place) -> Awaitable[Place]:
        ready: asyncio.Future[Place] = asyncio.get_running_loop().create_future()
        ready.set_result(place)
        return ready


def test_an_answer_may_be_anything_that_can_be_awaited() -> None:
    assert same(asyncio.run(explore(Ready(), asking(toward(0)))), explore_now(FORK, asking(toward(0))))


@pytest.mark.parametrize(
    ("changes", "item"),
    [
        ({"query": " "}, "query"),
        ({"intention": ""}, "intention"),
        ({"query_vector": [1.0]}, "query"),
        ({"intention_vector": [float("nan"), 0.0]}, "intention"),
        ({"concurrency": 0}, "concurrency"),
        ({"deadline": -1.0}, "deadline"),
    ],
)
def test_what_cannot_be_asked_is_named(changes: dict[str, object], item: str) -> None:
    asked = {"query": "what", "query_vector": toward(0), "start": 0, **changes}
    with pytest.raises(InputError) as refused:
        explore_now(FORK, Asking(**asked))  # type: ignore[arg-type]
    assert refused.value.item == item


def test_the_result_carries_its_time_and_its_effects() -> None:
    told = explore_now(FORK, asking(toward(0), toward(10), embedder="e"), countdown=Countdown(60.0, clock=Ticking()))
    assert told.took_ms > 0
    assert told.effects["embedder"] == "e"
    assert told.crystallized in {narrative.id for narrative in told.narratives}

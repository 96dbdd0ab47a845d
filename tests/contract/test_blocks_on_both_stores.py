"""Any sequence of calls about blocks, on both stores: it verifies, says the same, and means what its ledger means."""

from __future__ import annotations

import random
import tempfile
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import event, given, settings
from hypothesis import strategies as st

from asterism.engine.memory import Memory
from asterism.engine.space.live import Live
from asterism.errors import AsterismError
from asterism.store.in_memory import InMemoryStore
from asterism.sync import drive
from tests.support.block_steps import BLOCK_STEPS, blocks_and_answers, folded_anew, take_block_step
from tests.support.memories import DAY, NOON, HandClock, contents, opened, store_checkpoint
from tests.support.stores import STORES, place_of, store_of

NAMES = ["Sleep", "Work", "Run"]
SMALL = {"dream_batch_blocks": 2, "edge_degree_cap": 2}
few = settings(max_examples=10)


@dataclass(frozen=True)
class Told:
    """One call: its name, on what, and how many hours ago (None: the memory's clock)."""

    name: str
    a: str = NAMES[0]
    b: str = NAMES[1]
    value: float = 0.0
    ago_hours: int | None = None


names = st.sampled_from(NAMES)
steps = st.builds(
    Told,
    st.sampled_from([*BLOCK_STEPS, "learn", "learn", "dream", "star"]),
    names,
    names,
    st.sampled_from([0.0, 0.4, 1.0]),
    st.one_of(st.none(), st.none(), st.integers(0, 90)),
)
BEGINNING = [Told("learn", a, b, 1.0, 80) for a in NAMES for b in NAMES[:2]]
beginnings = st.sampled_from([[], BEGINNING, [*BEGINNING, Told("star"), Told("dream")]])
stories = st.builds(lambda first, rest: [*first, *rest], beginnings, st.lists(steps, max_size=15))


async def take(memory: Memory, told: Told, now: datetime) -> object:
    at = None if told.ago_hours is None else now - timedelta(hours=told.ago_hours)
    try:
        if told.name == "star":
            return await memory.add_star(told.b, domain="soul", at=at)
        done = await take_block_step(memory, told.name, told.a, told.b, value=told.value, at=at, source=None)
        event(f"{told.name} did")
    except AsterismError as error:
        event(f"{told.name}: {error.code}")
        return error.code
    return done


async def everything(memory: Memory) -> list[object]:
    verified = await memory.verify()
    assert verified.ok, verified.differences
    return [*await blocks_and_answers(memory), verified.digest]


def on_every_store(story: list[Told], chance: random.Random) -> None:
    async def scenario(folder: Path) -> None:
        clock = HandClock()
        places = [place_of(kind, folder) for kind in STORES]
        memories = [await opened(place, clock=clock, parameters=SMALL).__aenter__() for place in places]
        for told in story:
            one, *others = [await take(memory, told, clock.now) for memory in memories]
            assert all(other == one for other in others), told
            if chance.random() < 0.1:
                clock.now += DAY
            if chance.random() < 0.1:
                for place in places:
                    with closing(store_of(place)) as store:
                        store_checkpoint(store)
            if chance.random() < 0.1:
                for memory in memories:
                    await memory.close()
                memories = [await opened(place, clock=clock, parameters=SMALL).__aenter__() for place in places]
        ends = [await everything(memory) for memory in memories]
        assert all(end == ends[0] for end in ends)
        with closing(store_of(places[0])) as store:
            items = [stored.item for stored in contents(store)]
        assert await folded_anew(items, clock.now, SMALL) == ends[0][:-1]
        for memory in memories:
            await memory.close()

    with tempfile.TemporaryDirectory(prefix="asterism-") as folder:
        drive(scenario(Path(folder)))


@few
@given(stories, st.randoms(use_true_random=False))
def test_any_calls_say_the_same_on_both_stores_and_mean_what_the_ledger_means(
    story: list[Told], chance: random.Random
) -> None:
    on_every_store(story, chance)


@few
@given(stories, st.randoms(use_true_random=False), st.integers(1, 5))
def test_blocks_are_a_function_of_the_set_of_items(story: list[Told], chance: random.Random, batch: int) -> None:
    async def scenario() -> None:
        in_time, shuffled = InMemoryStore(), InMemoryStore()
        async with opened(in_time, parameters=SMALL) as memory:
            for told in story:
                await take(memory, told, NOON)
            expected = await everything(memory)
            items = [stored.item for stored in contents(in_time)]
            chance.shuffle(items)
            live = Live(shuffled, "me", clock=lambda: 0, overrides=dict(SMALL))
            for start in range(0, len(items), batch):
                live.write(lambda _, start=start: items[start : start + batch])  # type: ignore[misc]  # a loop's value
                if chance.random() < 0.3:
                    live.checkpoint_if_due(at_least=0)
            async with opened(shuffled, parameters=SMALL) as other:
                assert await everything(other) == expected

    drive(scenario())


@few
@given(beginnings, st.lists(steps, max_size=8), st.lists(steps, max_size=8))
def test_two_copies_merge_into_one_in_either_order(common: list[Told], mine: list[Told], yours: list[Told]) -> None:
    async def scenario() -> None:
        copies = [InMemoryStore(), InMemoryStore()]
        for store, own, now in zip(copies, (mine, yours), (NOON, NOON + timedelta(hours=1)), strict=True):
            async with opened(store, clock=NOON, parameters=SMALL) as memory:
                for told in common:
                    await take(memory, told, NOON)
            async with opened(store, clock=now, parameters=SMALL) as memory:
                for told in own:
                    await take(memory, told, now)
        merged = []
        for order in (copies, copies[::-1]):
            async with opened(InMemoryStore(), clock=NOON + DAY, parameters=SMALL) as memory:
                for store in order:
                    if "me" in store.spaces():
                        async with opened(store, clock=NOON + DAY, parameters=SMALL) as other:
                            await memory.merge(other)
                        await everything(memory)
                merged.append(await everything(memory))
        assert merged[0] == merged[1]

    drive(scenario())

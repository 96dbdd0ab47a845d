"""Clocks of a memory: they may stand still, be asked each time, be behind; naive ones are refused."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from asterism.core.ledger.calendar import to_micros
from asterism.errors import AsterismError
from asterism.store.in_memory import InMemoryStore
from asterism.sync import drive
from tests.support.memories import DAY, NOON, HandClock, contents, opened


def test_a_clock_may_stand_still_or_be_asked_each_time() -> None:
    async def scenario() -> None:
        async with opened(":memory:", clock=NOON) as memory:
            await memory.add_star("Sleep", domain="soul")
            assert (await memory.stats()).clock == NOON
            assert (await memory.stats()).clock == NOON
        clock = HandClock()
        async with opened(":memory:", clock=clock) as memory:
            await memory.add_star("Sleep", domain="soul")
            assert (await memory.stats()).clock == NOON
            clock.now += DAY
            assert (await memory.stats()).clock == NOON + DAY
            await memory.add_star("Mood", domain="soul", at=NOON + DAY)

    drive(scenario())


def test_a_clock_of_another_time_zone_tells_the_same_time_and_a_naive_one_is_refused() -> None:
    async def scenario() -> None:
        east = NOON.astimezone(timezone(timedelta(hours=9)))
        async with opened(":memory:", clock=east) as memory:
            await memory.add_star("Sleep", domain="soul")
            assert (await memory.stats()).clock == NOON
        with pytest.raises(AsterismError) as refused:
            opened(":memory:", clock=NOON.replace(tzinfo=None))
        assert refused.value.code == "naive_time"

    drive(scenario())


def test_the_memorys_clock_is_the_later_of_the_latest_item_and_the_system_clock() -> None:
    async def scenario() -> None:
        store = InMemoryStore()
        clock = HandClock()
        async with opened(store, clock=clock) as memory:
            await memory.add_star("Sleep", domain="soul", at=NOON - 5 * DAY)
            await memory.add_star("Mood", domain="soul", at=NOON - 5 * DAY)
            assert (await memory.stats()).clock == NOON
            await memory.advance(days=3)
            assert (await memory.stats()).clock == NOON + 3 * DAY
            await memory.observe("sleep", "mood", "user_creates")
            assert contents(store)[-1].item.at == to_micros(NOON + 3 * DAY)
            await memory.engage("sleep", at=NOON + 2 * DAY)
            clock.now = NOON + 9 * DAY
            assert (await memory.stats()).clock == NOON + 9 * DAY
            clock.now = NOON - 9 * DAY  # the system clock was set back: time does not run backwards
            assert (await memory.stats()).clock == NOON + 3 * DAY
            await memory.engage("sleep")
            assert (await memory.verify()).ok
        async with opened(store, clock=NOON) as memory:
            assert (await memory.stats()).clock == NOON + 3 * DAY
            link = await memory.link("sleep", "mood")
            assert link is not None
            assert link.last_engaged == NOON + 3 * DAY

    drive(scenario())

"""A system's clock far behind what is known, or far ahead of the release: told, and nothing is stamped by it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta

import pytest

from asterism.core.ledger.calendar import to_datetime, to_micros
from asterism.engine.memory import Memory
from asterism.engine.space.clock import LAST_CREDIBLE, RELEASED, SystemClock, clock_of
from asterism.errors import ClockError
from asterism.store.in_memory import InMemoryStore
from asterism.sync import drive
from tests.support.memories import DAY, NOON, HandClock, contents, is_told_well, opened, system
from tests.support.paths import ROOT

FAR = datetime(2106, 2, 7, 6, 28, 15, tzinfo=UTC)  # where 32 bits of seconds end
DEAD_BATTERY = datetime(1970, 1, 1, 0, 3, tzinfo=UTC)
READ = [(0, "Ann", "I open the door."), (1, "DM", "It opens.")]
WRITES: tuple[Callable[[Memory], Awaitable[object]], ...] = (
    lambda memory: memory.add_star("Work", domain="purpose"),
    lambda memory: memory.observe("sleep", "mood", "user_confirms"),
    lambda memory: memory.observe("sleep", "mood", "user_confirms", at=NOON - DAY),
    lambda memory: memory.observe("sleep", "mood", "user_confirms", at=NOON + DAY),  # not told as the future
    lambda memory: memory.observe_many([("sleep", "mood", "user_confirms")]),
    lambda memory: memory.engage("sleep"),
    lambda memory: memory.deny("sleep", "mood"),
    lambda memory: memory.advance(days=1),
    lambda memory: memory.learn("Bob likes coffee."),
    lambda memory: memory.edit("Tea", "Ada likes green tea."),
    lambda memory: memory.forget("Tea"),
    lambda memory: memory.dream(),
    lambda memory: memory.used(["Tea"], session="s"),
    lambda memory: memory.outcome(["Tea"], 1.0),
    lambda memory: memory.begin_session("s"),
    lambda memory: memory.read_transcript(READ, session="night", started_at=NOON - DAY),
    lambda memory: memory.feed("BTC", [{"at": 1.0, "kind": "trade", "price": 1.0, "size": 1.0}]),
    lambda memory: memory.explore("tea", start="Tea"),
    lambda memory: memory.erase("sleep"),
)


async def begun(memory: Memory) -> None:
    await memory.add_star("Sleep", domain="health")
    await memory.add_star("Mood", domain="soul")
    await memory.observe("sleep", "mood", "user_creates")
    await memory.learn("Ada likes tea.", name="Tea")


@pytest.mark.parametrize(("now", "code"), [(FAR, "clock_ahead"), (DEAD_BATTERY, "clock_behind")])
def test_nothing_is_written_by_a_clock_in_doubt_and_reads_go_by_what_was_last_learnt(now: datetime, code: str) -> None:
    async def scenario() -> None:
        store, clock = InMemoryStore(), HandClock()
        async with opened(store, clock=system(clock)) as memory:
            await begun(memory)
            before = contents(store)
            link = await memory.link("sleep", "mood")
            clock.now = now
            for write in WRITES:
                with pytest.raises(ClockError) as refused:
                    await write(memory)
                assert refused.value.code == code
                assert is_told_well(refused.value)
            assert contents(store) == before
            assert await memory.link("sleep", "mood") == link
            answer = await memory.recall("tea")
            assert answer.hits
            assert any(f"{now.year}" in note for note in answer.notes)
            stats = await memory.stats()
            assert (stats.clock, bool(stats.clock_note)) == (NOON, True)
            assert (await memory.verify()).ok
            clock.now = NOON + DAY
            await memory.observe("sleep", "mood", "user_confirms")
            assert contents(store)[-1].item.known_at == to_micros(NOON + DAY)
            assert (await memory.stats()).clock_note == ""

    drive(scenario())


def test_a_new_memory_of_a_clock_far_ahead_can_be_read_and_not_written() -> None:
    async def scenario() -> None:
        async with opened(":memory:", clock=system(lambda: FAR)) as memory:
            assert (await memory.recall("tea")).hits == ()
            with pytest.raises(ClockError):
                await memory.learn("Ada likes tea.")

    drive(scenario())


@pytest.mark.parametrize("behind", [timedelta(0), timedelta(hours=-3), timedelta(days=-1)])
def test_a_day_behind_is_no_reason_for_doubt(behind: timedelta) -> None:
    async def scenario() -> None:
        clock = HandClock()
        async with opened(":memory:", clock=system(clock)) as memory:
            await begun(memory)
            clock.now += behind
            await memory.engage("sleep")
            clock.now = NOON - DAY - timedelta(microseconds=1)
            with pytest.raises(ClockError):
                await memory.engage("sleep")

    drive(scenario())


@pytest.mark.parametrize("now", [FAR, DEAD_BATTERY])
def test_whoever_answers_for_a_clock_may_write_by_it(now: datetime) -> None:
    async def scenario() -> None:
        store = InMemoryStore()
        async with opened(store) as memory:
            await begun(memory)
        async with opened(store, clock=lambda: now) as memory:
            await memory.engage("sleep", at=NOON - DAY)
            assert to_micros(now) in {stored.item.known_at for stored in contents(store)}

    drive(scenario())
    assert isinstance(clock_of(None), SystemClock)
    assert not isinstance(clock_of(None, trusted=True), SystemClock)


def test_what_another_process_learnt_counts_and_what_no_clock_can_have_said_does_not() -> None:
    async def scenario() -> None:
        store, clock = InMemoryStore(), HandClock()
        async with opened(store, clock=system(clock)) as mine, opened(store, clock=NOON + 9 * DAY) as theirs:
            await begun(mine)
            await theirs.engage("sleep")
            with pytest.raises(ClockError) as refused:
                await mine.engage("sleep")
            assert refused.value.code == "clock_behind"
            clock.now = NOON + 9 * DAY
            await mine.engage("sleep")
        async with opened(store, clock=FAR) as asked:  # known in 2106: no reason to doubt today
            await asked.engage("sleep", at=NOON - DAY)
        async with opened(store, clock=system(clock)) as mine:
            await mine.engage("sleep")
            assert (await mine.stats()).clock_note == ""

    drive(scenario())


def test_a_merge_takes_what_another_memory_took_whatever_the_clock_says() -> None:
    async def scenario() -> None:
        theirs, mine = InMemoryStore(), InMemoryStore()
        async with opened(theirs) as other:
            await begun(other)
        async with opened(theirs, clock=FAR) as other:
            await other.engage("sleep", at=NOON - DAY)
            async with opened(mine, clock=system(lambda: DEAD_BATTERY)) as memory:
                assert (await memory.merge(other)).added == len(contents(theirs))
                assert (await memory.stats()).clock == to_datetime(contents(theirs)[-1].item.at)

    drive(scenario())


def test_the_release_is_the_newest_date_of_the_changelog() -> None:
    told = re.findall(r"^## .*(\d{4}-\d\d-\d\d)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert not told or max(map(date.fromisoformat, told)) == RELEASED
    assert to_datetime(LAST_CREDIBLE).date() == RELEASED.replace(year=RELEASED.year + 20)

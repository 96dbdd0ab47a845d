"""Looking through told values: what is written, when, and what is said of the rest."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from asterism.engine.memory import Memory
from asterism.errors import InputError
from asterism.sync import drive
from tests.support.diary import keep_diary, planted
from tests.support.memories import DAY, NOON, HandClock, opened


async def a_week_on(memory: Memory, clock: HandClock, *, days: int = 7) -> None:
    more = planted(60 + days)
    for day in range(days):
        clock.now += DAY
        for name, values in more.items():
            await memory.set_brightness(name, float(values[60 + day]), at=clock.now - timedelta(hours=1))


def test_what_goes_with_what_is_told_and_written_and_the_rest_says_why() -> None:
    async def scenario() -> None:
        async with opened(":memory:") as memory:
            await keep_diary(memory)
            await memory.add_star("New")
            await memory.set_brightness("New", 0.4)
            found = await memory.discover()
            assert {(pair.a, pair.b, pair.verdict, pair.direction) for pair in found.told()} == {
                ("focus", "sleep", "drives", "b_to_a"),
                ("mood", "sleep", "together", "none"),
            }
            assert found.written == 2
            assert len(found.pairs) == 6
            assert found.tests == 6 * 5
            assert {pair.reason for pair in found.pairs if pair.verdict == "nothing"} == {"within chance"}
            assert [(star.id, star.left_out) for star in found.stars if star.left_out] == [
                ("new", "too few days: 1 of at least 21")
            ]
            link = await memory.link("sleep", "focus")
            assert link is not None
            assert (link.kind, link.direction) == ("causation", "a_to_b")
            assert "Sleep drives Focus a day later" in str(found)
            assert (await memory.verify()).ok

    drive(scenario())


def test_nothing_is_written_again_before_a_week_and_new_values_of_both() -> None:
    async def scenario() -> None:
        clock = HandClock(NOON)
        async with opened(":memory:", clock=clock) as memory:
            await keep_diary(memory)
            assert (await memory.discover()).written == 2
            again = await memory.discover()
            assert (again.written, {pair.note for pair in again.told()}) == (
                0,
                {"found before, and no new value of both since"},
            )
            clock.now += 8 * DAY
            assert (await memory.discover()).written == 0  # nothing was told since
            clock.now -= 8 * DAY
            await a_week_on(memory, clock, days=3)
            soon = await memory.discover()
            assert (soon.written, {pair.note for pair in soon.told()}) == (0, {"found 3 days ago: once in 7 days"})
            await a_week_on(memory, clock, days=4)
            assert (await memory.discover()).written == 2
            link = await memory.link("sleep", "focus")
            assert link is not None
            assert link.evidence.raw == 2

    drive(scenario())


def test_discovering_moves_no_clock() -> None:
    async def scenario() -> None:
        async with opened(":memory:") as memory:
            await keep_diary(memory)
            await memory.discover()
            assert (await memory.stats()).clock == NOON

    drive(scenario())


def test_what_the_values_no_longer_support_is_said_and_fades() -> None:
    async def scenario() -> None:
        clock = HandClock(NOON)
        async with opened(":memory:", clock=clock, parameters={"discovery_days": 40}) as memory:
            await keep_diary(memory, days=40)
            assert (await memory.discover()).written == 2
            broken = planted(45, chance=9, broken_from=0)
            for day in range(45):
                clock.now += DAY
                for name, values in broken.items():
                    await memory.set_brightness(name, float(values[day]), at=clock.now - timedelta(hours=1))
            kept = await memory.link("sleep", "focus")
            assert kept is not None
            assert kept.state == "NASCENT"  # renewed by values alone
            found = await memory.discover()
            assert {(pair.a, pair.b) for pair in found.pairs if pair.gone} == {("focus", "sleep"), ("mood", "sleep")}
            assert "no longer holds" in str(found)
            for _ in range(9):
                clock.now += DAY
                await memory.set_brightness("sleep", 0.4)
                await memory.set_brightness("focus", 0.4)
            assert (await memory.links("sleep", "focus")) == []
            assert (await memory.discover()).written == 0
            assert (await memory.verify()).ok

    drive(scenario())


def test_two_copies_that_both_found_it_and_merge_count_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        one, two = tmp_path / "one.db", tmp_path / "two.db"
        async with opened(one) as first:
            await keep_diary(first)
        async with opened(one) as first, opened(two, clock=HandClock(NOON + 2 * DAY)) as second:
            await second.merge(first)
            await first.discover()
            await second.discover()
            await second.merge(first)
            async with opened(":memory:", clock=HandClock(NOON + 2 * DAY)) as third:
                await third.merge(second)
                links = await third.links()
                assert [link.evidence.raw for link in links] == [1, 1]
                assert links == await second.links()
                assert (await third.verify()).ok

    drive(scenario())


def test_a_dream_looks_too_and_counts_what_it_wrote() -> None:
    async def scenario() -> None:
        async with opened(":memory:") as memory:
            await keep_diary(memory)
            assert (await memory.dream()).found == 2
            assert (await memory.dream()).found == 0

    drive(scenario())


def test_an_unknown_detector_is_an_error_that_names_those_there_are() -> None:
    async def scenario() -> None:
        async with opened(":memory:") as memory:
            with pytest.raises(InputError, match="no detector 'sed'") as told:
                await memory.discover(detector="sed")
            assert "best, seed" in str(told.value.hint)

    drive(scenario())


def test_the_seed_s_detection_looks_at_once_and_has_its_own_words() -> None:
    async def scenario() -> None:
        clock = HandClock(NOON)
        async with opened(":memory:", clock=clock) as memory:
            await keep_diary(memory)
            nothing = await memory.discover(detector="seed")
            assert (nothing.written, nothing.pairs) == (0, ())
            assert all("not engaged" in str(star.left_out) for star in nothing.stars)
            for name in ("sleep", "mood", "noise"):
                await memory.engage(name, impact=0.0)
            clock.now += DAY
            found = await memory.discover(detector="seed")
            assert next((pair.a, pair.b, pair.verdict, pair.written) for pair in found.pairs) == (
                "mood",
                "sleep",
                "together",
                True,
            )
            assert (found.detector, found.written, found.tests) == ("seed", 1, 3)

    drive(scenario())


def test_a_memory_without_values_says_so() -> None:
    async def scenario() -> None:
        async with opened(":memory:") as memory:
            found = await memory.discover()
            assert (found.stars, found.pairs, found.written) == ((), (), 0)

    drive(scenario())


def test_that_a_link_that_faded_away_no_longer_holds_is_written_once() -> None:
    async def scenario() -> None:
        clock = HandClock(NOON)
        async with opened(":memory:", clock=clock, parameters={"discovery_days": 40}) as memory:
            await keep_diary(memory, days=40)
            await memory.discover()
            clock.now += 40 * DAY
            assert await memory.links() == []
            for day in range(45):
                clock.now += DAY
                for name, values in planted(45, chance=9, broken_from=0).items():
                    await memory.set_brightness(name, float(values[day]), at=clock.now - timedelta(hours=1))
            assert [(await memory.discover()).written for _ in range(3)] == [2, 0, 0]
            assert (await memory.verify()).ok

    drive(scenario())


def test_corrected_values_reach_what_was_found() -> None:
    async def scenario() -> None:
        clock = HandClock(NOON)
        async with opened(":memory:", clock=clock) as memory:
            await keep_diary(memory)
            await memory.discover()
            clock.now += timedelta(hours=1)
            broken = planted(60, chance=9, broken_from=0)
            for day in range(60):
                for name in ("Mood", "Focus"):
                    await memory.set_brightness(name, float(broken[name][day]), at=NOON - (59 - day) * DAY)
            assert [(await memory.discover()).written for _ in range(2)] == [2, 0]
            assert {link.holds for link in await memory.links()} == {False}
            assert (await memory.verify()).ok

    drive(scenario())


def test_a_link_that_was_denied_does_not_come_back_by_itself() -> None:
    async def scenario() -> None:
        clock = HandClock(NOON)
        async with opened(":memory:", clock=clock) as memory:
            await keep_diary(memory)
            await memory.discover()
            await memory.deny("sleep", "mood")
            await a_week_on(memory, clock, days=8)
            found = await memory.discover()
            assert {(pair.link, pair.note) for pair in found.told()} == {
                ("focus~sleep", ""),
                ("mood~sleep", "you denied it"),
            }
            assert [link.id for link in await memory.links()] == ["focus~sleep"]
            await memory.observe("sleep", "mood", kind="user_confirms")
            assert (await memory.discover()).written == 1
            link = await memory.link("sleep", "mood")
            assert link is not None
            assert link.holds

    drive(scenario())

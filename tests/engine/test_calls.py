"""The calls other programs rely on: their names, what a date means in them, and what is told of another time."""

from __future__ import annotations

import inspect
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from asterism.core.ledger.calendar import to_datetime
from asterism.embed.hashed import HashedEmbedder
from asterism.engine.memory import Memory
from asterism.errors import AsterismError, InputError, UnknownError
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from asterism.sync import drive
from tests.support.memories import DAY, NOON, HandClock, contents, is_told_well, opened

MORNING = NOON - timedelta(hours=4)
TODAY = NOON.date()
LAST = timedelta(days=1) - timedelta(microseconds=1)


def start_of(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


# Names


@pytest.mark.parametrize(
    "call", ["star", "acknowledge", "engage", "set_brightness", "contradict", "mark_dark", "dispute_dark"]
)
def test_the_calls_about_one_star_take_its_id_by_that_name(call: str) -> None:
    _, first, *_ = inspect.signature(getattr(Memory, call)).parameters
    assert first == "id"


@pytest.mark.parametrize("call", ["edit", "forget", "restore", "block", "why_not"])
def test_the_calls_about_one_block_take_its_id_by_that_name(call: str) -> None:
    _, first, *_ = inspect.signature(getattr(Memory, call)).parameters
    assert first == "id"


@pytest.mark.parametrize("embedder", ["hash", "", 5, "remote:nowhere", lambda texts: texts])
def test_an_embedder_that_cannot_be_is_said_when_it_is_needed_and_nothing_is_lost(embedder: object) -> None:
    with Memory.open_sync(":memory:", space="me", embedder=embedder) as memory:  # type: ignore[arg-type]  # the fault
        name = memory.learn("Tea is green.").id
        for call in (lambda: memory.recall("tea"), memory.dream, memory.reembed):
            with pytest.raises(AsterismError) as refused:
                call()
            assert is_told_well(refused.value)
        assert [block.id for block in memory.blocks(statuses=["inbox"])] == [name]


def test_an_embedder_may_be_named_or_given_or_left_out() -> None:
    for embedder in ("hashed", "default", None, HashedEmbedder()):
        with Memory.open_sync(":memory:", space="me", embedder=embedder) as memory:
            name = memory.learn("Tea is green.").id
            assert memory.recall("tea").hits[0].id == name


@pytest.mark.parametrize(
    ("how", "code"),
    [({"preset": 5}, "unknown_preset"), ({"parameters": [1]}, "bad_parameters"), ({"clock": 5}, "bad_time")],
)
def test_what_a_memory_cannot_be_opened_with_is_said(how: dict[str, object], code: str) -> None:
    with pytest.raises(AsterismError) as refused:
        drive(opened(":memory:", **how).__aenter__())  # type: ignore[arg-type]  # the fault under test
    assert refused.value.code == code
    assert is_told_well(refused.value)


def test_a_memory_is_named_by_a_path() -> None:
    with pytest.raises(InputError) as refused:
        drive(opened(5).__aenter__())  # type: ignore[arg-type]  # the fault under test
    assert refused.value.code == "bad_path"


# Dates


def told_at(store: Store) -> list[datetime]:
    return [to_datetime(stored.item.at) for stored in contents(store)]


@pytest.mark.parametrize("day", [TODAY, TODAY.isoformat()])
def test_what_is_told_of_today_before_its_noon_is_told_of_now(day: date | str) -> None:
    async def scenario() -> None:
        for now, told in ((MORNING, MORNING), (NOON, NOON), (NOON + timedelta(hours=3), NOON)):
            store = InMemoryStore()
            async with opened(store, clock=now) as memory:
                await memory.add_star("Sleep", domain="soul", at=day)
                await memory.add_star("Mood", domain="soul", at=day)
                await memory.observe_many([{"a": "sleep", "b": "mood", "kind": "user_creates", "at": str(day)}])
            assert told_at(store) == [told] * 3
        async with opened(":memory:", clock=MORNING) as memory:
            with pytest.raises(InputError):
                await memory.add_star("Sleep", domain="soul", at=TODAY + DAY)

    drive(scenario())


def test_what_is_told_of_another_date_is_told_of_its_noon() -> None:
    async def scenario() -> None:
        store = InMemoryStore()
        async with opened(store, clock=MORNING) as memory:
            await memory.add_star("Sleep", domain="soul", at=TODAY - DAY)
        assert told_at(store) == [NOON - DAY]

    drive(scenario())


def test_a_date_that_is_asked_for_means_its_end_but_never_the_future() -> None:
    async def scenario() -> None:
        evening = NOON + timedelta(hours=9)
        clock = HandClock(evening)
        async with opened(":memory:", clock=clock) as memory:
            for name in ("Sleep", "Mood"):
                await memory.add_star(name, domain="soul", at=NOON - 5 * DAY)
            await memory.observe("sleep", "mood", "user_creates", at=evening - 2 * DAY)
            then = await memory.as_of(TODAY - 2 * DAY)
            assert then.at == start_of(TODAY - 2 * DAY) + LAST
            assert len(await then.links()) == 1
            assert await memory.links(at=TODAY - 3 * DAY) == []
            assert await memory.links(at=TODAY - 2 * DAY) == await then.links()
            assert await memory.link("sleep", "mood", at=str(TODAY - 2 * DAY)) is not None
            assert await memory.links(at=NOON - 2 * DAY) == []
            await memory.engage("sleep")
            assert (await memory.as_of(TODAY)).at == evening
            assert await memory.nodes(at=TODAY) == await memory.nodes()
            with pytest.raises(InputError) as refused:
                await memory.as_of(TODAY + DAY)
            assert refused.value.code == "future_time"
            assert "project" in (refused.value.hint or "")

    drive(scenario())


def test_what_was_known_on_a_date_was_known_by_its_end() -> None:
    async def scenario() -> None:
        clock = HandClock(NOON - 3 * DAY + timedelta(hours=9))
        async with opened(":memory:", clock=clock) as memory:
            await memory.add_star("Sleep", domain="soul", at=NOON - 9 * DAY)
            clock.now = NOON
            for days, known in ((4, 0), (3, 1)):
                assert len(await (await memory.as_of(NOON, known_at=TODAY - days * DAY)).nodes()) == known

    drive(scenario())


def test_an_outlook_goes_to_the_end_of_a_date_and_time_passes_to_its_noon() -> None:
    async def scenario() -> None:
        async with opened(":memory:") as memory:
            await memory.add_star("Sleep", domain="soul")
            assert (await memory.project(TODAY)).to == start_of(TODAY) + LAST
            assert (await memory.project(TODAY + 2 * DAY)).to == start_of(TODAY + 2 * DAY) + LAST
            assert (await memory.advance(to=TODAY + 2 * DAY)).clock == NOON + 2 * DAY

    drive(scenario())


# Told of another time


async def linked(memory: Memory) -> None:
    for name in ("Sleep", "Mood"):
        await memory.add_star(name, domain="soul", at=NOON - 20 * DAY)
    await memory.observe("sleep", "mood", "user_creates", at=NOON - 15 * DAY)


def test_a_denial_may_come_before_the_evidence_of_its_day() -> None:
    async def scenario() -> None:
        async with opened(":memory:") as memory:
            await linked(memory)
            denied = await memory.deny("sleep", "mood", at=NOON - 15 * DAY - timedelta(hours=5))
            assert denied is not None
            assert denied.state == "DISSOLVED"

    drive(scenario())


def test_what_is_said_of_a_link_is_held_against_the_day_it_is_said_of() -> None:
    async def scenario() -> None:
        async with opened(":memory:") as memory:
            await linked(memory)
            for call in (memory.deny("sleep", "mood"), memory.assign_type("sleep", "mood", "tension")):
                with pytest.raises(UnknownError) as refused:  # alone, it has dissolved in the meantime
                    await call
                assert refused.value.code == "unknown_link"
                assert TODAY.isoformat() in refused.value.message
            assigned = await memory.assign_type("sleep", "mood", "tension", at=NOON - 12 * DAY)
            assert assigned is not None
            assert assigned.kind == "tension"
            assert await memory.deny("sleep", "mood", at=TODAY - 12 * DAY) is not None
            assert (await memory.verify()).ok

    drive(scenario())


def test_a_star_keeps_its_domain_but_what_is_told_of_an_earlier_time_comes_first(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "mine.db") as memory:
            await memory.add_star("Sleep", domain="soul", at=NOON - DAY)
            assert (await memory.add_star("Sleep", domain="Soul")).domain == "soul"
            with pytest.raises(InputError) as refused:
                await memory.add_star("sleep", domain="health")
            assert refused.value.code == "other_domain"
            assert (await memory.add_star("Sleep", domain="health", at=NOON - 2 * DAY)).domain == "health"
            assert (await memory.verify()).ok
        async with opened(tmp_path / "other.db") as other:
            await other.add_star("Sleep", domain="wealth", at=NOON - 3 * DAY)
            assert (await other.merge(tmp_path / "mine.db")).added == 3
            star = await other.star("sleep")
            assert star is not None
            assert star.domain == "wealth"

    drive(scenario())


def test_a_star_without_a_domain_says_none_and_stays_without(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "mine.db") as memory:
            assert (await memory.add_star("Sleep", at=NOON - DAY)).domain is None
            with pytest.raises(InputError, match="without a domain") as refused:
                await memory.add_star("Sleep", domain="health")
            assert refused.value.code == "other_domain"
            await memory.add_star("Mood", domain="soul", at=NOON - DAY)
            assert (await memory.add_star("Mood")).domain == "soul"
            assert [star.domain for star in await memory.stars()] == ["soul", None]
            assert (await memory.verify()).ok

    drive(scenario())


def test_the_item_of_a_star_without_a_domain_does_not_name_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "mine.db") as memory:
            await memory.add_star("Sleep", at=NOON - DAY)
            await memory.export(tmp_path / "out.jsonl")
        (line,) = [line for line in (tmp_path / "out.jsonl").read_text().splitlines() if "star_added" in line]
        assert "domain" not in line
        async with opened(tmp_path / "other.db") as other:
            await other.import_(tmp_path / "out.jsonl")
            star = await other.star("sleep")
            assert star is not None
            assert star.domain is None

    drive(scenario())


# As text


def test_changes_and_outlooks_can_be_read() -> None:
    async def scenario() -> None:
        async with opened(":memory:") as memory:
            await linked(memory)
            await memory.observe("sleep", "mood", "user_confirms")
            assert str(await memory.project(days=10)) == (
                "From 2026-03-01 12:00 to 2026-03-11 12:00, if nothing happens:\n"
                "  mood~sleep: 0.15 NASCENT -> 0.00 DISSOLVED, dissolved on 2026-03-08"
            )
            assert str(await memory.advance(days=10)) == (
                "The clock stands at 2026-03-11 12:00:\n  mood~sleep: NASCENT -> DISSOLVED"
            )
            assert str(await memory.advance(hours=1)) == "The clock stands at 2026-03-11 13:00:\n  nothing changed"

    drive(scenario())

"""What a memory says about a market: why a level stands, as of any time, and through time."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.parameters import Setting
from asterism.core.levels.book import LevelBook
from asterism.engine.memory import Memory, Snapshot
from asterism.errors import UnknownError
from asterism.sync import drive
from tests.support.batches import ROW, START, Row, Sent, cut, lanes, persistence, price, trade, when
from tests.support.markets import run, send, then
from tests.support.memories import DAY, NOON, HandClock, is_told_well, opened

VISITS: dict[str, Setting] = {"revisit": "left", "path": "all"}  # what is counted once a visit (D6)

# Why


async def assert_reasons_add_up(memory: Memory, seconds: Sequence[float]) -> None:
    symbols = [each.symbol for each in await memory.symbols()]
    views: list[Memory | Snapshot] = [memory, *[await memory.as_of(then(second)) for second in seconds]]
    for seen in views:
        for level in [each for name in symbols for each in await seen.levels(name, archived=True)]:
            why = await seen.why(level.id)
            assert why.subject == level.id
            assert math.isclose(math.fsum(line.value for line in why.lines), level.strength, abs_tol=1e-9)
            assert math.isclose(why.total, level.strength, abs_tol=1e-9)


@settings(max_examples=15)
@given(lanes(), st.sampled_from(({}, VISITS)))
def test_reasons_add_up_to_the_strength_now_and_then(told: list[list[Sent]], chosen: dict[str, Setting]) -> None:
    async def asking() -> None:
        async with opened(":memory:", parameters=chosen) as memory:
            for sent in (each for lane in told for each in lane):
                await send(memory, sent)
            await assert_reasons_add_up(memory, (0, 7.5, 31, 60, 5_000, 90_000))

    drive(asking())


REASONS: dict[str, tuple[dict[str, Setting], list[Row], str]] = {
    "pending": ({}, [trade(second, usd=400.0) for second in range(5)], "held as pending"),
    "late": ({}, [trade(10), trade(2), trade(20)], "boosted, late"),
    "back": ({}, [trade(0), trade(90_000)], "back from the archive"),
    "held": (VISITS, [price(0, 90.0), trade(1), trade(2), trade(3)], "inside a visit"),
    "many": ({}, [trade(second) for second in range(200)], "more items"),
    "growing": ({}, [persistence(second, second, 3) for second in range(10, 300, 10)], "grew to"),
    "turned": ({}, [price(second, 100.0 if second % 2 else 90.0) for second in range(9)], "rejection"),
}


@pytest.mark.parametrize("case", REASONS)
def test_every_kind_of_reason_is_told_and_adds_up(case: str) -> None:
    chosen, rows, said = REASONS[case]

    async def asking() -> None:
        async with opened(":memory:", parameters=chosen) as memory:
            await memory.feed("X", rows, source="file", lateness=0)
            await assert_reasons_add_up(memory, (3, 50, 95_000))
            strongest = (await memory.levels("X"))[0]
            assert said in str(await memory.why(strongest.id))

    drive(asking())


@pytest.mark.parametrize("level", ["Y@100.0", "X@7.0", "X@high", "X@", "@100.0", "@", "X@nan", "X@1e999"])
def test_a_level_that_is_not_there_is_told_with_a_hint(level: str) -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("X", [trade(0)])
        with pytest.raises(UnknownError) as refused:
            await memory.why(level)
        assert is_told_well(refused.value)

    run(work)


def test_a_symbol_that_is_nearly_there_is_guessed() -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("BTCUSDT", [trade(0)])
        with pytest.raises(UnknownError) as refused:
            await memory.levels("BTC_USD")
        assert refused.value.hint == "did you mean BTCUSDT?"

    run(work)


# As of a time


@st.composite
def streams(draw: st.DrawFn) -> list[list[Row]]:
    """Draw a stream in batches: no event like another, none further back than two seconds."""
    rows = [row | {"id": number} for number, row in enumerate(draw(st.lists(ROW, min_size=1, max_size=20)))]
    jitter = {id(row): draw(st.floats(0, 1.99)) for row in rows}
    rows.sort(key=lambda row: when(row) + jitter[id(row)])
    return cut(rows, draw(st.lists(st.integers(0, len(rows)), max_size=5)))


@settings(max_examples=20)
@given(streams(), st.booleans(), st.lists(st.integers(-2, 130), min_size=1, max_size=4))
def test_as_of_a_time_is_the_book_of_the_events_until_then(
    batches: list[list[Row]], stream: bool, halves: list[int]
) -> None:
    """To the bit, also in the middle of a batch; of a stream, and of a file that goes back in time now and then."""

    async def looking() -> None:
        async with opened(":memory:") as memory:
            for batch in batches:
                await send(memory, Sent(batch) if stream else Sent(batch, source="file", lateness=0))
            for second in (half / 2 for half in halves):
                book = LevelBook("X", lateness=2 if stream else 0)
                for batch in batches:
                    book.feed([row for row in batch if when(row) <= START + second])
                seen = await memory.as_of(then(second))
                expected = book.levels(at=then(second), archived=True)
                assert await seen.levels("X", archived=True) == expected
                assert await memory.levels("X", archived=True, at=then(second)) == expected

    drive(looking())


@settings(max_examples=12)
@given(streams(), st.integers(0, 60), st.randoms(use_true_random=False))
def test_nothing_after_a_time_shows_as_of_it(batches: list[list[Row]], second: int, chance: random.Random) -> None:
    """What came later is left out in one memory and shuffled in another."""
    later = [row for batch in batches for row in batch if when(row) > START + second]
    shuffled = chance.sample(later, len(later))
    moved = iter([row | {"at": own["at"]} for row, own in zip(shuffled, later, strict=True)])
    other = [[row if when(row) <= START + second else next(moved) for row in batch] for batch in batches]
    past = [[row for row in batch if when(row) <= START + second] for batch in batches]

    async def looking(told: list[list[Row]]) -> object:
        async with opened(":memory:") as memory:
            for batch in told:
                await memory.feed("X", batch, source="stream", lateness=2)
            if not await memory.symbols():
                return None
            seen = await memory.as_of(then(second))
            levels = await seen.levels("X")
            reasons = [str(await seen.why(level.id)) for level in levels]
            counts = [(each.events, each.late, each.levels, each.latest) for each in await seen.symbols()]
            return levels, reasons, await seen.replay("X", start=then(0), steps=5), await seen.gaps("X"), counts

    seen = [drive(looking(told)) for told in (batches, other, past)]
    assert seen[0] == seen[1]
    assert seen[2] in (None, seen[0])


def test_what_was_not_known_yet_does_not_show() -> None:
    async def working() -> None:
        clock = HandClock(NOON - 2 * DAY)
        async with opened(":memory:", clock=clock) as memory:
            await memory.feed("X", [trade(0)])
            clock.now = NOON
            await memory.feed("X", [trade(1), trade(1, 105.0)])
            known = await memory.as_of(then(5), known_at=NOON - DAY)
            assert [(level.id, level.interactions) for level in await known.levels("X")] == [("X@100.0", 1)]
            assert [(each.events, each.levels) for each in await known.symbols()] == [(1, 1)]
            assert len((await known.why("X@100.0")).lines) == 2
            assert len(await (await memory.as_of(then(5), known_at=NOON)).levels("X")) == 2

    drive(working())


def test_before_its_first_event_a_symbol_is_not_there() -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("X", [trade(0)])
        before = await memory.as_of(then(-1))
        assert await before.symbols() == []
        assert await before.levels("X") == []
        with pytest.raises(UnknownError):
            await before.why("X@100.0")

    run(work)


# Strength through time


def test_a_replay_shows_the_levels_as_they_were_at_every_step() -> None:
    rows = [trade(7 * step, 100 + step % 5, 1_500.0) for step in range(60)] + [price(430, 99.0)]

    async def work(memory: Memory) -> None:
        await memory.feed("X", rows, source="file", lateness=0)
        replay = await memory.replay("X", start=then(-10), end=then(600), steps=23)
        assert (replay.times[0], replay.times[-1], len(replay.times)) == (then(-10), then(600), 23)
        for step, time in enumerate(replay.times):
            levels = {level.id: level.strength for level in await memory.levels("X", at=time)}
            curves = {name: row[step] for name, row in zip(replay.levels, replay.strengths, strict=True) if row[step]}
            assert curves == pytest.approx(levels, abs=1e-12)
            passed = [row["price"] for row in rows if when(row) <= time.timestamp()]
            assert replay.path[step] == (passed[-1] if passed else None)
        assert replay.prices == tuple(sorted(replay.prices))
        assert len((await memory.replay("X", most=2)).levels) == 2

    run(work)


def test_a_replay_is_from_the_first_price_to_the_latest_event_or_the_time_looked_at() -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("X", [trade(0), price(10, 101.0), trade(20)])
        times = (await memory.replay("X", steps=3)).times
        assert times == (then(0), then(10), then(20))
        assert (await (await memory.as_of(then(8))).replay("X", steps=2)).times == (then(0), then(8))
        assert (await memory.replay("X", start=then(99), steps=2)).times == (then(20), then(20))
        await memory.feed("P", [persistence(0, 20, 1), persistence(30, 40, 2)])
        assert (await memory.replay("P", steps=2)).times == (then(30), then(30))

    run(work)

"""Market feeds in a memory: what was fed in whatever order is the same memory, as of any time, and says why."""

from __future__ import annotations

import math
import random
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.levels.book import LevelBook
from asterism.core.levels.model import FeedReport, Level
from asterism.core.parameters import Preset
from asterism.engine.live import Live
from asterism.engine.memory import Memory
from asterism.engine.reading import Reads
from asterism.errors import AsterismError, InputError, StoreError, UnknownError
from asterism.store.in_memory import InMemoryStore, InMemoryWriting
from asterism.store.port import Store, Stored
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.batches import (
    ROW,
    START,
    Row,
    Sent,
    cut,
    files,
    lanes,
    liquidation,
    persistence,
    price,
    trade,
    turns,
    when,
)
from tests.memories import DAY, NOON, HandClock, contents, is_told_well, opened, store_checkpoint


def then(second: float) -> datetime:
    return datetime.fromtimestamp(START, UTC) + timedelta(seconds=second)


async def send(memory: Memory, sent: Sent) -> FeedReport:
    return await memory.feed(sent.symbol, sent.rows, source=sent.source, lateness=sent.lateness)


async def all_levels(memory: Reads) -> dict[str, list[Level]]:
    return {each.symbol: await memory.levels(each.symbol, archived=True) for each in await memory.symbols()}


async def whole(memory: Memory) -> tuple[str, dict[str, list[Level]]]:
    """Give what a memory is, verified."""
    verified = await memory.verify()
    assert verified.ok, verified.differences
    return verified.digest, await all_levels(memory)


def run(work: Callable[[Memory], Coroutine[object, object, None]], path: str | Path | Store = ":memory:") -> None:
    """Work on a memory, and find it whole at the end."""

    async def working() -> None:
        async with opened(path) as memory:
            await work(memory)
            await whole(memory)

    drive(working())


# Convergence


class Said(NamedTuple):
    """Something of another capability, said between the batches."""

    what: str


LIFE = [Said(what) for what in ("sleep", "mood", "observe -2", "observe -4", "observe -1")]
Act = Sent | Said


async def act(memory: Memory, what: Act) -> None:
    if isinstance(what, Sent):
        await send(memory, what)
    elif what.what.startswith("observe"):
        days = int(what.what.split()[1])
        await memory.observe("sleep", "mood", "user_confirms", at=NOON + days * DAY, source=what.what)
    else:
        await memory.add_star(what.what, domain="health", at=NOON - 3 * DAY)


@st.composite
def stories(draw: st.DrawFn) -> tuple[list[list[Act]], list[int]]:
    """Draw lanes, one of them a life, and in which order they are served."""
    told: list[list[Act]] = [list[Act](LIFE), *(list[Act](lane) for lane in draw(lanes()))]
    return told, draw(turns(map(len, told)))


Story = tuple[list[list[Act]], list[int]]


def served(story: Story) -> list[Act]:
    waiting = [list(lane) for lane in story[0]]
    return [waiting[lane].pop(0) for lane in story[1]]


async def told_in_order(story: Story) -> tuple[str, dict[str, list[Level]]]:
    async with opened(":memory:") as memory:
        for what in (each for lane in story[0] for each in lane):
            await act(memory, what)
        return await whole(memory)


@settings(deadline=None, max_examples=40)
@given(stories(), st.lists(st.sampled_from(("", "", "look", "checkpoint", "reopen")), min_size=1))
def test_any_order_of_arrival_gives_the_same_memory(story: Story, pauses: list[str]) -> None:
    """Whether it is looked at, packed into a checkpoint or opened again on the way, or not."""

    async def arriving() -> None:
        store = InMemoryStore()
        memory = await opened(store).__aenter__()
        for what, pause in zip(served(story), cycle(pauses), strict=False):
            await act(memory, what)
            if pause == "look":
                await whole(memory)
            elif pause == "checkpoint":
                store_checkpoint(store)
            elif pause == "reopen":
                memory = await opened(store).__aenter__()
        assert await whole(memory) == await told_in_order(story)

    drive(arriving())


@settings(deadline=None, max_examples=25)
@given(stories(), st.lists(st.integers(0, 1), min_size=1))
def test_two_that_write_one_file_see_the_same_memory(story: Story, turn: list[int]) -> None:
    async def writing(path: Path) -> None:
        async with opened(path) as one, opened(path) as other:
            for what, number in zip(served(story), cycle(turn), strict=False):
                await act((one, other)[number], what)
            assert await whole(one) == await whole(other) == await told_in_order(story)

    with TemporaryDirectory() as folder:
        drive(writing(Path(folder) / "memory.db"))


@settings(deadline=None, max_examples=30)
@given(stories(), st.lists(st.integers(0, 1), min_size=1))
def test_two_copies_that_exchanged_their_ledgers_are_equal(story: Story, side: list[int]) -> None:
    async def merging() -> None:
        async with opened(":memory:") as one, opened(":memory:") as other:
            for lane, number in zip(story[0], cycle(side), strict=False):
                for what in lane:
                    await act((one, other)[number], what)
            await one.feed("Z", [trade(0)])  # so that each has the space
            await other.feed("Z", [trade(0)])
            await one.merge(other)
            await other.merge(one)
            mine = await whole(one)
            assert mine == await whole(other)
            assert {name: found for name, found in mine[1].items() if name != "Z"} == (await told_in_order(story))[1]

    drive(merging())


def test_an_older_file_after_a_newer_is_folded_in_its_place() -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("X", [trade(100)], source="new", lateness=0)
        report = await memory.feed("X", [trade(0), trade(1)], source="old", lateness=0)
        assert (report.stale, report.used, report.created) == (True, 2, 0)
        (level,) = await memory.levels("X")
        assert (level.interactions, level.first_seen) == (3, then(0))
        assert (await memory.feed("X", [trade(101)], source="new", lateness=0)).stale is False

    run(work)


def test_a_batch_that_comes_while_a_symbol_is_folded_anew_is_taken_once() -> None:
    class Busy(InMemoryStore):
        """A store that someone else writes to just before market items are read."""

        other: Memory | None = None

        def items(self, space: str, **how: object) -> list[Stored]:
            writer, self.other = (self.other, None) if how.get("only") == "market" else (None, self.other)
            if writer is not None:
                drive(writer.feed("X", [trade(101)]))
            return super().items(space, **how)  # type: ignore[arg-type]  # the same

    async def writing() -> None:
        store = Busy()
        async with opened(store) as memory, opened(store) as other:
            await memory.feed("X", [trade(100)])
            await memory.feed("X", [trade(0)])
            store.other = other
            assert [level.interactions for level in await memory.levels("X")] in ([2], [3])
            assert [level.interactions for level in await memory.levels("X")] == [3]
            await whole(memory)

    drive(writing())


def test_events_inside_the_lateness_are_never_late_whatever_the_batches() -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("X", [trade(second, 100 + second) for second in range(90, 101)])
        report = await memory.feed("X", [trade(98.5, 120.0)])
        assert not report.stale
        assert len(await memory.levels("X")) == 12
        assert [each.late for each in await memory.symbols()] == [0]

    run(work)


# Sources and offsets


@settings(deadline=None, max_examples=40)
@given(files(), st.lists(st.tuples(st.integers(0, 8), st.integers(1, 4)), max_size=8))
def test_no_event_of_a_source_is_counted_twice(lane: list[Sent], parts: list[tuple[int, int]]) -> None:
    """Whatever overlapping parts it is fed in, and however its times go."""
    rows, symbol = [row for sent in lane for row in sent.rows], lane[0].symbol

    async def feeding() -> list[dict[str, list[Level]]]:
        found = []
        for pieces in ([(0, len(rows))], [*parts, (0, 3), (0, len(rows)), (0, 2)]):
            async with opened(":memory:") as memory:
                for first, size in pieces:
                    start = min(first, await memory.fed(symbol, "file"))
                    piece = rows[start : start + size]
                    await memory.feed(symbol, piece, source="file", offset=start, lateness=0)
                assert await memory.fed(symbol, "file") == len(rows)
                (info,) = await memory.symbols()
                assert (info.events, info.sources) == (len(rows), {"file": len(rows)})
                found.append((await whole(memory))[1])
        return found

    one, many = drive(feeding())
    assert one == many


@pytest.mark.parametrize("size", [1, 2, 5])
def test_rows_of_one_time_are_all_taken_in_their_order(size: int) -> None:
    rows = [trade(0, 100.0 + number % 9) for number in range(20)]

    async def work(memory: Memory) -> None:
        for part in cut(rows, range(0, 20, size)):
            await memory.feed("X", part, source="file", lateness=0)
        book = LevelBook("X", lateness=0)
        book.feed(rows)
        assert await memory.levels("X") == book.levels()

    run(work)


def test_fed_tells_where_to_go_on_also_while_a_symbol_is_stale() -> None:
    async def work(memory: Memory) -> None:
        assert await memory.fed("X", "old") == 0
        await memory.feed("X", [trade(100)], source="new", lateness=0)
        for second in (1, 3):
            await memory.feed("X", [trade(second), trade(second + 1)], source="old", lateness=0)
        assert await memory.fed("X", "old") == 4
        assert await memory.fed("X", "unheard of") == 0
        assert [each.events for each in await memory.symbols()] == [5]

    run(work)


def test_a_stream_sent_twice_is_there_once() -> None:
    async def work(memory: Memory) -> None:
        rows = [trade(0), trade(1, usd=5.0)]
        assert (await memory.feed("X", rows)).duplicates == 0
        again = await memory.feed("X", rows)
        assert (again.duplicates, again.used) == (1, 0)
        assert [each.events for each in await memory.symbols()] == [2]

    run(work)


def test_an_offset_that_leaves_a_gap_is_refused() -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("X", [trade(0)], source="file", lateness=0)
        with pytest.raises(InputError, match="leaves a gap") as refused:
            await memory.feed("X", [trade(9)], source="file", offset=5, lateness=0)
        assert is_told_well(refused.value)
        assert await memory.fed("X", "file") == 1

    run(work)


# Why


async def assert_reasons_add_up(memory: Memory, seconds: Sequence[float]) -> None:
    symbols = [each.symbol for each in await memory.symbols()]
    for seen in [memory, *[await memory.as_of(then(second)) for second in seconds]]:
        for level in [each for name in symbols for each in await seen.levels(name, archived=True)]:
            why = await seen.why(level.id)
            assert why.subject == level.id
            assert math.isclose(math.fsum(line.value for line in why.lines), level.strength, abs_tol=1e-9)
            assert math.isclose(why.total, level.strength, abs_tol=1e-9)


@settings(deadline=None, max_examples=40)
@given(lanes(), st.sampled_from(("seed", "tuned")))
def test_reasons_add_up_to_the_strength_now_and_then(told: list[list[Sent]], preset: Preset) -> None:
    async def asking() -> None:
        async with opened(":memory:", preset=preset) as memory:
            for sent in (each for lane in told for each in lane):
                await send(memory, sent)
            await assert_reasons_add_up(memory, (0, 7.5, 31, 60, 5_000, 90_000))

    drive(asking())


REASONS: dict[str, tuple[Preset, list[Row], str]] = {
    "pending": ("seed", [trade(second, usd=400.0) for second in range(5)], "held as pending"),
    "late": ("seed", [trade(10), trade(2), trade(20)], "boosted, late"),
    "back": ("seed", [trade(0), trade(90_000)], "back from the archive"),
    "held": ("tuned", [price(0, 90.0), trade(1), trade(2), trade(3)], "inside a visit"),
    "many": ("seed", [trade(second) for second in range(200)], "more items"),
    "growing": ("seed", [persistence(second, second, 3) for second in range(10, 300, 10)], "grew to"),
    "turned": ("seed", [price(second, 100.0 if second % 2 else 90.0) for second in range(9)], "rejection"),
}


@pytest.mark.parametrize("case", REASONS)
def test_every_kind_of_reason_is_told_and_adds_up(case: str) -> None:
    preset, rows, said = REASONS[case]

    async def asking() -> None:
        async with opened(":memory:", preset=preset) as memory:
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
            await memory.levels("btcusdt_BTCUSD")
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


@settings(deadline=None, max_examples=60)
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


@settings(deadline=None, max_examples=30)
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


# Spaces, and levels as ends of links


def test_spaces_do_not_see_each_others_symbols() -> None:
    async def working() -> None:
        store = InMemoryStore()
        async with opened(store) as mine, opened(store, space="other") as other:
            await mine.feed("X", [trade(0)], source="file")
            assert await other.symbols() == []
            assert await other.fed("X", "file") == 0
            with pytest.raises(UnknownError):
                await other.levels("X")
            await other.feed("X", [trade(0, 105.0)], source="file")
            assert [level.price for level in await mine.levels("X")] == [100.0]
            assert [level.price for level in await other.levels("X")] == [105.0]
            await whole(mine)
            await whole(other)

    drive(working())


def test_a_level_may_be_an_end_of_evidence(tmp_path: Path) -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("X", [trade(0)])
        await memory.add_star("Calm", domain="soul", at=NOON - DAY)
        receipt = await memory.observe("X@100.0", "calm", "user_creates", at=NOON - DAY)
        assert receipt.after == 0.15
        assert [link.id for link in await memory.links("X@100.0")] == ["X@100.0~calm"]
        assert (await memory.why("calm", "X@100.0")).total == pytest.approx(0.15)
        for level in ("X@7.0", "Y@100.0", "X@100"):
            with pytest.raises(UnknownError) as refused:
                await memory.observe(level, "calm", "user_creates")
            assert is_told_well(refused.value)
        await memory.advance(days=2, discover=True)
        assert [star.id for star in await memory.nodes()] == ["calm"]

    async def again(memory: Memory) -> None:
        store_checkpoint(store)
        await memory.observe("calm", "X@100.0", "user_confirms")
        assert len(await memory.links()) == 1

    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        run(work, store)
        run(again, store)


def test_evidence_sees_a_level_of_a_symbol_that_has_to_be_folded_anew() -> None:
    async def work(memory: Memory) -> None:
        await memory.add_star("Calm", domain="soul")
        await memory.feed("X", [trade(100)], source="new", lateness=0)
        assert (await memory.feed("X", [trade(0, 105.0)], source="old", lateness=0)).stale
        assert (await memory.observe("X@105.0", "calm", "user_creates")).after == 0.15

    run(work)


# Bad input


def columns(**more: object) -> dict[str, object]:
    return {"kind": "trade", "at": np.array([START]), "price": np.array([100.0]), "usd": 5.0} | more


REFUSED: dict[str, Callable[[Memory], Awaitable[object]]] = {
    "a time to come": lambda memory: memory.feed("X", [trade(0), trade(86_400 * 400)]),
    "a time to come, of a book": lambda memory: memory.feed("X", [resting(0), resting(86_400 * 400)]),
    "no text as symbol": lambda memory: memory.feed(cast(str, 5), [trade(0)]),
    "no symbol": lambda memory: memory.feed("", [trade(0)]),
    "a symbol of two lines": lambda memory: memory.feed("A\nB", [trade(0)]),
    "a symbol with @": lambda memory: memory.feed("A@B", [trade(0)]),
    "a symbol with ~": lambda memory: memory.feed("A~B", [trade(0)]),
    "no batch": lambda memory: memory.feed("X", cast(list[Row], 5)),
    "columns of two lengths": lambda memory: memory.feed("X", columns(price=[1.0, 2.0])),
    "no column": lambda memory: memory.feed("X", columns(colour=[1.0])),
    "a malformed row, strictly": lambda memory: memory.feed("X", [trade(0), trade(0, -1.0)], strict=True),
    "a nan, strictly": lambda memory: memory.feed("X", [trade(0, math.nan)], strict=True),
    "before 1900, strictly": lambda memory: memory.feed("X", [trade(-5e9)], strict=True),
    "an unknown unit": lambda memory: memory.feed("X", [trade(0)], unit="h"),
    "another unit, strictly": lambda memory: memory.feed("X", [trade(START * 1e6)], strict=True),
    "no text as source": lambda memory: memory.feed("X", [trade(0)], source=cast(str, ["file"])),
    "an empty source": lambda memory: memory.feed("X", [trade(0)], source=""),
    "an offset below 0": lambda memory: memory.feed("X", [trade(0)], source="file", offset=-1),
    "half an offset": lambda memory: memory.feed("X", [trade(0)], source="file", offset=cast(int, 0.5)),
    "an offset beyond all": lambda memory: memory.feed("X", [trade(0)], source="file", offset=2**70),
    "an offset of nothing": lambda memory: memory.feed("X", [trade(0)], offset=3),
    "a lateness below 0": lambda memory: memory.feed("X", [trade(0)], lateness=-1),
    "a lateness of nan": lambda memory: memory.feed("X", [trade(0)], lateness=math.nan),
    "a lateness of text": lambda memory: memory.feed("X", [trade(0)], lateness=cast(float, "2")),
    "a lateness of days": lambda memory: memory.feed("X", [trade(0)], lateness=1e6),
    "fed of no symbol": lambda memory: memory.fed(cast(str, ["X"]), "file"),
    "fed of no source": lambda memory: memory.fed("K", cast(str, None)),
    "levels of no symbol": lambda memory: memory.levels(cast(str, ["K"])),
    "levels in time to come": lambda memory: memory.levels("K", at=NOON + DAY),
    "levels near nan": lambda memory: memory.levels("K", near=math.nan),
    "levels within nothing": lambda memory: memory.levels("K", within_bps=5.0),
    "levels of a colour": lambda memory: memory.levels("K", side="red"),
    "the nearest to nothing": lambda memory: memory.nearest("K", 0.0),
    "none of the nearest": lambda memory: memory.nearest("K", 100.0, 0),
    "clusters below 0": lambda memory: memory.clusters("K", gap_bps=-1.0),
    "gaps of nan": lambda memory: memory.gaps("K", gap_bps=math.nan),
    "half a bin": lambda memory: memory.density("K", bins=cast(int, 0.5)),
    "no steps": lambda memory: memory.replay("K", steps=0),
    "half a step": lambda memory: memory.replay("K", steps=cast(int, 2.5)),
    "no levels": lambda memory: memory.replay("K", most=0),
    "some levels": lambda memory: memory.replay("K", most=cast(int, "some")),
    "a replay of nothing": lambda memory: memory.replay("Y"),
    "a replay of time to come": lambda memory: memory.replay("K", end=NOON + DAY),
    "a replay from never": lambda memory: memory.replay("K", start="never"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_refused_and_nothing_is_written(case: str) -> None:
    store = InMemoryStore()

    async def work(memory: Memory) -> None:
        await memory.feed("K", [trade(0)])
        before = contents(store)
        with pytest.raises(AsterismError) as refused:
            await REFUSED[case](memory)
        assert is_told_well(refused.value)
        assert contents(store) == before
        assert not (await memory.feed("K", [trade(1)])).stale

    run(work, store)


def test_malformed_rows_are_named_and_counted_and_the_others_taken() -> None:
    rows: list[Row] = [trade(0), trade(1, math.nan), {"kind": "trade"}, trade(2, usd=-5.0), trade(3)]

    async def work(memory: Memory) -> None:
        report = await memory.feed("X", rows, source="file", lateness=0)
        assert (report.used, report.malformed) == (2, 3)
        assert [bad.row for bad in report.bad_rows] == [1, 2, 3]
        assert [(each.events, each.malformed) for each in await memory.symbols()] == [(2, 3)]
        nothing = await memory.feed("Y", [{"kind": "trade"}])
        assert (nothing.used, nothing.malformed) == (0, 1)
        assert [each.symbol for each in await memory.symbols()] == ["X"]

    run(work)


# Order books


def resting(second: float, usd: float = 500_000.0, price: float = 100.0) -> Row:
    return {"kind": "book", "at": START + second, "price": price, "usd": usd, "side": "bid"}


def test_what_rests_in_a_book_becomes_persistence() -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("X", [resting(0), resting(5, price=90.0, usd=10.0)], lateness=0)
        assert await memory.symbols() == []  # nothing is due yet
        await memory.feed("X", [resting(25, usd=0.0)], lateness=0)
        (level,) = await memory.levels("X", at=then(25))
        assert (level.reason, level.side, level.price) == ("persistence", "bid", 100.0)
        assert level.strength == pytest.approx(0.3 + 0.01 * 25)
        assert level.interactions == 1

    run(work)


def test_any_event_moves_the_time_of_a_book_on() -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("X", [resting(0)], lateness=0)
        await memory.feed("X", [price(30, 101.0)], lateness=0)
        assert [level.reason for level in await memory.levels("X")] == ["persistence"]

    run(work)


def test_book_events_have_no_offset_of_a_source() -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("X", [price(30, 101.0)], source="path", lateness=0)
        with pytest.raises(InputError, match="cannot be counted"):
            await memory.feed("X", [resting(40)], source="path", lateness=0)
        assert await memory.fed("X", "path") == 1

    run(work)


def test_opened_again_a_book_begins_new_episodes() -> None:
    store = InMemoryStore()

    async def first(memory: Memory) -> None:
        await memory.feed("X", [resting(0), resting(20)], lateness=0)

    async def second(memory: Memory) -> None:
        await memory.feed("X", [resting(30), resting(45, usd=0.0)], lateness=0)
        (level,) = await memory.levels("X")
        assert level.interactions == 2  # one episode of 20 s, one of 15 s

    run(first, store)
    run(second, store)


def test_what_of_a_book_was_not_written_is_as_if_it_had_not_come() -> None:
    class Full(InMemoryStore):
        """A store that cannot keep what is written, when it is told so."""

        full = False

        @contextmanager
        def writing(self, space: str) -> Iterator[InMemoryWriting]:
            with super().writing(space) as writing:
                yield writing
                if self.full:
                    raise StoreError("the disk is full", code="disk_full", hint="make room")

    store = Full()

    async def work(memory: Memory) -> None:
        await memory.feed("X", [resting(0)], lateness=0)
        with pytest.raises(InputError, match="future"):
            await memory.feed("X", [resting(12), resting(86_400 * 400)], lateness=0)
        store.full = True
        with pytest.raises(StoreError):
            await memory.feed("X", [resting(12)], lateness=0)
        store.full = False
        await memory.feed("X", [resting(12)], lateness=0)
        assert [level.strength for level in await memory.levels("X")] == [pytest.approx(0.4)]

    run(work, store)


# Much of it


class Counting(SQLiteStore):
    """A store that counts the market items read from it."""

    read = 0

    def items(self, space: str, **how: object) -> list[Stored]:
        found = super().items(space, **how)  # type: ignore[arg-type]
        self.read += sum(stored.item.what == "market" for stored in found)
        return found


def many(size: int) -> dict[str, object]:
    chance = np.random.default_rng(3)
    return {
        "kind": "trade",
        "at": START + np.sort(chance.uniform(0, 86_400, size)),
        "price": np.round(50_000 * np.exp(np.cumsum(chance.normal(0, 1e-5, size))), 1),
        "usd": np.round(chance.exponential(500, size), 2),
    }


def test_many_events_are_several_items_and_open_again_from_a_checkpoint(tmp_path: Path) -> None:
    async def feeding(memory: Memory) -> None:
        report = await memory.feed("X", many(300_000), source="day", lateness=0)
        assert report.used == await memory.fed("X", "day") == 300_000
        stats = await memory.stats()
        assert (stats.items, stats.checkpoints) == ({"market": 5}, 1)
        found.extend(await memory.levels("X"))

    async def again(memory: Memory) -> None:
        assert await memory.levels("X") == found
        assert store.read == 0
        await memory.feed("X", [trade(90_000, 50_000.0)], source="day", lateness=0)
        assert store.read == 0

    found: list[Level] = []
    with closing(Counting(tmp_path / "memory.db")) as store:
        drive(on(store, feeding))
        store.read = 0
        run(again, store)
    assert len(found) > 5


async def on(store: Store, work: Callable[[Memory], Coroutine[object, object, None]]) -> None:
    async with opened(store) as memory:
        await work(memory)


def test_many_small_batches_are_worth_a_checkpoint_too() -> None:
    store = InMemoryStore()

    async def work(memory: Memory) -> None:
        for second in range(0, 60, 2):
            await memory.feed("X", [trade(second), trade(second + 1)], source="file", lateness=0)
        live = Live(store, "me", clock=lambda: 0)
        live.refresh()
        live.checkpoint_if_due(at_least=30)
        assert (await memory.stats()).checkpoints == 1

    run(work, store)


def test_other_parameters_fold_the_levels_anew() -> None:
    rows = [price(0, 90.0), *(trade(second, usd=5_000.0) for second in range(1, 6)), liquidation(9, 103.0)]

    async def working() -> None:
        async with opened(":memory:") as memory, opened(":memory:", preset="tuned") as tuned:
            for each in (memory, tuned):
                await each.feed("X", rows)
            seed = await memory.levels("X")
            await memory.configure(preset="tuned")
            assert await whole(memory) == await whole(tuned)
            assert await memory.levels("X") != seed
            await memory.configure(preset="seed")
            assert await memory.levels("X") == seed

    drive(working())


def test_what_has_an_at_sign_may_be_a_star_and_an_old_link_of_a_level_can_say_why() -> None:
    async def work(memory: Memory) -> None:
        await memory.add_star("me@home", domain="soul")
        assert (await memory.why("me@home")).number == "brightness"
        await memory.feed("X", [trade(0)], lateness=0)
        (level,) = await memory.levels("X")
        await memory.observe(level.id, "me@home", "user_creates")
        await memory.advance(days=1)
        told = (await memory.why(level.id, "me@home")).total
        assert told > 0
        assert (await memory.why(level.id)).number == "strength"

    run(work)

"""Market batches in whatever order they come are the same memory, and none is counted twice."""

from __future__ import annotations

from collections.abc import Collection
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.levels.book import LevelBook
from asterism.core.levels.model import Level
from asterism.engine.memory import Memory
from asterism.errors import InputError
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Stored
from asterism.sync import drive
from tests.support.batches import Sent, cut, files, lanes, trade, turns
from tests.support.markets import run, send, then, whole
from tests.support.memories import DAY, NOON, is_told_well, opened, store_checkpoint

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


@settings(max_examples=15)
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


@settings(max_examples=10)
@given(stories(), st.lists(st.integers(0, 1), min_size=1))
def test_two_that_write_one_file_see_the_same_memory(story: Story, turn: list[int]) -> None:
    async def writing(path: Path) -> None:
        async with opened(path) as one, opened(path) as other:
            for what, number in zip(served(story), cycle(turn), strict=False):
                await act((one, other)[number], what)
            assert await whole(one) == await whole(other) == await told_in_order(story)

    with TemporaryDirectory() as folder:
        drive(writing(Path(folder) / "memory.db"))


@settings(max_examples=12)
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
            of_markets = "market" in cast(Collection[str], how.get("only") or ())
            writer, self.other = (self.other, None) if of_markets else (None, self.other)
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


@settings(max_examples=15)
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

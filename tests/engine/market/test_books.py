"""Order books turned into persistence, and markets large enough for checkpoints and the compiled book."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from asterism.core.levels.model import Level
from asterism.engine.memory import Memory
from asterism.engine.space.live import Live
from asterism.errors import InputError, StoreError
from asterism.store.in_memory import InMemoryStore
from asterism.store.in_memory_writing import InMemoryWriting
from asterism.store.port import Store, Stored
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.batches import START, liquidation, price, trade
from tests.support.markets import resting, run, then, whole
from tests.support.memories import opened

# Order books


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
    rows = [
        price(0, 90.0),
        *(trade(second, usd=5_000.0) for second in range(1, 6)),
        liquidation(9, 103.0),
        liquidation(9.5, 103.0),
    ]

    async def working() -> None:
        async with opened(":memory:") as memory, opened(":memory:", preset="rule3") as other:
            for each in (memory, other):
                await each.feed("X", rows)
            seed = await memory.levels("X")
            await memory.configure(preset="rule3")
            assert await whole(memory) == await whole(other)
            assert await memory.levels("X") != seed
            await memory.configure(preset="seed")
            assert await memory.levels("X") == seed

    drive(working())

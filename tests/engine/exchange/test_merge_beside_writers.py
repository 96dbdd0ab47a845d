"""Merging an open memory: it is read where its own work is done, whoever writes to it meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from asterism.engine.memory import Memory
from asterism.errors import AsterismError
from asterism.store.port import Writing
from asterism.store.sqlite import SQLiteStore
from asterism.sync import Memory as SyncMemory
from tests.support.memories import NOON, contents

WRITES = 200


class HeldStore(SQLiteStore):
    """A store that notes which threads read it, and lets a transaction be held open before it fails."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.readers: set[int] = set()
        self.failing = False
        self.open = threading.Event()  # a transaction that has written, and not committed
        self.let_go = threading.Event()

    def spaces(self) -> list[str]:
        self.readers.add(threading.get_ident())
        return super().spaces()

    @contextmanager
    def writing(self, space: str) -> Iterator[Writing]:  # type: ignore[override]  # the protocol asks for no more
        with super().writing(space) as writing:
            yield writing
            if self.failing:
                self.open.set()
                self.let_go.wait()
                raise AsterismError("it fails at the end", code="failed")


def opened(path: Path | SQLiteStore) -> Memory:
    return Memory.open(path, space="me", clock=NOON, embedder="hashed")


async def write(memory: Memory, number: int) -> None:
    at = NOON - timedelta(minutes=number)
    await memory.set_brightness("sleep", 0.2 + 0.001 * number, at=at, source=f"writer {number}")


async def begun(memory: Memory) -> None:
    await memory.add_star("Sleep", domain="health", at=NOON - timedelta(days=1))


def ids(path: Path) -> set[bytes]:
    with closing(SQLiteStore(path, read_only=True)) as store:
        return {each.item.id for each in contents(store)}


def test_many_writes_to_a_memory_that_is_being_merged_all_succeed(tmp_path: Path) -> None:
    mine, other = tmp_path / "a.db", tmp_path / "b.db"

    async def scenario() -> None:
        async with opened(mine) as a, opened(other) as b:
            await begun(b)
            await b.learn_many([f"On evening {number} Ada drank {number} cups of tea" for number in range(150)])
            await b.dream()  # there are vectors to be read too, in a transaction
            writes = (write(b, number) for number in range(WRITES))
            await asyncio.gather(*(a.merge(b) for _ in range(15)), *writes)
            assert (await b.stats()).items["brightness_observed"] == WRITES
            assert ids(mine) <= ids(other)
            await a.merge(b)
            assert (await a.verify()).digest == (await b.verify()).digest

    asyncio.run(scenario())
    assert ids(mine) == ids(other)


def test_what_the_other_rolls_back_is_not_merged(tmp_path: Path) -> None:
    mine, other = tmp_path / "a.db", tmp_path / "b.db"

    async def scenario() -> None:
        store = HeldStore(other)
        async with opened(mine) as a, opened(store) as b:
            await begun(b)
            store.failing = True
            failing = asyncio.create_task(write(b, 1))
            await asyncio.to_thread(store.open.wait)
            merging = asyncio.create_task(a.merge(b))
            store.readers.clear()
            threads = {thread.ident for thread in threading.enumerate()}
            asyncio.get_running_loop().call_soon(store.let_go.set)
            assert (await merging).added == 1
            with pytest.raises(AsterismError, match="fails at the end"):
                await failing
            own = await b._runner.run(threading.get_ident)
            assert store.readers == {own} <= threads
        store.close()

    asyncio.run(scenario())
    assert ids(mine) == ids(other)


def test_two_memories_that_merge_each_other_at_once_end_equal(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "a.db") as a, opened(tmp_path / "b.db") as b:
            await begun(a)
            await begun(b)
            for number in range(20):
                await write(a if number % 2 else b, number)
                await asyncio.gather(a.merge(b), b.merge(a), a.merge(a))
            assert (await a.verify()).digest == (await b.verify()).digest

    asyncio.run(scenario())
    assert ids(tmp_path / "a.db") == ids(tmp_path / "b.db")


def test_synchronous_memories_of_two_threads_merge_each_other_while_both_write(tmp_path: Path) -> None:
    def work(mine: SyncMemory, other: SyncMemory, numbers: range) -> None:
        for number in numbers:
            at = NOON - timedelta(minutes=number)
            mine.set_brightness("sleep", 0.2 + 0.001 * number, at=at)
            if number % 10 == 0:
                mine.merge(other)

    with (
        Memory.open_sync(tmp_path / "a.db", space="me", clock=NOON, embedder="hashed") as a,
        Memory.open_sync(tmp_path / "b.db", space="me", clock=NOON, embedder="hashed") as b,
        ThreadPoolExecutor(2) as threads,
    ):
        for each in (a, b):
            each.add_star("Sleep", domain="health", at=NOON - timedelta(days=1))
        done = [threads.submit(work, a, b, range(100)), threads.submit(work, b, a, range(100, 200))]
        for every in done:
            every.result()
        a.merge(b)
        b.merge(a)
        assert a.verify().digest == b.verify().digest
    assert len(ids(tmp_path / "a.db")) == 201


def test_a_synchronous_memory_merges_one_that_an_event_loop_uses(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "b.db") as b:
            await begun(b)
            with Memory.open_sync(tmp_path / "a.db", space="me", clock=NOON) as a:
                assert SyncMemory.merge(a, b).added == 1  # type: ignore[arg-type]  # the faces are typed apart

    asyncio.run(scenario())


def test_a_memory_that_an_event_loop_uses_merges_a_synchronous_one_and_the_loop_goes_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        with Memory.open_sync(tmp_path / "b.db", space="me", clock=NOON) as b:
            b.add_star("Sleep", domain="health", at=NOON - timedelta(days=1))
            async with opened(tmp_path / "a.db") as a:
                with b._async._runner.turn:  # type: ignore[attr-defined]  # another thread is at its turn
                    merging = asyncio.create_task(a.merge(b))  # type: ignore[arg-type]  # the faces are typed apart
                    await asyncio.sleep(0)
                    assert not merging.done()
                assert (await merging).added == 1
                assert (await a.merge(b)).added == 0  # type: ignore[arg-type]

    asyncio.run(scenario())


def test_a_memory_that_is_closed_cannot_be_merged(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "b.db") as b:
            await begun(b)
        async with opened(tmp_path / "a.db") as a:
            with pytest.raises(AsterismError) as refused:
                await a.merge(b)
            assert refused.value.code == "closed"
            assert (await a.stats()).items == {}
        with pytest.raises(AsterismError) as refused:
            await a.merge(tmp_path / "b.db")
        assert refused.value.code == "closed"

    asyncio.run(scenario())

"""From opening to closing: threads, event loops, forks, copies, and memories that nobody closed."""

from __future__ import annotations

import asyncio
import gc
import inspect
import io
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from asterism.embed import CallableEmbedder
from asterism.engine.memory import Memory
from asterism.errors import AsterismError
from tests.support.memories import DAY, NOON, AnyMemory, is_told_well, remembering
from tests.support.paths import ROOT
from tests.support.slow_embedder import Held

Work = Callable[[], object]


def opened(path: Path | str) -> Memory:
    return Memory.open(path, space="me", clock=NOON, embedder="hashed")


def refused(work: Work, code: str) -> None:
    with pytest.raises(AsterismError) as told:
        work()
    assert told.value.code == code
    assert is_told_well(told.value)


# Closed

ARGUMENTS: dict[str, object] = {
    "a": "sleep",
    "answer": ["0123456789abcdef"],
    "at": NOON - DAY,
    "b": "mood",
    "content": "Ada likes tea.",
    "diary": "left.csv",
    "domain": "soul",
    "events": [],
    "facts": ["Ada likes tea."],
    "id": "sleep",
    "ids": ["sleep"],
    "kind": "user_confirms",
    "lines_or_path": ["Ann: hello"],
    "name": "sleep",
    "nodes": ["sleep"],
    "parts": ["tea"],
    "path": "left.jsonl",
    "paths": "left.csv",
    "price": 50_000.0,
    "query": "tea",
    "rows": [("sleep", "mood", "user_confirms")],
    "session": "night",
    "signal": 0.5,
    "slot": "city",
    "source": "left.csv",
    "subject": "sleep",
    "symbol": "BTC",
    "target": "left.db",
    "texts": ["tea"],
    "value": 0.5,
    "values": {"sleep": 0.5},
    "without": "sleep",
}
CALLS = sorted(
    name for name, _ in inspect.getmembers(Memory, inspect.iscoroutinefunction) if name[0] != "_" and name != "close"
)


def called(memory: AnyMemory, name: str, folder: Path) -> object:
    """Make a call with the arguments that it needs."""
    method = getattr(memory, name)
    known: dict[str, object] = ARGUMENTS | {"other": folder / "other.db"}
    needed = [each for each in inspect.signature(method).parameters.values() if each.default is each.empty]
    given = [each for each in needed if each.name != "self"]
    args = [
        known.get(each.name, "tea") for each in given if each.kind in (each.POSITIONAL_OR_KEYWORD, each.VAR_POSITIONAL)
    ]
    return method(*args, **{each.name: known.get(each.name, "tea") for each in given if each.kind is each.KEYWORD_ONLY})


@pytest.mark.parametrize("name", CALLS)
def test_a_call_after_closing_is_refused(tmp_path: Path, name: str) -> None:
    with remembering(":memory:") as memory:
        pass
    refused(lambda: called(memory, name, tmp_path), "closed")

    async def scenario() -> None:
        async with opened(":memory:") as awaited:
            pass
        with pytest.raises(AsterismError) as told:
            await called(awaited, name, tmp_path)  # type: ignore[misc]  # a coroutine
        assert told.value.code == "closed"

    asyncio.run(scenario())


def test_a_memory_is_closed_as_often_as_one_likes_and_by_several_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        memory = opened(tmp_path / "memory.db")
        async with memory:
            await asyncio.gather(*(memory.close() for _ in range(5)))
        await memory.close()

    asyncio.run(scenario())
    with remembering(tmp_path / "memory.db") as memory, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: memory.close(), range(8)))


def test_whoever_closes_waits_for_the_call_that_is_under_way(tmp_path: Path) -> None:
    slow = Held()
    with remembering(tmp_path / "memory.db", embedder=slow.embedder) as memory, ThreadPoolExecutor(3) as pool:
        memory.learn("Ada likes tea.")
        asking = pool.submit(memory.recall, "tea")
        slow.inside.wait()
        closing = pool.submit(memory.close)
        waiting = pool.submit(memory.learn, "It rains.")
        assert not closing.done()
        slow.go_on.set()
        assert asking.result().hits
        closing.result()
        error = waiting.exception()  # it had its turn before, or came too late
        assert error is None or (isinstance(error, AsterismError) and error.code == "closed")
        refused(memory.stats, "closed")
    with remembering(tmp_path / "memory.db", embedder=slow.embedder) as memory:
        assert len(memory.blocks()) == 1 + (error is None)


def test_a_memory_that_is_open_may_be_entered_again() -> None:
    with remembering(":memory:") as memory, memory as same:
        same.learn("Ada likes tea.")
        assert same.blocks() == memory.blocks() != []


def test_a_close_that_is_cancelled_is_made_after_the_call_that_is_under_way(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"

    async def scenario() -> None:
        memory = await opened(path).__aenter__()
        inside, go_on = threading.Event(), threading.Event()

        def hold() -> threading.Thread:
            inside.set()
            go_on.wait()
            return threading.current_thread()

        held = asyncio.create_task(memory._runner.run(hold))
        await asyncio.to_thread(inside.wait)
        closing = asyncio.create_task(memory.close())
        await asyncio.sleep(0)  # it is in the row now
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing  # at once, though the call is under way
        assert not held.done()
        with pytest.raises(AsterismError) as told:
            await memory.learn("It rains.")
        assert told.value.code == "closed"
        go_on.set()
        await memory.close()  # waits for the one that was cancelled
        (await held).join()
        assert handles(path) == []

    asyncio.run(scenario())


# Loops and calls within calls


def test_two_event_loops_use_one_memory(tmp_path: Path) -> None:
    together = threading.Barrier(2)

    async def work(memory: Memory, name: str) -> None:
        together.wait()
        for number in range(20):
            await memory.learn(f"Note {number} of {name}.", at=NOON - DAY)
            await memory.recall("note")
        await memory.explore("note", deadline=3_600)

    async def scenario() -> None:
        async with opened(tmp_path / "memory.db") as memory:
            with ThreadPoolExecutor(2) as pool:
                loops = [pool.submit(asyncio.run, work(memory, name)) for name in ("one", "two")]
                await asyncio.gather(*map(asyncio.wrap_future, loops))
            assert (await memory.stats()).items["learned"] == 40
            assert (await memory.verify()).ok

    asyncio.run(scenario())


def test_a_memory_outlives_the_loop_that_opened_it(tmp_path: Path) -> None:
    memory = opened(tmp_path / "memory.db")
    asyncio.run(memory.__aenter__())
    asyncio.run(memory.learn("Ada likes tea."))
    assert len(asyncio.run(memory.blocks())) == 1
    asyncio.run(memory.close())


@pytest.mark.parametrize("place", [":memory:", "memory.db"])
def test_a_write_from_within_a_write_is_refused_and_harms_nothing(tmp_path: Path, place: str) -> None:
    path = place if place == ":memory:" else tmp_path / place

    with remembering(":memory:") as other:
        other.learn_many(["Ada likes tea.", "The tram is late."])
        ledger = other.export().text.encode()
    items = ledger.index(b"\n") + 1  # where they begin

    class Meddling(io.BytesIO):
        """Gives a line at a time; those of items are read while the transaction is open."""

        def readline(self, size: int | None = -1, /) -> bytes:
            if self.tell() >= items:
                memory.learn("From within.")
            return super().readline(size)

        def read(self, _: int | None = -1, /) -> bytes:
            return self.readline()

    with remembering(path) as memory:
        refused(lambda: memory.import_(Meddling(ledger)), "within_a_call")
        assert memory.learn("It rains.").status == "new"
        assert [block.content for block in memory.blocks()] == ["It rains."]
        assert memory.verify().ok


def test_a_memory_that_is_awaited_is_not_waited_for_by_its_own_thread() -> None:
    told: list[AsterismError] = []

    async def scenario() -> None:
        def embed(texts: Sequence[str]) -> list[list[float]]:
            try:
                asyncio.run(memory.stats())
            except AsterismError as error:
                told.append(error)
            return [[1.0, 0.0] for _ in texts]

        embedder = CallableEmbedder(embed, name="meddling", dimension=2)
        async with Memory.open(":memory:", space="me", clock=NOON, embedder=embedder) as memory:
            await memory.learn("Ada likes tea.")
            assert (await memory.recall("tea")).hits

    asyncio.run(scenario())
    assert {error.code for error in told} == {"within_a_call"}


# Cancelled


def test_a_write_that_is_cancelled_before_its_turn_is_not_made_and_is_counted(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "memory.db") as memory:
            inside, go_on = threading.Event(), threading.Event()

            def hold() -> None:
                inside.set()
                go_on.wait()

            held = asyncio.create_task(memory._runner.run(hold))
            await asyncio.to_thread(inside.wait)
            writing = asyncio.create_task(memory.learn("Ada likes tea."))
            await asyncio.sleep(0)
            writing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await writing
            go_on.set()
            await held
            counted = await memory.stats()
            assert (counted.cancelled_calls, counted.cancelled_writes) == (1, 0)
            assert await memory.blocks() == []

    asyncio.run(scenario())


def test_a_write_that_is_cancelled_while_it_is_made_is_made_and_counted(tmp_path: Path) -> None:
    inside, go_on = threading.Event(), threading.Event()

    def clock() -> object:
        if ready:
            inside.set()
            go_on.wait()
        return NOON

    ready: list[bool] = []

    async def scenario() -> None:
        path = tmp_path / "memory.db"
        async with Memory.open(path, space="me", clock=clock, embedder="hashed") as memory:  # type: ignore[arg-type]
            ready.append(True)
            writing = asyncio.create_task(memory.learn("Ada likes tea."))
            await asyncio.to_thread(inside.wait)
            writing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await writing
            go_on.set()
            assert len(await memory.blocks()) == 1  # after it, in its turn
            counted = await memory.stats()
            assert (counted.cancelled_calls, counted.cancelled_writes) == (1, 1)
            assert (await memory.verify()).ok

    asyncio.run(scenario())


def test_ctrl_c_is_counted_and_whether_something_may_have_been_written() -> None:
    def stop(share: float, count: int) -> None:
        raise KeyboardInterrupt

    with remembering(":memory:") as memory:
        memory.learn_many([f"Note {number} of tea." for number in range(10)])
        with pytest.raises(KeyboardInterrupt):
            memory.dream(progress=stop)
        counted = memory.stats()
        assert counted.cancelled_calls == 1
        assert counted.cancelled_writes in (0, 1)
        assert memory.verify().ok
        assert memory.dream().remaining == 0


# Left alone


def handles(path: Path) -> list[str]:
    """Name what this process has open of a file."""
    links = [link for link in Path("/proc/self/fd").glob("*") if link.is_symlink()]
    return [str(link.readlink()) for link in links if path.name in str(link.readlink())]


def test_a_memory_that_nobody_closed_closes_its_file_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "left.db"
    memory = remembering(path).__enter__()
    memory.learn("Ada likes tea.")
    held = [memory]
    del memory
    with pytest.warns(ResourceWarning, match="unclosed memory"):
        held.clear()
    assert handles(path) == []
    assert not path.with_name("left.db-wal").exists()
    with remembering(path) as memory:
        assert memory.recall("tea").hits


def left(scenario: Callable[[], Coroutine[object, object, threading.Thread]]) -> threading.Thread:
    """Run something, and collect what it left."""
    thread = asyncio.run(scenario())
    gc.collect()
    return thread


def test_a_memory_that_was_awaited_and_left_leaves_no_thread(tmp_path: Path) -> None:
    path = tmp_path / "left.db"

    async def scenario() -> threading.Thread:
        memory = opened(path)
        await memory.__aenter__()
        await memory.learn("Ada likes tea.")
        return await memory._runner.run(threading.current_thread)

    with pytest.warns(ResourceWarning, match="unclosed memory"):
        thread = left(scenario)
    thread.join()
    assert handles(path) == []
    assert not path.with_name("left.db-wal").exists()


def test_a_memory_that_was_closed_goes_without_a_word(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    for place in (tmp_path / "memory.db", ":memory:"):
        memory = remembering(place)
        with memory:
            memory.learn("Ada likes tea.")
        del memory
    del place
    gc.collect()
    assert [str(each.message) for each in recwarn if "unclosed" in str(each.message)] == []


LEFT_OPEN = """
import sys
from asterism import Memory
memory = Memory.open_sync(sys.argv[1], space="me").__enter__()
memory.add_star("Sleep", domain="soul")
"""


def test_python_ends_with_a_memory_open_and_leaves_no_log(tmp_path: Path) -> None:
    path = tmp_path / "left.db"
    ran = subprocess.run([sys.executable, "-c", LEFT_OPEN, str(path)], cwd=ROOT, capture_output=True, check=True)
    assert ran.stderr == b""
    assert sorted(each.name for each in tmp_path.iterdir()) == ["left.db"]

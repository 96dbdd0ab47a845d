"""The spaces that are held open: each by one memory, one call at a time; a long job has a memory of its own.

A call waits for its turn in its space alone, so that a slow space holds up no other. Of the spaces that nobody uses
the one that was used longest ago is let go when there are too many.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from asterism.entry.http.failure import TooMuchError

if TYPE_CHECKING:
    from asterism.engine.memory import Memory as AsyncMemory
    from asterism.engine.space.vectors import EmbedderSpec
    from asterism.store.port import Store
    from asterism.sync import Memory

Result = TypeVar("Result")
HELD = 100  # spaces at once
WAITING = 256  # calls of a space that wait for their turn
JOBS_WAITING = 16
THREADS, JOB_THREADS = 32, 4


class Held:
    """One space, its memory opened when it is first needed."""

    def __init__(self, opened: Callable[[], Memory]) -> None:
        self._opened = opened
        self._memory: Memory | None = None
        self.turn = asyncio.Lock()
        self.waiting = 0

    def memory(self) -> Memory:
        """Give the memory, open."""
        if self._memory is None:
            memory = self._opened()
            memory.__enter__()
            self._memory = memory
        return self._memory

    def store(self) -> Store:
        """Give the store that its memory writes to."""
        return self._inside()._open().store

    def _inside(self) -> AsyncMemory:
        inside: AsyncMemory = self.memory()._async  # type: ignore[attr-defined]  # behind the synchronous face
        return inside

    @contextmanager
    def together(self) -> Iterator[Store]:
        """Make what the memory writes, and what is written to its store, durable together."""
        store = self.store()
        try:
            with store.together():
                yield store
        except BaseException:
            self._inside()._begin_anew()  # it may hold what was not written
            raise

    def close(self) -> None:
        """Let go of it."""
        if self._memory is not None:
            self._memory.__exit__(None, None, None)
            self._memory = None


class Spaces:
    """All spaces of a file that are held open."""

    def __init__(self, db: str | Path, *, embedder: EmbedderSpec = None, held: int = HELD) -> None:
        self.db, self._embedder, self._most = db, embedder, held
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._threads = ThreadPoolExecutor(THREADS, "asterism-call")
        self._jobs = ThreadPoolExecutor(JOB_THREADS, "asterism-job")
        self._jobs_waiting = 0

    def __len__(self) -> int:
        return len(self._held)

    @property
    def waiting(self) -> int:
        """How many calls and jobs wait or run."""
        return self._jobs_waiting + sum(held.waiting for held in self._held.values())

    def _open(self, space: str) -> Memory:
        from asterism.engine.memory import Memory

        return Memory.open_sync(self.db, space=space, embedder=self._embedder)

    async def call(self, space: str, work: Callable[[Held], Result]) -> Result:
        """Do something with a space, when it is its turn."""
        held = self._held.get(space)
        if held is None:
            held = self._held[space] = Held(lambda: self._open(space))
        self._held.move_to_end(space)
        if held.waiting >= WAITING:
            raise TooMuchError("too many calls wait for this space", code="too_many_calls", item=space)
        held.waiting += 1
        try:
            async with held.turn:
                return await self._in(self._threads, lambda: work(held))
        finally:
            held.waiting -= 1
            await self._let_go_of_some()

    async def job(self, space: str, work: Callable[[Held], Result]) -> Result:
        """Do something long with a memory of its own; the space goes on answering meanwhile."""
        if self._jobs_waiting >= JOBS_WAITING:
            raise TooMuchError("too many long jobs are under way", code="too_many_jobs", item=space, seconds=10)
        held = Held(lambda: self._open(space))

        def whole() -> Result:
            try:
                return work(held)
            finally:
                held.close()

        self._jobs_waiting += 1
        try:
            return await self._in(self._jobs, whole)
        finally:
            self._jobs_waiting -= 1

    async def _in(self, threads: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
        """Do it in a thread, to its end: what has begun is not left alone, whoever goes away."""
        future = asyncio.get_running_loop().run_in_executor(threads, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            await asyncio.wait([future])
            raise

    async def _let_go_of_some(self) -> None:
        """Let go of idle ones; each is looked for anew, since others call and let go of spaces meanwhile."""
        while len(self._held) > self._most:
            idle = next((name for name, held in self._held.items() if not held.waiting), None)
            if idle is None:
                return
            held = self._held.pop(idle)
            async with held.turn:
                await self._in(self._threads, held.close)

    async def close(self) -> None:
        """Let go of all, when what is under way has ended."""
        for held in list(self._held.values()):
            async with held.turn:
                await self._in(self._threads, held.close)
        self._held.clear()
        self._threads.shutdown()
        self._jobs.shutdown()


def opening(held: Held, check: Callable[[bool], None]) -> Callable[..., AbstractContextManager[Memory]]:
    """Give the memory of a space to whoever passes a check for what it wants."""

    @contextmanager
    def memory(*, changes: bool) -> Iterator[Memory]:
        check(changes)
        yield held.memory()

    return memory

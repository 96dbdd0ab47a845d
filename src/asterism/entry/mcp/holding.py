"""The memory behind a server: opened when it is first needed, one for all calls, closed at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asterism.engine.memory import Memory
    from asterism.engine.space.vectors import EmbedderSpec


class Holding:
    """Holds a memory open; one that cannot be opened is tried again at the next call."""

    def __init__(self, open_memory: Callable[[], Memory]) -> None:
        self._open_memory = open_memory
        self._memory: Memory | None = None
        self._lock = asyncio.Lock()
        self._ahead: asyncio.Task[None] | None = None

    async def memory(self) -> Memory:
        """Give the memory, open."""
        async with self._lock:
            if self._memory is None:
                memory = await asyncio.to_thread(self._open_memory)  # loads the engine: the client may go on
                await memory.__aenter__()
                self._memory = memory
            return self._memory

    def open_ahead(self) -> None:
        """Begin to open it, so that the first call finds it open."""
        if self._memory is None and self._ahead is None:
            self._ahead = asyncio.create_task(self._try())

    async def _try(self) -> None:
        with suppress(Exception):  # the first call will say what is wrong
            await self.memory()

    async def close(self) -> None:
        """Let go of it."""
        if self._ahead is not None:
            self._ahead.cancel()
            with suppress(asyncio.CancelledError):
                await self._ahead
        async with self._lock:
            if self._memory is not None:
                await self._memory.close()
                self._memory = None


def holding(
    path: str | Path,
    space: str,
    embedder: EmbedderSpec = None,
    *,
    trust_clock: bool = False,
    also_read: Sequence[str] = (),
) -> Holding:
    """Hold the memory of a file, a new one if it is not there; of its other spaces only those granted can be read."""

    def open_memory() -> Memory:
        from asterism.engine.memory import Memory

        return Memory.open(path, space=space, trust_clock=trust_clock, embedder=embedder, also_read=also_read)

    return Holding(open_memory)

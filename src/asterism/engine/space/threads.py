"""Where a memory's work is done: in one thread of its own, so that no event loop waits for the disk; or right here.

Everything of one memory runs in one place, one thing after the other, so nothing inside needs a lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

from asterism.errors import AsterismError
from asterism.hints import Hint, in_python

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def _closed(opening: str) -> AsterismError:
    inside = in_python(f"use it inside `{opening} as memory:`", otherwise="try again, or start the program anew")
    return AsterismError("the memory is not open", code="closed", hint=Hint(inside))


def _nothing() -> None:
    """Nobody holds anything yet."""


def _whole(runner: Runner, work: Callable[[], Result]) -> Result:
    """Run work; where Ctrl-C, a full memory or a fault of ours broke it off, say so to whoever holds what it left."""
    try:
        return work()
    except AsterismError:
        raise
    except BaseException:
        runner.broken_off()
        raise


class Runner(Protocol):
    """Runs work and gives its result to whoever awaits it."""

    broken_off: Callable[[], object]
    """What to do when work ended otherwise than by its result or by an error of ours: wherever it was, it left it."""

    async def run(self, work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        """Run it."""
        ...

    async def ask(self, other: Runner, work: Callable[[], Result]) -> Result:
        """Run work of another memory where that does its own, and wait for it as work here is waited for."""
        ...

    def result(self, work: Callable[[], Result]) -> Result:
        """Run it, and let the caller's thread wait."""
        ...

    def stop(self) -> None:
        """Let go of what it ran in."""
        ...

    def closed(self) -> AsterismError:
        """Say that its memory was used outside the `with` that opens it."""
        ...


class ThreadRunner:
    """Runs work in one thread of its own."""

    def __init__(self) -> None:
        from concurrent.futures import ThreadPoolExecutor  # nobody who does not await needs it

        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="asterism")
        self._stopped = False
        self.broken_off: Callable[[], object] = _nothing

    async def run(self, work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        """Run it in the thread; a cancelled caller does not undo what is under way."""
        from asyncio import get_running_loop  # which whoever awaits has loaded

        if self._stopped:
            raise self.closed()
        return await get_running_loop().run_in_executor(
            self._thread, lambda: _whole(self, lambda: work(*args, **kwargs))
        )

    async def ask(self, other: Runner, work: Callable[[], Result]) -> Result:
        """Await what another memory says; one that works in its caller's thread does so in the thread of this one."""
        return await (other.run(work) if isinstance(other, ThreadRunner) else self.run(other.result, work))

    def result(self, work: Callable[[], Result]) -> Result:
        """Run it in the thread, after what is under way there."""
        if self._stopped:
            raise self.closed()
        return self._thread.submit(_whole, self, work).result()

    def stop(self) -> None:
        """End the thread."""
        self._stopped = True
        self._thread.shutdown(wait=True)

    def closed(self) -> AsterismError:
        """Say how one that is awaited is opened."""
        return _closed("async with Memory.open(...)")


class HereRunner:
    """Runs work at once, in the caller's thread: what the synchronous face is made of. Several threads take turns."""

    def __init__(self) -> None:
        self._turn = threading.RLock()
        self.broken_off: Callable[[], object] = _nothing

    async def run(self, work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        """Run it now."""
        with self._turn:
            return _whole(self, lambda: work(*args, **kwargs))

    async def ask(self, other: Runner, work: Callable[[], Result]) -> Result:
        """Wait for what another memory says; there may be no event loop to wait in."""
        return other.result(work)

    def result(self, work: Callable[[], Result]) -> Result:
        """Run it now."""
        with self._turn:
            return _whole(self, work)

    def stop(self) -> None:
        """Nothing to end."""

    def closed(self) -> AsterismError:
        """Say how one that is not awaited is opened."""
        return _closed("with Memory.open_sync(...)")

"""Where a memory's work is done: in one thread of its own, so that no event loop waits for the disk; or right here.

Everything of one memory runs one thing after the other, whoever calls and from wherever:

    opened for       the work runs in                     whoever calls meanwhile
    --------------   ----------------------------------   ------------------------------------------
    `async with`     one thread of the memory             is put in a row, and awaits its turn
    `with`           the thread of the caller             waits for its turn, a lock

So nothing below needs a lock of its own. Memories that were given one and the same store share its turn. What cannot
work is refused in words: a memory that is closed, one that a fork left in this process, a call from within a call.
"""

from __future__ import annotations

import os
import threading
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, NoReturn, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from asterism.errors import AsterismError, InputError, MaybeWrittenError, StoreError
from asterism.hints import Hint, in_python

if TYPE_CHECKING:
    from concurrent.futures import Future

    from asterism.store.port import Store

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
UNREADABLE = {"io", "corrupt", "file_gone", "file_replaced", "file_cut", "log_gone"}  # codes of what cannot be read
ANEW = "try again, or start the program anew"

_turns: WeakKeyDictionary[object, threading.RLock] = WeakKeyDictionary()


def _nothing() -> None:
    """Nobody holds anything yet."""


def turn_of(store: object) -> threading.RLock:
    """Give the turn that all memories over one store share; it is taken once in each thread."""
    return _turns.setdefault(store, threading.RLock())


def refuse_to_leave(memory: object) -> NoReturn:
    """Say that a memory cannot be sent to another process, nor copied."""
    raise InputError(
        f"a {type(memory).__name__} cannot be copied or sent to another process: it holds an open file",
        code="stays_here",
        hint="send the path and the space, and open a memory of its own there",
    )


def _not_read_back(error: StoreError) -> MaybeWrittenError:
    """Say of a call that it wrote something, and could then not read what it was to answer."""
    return MaybeWrittenError(
        f"something of it is written, and then {error.message}",
        code="not_read_back",
        item=error.item,
        hint=Hint(error.hint or "", "; then look what is there before you send it again"),
    )


def close_what_was_left(store: Store, runner: Runner, path: str) -> None:
    """Close the file of a memory that nobody holds any more, or that is open as Python ends, and say so as Python does.

    A process that was forked leaves it to the one that opened it, and a thread that is still in a call has its turn.
    """
    if not runner.is_elsewhere and runner.turn.acquire(blocking=False):
        store.close()
        warnings.warn(f"unclosed memory {path}", ResourceWarning, stacklevel=2)


@dataclass
class BrokenOff:
    """Calls that nobody heard the end of: cancelled, or broken off by Ctrl-C or by a fault."""

    calls: int = 0
    written: int = 0  # of those: what wrote something nonetheless


class Job(Generic[Result]):
    """One call: its work, and whether that wrote something."""

    def __init__(self, runner: Runner, work: Callable[[], Result]) -> None:
        self._runner, self._work = runner, work
        self.wrote = False

    def __call__(self) -> Result:
        """Do it in its turn; where Ctrl-C, a full memory or a fault of ours broke it off, let go of what it left."""
        runner = self._runner
        with runner.turn:
            before = runner.written()
            try:
                return self._work()
            except StoreError as error:
                wrote = runner.written() != before
                if isinstance(error, MaybeWrittenError) or (wrote and error.code in UNREADABLE):
                    runner.begin_anew()
                if wrote and error.code in UNREADABLE:
                    raise _not_read_back(error) from error
                raise
            except AsterismError:
                raise
            except BaseException:
                runner.begin_anew()
                runner.count(wrote=runner.written() != before)
                raise
            finally:
                self.wrote = runner.written() != before


class Runner(ABC):
    """Runs work of one memory and gives its result to whoever waits for it."""

    opening: ClassVar[str]  # how its memory is opened

    def __init__(self) -> None:
        self.turn: threading.RLock = threading.RLock()
        self.written: Callable[[], object] = _nothing  # what is another once something was written
        self.begin_anew: Callable[[], object] = _nothing  # lets go of what a call left, wherever it was broken off
        self.broken_off = BrokenOff()
        self._counting = threading.Lock()
        self._process = os.getpid()

    @abstractmethod
    async def run(self, work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        """Run it."""

    @abstractmethod
    async def ask(self, other: Runner, work: Callable[[], Result]) -> Result:
        """Run work of another memory where that does its own, and wait for it as work here is waited for."""

    @abstractmethod
    def result(self, work: Callable[[], Result]) -> Result:
        """Run it, and let the caller's thread wait."""

    @abstractmethod
    async def end(self, work: Callable[[], object]) -> None:
        """Run the last work, after what is under way, and let go of what it ran in; nobody's cancelling keeps it."""

    @abstractmethod
    def stop(self) -> None:
        """Let go of what it ran in; what is under way comes to its end."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether its memory was opened by another process, from which this one was forked."""
        return os.getpid() != self._process

    def check(self) -> None:
        """Refuse work of a memory that this process only has by a fork: its thread and its locks are not here."""
        if self.is_elsewhere:
            raise AsterismError(
                "the memory was opened before this process was forked, and belongs to the other one",
                code="forked",
                hint=Hint(
                    in_python("open one in each process, after the fork, or start processes by spawn", otherwise=ANEW)
                ),
            )

    def count(self, *, wrote: bool) -> None:
        """Count a call that nobody heard the end of."""
        with self._counting:  # cancelled in one thread, ended in another
            self.broken_off.calls += 1
            self.broken_off.written += wrote

    def closed(self) -> AsterismError:
        """Say that its memory was used outside the `with` that opens it."""
        inside = in_python(f"use it inside `{self.opening} as memory:`", otherwise=ANEW)
        return AsterismError("the memory is not open", code="closed", hint=Hint(inside))


class ThreadRunner(Runner):
    """Runs work in one thread of its own."""

    opening = "async with Memory.open(...)"

    def __init__(self) -> None:
        from concurrent.futures import ThreadPoolExecutor  # nobody who does not await needs it

        super().__init__()
        self._idents: list[int] = []  # of the one thread, once it runs
        self._thread = ThreadPoolExecutor(
            1,
            thread_name_prefix="asterism",
            initializer=lambda idents: idents.append(threading.get_ident()),
            initargs=(self._idents,),
        )
        self._stopped = False
        self._ending: Future[object] | None = None  # the last work

    async def run(self, work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        """Run it in the thread.

        A caller that is cancelled is let go at once. What has not begun never does; what is under way ends by itself.
        """
        job = Job(self, lambda: work(*args, **kwargs))
        return await self._awaited(self._submit(job), job)

    async def _awaited(self, coming: Future[Result], job: Job[Result]) -> Result:
        from asyncio import CancelledError, wrap_future  # which whoever awaits has loaded

        try:
            return await wrap_future(coming)
        except CancelledError:
            coming.add_done_callback(lambda _: self.count(wrote=job.wrote))
            raise

    async def ask(self, other: Runner, work: Callable[[], Result]) -> Result:
        """Await what another memory says; one that works in its caller's thread does so in the thread of this one."""
        if isinstance(other, ThreadRunner):
            return await other.run(work)
        from asyncio import wrap_future

        return await wrap_future(self._submit(lambda: other.result(work)))  # not in the turn of this one

    def result(self, work: Callable[[], Result]) -> Result:
        """Run it in the thread, after what is under way there."""
        return self._submit(Job(self, work)).result()

    def _submit(self, work: Callable[[], Result]) -> Future[Result]:
        self.check()
        if threading.get_ident() in self._idents:
            from asterism.store.port import called_within

            raise called_within()  # it would wait for itself
        if not self._stopped:
            try:
                return self._thread.submit(work)
            except RuntimeError:  # stopped just now, or the interpreter is about to end
                self._stopped = True
        raise self.closed()

    async def end(self, work: Callable[[], object]) -> None:
        """Run the last work in the thread, which then ends; whoever is cancelled only stops to wait for it."""
        from asyncio import shield, wrap_future

        if self._ending is None:
            self._ending = self._submit(Job(self, work))
            self._stopped = True
            self._thread.shutdown(wait=False)  # an event loop waits for no thread
        await shield(wrap_future(self._ending))

    def stop(self) -> None:
        """End the thread."""
        self._stopped = True
        self._thread.shutdown(wait=True)


class HereRunner(Runner):
    """Runs work at once, in the caller's thread: what the synchronous face is made of. Several threads take turns."""

    opening = "with Memory.open_sync(...)"

    async def run(self, work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        """Run it now."""
        return self.result(lambda: work(*args, **kwargs))

    async def ask(self, other: Runner, work: Callable[[], Result]) -> Result:
        """Wait for what another memory says; there may be no event loop to wait in."""
        return other.result(work)

    def result(self, work: Callable[[], Result]) -> Result:
        """Run it now."""
        self.check()
        return Job(self, work)()

    async def end(self, work: Callable[[], object]) -> None:
        """Run it now."""
        self.result(work)

    def stop(self) -> None:
        """Nothing to end."""

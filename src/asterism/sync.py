"""The synchronous face of `Memory`: derived from the async class, method by method, not written again.

Work of a memory opened for `with` runs in the caller's thread, so its coroutines never suspend; driving one to its
end is a single step.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import NoReturn, TypeVar

from asterism.engine.memory import Memory as AsyncMemory
from asterism.engine.memory import Snapshot as AsyncSnapshot
from asterism.engine.space.threads import refuse_to_leave

Result = TypeVar("Result")


def drive(coroutine: Coroutine[object, object, Result]) -> Result:
    """Run a coroutine that never suspends to its end.

    >>> async def answer():
    ...     return 42
    >>> drive(answer())
    42
    """
    try:
        coroutine.send(None)
    except StopIteration as finished:
        result: Result = finished.value
        return result
    coroutine.close()
    raise RuntimeError("a memory opened for `with` must not wait for an event loop")


class Snapshot:
    """The synchronous face of a memory as it was."""

    def __init__(self, snapshot: AsyncSnapshot) -> None:
        self._async = snapshot
        self.at = snapshot.at

    def __reduce__(self) -> NoReturn:
        refuse_to_leave(self)


class Memory:
    """The synchronous face of a memory; opened by `Memory.open_sync`."""

    def __init__(self, memory: AsyncMemory) -> None:
        self._async = memory

    def __enter__(self) -> Memory:
        drive(self._async.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        drive(self._async.__aexit__(kind, error, trace))

    def __reduce__(self) -> NoReturn:
        refuse_to_leave(self)

    @contextmanager
    def session(self, name: str) -> Iterator[None]:
        """Count the time inside as active hours."""
        drive(self._async.begin_session(name))
        try:
            yield
        finally:
            drive(self._async.end_session(name))


def _derived(method: Callable[..., Coroutine[object, object, object]]) -> Callable[..., object]:
    @functools.wraps(method)
    def call(self: Memory | Snapshot, *args: object, **kwargs: object) -> object:
        result = drive(method(self._async, *args, **kwargs))
        return Snapshot(result) if isinstance(result, AsyncSnapshot) else result

    return call


def derive(face: type, source: type) -> None:
    """Give the face every public coroutine method of the class it is derived from."""
    for name, method in inspect.getmembers(source, inspect.iscoroutinefunction):
        if not name.startswith("_"):
            setattr(face, name, _derived(method))


derive(Memory, AsyncMemory)
derive(Snapshot, AsyncSnapshot)

"""Opening the memory that was asked for: for reading, without leaving a trace; or for writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from asterism.config import load
from asterism.core.connections.words import did_you_mean
from asterism.entry.cli.commands import Asked
from asterism.entry.cli.output import working
from asterism.errors import InputError, UnknownError

if TYPE_CHECKING:
    from asterism.sync import Memory, Snapshot


def where(asked: Asked) -> Path:
    """Give the file that was asked for."""
    return asked.db or load().db


def space_of(asked: Asked) -> str:
    """Give the space that was asked for."""
    return asked.space or load().space


@contextmanager
def reading(asked: Asked) -> Iterator[Memory]:
    """Open the memory for reading only; it must be there."""
    _must_exist(where(asked))
    with _opened(where(asked), space_of(asked), read_only=True) as memory:
        try:
            yield memory
        except InputError as error:
            if error.code == "future_time":
                error.hint = "asterism project --to TIME shows what lies ahead"
            raise


@contextmanager
def changing(asked: Asked) -> Iterator[Memory]:
    """Open a memory that is there for writing."""
    _must_exist(where(asked))
    with _opened(where(asked), space_of(asked)) as memory:
        yield memory


@contextmanager
def making(asked: Asked) -> Iterator[Memory]:
    """Open a memory for writing, a new one if it is not there."""
    if asked.db is None and load().db_is_default:
        where(asked).parent.mkdir(parents=True, exist_ok=True)
    with _opened(where(asked), space_of(asked)) as memory:
        yield memory


@contextmanager
def _opened(path: Path, space: str, *, read_only: bool = False) -> Iterator[Memory]:
    with working("Opening the memory"):
        from asterism.engine.memory import Memory

        memory = Memory.open_sync(path, space=space, read_only=read_only)
        memory.__enter__()
    try:
        with working("Working"):
            yield memory
    finally:
        memory.__exit__(None, None, None)


def without_at(asked: Asked, *, instead: str) -> None:
    """Refuse --at where it means nothing."""
    if asked.at is not None:
        raise InputError("--at means nothing here", code="no_moment", item=asked.at, hint=instead)


def must_know(view: Memory | Snapshot, *names: str | None) -> None:
    """Say which of some stars is not there, and which it is near to."""
    for name in names:
        if name is not None and view.star(name) is None:
            raise UnknownError(
                f"there is no star {name!r} in this space",
                code="unknown_node",
                item=name,
                hint=did_you_mean(name, [each.id for each in view.nodes()]) or "asterism nodes lists what is there",
            )


def _must_exist(path: Path) -> None:
    if str(path) == ":memory:":
        raise InputError(
            "a memory inside this process would be gone when the command ends",
            code="fleeting",
            item=":memory:",
            hint="name a file with --db",
        )
    if not path.exists():
        raise UnknownError(
            f"there is no memory at {path}",
            code="unknown_memory",
            item=str(path),
            hint='begin one: asterism star add "Sleep" --domain health (or see: asterism demo)',
        )

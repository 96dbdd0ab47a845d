"""Opening the memory that was asked for: for reading, without leaving a trace; or for writing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from asterism.config import load
from asterism.core.ledger.items import check_text
from asterism.entry.cli.commands import Asked
from asterism.entry.cli.output import working
from asterism.errors import InputError, UnknownError

if TYPE_CHECKING:
    from asterism.core.blocks.model import BlockView
    from asterism.engine.space.vectors import EmbedderSpec
    from asterism.store.port import Place
    from asterism.sync import Memory, Snapshot

STATUSES = ("inbox", "active", "duplicate", "superseded", "edited", "forgotten")


def named(asked: Asked) -> str | Path:
    """Give the path or the URL that was asked for."""
    return asked.db or load().db


def where(asked: Asked) -> Place:
    """Give the place that was asked for."""
    from asterism.wiring import place_of

    return place_of(named(asked))


def make_folder(asked: Asked) -> None:
    """Make the folder of the memory that is meant when nobody names one."""
    if asked.db is None and load().db_is_default:
        Path(load().db).parent.mkdir(parents=True, exist_ok=True)


def space_of(asked: Asked) -> str:
    """Give the space that was asked for."""
    return check_text(asked.space or load().space, field="space")


def embedder_of(asked: Asked) -> EmbedderSpec:
    """Give the embedder that was asked for; None if none was."""
    named = asked.embedder or load().embedder
    if named is None or not named.startswith("remote:"):
        return named
    from asterism.embed import open_embedder

    return open_embedder(named, api_key=load().embedder_key)


@contextmanager
def reading(asked: Asked) -> Iterator[Memory]:
    """Open the memory for reading only; it must be there."""
    if asked.serving is not None:
        with asked.serving.memory(changes=False) as memory:
            yield memory
        return
    _must_exist(where(asked))
    with _opened(asked, read_only=True) as memory:
        yield memory


@contextmanager
def changing(asked: Asked) -> Iterator[Memory]:
    """Open a memory that is there for writing."""
    if asked.serving is not None:
        with asked.serving.memory(changes=True) as memory:
            yield memory
        return
    _must_exist(where(asked))
    with _opened(asked) as memory:
        yield memory


@contextmanager
def making(asked: Asked) -> Iterator[Memory]:
    """Open a memory for writing, a new one if it is not there."""
    if asked.serving is not None:
        with asked.serving.memory(changes=True) as memory:
            yield memory
        return
    make_folder(asked)
    with _opened(asked) as memory:
        yield memory


@contextmanager
def _opened(asked: Asked, *, read_only: bool = False) -> Iterator[Memory]:
    with working("Opening the memory"):
        from asterism.engine.memory import Memory

        memory = Memory.open_sync(
            named(asked),
            space=space_of(asked),
            trust_clock=asked.trust_clock,
            read_only=read_only,
            embedder=embedder_of(asked),
        )
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


def blocks_among(view: Memory | Snapshot, ids: Iterable[str]) -> dict[str, BlockView]:
    """Give those of some nodes that are blocks."""
    from asterism.core.blocks.payloads import is_block_id
    from asterism.sync import Memory

    wanted = {each for each in ids if is_block_id(each)}
    if wanted and not isinstance(view, Memory):  # the past is folded for every question: ask once
        return {each.id: each for each in view.blocks(statuses=STATUSES) if each.id in wanted}
    found = {each: view.block(each) for each in sorted(wanted)}
    return {name: block for name, block in found.items() if block is not None}


def must_know(view: Memory | Snapshot, *names: str | None) -> None:
    """Refuse nodes that are not there, in the words of the memory."""
    for name in names:
        if name is not None and not view.entries(name):
            view.why(name, name)  # which says so, and what may be meant


def _must_exist(place: Place) -> None:
    if str(place) == ":memory:":
        raise InputError(
            "a memory inside this process would be gone when the command ends",
            code="fleeting",
            item=":memory:",
            hint="name a file with --db",
        )
    if not place.exists():
        raise UnknownError(
            f"there is no memory at {place}",
            code="unknown_memory",
            item=str(place),
            hint='begin one: asterism learn "Ada likes tea", or asterism star add "Sleep"',
        )

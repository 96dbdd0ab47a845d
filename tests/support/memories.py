"""Memories for tests: opened in the caller's thread, on a clock that stands where a test puts it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from asterism.core.ledger.items import Item, Payload, make_item
from asterism.core.ledger.parameters import Preset, Setting
from asterism.engine.memory import Memory
from asterism.engine.space.live import Live
from asterism.engine.space.threads import HereRunner
from asterism.engine.space.vectors import EmbedderSpec
from asterism.errors import AsterismError
from asterism.store.port import Store, Stored

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
DAY_MICROS = 86_400_000_000
HOUR_MICROS = 3_600_000_000


@dataclass
class HandClock:
    """A clock that is moved by hand."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now


def opened(
    path: str | Path | Store,
    *,
    space: str = "me",
    clock: Callable[[], datetime] | datetime = NOON,
    preset: Preset | None = None,
    parameters: Mapping[str, Setting] | None = None,
    read_only: bool = False,
    embedder: EmbedderSpec = "hashed",
) -> Memory:
    """Give a memory whose coroutines never suspend: a whole scenario of them can be run by `drive`."""
    return Memory(
        path,
        space=space,
        clock=clock,
        preset=preset,
        parameters=parameters,
        read_only=read_only,
        embedder=embedder,
        runner=HereRunner(),
    )


def store_checkpoint(store: Store, *, space: str = "me") -> None:
    """Store a checkpoint now, as a writer does by itself after much work."""
    live = Live(store, space, clock=lambda: 0)
    live.refresh()
    live.checkpoint_if_due(at_least=0)


def erase_items(store: Store, ids: list[bytes], *, at: int, space: str = "me") -> Item:
    """Append the item that carries tombstones for these ids."""
    payload: Payload = {"ids": [item_id.hex() for item_id in ids]}
    item = make_item(space=space, what="erased", at=at, payload=payload, known_at=at)
    Live(store, space, clock=lambda: at).write(lambda _: [item])
    return item


def contents(store: Store, space: str = "me") -> list[Stored]:
    """Give the ledger of a space."""
    return store.items(space)


def is_told_well(error: AsterismError) -> bool:
    """Say whether an error has what a user needs: a code for programs and a hint for people."""
    told = error.to_dict()
    return bool(error.code and error.hint and error.message and told["error"] == error.code)

"""Memories for tests: on every store, on a clock that stands where it is put, with vectors that can be foreseen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.core.ledger.parameters import Preset, Setting
from asterism.embed import CallableEmbedder
from asterism.engine.memory import Memory
from asterism.engine.space.clock import SystemClock
from asterism.engine.space.live import Live
from asterism.engine.space.threads import HereRunner
from asterism.engine.space.vectors import EmbedderSpec
from asterism.errors import AsterismError
from asterism.store.port import Store, Stored
from tests.support.stores import Place

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


def system(read: Callable[[], datetime]) -> SystemClock:
    """Give a system's clock that nobody answers for."""
    return SystemClock(lambda: to_micros(read()))


def opened(
    path: str | Path | Store,
    *,
    space: str = "me",
    clock: Callable[[], datetime] | datetime | SystemClock | None = NOON,
    trust_clock: bool = False,
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
        trust_clock=trust_clock,
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


AnyMemory = Any  # a memory for `with`, or a snapshot of it: tests hand it what its types forbid

FACTS = [
    "Ada plays the piano every Tuesday evening.",
    "The garden needs water in the morning.",
    "Water the garden before the sun is high.",
    "Bob keeps the train tickets to Lisbon in the blue drawer.",
    "The museum in Lisbon is closed on Mondays.",
    "Grandmother's bread has walnuts and honey in it.",
    "The doctor said to walk for an hour each day.",
    "Winter tyres are stored at the garage on Mill Street.",
]


def remembering(
    place: Place,
    *,
    space: str = "me",
    clock: Callable[[], datetime] | datetime = NOON,
    embedder: EmbedderSpec = "hashed",
    parameters: Mapping[str, Setting] | None = None,
    read_only: bool = False,
    also_read: Iterable[str] | None = None,
) -> AnyMemory:
    """Open a memory for `with`, by hashed words unless said otherwise: they are quick, and the same everywhere."""
    return Memory.open_sync(
        place,
        space=space,
        clock=clock,
        embedder=embedder,
        parameters=parameters,
        read_only=read_only,
        also_read=also_read,
    )


def by_hand(vectors: Mapping[str, Sequence[float]], name: str = "by-hand") -> CallableEmbedder:
    """Give an embedder that looks vectors up by a word of the text; what has none of the words is zero."""
    size = len(next(iter(vectors.values())))

    def look_up(texts: list[str]) -> list[list[float]]:
        found = [next((list(row) for word, row in vectors.items() if word in text), [0.0] * size) for text in texts]
        return [[float(value) for value in row] for row in found]

    return CallableEmbedder(look_up, name=name, dimension=size)


def at_cosine(cosine: float) -> list[float]:
    """Give a unit vector of two numbers with this cosine to (1, 0).

    >>> at_cosine(0.6)
    [0.6, 0.8]
    """
    return [cosine, round(float(np.sqrt(1 - cosine * cosine)), 12)]

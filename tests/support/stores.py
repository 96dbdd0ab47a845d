"""Every store there is, by name; and short ways to write into stores and to read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from asterism.core.ledger.columns import Columns
from asterism.core.ledger.items import Item, make_item
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Appended, Checkpoint, Store, Stored
from asterism.wiring import open_store

Handles = Callable[[], Store]  # each call gives another handle on the same storage
Place = str | Path | Store  # a URL or a path, which many may open; or what is open already, and shared

# The tests of every store, and of memories on every store, run with each of these: another one is one more line. It
# gives a new place for this path, which it need not use.
STORES: Mapping[str, Callable[[Path], Place]] = {
    "in_memory": lambda _: InMemoryStore(),
    "sqlite": lambda path: path,
}


def place_of(kind: str, folder: Path, name: str = "memory.db") -> Place:
    """Give a new place for a memory."""
    return STORES[kind](folder / name)


def store_of(place: Place, *, read_only: bool = False) -> Store:
    """Open what lies there."""
    return place if isinstance(place, Store) else open_store(place, read_only=read_only)


def item(name: str, *, at: int = 0, space: str = "me", known_at: int = 0, note: str = "") -> Item:
    return make_item(space=space, what="engaged", at=at, payload={"star": name}, known_at=known_at, note=note)


def append(store: Store, *items: Item, space: str = "me") -> list[Appended]:
    with store.writing(space) as writing:
        return writing.append(items)


def bury(store: Store, *items: Item, space: str = "me") -> int:
    with store.writing(space) as writing:
        return writing.bury([each.id for each in items])


def read(store: Store, space: str = "me") -> list[Item]:
    return [stored.item for stored in store.items(space)]


def checkpoint(day: int, *, fingerprint: str = "f", seq: int = 1, columns: Columns | None = None) -> Checkpoint:
    return Checkpoint(fingerprint, seq, day, day * 100, {"c": np.array([day])} if columns is None else columns)


def put(store: Store, *checkpoints: Checkpoint, keep: int = 100, space: str = "me") -> None:
    for each in checkpoints:
        with store.writing(space) as writing:
            writing.put_checkpoint(each, keep=keep)


def days(store: Store, fingerprint: str = "f", space: str = "me") -> list[int]:
    return [each.day for each in store.checkpoints(space, fingerprint)]


class InterruptionError(Exception):
    """Something goes wrong in the middle."""


def shown(store: Store, spaces: list[str]) -> object:
    """Everything a store shows, with places of arrival as ranks: the numbers themselves are its own affair."""
    return [store.spaces(), *(shown_of(store, space) for space in spaces)]


def shown_of(store: Store, space: str) -> object:
    store.check(space)
    stored = store.items(space)
    arrived = sorted(stored, key=lambda each: each.seq)
    middle = arrived[len(arrived) // 2].seq if arrived else 0

    def items(found: list[Stored]) -> list[Item]:
        return [each.item for each in found]

    return [
        items(stored),
        items(arrived),
        items(store.items(space, after_seq=middle)),
        items(store.items(space, until_at=0)),
        items(store.items(space, known_until=0)),
        items(store.items(space, after_seq=middle, until_at=1, known_until=1)),
        [store.item(space, each.item.id) for each in stored],
        list(store.tombstones(space)),
        store.last_position(space),
        store.arrivals(space),
        store.arrivals(space, after=store.last_position(space) // 2, limit=2),
        store.lost_arrivals(space),
        store.head(space),
        store.head(space).differences(store.counted(space)),
        [store.counts(space, fingerprint) for fingerprint in "fg"],
        store.parameters(space),
        [
            (store.checkpoint(space, fingerprint, until_day=day, until_at=day * 50) or checkpoint(99)).day
            for fingerprint in "fg"
            for day in (-2, 0, 2)
        ],
        [
            (each.day, each.seq, each.latest_at, {name: column.tolist() for name, column in each.columns.items()})
            for fingerprint in "fg"
            for each in store.checkpoints(space, fingerprint)
        ],
    ]

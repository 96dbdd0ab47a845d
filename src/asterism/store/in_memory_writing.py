"""What a memory without a file keeps of a space, and a transaction on it."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from asterism.core.ledger.capability import Cells
from asterism.core.ledger.columns import Columns
from asterism.core.ledger.items import Item, Position, join
from asterism.store.port import (
    Appended,
    Cache,
    Checkpoint,
    Stored,
    Version,
    Writing,
    pieces_of,
    refuse_other_spaces,
    spread,
)


@dataclass
class Shelf:
    """What is kept of one space."""

    version: int = 0  # transactions so far
    items: dict[bytes, Stored] = field(default_factory=dict)
    order: list[Position] = field(default_factory=list)
    arrivals: list[tuple[int, bytes]] = field(default_factory=list)
    buried: set[bytes] = field(default_factory=set)
    position: int = 0  # the last that was given
    positions: dict[bytes, int] = field(default_factory=dict)  # of every item and erasure, in their order
    parameters: str | None = None
    checkpoints: dict[tuple[str, int], Checkpoint] = field(default_factory=dict)
    embedder: str | None = None
    vectors: dict[str, dict[bytes, bytes]] = field(default_factory=dict)
    caches: dict[str, Cache] = field(default_factory=dict)
    tables: dict[tuple[str, str], tuple[bytes, list[Cells]]] = field(default_factory=dict)  # by table and part

    def write(self, writing: Writing) -> None:
        """Write all of it into another store: items and erasures in the order in which they came."""
        if self.parameters is not None:
            writing.set_parameters(self.parameters)
        for erased, names in groupby(self.positions, key=lambda name: name in self.buried):
            if erased:
                writing.bury(names)
            else:
                writing.append([self.items[name].item for name in names])
        if self.embedder is not None:
            writing.set_embedder(self.embedder)
        for identity, vectors in self.vectors.items():
            writing.put_vectors(identity, vectors)
        for (table, part), (item, rows) in self.tables.items():
            writing.put_rows(table, part, item, rows)


def copied(checkpoint: Checkpoint) -> Checkpoint:
    """Give a checkpoint of its own, as a file would give."""
    return replace(checkpoint, columns=copies(checkpoint.columns))


def copies(columns: Columns) -> Columns:
    """Give columns of their own."""
    return {name: column.copy() for name, column in columns.items()}


class InMemoryWriting:
    """A transaction on one space: steps are noted, and taken together at the end."""

    def __init__(self, shelf: Shelf, space: str, seq: int) -> None:
        self.seq = seq
        self.version: Version = None
        self.removed = False  # whether something was erased
        self._shelf = shelf
        self._space = space
        self._items: dict[bytes, Stored] = {}
        self.buried: set[bytes] = set()  # here, until the end
        self._gone: set[bytes] = set()  # from the items
        self._came: list[bytes] = []  # what is to have a position, in that order
        self._steps: list[Callable[[], None]] = []

    def append(self, items: Sequence[Item]) -> list[Appended]:
        """Add items, each once; the earlier known copy stays."""
        refuse_other_spaces(items, self._space)
        appended, earlier = [], []
        for item in items:
            there = self._items.get(item.id) or self._shelf.items.get(item.id)
            if item.id in self._shelf.buried or item.id in self.buried:
                appended.append(Appended(None, buried=True))
            elif there is not None:
                appended.append(Appended(None, duplicate=True))
                joined = Stored(there.seq, join(there.item, item))
                earlier += [item.id] if joined != there else []
                self._items[item.id] = joined
            else:
                self.seq += 1
                appended.append(Appended(self.seq))
                self._items[item.id] = Stored(self.seq, item)
                self._came.append(item.id)
        self._came += earlier
        return appended

    def and_its_own(self, found: Sequence[Stored], *, after_seq: int) -> list[Stored]:
        """Give the items that are there as whoever writes sees them: with what it added, and without what it buried."""
        there = {stored.item.id: stored for stored in found}
        there |= {name: stored for name, stored in self._items.items() if stored.seq > after_seq}
        left = [stored for name, stored in there.items() if name not in self._gone]
        return sorted(left, key=lambda stored: stored.item.position)

    def bury(self, ids: Iterable[bytes]) -> int:
        """Leave tombstones and remove what lies under them; checkpoints that knew it go too."""
        told = list(dict.fromkeys(ids))
        self._came += [each for each in told if each not in self.buried | self._shelf.buried]
        new = set(told) - self.buried
        self.buried |= new
        return self.remove(new)

    def remove(self, ids: Iterable[bytes]) -> int:
        """Remove items; checkpoints that knew them go too."""
        gone = set(ids) - self._gone
        self._gone |= gone
        self._steps.append(lambda: self._drop_rows(gone))
        removed = sum(item_id in self._shelf.items or item_id in self._items for item_id in gone)
        if removed:
            self._steps.append(self._shelf.checkpoints.clear)
            self._steps.append(self._shelf.caches.clear)
        return removed

    def set_parameters(self, text: str) -> None:
        """Record the parameters of this space."""
        self._steps.append(lambda: setattr(self._shelf, "parameters", text))

    def drop_checkpoints(self, *, after_day: int) -> None:
        """Remove checkpoints that an item of this day makes untrue."""

        def drop() -> None:
            kept = self._shelf.checkpoints
            for key in [key for key in kept if key[1] > after_day]:
                del kept[key]

        self._steps.append(drop)

    def put_checkpoint(self, checkpoint: Checkpoint, *, keep: int) -> None:
        """Store a checkpoint and thin out the others."""
        checkpoint = copied(checkpoint)

        def put() -> None:
            kept = self._shelf.checkpoints
            kept[checkpoint.fingerprint, checkpoint.day] = checkpoint
            days = spread([day for print_, day in kept if print_ == checkpoint.fingerprint], keep)
            for key in [key for key in kept if key[0] != checkpoint.fingerprint or key[1] not in days]:
                del kept[key]

        self._steps.append(put)

    def set_embedder(self, identity: str) -> None:
        """Record the embedder of this space; the vectors of others go."""

        def put() -> None:
            shelf = self._shelf
            shelf.embedder = identity
            shelf.vectors = {
                name: kept for name, kept in shelf.vectors.items() if name in (identity, pieces_of(identity))
            }

        self._steps.append(put)

    def put_vectors(self, identity: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep vectors."""
        told = dict(vectors)

        def put() -> None:
            kept = self._shelf.vectors.setdefault(identity, {})
            kept |= {text: data for text, data in told.items() if text not in kept}

        self._steps.append(put)

    def drop_vectors(self, texts: Iterable[bytes]) -> None:
        """Remove the vectors of texts, and every cache."""
        gone = set(texts)

        def drop() -> None:
            for kept in self._shelf.vectors.values():
                for text in gone & kept.keys():
                    del kept[text]
            self._shelf.caches.clear()

        self._steps.append(drop)

    def record_head(self, *names: str) -> None:
        """Nothing to record: what is there is its own head."""

    def place_anew(self) -> None:
        """Nothing to place: no position is ever lost here."""

    def put_cache(self, name: str, cache: Cache) -> None:
        """Keep a cache."""
        copied = replace(cache, columns=copies(cache.columns))
        self._steps.append(lambda: self._shelf.caches.update({name: copied}))

    def put_rows(self, table: str, part: str, item: bytes | None, rows: Sequence[Cells]) -> None:
        """Keep the rows of a part of a derived table."""
        told = list(rows)

        def put() -> None:
            self._shelf.tables.pop((table, part), None)
            if item is not None:
                self._shelf.tables[table, part] = (item, told)

        self._steps.append(put)

    def _drop_rows(self, items: set[bytes]) -> None:
        kept = self._shelf.tables
        self._shelf.tables = {key: each for key, each in kept.items() if each[0] not in items}

    def commit(self) -> None:
        """Take every step."""
        shelf = self._shelf
        for item_id, stored in self._items.items():
            if item_id not in shelf.items:
                insort(shelf.order, stored.item.position)
                shelf.arrivals.append((stored.seq, item_id))
            shelf.items[item_id] = stored
        gone = self._gone & shelf.items.keys()
        for item_id in gone:
            del shelf.items[item_id]
            shelf.positions.pop(item_id, None)
        if gone:
            shelf.order = [position for position in shelf.order if position.id not in gone]
            self.removed = True
        shelf.buried |= self.buried
        for item_id in self._came:
            shelf.position += 1
            shelf.positions.pop(item_id, None)  # so that they stay in their order
            shelf.positions[item_id] = shelf.position
        for step in self._steps:
            step()
        shelf.version += 1
        self.version = shelf.version

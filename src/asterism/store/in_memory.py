"""A memory that lives as long as its process: the same contract, plain Python."""

from __future__ import annotations

import json
import secrets
import threading
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from copy import deepcopy
from dataclasses import replace
from itertools import takewhile
from operator import itemgetter
from typing import TYPE_CHECKING

from asterism.core.ledger.capability import Cells
from asterism.core.ledger.head import NONE, Head, item_mark, mark, total
from asterism.core.ledger.items import Item, quoted
from asterism.errors import InputError
from asterism.store.in_memory_writing import InMemoryWriting, Shelf, copied, copies
from asterism.store.port import (
    LAST,
    Ailment,
    Arrival,
    Cache,
    Checkpoint,
    Counts,
    Examined,
    Place,
    Stored,
    Version,
    called_within,
)

if TYPE_CHECKING:  # there are no files here
    from pathlib import Path


class InMemoryStore:
    """A store without a file; several memories in one process may share it."""

    def __init__(self) -> None:
        self._shelves: dict[str, Shelf] = {}
        self._lock = threading.RLock()
        self._seq = 0
        self._name = secrets.token_hex(8)
        self._records: dict[tuple[str, str, str], str] = {}  # of a service, by space, sheet and key
        self._begun: dict[str, InMemoryWriting] = {}  # by space: the transaction of whoever holds the lock

    def record(self, sheet: str, key: str, *, space: str = "") -> str | None:
        """Give one text."""
        return self._records.get((space, sheet, key))

    def sheets(self, *, space: str = "") -> list[str]:
        """Name the sheets there are."""
        with self._lock:
            return sorted({sheet for of, sheet, _ in self._records if of == space})

    def records(self, sheet: str, *, space: str = "") -> dict[str, str]:
        """Give all texts of a sheet."""
        with self._lock:
            return {key: text for (*of, key), text in sorted(self._records.items()) if of == [space, sheet]}

    def put_records(self, sheet: str, texts: Mapping[str, str | None], *, space: str = "") -> None:
        """Put texts into a sheet, or take some away."""
        with self._lock:
            for key, text in texts.items():
                self._records.pop((space, sheet, key), None)
                self._records.update({} if text is None else {(space, sheet, key): text})

    @contextmanager
    def together(self) -> Iterator[None]:
        """Hold the lock; an exception on the way leaves everything as it was."""
        with self._lock:
            before = self._seq, deepcopy(self._shelves), dict(self._records)
            try:
                yield
            except BaseException:
                self._seq, self._shelves, self._records = before
                raise

    def version(self, space: str) -> Version:
        """Give the number of transactions on a space so far."""
        return self._shelf(space).version

    @property
    def place(self) -> Place:
        """This process."""
        return InMemoryPlace(self)

    @contextmanager
    def writing(self, space: str) -> Iterator[InMemoryWriting]:
        """Hold the lock from here to the end; an exception on the way leaves everything as it was."""
        with self._lock:
            if space in self._begun:
                raise called_within()
            shelf = self._shelf(space)
            writing = self._begun[space] = InMemoryWriting(shelf, space, self._seq)
            try:
                yield writing
                writing.commit()
            finally:
                self._begun.pop(space, None)
            self._seq = writing.seq
            self._shelves[space] = shelf
            if writing.removed:
                self._records |= {key: "" for key in self._records if key[0] == space}

    def without_waiting(self) -> AbstractContextManager[object]:
        """Nobody writes for long here: other writers are threads of this process, and write to no disk."""
        return nullcontext()

    def one_moment(self) -> AbstractContextManager[object]:
        """Hold the lock while reading several things."""
        return self._lock

    def items(
        self,
        space: str,
        *,
        after_seq: int = 0,
        from_at: int | None = None,
        until_at: int | None = None,
        known_until: int | None = None,
        only: Collection[str] | None = None,
        without: Collection[str] = (),
        naming: Collection[str] | None = None,
    ) -> list[Stored]:
        """Read items in the order (at, id)."""
        names = None if naming is None else [quoted(name) for name in naming]
        with self._lock:
            found = self._found(self._shelf(space), after_seq)
            if space in self._begun:
                found = self._begun[space].and_its_own(found, after_seq=after_seq)
        return [
            stored
            for stored in found
            if (from_at is None or stored.item.at >= from_at)
            and (until_at is None or stored.item.at <= until_at)
            and (known_until is None or stored.item.known_at <= known_until)
            and (only is None or stored.item.what in only)
            and stored.item.what not in without
            and (names is None or any(name in stored.item.text for name in names))
        ]

    def each_item(
        self, space: str, *, after_seq: int = 0, only: Collection[str] | None = None, without: Collection[str] = ()
    ) -> Iterator[Stored]:
        """Read items one by one."""
        return iter(self.items(space, after_seq=after_seq, only=only, without=without))

    def _found(self, shelf: Shelf, after_seq: int) -> list[Stored]:
        if after_seq:
            newer = shelf.arrivals[bisect_right(shelf.arrivals, after_seq, key=itemgetter(0)) :]
            found = [shelf.items[item_id] for _, item_id in newer if item_id in shelf.items]
            return sorted(found, key=lambda stored: stored.item.position)
        return [shelf.items[position.id] for position in shelf.order]

    def item(self, space: str, item_id: bytes, *, at: int | None = None) -> Item | None:  # noqa: ARG002  # quick anyway
        """Find one item by its id."""
        stored = self._shelf(space).items.get(item_id)
        return stored.item if stored else None

    def last_known(self, space: str, *, until: int) -> int | None:
        """Say when something was last learnt, by the item of the latest time, and those that came last."""
        with self._lock:
            shelf = self._shelf(space)
            ids = [item_id for _, item_id in shelf.arrivals[-LAST:]] + [position.id for position in shelf.order[-1:]]
            known = [shelf.items[item_id].item.known_at for item_id in ids if item_id in shelf.items]
        return max((each for each in known if each <= until), default=None)

    def tombstones(self, space: str) -> Iterator[bytes]:
        """Give the ids of what was erased."""
        return iter(sorted(self._shelf(space).buried))

    def is_buried(self, space: str, item_id: bytes) -> bool:
        """Say whether an item was erased."""
        with self._lock:
            begun = self._begun.get(space)
            return item_id in self._shelf(space).buried or (begun is not None and item_id in begun.buried)

    def buried(self, space: str) -> int:
        """Count what was erased."""
        begun = self._begun.get(space)
        return len(self._shelf(space).buried | (begun.buried if begun is not None else set()))

    def copy_name(self) -> str:
        """Give the name of this copy."""
        return self._name

    def last_position(self, space: str) -> int:
        """Give the last position that was given in a space."""
        return self._shelf(space).position

    def arrivals(
        self, space: str, *, after: int = 0, until: int | None = None, limit: int | None = None
    ) -> list[Arrival]:
        """Read what came to a space after a position."""
        with self._lock:
            shelf = self._shelf(space)
            newer = takewhile(lambda each: each[1] > after, reversed(shelf.positions.items()))
            came = [(name, position) for name, position in newer if until is None or position <= until][::-1]
            return [
                Arrival(position, erased=name)
                if name in shelf.buried
                else Arrival(position, item=shelf.items[name].item)
                for name, position in came[:limit]
            ]

    def lost_arrivals(self, space: str) -> list[str]:  # noqa: ARG002  # nothing is lost here
        """Nothing is lost here."""
        return []

    def check(self, space: str) -> None:
        """Nothing is lost here."""

    def head(self, space: str) -> Head:
        """Give the head of what is there: nothing else was recorded."""
        return self.counted(space)

    def counted(self, space: str) -> Head:
        """Read everything, and give its head."""
        with self._lock:
            shelf = self._shelf(space)
            items = (stored.item for stored in shelf.items.values())
            told = [json.dumps(each) for each in (space, shelf.parameters, shelf.embedder)]
            return Head(
                total(item_mark(item.id, item.known_at, item.note) for item in items),
                total(map(mark, shelf.buried)),
                total(mark(name, *row) for name, kept in shelf.vectors.items() for row in kept.items()),
                total([mark(*told)]) if space in self._shelves else NONE,
            )

    def parameters(self, space: str) -> str | None:
        """Give the recorded parameters of a space."""
        return self._shelf(space).parameters

    def embedder(self, space: str) -> str | None:
        """Give the recorded embedder of a space."""
        return self._shelf(space).embedder

    def vectors(self, space: str, identity: str, texts: Collection[bytes]) -> dict[bytes, bytes]:
        """Give the vectors that are kept of these texts."""
        kept = self._shelf(space).vectors.get(identity, {})
        return {text: kept[text] for text in texts if text in kept}

    def vector_packs(self, space: str, identity: str) -> list[tuple[bytes, bytes]]:
        """Give every vector of an embedder, each a pack of its own."""
        return list(self._shelf(space).vectors.get(identity, {}).items())

    def vector_texts(self, space: str) -> set[bytes]:
        """Give the hashes of the texts that vectors are kept of."""
        return {text for kept in self._shelf(space).vectors.values() for text in kept}

    def cache(self, space: str, name: str) -> Cache | None:
        """Give the cache of a name; its columns are copies, as a file would give."""
        found = self._shelf(space).caches.get(name)
        return replace(found, columns=copies(found.columns)) if found else None

    def parts(self, space: str, table: str) -> dict[str, bytes]:
        """Give the parts of a derived table."""
        return {part: kept[0] for (name, part), kept in sorted(self._shelf(space).tables.items()) if name == table}

    def rows(self, space: str, table: str, part: str) -> list[Cells]:
        """Give the rows of a part."""
        kept = self._shelf(space).tables.get((table, part))
        return list(kept[1]) if kept else []

    def checkpoint(
        self, space: str, fingerprint: str, *, until_day: int | None = None, until_at: int | None = None
    ) -> Checkpoint | None:
        """Give the latest checkpoint that is not too late."""
        fitting = [
            checkpoint
            for checkpoint in self.checkpoints(space, fingerprint)
            if (until_day is None or checkpoint.day <= until_day)
            and (until_at is None or checkpoint.latest_at <= until_at)
        ]
        return fitting[-1] if fitting else None

    def checkpoints(self, space: str, fingerprint: str) -> list[Checkpoint]:
        """Give every checkpoint, oldest first; columns are copies, as a file would give."""
        with self._lock:
            kept = sorted(self._shelf(space).checkpoints.items(), key=itemgetter(0))
        return [copied(checkpoint) for (print_, _), checkpoint in kept if print_ == fingerprint]

    def counts(self, space: str, fingerprint: str) -> Counts:
        """Count what there is."""
        with self._lock:
            shelf = self._shelf(space)
            whats = Counter(stored.item.what for stored in shelf.items.values())
            prints = [print_ for print_, _ in shelf.checkpoints]
            return Counts(dict(sorted(whats.items())), len(shelf.buried), prints.count(fingerprint))

    def spaces(self) -> list[str]:
        """Name the spaces."""
        return sorted(self._shelves)

    def size_bytes(self) -> int:
        """Nothing is on disk."""
        return 0

    def scrub(self) -> str:
        """What is removed here is gone."""
        return ""

    def copy_to(self, path: Path, say: Callable[[float], object]) -> None:
        """Write all of it to a file."""
        from asterism.store.sqlite import SQLiteStore  # which nobody needs who only has a memory in this process

        store = SQLiteStore(path)
        with closing(store), self._lock:
            for number, (space, shelf) in enumerate(sorted(self._shelves.items()), 1):
                with store.writing(space) as writing:
                    shelf.write(writing)
                say(number / len(self._shelves))
            for (space, sheet, key), text in self._records.items():
                store.put_records(sheet, {key: text}, space=space)

    def recover(self) -> None:
        """Nothing to undo: a transaction is noted, and taken at its end."""

    def close(self) -> None:
        """Nothing to let go of: what shares this store goes on."""

    def _shelf(self, space: str) -> Shelf:
        return self._shelves.get(space) or Shelf()


class InMemoryPlace:
    """This process: each memory that is opened here is a new one."""

    def __init__(self, store: InMemoryStore | None = None) -> None:
        self._store = store

    def __str__(self) -> str:
        return ":memory:"

    def exists(self) -> bool:
        """Nothing is there before it is opened."""
        return self._store is not None

    def open(self, *, read_only: bool = False) -> InMemoryStore:  # noqa: ARG002  # nobody else could fill it
        """Begin a memory, or give the one that is held here."""
        return self._store or InMemoryStore()

    def receive(self) -> InMemoryStore:
        """Give what is held here, which is nobody else's."""
        return self.open()

    def look(self) -> InMemoryStore:
        """Give what is held here: looking at it leaves no trace."""
        return self.open()

    def room(self) -> AbstractContextManager[Path]:
        """There is no room for a file here."""
        raise self._no_file()

    def take(self, file: Path) -> None:  # noqa: ARG002  # as the port has it
        """No file can be put here."""
        raise self._no_file()

    def take_free(self, file: Path) -> None:
        """No file can be put here."""
        self.take(file)

    def take_keeping(self, file: Path, check: Callable[[], object]) -> str | None:  # noqa: ARG002  # as the port has it
        """No file can be put here."""
        self.take(file)
        return None

    def _no_file(self) -> InputError:
        return InputError(f"{self} is no file", code="bad_target", item=str(self), hint="name a file")

    def examine(self, spaces: Sequence[str] | None, *, mine: bool) -> Examined:  # noqa: ARG002  # as the port has it
        """Nothing ails what is open; what is not there cannot be looked at."""
        if self._store is None:
            there_is_none = Ailment("unknown_memory", f"there is no memory at {self}", str(self))
            return Examined([there_is_none], ["the space"], opens=False)
        return Examined([], ["the space"], opens=True)

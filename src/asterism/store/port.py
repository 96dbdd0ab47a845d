"""The ports between the engine and whatever keeps the bytes: a `Store` that is open, and the `Place` where it lies.

A store keeps, for each space, a ledger (items and tombstones), checkpoints of its projection, the vectors an embedder
made of its texts, tables of what was derived from it, and caches of what can be computed again. Every method takes the
space: it is part of every key, the unit of locking, and the partition of a server. Nothing above this line knows which
database it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from asterism.core.ledger.capability import Cells
from asterism.core.ledger.columns import Columns
from asterism.core.ledger.head import Head
from asterism.core.ledger.items import Item
from asterism.errors import AsterismError, UnknownError
from asterism.hints import Hint, in_python

if TYPE_CHECKING:  # loading it takes long, and not every store has files
    from pathlib import Path

SHOWN = 10  # of one kind of damage; the rest is counted
LAST = 64  # items, by arrival, that are asked when something was last learnt
Version = object  # of a space: only compared. Equal means that nobody has written to it in between


def pieces_of(identity: str) -> str:
    """Name what an embedder's vectors of pieces are kept under: beside those of whole texts, and as long as they are.

    >>> pieces_of("all-minilm-l6-v2")
    'all-minilm-l6-v2#pieces'
    """
    return f"{identity}#pieces"


class Stored(NamedTuple):
    """An item and its place in the order of arrival."""

    seq: int
    item: Item


class Arrival(NamedTuple):
    """What came to a space at a position in the order of arrival: an item, or the hash of one that was erased."""

    position: int
    item: Item | None = None
    erased: bytes | None = None


@dataclass(frozen=True)
class Checkpoint:
    """A projection as it stood when every item up to `seq` had arrived; `day` was its open day.

    It stays true while no item of an earlier day arrives: whoever appends one drops the checkpoint in the same breath.
    """

    fingerprint: str  # of parameters and fold version
    seq: int
    day: int
    latest_at: int
    columns: Columns
    whole: bool = True  # not so where some of the columns were damaged


@dataclass(frozen=True)
class Cache:
    """Something derived that took long to compute: whoever reads it must see whether it still fits."""

    fingerprint: str
    columns: Columns


class Appended(NamedTuple):
    """What became of an item that was sent: its place, and whether it was there or buried already."""

    seq: int | None
    duplicate: bool = False
    buried: bool = False


class Counts(NamedTuple):
    """How much a space holds: items by what they say, tombstones, and checkpoints of one fingerprint."""

    items: dict[str, int]
    tombstones: int
    checkpoints: int


class Writing(Protocol):
    """A transaction on one space: everything happens at its end, or nothing."""

    @property
    def version(self) -> Version:
        """The version that this transaction gave the space: known once it has ended normally."""

    def append(self, items: Sequence[Item]) -> list[Appended]:
        """Add items; of one that is there already the earlier known copy stays; a buried one does not come back."""

    def bury(self, ids: Iterable[bytes]) -> int:
        """Leave tombstones, and remove the items under them, with the rows they gave to derived tables.

        Give how many items were removed.
        """

    def set_parameters(self, text: str) -> None:
        """Record which parameters make this space's projection."""

    def remove(self, ids: Iterable[bytes]) -> int:
        """Remove items as if they had never come: as `bury` does, without a tombstone. Give how many there were."""

    def drop_checkpoints(self, *, after_day: int) -> None:
        """Remove checkpoints whose open day is later than this one."""

    def put_checkpoint(self, checkpoint: Checkpoint, *, keep: int) -> None:
        """Store a checkpoint, and keep so many of its fingerprint, spread over the past."""

    def set_embedder(self, identity: str) -> None:
        """Record which embedder makes this space's vectors, and drop those of any other, pieces' too."""

    def put_vectors(self, identity: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep what an embedder made of texts, by the texts' hashes; what is there already stays."""

    def drop_vectors(self, texts: Iterable[bytes]) -> None:
        """Remove the vectors of texts, whichever embedder made them, and every cache."""

    def record_head(self, *names: str) -> None:
        """Record these parts of the head anew from what is there: to go on with what is left after damage."""

    def place_anew(self) -> None:
        """Give positions anew to all that came to this space, and another name to this copy: after damage."""

    def put_cache(self, name: str, cache: Cache) -> None:
        """Keep a cache in place of the one of that name."""

    def put_rows(self, table: str, part: str, item: bytes | None, rows: Sequence[Cells]) -> None:
        """Put the rows that an item gives in place of those of a part of a derived table; none if there is no item."""


class Records(Protocol):
    """What a service keeps beside the ledgers, in no export: sheets of texts by key, of the whole or of a space.

    What is kept of a space is emptied, but for its keys, when something is erased there: it may hold words of it.
    """

    def record(self, sheet: str, key: str, *, space: str = "") -> str | None:
        """Give one text."""

    def sheets(self, *, space: str = "") -> list[str]:
        """Name the sheets there are."""

    def records(self, sheet: str, *, space: str = "") -> dict[str, str]:
        """Give all texts of a sheet, in the order of their keys."""

    def put_records(self, sheet: str, texts: Mapping[str, str | None], *, space: str = "") -> None:
        """Put texts into a sheet, or take away those that are None: all of them, durably, or none."""

    def together(self) -> AbstractContextManager[object]:
        """Make everything that is written inside durable at its end, or nothing; whoever holds a space looks again."""


@runtime_checkable
class Store(Records, Protocol):
    """A memory's storage."""

    def version(self, space: str) -> Version:
        """Give what changes with every commit to a space, whoever makes it; it may change without one."""

    @property
    def place(self) -> Place:
        """Where it lies."""

    def writing(self, space: str) -> AbstractContextManager[Writing]:
        """Begin to write: waits for other writers; leaving it normally makes everything durable."""

    def without_waiting(self) -> AbstractContextManager[object]:
        """Wait for no other writer meanwhile: `writing` raises `BusyError` where one is at work for long."""

    def one_moment(self) -> AbstractContextManager[object]:
        """Read several things as they are at one moment, whoever writes meanwhile."""

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
        """Read items in the order (at, id), of some kinds only or without some; whoever writes sees its own.

        With `naming`, only those whose payload holds one of these texts as a whole one, in whatever field.
        """

    def each_item(
        self, space: str, *, after_seq: int = 0, only: Collection[str] | None = None, without: Collection[str] = ()
    ) -> Iterator[Stored]:
        """Read items one by one in the order (at, id), where there may be many; to its end, and at one moment."""

    def item(self, space: str, item_id: bytes, *, at: int | None = None) -> Item | None:
        """Find one item; knowing its time makes it quick."""

    def last_known(self, space: str, *, until: int) -> int | None:
        """Say when something was last learnt, up to a time: by the item of the latest time, and those that came last.

        Quick rather than exact: what a merge brought may have been learnt later than both.
        """

    def tombstones(self, space: str) -> Iterator[bytes]:
        """Give the ids of what was erased."""

    def is_buried(self, space: str, item_id: bytes) -> bool:
        """Say whether an item was erased."""

    def buried(self, space: str) -> int:
        """Count what was erased: quick, for whoever holds a projection and must notice."""

    def copy_name(self) -> str:
        """Give the name of this copy of the memory: random, and another in every copy and after every restore."""

    def last_position(self, space: str) -> int:
        """Give the last position in the order of arrival: from 1 on, an item or erasure each; none is given twice."""

    def arrivals(
        self, space: str, *, after: int = 0, until: int | None = None, limit: int | None = None
    ) -> list[Arrival]:
        """Read what came to a space after a position, in that order: each item once, where it last came.

        An item comes again where it turns out to have been learnt earlier; of an erased one there is only its hash.
        """

    def lost_arrivals(self, space: str) -> list[str]:
        """Read the whole order of arrival, and say in words what it lacks, or has twice."""

    def check(self, space: str) -> None:
        """Refuse a space that visibly lost something: compare what is there with its head, as far as that is quick."""

    def head(self, space: str) -> Head:
        """Give what the last commit recorded of all that a space holds."""

    def counted(self, space: str) -> Head:
        """Read all that a space holds, and give the head it should have."""

    def parameters(self, space: str) -> str | None:
        """Give what `set_parameters` recorded."""

    def embedder(self, space: str) -> str | None:
        """Give what `set_embedder` recorded."""

    def vectors(self, space: str, identity: str, texts: Collection[bytes]) -> dict[bytes, bytes]:
        """Give the vectors that an embedder made of these texts, where they are kept."""

    def vector_packs(self, space: str, identity: str) -> list[tuple[bytes, bytes]]:
        """Give every vector that an embedder made, in packs: hashes of texts in a row, and their vectors in a row.

        They come in the order in which they were kept, which stays until some are dropped.
        """

    def vector_texts(self, space: str) -> set[bytes]:
        """Give the hashes of the texts that vectors are kept of, whichever embedder made them."""

    def cache(self, space: str, name: str) -> Cache | None:
        """Give the cache of a name; none if it is damaged."""

    def parts(self, space: str, table: str) -> dict[str, bytes]:
        """Give the parts of a derived table, and the items whose rows they have."""

    def rows(self, space: str, table: str, part: str) -> list[Cells]:
        """Give the rows of a part, in any order."""

    def checkpoint(
        self, space: str, fingerprint: str, *, until_day: int | None = None, until_at: int | None = None
    ) -> Checkpoint | None:
        """Give the latest checkpoint whose open day is at most `until_day` and that holds nothing after `until_at`."""

    def checkpoints(self, space: str, fingerprint: str) -> list[Checkpoint]:
        """Give every checkpoint, oldest first."""

    def counts(self, space: str, fingerprint: str) -> Counts:
        """Count what there is without reading it."""

    def spaces(self) -> list[str]:
        """Name the spaces."""

    def size_bytes(self) -> int:
        """Say how much room it takes."""

    def scrub(self) -> str:
        """See to it that what was removed has left no bytes behind; say what kept some, or nothing."""

    def copy_to(self, path: Path, say: Callable[[float], object]) -> None:
        """Write all spaces, as they are at one moment, to an empty file, which is then a memory with a name of its own.

        Whoever writes meanwhile goes on; `say` is told the share that is done. Nothing that was removed is in it.
        """

    def recover(self) -> None:
        """Undo what was begun here and broken off; whoever holds something of it must look again."""

    def close(self) -> None:
        """Let go of it."""


class Ailment(NamedTuple):
    """One thing that is wrong: its name, in words, what it is about, in which space."""

    name: str
    what: str
    item: str
    space: str | None = None


class Examined(NamedTuple):
    """What was found by looking at a place: what ails it, what was looked at, and whether it opens as a memory."""

    ailments: list[Ailment]
    looked_at: list[str]
    opens: bool


class Place(Protocol):
    """Where a memory is kept, open or not; it reads as what a user calls it."""

    def exists(self) -> bool:
        """Say whether there is a memory, or something else."""

    def open(self, *, read_only: bool = False) -> Store:
        """Open it as a memory, a new one if there is none."""

    def receive(self) -> Store:
        """Open it for reading as somebody else's: what is more than a memory, or less, is refused."""

    def look(self) -> Store:
        """Open it for looking only: that leaves no trace."""

    def room(self) -> AbstractContextManager[Path]:
        """Give an empty file beside this place, for what is to take it; what is left of it in the end is removed."""

    def take(self, file: Path) -> None:
        """Put a file here, whole and durable, at one stroke; what was here goes, if it is a memory nobody has open."""

    def take_free(self, file: Path) -> None:
        """Put a file here, whole and durable, if nothing is here; what appeared meanwhile stays (`file_exists`)."""

    def take_keeping(self, file: Path, check: Callable[[], object]) -> str | None:
        """Put a file here, and keep what was here aside, whatever it is, if nobody has it open: give where.

        `check` is called once nobody can write here any more; what it raises leaves everything as it was.
        """

    def examine(self, spaces: Sequence[str] | None, *, mine: bool) -> Examined:
        """Say what ails it without opening it as a memory: the whole, and some of its spaces (None: all).

        `mine` says that this process holds it open.
        """


def refuse_other_spaces(items: Iterable[Item], space: str) -> None:
    """Let only items of one space into it."""
    for item in items:
        if item.space != space:
            raise UnknownError(
                f"an item of space {item.space!r} was sent to space {space!r}",
                code="wrong_space",
                item=item.id.hex(),
                hint="open the memory with that space",
            )


def called_within() -> AsterismError:
    """Say that a call was made from within another one, of the same memory or of one over the same store."""
    return AsterismError(
        "the memory was called from within one of its own calls",
        code="within_a_call",
        hint=Hint(
            in_python(
                "make the call after the other has returned: not in its progress, clock or embedder",
                otherwise="try again",
            )
        ),
    )


def spread(days: Sequence[int], keep: int) -> list[int]:
    """Choose which days to keep: the newest, and the first of this and the last block of 8, 64, 512 .. days.

    Thinned out day after day, it always leaves a few near and a few far ones.

    >>> spread(range(101), keep=5)
    [0, 64, 88, 96, 100]
    """
    newest = max(days)
    kept = {newest}
    for size in (8, 64, 512, 4096):
        for block in (newest // size, newest // size - 1):
            inside = [day for day in days if day // size == block]
            if inside and len(kept) < keep:
                kept.add(min(inside))
    return sorted(kept)

"""A capability is one row of a table: which items are its own, what it folds them into, and what it shows of that.

A space is made of capabilities that do not know each other: connections, levels, blocks, transcripts, walks. Each gives
one `Capability`; `core/space` puts the rows together into a projection and asks every row the same. To add a capability
is to write one more row.

The parts of a row, in the order in which an item meets them:

    check      is this an item that can have been told?          once, before it is let into a ledger
    judges     does an item of another capability count?         what a reading gave, while it is the current one
    apply      fold the item into what is there                  `days`: into the open day, else by its own clock
    unordered  did it come out of order?  then begin anew
    dump, load pack what was folded into columns, and back       a checkpoint; `verify` compares these bytes
    graph      which nodes, names and links there are now         recall, walks, export, why, every name in a call
    about      which nodes the item makes, needs, speaks of      erase, what_if
    explain    why a number of it is what it is                  why
    gates      what keeps a node or a link from being otherwise  why_not
    table      what of it anyone may query beside the ledger      written with the items that change it; `verify`
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from asterism.core.ledger.about import NONE_DECLARED, Declared
from asterism.core.ledger.columns import Columns
from asterism.core.ledger.explain import Explains, Gates
from asterism.core.ledger.graph import Shown
from asterism.core.ledger.items import Item
from asterism.core.ledger.parameters import Parameters

Fold = TypeVar("Fold")  # what a capability has made of its items so far
Rules = TypeVar("Rules", bound=Parameters)
Watch = TypeVar("Watch")
CLOCK = "clock"  # the column that says which day is open, if one is, and the time of the latest item, if there is one
Done = object  # what an item did, where there is something to say
Cells = tuple[str | int | float | None, ...]  # a row of a table


@dataclass(frozen=True)
class Days(Generic[Fold]):
    """How a capability that counts calendar days folds them: all items of a day into the open day, then its end."""

    begin: Callable[[Fold, int], None]  # the first day that is open
    run: Callable[[Fold, Sequence[Item]], Sequence[Done | None]]  # items of one kind of the open day, at once
    end: Callable[[Fold, int, object | None], int]  # end every day before a given one, and give the work that it was,
    # in items that could have been folded instead; somebody may watch


def open_day(columns: Columns) -> int | None:
    """Give the day that was open when a projection was packed; None if no item had opened one."""
    clock: list[int] = columns[CLOCK].tolist()
    return clock[0] if len(clock) == 2 else None


@dataclass(frozen=True, kw_only=True)
class Unordered(Generic[Fold]):
    """How a capability whose clock is its own folds what came out of order: anew, before it is read."""

    stale: Callable[[Fold], object]  # true if something did
    refold: Callable[[Fold, Sequence[Item]], int]  # from all of its items, in order; gives the work it was


@dataclass(frozen=True, kw_only=True)
class Judges(Generic[Fold]):
    """How a capability says which items of others count; its own items are folded before those."""

    kinds: frozenset[str]  # that are not its own
    field: str  # an item of these kinds that has it names one of its own, and counts only if it is admitted
    admits: Callable[[Fold, Item], bool]
    notes: Callable[[Fold, Item], None]  # that such an item was folded, admitted or not
    reopens: Callable[[Fold, Item], int | None]  # by an item of its own: the time of the first that counts otherwise


@dataclass(frozen=True, kw_only=True)
class Table(Generic[Fold]):
    """A table that a store shows beside the ledger: its parts are the rows that single items of a capability give.

    Nobody else judges which of these items count, and the rows of a part stay while its item does.
    """

    name: str  # as a store calls it
    parts: Callable[[Fold], Mapping[str, bytes]]  # by name: the item whose rows it has
    rows: Callable[[Fold, str], Iterable[Cells]]  # of a part
    part: str  # what a part, an item and the rows are called, for whoever reads what differs
    item: str
    what: str


def _nothing(_: object) -> None:
    return None


def _no_columns(_: object) -> Columns:
    return {}


def _no_work(_: object) -> int:
    return 0


@dataclass(frozen=True, kw_only=True)
class Capability(Generic[Fold, Rules]):
    """One row: everything that a space has to know of a capability."""

    name: str  # its part of a projection, and of the parameters
    parameters: type[Rules]
    parameters_fold: bool = True  # whether other values give another fold
    kinds: frozenset[str] = frozenset()  # of items that are its own
    check: Callable[[Item], object] = _nothing  # raises if no such item can have been told
    begin: Callable[[Rules], Fold]
    apply: Callable[[Fold, Item], Done | None]
    copy: Callable[[Fold], Fold]
    dump: Callable[[Fold], Columns] = _no_columns
    load: Callable[[Columns, Rules], Fold]
    days: Days[Fold] | None = None  # None: it counts other times, and its items open no day

    unordered: Unordered[Fold] | None = None  # None: days are gone back to, or the order of its items does not count
    judges: Judges[Fold] | None = None  # None: it says nothing of the items of others
    work: Callable[[Done], int] = _no_work  # what folding an item cost beyond one, by what it did
    replayed: bool = True  # whether a look into the past folds it with the others; if not, it replays by itself

    graph: Shown[Fold] | None = None  # None: it has neither nodes nor links
    look: Callable[[Fold, int], None] | None = None  # take note of the moment at which it is looked at
    table: Table[Fold] | None = None  # None: what it folds is not kept as a table
    about: Declared = field(default=NONE_DECLARED)
    lost: Callable[[Collection[str], Sequence[Item], Sequence[Item], Rules], Collection[str]] | None = None
    # of some nodes: those there are by all items, and not by those that are left; for what only a fold can tell

    explain: Explains[Fold] | None = None  # None: it has no number of its own
    gates: Gates[Fold] | None = None

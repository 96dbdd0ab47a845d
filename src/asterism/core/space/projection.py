"""The projection: what a ledger means, folded in the order (at, id).

It is a function of the *set* of items: any order of arrival, any batching and any merge of two copies give the
same columns, bit for bit. Inside the open day this holds item by item; an item of an earlier day cannot be folded here
and must be folded from an earlier checkpoint (`LateItem`). The same goes for an item by which others count or not, when
some of those are here already: evidence of a transcript counts while its reading is the current one.

Which items there are, and what becomes of each, says the table of capabilities; nothing here knows one of them by name
but the attributes by which the rest of the program reads the parts it knows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TypeVar, cast

import numpy as np

from asterism.core.blocks.capability import BLOCKS
from asterism.core.blocks.fold import Blocks
from asterism.core.connections.capability import CONNECTIONS
from asterism.core.connections.fold import Connections
from asterism.core.dialogue.capability import TRANSCRIPTS
from asterism.core.dialogue.fold import Transcripts
from asterism.core.ledger.calendar import MICROS_PER_DAY, day_of
from asterism.core.ledger.capability import CLOCK, Capability, Done, open_day
from asterism.core.ledger.columns import Columns
from asterism.core.ledger.items import Item
from asterism.core.ledger.nodes import Nodes
from asterism.core.ledger.parameters import Parameters
from asterism.core.levels.capability import LEVELS
from asterism.core.levels.fold import Levels
from asterism.core.space.capabilities import Capabilities, Row
from asterism.core.space.damage import SIGNS, of_unknown_kind
from asterism.core.space.parameters import SpaceParameters
from asterism.core.walkers.capability import WALKS
from asterism.core.walkers.fold import Walks

FOLD_VERSION = 8  # raise it when the arithmetic changes: stored checkpoints of another version are refolded
Fold = TypeVar("Fold")
Rules = TypeVar("Rules", bound=Parameters)


class LateItem(Exception):  # noqa: N818  # not an error: the caller folds again from an earlier day
    """An item of a day that has already ended here, or one by which items that are here count otherwise."""


class Projection:
    """A space, folded up to an open day: one part for each capability."""

    def __init__(self, parameters: SpaceParameters) -> None:
        self._begin(parameters)
        self.parts = {row.name: row.begin(parameters.of(row)) for row in self.capabilities}

    def _begin(self, parameters: SpaceParameters) -> None:
        self.parameters = parameters
        self.capabilities: Capabilities = parameters.capabilities
        self.day: int | None = None
        self.latest_at: int | None = None
        self.days_work = 0  # that ending days was here, in items
        self.dated = 0  # items with a day that were folded here: what a look ahead, or the links of recall, depend on

    # The parts

    def of(self, capability: Capability[Fold, Rules]) -> Fold:
        """Give what a capability has folded."""
        return cast("Fold", self.parts[capability.name])

    @property
    def connections(self) -> Connections:
        """Stars, and the connections between nodes."""
        return self.of(CONNECTIONS)

    @property
    def nodes(self) -> Nodes:
        """The nodes that evidence and stars name, numbered."""
        return self.of(CONNECTIONS).nodes

    @property
    def levels(self) -> Levels:
        """The level books of every symbol."""
        return self.of(LEVELS)

    @property
    def blocks(self) -> Blocks:
        """Blocks, and the structural links between them."""
        return self.of(BLOCKS)

    @property
    def transcripts(self) -> Transcripts:
        """The current readings of transcripts."""
        return self.of(TRANSCRIPTS)

    @property
    def walks(self) -> Walks:
        """What explorations left behind."""
        return self.of(WALKS)

    # Folding

    def apply(self, item: Item, *, watch: object | None = None) -> Done | None:
        """Fold one item; days that ended before it are ended first, unless it is of a kind that knows no days."""
        row = self._row(item)
        if row.days is not None:
            self._open(item, watch)
        elif self._reopens(item, row) is not None:
            raise LateItem
        try:
            done = row.apply(self.parts[row.name], item) if self._taken(item) else None
        except SIGNS:
            self._blame([item])
            raise
        self._see(item.at)
        return done

    def apply_all(self, items: Iterable[Item], *, watch: object | None = None) -> dict[bytes, Done]:
        """Fold many items, given in the order (at, id); give what each did, where there is something to say.

        Items by which others count or not come first (readings of transcripts, for evidence).
        """
        gains: dict[bytes, Done] = {}
        others = []
        for item in items:
            if item.what in self.capabilities.judged_by:
                self._note(gains, item, self.apply(item))
            else:
                others.append(item)
        for (_, what), same in groupby(others, key=lambda item: (item.at // MICROS_PER_DAY, item.what)):
            run = list(same)
            row = self.capabilities.of_kind.get(what)
            if row is not None and row.days is not None:
                self._apply_run(gains, run, row, watch)
                continue
            for item in run:
                self._note(gains, item, self.apply(item, watch=watch))
        return gains

    def _apply_run(self, gains: dict[bytes, Done], run: Sequence[Item], row: Row, watch: object | None) -> None:
        """Fold items of one kind and one day at once."""
        assert row.days is not None
        self._open(max(run, key=lambda item: item.at), watch)
        try:
            counting = [item for item in run if self._taken(item)]
            done = row.days.run(self.parts[row.name], counting) if counting else ()
        except SIGNS:
            self._blame(run)
            raise
        for item, did in zip(counting, done, strict=True):
            self._note(gains, item, did)

    def _blame(self, items: Iterable[Item]) -> None:
        """Say which of the items that were being folded is damaged; if none is, the error is a fault of ours."""
        for item in items:
            self.capabilities.check(item)

    def _note(self, gains: dict[bytes, Done], item: Item, done: Done | None) -> None:
        if done is not None:
            gains[item.id] = done

    def _row(self, item: Item) -> Row:
        row = self.capabilities.of_kind.get(item.what)
        if row is None:
            raise of_unknown_kind(item)
        return row

    def _taken(self, item: Item) -> bool:
        """Let whoever judges an item take note of it, and say whether it is to be folded."""
        counts = True
        for name, judges in self.capabilities.judging.get(item.what, ()):
            if judges.field in item.payload:
                judges.notes(self.parts[name], item)
                counts &= judges.admits(self.parts[name], item)
        return counts

    def counts(self, item: Item) -> bool:
        """Say whether an item is to be folded: whoever judges its kind must admit it."""
        for name, judges in self.capabilities.judging.get(item.what, ()):
            if judges.field in item.payload and not judges.admits(self.parts[name], item):
                return False
        return True

    def _reopens(self, item: Item, row: Row) -> int | None:
        """Give the time of the first item here that counts otherwise once this one is there."""
        if row.judges is None:
            return None
        try:
            return row.judges.reopens(self.parts[row.name], item)
        except SIGNS:
            self._blame([item])
            raise

    def late_day(self, items: Sequence[Item]) -> int | None:
        """Give the last day that may be open for these items, in order, to be folded; None if they can be here."""
        judged_by, undated, earliest = self.capabilities.judged_by, self.capabilities.undated, self.day
        for item in items:
            if item.what in judged_by and (first := self._reopens(item, self._row(item))) is not None:
                before = day_of(first) - 1
                earliest = before if earliest is None else min(earliest, before)
            if earliest is not None and item.what not in undated:
                earliest = min(earliest, day_of(item.at))
        return earliest if earliest != self.day else None

    def _open(self, item: Item, watch: object | None) -> None:
        """Open the day of an item, with the days before it ended."""
        day = day_of(item.at)
        if self.day is None:
            self._begin_days(day)
        elif day < self.day:
            raise LateItem
        self.dated += 1
        self.close_days(day, watch=watch)
        self._see(item.at)

    def _begin_days(self, day: int) -> None:
        self.day = day
        for row in self.capabilities.dated:
            assert row.days is not None
            row.days.begin(self.parts[row.name], day)

    def _see(self, at: int) -> None:
        if self.latest_at is None or at > self.latest_at:
            self.latest_at = at

    def close_days(self, until: int, *, watch: object | None = None) -> int:
        """End every day before the given one; give the work that it was, in items."""
        work = 0
        if self.day is not None and self.day < until:
            for row in self.capabilities.dated:
                assert row.days is not None
                work += row.days.end(self.parts[row.name], until, watch)
            self.day = until
        self.days_work += work
        return work

    # What came out of order

    @property
    def stale(self) -> bool:
        """Whether something came out of order, and its part must be folded anew before it is read or packed."""
        return bool(self.stale_rows())

    def stale_rows(self) -> list[Row]:
        """Give the capabilities whose part must be folded anew from all of its items."""
        rows = self.capabilities
        return [row for row in rows if row.unordered is not None and row.unordered.stale(self.parts[row.name])]

    def refold(self, row: Row, items: Sequence[Item]) -> int:
        """Fold a part anew from all items of its kinds, in the order (at, id); give the work that it was."""
        assert row.unordered is not None
        try:
            return row.unordered.refold(self.parts[row.name], items)
        except SIGNS:
            self._blame(items)
            raise

    def look(self, moment: int) -> None:
        """Take note of the moment at which this is looked at."""
        for row in self.capabilities:
            if row.look is not None:
                row.look(self.parts[row.name], moment)

    # Whole

    def copy(self) -> Projection:
        """Copy the projection."""
        return self._copied(self.capabilities)

    def ahead(self) -> Projection:
        """Copy what days change, for a look ahead that leaves this as it is; the rest is shared."""
        return self._copied(self.capabilities.dated)

    def mark(self) -> Projection:
        """Copy what a late item turns back; the rest is shared, and not to be used."""
        return self._copied(self.capabilities.turned_back)

    def turned_back(self, mark: Projection) -> Projection:
        """Give what was folded by the time of a mark, with what is folded now of all that no late item turns back."""
        back = mark.mark()
        turned = {row.name for row in self.capabilities.turned_back}
        back.parts |= {name: part for name, part in self.parts.items() if name not in turned}
        back.latest_at = self.latest_at
        return back

    def _copied(self, rows: Iterable[Row]) -> Projection:
        copied = Projection.__new__(Projection)
        copied._begin(self.parameters)
        copied.parts = self.parts | {row.name: row.copy(self.parts[row.name]) for row in rows}
        copied.day, copied.latest_at, copied.dated = self.day, self.latest_at, self.dated
        return copied

    def share(self, other: Projection) -> None:
        """Take what no day changes from another projection, as it is there."""
        for row in self.capabilities:
            if row.days is None:
                self.parts[row.name] = other.parts[row.name]
        self.latest_at = other.latest_at

    def dump(self) -> Columns:
        """Pack the projection into columns of one canonical order."""
        columns: Columns = {}
        for row in self.capabilities:
            columns |= row.dump(self.parts[row.name])
        clock = [each for each in (self.day, self.latest_at) if each is not None]  # batches alone open no day
        columns[CLOCK] = np.array(clock, dtype=np.int64)
        return columns

    @classmethod
    def load(cls, columns: Columns, parameters: SpaceParameters) -> Projection:
        """Unpack what `dump` packed."""
        loaded = cls.__new__(cls)
        loaded._begin(parameters)
        loaded.parts = {row.name: row.load(columns, parameters.of(row)) for row in loaded.capabilities}
        clock: list[int] = columns[CLOCK].tolist()
        loaded.latest_at, loaded.day = clock[-1] if clock else None, open_day(columns)
        return loaded


def digest(columns: Columns) -> str:
    """Name a projection by its bytes."""
    total = hashlib.sha256()
    for name in sorted(columns):
        column = columns[name]
        total.update(f"{name} {column.dtype.str} {column.shape}\n".encode())
        total.update(np.ascontiguousarray(column).data)
    return total.hexdigest()


def differences(mine: Columns, other: Columns) -> list[str]:
    """Name the columns in which two projections differ, to the bit."""
    names = sorted(mine.keys() | other.keys())
    return [
        name
        for name in names
        if name not in mine
        or name not in other
        or mine[name].dtype != other[name].dtype
        or mine[name].shape != other[name].shape
        or mine[name].tobytes() != other[name].tobytes()
    ]

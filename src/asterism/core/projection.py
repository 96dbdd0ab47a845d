"""The projection: what a ledger means, folded in the order (at, id).

It is a function of the *set* of items: any order of arrival, any batching and any merge of two copies give the
same columns, bit for bit. Inside the open day this holds item by item; an item of an earlier day cannot be folded here
and must be folded from an earlier checkpoint (`LateItem`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import groupby

import numpy as np

from asterism.core.calendar import MICROS_PER_DAY, day_of, to_date
from asterism.core.columns import Columns
from asterism.core.connections import snapshot as connection_snapshot
from asterism.core.connections.day import Watch
from asterism.core.connections.fold import KINDS as CONNECTION_KINDS
from asterism.core.connections.fold import Connections, Gain
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.tables import prefixed, under
from asterism.core.items import Item
from asterism.core.nodes import Nodes
from asterism.errors import CorruptError, InputError

FOLD_VERSION = 1  # raise it when the arithmetic changes: stored checkpoints of another version are refolded
MARKS = frozenset({"clock", "erased"})  # items that say something to the ledger, nothing to the graph


class LateItem(Exception):  # noqa: N818  # not an error: the caller folds again from an earlier day
    """An item of a day that has already ended here."""


class Projection:
    """A space, folded up to an open day."""

    def __init__(self, parameters: ConnectionParameters) -> None:
        self.nodes = Nodes()
        self.connections = Connections(self.nodes, parameters)
        self.day: int | None = None
        self.latest_at: int | None = None

    @property
    def parameters(self) -> ConnectionParameters:
        """The parameters this was folded with."""
        return self.connections.parameters

    def apply(self, item: Item, *, watch: Watch | None = None) -> Gain | None:
        """Fold one item; days that ended before it are ended first."""
        day = self._opened(item, watch)
        if item.what in MARKS:
            return None
        if item.what not in CONNECTION_KINDS:
            raise CorruptError(
                f"the ledger holds an item of unknown kind {item.what!r}",
                code="unknown_item",
                item=item.id.hex(),
                hint="a newer Asterism wrote it: upgrade to read this memory",
            )
        try:
            return self.connections.apply(item, day)
        except DAMAGE as error:
            raise _damaged(item, error) from error

    def apply_all(self, items: Iterable[Item], *, watch: Watch | None = None) -> dict[bytes, Gain]:
        """Fold many items, given in the order (at, id); give what each item of evidence added."""
        gains: dict[bytes, Gain] = {}
        for (_, what), same in groupby(items, key=lambda item: (item.at // MICROS_PER_DAY, item.what)):
            run = list(same)
            if what == "evidence":
                day = self._opened(max(run, key=lambda item: item.at), watch)
                try:
                    added = self.connections.apply_evidence(run, day)
                except DAMAGE as error:
                    raise _damaged(run[0], error) from error
                gains.update(zip([item.id for item in run], added, strict=True))
                continue
            for item in run:
                self.apply(item, watch=watch)
        return gains

    def _opened(self, item: Item, watch: Watch | None) -> int:
        """Give the date of an item, with the days before it ended."""
        day = day_of(item.at)
        if self.day is None:
            self.day = self.connections.day = day
        if day < self.day:
            raise LateItem
        self.close_days(day, watch=watch)
        if self.latest_at is None or item.at > self.latest_at:
            self.latest_at = item.at
        return day

    def close_days(self, until: int, *, watch: Watch | None = None) -> None:
        """End every day before the given one."""
        while self.day is not None and self.day < until:
            self.connections.close_day(watch)
            self.day += 1

    def copy(self) -> Projection:
        """Copy the projection, for a look ahead that leaves this as it is."""
        copied = Projection.__new__(Projection)
        copied.nodes = self.nodes.copy()
        copied.connections = self.connections.copy(copied.nodes)
        copied.day, copied.latest_at = self.day, self.latest_at
        return copied

    def dump(self) -> Columns:
        """Pack the projection into columns of one canonical order."""
        order = self.nodes.order()
        columns = prefixed("nodes", self.nodes.dump(order))
        columns |= prefixed("connections", connection_snapshot.dump(self.connections, order))
        clock = [] if self.day is None or self.latest_at is None else [self.day, self.latest_at]
        columns["clock"] = np.array(clock, dtype=np.int64)
        return columns

    @classmethod
    def load(cls, columns: Columns, parameters: ConnectionParameters) -> Projection:
        """Unpack what `dump` packed."""
        loaded = cls.__new__(cls)
        loaded.day, loaded.latest_at = columns["clock"].tolist() or (None, None)
        loaded.nodes = Nodes.load(under("nodes", columns))
        loaded.connections = connection_snapshot.load(
            under("connections", columns), loaded.nodes, parameters, loaded.day
        )
        return loaded


DAMAGE = (KeyError, TypeError, ValueError, AttributeError, AssertionError, InputError)


def _damaged(item: Item, error: Exception) -> CorruptError:
    """Say which item cannot be folded (of a run of evidence: the first)."""
    return CorruptError(
        f"an item of {to_date(day_of(item.at))} cannot be folded: {error}",
        code="damaged_item",
        item=item.id.hex(),
        hint="restore the memory from a copy, or merge another copy of it into a new memory",
    )


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

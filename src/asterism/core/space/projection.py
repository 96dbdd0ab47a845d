"""The projection: what a ledger means, folded in the order (at, id).

It is a function of the *set* of items: any order of arrival, any batching and any merge of two copies give the
same columns, bit for bit. Inside the open day this holds item by item; an item of an earlier day cannot be folded here
and must be folded from an earlier checkpoint (`LateItem`). The same goes for a reading of a transcript when evidence of
it, or of the reading that it replaces, is here already: evidence counts while its reading is the current one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

import numpy as np

from asterism.core.blocks import snapshot as block_snapshot
from asterism.core.blocks.fold import KINDS as BLOCK_KINDS
from asterism.core.blocks.fold import Blocks, Learned
from asterism.core.blocks.payloads import check_payload as check_block
from asterism.core.connections import snapshot as connection_snapshot
from asterism.core.connections.day import Watch
from asterism.core.connections.fold import KINDS as CONNECTION_KINDS
from asterism.core.connections.fold import Connections, Gain
from asterism.core.connections.payloads import check_payload
from asterism.core.dialogue.fold import Transcripts
from asterism.core.dialogue.payloads import KINDS as TRANSCRIPT_KINDS
from asterism.core.dialogue.payloads import check_payload as check_transcript
from asterism.core.ledger.calendar import EARLIEST, LATEST, MICROS_PER_DAY, day_of, to_date
from asterism.core.ledger.columns import Columns, prefixed, under
from asterism.core.ledger.items import Item, cut, make_item
from asterism.core.ledger.nodes import Nodes
from asterism.core.ledger.payloads import Fields, check_fields, item_ids
from asterism.core.levels.fold import KINDS as LEVEL_KINDS
from asterism.core.levels.fold import Levels, check_batch
from asterism.core.levels.ordered import Taken
from asterism.core.space.parameters import SpaceParameters
from asterism.core.walkers import snapshot as walk_snapshot
from asterism.core.walkers.effects import KINDS as WALKER_KINDS
from asterism.core.walkers.fold import Walks
from asterism.core.walkers.payloads import check_payload as check_exploration
from asterism.errors import CorruptError, InputError

FOLD_VERSION = 4  # raise it when the arithmetic changes: stored checkpoints of another version are refolded
WALK_KINDS = WALKER_KINDS
UNDATED = LEVEL_KINDS | BLOCK_KINDS | TRANSCRIPT_KINDS | WALK_KINDS  # they count other times: their items open no day
MARKS: Mapping[str, Fields] = {  # items that say something to the ledger, nothing to the graph
    "clock": {},
    "erased": {"ids": item_ids},
}


Done = Gain | Taken | Learned | bool  # what an item did, where there is something to say


class LateItem(Exception):  # noqa: N818  # not an error: the caller folds again from an earlier day
    """An item of a day that has already ended here, or a reading whose evidence is here already."""


class Projection:
    """A space, folded up to an open day."""

    def __init__(self, parameters: SpaceParameters) -> None:
        self.parameters = parameters
        self.nodes = Nodes()
        self.connections = Connections(self.nodes, parameters.connections)
        self.levels = Levels(parameters.levels)
        self.blocks = Blocks(parameters.blocks)
        self.transcripts = Transcripts()
        self.walks = Walks(parameters.exploration)
        self.day: int | None = None
        self.latest_at: int | None = None
        self.dated = 0  # items with a day that were folded here: what a look ahead, or the links of recall, depend on

    def apply(self, item: Item, *, watch: Watch | None = None) -> Done | None:
        """Fold one item; days that ended before it are ended first, unless it is of a kind that knows no days."""
        if item.what in UNDATED:
            return self._apply_undated(item)
        day = self._opened(item, watch)
        if item.what in MARKS:
            return None
        if item.what not in CONNECTION_KINDS:
            raise _of_unknown_kind(item)
        try:
            return self.connections.apply(item, day) if self._counts(item) else None
        except DAMAGE as error:
            raise _damaged(item, error) from error

    def _counts(self, item: Item) -> bool:
        """Say whether an item of the open day is to be folded; evidence of a reading that is not current is not."""
        return item.what != "evidence" or "reading" not in item.payload or self.transcripts.take(item)

    def late_day(self, items: Sequence[Item]) -> int | None:
        """Give the last day that may be open for these items, in order, to be folded; None if they can be here."""
        found = [day_of(first) - 1 for item in items if (first := self._opens(item)) is not None]
        day = next((day_of(item.at) for item in items if item.what not in UNDATED), None)
        if day is not None and self.day is not None and day < self.day:
            found.append(day)
        return min(found, default=None)

    def _opens(self, item: Item) -> int | None:
        """Give the time of the first evidence here that a reading makes count, or count no more."""
        if item.what not in TRANSCRIPT_KINDS:
            return None
        try:
            return self.transcripts.opens(item)
        except DAMAGE as error:
            raise _damaged(item, error) from error

    def _apply_undated(self, item: Item) -> Done | None:
        try:
            done = self._folded_by_kind(item)
        except DAMAGE as error:
            raise _damaged(item, error) from error
        self._see(item.at)
        return done

    def _folded_by_kind(self, item: Item) -> Done | None:
        if item.what in LEVEL_KINDS:
            return self.levels.apply(item)
        if item.what in BLOCK_KINDS:
            return self.blocks.apply(item)
        if item.what in TRANSCRIPT_KINDS:
            if self._opens(item) is not None:
                raise LateItem
            return self.transcripts.apply(item)
        self.walks.apply(item.payload, item.at, item.id, item.what)
        return None

    @property
    def stale(self) -> bool:
        """Whether something came out of order, and its part must be folded anew before it is read or packed."""
        return bool(self.levels.stale or self.blocks.stale or self.walks.stale)

    def apply_all(self, items: Iterable[Item], *, watch: Watch | None = None) -> dict[bytes, Done]:
        """Fold many items, given in the order (at, id); give what each did, where there is something to say.

        Readings of transcripts come first, so that it is known which evidence counts.
        """
        gains: dict[bytes, Done] = {}
        dated = []
        for item in items:
            if item.what in TRANSCRIPT_KINDS:
                gains[item.id] = bool(self.apply(item))
            else:
                dated.append(item)
        for (_, what), same in groupby(dated, key=lambda item: (item.at // MICROS_PER_DAY, item.what)):
            run = list(same)
            if what == "evidence":
                day = self._opened(max(run, key=lambda item: item.at), watch)
                try:
                    run = [item for item in run if self._counts(item)]
                    added = self.connections.apply_evidence(run, day)
                except DAMAGE as error:
                    raise _damaged(run[0], error) from error
                gains.update(zip([item.id for item in run], added, strict=True))
                continue
            for item in run:
                done = self.apply(item, watch=watch)
                if done is not None:
                    gains[item.id] = done
        return gains

    def _opened(self, item: Item, watch: Watch | None) -> int:
        """Give the date of an item, with the days before it ended."""
        day = day_of(item.at)
        if self.day is None:
            self.day = self.connections.day = day
        if day < self.day:
            raise LateItem
        self.dated += 1
        self.close_days(day, watch=watch)
        self._see(item.at)
        return day

    def _see(self, at: int) -> None:
        if self.latest_at is None or at > self.latest_at:
            self.latest_at = at

    def close_days(self, until: int, *, watch: Watch | None = None) -> None:
        """End every day before the given one."""
        while self.day is not None and self.day < until:
            self.connections.close_day(watch)
            self.day += 1

    def copy(self) -> Projection:
        """Copy the projection."""
        copied = self.ahead()
        copied.levels, copied.blocks = self.levels.copy(), self.blocks.copy()
        copied.transcripts, copied.walks = self.transcripts.copy(), self.walks.copy()
        return copied

    def share(self, other: Projection) -> None:
        """Take what no day changes from another projection, as it is there."""
        self.levels, self.blocks = other.levels, other.blocks
        self.transcripts, self.walks = other.transcripts, other.walks
        self.latest_at = other.latest_at

    def ahead(self) -> Projection:
        """Copy what days change, for a look ahead that leaves this as it is; the rest is shared."""
        copied = Projection.__new__(Projection)
        copied.parameters = self.parameters
        copied.share(self)
        copied.nodes = self.nodes.copy()
        copied.connections = self.connections.copy(copied.nodes)
        copied.day, copied.latest_at, copied.dated = self.day, self.latest_at, self.dated
        return copied

    def dump(self) -> Columns:
        """Pack the projection into columns of one canonical order."""
        order = self.nodes.order()
        columns = prefixed("nodes", self.nodes.dump(order))
        columns |= prefixed("connections", connection_snapshot.dump(self.connections, order))
        columns |= prefixed("levels", self.levels.dump()) | prefixed("blocks", block_snapshot.dump(self.blocks))
        columns |= prefixed("transcripts", self.transcripts.dump()) | prefixed("walks", walk_snapshot.dump(self.walks))
        clock = [each for each in (self.day, self.latest_at) if each is not None]  # batches alone open no day
        columns["clock"] = np.array(clock, dtype=np.int64)
        return columns

    @classmethod
    def load(cls, columns: Columns, parameters: SpaceParameters) -> Projection:
        """Unpack what `dump` packed."""
        loaded = cls.__new__(cls)
        loaded.parameters = parameters
        clock: list[int] = columns["clock"].tolist()
        loaded.latest_at = clock[-1] if clock else None
        loaded.day = clock[0] if len(clock) == 2 else None
        loaded.dated = 0
        loaded.levels = Levels.load(under("levels", columns), parameters.levels)
        loaded.blocks = block_snapshot.load(under("blocks", columns), parameters.blocks)
        loaded.transcripts = Transcripts.load(under("transcripts", columns))
        loaded.walks = walk_snapshot.load(under("walks", columns), parameters.exploration)
        loaded.nodes = Nodes.load(under("nodes", columns))
        loaded.connections = connection_snapshot.load(
            under("connections", columns), loaded.nodes, parameters.connections, loaded.day
        )
        return loaded


DAMAGE = (KeyError, TypeError, ValueError, AttributeError, AssertionError, InputError)


def check_item(item: Item) -> None:
    """Refuse an item of another ledger that cannot have been told: unknown, not what its id names, or ill-formed."""
    try:
        if item.what in MARKS:
            check_fields(item.payload, MARKS[item.what])
        elif item.what in CONNECTION_KINDS:
            check_payload(item.what, item.payload)
        elif item.what in LEVEL_KINDS:
            check_batch(item)
        elif item.what in BLOCK_KINDS:
            check_block(item.what, item.payload)
        elif item.what in TRANSCRIPT_KINDS:
            check_transcript(item.what, item.payload)
        elif item.what in WALK_KINDS:
            check_exploration(item.payload, item.what)
        else:
            raise _of_unknown_kind(item)
        parts = item._asdict()
        if make_item(**{name: parts[name] for name in parts if name not in ("id", "text")}) != item:
            raise ValueError("its content does not give its id")
        if not EARLIEST <= item.at <= LATEST:
            raise ValueError("its time is none that can be told")
    except DAMAGE as error:
        raise _damaged(item, error) from error


def _of_unknown_kind(item: Item) -> CorruptError:
    return CorruptError(
        f"the ledger holds an item of unknown kind {item.what!r}",
        code="unknown_item",
        item=item.id.hex(),
        hint="a newer Asterism wrote it: upgrade to read this memory",
    )


def _damaged(item: Item, error: Exception) -> CorruptError:
    """Say which item cannot be folded (of a run of evidence: the first)."""
    told = f"of {to_date(day_of(item.at))}" if EARLIEST <= item.at <= LATEST else f"at microsecond {item.at}"
    return CorruptError(
        f"an item {told} cannot be folded: {cut(str(error), most=200)}",
        code="damaged_item",
        item=item.id.hex(),
        hint="restore the memory that holds it from a copy, or merge another copy of it into a new memory",
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

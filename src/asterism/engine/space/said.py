"""What a caller says becomes an item: when it was, if not told, and that it is not in the future."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from types import TracebackType
from typing import NamedTuple, TypeVar

from asterism.core.ledger.calendar import EARLIEST, When, to_micros, written
from asterism.core.ledger.items import Item, Payload, make_item, moved
from asterism.engine.space.live import Live
from asterism.engine.space.looking import future_time
from asterism.errors import AsterismError, InputError
from asterism.hints import Hint, in_python, option, step

Row = TypeVar("Row")
Read = TypeVar("Read")


class Said(NamedTuple):
    """What a caller said: the item's kind and payload, when and by whom."""

    what: str
    payload: Payload
    at: When | None = None
    source: str | None = None
    note: str | None = None


def item_of(live: Live, said: Said) -> Item:
    """Build the item, known now; without a time it is something new, at the memory's clock."""
    item = make_item(
        space=live.space,
        what=said.what,
        known_at=live.stamp(),
        at=live.now() if said.at is None else told_time(live, said.at, begins=said.what == "learned"),
        payload=said.payload,
        source=said.source or "",
        note=said.note or "",
    )
    return item if said.at is not None else something_new(live, item, taken={})


def something_new(live: Live, item: Item, *, taken: dict[bytes, int]) -> Item:
    """Give an item told without a time as one that is not there yet, nor was told before it in one call (`taken`).

    While the clock stands still, it comes a microsecond after its like, and after what was erased.
    """
    alike = item.id
    if alike in taken:
        item = moved(item, at=taken[alike] + 1)
    item = live.anew(item)
    taken[alike] = item.at
    return item


def told_time(live: Live, at: When, *, now: int | None = None, begins: bool = False) -> int:
    """Take a time that a caller told: a date means noon, or now if that is earlier; not the future, not before 1900.

    What is told may say apart from when it holds, if it `begins` so.
    """
    now = live.now() if now is None else now
    told = to_micros(at, now=now)
    if told > now:
        live.stamp()  # which says so if the clock is to blame
        wait = in_python("advance the memory", otherwise=Hint("let time pass (", step("advance", to=...), ")"))
        valid_from = in_python("valid_from", otherwise=Hint(option("valid_from")))
        later = Hint("tell now what holds later, with ", valid_from, " for its beginning; else ") if begins else ""
        raise future_time(told, now, hint=Hint(later, wait, " first, or leave the time out"))
    if told < EARLIEST:
        raise InputError(
            f"{written(told)} is before 1900",
            code="bad_time",
            item=written(told),
            hint="times begin at 1900-01-01",
        )
    return told


def after(live: Live, item: Item, last: int | None) -> Item:
    """Give an item that comes after a time, later by a microsecond than that if its own is not."""
    return item if last is None or item.at > last else live.anew(moved(item, at=last + 1))


class NamingTheRow:
    """Lets an error say which of several rows it is about: the one after those that are done."""

    __slots__ = ("_done", "_rows")

    def __init__(self, rows: Sized, done: Sized) -> None:
        self._rows, self._done = rows, done

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        if isinstance(error, AsterismError):
            error.row = len(self._done) + 1 if len(self._rows) > 1 else None


def each_row(rows: Sequence[Row], read: Callable[[Row], Read]) -> list[Read]:
    """Read every row; an error says which of several it is about."""
    done: list[Read] = []
    with NamingTheRow(rows, done):
        done.extend(read(row) for row in rows)
    return done

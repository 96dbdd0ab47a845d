"""Market events: one thing that happened at a price, as a dict, or as columns of many.

The book works on `Events`, columns in whole microseconds. `events_of` reads what a caller has, checks every row and
names the bad ones.
"""

from __future__ import annotations

import hashlib
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.calendar import EARLIEST, LATEST, to_micros
from asterism.core.ledger.columns import Bools, Bytes, Column, Floats, Longs
from asterism.core.ledger.items import cut
from asterism.errors import InputError

TRADE, PERSISTENCE, LIQUIDATION, PRICE, BOOK, REJECTION = range(6)
KINDS = ("trade", "persistence", "liquidation", "price", "book", "rejection")
BID, ASK, BOTH = 1, 2, 3
SIDES = ("", "bid", "ask", "both")
UNITS = {"s": 1e6, "ms": 1e3, "us": 1.0, "ns": 1e-3}  # microseconds in one
FIRST, LAST = EARLIEST, LATEST  # the times a memory can hold: the years 1900 to 9998
LEAST, MOST, MANY = 1e-100, 1e100, 2**31 - 1  # prices, dollars and counts beyond these are of no market
OTHER_WORDS = {"execution": "trade", "None": ""}
FIELDS = ("kind", "at", "price", "usd", "seconds", "n", "side", "episode", "id")
DTYPES = ("u1", "i8", "f8", "f8", "f8", "i8", "u1", "i8", "i8")
FIRSTS = (0, 0, 0.0, 0.0, 0.0, 1, 0, 0, 0)  # what an event says by default

NEEDED = (("usd",), ("seconds",), (), (), ("usd",), ())  # besides kind, at and price

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)  # as exchanges write one

Event = Mapping[str, object]
Batch = Iterable[Event] | Mapping[str, object]


class Events(NamedTuple):
    """Columns of events, in the order of arrival."""

    kind: Bytes
    at: Longs  # microseconds since 1970
    price: Floats
    usd: Floats  # what was filled, or rests there (book)
    seconds: Floats  # how long the episode has lasted (persistence)
    n: Longs  # how many (liquidations in one item, visits)
    side: Bytes  # 0: not said
    episode: Longs  # 0: one of its own
    id: Longs  # breaks ties of time inside a stream; 0: by content

    @classmethod
    def none(cls) -> Self:
        """No events at all."""
        return cls.of(0)

    @classmethod
    def of(cls, size: int, **columns: Column | float) -> Self:
        """Make events of some columns; the others hold what an event says by default."""
        filled = (
            np.broadcast_to(np.asarray(columns.get(name, first), dtype=dtype), (size,))
            for name, dtype, first in zip(FIELDS, DTYPES, FIRSTS, strict=True)
        )
        return cls._make(np.ascontiguousarray(column) for column in filled)

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.at)

    def take(self, which: NDArray[np.intp] | Bools | slice) -> Self:
        """Give some of them."""
        return type(self)._make([column[which] for column in self])

    @classmethod
    def join(cls, parts: Sequence[Events]) -> Self:
        """Put batches one after the other."""
        return cls._make(np.concatenate(columns) for columns in zip(*parts, strict=True)) if parts else cls.none()

    def sorted(self) -> Self:
        """Give them in the order (time, id, content), in which equal neighbours are equal in all."""
        return self.take(np.lexsort((*reversed(self[2:8]), self.kind, self.id, self.at)))


class Malformed(NamedTuple):
    """A row that was not used, and why."""

    row: int
    reason: str


class Parsed(NamedTuple):
    """Events that were understood, and the rows that were not."""

    events: Events
    malformed: tuple[Malformed, ...]


def events_of(batch: Batch | Events, *, unit: str = "s") -> Parsed:
    """Read events: dicts, columns by name, or `Events`. Numbers in `at` are in `unit`.

    >>> events_of([{"kind": "trade", "at": 1.5, "price": 100.0, "usd": 250.0}]).events.at.tolist()
    [1500000]
    >>> events_of([{"kind": "trade", "at": 0, "price": -1.0, "usd": 5.0}]).malformed[0].reason
    'price -1.0 is not above 0'
    """
    if str(unit) not in UNITS:
        raise InputError(
            f"{unit!r} is not a unit of time", code="bad_unit", item=str(unit), hint=f"use {', '.join(UNITS)}"
        )
    if isinstance(batch, Events):
        return _checked(batch)
    if isinstance(batch, Mapping):
        if not any(isinstance(value, np.ndarray | Sequence) and not isinstance(value, str) for value in batch.values()):
            return _from_rows([batch], unit)  # one event, as a stream gives it
        return _from_columns(batch, unit)
    try:
        rows = iter(batch)
    except TypeError:
        raise _no_batch(batch) from None
    return _from_rows(rows, unit)


def _from_rows(batch: Iterable[Event], unit: str) -> Parsed:
    """Read dicts one by one."""
    good: list[tuple[float, ...]] = []
    bad: list[Malformed] = []
    for row, event in enumerate(batch):
        try:
            good.append(_row(event, unit))
        except (ValueError, InputError) as error:
            bad.append(Malformed(row, error.message if isinstance(error, InputError) else str(error)))
    columns = zip(*good, strict=True) if good else ([] for _ in FIELDS)
    return Parsed(
        Events.of(len(good), **{name: np.array(column) for name, column in zip(FIELDS, columns, strict=True)}),
        tuple(bad),
    )


def _row(event: Event, unit: str) -> tuple[float, ...]:
    if not isinstance(event, Mapping):
        raise ValueError(f"{cut(repr(event))} is not an event")  # a bad row, not a bad call
    if unknown := sorted(str(field) for field in event if field not in FIELDS):
        raise ValueError(f"{', '.join(unknown)} is no field of an event; there are {', '.join(FIELDS)}")
    kind = _kind(event.get("kind"))
    at = micros_of(event.get("at"), unit)
    price, usd, seconds = (_number(event, field) for field in ("price", "usd", "seconds"))
    n = _whole(event, "n", 1)
    side = _side(event.get("side"))
    episode = _episode(event.get("episode"))
    if missing := [field for field in NEEDED[kind] if field not in event]:
        raise ValueError(f"a {KINDS[kind]} needs {missing[0]}")
    if problem := _problem(price, usd, seconds, n):
        raise ValueError(problem)
    return (kind, at, price, usd, seconds, n, side, episode, _whole(event, "id", 0))


def _problem(price: float, usd: float, seconds: float, n: int) -> str:
    if not price > 0:
        return f"price {price!r} is not above 0"
    if usd < 0 or seconds < 0:
        return f"{'usd' if usd < 0 else 'seconds'} is below 0"
    if n < 1:
        return f"n {n} is below 1"
    beyond = {"price": not LEAST <= price <= MOST, "usd": usd > MOST, "n": n > MANY}
    return next((f"{field} is beyond any market" for field, is_beyond in beyond.items() if is_beyond), "")


def _kind(value: object) -> int:
    word = OTHER_WORDS.get(value, value) if isinstance(value, str) else value
    if not isinstance(word, str) or word not in KINDS:
        raise ValueError(f"kind {cut(repr(value))} is not one of {', '.join(KINDS)}")
    return KINDS.index(word)


def _side(value: object) -> int:
    if value is None:
        return 0
    if not isinstance(value, str) or value not in SIDES:
        raise ValueError(f"side {cut(repr(value))} is not bid, ask or both")
    return SIDES.index(value)


def _finite(value: object) -> int | float | None:
    """Give a finite number as one of Python's own, also from text, as exchanges send them; None for anything else."""
    if isinstance(value, np.integer | np.floating):
        value = value.item()
    if isinstance(value, str):
        value = float(value) if NUMBER.fullmatch(value) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        return None
    return value


def _number(event: Event, field: str) -> float:
    value = event.get(field, 0.0)
    if (number := _finite(value)) is None:
        raise ValueError(f"{field} {cut(repr(value))} is not a finite number")
    return float(number)


def _whole(event: Event, field: str, first: int) -> int:
    value = event.get(field, first)
    number = _finite(value)
    if number is None or number != int(number) or abs(number) >= 2**63:
        raise ValueError(f"{field} {cut(repr(value))} is not a whole number")
    return int(number)


def _episode(value: object) -> int:
    """Number an episode: a text stands for the number it hashes to."""
    if value is None:
        return 0
    if isinstance(value, str):
        return int.from_bytes(hashlib.sha256(value.encode(errors="surrogatepass")).digest()[:8], "big") >> 1 or 1
    return _whole({"episode": value}, "episode", 0)


def micros_of(value: object, unit: str) -> int:
    """Read a time: an aware datetime or its text, or a number that counts `unit` since 1970.

    >>> micros_of(1.5, "s"), micros_of("1970-01-01T00:00:02Z", "s")
    (1500000, 2000000)
    """
    at, scale = FIRST - 1, UNITS[unit]
    if isinstance(value, datetime | date | str):
        at = to_micros(value)
    elif (number := _finite(value)) is None:
        raise ValueError(f"at {cut(repr(value))} is not a time")
    elif abs(number * scale) <= LAST:
        at = _rounded(number, scale)
    if not FIRST <= at <= LAST:
        raise ValueError(f"at is not in the years 1900 to 9998 if it counts {unit}: declare its unit")
    return at


def _rounded(number: float, scale: float) -> int:
    """Count microseconds, whole numbers exactly."""
    if isinstance(number, int):
        return number * int(scale) if scale >= 1 else (number + 500) // 1000
    return math.floor(number * scale + 0.5)


def _no_batch(batch: object) -> InputError:
    return InputError(
        f"{cut(repr(batch))} is no batch of events",
        code="bad_events",
        item="events",
        hint="give dicts with kind, at, price and what the kind needs, or columns by these names",
    )


# Columns


def _from_columns(batch: Mapping[str, object], unit: str) -> Parsed:
    """Read columns by name; a single value stands for a column of it."""
    if unknown := sorted(str(name) for name in batch if name not in FIELDS):
        raise InputError(
            f"{', '.join(unknown)} is no column of events",
            code="bad_events",
            item=unknown[0],
            hint=f"use {', '.join(FIELDS)}",
        )
    if missing := [name for name in ("kind", "at", "price") if name not in batch]:
        raise InputError(
            f"the events have no {missing[0]}", code="bad_events", item=missing[0], hint="give kind, at and price"
        )
    columns = {name: _column(name, value) for name, value in batch.items()}
    sizes = {len(column) for column in columns.values() if column.ndim == 1}
    if len(sizes) != 1 or any(column.ndim > 1 for column in columns.values()):
        raise InputError(
            "the columns are not of one length", code="bad_events", item="events", hint="give arrays of equal length"
        )
    size = sizes.pop()
    if not all(_is_ready(name, column) for name, column in columns.items()):
        return _from_rows(_as_rows(columns, size), unit)
    ready = {name: column for name, column in columns.items() if name not in ("kind", "side", "at")}
    events = Events.of(
        size,
        kind=_coded(columns["kind"], KINDS),
        side=_coded(columns["side"], SIDES) if "side" in columns else 0,
        at=_column_micros(columns["at"], unit),
        **ready,
    )
    lacking = [kind for kind, needed in enumerate(NEEDED) if set(needed) - set(batch)]
    return _checked(events, np.isin(events.kind, lacking))


def _column(name: str, value: object) -> Column:
    try:
        return np.asarray(value)
    except ValueError:
        raise InputError(
            f"{name} is no column", code="bad_events", item=name, hint="give an array, a list or one value"
        ) from None


def _is_ready(name: str, column: Column) -> bool:
    """Say whether a column can be taken as it is; others are read value by value."""
    if name in ("n", "episode", "id"):
        return column.dtype.kind in "iu" and bool((column.astype(np.float64) < 2.0**63).all())
    return name in ("kind", "side") or column.dtype.kind in "iuf"


def _as_rows(columns: Mapping[str, Column], size: int) -> list[Event]:
    wide = {name: np.broadcast_to(column, (size,)).tolist() for name, column in columns.items()}
    return [{name: column[row] for name, column in wide.items()} for row in range(size)]


def _coded(column: Column, words: Sequence[str]) -> Bytes:
    """Number words by their place; numbers are taken as they are; what is unknown becomes 255."""
    if column.dtype.kind in "iu":
        places = column.astype(np.int64)
        return np.where((places >= 0) & (places < len(words)), places, 255).astype(np.uint8)
    names, which = np.unique(column.astype(str), return_inverse=True)
    return np.array([_place(name, words) for name in names.tolist()], dtype=np.uint8)[which.reshape(column.shape)]


def _place(word: str, words: Sequence[str]) -> int:
    word = OTHER_WORDS.get(word, word)
    return words.index(word) if word in words else 255


def _column_micros(column: Column, unit: str) -> Longs:
    scale = UNITS[unit]
    with np.errstate(invalid="ignore", over="ignore"):
        values = column.astype(np.float64) * scale
        inside = np.abs(values) <= LAST  # not so for NaN
    if column.dtype.kind == "f":
        return np.where(inside, np.floor(np.where(inside, values, 0.0) + 0.5), LAST + 1).astype(np.int64)
    whole = np.where(inside, column, 0).astype(np.int64)
    exact = whole * np.int64(scale) if scale >= 1 else whole // 1000 + (whole % 1000 >= 500)
    return np.where(inside, exact, LAST + 1)


def _checked(events: Events, lacking: Bools | None = None) -> Parsed:
    """Keep the rows that are well-formed; name the others."""
    with np.errstate(invalid="ignore"):
        good = (
            (events.kind < len(KINDS))
            & (events.side < len(SIDES))
            & (events.at >= FIRST)
            & (events.at <= LAST)
            & (events.price >= LEAST)
            & (events.price <= MOST)
            & (events.usd >= 0)
            & (events.usd <= MOST)
            & (events.seconds >= 0)
            & np.isfinite(events.seconds)
            & (events.n >= 1)
            & (events.n <= MANY)
        )
    if lacking is not None:
        good &= ~lacking
    if good.all():
        return Parsed(events, ())
    return Parsed(
        events.take(good), tuple(Malformed(row, _reason(events, row)) for row in np.flatnonzero(~good).tolist())
    )


def _reason(events: Events, row: int) -> str:
    kind, at, price, usd, seconds, n, side = (column[row].item() for column in events[:7])
    if kind >= len(KINDS):
        return f"the kind is not one of {', '.join(KINDS)}"
    if side >= len(SIDES):
        return "the side is not bid, ask or both"
    if not FIRST <= at <= LAST:
        return "at is not in the years 1900 to 9998: declare its unit"
    if not (math.isfinite(price) and math.isfinite(usd) and math.isfinite(seconds)):
        return "a number is not finite"
    return _problem(price, usd, seconds, n) or f"a {KINDS[kind]} needs {' and '.join(NEEDED[kind])}"

"""Times in a file: numbers in a unit that is declared or certain, or ISO text.

A unit is certain when every time of the column lies where only that unit puts the years 1973 to 5138: seconds in
[1e8, 1e11), and a thousand times that for each finer unit. Anything else is refused with its line, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.columns import Bools, Floats, Longs
from asterism.core.ledger.items import cut
from asterism.core.levels.events import LAST, NUMBER, UNITS
from asterism.errors import InputError
from asterism.feeds.cells import LONGEST_WORD, Cells, Wholes, Words

RANGES = {"s": (1e8, 1e11), "ms": (1e11, 1e14), "us": (1e14, 1e17), "ns": (1e17, 1e20)}
ISO, UTC = "iso", "utc"  # text with its zone; text without one, in UTC
TIME_UNITS = (*UNITS, ISO, UTC)
BEYOND = LAST + 1  # no time of the calendar; refused as such with the other values of its row
PLAIN = len("2026-01-31T18:30:00"), len("2026-01-31T18:30:00.123456")
CLOCK_SIGNS = np.frombuffer(b"0123456789:.\0", dtype=np.uint8)


@dataclass(frozen=True)
class Clock:
    """How the times of one column are read."""

    unit: str
    declared: bool  # else every time must be where only this unit puts it

    def micros(self, cells: Cells, column: str) -> Wholes:
        """Read the times of a column; what is none is not good."""
        if self.unit in (ISO, UTC):
            return _from_text(cells.words(column), self.unit)
        whole = cells.wholes(column)
        values = whole.values.astype(np.float64)
        good = whole.good
        if not good.all():
            values = np.where(good, values, cells.numbers(column))
            good = np.isfinite(values)
        if not self.declared:
            self._check(values, good, cells, column)
        return Wholes(_scaled(whole, values, self.unit), good)

    def _check(self, values: Floats, good: Bools, cells: Cells, column: str) -> None:
        low, high = RANGES[self.unit]
        outside = good & ~((low <= values) & (values < high))
        if outside.any():
            row = int(np.argmax(outside))
            line, text = int(cells.lines[row]), cells.shown(column, row)
            raise uncertain(column, text, line, f"but the times before it are in {self.unit}")


def check_unit(unit: str) -> str:
    """Refuse what is no unit of time."""
    told: object = unit
    if not isinstance(told, str) or told not in TIME_UNITS:
        raise InputError(
            f"{cut(repr(unit))} is not a unit of time",
            code="bad_unit",
            item=cut(str(unit)),
            hint=f"use {', '.join(UNITS)}, iso for text with its time zone, or utc for text without one",
        )
    return unit


def detect(column: str, times: Iterable[tuple[int, str]]) -> str:
    """Tell the unit by the first time there is among some lines; the others are checked as they are read.

    >>> detect("ts", [(2, "1707756331467")])
    'ms'
    """
    for line, text in times:
        if NUMBER.fullmatch(text):
            value = float(text)
            for unit, (low, high) in RANGES.items():
                if low <= value < high:
                    return unit
            raise uncertain(column, text, line, "which no unit makes a time between 1973 and 5138")
        moment = _moment(text)
        if moment is not None and moment.tzinfo is None:
            raise uncertain(column, text, line, "which names no time zone")
        if moment is not None:
            return ISO
    raise InputError(f"no time was found in {column!r}", code="bad_time", item=column, hint=_hint(column))


def check_declared(unit: str, column: str, times: Iterable[tuple[int, str]]) -> None:
    """Refuse a unit that was declared where another one is certain: it would put the times into another age.

    >>> check_declared("ms", "ts", [(2, "1707756331467")])
    """
    for line, text in times:
        value = float(text) if NUMBER.fullmatch(text) else 0.0
        certain = next((each for each, (low, high) in RANGES.items() if low <= value < high), unit)
        if unit in RANGES and certain != unit:
            raise InputError(
                f"line {line}: {column} is {cut(text)}, which is no time in {unit} but one in {certain}",
                code="uncertain_unit",
                item=str(line),
                hint=f"declare {certain}, or leave the unit out",
            )
        return


def uncertain(column: str, text: str, line: int, problem: str) -> InputError:
    """Say that a time could be more than one."""
    return InputError(
        f"line {line}: {column} is {cut(text)}, {problem}", code="uncertain_unit", item=str(line), hint=_hint(column)
    )


def _hint(column: str) -> str:
    return f"declare the unit of {column}: s, ms, us, ns, iso (text with its time zone) or utc (text without one)"


def _scaled(whole: Wholes, values: Floats, unit: str) -> Longs:
    """Turn numbers into microseconds: whole ones exactly, others to the nearest."""
    if unit == "ns":
        exact = whole.values // 1000 + (whole.values % 1000 >= 500)
    else:
        fits = np.abs(whole.values) <= LAST // int(UNITS[unit])
        exact = np.where(fits, whole.values, 0) * np.int64(UNITS[unit])
        exact[~fits] = BEYOND
    if whole.good.all():
        return exact
    with np.errstate(invalid="ignore", over="ignore"):
        rounded = np.floor(values * UNITS[unit] + 0.5)
        near = np.where(np.abs(rounded) <= LAST, rounded, BEYOND).astype(np.int64)  # NaN too
    return np.where(whole.good, exact, near)


def _from_text(words: Words, unit: str) -> Wholes:
    """Read ISO text: all at once what is plain, the others one by one."""
    values = np.zeros(len(words), dtype=np.int64)
    texts, good = _plain(words, unit)
    try:
        values[good] = texts[good].astype("datetime64[us]").astype(np.int64)
    except ValueError:
        good[:] = False
    for row in np.flatnonzero(~good).tolist():
        moment = _moment(words[row].decode(errors="replace"))
        if moment is not None and (moment.tzinfo is None) == (unit == UTC):
            values[row] = _micros(moment if moment.tzinfo else moment.isoformat() + "Z")
            good[row] = True
    return Wholes(values, good)


def _micros(moment: datetime | str) -> int:
    try:
        return to_micros(moment)
    except InputError:  # at the edge of the calendar
        return BEYOND


def _plain(words: Words, unit: str) -> tuple[Words, Bools]:
    """Find times like 2026-01-31T18:30:00.5 in UTC, and give them without their zone."""
    zone = np.where(np.strings.endswith(words, b"Z"), 1, np.where(np.strings.endswith(words, b"+00:00"), 6, 0))
    widths = np.strings.str_len(words) - zone
    letters = np.zeros((len(words), LONGEST_WORD), dtype=np.uint8)
    letters[:, : words.dtype.itemsize] = words.view(np.uint8).reshape(len(words), words.dtype.itemsize)
    letters[np.arange(LONGEST_WORD) >= widths[:, None]] = 0
    plain = ((zone == 0) == (unit == UTC)) & (widths >= PLAIN[0]) & (widths <= PLAIN[1])
    plain &= (letters[:, 4] == ord("-")) & ((letters[:, 10] == ord("T")) | (letters[:, 10] == ord(" ")))
    plain &= np.isin(letters[:, 11:], CLOCK_SIGNS).all(axis=1)  # no other zone, and nothing else
    return letters.view(f"S{LONGEST_WORD}")[:, 0], plain


def _moment(text: str) -> datetime | None:
    """Read a date with a time of day."""
    try:
        return datetime.fromisoformat(text) if len(text) > len("2026-01-31") else None
    except ValueError:
        return None

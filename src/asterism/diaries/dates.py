"""Dates as people and programs write them; which of day and month comes first is seen by the whole column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, time
from typing import NamedTuple

from asterism.diaries.cells import Cell, bad_cell
from asterism.hints import Hint, option

ORDERS = ("dmy", "mdy", "ymd")
_MONTHS = (
    "jan january januar, feb february februar, mar march märz mrz, apr april, may mai, jun june juni, "
    "jul july juli, aug august, sep sept september, oct october okt oktober, nov november, dec december dez dezember"
)
MONTHS = {name: place for place, names in enumerate(_MONTHS.split(", "), start=1) for name in names.split()}
_ZONE = r"(?:Z|UTC|[+-]\d{2}:?\d{2})?"
_TIME = rf"(?:[T,\s]\s*(?P<time>\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d+)?)?)\s*(?P<half>[ap]\.?m\.?)?\s*{_ZONE})?"
_FORMS = [
    re.compile(rf"(?P<y>\d{{4}})[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})\.?{_TIME}", re.IGNORECASE),
    re.compile(rf"(?P<y>\d{{4}})(?P<m>\d{{2}})(?P<d>\d{{2}}){_TIME}", re.IGNORECASE),
    re.compile(rf"(?P<a>\d{{1,2}})(?P<sign>[-/.])(?P<b>\d{{1,2}})[-/.](?P<y>\d{{4}}|\d{{2}}){_TIME}", re.IGNORECASE),
    re.compile(rf"(?P<d>\d{{1,2}})\.?[\s-]*(?P<name>[^\W\d]+)\.?,?[\s-]*(?P<y>\d{{4}}){_TIME}", re.IGNORECASE),
    re.compile(
        rf"(?P<name>[^\W\d]+)\.?[\s-]*(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s*(?P<y>\d{{4}}){_TIME}", re.IGNORECASE
    ),
]
_WEEKDAY = re.compile(r"([^\W\d]{2,10})\.?,?\s+(?=\d)")
CENTURY = 2000


class Moment(NamedTuple):
    """A day, and the time of day if one was told: as the clock on the wall showed it."""

    day: date
    time: time | None = None


def order_of(cells: Sequence[Cell], *, told: str | None = None) -> str:
    """Find which of day and month comes first, by all dates of a column; where they leave it open, ask.

    >>> order_of([Cell(2, "date", "3/11/2026"), Cell(3, "date", "14/11/2026")])
    'dmy'
    """
    if told is not None:
        return told
    first: Cell | None = None
    sure: dict[str, Cell] = {}
    for cell in cells:
        found = _FORMS[2].fullmatch(_bare(cell.text))
        if found is None:
            continue
        first = first or cell
        if found["sign"] == "." or int(found["a"]) > 12:
            sure.setdefault("dmy", cell)
        elif int(found["b"]) > 12:
            sure.setdefault("mdy", cell)
    if len(sure) == 2:
        problem = f"has the month first, row {sure['dmy'].row} ({sure['dmy'].text!r}) the day"
        raise bad_cell(sure["mdy"], problem, hint="write all dates in one way, best as 2026-01-31", code="mixed_dates")
    if sure or first is None:
        return next(iter(sure), "ymd")
    raise bad_cell(
        first,
        "may have the day or the month first, and no other date tells",
        hint=Hint("choose: ", option("dates"), " dmy or mdy"),
        code="unsure_dates",
    )


def moment_of(text: str, *, order: str) -> Moment | None:
    """Read a date, with a time of day perhaps; None if it is none. A zone is left out: the day is the writer's.

    >>> print(*moment_of("3.11.2026", order="dmy"), *moment_of("Nov 3, 2026 7:05 pm", order="ymd"))
    2026-11-03 None 2026-11-03 19:05:00
    """
    text = _bare(text)
    for form in _FORMS:
        found = form.fullmatch(text)
        if found is not None:
            return _moment(found.groupdict(), order)
    return None


def clock_of(text: str) -> time | None:
    """Read a time of day that stands in a column of its own.

    >>> clock_of("07:05"), clock_of("7:05 pm"), clock_of("later")
    (datetime.time(7, 5), datetime.time(19, 5), None)
    """
    found = re.fullmatch(_TIME, " " + text.strip(), re.IGNORECASE)
    return None if found is None or not found["time"] else _time(found["time"], found["half"])


def _bare(text: str) -> str:
    text = text.strip()
    found = _WEEKDAY.match(text)
    return text if found is None or found[1].casefold() in MONTHS else text[found.end() :]


def _moment(parts: dict[str, str | None], order: str) -> Moment | None:
    if parts.get("a") is not None:
        day, month = (parts["a"], parts["b"]) if order != "mdy" else (parts["b"], parts["a"])
    else:
        day, month = parts["d"], parts.get("m")
    name = parts.get("name")
    number = MONTHS.get(name.casefold()) if name else int(month or 0)
    written = parts["y"] or ""
    year = int(written) + (CENTURY if len(written) == 2 else 0)
    try:
        found = date(year, number or 0, int(day or 0))
    except ValueError:
        return None
    clock = parts["time"]
    told = None if clock is None else _time(clock, parts["half"])
    return None if clock is not None and told is None else Moment(found, told)


def _time(text: str, half: str | None) -> time | None:
    hours, *rest = text.replace(",", ".").split(":")
    seconds = float(rest[1]) if len(rest) > 1 else 0.0
    hour = int(hours)
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half[0].lower() == "p" else 0)
    if hour > 23 or int(rest[0]) > 59 or seconds >= 60:
        return None
    return time(hour, int(rest[0]), int(seconds))

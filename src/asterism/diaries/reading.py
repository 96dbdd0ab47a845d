"""A diary as values of stars on days: wide (a column a star) or long (date, star, value), seen by the whole file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from asterism.core.ledger.items import cut
from asterism.core.text.near import did_you_mean
from asterism.diaries.cells import Cell, bad_cell, decimal_of, is_missing, number_of, without_units
from asterism.diaries.dates import Moment, clock_of, moment_of, order_of
from asterism.diaries.table import Table, table_of, text_of
from asterism.errors import InputError
from asterism.hints import Hint, option
from asterism.incoming import whole

DATES = ("date", "datum", "day", "tag", "timestamp", "datetime", "when", "time", "zeit", "at")
CLOCKS = ("time", "zeit", "uhrzeit", "hour", "clock")
NAMES = ("star", "name", "what", "metric", "variable", "measure", "habit", "item", "type", "category", "question")
VALUES = ("value", "wert", "score", "rating", "amount", "answer", "count", "quantity", "level")
SEVERAL = {"last": lambda values: values[-1], "mean": fmean, "sum": sum}


@dataclass(frozen=True, slots=True)
class Choices:
    """What somebody chose; where nothing was, the whole file is looked at."""

    layout: str | None = None  # wide or long
    date: str | None = None  # columns, by their names
    star: str | None = None
    value: str | None = None
    columns: tuple[str, ...] = ()  # of a wide diary, or stars of a long one: only these
    dates: str | None = None  # dmy, mdy, ymd
    decimal: str | None = None  # dot, comma
    delimiter: str | None = None
    several: str | None = None  # values of a star on one day: last, mean, sum


class Entry(NamedTuple):
    """One value, and the cell that tells it."""

    cell: Cell
    star: str  # its name, as written
    day: date
    time: time | None
    value: float


@dataclass(frozen=True, slots=True)
class Diary:
    """What a file says."""

    name: str
    layout: str
    dates: str  # the order that its dates have
    rows: int
    entries: tuple[Entry, ...]
    empty: int  # cells without a value
    left_out: tuple[str, ...]  # columns that hold no values
    examples: tuple[str, ...]  # what stands in each of them first
    several: int  # days of a star that have several values, of which the last is the day's


def read_path(path: Path, choices: Choices, *, max_bytes: int | None = None) -> Diary:
    """Read a file."""
    data = whole(path, expected="give the path of a CSV file", max_bytes=max_bytes)
    table = table_of(text_of(data, path.name), path.name, delimiter=choices.delimiter)
    return read_table(table, path.name, choices)


def read_rows(rows: Iterable[Mapping[str, object]], choices: Choices) -> Diary:
    """Read rows that a program has: each a mapping with a date and values.

    >>> diary = read_rows([{"date": "2026-11-03", "sleep": 6.5}, {"date": "2026-11-04", "sleep": None}], Choices())
    >>> [(entry.star, entry.day.day, entry.value) for entry in diary.entries], diary.empty
    ([('sleep', 3, 6.5)], 1)
    """
    columns: dict[str, list[Cell]] = {}
    row = 0
    for row, told in enumerate(rows, start=1):
        if not isinstance(told, Mapping):
            raise InputError(
                f"row {row} is no mapping", code="bad_row", item=f"row {row}", hint='give {"date": ..., "sleep": 6}'
            )
        for name, value in told.items():
            cells = columns.setdefault(str(name), [])
            cells += [Cell(place, str(name), "") for place in range(len(cells) + 1, row)]
            cells.append(Cell(row, str(name), _written(value)))
    for name, cells in columns.items():
        cells += [Cell(place, name, "") for place in range(len(cells) + 1, row + 1)]
    return read_table(Table(columns, row, ","), "rows", choices)


def _written(value: object) -> str:
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def read_table(table: Table, name: str, choices: Choices) -> Diary:
    """Find the dates, the stars and the values of a table."""
    if not table.rows or not table.columns:
        raise InputError(f"{name} has no rows", code="no_diary", item=name, hint="it needs a row for each day")
    for chosen in (choices.date, choices.star, choices.value):
        _column(table, chosen, name)
    dated = choices.date or _date_column(table, name)
    order = order_of(table.columns[dated], told=choices.dates)
    clock = next((each for each in table.columns if each != dated and _all_clocks(each, table.columns[each])), None)
    moments = _moments(table.columns[dated], table.columns[clock] if clock else None, order)
    rest = [each for each in table.columns if each not in (dated, clock)]
    table = table._replace(columns=table.columns | {each: without_units(table.columns[each]) for each in rest})
    decimal = decimal_of(
        (cell for each in rest for cell in table.columns[each]), delimiter=table.delimiter, told=choices.decimal
    )
    numeric = [each for each in rest if _numbers(table.columns[each], decimal) > 0]
    long = _long(table, rest, numeric, moments, choices)
    if long is not None:
        named, valued = long
        names, values = table.columns[named], table.columns[valued]
        left_out = [each for each in rest if each not in long]
        told = [(cell, its.text) for cell, its in zip(values, names, strict=True)]
        for cell, star in told:
            if not star and not is_missing(cell.text):
                raise bad_cell(cell, f"has no name in column {named!r}", hint="say in each row which star it is")
    else:
        numbers = set(numeric)  # there may be any number of columns
        left_out = [each for each in rest if each not in numbers]
        told = [(cell, each) for each in numeric for cell in table.columns[each]]
    stars, only = dict.fromkeys(star for _, star in told), set(choices.columns)
    for wanted in choices.columns:
        if wanted not in stars:
            raise _unknown(wanted, list(stars), name)
    if only:
        left_out += [each for each in stars if each not in only]
        told = [(cell, star) for cell, star in told if star in only]
    entries = []
    for cell, star in told:
        if is_missing(cell.text) or not star:
            continue
        value = number_of(cell.text, decimal=decimal)
        if value is None:
            raise bad_cell(
                cell, "is no number", hint="leave the cell empty, or read other columns only", code="no_number"
            )
        day, clocked = moments[cell.row]
        entries.append(Entry(cell, star, day, clocked, value))
    if not entries:
        raise InputError(f"{name} has no values", code="no_diary", item=name, hint="it needs a date and numbers")
    layout = "wide" if long is None else "long"
    once = _once(entries, choices.several)
    empty = sum(is_missing(cell.text) for cell, _ in told)
    examples = tuple(_example(table.columns.get(each, ())) for each in left_out)
    return Diary(name, layout, order, table.rows, tuple(once), empty, tuple(left_out), examples, _several(once))


def _example(cells: Sequence[Cell]) -> str:
    return next((cut(cell.text) for cell in cells if not is_missing(cell.text)), "")


def _several(entries: Sequence[Entry]) -> int:
    """Count the days of a star that have values of several times."""
    times = Counter((entry.star, entry.day) for entry in entries)
    return sum(count > 1 for count in times.values())


def _column(table: Table, wanted: str | None, name: str) -> None:
    if wanted is not None and wanted not in table.columns:
        raise _unknown(wanted, list(table.columns), name)


def _unknown(wanted: str, there: Sequence[str], name: str) -> InputError:
    near = did_you_mean(wanted, there)
    hint = f"{near} there are {', '.join(cut(each) for each in there[:20])}".lstrip()
    return InputError(f"{name} has no column {wanted!r}", code="unknown_column", item=wanted, hint=hint)


def _date_column(table: Table, name: str) -> str:
    """Find the column of dates: the one with the most of them, of several the one that is called so."""
    shares = {}
    for each, cells in table.columns.items():
        there = [cell for cell in cells if not is_missing(cell.text)]
        dates = sum(
            moment_of(cell.text, order="dmy") is not None or moment_of(cell.text, order="mdy") is not None
            for cell in there
        )
        called = next((len(DATES) - place for place, word in enumerate(DATES) if each.casefold() == word), 0)
        shares[each] = (dates / table.rows, called)
    best = max(shares, key=lambda each: shares[each])
    if shares[best][0] >= 0.5:
        return best
    raise InputError(
        f"{name} has no column of dates",
        code="no_dates",
        item=name,
        hint=Hint("write dates like 2026-01-31 or 31.1.2026 under a header, or name the column: ", option("date")),
    )


def _all_clocks(name: str, cells: Sequence[Cell]) -> bool:
    return name.casefold() in CLOCKS and all(clock_of(cell.text) is not None for cell in cells)


def _moments(dates: Sequence[Cell], clocks: Sequence[Cell] | None, order: str) -> dict[int, Moment]:
    moments = {}
    for place, cell in enumerate(dates):
        found = moment_of(cell.text, order=order)
        if found is None:
            problem = "is empty" if is_missing(cell.text) else "is no date"
            raise bad_cell(
                cell, problem, hint=f"the dates here are read as {order}: write it as the others", code="no_date"
            )
        moments[cell.row] = found if clocks is None else Moment(found.day, clock_of(clocks[place].text))
    return moments


def _numbers(cells: Sequence[Cell], decimal: str) -> int:
    return sum(not is_missing(cell.text) and number_of(cell.text, decimal=decimal) is not None for cell in cells)


def _long(
    table: Table, rest: Sequence[str], numeric: Sequence[str], moments: Mapping[int, Moment], choices: Choices
) -> tuple[str, str] | None:
    """Give the columns of names and of values of a long diary; None if it is a wide one.

    A text column beside numbers may name what they are, or say something of the day, as a place does. It names stars
    where days have rows of several names, most of them or under the headers that long diaries have; else somebody says.
    """
    if choices.layout == "wide":
        return None
    wanted = choices.layout == "long" or choices.star is not None or choices.value is not None
    numbers = set(numeric)
    texts = [each for each in rest if each not in numbers]
    named = choices.star or _called(texts, NAMES)
    valued = choices.value or _called(numeric, VALUES)
    called = named is not None and valued is not None
    repeats = len({moment.day for moment in moments.values()}) < table.rows
    if named is None and repeats:
        full = [each for each in texts if _repeated(table.columns[each])]
        named = full[0] if len(full) == 1 else None
    if valued is None and len(numeric) == 1:
        valued = numeric[0]
    if named is not None and valued is not None:
        days, at_once = _shared(table.columns[named], moments)
        if wanted or at_once >= 0.5 or (called and days):
            return named, valued
        if days or (called and len(numeric) == 1):
            raise InputError(
                f"column {named!r} may name the stars that {valued!r} has values of, or say something of the days",
                code="unsure_layout",
                item=named,
                hint=Hint("choose: ", option("layout"), " long for names of stars, wide to leave the column out"),
            )
    if wanted:
        raise InputError(
            f"it cannot be told which column {'names the stars' if named is None else 'holds the values'}",
            code="unsure_columns",
            item="long",
            hint=Hint("choose: ", option("star"), " and ", option("value"), f" among {', '.join(rest)}"),
        )
    return None


def _called(columns: Sequence[str], words: Sequence[str]) -> str | None:
    return next((each for word in words for each in columns if each.casefold() == word), None)


def _shared(names: Sequence[Cell], moments: Mapping[int, Moment]) -> tuple[float, float]:
    """Give the shares of days, and of times told of, that have rows of several names."""
    by_day: dict[object, set[str]] = {}
    by_time: dict[object, set[str]] = {}
    for cell in names:
        moment = moments[cell.row]
        by_day.setdefault(moment.day, set()).add(cell.text)
        by_time.setdefault(moment, set()).add(cell.text)
    days, times = (sum(len(each) > 1 for each in by.values()) / len(by) for by in (by_day, by_time))
    return days, times


def _repeated(cells: Sequence[Cell]) -> bool:
    texts = [cell.text for cell in cells]
    return all(texts) and len(set(texts)) * 2 <= len(texts)


def _once(entries: Sequence[Entry], several: str | None) -> list[Entry]:
    """Let a star have one value at a time; two of one day are an error unless somebody says what to make of them."""
    found: dict[tuple[str, date, time | None], list[Entry]] = {}
    for entry in entries:
        found.setdefault((entry.star, entry.day, None if several else entry.time), []).append(entry)
    once = []
    for (star, day, clocked), told in found.items():
        last = max(told, key=lambda entry: (entry.time or time(), entry.cell.row))
        if several:
            ordered = sorted(told, key=lambda entry: (entry.time or time(), entry.cell.row))
            value = SEVERAL[several]([entry.value for entry in ordered])
            once.append(last._replace(time=None, value=value))
            continue
        other = next((entry for entry in told if entry.value != last.value), None)
        if other is not None:
            raise InputError(
                f"{star} has two values on {day}{f' {clocked}' if clocked else ''}: {other.value:g} in row "
                f"{other.cell.row} and {last.value:g} in row {last.cell.row}",
                code="two_values",
                item=f"row {last.cell.row}",
                hint=Hint("keep one, or say what to make of them: ", option("several"), " last, mean or sum"),
            )
        once.append(last)
    return once

"""A CSV file as a table: its encoding, its delimiter and its header found by looking at the whole file."""

from __future__ import annotations

import codecs
import csv
import io
from typing import NamedTuple

from asterism.core.ledger.items import cut
from asterism.diaries.cells import Cell
from asterism.diaries.dates import moment_of
from asterism.errors import InputError
from asterism.hints import Hint, option

DELIMITERS = (";", "\t", ",", "|")
NAMED = {"comma": ",", "semicolon": ";", "tab": "\t", r"\t": "\t"}
MOST_CELLS = 5_000_000  # a value of fifty stars a day for two hundred years has fewer
MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class Table(NamedTuple):
    """The named columns of a file: each a list of cells, one for each row."""

    columns: dict[str, list[Cell]]
    rows: int
    delimiter: str


def text_of(data: bytes, name: str) -> str:
    """Decode a file: by its mark, as UTF-8, or as the Excel of the West writes it.

    >>> text_of("Schläfrig".encode("cp1252"), "days.csv")
    'Schläfrig'
    """
    for mark, encoding in (*MARKS, (b"", "utf-8"), (b"", "cp1252")):
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(encoding)
            except UnicodeDecodeError:
                continue
    raise InputError(f"{name} is no text", code="no_diary", item=name, hint="save it as CSV in UTF-8")


def table_of(text: str, name: str, *, delimiter: str | None = None) -> Table:
    """Split a text into named columns.

    >>> table = table_of("day;sleep\\n3.11.2026;6,5\\n", "days.csv")
    >>> list(table.columns), table.delimiter, table.columns["sleep"]
    (['day', 'sleep'], ';', [Cell(row=2, column='sleep', text='6,5')])
    """
    if "\0" in text:
        raise InputError(f"{name} is no text", code="no_diary", item=name, hint="save it as CSV in UTF-8")
    lines = text.split("\n", 1)
    first, where = 1, "delimiter"
    if lines[0].strip().casefold().startswith("sep=") and len(lines) > 1:  # as Excel begins a file
        if not delimiter:
            delimiter, where = lines[0].strip()[4:], "row 1"
        text, first = lines[1], 2
    choices = (_separator(delimiter, where),) if delimiter else DELIMITERS
    found = {each: _rows(text, each, name, first) for each in choices}
    best = max(choices, key=lambda each: _fit(found[each].rows))
    rows, broken = found[best]
    if broken is not None and _fit(rows)[0]:
        raise broken
    if not rows or len(rows[0][1]) < 2:
        raise InputError(
            f"{name} has no columns",
            code="no_diary",
            item=name,
            hint=Hint("it needs a date and a value, with a header; or name what separates them: ", option("delimiter")),
        )
    return Table(_columns(rows, name), len(rows) - 1, best)


def _separator(told: str, where: str) -> str:
    """Let one sign through, or its name."""
    sign = NAMED.get(told, told)
    if len(sign) == 1 and sign not in '"\r\n':
        return sign
    raise InputError(
        f"{where}: {cut(told)!r} separates no columns",
        code="bad_delimiter",
        item=where,
        hint=f"use one sign, or a word: {', '.join(map(repr, DELIMITERS))}, comma, semicolon, tab",
    )


class _Read(NamedTuple):
    """The rows that a delimiter gives, and what ended them before the end of the file."""

    rows: list[tuple[int, list[str]]]
    broken: InputError | None


def _rows(text: str, delimiter: str, name: str, first: int) -> _Read:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[int, list[str]]] = []
    began, seen = first, 0
    try:
        for cells in reader:
            seen += len(cells)
            if seen > MOST_CELLS:
                raise InputError(
                    f"{name} has more than {MOST_CELLS:,} cells",
                    code="too_large",
                    item=name,
                    hint="read it in parts: a file for each year, or with fewer columns",
                )
            if any(cell.strip() for cell in cells):
                rows.append((began, cells))
            began = first + reader.line_num
    except csv.Error as error:
        problem, hint = str(error), "close the quotes of this row"
        if "field limit" in problem:
            problem = f"a cell has more than {csv.field_size_limit():,} characters"
            hint = "shorten it; if it begins with a quote that nothing closes, close it"
        where = f"row {began}"
        return _Read(rows, InputError(f"{name}, {where}: {problem}", code="bad_row", item=where, hint=hint))
    return _Read(rows, None)


def _fit(rows: list[tuple[int, list[str]]]) -> tuple[bool, int, int]:
    """Say how well a delimiter fits: a header of several columns, and rows that are as long."""
    if not rows:
        return False, 0, 0
    width = len(rows[0][1])
    return width > 1, sum(len(cells) == width for _, cells in rows), width


def _columns(rows: list[tuple[int, list[str]]], name: str) -> dict[str, list[Cell]]:
    head, header = rows[0]
    names = [" ".join(cell.split()) for cell in header]
    if any(moment_of(each, order="dmy") or moment_of(each, order="mdy") for each in names):
        raise InputError(
            f"{name} has no header: its first row begins {cut(names[0])!r}",
            code="no_header",
            item=f"row {head}",
            hint="put a row of names above it: date,sleep,mood",
        )
    seen: set[str] = set()
    for each in names:
        if each and each in seen:
            raise InputError(
                f"{name} has two columns {each!r}",
                code="same_column",
                item=each,
                hint=f"give each column of row {head} a name of its own",
            )
        seen.add(each)
    columns: dict[str, list[Cell]] = {each: [] for each in names if each}
    for row, cells in rows[1:]:
        for place, text in enumerate(cells):
            if text.strip() and (place >= len(names) or not names[place]):
                raise InputError(
                    f"row {row} of {name} has {text.strip()!r} in column {place + 1}, which has no name",
                    code="bad_row",
                    item=f"row {row}",
                    hint="name the column in the header, or quote a cell that holds the delimiter",
                )
        for place, each in enumerate(names):
            if each:
                columns[each].append(Cell(row, each, cells[place].strip() if place < len(cells) else ""))
    return columns

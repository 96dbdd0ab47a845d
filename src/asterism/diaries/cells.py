"""What stands in a cell: a number in the way the whole file writes numbers, nothing, or a word."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from asterism.core.ledger.items import cut
from asterism.errors import InputError
from asterism.hints import Hint, option

MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "null", "none", "-", "--", "–", "—", "?", "."})
WORDS = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0, "ja": 1.0, "nein": 0.0, "x": 1.0}
DECIMALS = {"dot": ".", "comma": ","}
CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)(?::([0-5]\d))?")
_NUMBER = re.compile(r"[+-]?(\d[\d.,]*|[.,]\d+)(e[+-]?\d+)?", re.IGNORECASE)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}([.,])\d{3}")  # 1.234: a thousand or so, or a little more than one


_DURATION = re.compile(r"(?:(\d+)\s*h(?:ours?|rs?)?)?\s*(?:(\d+)\s*m(?:in(?:utes?|s)?)?)?", re.IGNORECASE)
_UNIT = re.compile(r"([+-−]?[\d.,\s\u00a0\u202f']*\d)\s*([^\W\d_]{1,12}|°[CF]?)\.?")


class Cell(NamedTuple):
    """A cell with its place: the line of the file and the name of the column."""

    row: int
    column: str
    text: str


def is_missing(text: str) -> bool:
    """Say whether a cell says that there is no value.

    >>> [is_missing(text) for text in ("", " NA ", "-", "0")]
    [True, True, True, False]
    """
    return text.strip().casefold() in MISSING


def bad_cell(cell: Cell, problem: str, *, hint: str, code: str = "bad_cell") -> InputError:
    """Say what is wrong with a cell, and where it stands."""
    where = f"row {cell.row}, column {cell.column!r}"
    return InputError(f"{where}: {cut(cell.text)!r} {problem}", code=code, item=where, hint=hint)


def bare(text: str) -> str:
    """Take off what stands around a number: spaces, a per cent sign, the sign of a minus.

    >>> bare("−1 200 %")
    '-1200'
    """
    return re.sub(r"[\s\u00a0\u202f']", "", text).removesuffix("%").replace("−", "-")


def without_units(cells: Sequence[Cell]) -> list[Cell]:
    """Take off the unit that all numbers of a column have, or write times like 7h 30m as hours; else leave all as is.

    >>> [cell.text for cell in without_units([Cell(2, "w", "80.1 kg"), Cell(3, "w", "81 kg"), Cell(4, "w", "")])]
    ['80.1', '81', '']
    >>> [cell.text for cell in without_units([Cell(2, "s", "7h 30m"), Cell(3, "s", "45 min"), Cell(4, "s", "8h")])]
    ['7:30', '0:45', '8:00']
    >>> [cell.text for cell in without_units([Cell(2, "s", "3 eggs"), Cell(3, "s", "tired")])]
    ['3 eggs', 'tired']
    """
    told = [cell for cell in cells if not is_missing(cell.text)]
    found = [_UNIT.fullmatch(cell.text) for cell in told]
    units = {each[2].casefold() for each in found if each}
    times = [_DURATION.fullmatch(cell.text) for cell in told]
    if told and all(times) and any(each and each[1] for each in times):
        written = iter([f"{int(each[1] or 0)}:{int(each[2] or 0):02d}" for each in times if each])
    elif len(units) == 1:
        bodies = [each[1] if each else cell.text for each, cell in zip(found, told, strict=True)]
        if not all(_NUMBER.fullmatch(bare(body)) for body in bodies):
            return list(cells)
        written = iter(bodies)
    else:
        return list(cells)
    return [cell if is_missing(cell.text) else cell._replace(text=next(written)) for cell in cells]


def decimal_of(cells: Iterable[Cell], *, delimiter: str, told: str | None = None) -> str:
    """Find the sign before decimals by all numbers of a file; where they leave it open, ask.

    >>> decimal_of([Cell(2, "sleep", "6,5"), Cell(3, "steps", "9.120")], delimiter=";")
    ','
    """
    if told is not None:
        return DECIMALS[told]
    open_cell: Cell | None = None
    sure: dict[str, Cell] = {}
    for cell in cells:
        text = bare(cell.text)
        if not _NUMBER.fullmatch(text) or not ("," in text or "." in text):
            continue
        if _THOUSANDS.fullmatch(text):
            open_cell = open_cell or cell
            continue
        last = max(text.rfind("."), text.rfind(","))
        if text.count(text[last]) > 1:  # 1.234.567: signs between thousands, so decimals have the other one
            sure.setdefault("," if text[last] == "." else ".", cell)
        else:
            sure.setdefault(text[last], cell)
    if len(sure) == 2:
        dot = sure["."]
        problem = f"has decimals after a dot, row {sure[','].row} ({cut(sure[','].text)!r}) after a comma"
        raise bad_cell(dot, problem, hint="write all numbers in one way", code="mixed_decimals")
    if sure:
        return next(iter(sure))
    if open_cell is None or delimiter == ",":
        return "."
    raise bad_cell(
        open_cell,
        "may be a thousand or a decimal number",
        hint=Hint("choose the sign before decimals: ", option("decimal"), " comma or dot"),
        code="unsure_decimals",
    )


def told_number(text: str) -> float | None:
    """Read a number that stands alone, whichever sign its decimals have; ask where it may be a thousand.

    >>> told_number("6,5"), told_number("1.234,5"), told_number("1,234.5"), told_number("7:30"), told_number("high")
    (6.5, 1234.5, 1234.5, 7.5, None)
    """
    number = bare(text)
    if "," in number and _THOUSANDS.fullmatch(number):
        raise InputError(
            f"{cut(text)!r} may be a thousand or a decimal number",
            code="unsure_decimals",
            item=cut(text),
            hint=f"write {number.replace(',', '')} or {number.replace(',', '.')}",
        )
    comma = number.count(",") == 1 and number.rfind(",") > number.rfind(".")
    return number_of(number, decimal="," if comma else ".")


@lru_cache(maxsize=10_000)  # the values of a diary are mostly the same few
def number_of(text: str, *, decimal: str = ".") -> float | None:
    """Read a number: plain, with thousands, a time as hours, or a word for yes and no; None if it is none.

    >>> number_of("1.234,5", decimal=","), number_of("7:30"), number_of("yes"), number_of("tired")
    (1234.5, 7.5, 1.0, None)
    """
    text = bare(text)
    if text.casefold() in WORDS:
        return WORDS[text.casefold()]
    clock = CLOCK.fullmatch(text)
    if clock:
        return int(clock[1]) + int(clock[2]) / 60 + int(clock[3] or 0) / 3600
    if not _NUMBER.fullmatch(text):
        return None
    other = "," if decimal == "." else "."
    whole, _, rest = text.partition(decimal)
    if other in rest or (other in whole and not re.fullmatch(rf"[+-]?\d{{1,3}}(\{other}\d{{3}})+", whole)):
        return None
    try:
        value = float(text.replace(other, "").replace(decimal, "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None

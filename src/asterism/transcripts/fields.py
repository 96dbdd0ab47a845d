"""Fields of a line as files write them: several names for one thing, times in several forms, kinds told by form."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from asterism.core.dialogue.lines import KINDS, MAX_TIMESTAMP_MS, Line, LineKind

NAMES: Mapping[str, tuple[str, ...]] = {
    "line_index": ("line_index", "index", "line"),
    "author_name": ("author_name", "author", "speaker", "name"),
    "content": ("content", "text", "message", "utterance"),
    "timestamp_ms": ("timestamp_ms", "timestamp", "time", "date"),
    "kind": ("kind",),
}
YEAR_5138 = 100_000_000_000  # in seconds; a larger number is one of milliseconds
YEAR_1980, YEAR_2200 = 315_532_800_000, 7_258_118_400_000  # in milliseconds: such files are of times between
FIGURES = re.compile(r"\s*\d{1,15}(?:\.\d{1,15})?\s*")
EXPECTED = "seconds or milliseconds since 1970, a time like 2026-01-31T18:30:00Z, or timestamp_ms for any milliseconds"
ACTION = re.compile(r"\*[^*]+\*|_[^_]+_|/me\s+\S.*", re.DOTALL)
ROLL = re.compile(
    r"(?:[/!]r(?:oll)?\s+|roll(?:s|ed|ing)?:?\s+|🎲\s*)?\d{0,3}d\d{1,3}\b[\s\d+\-*/d()\[\],=:~→.]*", re.IGNORECASE
)


class FieldError(ValueError):
    """A field cannot be used; says which, what is wrong, and what was expected."""

    def __init__(self, field: str, problem: str, expected: str) -> None:
        super().__init__(problem)
        self.field = field
        self.problem = problem
        self.expected = expected


def kind_of(content: str) -> LineKind | None:
    """Tell an action or a roll of dice by its form.

    >>> [kind_of(text) for text in ("*draws a sword*", "1d20+5 = 17", "I draw a sword")]
    ['action', 'roll', None]
    """
    said = content.strip()
    return "action" if ACTION.fullmatch(said) else "roll" if ROLL.fullmatch(said) else None


def line_of(fields: Mapping[str, object], place: int) -> Line:
    """Make a line of named fields; one that bears no number gets its place."""
    found = {ours: _first(fields, theirs) for ours, theirs in NAMES.items()}
    for field in ("author_name", "content"):
        if not isinstance(found[field], str):
            problem = f"there is no {field}" if found[field] is None else f"its {field} is not text"
            raise FieldError(field, problem, f"{field} as text")
    author, content = str(found["author_name"]).strip(), str(found["content"])
    kind = found["kind"]
    if kind in (None, ""):
        kind = kind_of(content)
    elif kind == "speech":
        kind = None
    elif kind not in KINDS:
        raise FieldError("kind", f"{kind!r} is no kind", f"one of {', '.join(KINDS)}, speech or nothing")
    when = milliseconds(told_time(fields, NAMES["timestamp_ms"]))
    return Line(_index(found["line_index"], place), author, content, when, kind)


def _first(fields: Mapping[str, object], names: tuple[str, ...]) -> object:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _index(value: object, place: int) -> int:
    if value is None or value == "":
        return place
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value.strip()):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise FieldError("line_index", f"{value!r} is no number of a line", "a whole number from 0")
    return value


def told_time(record: Mapping[str, object], names: tuple[str, ...]) -> object:
    """Give when a record was written, by the first of some names that it has: milliseconds, a text, or nothing.

    A number is one of seconds or of milliseconds by its size, unless the name says which; in a year in which nobody
    wrote such files it is neither.

    >>> [told_time({"time": told}, ("time",)) for told in (1_700_000_000, 1_700_000_000_000, "1700000000.5")]
    [1700000000000, 1700000000000, 1700000000500]
    """
    name = next((name for name in names if record.get(name) not in (None, "")), None)
    told = None if name is None else record[name]
    if name == "timestamp_ms" and not isinstance(told, float):
        return told
    number = float(told) if isinstance(told, str) and FIGURES.fullmatch(told) else told
    if isinstance(number, bool) or not isinstance(number, int | float):
        return told  # a text, or nothing that a line takes
    if isinstance(number, float) and not math.isfinite(number):
        raise FieldError("timestamp_ms", f"{told} is no time", EXPECTED)
    found = round(number * 1000 if name != "timestamp_ms" and abs(number) < YEAR_5138 else number)
    if name != "timestamp_ms" and not YEAR_1980 <= found < YEAR_2200:
        raise FieldError("timestamp_ms", f"its {name} {told} is no time of a likely year", EXPECTED)
    return found


def milliseconds(value: object) -> int | None:
    """Read a time: whole milliseconds since 1970, or ISO text with its zone.

    >>> milliseconds("1970-01-01T00:01:00Z"), milliseconds("60000"), milliseconds("")
    (60000, 60000, None)
    """
    if value is None or value == "":
        return None
    found: int | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        found = value
    elif isinstance(value, str) and re.fullmatch(r"\s*\d{1,15}\s*", value):
        found = int(value)
    elif isinstance(value, str):
        found = _iso(value.strip())
    if found is None or not 0 <= found <= MAX_TIMESTAMP_MS:
        raise FieldError(
            "timestamp_ms", f"{value!r} is no time", "milliseconds since 1970, or a time like 2026-01-31T18:30:00Z"
        )
    return found


def _iso(text: str) -> int | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        return None
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000

"""Checks of what a caller hands in of a diary: it comes out as it is meant, or the error names it and the repair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from asterism.core.connections.scales import Scale, told_scale
from asterism.core.ledger.arguments import is_number
from asterism.core.ledger.items import cut
from asterism.diaries.cells import DECIMALS
from asterism.diaries.dates import ORDERS
from asterism.diaries.reading import SEVERAL, Choices
from asterism.errors import InputError

ALLOWED = {"layout": ("wide", "long"), "dates": ORDERS, "decimal": tuple(DECIMALS), "several": tuple(SEVERAL)}
ROWS = 'the path of a CSV file, or rows: [{"date": "2026-11-03", "sleep": 6}]'


def diary_of(told: object) -> Path | Iterable[Mapping[str, object]]:
    """Let a path or rows through."""
    if isinstance(told, str | Path):
        return Path(told)
    if isinstance(told, bytes | bytearray | Mapping) or not isinstance(told, Iterable):
        raise _wrong("diary", told, "is neither a path nor rows", hint=f"give {ROWS}")
    return told


def choices_of(chosen: Mapping[str, str | None], columns: object) -> Choices:
    """Let choices through that there are: words of a list, or names."""
    for name, told in chosen.items():
        words = ALLOWED.get(name)
        if told is None or told in (words or ()):
            continue
        if words is not None:
            shown = cut(str(told))
            raise InputError(
                f"{name} cannot be {shown!r}", code=f"bad_{name}", item=shown, hint=f"use one of {', '.join(words)}"
            )
        if not isinstance(told, str):
            raise _wrong(name, told, "is no text", hint=f'give text: {name}="..."')
    names = None if isinstance(columns, str) or not isinstance(columns, Iterable) else tuple(columns)
    if names is None or not all(isinstance(each, str) for each in names):
        raise _wrong("columns", columns, "is no list of names", hint='give columns=["sleep", "mood"]')
    return Choices(columns=names, **chosen)


def scales_of(told: object) -> dict[str, Scale]:
    """Read the scales that are told, by the names of their stars."""
    if told is None:
        return {}
    if not isinstance(told, Mapping) or not all(isinstance(star, str) for star in told):
        raise _wrong("scales", told, "does not name stars with their scales", hint='give scales={"mood": "1..7"}')
    return {star: told_scale(text) for star, text in told.items()}


def values_of_day(told: object) -> dict[str, float]:
    """Let the values of a day through: a number for each star."""
    if told is not None and not isinstance(told, Mapping):
        raise _wrong("values", told, "does not name stars with their values", hint='give {"sleep": 6, "mood": 4}')
    if not told:
        raise InputError("no value is told", code="bad_value", hint="name a star and its value: sleep=6")
    for star, value in told.items():
        if not is_number(value):
            shown = cut(str(value))
            raise InputError(
                f"{star} {shown!r} is no number", code="bad_value", item=str(star), hint=f"tell a number: {star}=6"
            )
    return {star: float(value) for star, value in told.items()}


def _wrong(name: str, told: object, problem: str, *, hint: str) -> InputError:
    return InputError(f"{name} {cut(repr(told))} {problem}", code=f"bad_{name}", item=name, hint=hint)

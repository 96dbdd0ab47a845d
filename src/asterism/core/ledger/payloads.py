"""What may stand in a payload: each kind of item has its fields, and each field its test.

Items made here are right by construction. Those of another ledger are tested before they are let in, and so is one
that cannot be folded: if it says what it may say, the fault is ours and not the file's. What an item cannot say is a
ValueError, with or without `python -O`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from asterism.core.ledger.items import Payload, Value, check_text

Test = Callable[[Value, str], object]  # raises when the value of a field is not one of its kind
Fields = Mapping[str, Test]


def check_values(payload: object) -> None:
    """Refuse what is no payload at all, so that the tests of fields meet nothing but values.

    >>> check_values({"ids": ["00", 7]})
    Traceback (most recent call last):
    ValueError: its ids is neither text nor number nor a list of texts
    """
    if not isinstance(payload, Mapping):
        raise ValueError("it says nothing under a name")
    for name, value in payload.items():
        said = all(isinstance(each, str) for each in value) if isinstance(value, list) else not isinstance(value, dict)
        if not said:
            raise ValueError(f"its {name} is neither text nor number nor a list of texts")


def texts(payload: Payload, field: str) -> list[str]:
    """Read a list of texts.

    >>> texts({"tags": "a"}, "tags")
    Traceback (most recent call last):
    ValueError: its tags are no list of texts
    """
    value = payload[field]
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError(f"its {field} are no list of texts")
    return value


def number(value: object, field: str) -> float:
    """Read a number.

    >>> number("7", "value")
    Traceback (most recent call last):
    ValueError: its value is no number
    """
    if not isinstance(value, int | float):
        raise ValueError(f"its {field} is no number")
    return float(value)


def check_fields(payload: Payload, fields: Fields, perhaps: Fields = MappingProxyType({})) -> None:
    """Refuse a payload that lacks a field, has one more, or something else in one; some fields `perhaps` are there.

    >>> check_fields({"star": "sleep", "impact": 0.03}, {"star": text, "impact": share})
    >>> check_fields({"star": "sleep"}, {"star": text, "impact": share})
    Traceback (most recent call last):
    ValueError: it says star, and should say star, impact
    """
    if payload.keys() - perhaps.keys() != fields.keys():
        raise ValueError(f"it says {', '.join(payload) or 'nothing'}, and should say {', '.join(fields) or 'nothing'}")
    for name, value in payload.items():
        (fields.get(name) or perhaps[name])(value, name)


def text(value: Value, field: str) -> None:
    """Let through a text that can be kept."""
    check_text(value, field=field)


def share(value: Value, field: str) -> None:
    """Let through a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"its {field} is no number from 0 to 1")


def finite(value: Value, field: str) -> None:
    """Let through a number that is no infinity."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"its {field} is no finite number")


def yes(value: Value, field: str) -> None:
    """Let through what is only said where it is so."""
    if value is not True:
        raise ValueError(f"its {field} is only said where it is so")


def item_id(value: Value, field: str) -> None:
    """Let through the id of an item in hex, as items write it."""
    if not isinstance(value, str) or len(value) != 32 or bytes.fromhex(value).hex() != value:
        raise ValueError(f"its {field} is no id of an item")


def item_ids(value: Value, field: str) -> None:
    """Let through a list of item ids in hex."""
    if not isinstance(value, list) or any(len(bytes.fromhex(name)) != 16 for name in value):
        raise ValueError(f"its {field} are no ids of items")

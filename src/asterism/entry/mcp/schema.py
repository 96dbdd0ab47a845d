"""JSON Schema in few words: what a tool takes and gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Schema = dict[str, Any]
BOUNDS = (
    "additionalProperties",
    "default",
    "maximum",
    "maxItems",
    "maxLength",
    "minimum",
    "minItems",
    "minLength",
)


def text(about: str = "", *, most: int | None = None, least: int | None = None, one_of: Sequence[str] = ()) -> Schema:
    """Describe a text."""
    return _told("string", about, maxLength=most, minLength=least, enum=list(one_of) or None)


def whole(about: str = "", *, low: int | None = None, high: int | None = None, default: int | None = None) -> Schema:
    """Describe a whole number."""
    return _told("integer", about, minimum=low, maximum=high, default=default)


def number(about: str = "", *, low: float | None = None, high: float | None = None) -> Schema:
    """Describe a number."""
    return _told("number", about, minimum=low, maximum=high)


def numbers(about: str = "") -> Schema:
    """Describe numbers by name."""
    return _told("object", about, additionalProperties=number())


def texts(about: str = "") -> Schema:
    """Describe texts by name."""
    return _told("object", about, additionalProperties=text())


def truth(about: str = "", *, default: bool | None = None) -> Schema:
    """Describe a yes or no."""
    return _told("boolean", about, default=default)


def many(each: Schema, about: str = "", *, least: int | None = None, most: int | None = None) -> Schema:
    """Describe a list."""
    return _told("array", about, items=each, minItems=least, maxItems=most)


def thing(fields: dict[str, Schema], *, needs: Sequence[str] = (), about: str = "") -> Schema:
    """Describe an object with these fields and no others."""
    needed = list(needs) or None
    return _told("object", about, properties=fields, required=needed, additionalProperties=False)


def given(fields: dict[str, Schema], *, perhaps: Sequence[str] = (), about: str = "") -> Schema:
    """Describe an object of an answer: every field is there but those that only perhaps are."""
    return thing(fields, needs=[name for name in fields if name not in perhaps], about=about)


def either(*schemas: Schema, about: str = "") -> Schema:
    """Let something be one of several."""
    return {"anyOf": list(schemas)} | ({"description": about} if about else {})


def maybe(schema: Schema) -> Schema:
    """Let something be null, too."""
    return schema | {"type": [schema["type"], "null"]}


def unbounded(schema: Schema) -> Schema:
    """Leave out how long and how many, which a call that goes too far is told: a list of tools is read every time.

    >>> unbounded(many(text("A tag.", least=1, most=200), most=20))
    {'type': 'array', 'items': {'type': 'string', 'description': 'A tag.'}}
    """
    told: Schema = {}
    for name, value in schema.items():
        if name == "properties":
            told[name] = {field: unbounded(each) for field, each in value.items()}
        elif name == "items":
            told[name] = unbounded(value)
        elif name == "anyOf":
            told[name] = [unbounded(each) for each in value]
        elif name not in BOUNDS:
            told[name] = value
    return told


def _told(kind: str, about: str, **rules: Any) -> Schema:
    told = {"type": kind} | {name: value for name, value in rules.items() if value is not None}
    return told | {"description": about} if about else told

"""The ledger's unit: an immutable item, named by the hash of what it says.

An item says *what* happened, when it was true (`at`), who says so (`source`) and the details (`payload`).
Its id is the hash of exactly these and the space, so that sending it twice is harmless. When we learnt it
(`known_at`) and a remark (`note`) travel with it but are no part of what it is: of two copies the earlier
known one stays, which makes a merge of ledgers a set union.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import NamedTuple

from asterism.errors import InputError

Value = str | int | float | bool | None | list[str]
Payload = Mapping[str, Value]
MAX_TEXT = 10_000
IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # what cannot be printed or stored
IN_LINES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

_encode = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False
).encode

quoted = encode_basestring  # how that encoder writes a text


class Position(NamedTuple):
    """Where an item stands in the fold: by time, then by id."""

    at: int
    id: bytes


class Item(NamedTuple):
    """One thing that happened, in one space."""

    id: bytes
    space: str
    what: str
    at: int
    source: str
    payload: Payload
    text: str  # the payload as canonical JSON: what is hashed and stored
    known_at: int
    note: str = ""

    @property
    def position(self) -> Position:
        """Where this item stands in the fold."""
        return Position(self.at, self.id)


def identity(*, space: str, what: str, at: int, source: str, payload: Payload) -> bytes:
    """Name an item by its content: the first 16 bytes of SHA-256 over its canonical JSON.

    >>> identity(space="me", what="engaged", at=0, source="", payload={"star": "sleep"}).hex()
    '79f76b3d9e64ef6751659c476968381b'
    """
    return _name(space, what, at, source, canonical(payload))


def _name(space: str, what: str, at: int, source: str, text: str) -> bytes:
    said = f"[{quoted(space)},{quoted(what)},{at},{quoted(source)},{text}]"  # as JSON writes the five
    return hashlib.sha256(said.encode()).digest()[:16]


def make_item(
    *,
    space: str,
    what: str,
    at: int,
    payload: Payload,
    known_at: int,
    source: str = "",
    note: str = "",
    text: str | None = None,
) -> Item:
    """Build an item and its id; text too long to keep is refused with the field named.

    Whoever has the canonical `text` of the payload already gives it along.
    """
    if source != "":
        check_text(source, field="source")
    if note != "":
        check_text(note, field="note", many_lines=True)
    if text is None:
        text = canonical(payload)
    item_id = _name(space, what, at, source, text)
    return Item(item_id, space, what, at, source, payload, text, known_at, note)


def moved(item: Item, *, at: int) -> Item:
    """Give the same item at another time, and so with another id.

    >>> item = make_item(space="me", what="engaged", at=0, payload={}, known_at=5)
    >>> moved(item, at=1).id != item.id
    True
    """
    return item._replace(id=_name(item.space, item.what, at, item.source, item.text), at=at)


def canonical(payload: Payload) -> str:
    """Write a payload as the one text it has.

    >>> canonical({"b": 1, "a": "é"})
    '{"a":"é","b":1}'
    """
    parts = [
        f'"{key}":{quoted(value)}' if value.__class__ is str else f'"{key}":{_encode(value)}'  # keys are our own words
        for key, value in sorted(payload.items())
    ]
    return "{" + ",".join(parts) + "}"


def join(mine: Item, other: Item) -> Item:
    """Join two copies of one item: the earlier known wins, its note with it; any order gives the same.

    >>> one = make_item(space="me", what="engaged", at=0, payload={}, known_at=5)
    >>> join(one, one._replace(known_at=3, note="said first")).note
    'said first'
    """
    return min(mine, other, key=lambda item: (item.known_at, item.note))


def cut(text: str, *, most: int = 60) -> str:
    """Shorten a text for an error message.

    >>> cut("x" * 100, most=5)
    'xxxxx…'
    """
    return text if len(text) <= most else text[:most] + "…"


def check_text(text: object, *, field: str, many_lines: bool = False) -> str:
    """Let through a text that can be stored and printed; say what is wrong with any other."""
    if not isinstance(text, str):
        raise InputError(f"the {field} is not text", code="bad_text", item=field, hint=f"give the {field} as text")
    problem, hint = None, f"shorten or clean the {field}"
    if not text.strip():
        problem, hint = "is empty", f"say something in the {field}"
    elif len(text) > MAX_TEXT:
        problem = f"has {len(text)} characters, {MAX_TEXT} at most"
    elif (found := (IN_LINES if many_lines else IN_A_LINE).search(text)) is not None:
        surrogate = "\ud800" <= found[0] <= "\udfff"
        problem = "is not valid Unicode (a lone surrogate)" if surrogate else "has a control character (a line break?)"
    if problem:
        raise InputError(f"the {field} {problem}", code="bad_text", item=field, hint=hint)
    return text

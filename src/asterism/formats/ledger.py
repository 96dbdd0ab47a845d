"""A ledger as JSON lines: one header, one line for each item in the order (at, id), then what else was erased.

Every line is canonical (sorted keys, no spaces, UTF-8, a newline at its end), and nothing in a line depends on another.
So one ledger has one file, whatever order its items came in, and a new item is one new line in a diff. Source and note
are left out where they are empty; a time is ISO 8601 in UTC, to the microsecond.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from datetime import datetime
from json.encoder import encode_basestring as _quote
from typing import NamedTuple, NoReturn

from asterism.core.ledger.calendar import EPOCH, to_datetime, to_micros
from asterism.core.ledger.items import Item, canonical, cut
from asterism.core.ledger.parameters import Setting
from asterism.errors import InputError

NAME, VERSION = "ledger", 1
LONGEST_LINE = 2**27
LONGEST_HEADER = 2**20
NEEDED = frozenset({"at", "id", "known_at", "payload", "what"})
ALLOWED = NEEDED | {"note", "source"}
UPGRADE = "upgrade Asterism: pip install --upgrade asterism"
AGAIN = "export the memory again, or take the line out"


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


_decode = json.JSONDecoder(parse_constant=_refuse).decode


class BadLine(ValueError):  # noqa: N818  # whoever reads the file knows its name and the line's number
    """A line that is none of a ledger: what is wrong with it, and the repair."""

    def __init__(self, problem: str, hint: str = AGAIN) -> None:
        super().__init__(problem)
        self.hint = hint


class NewerHeader(BadLine):
    """A header that a newer Asterism wrote."""


class Header(NamedTuple):
    """What stands above the items: whose they are, and what they were folded with."""

    space: str
    preset: tuple[str, ...]
    parameters: dict[str, Setting]
    embedder: str | None
    fold: int


class Tombstone(NamedTuple):
    """The id of an item that was erased, where no item says so."""

    id: bytes


class TextVector(NamedTuple):
    """What the embedder made of a text, by the text's hash."""

    text: bytes
    data: bytes


Entry = Item | Tombstone | TextVector


def header_line(header: Header, **more: str | int) -> bytes:
    """Write the first line, with what else is to stand there."""
    told = {
        **more,
        "asterism": NAME,
        "embedder": header.embedder,
        "fold": header.fold,
        "parameters": header.parameters,
        "preset": list(header.preset),
        "space": header.space,
        "version": VERSION,
    }
    return (json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n").encode()


def item_line(item: Item) -> bytes:
    """Write an item; the payload stands there as it is hashed and stored.

    >>> from asterism.core.ledger.items import make_item
    >>> item_line(make_item(space="me", what="engaged", at=0, payload={"star": "sleep"}, known_at=5)).decode()
    '{"at":"1970-01-01T00:00:00Z","id":"79f76b3d9e64ef6751659c476968381b","known_at":"1970-01-01T00:00:00.000005Z",...
    """
    note = f',"note":{_quote(item.note)}' if item.note else ""
    source = f',"source":{_quote(item.source)}' if item.source else ""
    return (
        f'{{"at":{_time(item.at)},"id":"{item.id.hex()}","known_at":{_time(item.known_at)}{note}'
        f',"payload":{item.text}{source},"what":{_quote(item.what)}}}\n'
    ).encode()


def tombstone_line(item_id: bytes) -> bytes:
    """Write the id of an item that was erased."""
    return f'{{"erased":"{item_id.hex()}"}}\n'.encode()


def vector_line(vector: TextVector) -> bytes:
    """Write a vector, as the bytes of its numbers."""
    return f'{{"text":"{vector.text.hex()}","vector":"{base64.b64encode(vector.data).decode()}"}}\n'.encode()


def object_of(line: bytes) -> dict[str, object]:
    """Read a line as a JSON object."""
    try:
        told = _decode(line.decode())
    except (ValueError, RecursionError) as error:
        raise BadLine(f"it is no JSON: {cut(str(error), most=80)}") from None
    if not isinstance(told, dict):
        raise BadLine("it is no JSON object")
    return told


def header_of(told: Mapping[str, object]) -> Header:
    """Read the first line."""
    version = told.get("version")
    if told.get("asterism") != NAME or type(version) is not int:
        raise BadLine("it is no header of a ledger", 'the first line begins with {"asterism":"ledger"')
    if version > VERSION:
        raise NewerHeader(f"it is of version {version}; this Asterism reads versions up to {VERSION}", UPGRADE)
    space, preset, parameters = told.get("space"), told.get("preset"), told.get("parameters")
    embedder, fold = told.get("embedder"), told.get("fold")
    if (
        isinstance(space, str)
        and isinstance(preset, list)
        and all(isinstance(name, str) for name in preset)
        and isinstance(parameters, dict)
        and all(type(value) in (int, float, str) for value in parameters.values())
        and (embedder is None or isinstance(embedder, str))
        and isinstance(fold, int)
    ):
        return Header(space, tuple(preset), parameters, embedder, fold)
    raise BadLine("the header lacks a field, or has something else in one")


def entry_of(told: Mapping[str, object], space: str) -> Entry:
    """Read any other line; whether an item is one that can be folded is seen by whoever takes it in."""
    if told.keys() == {"erased"}:
        return Tombstone(_hash(told["erased"], "erased"))
    if told.keys() == {"text", "vector"}:
        return TextVector(_hash(told["text"], "text"), _bytes(told["vector"]))
    if not NEEDED <= told.keys() <= ALLOWED:
        odd = sorted((told.keys() ^ NEEDED) - {"note", "source"})
        raise BadLine(f"it lacks a field, or has one too many: {cut(', '.join(odd))}")
    payload = told["payload"]
    if not isinstance(payload, dict):
        raise BadLine("its payload is no object")
    try:
        text = canonical(payload)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadLine(f"its payload cannot be read: {cut(str(error))}") from None
    what, source, note = (_text(told.get(name, ""), name) for name in ("what", "source", "note"))
    at, known_at = _micros(told["at"], "at"), _micros(told["known_at"], "known_at")
    return Item(_hash(told["id"], "id"), space, what, at, source, payload, text, known_at, note)


def _time(at: int) -> str:
    try:
        return f'"{to_datetime(at).isoformat().removesuffix("+00:00")}Z"'
    except OverflowError:  # no calendar has it: a clock that was wrong
        return str(at)


def _micros(value: object, field: str) -> int:
    if type(value) is int and abs(value) < 2**63:
        return value
    try:
        return to_micros(datetime.fromisoformat(_text(value, field)))
    except (ValueError, InputError):
        raise BadLine(f"its {field} is no time like {EPOCH.isoformat().removesuffix('+00:00')}Z") from None


def _text(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise BadLine(f"its {field} is no text")
    return value


def _hash(value: object, field: str) -> bytes:
    try:
        read = bytes.fromhex(_text(value, field))
    except ValueError:
        read = b""
    if len(read) != 16 or read.hex() != value:
        raise BadLine(f"its {field} is not 32 hex digits")
    return read


def _bytes(value: object) -> bytes:
    try:
        read = base64.b64decode(_text(value, "vector"), validate=True)
    except ValueError:  # no base64, or letters that no ASCII has
        read = b""
    if not read or len(read) % 4:
        raise BadLine("its vector is no list of numbers")
    return read

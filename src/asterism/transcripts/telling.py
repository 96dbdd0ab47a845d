"""Which format a text has: told by the whole of it, and by its name where several fit (08 E13)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from asterism.errors import InputError
from asterism.hints import Hint, option
from asterism.transcripts.captions import TIMING
from asterism.transcripts.fields import NAMES
from asterism.transcripts.plain import begins_turn, names_in
from asterism.transcripts.whatsapp import is_message

ENDINGS = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".vtt": "vtt",
    ".srt": "srt",
    ".txt": "plain",
    ".log": "plain",
    ".md": "plain",
}
MOST = 0.9  # share of rows that must be records, turns or captions
CLEARLY = 3  # times as many captions as turns, or the other way round, that decide between the two
FIELDS = {*NAMES["author_name"], *NAMES["content"]}
HOLDERS = {"lines", "messages", "TURNS"}


def told_format(text: str, name: str) -> str:
    """Tell the format of a text; where several fit and the name does not say, that is an error that names them.

    >>> told_format("Ann: see a --> b\\nBo: or c --> d\\nAnn: e --> f", "chat")
    'plain'
    """
    ending = ENDINGS.get(Path(name.removesuffix(".gz")).suffix.lower())
    found = fitting(text)
    if not found and ending in (None, "plain"):
        return "json" if _looks_like_json(text.lstrip("\ufeff \t\r\n")) else "plain"  # whose reader says what is wrong
    if ending is not None and (
        not found or (ending in found and "whatsapp" not in found)
    ):  # whose files are texts, too
        return ending
    if len(found) > 1:
        raise InputError(
            f"{name} may be {' or '.join(found)}",
            code="unsure_format",
            item=name,
            hint=Hint("say which it is: ", option("file_format", found[0])),
        )
    return found[0]


def fitting(text: str) -> tuple[str, ...]:
    """Give the formats that fit a text as a whole; two are turns mixed with others, none is no transcript."""
    start = text.lstrip("\ufeff \t\r\n")
    rows = [row for row in start.splitlines() if row.strip()]
    if not rows:
        return ()
    if start.startswith("WEBVTT"):
        return ("vtt",)
    if start[0] in "{[" and (_looks_like_json(start) or _value(rows[0]) is not None):
        return _records(start, rows)
    header = {cell.strip(' "').lower() for cell in rows[0].replace(";", ",").replace("\t", ",").split(",")}
    if header & set(NAMES["author_name"]) and header & set(NAMES["content"]):
        return ("csv",)
    return _talk(rows)


def _looks_like_json(start: str) -> bool:
    return start[:1] == "{" or (start[:1] == "[" and start[1:].lstrip()[:1] in ("{", "]"))


def _records(start: str, rows: Sequence[str]) -> tuple[str, ...]:
    """Say whether a text is JSON or JSON Lines: one value that holds lines, or a record a row."""
    value = _value(start)
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return ("json",)
    if isinstance(value, dict) and HOLDERS & value.keys():
        return ("json",)
    records = sum(isinstance(each := _value(row), dict) and bool(FIELDS & each.keys()) for row in rows)
    return ("jsonl",) if records >= MOST * len(rows) else ()


def _value(row: str) -> object:
    try:
        return json.loads(row)
    except (ValueError, RecursionError):
        return None


def _talk(rows: Sequence[str]) -> tuple[str, ...]:
    """Tell messages and captions from turns by how many rows are of which."""
    names = names_in(rows)
    if is_message(rows[0]):
        messages = sum(map(is_message, rows))
        turns = sum(begins_turn(row, names) and not is_message(row) for row in rows)
        return ("whatsapp",) if messages >= turns else ("plain", "whatsapp")
    times = sum(TIMING.match(row) is not None for row in rows)
    if not times:
        return ("plain",) if begins_turn(rows[0], names) else ()
    if TIMING.match(rows[0]) or (rows[0].strip().isdigit() and len(rows) > 1 and TIMING.match(rows[1])):
        return ("srt",)
    turns = sum(begins_turn(row, names) for row in rows)
    return ("plain",) if turns >= CLEARLY * times else ("srt",) if times >= CLEARLY * turns else ("plain", "srt")

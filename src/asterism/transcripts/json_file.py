"""JSON and JSON Lines: our own records, chats with roles, Discord exports and CRD3 episodes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TypeGuard, cast

from asterism.core.dialogue.lines import Actor, Line, LineKind, Mask, Reason
from asterism.core.dialogue.links import Chunk
from asterism.transcripts.chat import fields_of, is_chat
from asterism.transcripts.fields import FieldError, kind_of, line_of, milliseconds
from asterism.transcripts.model import Transcript, at, fault

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None
SPOKEN = frozenset({"Default", "Reply", "0", "19"})  # types of messages that somebody wrote


def parsed(text: str, name: str, *, first_line: int = 1) -> Json:
    """Read one JSON value; a fault is named with its place."""
    try:
        return cast(Json, json.loads(text))
    except json.JSONDecodeError as error:
        where = at(error.lineno + first_line - 1, error.colno)
        raise fault(name, where, f"this is no JSON: {error.msg}", "a JSON value") from None
    except ValueError:  # a number of thousands of digits
        raise fault(name, at(first_line), "it holds a number that is too long", "numbers of ordinary size") from None
    except RecursionError:
        raise fault(name, at(first_line), "the JSON is nested too deeply", "a list of lines") from None


def read_json_lines(text: str, name: str, session: str) -> Transcript:
    """Read one record a line."""
    lines: list[Line] = []
    for number, row in enumerate(text.split("\n"), start=1):
        if not row.strip():
            continue
        value = parsed(row, name, first_line=number)
        if not isinstance(value, dict):
            raise fault(name, at(number), "this is no record", 'a record like {"author_name": "Ann", "content": "Hi."}')
        if "messages" in value:
            raise fault(name, at(number), "this row is a whole conversation", "a message a row, a conversation a file")
        lines.append(_line(value, len(lines), name, at(number)))
    return Transcript(tuple(lines), "jsonl", session)


def read_json(text: str, name: str, session: str) -> Transcript:
    """Read a list of records, or an object that holds one; chats, Discord exports and CRD3 are told by their keys."""
    value = parsed(text, name)
    if isinstance(value, dict):
        messages = value.get("messages")
        if isinstance(messages, list) and any(isinstance(each, dict) and is_chat(each) for each in messages):
            return _records({"session": value.get("title"), **value, "lines": messages}, name, session)
        if "messages" in value:
            return _discord(value, name, session)
        if "TURNS" in value:
            return _crd3(value, name, session)
    return _records(value, name, session)


def _records(value: Json, name: str, session: str) -> Transcript:
    whole: dict[str, Json] = value if isinstance(value, dict) else {"lines": value}
    records = whole.get("lines")
    if not isinstance(records, list):
        raise fault(name, at(1), "there is no list of lines", 'a list of records, or {"lines": [..]}')
    lines = tuple(_line(each, place, name, f"entry {place}") for place, each in enumerate(records))
    said = whole.get("session")
    return Transcript(
        lines,
        "json",
        said if isinstance(said, str) and said.strip() else session,
        responders=_responders(whole, name),
        actors=tuple(_actors(whole, name)) if whole.get("actors") is not None else None,
        masks=tuple(_masks(whole, name)),
        chunks=tuple(_chunks(whole, name)) if whole.get("chunks") is not None else None,
    )


def _line(value: Json, place: int, name: str, where: str) -> Line:
    if not isinstance(value, dict):
        raise fault(name, where, "this is no record", 'a record like {"author_name": "Ann", "content": "Hi."}')
    try:
        return line_of(fields_of(value) if is_chat(value) else value, place)
    except FieldError as error:
        raise fault(name, where, error.problem, error.expected) from None


def _listed(whole: dict[str, Json], field: str, name: str, expected: str) -> Iterator[tuple[str, dict[str, Json]]]:
    listed = whole.get(field)
    if listed is None:
        return
    if not isinstance(listed, list):
        raise fault(name, field, "this is no list", expected)
    for place, each in enumerate(listed):
        if not isinstance(each, dict):
            raise fault(name, f"{field} entry {place}", "this is no record", expected)
        yield f"{field} entry {place}", each


def _responders(whole: dict[str, Json], name: str) -> tuple[str, ...] | None:
    listed = whole.get("responders")
    if listed is None:
        return None
    if not _are_texts(listed):
        raise fault(name, "responders", "these are no names", 'a list of names like ["DM"]')
    return tuple(listed)


def _actors(whole: dict[str, Json], name: str) -> Iterator[Actor]:
    expected = 'records like {"id": "ann", "name": "Ann", "aliases": ["Vex"]}'
    for where, each in _listed(whole, "actors", name, expected):
        aliases = each.get("aliases") or []
        texts = [each.get("id"), each.get("name"), *(aliases if isinstance(aliases, list) else [None])]
        if not all(isinstance(text, str) for text in texts):
            raise fault(name, where, "this is no actor", expected)
        yield Actor(str(texts[0]), str(texts[1]), tuple(str(text) for text in texts[2:]))


def _masks(whole: dict[str, Json], name: str) -> Iterator[Mask]:
    expected = 'records like {"start": 10, "end": 20, "reason": "combat"}'
    for where, each in _listed(whole, "masks", name, expected):
        start, end = _span(each, name, where, expected)
        yield Mask(start, end, cast(Reason, each.get("reason")))


def _chunks(whole: dict[str, Json], name: str) -> Iterator[Chunk]:
    expected = 'records like {"id": "the bridge", "start": 10, "end": 20}'
    for where, each in _listed(whole, "chunks", name, expected):
        start, end = _span(each, name, where, expected)
        yield Chunk(str(each.get("id") or ""), start, end)


def _span(each: dict[str, Json], name: str, where: str, expected: str) -> tuple[int, int]:
    start, end = each.get("start"), each.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        raise fault(name, where, "it has no start and end", expected)
    return start, end


# --- other people's formats ---------------------------------------------------------------------------------------


def _discord(value: dict[str, Json], name: str, session: str) -> Transcript:
    """Read an export of a channel; what nobody wrote is a system line, a bot's dice are a roll."""
    lines: list[Line] = []
    for where, message in _listed(value, "messages", name, "the messages of a Discord export"):
        author, content = message.get("author"), message.get("content")
        if not isinstance(author, dict) or not isinstance(content, str):
            raise fault(name, where, "it has no author or no content", "a message of a Discord export")
        nick = author.get("nickname") or author.get("name")
        if not isinstance(nick, str):
            raise fault(name, where, "its author has no name", "a message of a Discord export")
        try:
            timestamp_ms = milliseconds(message.get("timestamp"))
        except FieldError as error:
            raise fault(name, where, error.problem, error.expected) from None
        content = content or _attached(message)
        kind: LineKind | None = kind_of(content)
        if str(message.get("type", "Default")) not in SPOKEN or (author.get("isBot") is True and kind is None):
            kind = "system"
        lines.append(Line(len(lines), nick.strip(), content, timestamp_ms, kind))
    channel = value.get("channel")
    named = channel.get("name") if isinstance(channel, dict) else None
    return Transcript(tuple(lines), "discord", named if isinstance(named, str) and named.strip() else session)


def _attached(message: dict[str, Json]) -> str:
    """Give what stands in for the text of a message that has none."""
    said = [each.get("description") or each.get("title") for each in _dicts(message.get("embeds"))]
    said += [f"[{each.get('fileName')}]" for each in _dicts(message.get("attachments"))]
    return " ".join(each for each in said if isinstance(each, str))


def _dicts(value: Json) -> Sequence[dict[str, Json]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _are_texts(value: Json) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _crd3(value: dict[str, Json], name: str, session: str) -> Transcript:
    """Read an episode of CRD3; what several say together has all their names."""
    lines: list[Line] = []
    for where, turn in _listed(value, "TURNS", name, "the turns of a CRD3 episode"):
        names, said = turn.get("NAMES"), turn.get("UTTERANCES")
        texts = [*names, *said] if isinstance(names, list) and isinstance(said, list) else [None]
        if (
            not all(isinstance(text, str) for text in texts)
            or not isinstance(names, list)
            or not isinstance(said, list)
        ):
            raise fault(name, where, "it has no NAMES and UTTERANCES", "a turn of a CRD3 episode")
        lines.append(Line(len(lines), " and ".join(map(str, names)), " ".join(map(str, said))))
    return Transcript(tuple(lines), "crd3", session)

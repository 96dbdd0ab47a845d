"""What the item of a read transcript says: the reading, as much of it as the fold needs.

Every line that counts is kept as a *moment*, with its speaker and its time; readings of versions before kept the lines
of links alone. Lines left out are only part of the content's hash. Records are short JSON lists, so that a payload
stays a list of texts.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from asterism.core.dialogue.actors import UNKNOWN
from asterism.core.dialogue.answering import RESPONDERS, WAYS, Answering, Reply
from asterism.core.dialogue.lines import MAX_TIMESTAMP_MS, Actor, Line
from asterism.core.dialogue.links import Chunk, check_chunks
from asterism.core.dialogue.words import CONSEQUENCE_TYPES, KERNEL_VERSION, STRENGTH
from asterism.core.ledger.items import Payload, Value, check_text
from asterism.core.ledger.model import Plain
from asterism.core.ledger.nodes import slug
from asterism.core.ledger.payloads import Fields, check_fields, text, texts
from asterism.errors import InputError
from asterism.hints import Hint, elsewhere, in_python, option

if TYPE_CHECKING:  # whoever folds readings need not know how they are made
    from asterism.core.dialogue.kernel import Reading

TRANSCRIPT = "transcript"
KINDS = frozenset({TRANSCRIPT})
SYSTEM = "system"
MS_PER_LINE = 1000  # a line without a time of its own stands a second behind the one before
TIME_OF_A_LINE = in_python("timestamp_ms", otherwise="time (timestamp; in a chat also created_at)")
STARTED = elsewhere(" (", option("started_at", "2026-09-05T18:00Z"), ")")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class Moment(NamedTuple):
    """A line as a node; nobody's has no actor."""

    id: str
    session: str
    line_index: int
    actor: str
    content: str
    at_ms: int


class SaidActor(NamedTuple):
    """Somebody who speaks."""

    id: str
    name: str


class SaidLink(NamedTuple):
    """A link by its lines."""

    intent: int
    consequence: int | None
    intent_type: str
    rule: str
    consequence_type: str
    distance: int | None
    score: float | None


class Said(NamedTuple):
    """What the item of a transcript says."""

    session: str
    content_hash: str
    kernel_version: int
    scorer: str
    parameters: str
    lines: int
    actors: tuple[SaidActor, ...]
    moments: tuple[Moment, ...]
    links: tuple[SaidLink, ...]
    chunks: tuple[Chunk, ...]
    answering: Answering = Answering(RESPONDERS)
    replies: tuple[Reply, ...] = ()


def session_key(session: str) -> str:
    """Give what a session is known by: its name, whatever the case and the spaces.

    >>> session_key("Night  1") == session_key("NIGHT 1"), session_key("night-1")
    (True, 'night-1')
    """
    return " ".join(unicodedata.normalize("NFKC", session).casefold().split())


def moment_id(session: str, line_index: int) -> str:
    """Name the node of a line; the stroke keeps it apart from every name.

    >>> moment_id("Session 12", 41)
    'session-12/41'
    """
    return f"{slug(session)}/{line_index}"


def content_hash(lines: Sequence[Line]) -> str:
    """Name what was read: SHA-256 of the lines, times and kinds included."""
    return hashlib.sha256(_encode([line[1:] for line in lines]).encode()).hexdigest()


def line_times(lines: Sequence[Line], started_at_ms: int | None = None) -> list[int]:
    """Give the time of each line: its own, or the start plus a second for every line before it.

    >>> line_times([Line(0, "Ann", "Hi."), Line(1, "DM", "Hello.")], 60_000)
    [60000, 61000]
    """
    if started_at_ms is None:
        for line in lines:
            if line.timestamp_ms is None:
                raise InputError(
                    f"line {line.line_index} has no time",
                    code="no_time",
                    item=str(line.line_index),
                    hint=Hint("say when the session started", STARTED, ", or give every line a ", TIME_OF_A_LINE),
                )
    start = started_at_ms or 0
    return [
        start + place * MS_PER_LINE if line.timestamp_ms is None else line.timestamp_ms
        for place, line in enumerate(lines)
    ]


def payload_of(reading: Reading, *, started_at_ms: int | None = None) -> dict[str, Value]:
    """Say a reading as an item's payload; the same lines and parameters say the same."""
    times = line_times(reading.lines, started_at_ms)
    used = remembered(reading)
    named = actors_of(reading)
    speakers = {line: named[reading.lines[line].author_name] for line in used}
    actors = {actor.id: actor.name for actor in speakers.values() if actor.id}
    return {
        "session": reading.session,
        "content_hash": content_hash(reading.lines),
        "kernel_version": KERNEL_VERSION,
        "scorer": reading.scorer,
        "parameters": json.dumps(_parameters(reading), sort_keys=True),
        "lines": len(reading.lines),
        "actors": [_encode(pair) for pair in sorted(actors.items())],
        "moments": [_encode([line, times[line], speakers[line].id, reading.lines[line].content]) for line in used],
        "links": [
            _encode(
                [
                    link.intent_anchor_index,
                    link.consequence_anchor_index,
                    link.intent_type,
                    link.rule,
                    link.consequence_type,
                    link.distance,
                    link.score,
                ]
            )
            for link in reading.links
        ],
        "chunks": [_encode(chunk) for chunk in reading.chunks],
        **_answered(reading),
    }


def _answered(reading: Reading) -> dict[str, Value]:
    """Say who answers whom where a reply model said so; by responders, nothing is said of it."""
    by, because = reading.answering
    if by == RESPONDERS:
        return {}
    told: dict[str, Value] = {"answering": by, "replies": [_encode(reply) for reply in reading.replies]}
    return {**told, "because": because} if because else told


def remembered(reading: Reading) -> list[int]:
    """Give the lines that are kept: those of links, and every line that counts and says something.

    A notice of the system is no line of anybody's, and kept only if a link has it.
    """
    linked = {line for link in reading.links for line in link[6:10:3] if line is not None}
    linked |= {line for reply in reading.replies for line in reply[:2]}
    counts = reading.eligibility.eligible.tolist()
    return [
        line.line_index
        for line, counted in zip(reading.lines, counts, strict=True)
        if line.line_index in linked or (counted and line.kind != SYSTEM and line.content.strip())
    ]


def actors_of(reading: Reading) -> dict[str, Actor]:
    """Give whom each author stands for: an actor, or whoever has this name; somebody without an id has no name."""
    return {
        author: speaker.actor
        if speaker.role != UNKNOWN or not author.strip()
        else Actor(slug(author), " ".join(author.split()))
        for author, speaker in reading.speakers.items()
    }


def _parameters(reading: Reading) -> dict[str, Plain]:
    """Say how the lines were read: the parameters, and which lines were left out."""
    left_out: list[Plain] = [f"{run.start}-{run.end}" for run in reading.excluded]
    return reading.parameters.to_dict() | ({"excluded": left_out} if left_out else {})


def said_of(payload: Payload) -> Said:
    """Read the payload of a transcript's item; what cannot be one is refused with a ValueError."""
    session = str(payload["session"])
    actors = tuple(SaidActor(*_parts(each, (str, str))) for each in texts(payload, "actors"))
    moments = []
    for each in texts(payload, "moments"):
        line, at_ms, actor, content = _parts(each, (int, int, str, str))
        moments.append(Moment(moment_id(session, line), session, line, actor, content, at_ms))
    kinds = (int, (int, type(None)), str, str, str, (int, type(None)), (float, int, type(None)))
    links = tuple(SaidLink(*_parts(each, kinds)) for each in texts(payload, "links"))
    known = {None, *(moment.line_index for moment in moments)}
    for link in links:
        if link.intent not in known or link.consequence not in known or link.intent_type not in STRENGTH:
            raise ValueError(f"its link of line {link.intent} has no moment or no type")
    chunks = tuple(Chunk(*_parts(each, (str, int, int))) for each in texts(payload, "chunks"))
    told = texts(payload, "replies") if "replies" in payload else []
    replies = tuple(Reply(*_parts(each, (int, int, (float, int)))) for each in told)
    for reply in replies:
        if not {reply.line, reply.head} <= known:
            raise ValueError(f"its reply of line {reply.line} has no moment")
    lines, version = payload["lines"], payload["kernel_version"]
    if not isinstance(lines, int) or not isinstance(version, int):
        raise ValueError("its lines or its version are no number")
    return Said(
        session=session,
        content_hash=str(payload["content_hash"]),
        kernel_version=version,
        scorer=str(payload["scorer"]),
        parameters=str(payload["parameters"]),
        lines=lines,
        actors=actors,
        moments=tuple(moments),
        links=links,
        chunks=chunks,
        answering=Answering(str(payload.get("answering", RESPONDERS)), str(payload.get("because", ""))),
        replies=replies,
    )


def _parts(written: str, kinds: Sequence[type | tuple[type, ...]]) -> list:  # type: ignore[type-arg]  # checked here
    parts = json.loads(written)
    if not isinstance(parts, list) or len(parts) != len(kinds):
        raise ValueError(f"{written!r} is no record of {len(kinds)} parts")
    for part, kind in zip(parts, kinds, strict=True):
        if isinstance(part, bool) or not isinstance(part, kind):
            raise ValueError(f"{written!r} has a part of another kind")
    if _encode(parts) != written:
        raise ValueError(f"{written!r} is not written as items write it")
    return parts


def _whole(value: Value, field: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"its {field} is no whole number")


def _hash(value: Value, field: str) -> None:
    if not isinstance(value, str) or len(value) != 64 or len(bytes.fromhex(value)) != 32:
        raise ValueError(f"its {field} is no hash")


def _records(value: Value, field: str) -> None:
    if not isinstance(value, list):
        raise ValueError(f"its {field} are no list")


FIELDS: Mapping[str, Fields] = {
    TRANSCRIPT: {
        "session": text,
        "content_hash": _hash,
        "kernel_version": _whole,
        "scorer": text,
        "parameters": text,
        "lines": _whole,
        "actors": _records,
        "moments": _records,
        "links": _records,
        "chunks": _records,
    }
}
OF_MODELS: Fields = {"answering": text, "because": text, "replies": _records}  # where a reply model read the lines


def check_payload(what: str, payload: Payload) -> None:
    """Refuse what no item of a transcript says.

    >>> check_payload("transcript", {"session": "one"})
    Traceback (most recent call last):
    ValueError: it says session, and should say session, content_hash, kernel_version, scorer, parameters, lines, ...
    """
    by_model = {"answering", "replies"} if {"answering", "replies", "because"} & payload.keys() else set[str]()
    more = {name: test for name, test in OF_MODELS.items() if name in by_model or name in payload}
    check_fields(payload, {**FIELDS[what], **more})
    said = said_of(payload)
    actors = {actor.id for actor in said.actors}
    for actor in said.actors:
        check_text(actor.id, field="actor")
        check_text(actor.name, field="actor's name")
    moments = [moment.line_index for moment in said.moments]
    if moments != sorted(set(moments)) or (moments and not 0 <= moments[0] <= moments[-1] < said.lines):
        raise ValueError("its moments are not in the order of their lines")
    for moment in said.moments:
        if moment.actor not in actors | {""} or not 0 <= moment.at_ms <= MAX_TIMESTAMP_MS:
            raise ValueError(f"its moment {moment.line_index} has no actor or no time")
    for link in said.links:
        _check_link(link)
    if [link.intent for link in said.links] != sorted({link.intent for link in said.links}):
        raise ValueError("its links are not in the order of their intents")
    _check_replies(said)
    if tuple(check_chunks(said.chunks)) != said.chunks:
        raise ValueError("its chunks are not in the order of their lines")


def _check_replies(said: Said) -> None:
    lines = [reply.line for reply in said.replies]
    right = all(0 <= reply.head < reply.line and 0 <= reply.p <= 1 for reply in said.replies)
    if said.answering.by not in WAYS or not right or lines != sorted(set(lines)):
        raise ValueError("its replies make no sense")


def _check_link(link: SaidLink) -> None:
    claimed = link.consequence is not None
    right = (
        link.consequence_type in CONSEQUENCE_TYPES
        and (link.consequence_type != "none") == (link.distance is not None) == (link.score is not None) == claimed
        and (link.consequence is None or link.consequence > link.intent)
        and (link.score is None or link.score >= 0)
    )
    if not right:
        raise ValueError(f"its link of line {link.intent} makes no sense")

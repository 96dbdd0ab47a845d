"""What the items of blocks say, and what a dream's step says as one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from asterism.core.blocks.links import Edge, Marked
from asterism.core.ledger.items import Payload, Value, check_text
from asterism.core.ledger.payloads import Fields, check_fields, number, share, text, texts

if TYPE_CHECKING:  # whoever folds dreams need not know how they are dreamed
    from asterism.core.blocks.dreaming import Dreamed

HEX = frozenset("0123456789abcdef")


def is_block_id(value: object) -> bool:
    """Say whether this can be the id of a block.

    >>> is_block_id("7eb39c9b70ec4909"), is_block_id("sleep")
    (True, False)
    """
    return isinstance(value, str) and len(value) == 16 and HEX.issuperset(value)


def block(value: Value, field: str) -> None:
    """Let through the id of a block."""
    if not is_block_id(value):
        raise ValueError(f"its {field} is no id of a block")


def blocks(value: Value, field: str) -> None:
    """Let through a list of ids of blocks, each once and in order."""
    if not isinstance(value, list) or not all(map(is_block_id, value)) or sorted(set(value)) != value:
        raise ValueError(f"its {field} are no ids of blocks in their order")


def words(value: Value, field: str) -> None:
    """Let through a list of short texts, each once and in order."""
    if not isinstance(value, list) or sorted({check_text(word, field=field) for word in value}) != value:
        raise ValueError(f"its {field} are not in their order")


def many_lines(value: Value, field: str) -> None:
    """Let through a text of one or more lines."""
    check_text(value, field=field, many_lines=True)


def perhaps_text(value: Value, field: str) -> None:
    """Let through a text, or an empty one."""
    if value != "":
        check_text(value, field=field)


def act(value: Value, field: str) -> None:
    """Let through what a session does."""
    if value not in ("start", "end"):
        raise ValueError(f"its {field} is neither start nor end")


def hours(value: Value, field: str) -> None:
    """Let through a number of hours."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(f"its {field} is no number of hours")


def count(value: Value, field: str) -> None:
    """Let through a whole number from 0 on."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"its {field} is no count")


def truth(value: Value, field: str) -> None:
    """Let through yes or no."""
    if not isinstance(value, bool):
        raise ValueError(f"its {field} is neither true nor false")


def pairs(value: Value, field: str) -> None:
    """Let through pairs of blocks, each written as two ids."""
    if not isinstance(value, list) or not all(_is_pair(each.split(" ")) for each in value):
        raise ValueError(f"its {field} are no pairs of blocks")


def edges(value: Value, field: str) -> None:
    """Let through edges, each written as two ids in order and a score."""
    if not isinstance(value, list) or not all(_is_edge(each.split(" ")) for each in value):
        raise ValueError(f"its {field} are no edges")


def marks(value: Value, field: str) -> None:
    """Let through pairs of blocks in order, each with a confidence and a reason of one word; at least one."""
    if not isinstance(value, list) or not value or not all(_is_mark(each.split(" ")) for each in value):
        raise ValueError(f"its {field} are no conflicts")


def _is_mark(parts: list[str]) -> bool:
    return len(parts) == 4 and _is_edge(parts[:3]) and parts[3].isalpha()


def _is_pair(parts: list[str]) -> bool:
    return len(parts) == 2 and parts[0] != parts[1] and all(map(is_block_id, parts))


def _is_edge(parts: list[str]) -> bool:
    return len(parts) == 3 and _is_pair(parts[:2]) and parts[0] < parts[1] and 0 <= float(parts[2]) <= 1


def micros(value: Value, field: str) -> None:
    """Let through a time in microseconds."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"its {field} is no time")


def yes(value: Value, field: str) -> None:
    """Let through yes: what is not so is not said."""
    if value is not True:
        raise ValueError(f"its {field} can only be true")


TIMES = ("valid_from", "valid_until", "expires")
TERMS: Fields = {"slot": text, "replaces": block, **dict.fromkeys(TIMES, micros)}
RETOLD = "retold"  # said of a telling that adds to a block within minutes, and is no other occurrence

PERHAPS: Mapping[str, Fields] = {  # fields that stand in a payload only if they were told
    "learned": {**TERMS, RETOLD: yes},
    "edited": {name: TERMS[name] for name in ("slot", "valid_until", "expires")},
    "dreamed": {"conflicts": marks},
}

FIELDS: Mapping[str, Fields] = {
    "learned": {
        "content": many_lines,
        "tags": words,
        "category": perhaps_text,
        "name": perhaps_text,
        "conversation": perhaps_text,
        "speaker": perhaps_text,
    },
    "edited": {"block": block, "content": many_lines},
    "forgotten": {"block": block},
    "restored": {"block": block},
    "pinned": {"block": block, "on": truth},
    "dreamed": {
        "dream": text,
        "hours": hours,
        "promoted": blocks,
        "duplicates": pairs,
        "superseded": pairs,
        "created": edges,
        "displaced": edges,
        "exact": truth,
        "recall": share,
        "remaining": count,
    },
    "used": {"blocks": blocks, "session": text},
    "outcome": {"blocks": blocks, "signal": share},
    "session": {"name": text, "act": act},
}


def check_payload(what: str, payload: Payload) -> None:
    """Refuse what no item of this kind says.

    >>> check_payload("session", {"name": "morning", "act": "pause"})
    Traceback (most recent call last):
    ValueError: its act is neither start nor end
    """
    check_fields(payload, FIELDS[what], PERHAPS.get(what, {}))


class DreamSaid(NamedTuple):
    """What a dreamed item says."""

    dream: str
    hours: float
    promoted: list[str]
    duplicates: list[tuple[str, str]]
    superseded: list[tuple[str, str]]
    created: list[Edge]
    displaced: list[Edge]
    remaining: int
    conflicts: list[Marked]


def payload_of(dreamed: Dreamed, *, dream: str) -> dict[str, Value]:
    """Say a step as an item's payload; the steps of one dream share its name. No conflicts: nothing said of them."""
    found = [f"{each.a} {each.b} {each.confidence!r} {each.reason}" for each in dreamed.conflicts]
    conflicts: dict[str, Value] = {"conflicts": found} if found else {}
    return conflicts | {
        "dream": dream,
        "hours": dreamed.hours,
        "promoted": sorted(dreamed.promoted),
        "duplicates": [" ".join(pair) for pair in dreamed.duplicates],
        "superseded": [" ".join(pair) for pair in dreamed.superseded],
        "created": [f"{edge.a} {edge.b} {edge.score!r}" for edge in dreamed.edges_created],
        "displaced": [f"{edge.a} {edge.b} {edge.score!r}" for edge in dreamed.edges_displaced],
        "exact": dreamed.exact,
        "recall": dreamed.recall,
        "remaining": dreamed.remaining,
    }


def said_of(payload: Payload) -> DreamSaid:
    """Read a dreamed item's payload."""
    return DreamSaid(
        dream=str(payload["dream"]),
        hours=number(payload["hours"], "hours"),
        promoted=texts(payload, "promoted"),
        duplicates=[_two(each) for each in texts(payload, "duplicates")],
        superseded=[_two(each) for each in texts(payload, "superseded")],
        created=[_edge(each) for each in texts(payload, "created")],
        displaced=[_edge(each) for each in texts(payload, "displaced")],
        remaining=int(str(payload["remaining"])),
        conflicts=[_marked(each) for each in texts(payload, "conflicts")] if "conflicts" in payload else [],
    )


def _two(written: str) -> tuple[str, str]:
    first, second = written.split(" ")
    return first, second


def _edge(written: str) -> Edge:
    a, b, score = written.split(" ")
    return Edge(a, b, float(score))


def _marked(written: str) -> Marked:
    a, b, confidence, reason = written.split(" ")
    return Marked(a, b, float(confidence), reason)

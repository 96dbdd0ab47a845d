"""What the items of stars and connections say."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType

from asterism.core.connections.words import DIRECTED, Direction, Domain, EvidenceKind, LinkKind, parse, word
from asterism.core.ledger.calendar import day_of, to_date, to_micros
from asterism.core.ledger.items import Payload, Value, quoted
from asterism.core.ledger.nodes import slug
from asterism.core.ledger.payloads import Fields, Test, check_fields, finite, item_id, number, share, text, yes


def one_of(vocabulary: type[IntEnum]) -> Test:
    """Let through the words of a vocabulary, as items write them."""

    def test(value: Value, field: str) -> None:
        if word(parse(vocabulary, str(value), what=field)) != value:
            raise ValueError(f"its {field} is not written as items write it")

    return test


def _among(*words: str) -> Test:
    def test(value: Value, field: str) -> None:
        if value not in words:
            raise ValueError(f"its {field} is none of {', '.join(words)}")

    return test


def _between(low: float, high: float) -> Test:
    def test(value: Value, field: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(f"its {field} is no number from {low:g} to {high:g}")

    return test


def _count(value: Value, field: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_DAYS:
        raise ValueError(f"its {field} is no number of days")


def _day(value: Value, field: str) -> None:
    if not isinstance(value, str) or to_date(day_of(to_micros(value))).isoformat() != value:
        raise ValueError(f"its {field} is no date")


MOST_DAYS = 1_000_000
HOLDS, GONE = "holds", "gone"  # what a finding says of its pair: that it was found, or that it no longer holds
STAR: Fields = {"star": text}
PAIR: Fields = {"a": text, "b": text}
FIELDS: Mapping[str, Fields] = {
    "star_added": {**STAR, "name": text},
    "acknowledged": STAR,
    "engaged": {**STAR, "impact": share},
    "brightness_observed": {**STAR, "value": share},
    "contradicted": STAR,
    "dark_marked": STAR,
    "dark_disputed": STAR,
    "evidence": {**PAIR, "kind": one_of(EvidenceKind)},
    "denied": PAIR,
    "type_assigned": {**PAIR, "kind": one_of(LinkKind), "direction": one_of(Direction)},
    "discovery": {},
}
PERHAPS: Mapping[str, Fields] = {  # what not every item says
    "star_added": {"domain": one_of(Domain)},
    "brightness_observed": {"low": finite, "high": finite, "guessed": yes},  # the scale a value was told on
}
OF_A_FINDING: Fields = {  # evidence that looking through all told values gave
    **FIELDS["evidence"],
    "kind": _among("correlation_detected", "causation_detected"),
    "finding": _among(HOLDS, GONE),
    "direction": one_of(Direction),
    "lag_days": _count,
    "r": _between(-1, 1),
    "low": _between(-1, 1),
    "high": _between(-1, 1),
    "p": share,
    "days": _count,
    "since": _day,  # the first and the last day that were looked at
    "until": _day,
    "seen": item_id,  # the newest value of the two
    "detector": text,
}
PERHAPS_OF_A_FINDING: Fields = {"skill": _between(-MOST_DAYS, 1), "leads": _among("a", "b")}  # with a delay
OF_A_READING: Fields = {**FIELDS["evidence"], "reading": item_id}  # evidence that the reading of a transcript gave
NO_FIELDS: Fields = MappingProxyType({})


def check_payload(what: str, payload: Payload) -> None:
    """Refuse what no item of this kind says.

    >>> check_payload("denied", {"a": "sleep", "b": "mood"})
    Traceback (most recent call last):
    ValueError: its ends are not two nodes in the order of their ids
    """
    fields, perhaps = FIELDS[what], PERHAPS.get(what, NO_FIELDS)
    if what == "evidence" and "reading" in payload:
        fields = OF_A_READING
    elif what == "evidence" and "finding" in payload:
        fields, perhaps = OF_A_FINDING, PERHAPS_OF_A_FINDING
    check_fields(payload, fields, perhaps)
    if FIELDS[what].keys() >= PAIR.keys() and not str(payload["a"]) < str(payload["b"]):
        raise ValueError("its ends are not two nodes in the order of their ids")
    if fields is OF_A_FINDING:
        directed = payload["direction"] != word(Direction.NONE)
        if directed != (payload["kind"] == "causation_detected") or (directed and not payload["lag_days"]):
            raise ValueError(f"{payload['kind']} does not go with direction {payload['direction']} and its delay")
        if not str(payload["since"]) <= str(payload["until"]):
            raise ValueError("it ends before it begins")
    if what == "star_added" and payload["star"] != slug(str(payload["name"])):
        raise ValueError("its star is not called by its name")
    if what == "brightness_observed" and not _whole_scale(payload):
        raise ValueError("its scale does not say its least and its most")
    if what == "type_assigned":
        directed = payload["kind"] in {word(kind) for kind in DIRECTED}
        if directed != (payload["direction"] != word(Direction.NONE)):
            raise ValueError(f"{payload['kind']} does not go with direction {payload['direction']}")


def _whole_scale(payload: Payload) -> bool:
    """Say whether a value is told without a scale, or with the whole of one."""
    told = payload.keys() & PERHAPS["brightness_observed"].keys()
    return not told or ({"low", "high"} <= told and number(payload["low"], "low") < number(payload["high"], "high"))


def evidence_text(a: str, b: str, kind: str) -> str:
    """Write the payload of evidence as the one text it has: most items are evidence.

    >>> evidence_text("mood", "sleep", "user_confirms")
    '{"a":"mood","b":"sleep","kind":"user_confirms"}'
    """
    return f'{{"a":{quoted(a)},"b":{quoted(b)},"kind":{quoted(kind)}}}'

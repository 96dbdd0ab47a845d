"""What the items of stars and connections say."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from asterism.core.connections.words import DIRECTED, Direction, Domain, EvidenceKind, LinkKind, parse, word
from asterism.core.ledger.items import Payload, Value, quoted
from asterism.core.ledger.nodes import slug
from asterism.core.ledger.payloads import Fields, Test, check_fields, item_id, share, text


def one_of(vocabulary: type[IntEnum]) -> Test:
    """Let through the words of a vocabulary, as items write them."""

    def test(value: Value, field: str) -> None:
        if word(parse(vocabulary, str(value), what=field)) != value:
            raise ValueError(f"its {field} is not written as items write it")

    return test


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
PERHAPS: Mapping[str, Fields] = {"star_added": {"domain": one_of(Domain)}}  # what not every item says
OF_A_READING: Fields = {**FIELDS["evidence"], "reading": item_id}  # evidence that the reading of a transcript gave


def check_payload(what: str, payload: Payload) -> None:
    """Refuse what no item of this kind says.

    >>> check_payload("denied", {"a": "sleep", "b": "mood"})
    Traceback (most recent call last):
    ValueError: its ends are not two nodes in the order of their ids
    """
    check_fields(
        payload, OF_A_READING if what == "evidence" and "reading" in payload else FIELDS[what], PERHAPS.get(what, {})
    )
    if FIELDS[what].keys() >= PAIR.keys() and not str(payload["a"]) < str(payload["b"]):
        raise ValueError("its ends are not two nodes in the order of their ids")
    if what == "star_added" and payload["star"] != slug(str(payload["name"])):
        raise ValueError("its star is not called by its name")
    if what == "type_assigned":
        directed = payload["kind"] in {word(kind) for kind in DIRECTED}
        if directed != (payload["direction"] != word(Direction.NONE)):
            raise ValueError(f"{payload['kind']} does not go with direction {payload['direction']}")


def evidence_text(a: str, b: str, kind: str) -> str:
    """Write the payload of evidence as the one text it has: most items are evidence.

    >>> evidence_text("mood", "sleep", "user_confirms")
    '{"a":"mood","b":"sleep","kind":"user_confirms"}'
    """
    return f'{{"a":{quoted(a)},"b":{quoted(b)},"kind":{quoted(kind)}}}'

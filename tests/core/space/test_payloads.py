"""Items of another ledger: what was told here is let in, and nothing else."""

from __future__ import annotations

import random

import pytest

from asterism.core.connections.fold import KINDS
from asterism.core.connections.payloads import FIELDS
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.core.space.capabilities import CAPABILITIES
from asterism.errors import CorruptError
from tests.support.crowded import crowded


def item(what: str, payload: Payload, *, at: int = 0, source: str = "diary", note: str = "") -> Item:
    return make_item(space="s", what=what, at=at, payload=payload, known_at=0, source=source, note=note)


EVIDENCE: Payload = {"a": "mood", "b": "sleep", "kind": "user_creates"}
GOOD: list[Item] = [
    item("evidence", EVIDENCE, note="two\nlines"),
    item("type_assigned", {"a": "mood", "b": "sleep", "kind": "blocks", "direction": "b_to_a"}),
    item("type_assigned", {"a": "mood", "b": "sleep", "kind": "tension", "direction": "none"}),
    item("brightness_observed", {"star": "mood", "value": 1}),
    item("discovery", {}),
    item("clock", {}, source=""),
    item("erased", {"ids": ["00" * 16]}),
    *crowded(random.Random(1), days=5),
]

BAD: dict[str, Item] = {
    "another id": GOOD[0]._replace(id=bytes(16)),
    "another content": GOOD[0]._replace(payload={**EVIDENCE, "kind": "user_confirms"}),
    "another text": GOOD[0]._replace(text='{"a": "mood", "b": "sleep", "kind": "user_creates"}'),
    "another space": GOOD[0]._replace(space="you"),
    "a self-link": item("evidence", {"a": "mood", "b": "mood", "kind": "user_creates"}),
    "ends the wrong way round": item("evidence", {"a": "sleep", "b": "mood", "kind": "user_creates"}),
    "a field too few": item("evidence", {"a": "mood", "b": "sleep"}),
    "a field too many": item("evidence", {**EVIDENCE, "weight": 9}),
    "a mark that says something": item("clock", {"by": "hand"}),
    "an end that is no text": item("denied", {"a": "mood", "b": 3}),
    "an end that is blank": item("denied", {"a": " ", "b": "mood"}),
    "an unknown kind of evidence": item("evidence", {**EVIDENCE, "kind": "hunch"}),
    "a kind in capitals": item("evidence", {**EVIDENCE, "kind": "USER_CREATES"}),
    "a kind that is no text": item("evidence", {**EVIDENCE, "kind": ["user_creates"]}),
    "another name's star": item("star_added", {"star": "mood", "name": "Sleep", "domain": "soul"}),
    "an unknown domain": item("star_added", {"star": "mood", "name": "Mood", "domain": "animals"}),
    "a directed kind without direction": item(
        "type_assigned", {"a": "mood", "b": "sleep", "kind": "blocks", "direction": "none"}
    ),
    "an undirected kind with direction": item(
        "type_assigned", {"a": "mood", "b": "sleep", "kind": "tension", "direction": "a_to_b"}
    ),
    "an impact that is text": item("engaged", {"star": "mood", "impact": "0.1"}),
    "an impact that is a truth": item("engaged", {"star": "mood", "impact": True}),
    "an impact beyond 1": item("engaged", {"star": "mood", "impact": 1.5}),
    "a brightness that is no number": GOOD[3]._replace(payload={"star": "mood", "value": float("nan")}),
    "ids that are none": item("erased", {"ids": ["00"]}),
    "ids that are no list": item("erased", {"ids": "00" * 16}),
    "ids that are no hex": item("erased", {"ids": ["zz" * 16]}),
    "a payload that is a list": GOOD[0]._replace(payload=["a"]),  # type: ignore[arg-type]  # the fault under test
    "a source with a line break": GOOD[0]._replace(source="a\nb"),
    "a note with a bell": GOOD[0]._replace(note="\a"),
    "a time before 1900": item("clock", {}, at=-(10**17)),
    "a time beyond all calendars": item("clock", {}, at=10**18),
}


@pytest.mark.parametrize("told", GOOD, ids=lambda told: told.what)
def test_what_was_told_is_let_in(told: Item) -> None:
    CAPABILITIES.check(told)


@pytest.mark.parametrize("fault", BAD)
def test_what_cannot_have_been_told_is_refused_with_its_id(fault: str) -> None:
    with pytest.raises(CorruptError) as refused:
        CAPABILITIES.check(BAD[fault])
    assert (refused.value.code, refused.value.item) == ("damaged_item", BAD[fault].id.hex())
    assert refused.value.hint


def test_an_item_of_an_unknown_kind_is_refused_as_such() -> None:
    with pytest.raises(CorruptError) as refused:
        CAPABILITIES.check(item("sang", {}))
    assert refused.value.code == "unknown_item"


def test_every_kind_that_is_folded_has_its_fields() -> None:
    assert FIELDS.keys() == KINDS

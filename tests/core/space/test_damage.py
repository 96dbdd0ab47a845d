"""What cannot be folded: an item that is damaged is named as such, and a fault of ours stays what it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.payloads import payload_of
from asterism.core.ledger.about import Declared
from asterism.core.ledger.capability import Capability, Days, Judges, Unordered
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.core.ledger.marks import MARKS, NoParameters
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.space.depends import Depends
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from asterism.errors import CorruptError


def item(what: str, payload: Payload, at: int = 0) -> Item:
    return make_item(space="me", what=what, at=at, payload=payload, known_at=0)


READING = payload_of(causal_links([Line(0, "Ann", "I go."), Line(1, "DM", "You do.")], session="s"), started_at_ms=0)
LINK = '[0,1,"declare","i_do","dm_statement",1,0.821262391]'  # as it stands in the reading
DREAMED: Payload = {
    "dream": "d",
    "hours": 0.0,
    "promoted": [],
    "duplicates": [],
    "superseded": [],
    "created": [],
    "displaced": [],
    "exact": True,
    "recall": 1.0,
    "remaining": 0,
}
LEARNED: Payload = {"content": "a", "tags": [], "category": "", "name": "", "conversation": "", "speaker": ""}
EXPLORED: Payload = {
    "query": "q",
    "intention": "",
    "start": "s",
    "embedder": "",
    "vector": "",
    "paths": [],
    "injections": [],
    "coloured": [],
    "narratives": [],
    "ties": [],
    "vectors": [],
}
DAMAGED: dict[str, Item] = {
    "an impact that is text": item("engaged", {"star": "mood", "impact": "much"}),
    "a star that is missing": item("engaged", {}),
    "tags that are no list": item("learned", {**LEARNED, "tags": 7}),
    "tags that are no texts": item("learned", {**LEARNED, "tags": [7]}),  # type: ignore[list-item]
    "hours that are no number": item("dreamed", {**DREAMED, "hours": []}),
    "duplicates that are no list": item("dreamed", {**DREAMED, "duplicates": None}),
    "links that are no list": item("transcript", {**READING, "links": 5}),
    "links of lines that are no moments": item("transcript", {**READING, "moments": []}),
    "a consequence that is no moment": item("transcript", {**READING, "links": [LINK.replace("0,1", "0,9")]}),
    "an intent of a type that there is not": item("transcript", {**READING, "links": [LINK.replace("declare", "x")]}),
    "lines that are no number": item("transcript", {**READING, "lines": "two"}),
    "a version that is no number": item("transcript", {**READING, "kernel_version": None}),
    "vectors that are no list": item("explored", {**EXPLORED, "vectors": "none", "injections": []}),
    "an energy that is text": item("explored", {**EXPLORED, "injections": ['["work","much",0.5]']}),
    "rows that are no list": item("explored", {**EXPLORED, "ties": True}),
    "a payload that is a number": item("engaged", {})._replace(payload=5),  # type: ignore[arg-type]  # the fault
    "a value that is an object": item("engaged", {"star": "mood", "impact": {}}),  # type: ignore[dict-item]
    "a list of numbers": item("dreamed", {**DREAMED, "duplicates": [7]}),  # type: ignore[list-item]
}


@pytest.mark.parametrize("fault", DAMAGED)
def test_a_damaged_item_is_named(fault: str) -> None:
    with pytest.raises(CorruptError) as refused:
        Projection(SpaceParameters()).apply(DAMAGED[fault])
    assert (refused.value.code, refused.value.item) == ("damaged_item", DAMAGED[fault].id.hex())


def test_the_one_of_many_that_is_damaged_is_named() -> None:
    good, bad = item("engaged", {"star": "mood", "impact": 0.1}, at=1), DAMAGED["an impact that is text"]
    with pytest.raises(CorruptError) as refused:
        Projection(SpaceParameters()).apply_all([good, bad._replace(at=2), good])
    assert refused.value.item == bad.id.hex()


def faulty(_: None, __: object) -> None:
    raise TypeError("a fault of ours")


def with_a_fault(**how: object) -> Projection:
    row: Capability[None, NoParameters] = replace(MARKS, name="sixth", kinds=frozenset({"dreamt_of"}), **how)  # type: ignore[arg-type]
    row = replace(row, check=lambda _: None)
    return Projection(SpaceParameters(capabilities=CAPABILITIES.and_also(row)))


def test_a_fault_of_ours_is_not_taken_for_damage() -> None:
    days = Days(begin=lambda _, __: None, run=faulty, end=lambda _, __, ___: 0)  # type: ignore[arg-type]
    dreams = [item("dreamt_of", {}, at=at) for at in (1, 2)]
    for projection in (with_a_fault(apply=faulty), with_a_fault(apply=faulty, days=None)):
        with pytest.raises(TypeError, match="a fault of ours"):
            projection.apply(dreams[0])
    with pytest.raises(TypeError, match="a fault of ours"):
        with_a_fault(days=days).apply_all(dreams)


def test_a_fault_of_ours_in_what_judges_others_is_not_taken_for_damage() -> None:
    judges = Judges(
        kinds=frozenset(),
        field="reading",
        admits=faulty,  # type: ignore[arg-type]
        notes=faulty,
        reopens=faulty,
    )
    with pytest.raises(TypeError, match="a fault of ours"):
        with_a_fault(judges=judges).late_day([item("dreamt_of", {})])


@pytest.mark.parametrize("damaged", ["a list of numbers", "rows that are no list"])
def test_what_is_folded_anew_or_looked_over_names_the_damaged_item(damaged: str) -> None:
    bad = DAMAGED[damaged]
    projection = Projection(SpaceParameters())
    row = next(row for row in projection.capabilities if bad.what in row.kinds)
    with pytest.raises(CorruptError) as refused:
        projection.refold(row, [bad])
    assert refused.value.item == bad.id.hex()
    with pytest.raises(CorruptError) as refused:
        Depends([bad])
    assert refused.value.item == bad.id.hex()


def test_a_fault_of_ours_in_what_is_folded_anew_is_not_taken_for_damage() -> None:
    projection = with_a_fault(unordered=Unordered(stale=lambda _: True, refold=faulty))  # type: ignore[arg-type]
    row = next(row for row in projection.capabilities if row.name == "sixth")
    with pytest.raises(TypeError, match="a fault of ours"):
        projection.refold(row, [item("dreamt_of", {})])
    about = Declared(frozenset({"dreamt_of"}), lambda told: faulty(None, told))  # type: ignore[arg-type, return-value]
    rows = CAPABILITIES.and_also(replace(MARKS, name="sixth", kinds=about.kinds, about=about, check=lambda _: None))
    with pytest.raises(TypeError, match="a fault of ours"):
        Depends([item("dreamt_of", {})], rows)

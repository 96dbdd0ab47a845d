"""What walks say when they are asked why."""

from __future__ import annotations

import json

import pytest

from asterism.core.ledger.items import Item, make_item
from asterism.core.ledger.model import Why, link_id
from asterism.core.walkers.capability import WALKS
from asterism.core.walkers.effects import WHAT, effects_of
from asterism.core.walkers.explain import given, why_narrative
from tests.support.asking import Asking
from tests.support.walkers import Link, Node, explored, graph, toward

NODES = [Node("a", "place", toward(0)), Node("b", "place", toward(25)), Node("c", "thing", toward(60), "text")]
LINKS = [Link("a", "b", permanence=0.5), Link("b", "c", permanence=0.5)]


def walked(at: int) -> Item:
    done = explored(graph(NODES, LINKS), "a", toward(40), toward(20), min_link_score=0.0)
    return make_item(space="me", what=WHAT, at=at, payload=effects_of(done, embedder="e"), known_at=0)


def test_a_narrative_whose_walk_is_not_in_the_ledger_says_what_it_was_made_of() -> None:
    asked = Asking(WALKS, [walked(1)], kept=[])
    (name,) = asked.fold.narratives
    told = why_narrative(asked, name)
    assert told is not None
    assert told.notes[0].startswith("made 1970-01-01 00:00 from ")


@pytest.mark.parametrize("start", ["a", "bo~a", "di#1", "zo#1"])
def test_a_narrative_tells_the_ways_to_it_whatever_signs_are_in_the_ids_of_nodes(start: str) -> None:
    nodes, links = [NODES[0]._replace(id=start), *NODES[1:]], [LINKS[0]._replace(a=start), *LINKS[1:]]
    done = explored(graph(nodes, links), start, toward(40), toward(20), min_link_score=0.0)
    payload = json.dumps(effects_of(done, embedder="e"))
    ids = {"l00": link_id(start, "b"), "l01": link_id("b", "c", "similar")}
    for place, link in ids.items():
        payload = payload.replace(place, link)
    asked = Asking(WALKS, [make_item(space="me", what=WHAT, at=1, payload=json.loads(payload), known_at=0)])
    (name,) = asked.fold.narratives
    told = why_narrative(asked, name)
    assert told is not None
    assert any(note.endswith(f" went {ids['l00']}, {ids['l01']}") for note in told.notes)


def test_walks_add_to_the_weight_of_a_node_of_another_capability() -> None:
    asked = Asking(WALKS, [walked(1), walked(2)])
    node = max(asked.fold.weight, key=lambda each: asked.fold.weight[each])
    more = given(asked, Why(node, "weight", (), 0.0))
    assert more is not None
    assert more.total == asked.fold.weight[node]
    assert len(more.lines) == 2
    assert given(asked, Why(node, "brightness", (), 0.0)) is None

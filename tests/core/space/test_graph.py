"""The one graph of a projection: its nodes, and the links between those that are there."""

from __future__ import annotations

from asterism.core.blocks.scoring import block_id
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.core.space.graph import SpaceGraph, nodes_there
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection

FERRY, NEW, PIER = (block_id(text) for text in ("The ferry is late", "The ferry is very late", "The pier is closed"))


def told(what: str, at: int, payload: Payload) -> Item:
    return make_item(space="s", what=what, at=at, payload=payload, known_at=0)


def learned(content: str) -> Item:
    rest: Payload = {"tags": [], "category": "", "name": "", "conversation": "", "speaker": ""}
    return told("learned", 1, {"content": content, **rest})


def evidence(a: str, b: str) -> Item:
    return told("evidence", 2, {"a": a, "b": b, "kind": "user_creates"})


def graph_of(*items: Item) -> SpaceGraph:
    projection = Projection(SpaceParameters())
    projection.apply_all(sorted(items, key=lambda item: item.position))
    return SpaceGraph(projection)


ITEMS = (
    told("star_added", 1, {"star": "sea", "name": "Sea", "domain": "health"}),
    learned("The ferry is late"),
    learned("The pier is closed"),
    evidence(FERRY, "sea"),
    evidence(PIER, "sea"),
    evidence(FERRY, PIER),
)


def ends(graph: SpaceGraph, *among: str) -> set[frozenset[str]]:
    return {frozenset((edge.a, edge.b)) for edge in graph.edges(among)}


def test_links_are_given_between_the_nodes_that_are_asked_for() -> None:
    graph = graph_of(*ITEMS)
    assert ends(graph, "sea", FERRY, PIER) == {
        frozenset(pair) for pair in (("sea", FERRY), ("sea", PIER), (FERRY, PIER))
    }
    assert ends(graph, "sea", FERRY) == {frozenset(("sea", FERRY))}
    assert ends(graph) == set()


def test_a_link_leads_to_what_stands_for_its_end_now() -> None:
    edited = told("edited", 3, {"block": FERRY, "content": "The ferry is very late"})
    assert ends(graph_of(*ITEMS, edited), "sea", NEW, PIER) == {
        frozenset(pair) for pair in (("sea", NEW), ("sea", PIER), (NEW, PIER))
    }
    same = told("edited", 3, {"block": FERRY, "content": "The pier is closed"})
    assert ends(graph_of(*ITEMS, same), "sea", PIER) == {frozenset(("sea", PIER))}  # not from the pier to itself


def test_a_link_to_what_was_forgotten_is_not_given() -> None:
    forgotten = told("forgotten", 3, {"block": FERRY})
    assert ends(graph_of(*ITEMS, forgotten), "sea", PIER) == {frozenset(("sea", PIER))}


def test_what_evidence_names_is_there_without_a_star_or_block_of_that_name() -> None:
    projection = Projection(SpaceParameters())
    assert nodes_there(projection) == set()
    payload = {"a": "sleep", "b": "mood", "kind": "user_creates"}
    projection.apply(make_item(space="s", what="evidence", at=0, payload=payload, known_at=0))
    assert nodes_there(projection) == {"sleep", "mood"}

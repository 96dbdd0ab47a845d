"""What explorations show of the graph: narratives that are there, by id and name, and their links from either end."""

from __future__ import annotations

from asterism.core.ledger.items import Item, make_item
from asterism.core.walkers.capability import WALKS
from asterism.core.walkers.effects import FORGOTTEN, WHAT, effects_of
from asterism.core.walkers.fold import Walks, folded
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.shown import called, edges, entries, entry, links, stands
from tests.support.walkers import Node, explored, graph, line, toward

SEED = ExplorationParameters()
NODES = (Node("a", "place", toward(0)), Node("b", "place", toward(25)))


def told(at: int = 1) -> Item:
    payload = effects_of(explored(graph(*line(*NODES)), "a", toward(40), toward(20), min_link_score=0.0))
    return make_item(space="me", what=WHAT, at=at, payload=payload, known_at=0)


def made() -> tuple[Walks, str]:
    walks = folded([told()], SEED)
    (name,) = walks.narratives
    return walks, name


def test_a_narrative_is_shown_until_it_is_put_away_and_known_after() -> None:
    walks, name = made()
    (shown,) = entries(walks)
    assert (shown.id, shown.kind, shown.called, shown.at) == (name, "narrative", "why: A", 1)
    assert shown.text == walks.narratives[name].content
    assert (stands(walks, name), stands(walks, "a")) == (name, None)
    put_away = {"narrative": name}
    item = make_item(space="me", what=FORGOTTEN, at=2, payload=put_away, known_at=0)
    WALKS.apply(walks, item)
    assert list(entries(walks)) == []
    assert entry(walks, name) == shown
    assert entry(walks, "a") is None
    assert list(called(walks, "why: a")) == [name]
    assert list(called(walks, "why: b")) == []
    assert stands(walks, name) == ""
    assert edges(walks) == []
    assert list(links(walks, None)) == []


def test_its_links_are_seen_from_either_end() -> None:
    walks, name = made()
    assert {(link.a, link.b) for link in links(walks, None)} == {("a", name), (name, "b")}
    assert [(link.a, link.b) for link in links(walks, name)] == [(name, "a"), (name, "b")]
    assert [(link.a, link.b) for link in links(walks, "b")] == [("b", name)]
    assert list(links(walks, "c")) == []
    assert [(edge.a, edge.b, edge.strength, edge.back) for edge in edges(walks)] == [
        ("a", name, 0.8, 0.2),
        (name, "b", 0.8, 0.2),
    ]


def test_walks_that_an_item_came_too_late_for_are_folded_anew() -> None:
    walks, late = folded([told(2)], SEED), told(1)
    WALKS.apply(walks, late)
    assert WALKS.unordered is not None
    assert WALKS.unordered.stale(walks)
    assert WALKS.unordered.refold(walks, [late, told(2)]) == 2
    assert not WALKS.unordered.stale(walks)
    assert walks.explorations == 2

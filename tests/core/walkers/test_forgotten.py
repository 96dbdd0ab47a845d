"""Forgotten narratives in the fold: away with their links, in any order of arrival, and back again."""

from __future__ import annotations

import random

import pytest

from asterism.core.ledger.items import Item, make_item
from asterism.core.space.projection import differences
from asterism.core.walkers.effects import FORGOTTEN, RESTORED, WHAT, effects_of, injections
from asterism.core.walkers.expedition import Expedition, run
from asterism.core.walkers.fold import Walks, folded
from asterism.core.walkers.inputs import says
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.payloads import check_payload
from asterism.core.walkers.snapshot import dump, load
from tests.support.walkers import Link, Node, asking, explored, graph, toward

SEED = ExplorationParameters()
ROW = (
    [Node("a", "place", toward(0)), Node("b", "place", toward(25)), Node("c", "thing", toward(60), "text")],
    [Link("a", "b", permanence=0.5), Link("b", "c", permanence=0.5)],
)


def walked(at: int, query: float = 40.0) -> Item:
    done = explored(graph(*ROW), "a", toward(query), toward(query - 20), min_link_score=0.0)
    payload = effects_of(done, embedder="e")
    return make_item(space="me", what=WHAT, at=at, payload=payload, known_at=0)


def told(what: str, narrative: str, at: int) -> Item:
    return make_item(space="me", what=what, at=at, payload={"narrative": narrative}, known_at=0)


def name_of(item: Item) -> str:
    (name,) = folded([item], SEED).narratives
    return name


def test_it_is_away_with_its_links_and_the_rest_of_its_walk_stays() -> None:
    first = walked(1)
    name = name_of(first)
    before, after = folded([first], SEED), folded([first, told(FORGOTTEN, name, 2)], SEED)
    assert (dict(after.narratives), dict(after.ties)) == ({}, {})
    assert after.away.keys() == {name}
    assert after.away_ties == before.ties
    kept = ("energy", "weight", "permanence", "colours")
    assert all(getattr(after, part) == getattr(before, part) for part in kept)
    assert after.explorations == before.explorations  # it counts walks, not what is said of them
    link = f"a~{name}#walk"
    assert after.given(link) == before.given(link) == before.ties["a", name].permanence


def test_it_comes_back_as_it_was() -> None:
    first = walked(1)
    name = name_of(first)
    back = folded([first, told(FORGOTTEN, name, 2), told(RESTORED, name, 3)], SEED)
    before = folded([first], SEED)
    assert (back.narratives, back.ties, back.away, back.forgotten) == (before.narratives, before.ties, {}, set())
    assert folded([told(RESTORED, "nothing", 1)], SEED).forgotten == set()


def test_a_later_walk_does_not_bring_it_back_and_an_earlier_word_holds() -> None:
    first, second = walked(1), walked(3)
    name = name_of(first)
    again = folded([first, told(FORGOTTEN, name, 2), second], SEED)
    assert not again.narratives
    assert set(again.away) == {name}
    assert again.away[name].at == 1
    early = folded([told(FORGOTTEN, name, 0), first], SEED)
    assert not early.narratives
    assert not early.ties
    assert set(early.away) == {name}


def test_any_order_of_arrival_gives_the_same() -> None:
    first, second = walked(1), walked(4)
    name = name_of(first)
    items = [first, told(FORGOTTEN, name, 2), told(RESTORED, name, 3), second, told(FORGOTTEN, name, 5)]
    right = dump(folded(items, SEED))
    for seed in range(6):
        shuffled = items.copy()
        random.Random(seed).shuffle(shuffled)
        walks = folded(shuffled, SEED)
        if walks.stale:
            walks = folded(sorted(shuffled, key=lambda item: item.position), SEED)
        assert not differences(dump(walks), right)


def test_it_packs_and_copies() -> None:
    first = walked(1)
    name = name_of(first)
    walks = folded([first, told(FORGOTTEN, name, 2), told(FORGOTTEN, "not there yet", 3)], SEED)
    again = load(dump(walks), SEED)
    assert not differences(dump(again), dump(walks))
    for part in ("narratives", "away", "ties", "away_ties", "forgotten"):
        assert getattr(again, part) == getattr(walks, part)
    copied = walks.copy()
    copied.apply({"narrative": name}, 4, b"", RESTORED)
    assert name in copied.narratives
    assert name not in walks.narratives
    assert "forgotten" not in dump(folded([first], SEED))  # what was stored before stays as it is


def test_its_payload_is_tested_and_names_what_it_is_about() -> None:
    item = told(FORGOTTEN, "narrative-1", 1)
    check_payload(item.payload, item.what)
    assert says(item).needs == {"narrative-1"}
    assert injections(item.payload) == []
    with pytest.raises(ValueError, match="narrative"):
        check_payload({"story": "x"}, RESTORED)


def test_walkers_do_not_make_again_what_was_forgotten() -> None:
    place = graph(*ROW)
    done = explored(place, "a", toward(40), toward(20), min_link_score=0.0)
    (made,) = done.tour.narratives
    rules = done.tour.p
    again = Expedition(asking(toward(40), toward(20)), place.look(0), rules, forgotten={made.id})
    root = run(again, place.answer).root
    assert again.tour.narratives == []
    assert str(root.declined) == f"the same narrative was forgotten: {made.id}"
    assert again.tour.coloured == {}  # nor are links drawn to it


def test_nothing_is_stale_when_it_comes_in_order() -> None:
    walks = Walks(SEED)
    first = walked(1)
    walks.apply(first.payload, first.at, first.id)
    walks.apply({"narrative": name_of(first)}, 2, b"x", FORGOTTEN)
    assert not walks.stale
    walks.apply({"narrative": name_of(first)}, 1, b"", RESTORED)
    assert walks.stale

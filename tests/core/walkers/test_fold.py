"""The fold of explorations: a function of the set of items, bounded, that packs and copies."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.items import Item, Value, make_item
from asterism.core.ledger.model import link_id
from asterism.core.space.projection import differences
from asterism.core.walkers.effects import WHAT, colour_rows, effects_of, nothing_left
from asterism.core.walkers.expedition import Expedition
from asterism.core.walkers.fold import Walks, folded
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.laying import laid
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.payloads import check_payload
from asterism.core.walkers.snapshot import dump, load
from asterism.core.walkers.vectors import cosine, unit
from asterism.core.walkers.walker import mean_of_ends
from asterism.errors import InputError
from tests.support.walkers import Link, Node, directions, explored, graph, graphs, rules, toward

SEED = ExplorationParameters()
ROW = (
    [Node("a", "place", toward(0)), Node("b", "place", toward(25)), Node("c", "thing", toward(60), "text")],
    [Link("a", "b", permanence=0.5), Link("b", "c", permanence=0.5)],
)


def item(expedition: Expedition, at: int = 1, embedder: str = "e") -> Item:
    payload = effects_of(expedition, embedder=embedder)
    return make_item(space="me", what=WHAT, at=at, payload=payload, known_at=0)


def row(at: int = 1, **parameters: float) -> Item:
    return item(explored(graph(*ROW), "a", toward(40), toward(20), min_link_score=0.0, **parameters), at)


def test_a_narrative_and_its_links_stand_in_the_memory() -> None:
    walks = folded([row()], SEED)
    (name,) = walks.narratives
    made = walks.narratives[name]
    assert made.name == "why: A"
    assert made.at == 1
    assert [tuple(key) for key in walks.ties] == [("a", name), (name, "c")]
    vector = made.unit_vector("e")
    assert vector is not None
    assert cosine(vector, vector) == pytest.approx(1.0, abs=1e-6)
    assert made.unit_vector("another") is None


def told_twice() -> tuple[Item, Item]:
    """Give two explorations that made narratives of one id, by other ways between nodes of one name."""
    nodes = [Node("m", "place", toward(0)), Node("b", "place", toward(50)), Node("B", "place", toward(-40))]
    ways = ([Link("m", "b"), Link("b", "B")], [Link("m", "B"), Link("B", "b")])
    first, second = (
        item(explored(graph(nodes, way), "m", toward(0), min_link_score=0.0), at) for at, way in enumerate(ways)
    )
    return first, second


def test_of_two_explorations_that_made_one_narrative_the_first_gives_its_vector_and_links() -> None:
    first, second = told_twice()
    alone, other, both = folded([first], SEED), folded([second], SEED), folded([first, second], SEED)
    (name,) = both.narratives
    assert alone.narratives.keys() == other.narratives.keys() == {name}
    assert alone.narratives[name].vector != other.narratives[name].vector
    assert (both.narratives, both.ties) == (alone.narratives, alone.ties)
    assert [ends for ends in both.ties if name == ends[0]] == [(name, "B")]


def test_an_item_that_tells_a_narrative_twice_means_the_first() -> None:
    first, second = told_twice()
    vectors = [*first.payload["vectors"], *second.payload["vectors"]]  # type: ignore[misc]  # lists of texts
    again = json.loads(second.payload["narratives"][0])  # type: ignore[index]
    again[5] += len(vectors) // 2
    twice = {
        **first.payload,
        "vectors": vectors,
        "narratives": [*first.payload["narratives"], json.dumps(again)],  # type: ignore[misc]
        "ties": [*first.payload["ties"], *second.payload["ties"]],  # type: ignore[misc]
    }
    check_payload(twice)
    walks, once = (
        folded([make_item(space="me", what=WHAT, at=1, payload=twice, known_at=0)], SEED),
        folded([first], SEED),
    )
    (name,) = walks.narratives
    assert walks.narratives[name].vector == once.narratives[name].vector
    assert walks.ties == once.ties


def test_colours_are_laid_over_each_other_in_order() -> None:
    first, second = row(1), row(2)
    walks = folded([first, second], SEED)
    made = walks.narratives[next(iter(walks.narratives))].unit_vector("e")
    assert made is not None
    # the last link: f = 1, b = .3 x .5; permanence .6; then b = .3 x .4
    assert [laid.share for laid in walks.colours["l01"]] == pytest.approx([0.15, 0.12])
    assert walks.permanence["l01"] == pytest.approx(0.7)
    # the one before: f = .8
    assert [laid.share for laid in walks.colours["l00"]] == pytest.approx([0.12, 0.3 * 0.42 * 0.8])
    assert walks.permanence["l00"] == pytest.approx(0.66)
    base = unit(toward(42.5))
    once = unit(0.85 * base + 0.15 * made)
    twice = unit(0.88 * once + 0.12 * made)
    found = walks.link_vector("l01", base, embedder="e")
    assert found is not None
    assert found.tolist() == twice.tolist()
    assert walks.link_vector("l01", base, embedder="another") is None
    assert walks.link_vector("l99", base, embedder="e") is None
    assert (walks.link_permanence("l99", 0.3), walks.link_permanence("l01", 0.3)) == (0.3, walks.permanence["l01"])


def test_what_was_left_is_laid_over_the_columns_of_a_graph() -> None:
    walks = folded([row(1)], SEED)
    place = graph(*ROW)
    given: dict[str, Any] = {
        "links": {"l00": 0, "l01": 1},
        "a": np.array([0, 1]),
        "b": np.array([1, 2]),
        "vectors": place.vectors,
        "permanence": np.full(2, 0.5, dtype=np.float32),
        "embedder": "e",
    }
    over = laid(walks, **given)
    base = mean_of_ends(place.look(1).vector, place.look(2).vector)
    expected = walks.link_vector("l01", base, embedder="e")
    assert expected is not None
    assert over.colours[1].tolist() == expected.tolist()
    assert over.permanence.tolist() == pytest.approx([0.58, 0.6])
    assert over.link_vectors == {}
    own = laid(walks, **given, own={1: unit(toward(7))})
    assert sorted(own.colours) == [0]
    again = walks.link_vector("l01", unit(toward(7)), embedder="e")
    assert again is not None
    assert own.link_vectors[1].tolist() == again.tolist()
    other = laid(walks, **{**given, "embedder": "another", "links": {"l01": 1}})
    assert other.colours == {}
    assert other.permanence.tolist() == pytest.approx([0.5, 0.6])
    blank = laid(walks, **{**given, "vectors": np.zeros_like(place.vectors)})
    assert blank.colours == {}


def named(links: dict[str, str], at: int = 1) -> Item:
    """Explore the row, with links that have the names of a memory's."""
    payload = dict(row(at).payload)
    for field in ("paths", "coloured"):
        told = payload[field]
        assert isinstance(told, list)
        for old, new in links.items():
            told = [each.replace(f'"{old}"', f'"{new}"') for each in told]
        payload[field] = told
    return make_item(space="me", what=WHAT, at=at, payload=payload, known_at=0)


def seen_at(told: Item, permanence: float) -> Item:
    """Give an item of a walker that saw its links at another permanence."""
    rows = [each._replace(permanence=permanence) for each in colour_rows(told.payload)]
    payload = {**told.payload, "coloured": [json.dumps(each) for each in rows]}
    return make_item(space="me", what=WHAT, at=told.at, payload=payload, known_at=0)


def test_an_exploration_holds_nothing_of_the_one_before_it() -> None:
    told = named({"l00": "a~b", "l01": "b~c#similar"})
    alone = folded([told], SEED)
    assert alone.permanence == {"a~b": pytest.approx(0.58), "b~c#similar": pytest.approx(0.6)}
    after = folded([seen_at(told, 0.9)], SEED)  # explorations that are gone since had settled the links
    assert after.permanence == alone.permanence
    assert after.colours == alone.colours
    other = folded([seen_at(told, 0.9)], rules(link_permanence=0.2))
    assert other.permanence == {"a~b": pytest.approx(0.28), "b~c#similar": pytest.approx(0.3)}
    foreign = folded([seen_at(row(), 0.9)], SEED)  # what another graph gives its links only the walker knew
    assert foreign.permanence == {"l00": pytest.approx(0.98), "l01": 1.0}


def test_a_narrative_s_link_starts_from_the_permanence_it_was_made_with() -> None:
    first = row(1)
    (made,) = folded([first], SEED).narratives
    ends = sorted(["a", made]), sorted(["c", made])
    links = {"l00": "~".join(ends[0]) + "#walk", "l01": "~".join(ends[1]) + "#walk"}
    walks = folded([first, named(links, 2)], SEED)
    ties = [walks.ties["a", made].permanence, walks.ties[made, "c"].permanence]
    assert ties == pytest.approx([0.5, 2 / 3])
    assert [walks.permanence[name] for name in links.values()] == pytest.approx([0.5 + 0.08, 2 / 3 + 0.1])
    assert walks.given("x~y#walk") == SEED.link_permanence  # nobody made it


@pytest.mark.parametrize("end", ["bo~a", "di#1", "zo#1"])
def test_a_narrative_s_link_is_known_whatever_signs_are_in_the_id_of_its_end(end: str) -> None:
    nodes = [ROW[0][0]._replace(id=end), *ROW[0][1:]]
    links = [ROW[1][0]._replace(a=end), *ROW[1][1:]]
    told = item(explored(graph(nodes, links), end, toward(40), toward(20), min_link_score=0.0))
    walks = folded([told], rules(link_permanence=0.1))
    (made,) = walks.narratives
    assert walks.given(link_id(end, made, "walk")) == walks.ties[end, made].permanence == pytest.approx(0.5)


def test_a_link_whose_end_was_replaced_keeps_what_it_gained() -> None:
    items = [named({"l00": "a~b", "l01": "b~c"}), named({"l00": "a~b", "l01": "b~x"}, 2)]
    walks, place = folded(items, SEED), graph(*ROW)
    over = laid(
        walks,
        links={"a~b": 0, "b~x": 1},
        a=np.array([0, 1]),
        b=np.array([1, 2]),
        vectors=place.vectors,
        permanence=np.full(2, 0.5, dtype=np.float32),
        embedder="e",
        stands=lambda link: link.replace("c", "x"),
    )
    assert over.permanence.tolist() == pytest.approx([0.66, 0.7])  # twice .08, twice .1
    base = mean_of_ends(place.look(1).vector, place.look(2).vector)
    twice = walks.link_vector("b~x", base, embedder="e", before=["b~c"])
    assert twice is not None
    assert over.colours[1].tolist() == twice.tolist()
    once = walks.link_vector("b~x", base, embedder="e")
    assert once is not None
    assert twice.tolist() != once.tolist()
    assert walks.link_permanence("b~y", 0.4) == 0.4
    assert walks.link_permanence("b~y", 0.4, before=["b~c"]) == pytest.approx(0.5)


def test_energy_and_weight_add_up_to_a_limit_that_is_counted() -> None:
    walks = folded([row(1), row(2)], SEED)
    once = folded([row(1)], SEED)
    assert walks.energy == {node: pytest.approx(2 * energy) for node, energy in once.energy.items()}
    assert walks.weight["c"] == pytest.approx(2 * once.weight["c"])
    small = folded([row(1), row(2)], rules(node_energy_max=0.3))
    assert max(small.energy.values()) == 0.3
    assert small.capped >= 1


def test_a_link_keeps_its_latest_colours_and_counts_the_rest() -> None:
    walks = folded([row(at) for at in range(1, 6)], rules(colours_kept=2))
    assert {len(laid) for laid in walks.colours.values()} == {2}
    assert walks.dropped == 6
    assert walks.explorations == 5


def test_an_item_out_of_order_makes_the_walks_stale() -> None:
    walks = folded([row(2)], SEED)
    before = walks.copy()
    late = row(1)
    walks.apply(late.payload, late.at, late.id)
    assert walks.stale
    assert walks.energy == before.energy
    with pytest.raises(AssertionError):
        dump(walks)


@settings(max_examples=40, deadline=None)
@given(graphs(), st.lists(directions(perhaps_none=False), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_walks_pack_and_copy(place: WalkGraph, queries: list[list[float]], chance: random.Random) -> None:
    items = [item(explored(place, "n0", query), at, chance.choice(["", "e"])) for at, query in enumerate(queries)]
    walks = folded(items[:-1], SEED)
    copied, loaded = walks.copy(), load(dump(walks), SEED)
    last = items[-1]
    for each in (walks, copied, loaded):
        each.apply(last.payload, last.at, last.id)
    assert differences(dump(walks), dump(copied)) == []
    assert differences(dump(walks), dump(loaded)) == []
    assert loaded.narratives == walks.narratives
    assert loaded.ties == walks.ties
    assert loaded.colours == walks.colours
    assert (loaded.position, loaded.explorations) == (walks.position, walks.explorations)


def test_nothing_folded_packs_to_nothing() -> None:
    assert dump(Walks(SEED)) == {}
    assert load({}, SEED).position is None


def test_an_exploration_that_leaves_nothing_can_say_so() -> None:
    alone = explored(graph([Node("a", "place", toward(0))], []), "a", toward(0))
    assert nothing_left(effects_of(alone))
    assert not nothing_left(row().payload)


def test_the_same_vector_is_written_once() -> None:
    payload = row().payload
    assert isinstance(payload["vectors"], list)
    assert isinstance(payload["coloured"], list)
    assert (len(payload["vectors"]), len(payload["coloured"])) == (1, 2)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("query", ""),
        ("query", 3),
        ("start", ""),
        ("vector", "AAA"),
        ("vector", 3),
        ("vector", "AADAfw=="),  # not a number
        ("vectors", "AACAPw=="),
        ("vectors", ["AACgQA=="]),  # five: no unit vector
        ("paths", ["[3]"]),
        ("paths", ["{"]),
        ("paths", "0"),
        ("injections", ['["a",-1,0]']),
        ("injections", ['["a",true,0]']),
        ("injections", ['["a",0]']),
        ("injections", ['"a"']),
        ("injections", None),
        ("coloured", ['["l",0,1.5,0.1,0]']),
        ("coloured", ['["l",0.5,0.5,0.1,0]']),
        ("coloured", ['["l",0,0.5,0.1,9]']),
        ("narratives", ['["n","name","content",1,1,9,["a"]]']),
        ("narratives", ['["n","name","content",1,1,0,"a"]']),
        ("ties", ['["a","b",0.8,0.2,-2,0.5,[0,0,0,0]]']),
        ("ties", ['["a","b",0.8,0.2,0,0.5,[0,0,0]]']),
    ],
)
def test_a_payload_that_is_not_one_is_refused(field: str, value: Value) -> None:
    payload = dict(row().payload)
    check_payload(payload)
    payload[field] = value
    with pytest.raises((ValueError, InputError)):
        check_payload(payload)


def test_a_payload_may_lack_an_intention() -> None:
    payload = effects_of(explored(graph(*ROW), "a", toward(40)))
    assert payload["intention"] == ""
    check_payload(payload)
    assert isinstance(payload["paths"], list)
    assert json.loads(payload["paths"][0]) == ["0", "l00", "l01"]

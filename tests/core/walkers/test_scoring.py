"""All links of a node at once: the same numbers as one link after the other, and hubs without a look at every link."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.walkers import scoring
from asterism.core.walkers.formulas import alignment, link_score, novelty
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import Near, Place
from asterism.core.walkers.scoring import Probes, components, rank
from asterism.core.walkers.vectors import checked, cosine, read, unit, unit_rows, written
from asterism.core.walkers.walker import hop_along, mean_of_ends
from asterism.errors import InputError
from tests.support.walkers import DIMENSION, Link, Node, directions, graph, graphs, toward

SEED = ExplorationParameters()
PROBES = st.lists(directions(perhaps_none=False), max_size=3)


def plain_cosine(a: list[float], b: list[float]) -> float:
    lengths = math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0


def plain_components(place: Place, at: int, probes: Probes) -> list[float]:
    """Score one link from its vector, made in full: the page, word by word."""
    links = place.links
    end = [float(part) for part in links.vectors[links.rows[at]]]
    row = -1 if links.own is None else int(links.own.rows[at])
    given = [] if links.own is None or row < 0 else links.own.vectors[row].tolist()
    own = bool(given) and links.own is not None and not links.own.coloured[row]
    if own:
        vector = given
    elif any(end) and place.vector.any():
        vector = [x + y for x, y in zip(place.vector.tolist(), end, strict=True)]
        vector = vector if sum(part * part for part in vector) > 1e-6 else [0.0] * len(end)
    else:
        vector = [0.0] * len(end)
    _, query, intention, *others = probes.rows.tolist()
    path, siblings = others[: probes.path], others[probes.path :]
    seen = given or vector
    return [
        alignment(plain_cosine(query, seen), plain_cosine(intention, seen)),
        min(max(float(links.polarity[at]), 0.0), 1.0),
        min(max(1.0 - float(links.permanence[at]), 0.0), 1.0),
        novelty(plain_cosine(vector, each) for each in (path if own else path[:-1])),
        novelty(plain_cosine(vector, each) for each in siblings),
    ]


@given(graphs(), directions(perhaps_none=False), directions(perhaps_none=False), PROBES, PROBES)
def test_the_array_path_gives_what_the_plain_one_gives(
    place: WalkGraph, query: list[float], intention: list[float], path: list[list[float]], siblings: list[list[float]]
) -> None:
    here = place.look(0)
    probes = Probes.of(here.vector, unit(query), unit(intention), list(map(unit, path)), list(map(unit, siblings)))
    if not len(here.links):
        return
    five = components(here, None, probes, SEED)
    for at in range(len(here.links)):
        expected = plain_components(here, at, probes)
        assert [part.item(at) for part in five] == pytest.approx(expected, abs=2e-6)
    ranked = rank(here, probes, set(), SEED, most=len(here.links))
    assert [each.score for each in ranked] == sorted((each.score for each in ranked), reverse=True)
    for each in ranked:
        again = link_score(
            alignment=each.alignment,
            polarity=each.polarity,
            permanence=1.0 - each.permanence_factor,
            self_novelty=each.self_novelty,
            sibling_divergence=each.sibling_divergence,
        )
        assert each.score == pytest.approx(again, abs=5e-9)


@given(st.lists(st.lists(st.integers(-(2**24), 2**24), min_size=8, max_size=8), min_size=2, max_size=6))
def test_products_on_the_grid_are_exact_in_any_order(rows: list[list[int]]) -> None:
    matrix = unit_rows(np.array(rows, dtype=np.float64)).astype(np.float64)
    whole = matrix @ matrix.T
    for a, first in enumerate(matrix.tolist()):
        for b, second in enumerate(matrix.tolist()):
            assert whole[a, b] == math.fsum(x * y for x, y in zip(first, second, strict=True))


def test_a_coloured_link_is_aligned_by_its_colour_and_novel_by_its_ends() -> None:
    nodes = [Node("a", "place", toward(0)), Node("b", "place", toward(60))]
    place = graph(nodes, [Link("a", "b", colour=toward(90))]).look(0)
    probes = Probes.of(place.vector, unit(toward(90)), unit(toward(90)), [unit(toward(90)), unit(toward(0))], [])
    ends = [part.item() for part in components(place, None, probes, SEED)]
    literal = [part.item() for part in components(place, None, probes, ExplorationParameters.build("origin"))]
    assert ends[0] == literal[0] == pytest.approx(1.0)
    assert ends[3] == pytest.approx(0.5, abs=1e-6)  # 30 degrees beside 90
    assert literal[3] == pytest.approx(0.0, abs=1e-6)
    best = rank(place, probes, set(), SEED, most=1)[0]
    assert hop_along(place, best, SEED).vector.tolist() == pytest.approx(toward(30), abs=1e-6)
    assert hop_along(place, best, ExplorationParameters.build("origin")).vector.tolist() == unit(toward(90)).tolist()


def crowded(
    count: int,
    chance: np.random.Generator,
    *,
    own: int = 0,
    alike: bool = False,
    blank: int = 0,
    nodes: int | None = None,
) -> WalkGraph:
    """Make a hub with many links, some with a vector of their own, some to nodes without one."""
    size = nodes or count + 1
    vectors = chance.normal(size=(size, 16))
    if alike:
        vectors[:] = vectors[0]
    vectors[1 : 1 + blank] = 0.0
    return WalkGraph.build(
        ids=[f"n{number}" for number in range(size)],
        kinds=["thing"] * size,
        vectors=vectors,
        a=np.zeros(count, dtype=np.int64),
        b=1 + np.arange(count),
        polarity=chance.random((count, 2)),
        permanence=chance.random(count),
        link_vectors={number: chance.normal(size=16) for number in range(own)},
    )


@pytest.mark.parametrize(
    ("count", "own", "alike", "blank", "nodes"),
    [(500, 0, False, 0, None), (500, 60, False, 30, None), (500, 0, True, 0, None), (300, 5, False, 0, 5_000)],
)
@pytest.mark.parametrize("seed", range(4))
def test_a_hub_ranks_as_if_every_link_were_scored(
    count: int, own: int, *, alike: bool, blank: int, nodes: int | None, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = np.random.default_rng(seed)
    place = crowded(count, chance, own=own, alike=alike, blank=blank, nodes=nodes).look(0)
    path = [unit(chance.normal(size=16)) for _ in range(3)]
    probes = Probes.of(place.vector, unit(chance.normal(size=16)), unit(chance.normal(size=16)), path, path[:1])
    walked = {3, 17}
    short = rank(place, probes, walked, SEED, most=5)
    monkeypatch.setattr(scoring, "HUB", count + 1)
    full = rank(place, probes, walked, SEED, most=5)
    assert [each for each in full if each.score >= SEED.min_link_score] == [
        each for each in short if each.score >= SEED.min_link_score
    ]
    assert walked.isdisjoint(each.place for each in short)


def test_a_hub_looks_further_when_the_likeliest_links_are_not_new(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(8)
    query = unit(chance.normal(size=16))
    place = WalkGraph.build(
        ids=[f"n{number}" for number in range(401)],
        kinds=["thing"] * 401,
        vectors=chance.normal(size=(401, 16)),
        a=np.zeros(400, dtype=np.int64),
        b=1 + np.arange(400),
        link_vectors=dict.fromkeys(range(100), query),
    ).look(0)
    probes = Probes.of(place.vector, query, query, [query], [])
    short = rank(place, probes, set(), SEED, most=5)
    assert min(each.place for each in short) >= 100
    monkeypatch.setattr(scoring, "HUB", 401)
    assert rank(place, probes, set(), SEED, most=5) == short


def test_a_hub_of_equals_is_scored_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    place = crowded(300, np.random.default_rng(1), alike=True).look(0)
    probes = Probes.of(place.vector, place.vector, place.vector, [unit(np.eye(16)[0])] * 2, [])
    whole = rank(place, probes, set(), SEED, most=300)
    monkeypatch.setattr(scoring, "CHUNK", 50)
    assert rank(place, probes, set(), SEED, most=300) == whole
    assert len(whole) == 300


def test_nothing_is_left_at_a_hub_whose_links_were_all_walked() -> None:
    place = crowded(60, np.random.default_rng(2)).look(0)
    probes = Probes.of(place.vector, place.vector, place.vector, [], [])
    assert rank(place, probes, set(range(60)), SEED, most=4) == []


def test_a_hub_without_a_vector_has_no_scores() -> None:
    built = crowded(60, np.random.default_rng(2))
    place = built.look(0)._replace(vector=np.zeros(16))
    probes = Probes.of(place.vector, unit(np.ones(16)), unit(np.ones(16)), [], [])
    assert {each.score for each in rank(place, probes, set(), SEED, most=4)} == {0.0}


# --- vectors ------------------------------------------------------------------------------------------------------


def test_vectors_come_to_length_one_and_back_from_text() -> None:
    huge = unit([3e200, 4e200])
    assert huge.tolist() == pytest.approx([0.6, 0.8], abs=1e-7)
    assert read(written(huge)).tolist() == huge.tolist()
    assert unit([0.0, 0.0]).tolist() == [0.0, 0.0]
    assert unit_rows(np.zeros((0, 3))).shape == (0, 3)
    assert unit_rows([]).shape == (0, 0)


@pytest.mark.parametrize("vector", [[1.0], [1.0, math.nan], [[1.0, 2.0]], [math.inf, 0.0]])
def test_a_vector_that_does_not_fit_is_named(vector: list[float]) -> None:
    with pytest.raises(InputError) as refused:
        checked(vector, dimension=2, field="query")
    assert refused.value.code == "bad_vector"
    assert refused.value.item == "query"


def test_a_mean_needs_two_ends() -> None:
    assert mean_of_ends(unit(toward(0)), np.zeros(2)).tolist() == [0.0, 0.0]
    assert mean_of_ends(unit(toward(0)), unit(toward(180))).tolist() == [0.0, 0.0]
    assert checked(toward(3), dimension=2, field="query").tolist() == unit(toward(3)).tolist()


# --- the graph ----------------------------------------------------------------------------------------------------


def test_links_are_seen_from_both_ends_in_the_order_of_their_ids() -> None:
    nodes = [Node(name, "place", toward(10 * number)) for number, name in enumerate("abc")]
    links = [
        Link("b", "a", (0.8, 0.3), 0.2, 0.5),
        Link("a", "c", walkable=False),
        Link("a", "a", (0.6, 0.1)),
        Link("a", "b", (0.9, 0.4), 0.1, -0.25),
    ]
    place = graph(nodes, links)
    here = place.look(0)
    assert len(here.links) == 3
    assert [here.links.ids[at] for at in range(3)] == ["l00", "l02", "l03"]
    assert [here.links.end_ids[at] for at in range(3)] == ["b", "a", "b"]
    assert here.links.polarity.tolist() == pytest.approx([0.3, 0.6, 0.9])
    assert here.links.hierarchy.tolist() == pytest.approx([-0.5, 0.0, -0.25])
    assert len(place.look(2).links) == 0
    assert (place.number("c"), place.number("z"), len(place), place.dimension) == (2, None, 3, 2)


def test_a_graph_can_be_built_from_very_little() -> None:
    place = WalkGraph.build(ids=["a", "b"], kinds=np.array([0, 4]), vectors=np.eye(2), a=[0], b=[1], weight=3.0)
    here = place.look(1)
    assert (here.kind, here.name, here.content, here.permanence) == ("thing", "b", "", 0.75)
    assert here.links.ids[0] == "0"
    assert (place.energy.tolist(), place.weight.tolist()) == ([0.0, 0.0], [3.0, 3.0])


def test_a_graph_can_be_coloured_without_being_built_again() -> None:
    nodes = [Node(name, "place", toward(10 * number)) for number, name in enumerate("abc")]
    links = [Link("a", "b"), Link("a", "c", vector=toward(80)), Link("b", "c", walkable=False)]
    place = graph(nodes, links)
    again = place.recoloured(permanence=[0.3, 0.6, 1.0], link_vectors={1: toward(80)}, colours={0: toward(70)})
    built = graph(nodes, [links[0]._replace(permanence=0.3, colour=toward(70)), links[1]._replace(permanence=0.6)])
    assert again.vectors is place.vectors
    here, expected = again.look(0).links, built.look(0).links
    assert here.permanence.tolist() == expected.permanence.tolist()
    assert here.own is not None
    assert expected.own is not None
    assert here.own.vectors[here.own.rows].tolist() == expected.own.vectors[expected.own.rows].tolist()
    assert here.own.coloured.tolist() == expected.own.coloured.tolist()
    assert place.recoloured(permanence=[0.0, 0.0, 0.0]).own is None


def test_a_link_to_nowhere_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        WalkGraph.build(ids=["a"], kinds=["thing"], vectors=np.eye(1), a=[0], b=[1])
    assert refused.value.code == "unknown_node"


@settings(max_examples=60)
@given(
    st.lists(directions(), min_size=1, max_size=8),
    directions(perhaps_none=False),
    directions(perhaps_none=False),
    directions(perhaps_none=False),
    st.sampled_from([0.0, 0.5, 0.85, 1.0]),
)
def test_the_nearest_narrative_is_the_nearest(
    vectors: list[list[float]], sought: list[float], query: list[float], intention: list[float], least: float
) -> None:
    nodes = [Node(f"n{number}", "narrative", vector) for number, vector in enumerate(vectors)]
    place = graph([*nodes, Node("m", "moment", sought)], [])
    found = place.nearest(Near(unit(sought), least, unit(query), unit(intention)))
    exact = [(cosine(unit(sought), unit(vector)), f"n{at}") for at, vector in enumerate(vectors) if any(vector)]
    near = [each for each in exact if each[0] >= least]
    if not near:
        assert found is None
        return
    best = max(value for value, _ in near)
    assert found is not None
    assert (found.likeness, found.id) == (best, min(name for value, name in near if value == best))


def test_many_narratives_are_compared_and_few_planes_kept() -> None:
    chance = np.random.default_rng(5)
    vectors = chance.normal(size=(400, DIMENSION))
    place = WalkGraph.build(
        ids=[f"n{number:03}" for number in range(400)], kinds=["narrative"] * 400, vectors=vectors, a=[], b=[]
    )
    for _ in range(12):
        sought = unit(chance.normal(size=DIMENSION))
        found = place.nearest(
            Near(sought, 0.0, unit(chance.normal(size=DIMENSION)), unit(chance.normal(size=DIMENSION)))
        )
        exact = unit_rows(vectors).astype(np.float64) @ sought
        assert found is not None
        assert found.id == f"n{int(exact.argmax()):03}"
    assert len(place.narratives._planes) == 8
    assert place.nearest(Near(unit([1.0, 0.0, 0.0]), 1.1, unit([0.0, 1.0, 0.0]), unit([0.0, 1.0, 0.0]))) is None

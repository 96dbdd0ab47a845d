"""Each decision D1-D20 of spec 03: what would be otherwise without it. D7 and D20 are with the tests of branching."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from asterism.core.walkers.crystals import colours
from asterism.core.walkers.effects import effects_of, rows
from asterism.core.walkers.expedition import run
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.result import result_of
from asterism.core.walkers.scoring import Probes, components, rank
from asterism.core.walkers.states import State
from asterism.core.walkers.vectors import cosine, unit
from asterism.core.walkers.walker import child_vector, mean_of_ends
from tests.support.walkers import Link, Node, branch, explored, graph, line, rules, sent, states, step, toward


def test_d1_depth_counts_hops_and_awareness_goes_up_and_down() -> None:
    nodes = [Node(name, "place", toward(angle)) for name, angle in (("a", 0), ("b", 20), ("c", 45), ("d", 70))]
    links = [Link("a", "b", hierarchy=0.5), Link("c", "b", hierarchy=0.4), Link("c", "d", hierarchy=0.1)]
    root = explored(graph(nodes, links), "a", toward(30), min_link_score=0.0).root
    assert root.depth == 3
    assert [root.up, root.down] == pytest.approx([0.5, 0.4])  # b to c is walked backwards


@pytest.mark.parametrize(
    ("kind", "content", "expected"),
    [
        ("thing", "text", ["ABSORBING", "SEEKING"]),
        ("thing", "", ["SEEKING", "SEEKING"]),
        ("narrative", "text", ["RESONATING", "SEEKING"]),
        ("moment", "text", ["SEEKING", "ABSORBING"]),  # one good link: no branch point, as scoring it shows
        ("moment", "", ["SEEKING", "SEEKING"]),
    ],
)
def test_d2_content_that_is_no_narrative_and_no_branch_point_is_absorbed(
    kind: str, content: str, expected: list[str]
) -> None:
    nodes, links = line(
        Node("a", "actor", toward(0)), Node("b", kind, toward(20), content), Node("c", "place", toward(50))
    )
    assert states(explored(graph(nodes, links), "a", toward(20), absorb_novelty=1.0))[1:3] == expected


def test_d2_a_branch_point_is_not_absorbed_and_nothing_is_absorbed_twice() -> None:
    nodes = [Node("a", "actor", toward(0)), Node("m", "moment", toward(20), "text")]
    nodes += [Node("c", "place", toward(40)), Node("d", "place", toward(60))]
    there = explored(graph(nodes, [Link("a", "m"), Link("m", "c"), Link("m", "d")]), "a", toward(20))
    assert states(there)[1:3] == ["SEEKING", "BRANCHING"]
    assert "m" not in there.root.found
    ring = [
        Node("a", "thing", toward(0), "text"),
        Node("b", "thing", toward(40), "text"),
        Node("c", "thing", toward(80)),
    ]
    around = [Link("a", "b"), Link("b", "c"), Link("c", "a"), Link("a", "b")]
    twice = explored(graph(ring, around), "a", toward(30), min_link_score=0.0, absorb_novelty=1.0)
    taken = [step.node for step in twice.trace if step.state == "ABSORBING"]
    assert [hop.end for hop in twice.root.walked].count("b") == 2  # it came by again
    assert max(Counter(taken).values()) == 1


def test_d3_crystallizing_always_leads_to_merging() -> None:
    nodes, links = line(Node("a", "actor", toward(0)), Node("b", "thing", toward(10), "text"))
    for nearest in (0.0, 1.0):  # declined, and made
        done = explored(graph(nodes, links), "a", toward(0), nearest_narrative=nearest)
        assert states(done)[-2:] == ["CRYSTALLIZING", "MERGING"]


def test_d4_a_narrative_at_the_greatest_depth_still_resonates() -> None:
    for kind, expected in (("narrative", "RESONATING"), ("thing", "ABSORBING")):
        nodes, links = line(Node("a", "actor", toward(0)), Node("b", kind, toward(0), "text"))
        done = explored(graph(nodes, links), "a", toward(0), max_depth=1)
        assert states(done)[1] == expected
        assert ("b" in done.root.found) == (kind == "narrative")  # a thing that deep is not taken in


def test_d5_the_merging_step_runs_exactly_once_and_last() -> None:
    nodes = [Node("m", "moment", toward(0))] + [Node(name, "place", toward(20 * n)) for n, name in enumerate("bcd", 1)]
    done = explored(graph(nodes, [Link("m", name) for name in "bcd"]), "m", toward(20))
    for walker in done.tour.walkers:
        assert states(done, walker.name).count("MERGING") == 1
        assert states(done, walker.name)[-1] == "MERGING"


def test_d6_a_parent_pulls_by_max_and_children_never_write_to_it() -> None:
    expedition = sent(graph(*branch(b="narrative", c="narrative")), "m", toward(0), toward(25))
    while any(not child.done for child in expedition.root.children) or not expedition.root.children:
        step(expedition, graph(*branch(b="narrative", c="narrative")))
        assert expedition.root.found == {}
        assert expedition.root.satisfaction == 0.0
    run(expedition, graph(*branch(b="narrative", c="narrative")).answer)
    children = expedition.root.children
    assert expedition.root.satisfaction == max(child.satisfaction for child in children)
    for child in children:
        assert all(expedition.root.found[key].alignment >= each.alignment for key, each in child.found.items())


def test_d6_of_two_alignments_the_larger_stays() -> None:
    place = graph(*branch(b="narrative"))
    parent, child = (sent(place, "m", toward(0)).root for _ in range(2))
    for walker, aligned in ((parent, 0.4), (child, 0.6)):
        walker.find(place.look(1), "narrative", aligned)
    child.find(place.look(2), "thing", 0.2)
    parent.pull(child)
    assert {key: each.alignment for key, each in parent.found.items()} == {"b": 0.6, "c": 0.2}
    child.pull(parent)
    assert child.found["b"].alignment == 0.6


def test_d8_no_link_is_walked_twice() -> None:
    nodes = [Node("a", "place", toward(0)), Node("b", "place", toward(40))]
    twins = graph(nodes, [Link("a", "b"), Link("a", "b")])
    root = explored(twins, "a", toward(20), min_link_score=0.0, straight_back="literal").root
    assert [hop.id for hop in root.walked] == ["l00", "l01"]
    assert root.stop == "dead_end"


def test_no_walker_goes_straight_back_by_another_link() -> None:
    nodes = [Node("a", "place", toward(0)), Node("b", "place", toward(40)), Node("c", "place", toward(80))]
    links = [Link("a", "b"), Link("a", "b"), Link("b", "c", (0.1, 0.1)), Link("c", "a")]
    place = graph(nodes, links)
    root = explored(place, "a", toward(20), min_link_score=0.0).root
    assert [hop.id for hop in root.walked] == ["l00", "l02", "l03", "l01"]  # round the ring it may come by again
    literal = explored(place, "a", toward(20), min_link_score=0.0, straight_back="literal").root
    assert [hop.id for hop in literal.walked][:2] == ["l00", "l01"]
    assert rules(straight_back="literal") != rules()
    assert ExplorationParameters.build(("seed", "origin")).straight_back == "literal"


def test_a_child_does_not_go_straight_back_to_where_it_was_created() -> None:
    nodes, links = branch()
    done = explored(graph(nodes, [*links, *links]), "m", toward(0), min_link_score=0.0)
    assert [[hop.end for hop in child.path] for child in done.root.children] == [["b"], ["c"]]


def test_a_link_to_itself_is_walked_once_and_leads_nowhere_else() -> None:
    nodes = [Node("a", "place", toward(0)), Node("b", "place", toward(40))]
    root = explored(graph(nodes, [Link("a", "a"), Link("a", "b")]), "a", toward(0), min_link_score=0.0).root
    assert [hop.id for hop in root.walked] == ["l00", "l01"]


def test_d9_a_narrative_boosts_once_and_one_that_is_not_aligned_stores_nothing() -> None:
    ring = [Node("a", "place", toward(0)), Node("n", "narrative", toward(30)), Node("c", "place", toward(75))]
    links = [Link("a", "n"), Link("n", "c"), Link("c", "a"), Link("a", "n")]
    done = explored(graph(ring, links), "a", toward(30), min_link_score=0.0, straight_back="literal")
    assert states(done).count("RESONATING") == 2
    assert done.root.satisfaction == pytest.approx(0.5)
    opposite = [Node("a", "place", toward(0)), Node("n", "narrative", toward(100))]
    away = explored(graph(opposite, [Link("a", "n")]), "a", toward(0), toward(-10), min_link_score=0.0)
    assert states(away).count("RESONATING") == 1
    assert away.root.satisfaction == 0.0
    assert "n" not in away.root.found
    nodes, row = line(Node("a", "place", toward(0)), Node("b", "thing", toward(100), "text"))
    thing = explored(graph(nodes, row), "a", toward(0), toward(-10), min_link_score=0.0)
    assert "ABSORBING" in states(thing)
    assert "b" not in thing.root.found


def test_d10_a_plateau_tires_a_walker() -> None:
    size = 12  # a row of nodes at right angles to each other: nothing is repeated, nothing is gained
    axes = np.eye(size + 1)
    nodes = [Node(f"n{n:02}", "place", (axes[n] + axes[size]).tolist()) for n in range(size)]
    done = explored(graph(*line(*nodes)), "n00", axes[size].tolist())
    assert done.root.stop == "fatigue"
    assert len(done.root.progress) == 6  # the first is the whole way from nothing; then five small ones
    assert all(abs(delta) < 0.05 for delta in done.root.progress[1:])


def test_d11_one_perfect_match_crystallises_no_second_narrative() -> None:
    nodes, links = line(Node("a", "place", toward(0)), Node("n", "narrative", toward(0)))
    done = explored(graph(nodes, links), "a", toward(0))
    assert done.root.satisfaction == 0.5  # not above one half: it goes on to crystallise
    assert states(done)[-2] == "CRYSTALLIZING"
    assert done.tour.narratives == []
    assert str(done.root.declined) == "an exact match was found: n at 1.00"


def test_d11_a_near_narrative_is_named_instead_and_an_empty_path_makes_none() -> None:
    nodes = [*line(Node("a", "place", toward(0)), Node("b", "place", toward(5)))[0], Node("n", "narrative", toward(3))]
    near = explored(graph(nodes, [Link("a", "b")]), "a", toward(0))
    assert near.tour.narratives == []
    assert near.root.declined is not None
    assert near.root.declined.narrative == "n"
    alone = explored(graph(nodes, []), "a", toward(90))
    assert str(alone.root.declined) == "the path is empty"
    far = [*nodes[:2], Node("n", "narrative", toward(60))]
    assert len(explored(graph(far, [Link("a", "b")]), "a", toward(0)).tour.narratives) == 1


def test_d11_what_an_exploration_made_declines_nothing_for_it() -> None:
    nodes = [Node("a", "actor", toward(10)), *branch()[0]]
    done = explored(graph(nodes, [Link("a", "m"), *branch()[1]]), "a", toward(0))
    first, second = done.root.children  # both try in one round, and are alike
    assert len({done.root.crystal, first.crystal, second.crystal} - {None}) == 3
    assert [each.id for each in done.tour.narratives] == [first.crystal, second.crystal, done.root.crystal]
    assert done.root.satisfaction == 0.0
    assert done.root.found.keys().isdisjoint(done.tour.made)  # found is what was there
    told = {each.id: each for each in result_of(done).found}
    assert told.keys() == done.root.found.keys() | done.tour.made.keys()
    assert told[str(second.crystal)].path == tuple(hop.id for hop in second.walked)


def test_the_same_narrative_made_twice_is_the_first_one_again() -> None:
    nodes = [Node("m", "moment", toward(0)), Node("b", "place", toward(50)), Node("B", "place", toward(-40))]  # two Bs
    place = graph(nodes, [Link("m", "b"), Link("m", "B"), Link("b", "B")])
    done = explored(place, "m", toward(0), min_link_score=0.0, max_depth=2, nearest_narrative=1.0)
    first, second = done.root.children
    assert [[hop.end for hop in child.path] for child in (first, second)] == [["B", "b"], ["b", "B"]]
    assert first.vector.tolist() != second.vector.tolist()
    assert first.crystal == second.crystal
    (made,) = done.tour.narratives
    assert (made.walker, made.ties[1].b, made.vector.tolist()) == (first.name, "b", first.vector.tolist())
    assert {each.vector.tobytes() for each in done.tour.coloured.values()} == {made.vector.tobytes()}
    payload = effects_of(done)
    assert [len(rows(payload, field)) for field in ("narratives", "ties")] == [1, 2]
    assert [each.path for each in result_of(done).found] == [tuple(hop.id for hop in first.walked)]


def test_d12_a_narrative_hangs_on_the_node_where_its_walker_was_created() -> None:
    done = explored(graph(*branch()), "m", toward(0), nearest_narrative=1.0, absorb_novelty=1.0)
    assert {made.ties[0].a for made in done.tour.narratives} == {"m"}
    assert {made.ties[1].b for made in done.tour.narratives} == {"b", "c"}


def test_d13_absent_terms_are_left_out_and_the_links_of_a_narrative_have_no_vector() -> None:
    nodes = [Node("a", "place", toward(0)), Node("b", "place", [0.0, 0.0])]
    place = graph(nodes, [Link("a", "b", vector=toward(30))])
    root = explored(place, "a", toward(0)).root  # no intention, no vector where it stands, nothing found
    total = [0.4 * x + 0.1 * y for x, y in zip(toward(0), toward(30), strict=True)]
    assert root.vector.tolist() == pytest.approx([part / math.hypot(*total) for part in total], abs=1e-6)
    made = explored(graph(*branch()), "m", toward(0)).tour.narratives[0]
    assert cosine(made.vector, made.vector) == pytest.approx(1.0, abs=1e-6)
    assert not hasattr(made.ties[0], "vector")


def test_d14_a_path_is_coloured_from_its_end_and_a_link_once_in_a_tree() -> None:
    nodes, links = line(*(Node(name, "place", toward(angle)) for name, angle in (("a", 0), ("b", 25), ("c", 60))))
    done = explored(graph(nodes, links), "a", toward(30), min_link_score=0.0)
    assert {each.link: each.hop for each in done.tour.coloured.values()} == {"l01": 0, "l00": 1}
    assert {each.boost for each in done.tour.coloured.values()} == {0.1}
    before = dict(done.tour.coloured)
    assert done.tour.colour(done.root, unit(toward(0)), 1.0) == 0
    assert done.tour.coloured == before


def test_d14_a_child_colours_only_its_own_part() -> None:
    nodes = [Node("a", "actor", toward(10)), *branch()[0]]
    place = graph(nodes, [Link("a", "m"), Link("m", "b"), Link("m", "c")])
    done = explored(place, "a", toward(0), nearest_narrative=1.0)
    for child in done.root.children:
        assert [each.link for each in colours(child.path, child.vector, 0.1)] == [hop.id for hop in child.path]
        assert "l00" not in {hop.id for hop in child.path}
        assert child.walked[0].id == "l00"  # for novelty only


def test_d15_a_fresh_child_survives_its_first_step() -> None:
    nodes = [Node("m", "moment", toward(0))]
    nodes += [Node(name, "place", toward(angle)) for name, angle in (("b", 40), ("c", -40), ("d", 75), ("e", -75))]
    links = [Link("m", "b"), Link("m", "c"), Link("b", "d"), Link("c", "e")]
    done = explored(graph(nodes, links), "m", toward(0))
    assert [child.depth for child in done.root.children] == [2, 2]
    child = done.root.children[0]
    assert child_vector(unit(toward(0)), unit(toward(20))).tolist() == pytest.approx(toward(10), abs=1e-6)
    # with the seed's literal start, a sibling's vector is the query: alignment c leaves a divergence of 1 - c
    place = graph(nodes, links)
    for vector, least in ((unit(toward(0)), False), (child_vector(unit(toward(0)), unit(toward(-20))), True)):
        here = place.look(child.walked[0].link + 1)
        probes = Probes.of(here.vector, unit(toward(0)), unit(toward(0)), [child.walked[0].vector], [vector])
        best = rank(here, probes, {child.walked[0].link}, rules(), most=1)[0]
        assert (best.sibling_divergence > 0.5) == least


def test_d16_components_are_clamped_and_an_end_without_a_vector_has_no_alignment() -> None:
    nodes = [Node("a", "place", toward(0)), Node("b", "place", [0.0, 0.0]), Node("c", "place", toward(180))]
    place = graph(nodes, [Link("a", "b", (2.0, 2.0), -0.5), Link("a", "c"), Link("a", "b", vector=toward(0))])
    probes = Probes.of(unit(toward(0)), unit(toward(0)), unit(toward(0)), [], [unit(toward(180))])
    five = np.stack(components(place.look(0), None, probes, rules()), axis=1).tolist()
    assert five[0] == [0.0, 1.0, 1.0, 1.0, 1.0]
    assert five[1][0] == 0.0  # opposite ends have no mean
    assert five[2] == [pytest.approx(1.0), 1.0, 1.0, 1.0, 1.0]  # its own vector is enough; divergence 2 is 1


def test_d16_ties_go_to_the_smaller_link_id() -> None:
    nodes = [Node("a", "place", toward(0)), *(Node(name, "place", toward(10)) for name in "zyx")]
    done = explored(graph(nodes, [Link("a", name) for name in "zyx"]), "a", toward(0), max_depth=1)
    assert done.root.walked[0].id == "l00"
    assert [each.link for each in done.trace[0].seen] == ["l00", "l01", "l02"]


def test_d17_the_mean_of_ends_is_not_compared_with_the_link_just_walked() -> None:
    nodes, links = line(
        *(Node(name, "place", toward(angle)) for name, angle in (("a", 0), ("b", 10), ("c", 20), ("d", 30)))
    )
    place = graph(nodes, links)
    path = [unit(toward(5)), unit(toward(15))]
    probes = Probes.of(unit(toward(20)), unit(toward(0)), unit(toward(0)), path, [])
    five = components(place.look(2), np.array([1]), probes, rules())  # c to d, at 25 degrees
    assert five[3].item() == pytest.approx(1 - math.cos(math.radians(20)), abs=1e-6)
    own = graph(nodes, [*links[:2], links[2]._replace(vector=toward(25))])
    literal = components(own.look(2), np.array([1]), probes, rules())
    assert literal[3].item() == pytest.approx(1 - math.cos(math.radians(10)), abs=1e-6)
    seed = explored(place, "a", toward(15))
    origin = explored(place, "a", toward(15), min_link_score=0.1)
    assert (seed.root.depth, origin.root.depth) == (3, 2)


def test_d18_a_child_begins_with_nothing_but_its_way() -> None:
    expedition = sent(graph(*branch(b="narrative")), "m", toward(0))
    place = graph(*branch(b="narrative"))
    while not expedition.root.children:
        step(expedition, place)
    for child in expedition.root.children:
        assert child.depth == expedition.root.depth + 1
        assert (child.satisfaction, child.found, child.progress, child.up, child.down) == (0.0, {}, [], 0.0, 0.0)
        assert [hop.id for hop in child.path] == [child.walked[-1].id]


def test_d18_only_a_child_crystallises_when_it_merges() -> None:
    nodes = [Node("m", "moment", toward(0)), Node("n", "narrative", toward(40)), Node("c", "place", toward(-40))]
    links = [Link("m", "n"), Link("m", "c")]
    done = explored(graph(nodes, links), "m", toward(0), satisfaction_threshold=0.2, nearest_narrative=1.0)
    child = next(each for each in done.root.children if "n" in each.found)
    assert child.stop == "satisfied"  # it never reached CRYSTALLIZING
    assert "CRYSTALLIZING" not in states(done, child.name)
    assert child.crystal is not None
    alone = explored(graph(nodes[:2], links[:1]), "m", toward(0), satisfaction_threshold=0.2, nearest_narrative=1.0)
    assert alone.root.stop == "satisfied"
    assert alone.tour.narratives == []


def test_d18_an_exact_match_still_colours_with_the_intention_and_a_declined_one_writes_nothing() -> None:
    nodes, links = line(Node("a", "place", toward(0)), Node("n", "narrative", toward(0)))
    exact = explored(graph(nodes, links), "a", toward(20), toward(0))
    colour = exact.tour.coloured["l00"]
    assert colour.vector.tolist() == unit(toward(0)).tolist()
    assert colour.boost == pytest.approx(0.05 * exact.root.satisfaction)
    near = [*line(Node("a", "place", toward(0)), Node("b", "place", toward(5)))[0], Node("n", "narrative", toward(3))]
    declined = explored(graph(near, [Link("a", "b")]), "a", toward(0))
    assert declined.tour.coloured == {}
    assert declined.tour.narratives == []


def test_d19_absorbed_things_are_found_as_things_and_do_not_satisfy() -> None:
    nodes, links = line(Node("a", "place", toward(0)), Node("b", "place", toward(0), "text"))
    done = explored(graph(nodes, links), "a", toward(0), absorb_novelty=1.0)
    assert done.root.found["b"].kind == "thing"
    assert done.root.found["b"].path == ("l00",)
    assert done.root.satisfaction == 0.0


def test_d19_a_narrative_says_intention_path_and_focus() -> None:
    far = Node("c", "place", toward(60), "y" * 400)
    nodes = [Node("a", "place", toward(0)), Node("b", "place", toward(25)), far]
    links = [
        Link("a", "b", hierarchy=0.4, permanence=0.2, emotions=(0.2, 0.0, 0.0, 1.0)),
        Link("b", "c", hierarchy=-0.2, permanence=0.4, emotions=(0.4, 0.0, 0.0, 0.0)),
    ]
    done = explored(graph(nodes, links), "a", toward(40), toward(20), min_link_score=0.0)
    made = done.tour.narratives[0]
    assert made.name == "why: A"
    assert made.content == f"why\nA → B → C\n{'y' * 300}"
    assert made.sources == ("a", "b", "c")
    first, second = made.ties
    assert (first.a, first.b, second.a, second.b) == ("a", made.id, made.id, "c")
    assert [first.hierarchy, first.permanence] == pytest.approx([0.1, 0.3])
    assert first.emotions == pytest.approx((0.3, 0.0, 0.0, 0.5))
    assert second.permanence == pytest.approx(done.root.criticality)


def test_new_and_aligned_content_is_crystallised_at_once() -> None:
    nodes = [Node("a", "place", toward(100)), Node("b", "thing", toward(0), "text"), Node("c", "place", toward(10))]
    done = explored(graph(nodes, [Link("a", "b", vector=toward(80)), Link("b", "c")]), "a", toward(40), toward(0))
    assert states(done)[:3] == ["SEEKING", "ABSORBING", "CRYSTALLIZING"]
    assert done.root.stop == "new_content"


def test_a_useful_path_is_coloured_by_how_useful_it_was() -> None:
    nodes = [Node("a", "place", toward(0)), Node("n", "narrative", toward(20)), Node("o", "narrative", toward(50))]
    done = explored(graph(*line(*nodes)), "a", toward(30), min_link_score=0.0, satisfaction_threshold=1.0)
    assert done.root.satisfaction > 0.5
    assert states(done)[-2:] == ["REFLECTING", "MERGING"]
    boosts = [each.boost for each in done.tour.coloured.values()]
    assert boosts == pytest.approx([0.05 * done.root.satisfaction] * 2)
    assert done.root.state is State.MERGING


def test_a_satisfied_walker_merges_at_once() -> None:
    nodes = [Node("a", "place", toward(0)), Node("n", "narrative", toward(20)), Node("o", "narrative", toward(50))]
    done = explored(graph(*line(*nodes)), "a", toward(30), min_link_score=0.0)
    assert (done.root.stop, states(done)[-2:]) == ("satisfied", ["RESONATING", "MERGING"])


def test_d13_what_was_found_counts_by_its_mean_weighted_by_alignment() -> None:
    angles = (0, 20, 45, 75)
    names = "abcd"
    nodes = [Node(name, "thing", toward(angle), name) for name, angle in zip(names, angles, strict=True)]
    links = [Link("a", "b"), Link("b", "c"), Link("c", "d")]
    query, intention = toward(30), toward(50)
    root = explored(graph(nodes, links), "a", query, intention, min_link_score=0.0, absorb_alignment=1.0).root
    assert [hop.end for hop in root.walked] == ["b", "c", "d"]
    a, b, c, d = (unit(toward(angle)) for angle in angles)
    aligned = [cosine(unit(intention), each) for each in (b, c)]  # d is found after it was walked to
    found = (aligned[0] * b + aligned[1] * c) / sum(aligned)
    path = np.mean([mean_of_ends(a, b), mean_of_ends(b, c), mean_of_ends(c, d)], axis=0)
    wanted = 0.4 * unit(query) + 0.25 * unit(intention) + 0.3 * d + 0.2 * found + 0.1 * path
    assert root.vector.tolist() == pytest.approx(unit(wanted).tolist(), abs=1e-9)
    without = wanted - 0.2 * found
    assert root.vector.tolist() != pytest.approx(unit(without).tolist(), abs=1e-4)


def test_d15_a_child_that_arrives_still_has_the_vector_it_was_born_with() -> None:
    nodes = [Node("m", "moment", toward(0)), Node("b", "place", toward(40)), Node("c", "place", toward(-40))]
    done = explored(graph(nodes, [Link("m", "b"), Link("m", "c")]), "m", toward(0))
    children = done.root.children
    assert [child.depth for child in children] == [1, 1]
    for child in children:
        born = child_vector(unit(toward(0)), child.walked[0].vector)
        assert child.vector.tolist() == pytest.approx(born.tolist(), abs=1e-9)

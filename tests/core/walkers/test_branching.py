"""Branching: which moments are branch points, whom they send out, what comes back."""

from __future__ import annotations

import numpy as np
import pytest

from asterism.core.walkers.states import State
from tests.support.walkers import Link, Node, branch, explored, graph, line, sent, states, step, toward


def test_d7_a_declined_branch_walks_the_best_link_at_once() -> None:
    nodes = [Node("m", "moment", toward(0)), Node("b", "place", toward(10)), Node("c", "place", toward(100))]
    done = explored(graph(nodes, [Link("m", "b"), Link("m", "c", (0.1, 0.1))]), "m", toward(0))
    first, second, third = done.trace[:3]
    assert (first.state, first.after) == ("SEEKING", "BRANCHING")
    assert (second.state, second.after, second.depth, second.seen) == ("BRANCHING", "SEEKING", 0, ())
    assert second.did == "no branch: one way only is good enough"
    assert (third.state, third.did, third.depth, third.round) == ("SEEKING", "walked to b", 1, second.round)
    assert (second.criticality, third.criticality) == (0.0, 0.5)
    assert [each.verdict for each in third.seen] == ["chosen", "lower score"]
    assert len(done.tour.walkers) == 1


def test_d20_a_branch_beyond_the_walker_bound_is_declined_in_the_order_of_walkers() -> None:
    nodes = [Node("m", "moment", toward(0)), Node("x", "moment", toward(50)), Node("y", "moment", toward(-50))]
    nodes += [
        Node(f"{side}{n}", "place", toward(sign * (80 + 20 * n)))
        for side, sign in (("x", 1), ("y", -1))
        for n in (1, 2)
    ]
    links = [Link("m", "x"), Link("m", "y"), *(Link(side, f"{side}{n}") for side in "xy" for n in (1, 2))]
    full = explored(graph(nodes, links), "m", toward(0), min_link_score=0.0, branch_share=0.0, max_walkers=5)
    assert len(full.tour.walkers) == 5
    assert full.tour.declined_branches == 1
    assert [len(child.children) for child in full.root.children] == [2, 0]
    assert full.root.children[1].depth == 2  # it moved on
    assert "no branch: too many walkers are out" in [each.did for each in full.trace if each.walker == "0.1"]
    free = explored(graph(nodes, links), "m", toward(0), min_link_score=0.0, branch_share=0.0)
    assert (len(free.tour.walkers), free.tour.declined_branches) == (7, 0)


def test_branching_takes_the_best_three_that_are_half_as_good() -> None:
    nodes = [Node("m", "moment", toward(0)), *(Node(name, "place", toward(5)) for name in "bcdef")]
    ways = dict(zip("bcdef", (1.0, 0.9, 0.8, 0.7, 0.4), strict=True))
    done = explored(
        graph(nodes, [Link("m", name, (ways[name], 1.0)) for name in ways]), "m", toward(0), trace_candidates=5
    )
    assert [child.spawn.id for child in done.root.children] == ["m", "m", "m"]
    seen = next(each.seen for each in done.trace if each.state == "BRANCHING")
    assert [each.to for each in seen] == list("bcdef")
    assert [each.verdict for each in seen] == ["chosen"] * 3 + ["beyond max_children", "below branch_share of the best"]


@pytest.mark.parametrize("weak", [0.2, 0.0])
def test_a_tired_walker_takes_in_a_moment_but_sends_nobody_out(weak: float) -> None:
    axes = np.eye(12)
    nodes = [Node(f"n{n:02}", "moment", (axes[n] + axes[11]).tolist(), "text") for n in range(10)]
    links = [*line(*nodes)[1], *(Link(node.id, "n00", (weak, weak)) for node in nodes[2:])]  # scoring, or not
    done = explored(graph(nodes, links), "n00", axes[11].tolist(), absorb_novelty=1.0)
    assert done.root.stop == "fatigue"
    assert len(done.tour.walkers) == 1
    assert states(done)[-6:-3] == (["BRANCHING"] + ["SEEKING"] * 2 if weak else ["SEEKING", "ABSORBING", "SEEKING"])


@pytest.mark.parametrize(("way", "several"), [(0.01, False), (0.1, True)])
def test_a_branch_point_has_two_links_that_score_not_just_two_links(way: float, several: bool) -> None:
    nodes = [Node("a", "actor", toward(0)), Node("m", "moment", toward(20), "text")]
    nodes += [Node("c", "place", toward(40)), Node("d", "place", toward(60))]
    links = [Link("a", "m"), Link("m", "c"), Link("m", "d", (way, way))]
    done = explored(graph(nodes, links), "a", toward(20), absorb_novelty=1.0, min_link_score=0.05)
    assert ("BRANCHING" in states(done)) == several
    assert ("m" in done.root.found) == (not several)


def test_two_links_to_one_node_are_one_way() -> None:
    nodes = [Node("m", "moment", toward(0)), Node("b", "place", toward(20)), Node("c", "place", toward(-20))]
    twins = [Link("m", "b", (polarity, 1.0)) for polarity in (1.0, 0.99, 0.98, 0.97, 0.96)]
    place = graph(nodes, [*twins, Link("m", "c", (0.9, 1.0))])  # behind all that are looked at first
    assert [child.walked[0].end for child in explored(place, "m", toward(0)).root.children] == ["b", "c"]
    done = explored(place, "m", toward(0), trace_candidates=6)
    seen = next(step.seen for step in done.trace if step.state == "BRANCHING")
    assert [each.verdict for each in seen] == ["chosen"] * 2 + ["leads where a better one does"] * 4
    alone = explored(graph(nodes[:2], twins), "m", toward(0))
    assert len(alone.tour.walkers) == 1
    assert "BRANCHING" not in states(alone)


def test_a_branch_point_that_siblings_spoiled_is_left() -> None:
    nodes = [Node("m", "moment", toward(0)), Node("b", "place", toward(20)), Node("c", "place", toward(-20))]
    place = graph(nodes, [Link("m", "b"), Link("m", "c")])
    expedition = sent(place, "m", toward(0))
    step(expedition, place)
    assert expedition.root.state is State.BRANCHING
    there = [sent(place, "m", toward(angle)).root for angle in (10, -10)]
    expedition.root.siblings = there  # they are where its links lead
    step(expedition, place)
    assert (expedition.root.state, expedition.root.stop) == (State.REFLECTING, "weak_links")


def test_a_parent_that_is_out_of_steps_takes_over_what_its_children_found() -> None:
    place = graph(*branch(b="narrative", c="narrative"))
    whole = explored(place, "m", toward(0), toward(25))
    for most in range(2, 9):
        done = explored(place, "m", toward(0), toward(25), max_steps=most)
        assert done.root.children
        for child in done.root.children:
            assert child.found.keys() <= done.root.found.keys()
            assert child.satisfaction <= done.root.satisfaction
    short = explored(place, "m", toward(0), toward(25), max_steps=2)
    assert (short.root.stop, short.root.found.keys() & {"b", "c"}) == ("max_steps", {"b", "c"})
    assert short.root.satisfaction == whole.root.satisfaction

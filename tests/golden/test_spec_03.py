"""Every formula of seed 002's key table with worked numbers, its constants, and its state table."""

from __future__ import annotations

import math

import pytest

from asterism.core.walkers.crystals import crystallise
from asterism.core.walkers.fold import Laid, coloured
from asterism.core.walkers.formulas import (
    alignment,
    attenuated,
    aware,
    blended,
    boosted,
    criticality,
    fatigued,
    injection,
    link_score,
    needs_crystal,
    novelty,
    permanence_of,
    satisfied,
    weight_gain,
)
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.scoring import Probes, components
from asterism.core.walkers.states import MOVES, STATE_MULTIPLIER, State
from asterism.core.walkers.vectors import cosine, unit, written
from asterism.core.walkers.walker import Walker
from tests.support.walkers import Link, Node, asking, explored, graph, toward

SEED = ExplorationParameters()


# link_score = alignment x polarity x (1 - permanence) x self_novelty x sibling_divergence


@pytest.mark.parametrize(
    ("five", "expected"),
    [
        ((0.8, 0.5, 0.5, 1.0, 1.0), 0.2),
        ((0.7, 0.5, 0.5, 0.8, 0.5), 0.07),
        ((1.0, 1.0, 0.0, 1.0, 1.0), 1.0),
        ((0.9, 0.8, 0.25, 0.6, 0.7), 0.2268),
        ((-0.4, 1.0, 0.0, 1.0, 1.0), 0.0),
        ((1.0, 1.0, 1.0, 1.0, 1.0), 0.0),
        ((1.3, 1.2, -0.2, 1.7, 2.0), 1.0),  # each is clamped (D16)
    ],
)
def test_the_link_score(five: tuple[float, ...], expected: float) -> None:
    names = ("alignment", "polarity", "permanence", "self_novelty", "sibling_divergence")
    assert link_score(**dict(zip(names, five, strict=True))) == pytest.approx(expected, abs=1e-9)


def test_alignment_is_three_quarters_query_and_one_quarter_intention() -> None:
    assert alignment(0.8, 0.4) == pytest.approx(0.7)
    assert alignment(1.0, 0.0) == 0.75
    assert alignment(0.0, 1.0) == 0.25
    assert alignment(-1.0, 0.5) == 0.0


def test_self_novelty_and_sibling_divergence_look_at_the_nearest() -> None:
    assert novelty([0.2, 0.6, -0.3]) == pytest.approx(0.4)
    assert novelty([]) == 1.0
    assert novelty([1.0]) == 0.0


def test_the_five_components_of_a_link_by_hand() -> None:
    # here at 0 degrees, the other end at 60: the link points to 30. query 0, intention 90, sibling 90.
    place = graph([Node("a", "actor", toward(0)), Node("b", "thing", toward(60))], [Link("a", "b", (0.8, 0.4), 0.25)])
    probes = Probes.of(unit(toward(0)), unit(toward(0)), unit(toward(90)), [], [unit(toward(90))])
    five = [part.item() for part in components(place.look(0), None, probes, SEED)]
    expected = [
        0.75 * math.cos(math.radians(30)) + 0.25 * math.cos(math.radians(60)),
        0.8,
        0.75,
        1.0,
        1 - math.cos(math.radians(60)),
    ]
    assert five == pytest.approx(expected, abs=1e-6)
    back = [
        part.item() for part in components(place.look(1), None, probes._replace(rows=probes.rows[[0, 1, 2, 3]]), SEED)
    ]
    assert back[1] == pytest.approx(0.4)  # the polarity of the end one stands on


# criticality = (1 - satisfaction) x depth / (depth + 1); injection; weight gain


@pytest.mark.parametrize(
    ("satisfaction", "depth", "expected"), [(0, 0, 0), (0, 1, 0.5), (0.5, 3, 0.375), (0.2, 9, 0.72), (1, 10, 0)]
)
def test_criticality(satisfaction: float, depth: int, expected: float) -> None:
    assert criticality(satisfaction, depth) == pytest.approx(expected)


@pytest.mark.parametrize(("state", "multiplier"), list(zip(State, (0.5, 0.5, 1.0, 2.0, 0.5, 1.5, 0.0), strict=True)))
def test_injections_follow_the_multipliers(state: State, multiplier: float) -> None:
    assert STATE_MULTIPLIER[state] == multiplier
    assert injection(0.4, state) == pytest.approx(0.4 * multiplier)


def test_weight_gain_and_the_permanence_of_a_weight() -> None:
    assert weight_gain(0.25, 0.5) == 0.125
    assert permanence_of(1.0) == 0.5
    assert permanence_of(3.0) == 0.75


def test_one_hop_leaves_a_quarter_of_energy_and_half_of_it_as_weight() -> None:
    place = graph([Node("a", "actor", toward(0)), Node("b", "thing", toward(0))], [Link("a", "b")])
    tour = explored(place, "a", toward(0), absorb_novelty=1.0).tour
    assert tour.energy == {"b": pytest.approx(0.25)}
    assert tour.weight == {"b": pytest.approx(0.125)}


# backward_color_path(links, final_embedding, attenuation = 0.8)


def test_the_colouring_of_a_path() -> None:
    assert [attenuated(hop) for hop in (0, 1, 2, 3)] == pytest.approx([1, 0.8, 0.64, 0.512])
    assert [blended(0.5, attenuated(hop)) for hop in (0, 1, 2)] == pytest.approx([0.15, 0.12, 0.096])
    assert blended(0.0, 1.0) == pytest.approx(0.3)
    assert blended(1.0, 1.0) == 0.0
    assert [boosted(0.5, 0.1, attenuated(hop)) for hop in (0, 1, 2)] == pytest.approx([0.6, 0.58, 0.564])
    assert boosted(0.5, 0.05 * 0.75, 1.0) == pytest.approx(0.5375)
    assert boosted(0.98, 0.1, 1.0) == 1.0


def test_a_coloured_vector() -> None:
    made = coloured(unit(toward(0)), [Laid(0.15, written(unit(toward(90))), "")])
    length = math.hypot(0.85, 0.15)
    assert made.tolist() == pytest.approx([0.85 / length, 0.15 / length], abs=1e-6)


# depth[0] += hierarchy; depth[1] += |hierarchy|; progress; fatigue


@pytest.mark.parametrize(
    ("hierarchy", "after"),
    [(0.5, (1.5, 2.0)), (0.2, (1.0, 2.0)), (0.21, (1.21, 2.0)), (-0.2, (1.0, 2.0)), (-0.7, (1.0, 2.7))],
)
def test_awareness(hierarchy: float, after: tuple[float, float]) -> None:
    assert aware(1.0, 2.0, hierarchy) == pytest.approx(after)


def test_progress_is_the_change_of_the_cosine_between_vector_and_intention() -> None:
    place = graph([Node("a", "actor", toward(0)), Node("b", "thing", toward(60))], [Link("a", "b")])
    walker = explored(place, "a", toward(0), toward(90), min_link_score=0.0, max_depth=1).root
    assert walker.progress == [pytest.approx(cosine(walker.vector, unit(toward(90))), abs=1e-9)]


def test_fatigue_needs_five_hops_in_a_row() -> None:
    assert fatigued([0.7, 0.04, -0.04, 0.0, 0.01, 0.02])
    assert not fatigued([0.04, -0.04, 0.0, 0.01])
    assert not fatigued([0.04, -0.04, 0.0, 0.05, 0.01])
    assert fatigued([0.0, 0.0], window=2)


# resonance and the child's rule


def test_one_perfect_match_satisfies_exactly_by_half() -> None:
    assert satisfied(0.0, alignment=1.0, found=[1.0]) == 0.5
    assert satisfied(0.5, alignment=1.0, found=[1.0, 1.0]) == pytest.approx(0.5 + 1 / 3)
    assert satisfied(0.9, alignment=1.0, found=[1.0]) == 1.0
    assert satisfied(0.0, alignment=0.6, found=[0.6]) == pytest.approx(0.375)


def test_a_child_with_a_match_of_nine_tenths_needs_no_narrative() -> None:
    assert needs_crystal([], SEED)
    assert needs_crystal([0.3, 0.899], SEED)
    assert not needs_crystal([0.9], SEED)


# The vector that is crystallised (Seeking 9, D13)


def test_the_crystallisation_vector_by_hand() -> None:
    place = graph([Node("a", "actor", toward(0)), Node("b", "thing", toward(60))], [Link("a", "b")])
    walker = explored(place, "a", toward(0), toward(90), min_link_score=0.0, max_depth=1).root
    terms = [(0.4, toward(0)), (0.25, toward(90)), (0.3, toward(60)), (0.1, toward(30))]
    total = [sum(weight * vector[axis] for weight, vector in terms) for axis in (0, 1)]
    length = math.hypot(*total)
    assert walker.vector.tolist() == pytest.approx([part / length for part in total], abs=1e-6)


def test_a_narrative_weighs_one_and_a_half_times_the_criticality() -> None:
    place = graph(
        [Node("a", "actor", toward(0)), Node("b", "thing", toward(10), "text")], [Link("a", "b", permanence=0.2)]
    )
    walker: Walker = explored(place, "a", toward(0), toward(5)).root
    made = crystallise(walker, asking(toward(0), toward(5)), SEED)
    assert made.weight == made.energy == pytest.approx(1.5 * 0.5)
    assert [(tie.polarity, tie.back) for tie in made.ties] == [(0.8, 0.2), (0.8, 0.2)]
    assert made.ties[0].permanence == pytest.approx(0.2)
    assert made.ties[1].permanence == pytest.approx(0.5)


# Constants and the table


def test_the_constants_of_the_page() -> None:
    p = SEED
    assert (p.max_depth, p.max_children, p.deadline_seconds, p.max_steps, p.max_walkers) == (10, 3, 30.0, 1_000, 128)
    assert (p.min_link_score, p.satisfaction_threshold, p.useful_satisfaction) == (0.005, 0.8, 0.5)
    assert (p.absorb_alignment, p.absorb_novelty, p.child_match, p.nearest_narrative) == (0.7, 0.7, 0.9, 0.85)
    assert (p.fatigue_window, p.fatigue_threshold, p.branch_share, p.min_branch_links) == (5, 0.05, 0.5, 2)
    assert ExplorationParameters.build(("seed", "origin")).min_link_score == 0.1


def test_the_table_of_the_page() -> None:
    names = {before.name: {after.name for after in moves} for before, moves in MOVES.items()}
    assert names == {
        "SEEKING": {"BRANCHING", "ABSORBING", "RESONATING", "REFLECTING", "SEEKING"},
        "BRANCHING": {"REFLECTING", "SEEKING"},
        "ABSORBING": {"CRYSTALLIZING", "SEEKING", "REFLECTING"},
        "RESONATING": {"SEEKING", "MERGING", "REFLECTING"},
        "REFLECTING": {"MERGING", "CRYSTALLIZING"},
        "CRYSTALLIZING": {"MERGING"},
        "MERGING": set(),
    }

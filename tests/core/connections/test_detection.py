"""Types and predictions on series whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from asterism.core.connections import read
from asterism.core.connections.daily_granger import granger_p
from asterism.core.connections.link_type import correlations
from asterism.core.connections.read_predictions import predictions
from tests.support.story import Story, diary, followed, wave


def test_stars_that_move_together_resonate_and_detection_counts_as_evidence() -> None:
    story = diary(1.0)
    assert story.link().kind == "resonance"
    assert story.link().evidence.raw == 1 + 2  # evaluated on days 0 (too few), 7 and 14
    assert story.link().state == "FORMING"


def test_stars_that_move_against_each_other_are_in_tension() -> None:
    story = diary(-1.0)
    assert (story.link().kind, story.link().direction) == ("tension", None)


def test_detection_adds_only_the_difference_to_what_the_day_already_gave() -> None:
    story = diary(1.0, days=7)
    story.observe("a", wave(7), 7)
    story.observe("b", wave(7), 7)
    gain = story.evidence("causation_detected", 7, 20)
    story.end(7)
    expected = gain.after + 0.6 * 0.05 * 0.7
    assert story.link().strength == pytest.approx(expected, abs=1e-9)
    assert story.link().evidence.raw == 3


def test_correlation_needs_five_days_with_both_values_and_variation() -> None:
    few = diary(1.0, days=4)
    pair = (np.array([few.row("a")]), np.array([few.row("b")]))
    graph = few.projection.connections.graph
    assert np.isnan(
        correlations(graph.ring, graph.stars, *pair, day=3, parameters=few.projection.parameters.connections)[0]
    )
    flat = Story("a", "b")
    flat.evidence("user_creates", 0)
    for day in range(9):
        flat.observe("a", 0.5, day)
        flat.observe("b", wave(day), day)
    flat.end(8)
    assert flat.link().kind == "resonance"
    assert flat.link().evidence.raw == 1


def test_b_following_a_with_the_same_sign_is_a_growth_edge() -> None:
    story = followed(+1)
    story.end(28)
    assert (story.link().kind, story.link().direction) == ("growth_edge", "a_to_b")
    assert read.link(story.projection.connections, "b", "a").direction == "b_to_a"  # type: ignore[union-attr]


def test_b_following_a_with_the_other_sign_is_causation_and_predicts() -> None:
    story = followed(-1)
    story.end(28)
    assert (story.link().kind, story.link().direction) == ("causation", "a_to_b")
    story.evidence("user_confirms", 29, 1)
    story.set_link(strength=0.9, raw=20, effective=20, raw_evaluated=20, evaluated_day=29, state=6, last_day=29)
    story.observe("a", 0.7, 29, 12)
    story.end(29)
    made = predictions(story.projection.connections)
    assert [(each.outcome, each.sign, each.star) for each in made.items] == [("open", -1, "b")]
    assert made.hit_rate is None
    before = story.link().strength
    story.observe("b", 0.3, 30, 7)
    story.observe("a", 0.3, 30, 12)
    story.projection.close_days(31)
    told = predictions(story.projection.connections)
    assert [each.outcome for each in told.items] == ["verified", "open"]
    assert story.link().strength > before
    story.end(33)
    told = predictions(story.projection.connections)
    assert [each.outcome for each in told.items] == ["verified", "missed"]
    assert told.hit_rate == 0.5
    assert sum(each.n for each in told.calibration) == 2
    assert told.brier is not None


def test_resolved_predictions_beyond_the_limit_are_dropped_and_counted() -> None:
    story = followed(-1, predictions_kept=1, influence_min_state="NASCENT")
    story.end(28)
    for turn in range(4):
        story.observe("a", 0.7 if turn % 2 == 0 else 0.3, 29 + 4 * turn, 12)
    story.end(29 + 4 * 4)
    told = predictions(story.projection.connections)
    assert len(told.items) == 1
    assert told.dropped == 4


def test_a_verified_prediction_of_a_dissolved_link_adds_nothing() -> None:
    story = followed(-1, influence_min_state="NASCENT")
    story.end(28)
    story.observe("a", 0.7, 29, 12)
    story.end(29)
    story.set_link(state=3, strength=0.3)
    story.say("denied", 30, 5, a="a", b="b")
    story.observe("b", 0.3, 30, 8)
    story.end(30)
    assert (story.link().state, story.link().strength) == ("DISSOLVED", 0.0)
    assert [each.outcome for each in predictions(story.projection.connections).items] == ["verified", "verified"]


def test_a_change_of_a_day_is_seen_the_next_day_by_granger_too() -> None:
    story = Story("a", "b", causality="granger", resonance_threshold=1.0, tension_threshold=-1.0)
    story.evidence("user_creates", 0)
    rng = np.random.default_rng(1)
    pushes = rng.uniform(0.2, 0.8, 40)
    for day in range(29):
        story.observe("a", round(float(pushes[day]), 3), day)
        story.observe("b", round(float(pushes[day - 1]) if day else 0.5, 3), day, 13)
        if day == 27:
            story.end(26)
            graph = story.projection.connections.yesterday()
            p = granger_p(
                graph.ring,
                graph.stars,
                story.row("a"),
                story.row("b"),
                day=26,
                parameters=story.projection.parameters.connections,
            )
            assert p is not None
            assert p < 0.001
    story.end(28)
    assert story.link().direction == "a_to_b"
    assert story.link().kind in ("growth_edge", "causation")


def test_granger_needs_days_and_variation() -> None:
    story = Story("a", "b", causality="granger")
    story.evidence("user_creates", 0)
    story.end(0)

    def p_value(day: int) -> float | None:
        graph, parameters = story.projection.connections.yesterday(), story.projection.parameters.connections
        return granger_p(graph.ring, graph.stars, story.row("a"), story.row("b"), day=day, parameters=parameters)

    assert p_value(0) is None
    for day in range(1, 5):
        story.observe("a", wave(day), day)
        story.observe("b", wave(day + 1), day)
    story.end(4)
    assert p_value(4) is None, "too few days"
    for day in range(5, 40):
        story.observe("a", wave(day), day)
        story.observe("b", 0.5, day)
    story.end(39)
    assert p_value(39) is None, "one of them never changes"
    for day in range(40, 60):
        story.observe("a", wave(day), day)
        story.observe("b", wave(day + 1), day)
    story.end(59)
    assert p_value(59) is not None


def test_granger_makes_no_claim_on_stars_that_nobody_told_of() -> None:
    story = Story("a", "b", causality="granger")
    for day in range(6):
        story.evidence("user_creates", day)
    story.end(25)
    assert story.star("a").brightness < 0.1
    assert story.link().kind == "resonance"
    assert story.link().evidence.raw == 6


def test_a_star_that_is_engaged_daily_and_gets_nowhere_is_blocked_by_the_one_active_with_it() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    story.evidence("user_confirms", 0, 13)
    story.observe("b", 0.4, 0, 1)
    for day in range(1, 30):
        story.say("engaged", day, 8, star="a", impact=0.001)
        story.say("engaged", day, 9, star="b", impact=0.0)
    story.end(29)
    assert story.link().kind == "blocks"
    story.set_link(strength=0.6, raw=9, effective=9, last_day=30)
    story.end(30)
    assert story.star("a").cap < 1 or story.star("b").cap < 1


def test_blocks_can_be_switched_off_by_a_higher_threshold() -> None:
    story = Story("a", "b", blocking_threshold=0.8)
    story.evidence("user_creates", 0)
    for day in range(30):
        story.say("engaged", day, 8, star="a", impact=0.001)
        story.say("engaged", day, 9, star="b", impact=0.0)
    story.end(29)
    assert story.link().kind == "resonance"


def test_a_link_to_a_dark_star_is_a_shadow_mirror() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    story.say("dark_marked", 0, star="b")
    story.end(0)
    assert story.link().kind == "shadow_mirror"


def test_a_user_assigned_type_is_left_alone_but_detection_still_counts() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    story.say("type_assigned", 0, 13, a="a", b="b", kind="blocks", direction="b_to_a")
    for day in range(10):
        story.observe("a", wave(day), day)
        story.observe("b", wave(day), day, 13)
    story.end(9)
    assert (story.link().kind, story.link().direction) == ("blocks", "b_to_a")
    assert story.link().evidence.raw == 2


def discovering(**overrides: float | str) -> Story:
    story = Story("a", "b", "c", **overrides)
    for day in range(10):
        story.say("engaged", day, 7, star="a", impact=0.0)
        story.say("engaged", day, 7, star="b", impact=0.0)
        story.observe("a", wave(day), day)
        story.observe("b", wave(day), day)
    story.end(9)
    return story


def test_discovery_links_stars_that_nobody_named_together() -> None:
    story = discovering()
    assert story.link_or_none() is None
    story.say("discovery", 10, 9)
    assert story.link().strength == pytest.approx(0.05, abs=1e-12)
    story.say("discovery", 10, 10)
    assert story.link().evidence.raw == 1
    assert story.link_or_none("a", "c") is None


def test_what_was_discovered_counts_once_and_is_looked_at_again_a_week_later() -> None:
    story = discovering()
    story.say("discovery", 10, 9)
    story.end(16)
    assert (story.link().evidence.raw, story.link().state) == (1, "NASCENT")
    story.end(17)
    assert story.link().evidence.raw == 2


def test_three_items_told_on_the_day_of_its_discovery_make_a_link_due_that_evening() -> None:
    for told, counted in ((2, 0), (3, 1)):
        story = discovering()
        story.say("discovery", 10, 9)
        for hour in range(told):
            story.evidence("co_mention_session", 10, 12 + hour)
        story.end(10)
        assert story.link().evidence.raw == 1 + told + counted


def test_a_cause_that_was_discovered_predicts_from_the_first_day() -> None:
    story = Story("a", "b", resonance_threshold=1.0, tension_threshold=-1.0, influence_min_state="NASCENT")
    for turn in range(9):
        value = 0.7 if turn % 2 else 0.3
        for star in ("a", "b"):
            story.say("engaged", 3 * turn, 1, star=star, impact=0.0)
        story.observe("a", value, 3 * turn, 12)
        story.observe("b", 1 - value, 3 * turn + 1, 8)
    story.say("discovery", 27)
    story.observe("a", 0.7, 27, 13)
    story.end(27)
    assert story.link().kind == "causation"
    made = predictions(story.projection.connections).items
    assert [(each.star, each.sign, (each.expected_at - each.made_at).total_seconds() / 3600) for each in made] == [
        ("b", -1, 20.0)
    ]


def test_a_lone_co_mention_that_was_denied_is_not_discovered() -> None:
    story = discovering()
    story.evidence("co_mention_session", 10)
    story.say("denied", 10, 13, a="a", b="b")
    story.end(10)
    story.say("discovery", 11, 9)
    assert story.link_or_none() is None


def test_discovery_leaves_links_and_denied_links_alone() -> None:
    story = discovering()
    story.evidence("user_creates", 10, 8)
    story.end(10)
    before = story.link()
    story.say("discovery", 11, 9)
    assert story.link() == before
    story.say("denied", 11, 10, a="a", b="b")
    story.end(11)
    story.say("discovery", 12, 9)
    assert story.link().state == "DISSOLVED"


def test_discovery_finds_causes_too() -> None:
    story = Story("a", "b", resonance_threshold=1.0, tension_threshold=-1.0)
    for turn in range(9):
        value = 0.7 if turn % 2 else 0.3
        for star in ("a", "b"):
            story.say("engaged", 3 * turn, 1, star=star, impact=0.0)
        story.observe("a", value, 3 * turn, 12)
        story.observe("b", value, 3 * turn + 1, 8)
    story.end(27)
    story.say("discovery", 28)
    assert story.link().strength == pytest.approx(0.0864, abs=1e-12)


def test_discovery_tests_so_many_stars_and_counts_what_it_left_out() -> None:
    story = discovering(discover_max_stars=2)
    story.say("engaged", 10, 1, star="c", impact=0.0)
    story.observe("c", 0.5, 10, 2)
    story.end(10)
    story.say("discovery", 11)
    assert story.projection.connections.graph.pairs_not_tested == 1

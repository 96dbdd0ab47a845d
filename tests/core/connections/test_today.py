"""The open day: arrival order, denials, latent pairs, new lives."""

from __future__ import annotations

import itertools

import pytest

from tests.support.story import Story


def test_evidence_out_of_order_within_its_day_changes_nothing() -> None:
    shown = []
    for hours in itertools.permutations((8, 9.5, 20)):
        story = Story("a", "b")
        story.evidence("user_confirms", 0, 1)
        story.end(0)
        for hour in hours:
            story.evidence("user_confirms", 1, hour)
        shown.append((story.link(), float(story.links().gap_squares[0])))
    assert len(set(shown)) == 1


def test_denial_of_a_weak_link_takes_fifteen_hundredths() -> None:
    story = Story("a", "b")
    story.evidence("user_confirms", 0)
    story.set_link(strength=0.6, raw=5, effective=5, state=5)
    story.end(0)
    story.say("denied", 1, a="a", b="b")
    assert story.link().strength == pytest.approx(0.45, abs=1e-9)
    assert story.link().state == "WEAK"
    story.say("denied", 1, 13, a="a", b="b")
    assert story.link().strength == pytest.approx(0.30, abs=1e-9)
    assert story.link().state == "FORMING"
    story.say("denied", 1, 14, a="a", b="b")
    assert (story.link().strength, story.link().state) == (0.0, "DISSOLVED")


def test_a_denial_that_leaves_nothing_dissolves() -> None:
    story = Story("a", "b", denial_cost=0.9)
    story.evidence("user_confirms", 0)
    story.set_link(strength=0.6, raw=5, effective=5, state=5)
    story.end(0)
    story.say("denied", 1, a="a", b="b")
    assert story.link().state == "DISSOLVED"


def test_a_denial_of_a_dormant_link_dissolves_it() -> None:
    story = Story("a", "b")
    story.evidence("user_confirms", 0)
    story.set_link(strength=0.6, raw=5, effective=5, state=1)
    story.say("clock", 1)
    story.set_link(state=1)
    story.say("denied", 1, a="a", b="b")
    assert story.link().state == "DISSOLVED"


def test_gains_come_before_denials_whatever_the_clock_said() -> None:
    for first, second in ((8, 9), (9, 8)):
        story = Story("a", "b")
        story.evidence("user_creates", 0, first)
        story.say("denied", 0, second, a="a", b="b")
        assert story.link().state == "DISSOLVED"


def test_a_denial_of_nothing_is_nothing() -> None:
    story = Story("a", "b")
    story.say("denied", 0, a="a", b="b")
    assert story.link_or_none() is None


def test_evidence_from_before_a_dissolution_never_counts_again() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    story.say("denied", 0, 13, a="a", b="b")
    story.end(0)
    gain = story.evidence("user_creates", 1)
    assert (gain.freshness, gain.after, story.link().evidence.raw) == (1.0, 0.15, 1)
    story.end(40)
    assert story.link().evidence.effective == 0.0  # dissolved again, alone


def test_a_lone_link_dissolves_when_it_would_go_dormant() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    story.end(6)
    assert story.link().state == "NASCENT"
    story.end(7)
    assert (story.link().state, story.link().strength) == ("DISSOLVED", 0.0)


def test_a_link_with_two_items_goes_dormant_and_evidence_wakes_it() -> None:
    story = Story("a", "b")
    story.evidence("co_mention_session", 0)
    story.evidence("co_mention_session", 1)
    story.end(8)
    frozen = story.link().strength
    assert story.link().state == "DORMANT"
    story.end(20)
    assert story.link().strength == frozen
    story.evidence("user_confirms", 21)
    assert story.link().state == "NASCENT"


def test_a_lone_co_mention_is_no_link_until_any_second_item() -> None:
    story = Story("a", "b")
    story.evidence("co_mention_session", 0)
    assert story.link_or_none() is None
    story.end(20)
    assert story.link_or_none() is None
    story.evidence("co_mention_response", 21)
    assert story.link().evidence.raw == 2
    assert story.link().strength == pytest.approx(0.0256 + 0.0075, abs=1e-9)  # at the floor, nothing decayed


def test_during_excavation_one_co_mention_makes_a_link_and_gains_are_larger() -> None:
    story = Story("a", "b", excavation_days=7)
    gain = story.evidence("co_mention_session", 6)
    assert story.link().strength == pytest.approx(0.0256 * 1.5, abs=1e-12)
    assert gain.raw_gain == pytest.approx(0.0256 * 1.5, abs=1e-12)
    assert Story("a", "b", excavation_days=7).evidence("co_mention_session", 7).raw_gain == pytest.approx(0.0256)


def test_excavation_slows_decay() -> None:
    lost = []
    for excavation in (0, 7):
        story = Story("a", "b", excavation_days=excavation)
        story.evidence("user_confirms", 0)
        story.set_link(strength=0.8, raw=8, effective=8, raw_evaluated=8, evaluated_day=5)
        story.end(1)
        lost.append(0.8 - story.link().strength)
    assert lost[1] == pytest.approx(lost[0] / 2, rel=1e-6)


def test_the_first_star_of_a_space_may_come_after_the_days_evidence() -> None:
    told = []
    for star_first in (True, False):
        story = Story(excavation_days=7)
        if star_first:
            story.say("star_added", 0, 13, star="a", name="A", domain="soul")
        story.evidence("correlation_detected", 0)
        if not star_first:
            story.say("star_added", 0, 13, star="a", name="A", domain="soul")
        told.append(story.link().strength)
    assert told[0] == told[1] == pytest.approx(0.075, abs=1e-12)


def test_the_ceiling_is_named() -> None:
    story = Story("a", "b")
    story.evidence("user_confirms", 0)
    story.set_link(strength=0.95, raw=9, effective=9)
    story.end(0)
    gain = story.evidence("user_confirms", 1)
    assert (gain.after, gain.capped_by) == (1.0, "ceiling")


def test_the_last_assigned_type_of_a_day_holds_in_any_order() -> None:
    for hours in ((8, 9), (9, 8)):
        story = Story("a", "b")
        story.evidence("user_creates", 0, 1)
        for hour in hours:
            kind, direction = ("causation", "b_to_a") if hour == 9 else ("tension", "none")
            story.say("type_assigned", 0, hour, a="a", b="b", kind=kind, direction=direction)
        assert (story.link().kind, story.link().direction, story.link().assigned) == ("causation", "b_to_a", True)
        story.end(0)
        assert story.link().kind == "causation"


def test_a_type_may_be_assigned_before_the_evidence_of_the_day() -> None:
    story = Story("a", "b")
    story.say("type_assigned", 0, 8, a="a", b="b", kind="tension", direction="none")
    assert story.link_or_none() is None
    story.evidence("user_creates", 0, 9)
    assert story.link().kind == "tension"


def test_adding_a_star_again_changes_nothing_and_the_first_domain_of_a_day_stays() -> None:
    story = Story("a")
    story.say("star_added", 0, 5, star="a", name="Other", domain="health")
    assert (story.star("a").domain, story.star("a").name) == ("soul", "A")
    story.say("star_added", 3, 5, star="a", name="Other", domain="health")
    assert story.star("a").domain == "soul"


def test_acts_on_a_star_wait_within_the_day_for_it_to_be_added() -> None:
    story = Story()
    story.say("engaged", 0, 8, star="x", impact=0.03)
    story.say("star_added", 0, 9, star="x", name="X", domain="soul")
    assert story.star("x").brightness == 0.3


def test_acts_on_a_star_that_nobody_adds_come_to_nothing() -> None:
    story = Story("a")
    story.say("engaged", 0, 8, star="x", impact=0.03)
    story.end(0)
    story.say("star_added", 1, 9, star="x", name="X", domain="soul")
    assert story.star("x").brightness == 0.1


def test_star_acts_out_of_order_within_their_day_change_nothing() -> None:
    acts = [
        ("engaged", 8, {"impact": 0.05}),
        ("brightness_observed", 9, {"value": 0.5}),
        ("engaged", 10, {"impact": 0.03}),
        ("dark_marked", 11, {}),
    ]
    shown = set()
    for order in itertools.permutations(acts):
        story = Story("a")
        story.say("acknowledged", 0, 1, star="a")
        story.end(0)
        for what, hour, payload in order:
            story.say(what, 1, hour, star="a", **payload)
        shown.add(story.star("a"))
    assert len(shown) == 1
    assert shown.pop().brightness == pytest.approx(0.51, abs=1e-12)  # .05 of the .06 was spent before the observation


def test_evidence_wakes_a_dormant_star_whatever_came_first() -> None:
    for evidence_first in (True, False):
        story = Story("a", "b")
        story.observe("a", 0.6, 0)
        story.end(14)
        assert story.star("a").state == "DORMANT"
        if evidence_first:
            story.evidence("user_creates", 15, 9)
        story.say("contradicted", 15, 10, star="a")
        if not evidence_first:
            story.evidence("user_creates", 15, 9)
        assert story.star("a").state == "FLICKERING"
        assert story.star("a").contradictions == 1


def test_disputing_what_is_not_dark_leaves_the_state() -> None:
    story = Story("a")
    story.say("acknowledged", 0, 1, star="a")
    story.say("acknowledged", 0, 2, star="a")
    story.say("dark_disputed", 0, 3, star="a")
    assert story.star("a").state == "FLICKERING"


def test_of_two_additions_in_a_day_the_earlier_counts_whichever_came_first() -> None:
    for hours in ((3, 5), (5, 3)):
        story = Story()
        for hour in hours:
            story.say("star_added", 0, hour, star="x", name=f"X{hour}", domain="soul" if hour == 3 else "health")
        assert (story.star("x").name, story.star("x").domain) == ("X3", "soul")


def test_the_ends_of_a_link_stand_in_the_order_of_their_ids_whatever_an_item_says() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0, a="b", b="a")
    assert story.links().a[0] == story.row("a")
    assert story.link("b", "a").strength == story.link("a", "b").strength == 0.15

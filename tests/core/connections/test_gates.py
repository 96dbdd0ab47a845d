"""What keeps a connection from a state or a kind."""

from __future__ import annotations

import pytest

from asterism.core.connections.capability import CONNECTIONS
from asterism.core.connections.fold import Connections
from asterism.core.connections.gates import Sleeping, SleepWatch, sleeping, why_not_so
from asterism.core.connections.words import LinkState
from asterism.errors import InputError
from tests.support.asking import Asking
from tests.support.story import Story, diary


def asking(story: Story) -> Asking[Connections]:
    return Asking(CONNECTIONS, story.items, rules=story.projection.parameters)


def test_a_state_that_no_evidence_reaches_says_so() -> None:
    story = Story("a", "b", max_strength=0.5)
    story.evidence("user_creates", 0)
    gate = why_not_so(asking(story), "a", "b", "strong")
    assert gate.change == "400 confirmations, one a day, do not bring it there."
    assert gate.tell == ()


def test_who_begins_to_watch_a_pair_that_sleeps_sees_it_asleep_since_then() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    story.evidence("user_creates", 1)
    story.end(200)
    watch = SleepWatch(story.projection.connections, "a", "b")
    story.projection.close_days(400, watch=watch)
    assert watch.since == 201


def test_a_link_with_evidence_enough_lacks_strength() -> None:
    story = Story("a", "b", evidence_for_forming=1, impact_user_creates=0.05)
    story.evidence("user_creates", 0)
    gate = why_not_so(asking(story), "a", "b", "forming")
    assert (gate.gate, gate.needed) == ("threshold", 0.2)


def test_a_link_of_stars_without_values_has_no_correlation() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    gate = why_not_so(asking(story), "a", "b", "tension")
    assert gate.gate == "correlation"
    assert gate.change.startswith("Too few days on which both have a value")


def test_a_link_of_stars_that_move_apart_says_how_they_correlate() -> None:
    gate = why_not_so(asking(diary(-1)), "a", "b", "resonance")
    assert gate.gate == "correlation"
    assert gate.value < 0 < gate.needed


def test_what_is_reached_is_in() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    assert why_not_so(asking(story), "a", "b", "nascent").gate == "in"


def test_a_node_is_not_linked_to_itself() -> None:
    with pytest.raises(InputError, match="cannot be linked to itself"):
        why_not_so(asking(Story("a")), "a", "a", "strong")


def test_links_that_sleep_are_found_from_either_end() -> None:
    story = Story("a", "b", "c")
    story.evidence("user_creates", 0)
    story.evidence("user_creates", 0, a="a", b="c")
    story.set_link(state=LinkState.DORMANT)
    folded = story.projection.connections
    for node, other in (("a", "b"), ("b", "a")):
        assert list(sleeping(folded, [node], str.upper)) == [Sleeping("a", "b", other.upper(), "DORMANT")]
    assert list(sleeping(folded, ["nobody"], str)) == []

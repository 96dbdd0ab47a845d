"""What keeps a connection from a state or a kind."""

from __future__ import annotations

from asterism.core.connections.capability import CONNECTIONS
from asterism.core.connections.fold import Connections
from asterism.core.connections.gates import why_not_so
from tests.support.asking import Asking
from tests.support.story import Story


def asking(story: Story) -> Asking[Connections]:
    return Asking(CONNECTIONS, story.items, rules=story.projection.parameters)


def test_a_state_that_no_evidence_reaches_says_so() -> None:
    story = Story("a", "b", max_strength=0.5)
    story.evidence("user_creates", 0)
    gate = why_not_so(asking(story), "a", "b", "strong")
    assert gate.change == "400 confirmations, one a day, do not bring it there."
    assert gate.tell == ()


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

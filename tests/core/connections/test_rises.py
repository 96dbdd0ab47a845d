"""What raises a link on days on which nobody tells anything."""

from __future__ import annotations

import pytest

from asterism.core.connections import read
from asterism.core.connections.model import Rise
from asterism.core.connections.rises import RiseWatch
from asterism.core.ledger.calendar import to_date
from tests.support.story import Story, diary, followed


def watched(story: Story, until: int) -> list[Rise]:
    """End days, and give what raised the one link."""
    p = story.projection.parameters.connections
    row = read.row_of(story.projection.connections, "a", "b")
    watch = RiseWatch([row], causation_threshold=p.causation_threshold)
    story.projection.close_days(until + 1, watch=watch)
    return watch.rises[0]


def test_a_correlation_that_is_found_again_is_named() -> None:
    story = diary(1.0)
    (rise,) = watched(story, 21)
    assert (rise.on, rise.reasons) == (to_date(21), ("correlation_detected",))
    assert rise.gain > 0


def test_a_cause_that_is_found_again_is_named() -> None:
    rises = watched(followed(-1), 28)
    assert {rise.reasons for rise in rises} == {("causation_detected",)}


def test_a_cause_and_a_correlation_of_one_day_are_both_named() -> None:
    story = diary(1.0)
    row = read.row_of(story.projection.connections, "a", "b")
    watch = RiseWatch([row], causation_threshold=0.5)
    graph = story.projection.connections.graph
    watch.after("decay", 20, graph)
    story.set_link(strength=0.5, raw=story.link().evidence.raw + 2, causation=0.9)
    watch.after("detected", 20, graph)
    assert watch.rises[0][0].reasons == ("correlation_detected", "causation_detected")


def test_a_prediction_that_came_true_is_named() -> None:
    story = followed(-1)
    story.end(28)
    story.evidence("user_confirms", 29, 1)
    story.set_link(strength=0.9, raw=20, effective=20, raw_evaluated=20, evaluated_day=29, state=6, last_day=29)
    story.observe("a", 0.7, 29, 12)
    story.end(29)
    story.observe("b", 0.3, 30, 7)
    (rise,) = watched(story, 30)
    bonus = story.projection.parameters.connections.prediction_verified_bonus
    assert (rise.on, rise.reasons) == (to_date(30), ("prediction_verified",))
    assert rise.gain == pytest.approx(bonus)


def test_what_only_fades_rises_on_no_day() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    assert watched(story, 12) == []

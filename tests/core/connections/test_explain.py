"""The words of an explanation say the parameters that were used."""

from __future__ import annotations

import pytest

from asterism.core.connections.explain import LinkWatch, why_link
from asterism.core.ledger.model import Why
from tests.support.story import Story


def why_after(days: int, **overrides: float) -> Why:
    """Explain a link that one item of evidence made on the first day."""
    story = Story("a", "b", **overrides)
    watch = LinkWatch(story.projection.connections, "a", "b")
    story.evidence("user_creates", 0)
    story.projection.close_days(days, watch=watch)
    told = why_link(watch, day=days)
    assert told is not None
    return told


@pytest.mark.parametrize("rate", [0.25, 0.5, 2.0])
def test_decay_during_excavation_names_the_factor_that_slowed_it(rate: float) -> None:
    told = why_after(5, excavation_days=7, excavation_decay_rate=rate)
    assert any(f"x {rate:g} excavation" in line.text for line in told.lines)


def test_decay_after_excavation_names_no_factor() -> None:
    assert not any("excavation" in line.text for line in why_after(5).lines)


def test_days_that_pass_before_there_is_a_link_are_no_part_of_its_story() -> None:
    folded = Story("a", "b").projection.connections
    watch = LinkWatch(folded, "a", "b")
    watch.slept(0, 100, folded.graph)
    assert (watch.telling.lines, watch.telling.value) == ([], 0.0)

"""What connections say when they are asked why of items and predictions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from asterism.core.connections.capability import CONNECTIONS
from asterism.core.connections.fold import Connections
from asterism.core.connections.read_predictions import prediction_list
from asterism.core.connections.why import added, why_connection, why_other
from asterism.core.ledger.model import Line
from asterism.errors import UnknownError
from tests.support.asking import Asking
from tests.support.readings import of_reading, read_item, time_of
from tests.support.story import followed


def test_evidence_of_a_reading_that_is_not_current_adds_nothing() -> None:
    evidence = of_reading(read_item("One", "door", time_of(5)), "a", "b", "user_creates", time_of(3))
    done = added(Asking(CONNECTIONS, [evidence]), evidence)
    assert done.notes == ["its reading is not the current one of its session: it does not count"]


def expecting(*, without: str = "") -> Asking[Connections]:
    """Give a ledger in which a causal link has expected something; it may have lost items of a kind since."""
    story = followed(-1, influence_min_state="FORMING")
    for day in range(26, 29):
        story.evidence("user_confirms", day)
    story.observe("a", 0.7, 29)
    story.observe("a", 0.7, 31)
    kept = [item for item in story.items if item.what != without]
    asked = Asking(CONNECTIONS, story.items, kept=kept, rules=story.projection.parameters)
    assert prediction_list(asked.fold)
    return asked


def lines_of(asked: Asking[Connections]) -> tuple[Line, ...]:
    told = why_other(asked, prediction_list(asked.fold)[0])
    assert told is not None
    assert sum(line.value for line in told.lines) == pytest.approx(told.total)
    return told.lines


def test_a_prediction_is_as_sure_as_its_link_was_strong_and_causal() -> None:
    asked = expecting()
    assert len(lines_of(asked)) == 2
    assert why_other(asked, prediction_list(asked.fold)[0].id) == why_other(asked, prediction_list(asked.fold)[0])


def test_what_the_fold_of_then_saw_otherwise_is_a_line_of_its_own() -> None:
    asked = expecting()
    asked.fold.graph.predictions.confidence[:] = 0.875
    assert lines_of(asked)[-1].text == "as the fold of then saw it"


def test_a_prediction_whose_link_the_ledger_does_not_give_any_more_is_told_alone() -> None:
    (line,) = lines_of(expecting(without="evidence"))
    assert line.text == "as sure as it was when it was made"


def test_a_prediction_that_is_not_kept_is_unknown() -> None:
    asked = expecting()
    made = prediction_list(asked.fold)[0]
    with pytest.raises(UnknownError, match="there is no prediction"):
        why_other(asked, replace(made, confidence=0.0))
    assert why_other(asked, "a~b!never") is None


def test_a_link_whose_turns_are_not_all_there_is_told_by_a_fold_of_everything() -> None:
    asked = expecting()
    told = why_connection(asked, "a", "b", "")
    assert told is not None
    asked.fold.graph.turns_from = 2**29
    assert why_connection(asked, "a", "b", "") == told

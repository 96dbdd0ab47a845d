"""What something told later contradicts comes after it, while nobody has settled which is right."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.memories import NOON, AnyMemory, remembering
from tests.support.stores import STORES, Place, place_of

LISBON, PORTO = "Anna lives in Lisbon.", "Anna moved to Porto."
QUESTION = "Where does Anna live?"


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def recalled(memory: AnyMemory, question: str = QUESTION) -> list[str]:
    return [hit.text for hit in memory.recall(question).hits]


def tell(memory: AnyMemory) -> str:
    memory.learn(PORTO, at=NOON - timedelta(days=5))
    told = memory.learn(LISBON, at=NOON - timedelta(days=50)).id
    memory.learn("The market is open on Sundays.", at=NOON - timedelta(days=5))
    memory.learn("Anna likes coffee.", at=NOON - timedelta(days=4))
    return str(told)


def test_the_later_of_two_in_conflict_comes_first_and_the_sum_says_why(place: Place) -> None:
    with remembering(place) as memory:
        tell(memory)
        assert recalled(memory)[0] == LISBON
        memory.dream()
        assert recalled(memory)[0] == PORTO
        (hit,) = [hit for hit in memory.recall(QUESTION, k=10).hits if hit.text == LISBON]
        assert hit.signals["outdated"] < 0
        assert sum(hit.signals.values()) == pytest.approx(hit.score)
        assert memory.recall(QUESTION).hits[0].signals["instead"] > 0


def test_told_again_it_is_the_later(place: Place) -> None:
    with remembering(place) as memory:
        tell(memory)
        memory.dream()
        memory.learn(LISBON, at=NOON - timedelta(days=1))
        assert recalled(memory)[0] == LISBON


def test_a_question_about_then_takes_what_was_told_then(place: Place) -> None:
    with remembering(place) as memory:
        tell(memory)
        memory.dream()
        assert recalled(memory, "Where did Anna live previously?")[0] == LISBON


def test_once_it_is_settled_nothing_is_outdated(place: Place) -> None:
    with remembering(place) as memory:
        tell(memory)
        memory.dream()
        (view,) = memory.conflicts()
        memory.forget(view.later.id)
        (hit,) = [hit for hit in memory.recall(QUESTION).hits if hit.text == LISBON]
        assert "outdated" not in hit.signals

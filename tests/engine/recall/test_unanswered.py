"""Questions that were left open are written down on request, and listed as long as nothing answers them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from asterism.errors import InputError
from tests.support.memories import HandClock, remembering
from tests.support.stores import STORES, Place, place_of

NOW = datetime(2026, 11, 18, 10, tzinfo=UTC)
MONGOLIA = "What is the capital of Mongolia?"


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def test_a_question_is_listed_until_something_answers_it(place: Place) -> None:
    with remembering(place, clock=HandClock(NOW), embedder="default") as memory:
        memory.learn("I live in Berlin.")
        assert memory.open_questions() == []
        memory.unanswered("Where do I live?")  # which has an answer
        memory.unanswered(MONGOLIA)
        memory.unanswered(" What is the\ncapital of Mongolia? ")
        (still,) = memory.open_questions()
        assert (still.query, still.times, still.missing) == (MONGOLIA, 2, ("capital", "mongolia"))
        assert still.nearest == "I live in Berlin."
        assert still.to_dict()["first_at"] == NOW.isoformat()
        assert "mongolia" in str(still)
        assert memory.recall(MONGOLIA, kinds=["block"]).unsure
        memory.learn("The capital of Mongolia is Ulaanbaatar.")
        assert memory.open_questions() == []
        assert memory.verify().ok
    with remembering(place, clock=HandClock(NOW), embedder="default") as memory:
        assert [each.query for each in memory.as_of("2026-11-17").open_questions()] == []


def test_an_empty_memory_answers_nothing(place: Place) -> None:
    with remembering(place, clock=HandClock(NOW)) as memory:
        memory.unanswered("Who?")
        (still,) = memory.open_questions()
        assert (still.nearest, still.probability, still.missing) == ("", 0.0, ())
        assert str(still) == "Who? - nobody told"
        for query in ("", 3, "a\0b"):
            with pytest.raises(InputError):
                memory.unanswered(query)


def test_erasing_a_name_finds_the_questions_that_hold_it(place: Place) -> None:
    with remembering(place, clock=HandClock(NOW)) as memory:
        memory.unanswered(MONGOLIA)
        memory.unanswered("When is tea?")
        memory.erase("name:Mongolia")
        assert [each.query for each in memory.open_questions()] == ["When is tea?"]


def test_copies_that_were_merged_either_way_have_the_same_questions(tmp_path: Path) -> None:
    for name, query in (("a", MONGOLIA), ("b", "When is tea?")):
        with remembering(place_of("sqlite", tmp_path, f"{name}.db"), clock=HandClock(NOW)) as memory:
            memory.unanswered(query)
            memory.unanswered("Who is Bob?")
    seen = []
    for one, other in (("a", "b"), ("b", "a")):
        with remembering(place_of("sqlite", tmp_path, f"{one}{other}.db"), clock=HandClock(NOW)) as memory:
            for name in (one, other):
                memory.merge(tmp_path / f"{name}.db")
            seen.append([(each.query, each.at, each.times) for each in memory.open_questions()])
            assert memory.verify().ok
    assert seen[0] == seen[1]
    assert len(seen[0]) == 3

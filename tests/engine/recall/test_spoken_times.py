"""Which Friday is meant, in a question and in a note; dates that may be two days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.memories import AnyMemory, HandClock, remembering
from tests.support.stores import STORES, place_of

NOW = datetime(2026, 11, 18, 10, tzinfo=UTC)  # a Wednesday
DENTIST, LUNCH, CINEMA = "Dentist on Friday at 3.", "Lunch with Tom on Friday.", "I went to the cinema with Mia."


@pytest.fixture(params=STORES)
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AnyMemory]:
    with remembering(place_of(request.param, tmp_path), clock=HandClock(NOW)) as memory:
        memory.learn(DENTIST, at="2026-11-10")
        memory.learn(LUNCH, at="2026-11-16")
        memory.learn(CINEMA, at="2026-11-13")
        memory.learn("I planted beans.", at="2026-03-11")
        memory.learn("I sowed radishes.", at="2026-11-03")
        memory.learn("The bins are emptied on Fridays.", at="2026-11-01")
        yield memory


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What do I have on Friday?", LUNCH),
        ("What is there this Friday?", LUNCH),
        ("Who is lunch with on Friday?", LUNCH),
        ("Was I at the dentist on Friday?", DENTIST),
        ("Who did I go to the cinema with on Friday?", CINEMA),
    ],
)
def test_what_is_asks_for_the_coming_friday_and_what_was_for_the_last(
    memory: AnyMemory, question: str, first: str
) -> None:
    answer = memory.recall(question)
    assert (answer.hits[0].text, answer.unsure) == (first, False)


def test_a_note_of_another_friday_does_not_surely_answer(memory: AnyMemory) -> None:
    assert memory.recall("When on Friday is the dentist?").unsure
    assert not memory.as_of("2026-11-11").recall("When on Friday is the dentist?").unsure


def test_what_has_a_title_is_no_note_of_the_times_it_tells_of(memory: AnyMemory) -> None:
    told = "A comedy film that was made in 1988 in Madras."
    memory.learn_many([{"content": told, "name": "Sorrow and Joy"}, {"content": told[2:], "name": ""}])
    question = "Which comedy film of 1988 was made in Madras?"
    marked = {hit.name: "then" in hit.signals for hit in memory.recall(question, floor=0).hits if "comedy" in hit.text}
    assert marked == {"Sorrow and Joy": False, "": True}


def test_a_note_told_twice_speaks_of_both_days(memory: AnyMemory) -> None:
    memory.learn(DENTIST, at="2026-11-17")
    assert not memory.recall("When on Friday is the dentist?").unsure


def test_a_date_that_may_be_two_days_asks_about_both_and_says_so(memory: AnyMemory) -> None:
    answer = memory.recall("What did I sow or plant on 3/11/2026?")
    assert {hit.text for hit in answer.hits[:2]} == {"I sowed radishes.", "I planted beans."}
    assert answer.notes == ("3/11/2026 may be two days, by which figure is the month: both were asked about",)
    assert memory.recall("What did I sow on 3.11.2026?").notes == ()

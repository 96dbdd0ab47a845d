"""An answer for a prompt: dated lines in the order in which they help, within a budget."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.ledger.model import ConflictWith
from asterism.core.recall.model import Answer, AnswerHit
from asterism.errors import InputError

NOON = datetime(2026, 11, 3, 12, tzinfo=UTC)


def hit(name: str, text: str, **told: Any) -> AnswerHit:
    return AnswerHit(
        name, told.pop("kind", "block"), text, told.pop("called", ""), 1.0, told.pop("signals", {}), (), (), 9, **told
    )


def answer(*hits: AnswerHit) -> Answer:
    return Answer("q", hits, 1.0, len(hits))


def test_lines_are_dated_and_say_what_holds_before_what_held() -> None:
    told = answer(
        hit("a", "Anna lives in Paris.", at=NOON - timedelta(days=300), valid_until=NOON, current=False),
        hit("b", "Anna lives in Berlin now.", at=NOON, source="a letter"),
        hit("c", "Had a headache.", at=NOON, first_at=NOON - timedelta(days=33), times=3, speaker="Bob"),
        hit("d", "The house will be hers.", at=NOON, current=False),
    )
    assert told.as_prompt().splitlines() == [
        "- 2026-11-03, a letter: Anna lives in Berlin now.",
        "- 2026-11-03, 3x since 2026-10-01: Bob: Had a headache.",
        "- 2026-01-07, until 2026-11-03: Anna lives in Paris.",
        "- 2026-11-03, not yet: The house will be hers.",
    ]


def test_that_nothing_probably_answers_is_said_first() -> None:
    told = Answer("q", (hit("a", "Tea at 4."),), 1.0, 1, unsure=True)
    assert told.as_prompt().splitlines() == ["unsure: probably nothing that is known answers this.", "- Tea at 4."]


def test_where_a_time_is_asked_for_it_is_told_how_often_it_was_then() -> None:
    told = hit("c", "Had a headache.", at=NOON, first_at=NOON - timedelta(days=33), times=3, times_then=2)
    assert answer(told).as_prompt() == "- 2026-11-03, 2x then, 3x since 2026-10-01: Had a headache."
    once = hit("c", "Had a headache.", at=NOON, first_at=NOON, times_then=1)
    assert answer(once).as_prompt() == "- 2026-11-03: Had a headache."


def test_where_a_time_is_asked_for_what_held_then_comes_first() -> None:
    told = answer(
        hit("b", "Berlin", current=True, signals={"not_valid": -3.0}),
        hit("a", "Paris", current=False, valid_until=NOON, signals={"then": 2.0}),
    )
    assert told.as_prompt().splitlines() == ["- until 2026-11-03: Paris", "- Berlin"]


def against(name: str, text: str = "other words") -> ConflictWith:
    return ConflictWith(name, text, NOON, later=True, reason="place", confidence=0.9)


def test_what_cannot_both_hold_stands_side_by_side_once() -> None:
    one = hit("a", "Anna lives in Paris", conflicts=(against("b", "Anna moved\nto Berlin"),))
    assert answer(one).as_prompt().splitlines() == ["- Anna lives in Paris", "  or: 2026-11-03: Anna moved to Berlin"]
    both = answer(one, hit("c", "Tea"), hit("b", "Anna moved to Berlin", conflicts=(against("a"),)))
    assert both.as_prompt().splitlines() == ["- Anna lives in Paris", "  or: Anna moved to Berlin", "- Tea"]


def test_of_three_that_cannot_hold_together_each_is_told_once() -> None:
    told = answer(hit("a", "in Rome", conflicts=(against("b"),)), hit("c", "in Bonn", conflicts=(against("b"),)))
    assert told.as_prompt().splitlines() == ["- in Rome", "  or: 2026-11-03: other words", "- in Bonn"]


def test_an_alternative_to_what_does_not_fit_stands_by_itself() -> None:
    long = hit("a", "Anna lives in Paris " * 20, conflicts=(against("b", "Anna moved to Berlin"),))
    assert answer(hit("c", "Tea"), long).as_prompt(20).splitlines() == ["- Tea", "- 2026-11-03: Anna moved to Berlin"]


def test_of_several_spaces_each_says_what_it_knows() -> None:
    conflict = (against("b"),)
    told = answer(
        hit("a", "Tea at 4.", at=NOON, space="home"),
        hit("a", "Tea at 4.", at=NOON + timedelta(days=1), space="work", conflicts=conflict),
    )
    assert told.as_prompt().splitlines() == [
        "- home: 2026-11-03: Tea at 4.",
        "- work: 2026-11-04: Tea at 4.",
        "  or: work: 2026-11-03: other words",
    ]


def test_a_session_is_told_of_what_is_no_block_and_long_names_are_cut() -> None:
    said = hit("a", "I open the door and look into the dark room.", kind="moment", session="s" * 40, speaker="Ann")
    assert answer(said).as_prompt() == f"- {'s' * 23}…: Ann: {said.text}"
    titled = hit("b", "Four o'clock.", called="Tea")
    assert answer(titled).as_prompt() == "- Tea: Four o'clock."


@given(st.lists(st.text(max_size=200), max_size=9), st.integers(1, 60))
def test_a_budget_is_never_exceeded(texts: list[str], budget: int) -> None:
    told = answer(*(hit(str(place), text, at=NOON, source="mail") for place, text in enumerate(texts)))
    assert len(told.as_prompt(budget)) <= 4 * budget
    assert answer().as_prompt(budget) == ""


def test_a_long_text_is_cut_where_nothing_else_was_told() -> None:
    assert answer(hit("a", "word " * 99)).as_prompt(20).endswith("…")
    assert len(answer(hit("a", "word " * 99)).as_prompt(20)) == 80
    assert answer(hit("a", "word " * 99), hit("b", "tea")).as_prompt(2) == "- tea"


def test_ten_hits_cost_at_most_twice_their_facts() -> None:
    facts = [f"Deploy {number} failed because the cache was cold." for number in range(10)]
    told = answer(
        *(hit(str(place), fact, at=NOON, first_at=NOON, times=2, source="ci") for place, fact in enumerate(facts))
    )
    assert len(told.as_prompt()) <= 2 * sum(map(len, facts))


def test_a_budget_is_a_whole_number_of_tokens() -> None:
    with pytest.raises(InputError, match="budget"):
        answer().as_prompt(0)

"""Months, dates in figures and days of the week: which one a question means."""

from __future__ import annotations

import pytest

from asterism.core.ledger.calendar import to_datetime, to_micros
from asterism.core.recall.asked_time import asked_time
from asterism.core.recall.cues import question_of

NOW = to_micros("2026-11-18T10:00:00Z")  # a Wednesday


def told(question: str, now: int = NOW) -> list[str]:
    spans = asked_time(question, now).spans
    return [" to ".join(f"{to_datetime(at):%Y-%m-%d %H:%M}".removesuffix(" 00:00") for at in span) for span in spans]


@pytest.mark.parametrize(
    ("question", "begin", "end"),
    [
        ("in early March", "2026-03-01", "2026-03-11"),
        ("in the middle of June", "2026-06-11", "2026-06-21"),
        ("at the end of June", "2026-06-21", "2026-07-01"),
        ("in the first half of June", "2026-06-01", "2026-06-16"),
        ("in the second half of June", "2026-06-16", "2026-07-01"),
        ("late on 3 June", "2026-06-03", "2026-06-04"),
        ("since early June", "2026-06-01", "2026-11-18"),
    ],
)
def test_a_part_of_a_month_is_that_part(question: str, begin: str, end: str) -> None:
    (span,) = asked_time(f"What did I do {question}?", to_micros("2026-11-18")).spans
    assert [to_datetime(at).strftime("%Y-%m-%d") for at in span] == [begin, end]


def test_in_january_this_winter_has_begun_in_december() -> None:
    assert told("What happened this winter?", to_micros("2026-01-10")) == ["2025-12-01 to 2026-03-01"]
    assert told("What happened this winter?", to_micros("2026-12-10")) == ["2026-12-01 to 2027-03-01"]


@pytest.mark.parametrize(
    "question",
    [
        "What does June like?",
        "What did May say?",
        "May said something about April",
        "When is June's birthday?",
        "What is in April's bag?",
        "Is the present from June?",
        "What did I give to June?",
        "Was I there with Anna and June?",
        "Who is the brother of August?",
        "June told me what?",
        "Is June coming?",
        "What did I tell my sister June?",
    ],
)
def test_a_month_that_is_somebodys_name_is_no_time(question: str) -> None:
    assert told(question) == []
    assert not question_of(question).months


@pytest.mark.parametrize(
    ("question", "spans"),
    [
        ("What did June do in May?", ["2026-05-01 to 2026-06-01"]),
        ("Who came from May to June?", ["2026-05-01 to 2026-07-01"]),
        ("Who came between April and June?", ["2026-04-01 to 2026-07-01"]),
        ("Who came from June on?", ["2026-06-01 to 2026-07-01"]),
        ("Who came at the end of June?", ["2026-06-21 to 2026-07-01"]),
        ("Who came on the 3rd of June?", ["2026-06-03 to 2026-06-04"]),
        ("Who came in July or June?", ["2026-06-01 to 2026-07-01", "2026-07-01 to 2026-08-01"]),
        ("Was June 2025 warm?", ["2025-06-01 to 2025-07-01"]),
        ("June", ["2026-06-01 to 2026-07-01"]),
        ("How much was the electricity bill of June?", ["2026-06-01 to 2026-07-01"]),
        ("How much was our June electricity bill?", ["2026-06-01 to 2026-07-01"]),
        ("Was I at home all of June?", ["2026-06-01 to 2026-07-01"]),
        ("What is in my April notes?", ["2026-04-01 to 2026-05-01"]),
        ("Who came to the June visit?", ["2026-06-01 to 2026-07-01"]),
        ("Was August hot?", ["2026-08-01 to 2026-09-01"]),
        ("Which bill is from June?", ["2026-06-01 to 2026-07-01"]),
        ("Who came in April and May?", ["2026-04-01 to 2026-05-01", "2026-05-01 to 2026-06-01"]),
    ],
)
def test_a_month_that_could_be_a_name_is_a_time_where_it_is_spoken_of_as_one(question: str, spans: list[str]) -> None:
    assert told(question) == spans


def test_who_is_named_like_a_month_is_called_by_it() -> None:
    assert question_of("What did June do in May?").called == {"june"}


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("What do I have on Friday?", "2026-11-20 to 2026-11-21"),
        ("What is on this Friday?", "2026-11-20 to 2026-11-21"),
        ("Is there anything this Monday?", "2026-11-23 to 2026-11-24"),
        ("Who comes on Friday?", "2026-11-20 to 2026-11-21"),
        ("Am I free on Wednesday?", "2026-11-18 to 2026-11-19"),
        ("What have I got on Thursday?", "2026-11-19 to 2026-11-20"),
        ("Is there anything on 20 November?", "2026-11-20 to 2026-11-21"),
        ("Where do I go in December?", "2026-12-01 to 2027-01-01"),
        ("What do I have on the 3rd?", "2026-12-03 to 2026-12-04"),
        ("Who is here at Christmas?", "2026-12-24 to 2026-12-27"),
        ("What do I have in two weeks?", "2026-11-28 22:00 to 2026-12-05 22:00"),
        ("What did I do on Friday?", "2026-11-13 to 2026-11-14"),
        ("What have I eaten on Friday?", "2026-11-13 to 2026-11-14"),
        ("Who is the man I met on Friday?", "2026-11-13 to 2026-11-14"),
        ("Who is the man I visited on Friday?", "2026-11-13 to 2026-11-14"),
        ("Which of my notes is of Friday?", "2026-11-13 to 2026-11-14"),
        ("What is new since Friday?", "2026-11-13 to 2026-11-18 10:00"),
        ("What is in my December notes?", "2025-12-01 to 2026-01-01"),
        ("the meeting on Friday", "2026-11-13 to 2026-11-14"),
        ("this Friday", "2026-11-20 to 2026-11-21"),
    ],
)
def test_the_tense_of_a_question_says_whether_the_last_or_the_coming_one_is_meant(question: str, span: str) -> None:
    assert told(question) == [span]


@pytest.mark.parametrize("date", ["3.11.2026", "3. 11. 2026", "03.11.2026", "2026-11-03", "3.11.26"])
def test_a_date_may_be_written_in_figures(date: str) -> None:
    assert told(f"What did I do on {date}?") == ["2026-11-03 to 2026-11-04"]
    assert asked_time(f"What did I do on {date}?", NOW).either == ()


@pytest.mark.parametrize("date", ["3/11/2026", "11/3/2026", "11/03/2026", "3/11/26", "3/11"])
def test_of_a_date_with_strokes_that_may_be_two_days_both_are_meant(date: str) -> None:
    asked = asked_time(f"What did I do on {date}?", NOW)
    assert told(f"What did I do on {date}?") == ["2026-03-11 to 2026-03-12", "2026-11-03 to 2026-11-04"]
    assert asked.either == (date,)


def test_a_date_with_strokes_that_can_be_one_day_is_that_day() -> None:
    assert told("on 23/3/2026") == told("on 3/23/2026") == ["2026-03-23 to 2026-03-24"]
    assert told("on 4/4/2026") == ["2026-04-04 to 2026-04-05"]
    assert told("on 31/31/2026") == told("on 31/2/2026") == []


def test_since_a_date_with_strokes_is_since_either_day() -> None:
    assert [span.split(" to ")[0] for span in told("since 3/11/2026")] == ["2026-03-11", "2026-11-03"]

"""Words of time in a question become stretches of time relative to when it is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.ledger.calendar import FIRST_TIME, LATEST, to_datetime, to_micros
from asterism.core.recall.asked_time import READ_WITHIN, AskedTime, asked_time

NOW = to_micros("2026-11-18T10:00:00Z")  # a Wednesday
MONDAY = to_micros("2026-11-16T10:00:00Z")
SATURDAY = to_micros("2026-11-21T10:00:00Z")
WORDS = [
    "may",
    "march",
    "in",
    "since",
    "until",
    "from",
    "to",
    "between",
    "and",
    "before",
    "after",
    "by",
    "last",
    "this",
    "next",
    "past",
    "the",
    "3",
    "31",
    "29",
    "30",
    "9999",
    "2024",
    "1999s",
    "2024-02-30",
    "2024-05",
    "2025-05-06",
    "february",
    "may,",
    "summer",
    "winter",
    "tuesday",
    "week",
    "weekend",
    "year",
    "month",
    "days",
    "ago",
    "few",
    "a",
    "couple",
    "of",
    "yesterday",
    "morning",
    "night",
    "tonight",
    "tomorrow",
    "now",
    "still",
    "latest",
    "used",
    "to",
    "-",
    "minutes",
    "hours",
    "decade",
    "10th",
    "–",
    "will",
    "christmas",
    "at",
    "easter",
    "'24",
    "3/11",
    "3/11/26",
    "other",
    "day",
    "nineties",
    "half",
    "from",
    "what",
    "do",
    "time",
    "31st",
    "on",
]


def told(question: str, now: int = NOW) -> list[str]:
    spans = asked_time(question, now).spans
    return [" to ".join(f"{to_datetime(at):%Y-%m-%d %H:%M}".removesuffix(" 00:00") for at in span) for span in spans]


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("today", "2026-11-18 to 2026-11-19"),
        ("yesterday evening", "2026-11-17 17:00 to 2026-11-18"),
        ("the day before yesterday", "2026-11-16 to 2026-11-17"),
        ("tonight", "2026-11-18 17:00 to 2026-11-19 06:00"),
        ("last night", "2026-11-17 17:00 to 2026-11-18 06:00"),
        ("this morning", "2026-11-18 to 2026-11-18 12:00"),
        ("last week", "2026-11-09 to 2026-11-16"),
        ("this week", "2026-11-16 to 2026-11-23"),
        ("next week", "2026-11-23 to 2026-11-30"),
        ("last weekend", "2026-11-14 to 2026-11-16"),
        ("this weekend", "2026-11-21 to 2026-11-23"),
        ("next weekend", "2026-11-21 to 2026-11-23"),
        ("previous month", "2026-10-01 to 2026-11-01"),
        ("last year", "2025-01-01 to 2026-01-01"),
        ("the past week", "2026-11-11 10:00 to 2026-11-18 10:00"),
        ("over the last 3 months", "2026-08-20 10:00 to 2026-11-18 10:00"),
        ("three days ago", "2026-11-15 to 2026-11-16"),
        ("20 days ago", "2026-10-27 to 2026-11-01"),
        ("a few days ago", "2026-11-13 to 2026-11-17"),
        ("two weeks ago", "2026-10-31 22:00 to 2026-11-07 22:00"),
        ("an hour ago", "2026-11-18 08:30 to 2026-11-18 09:30"),
        ("ten minutes ago", "2026-11-18 09:48 to 2026-11-18 09:51"),
        ("half a year ago", "2026-02-17 16:00 to 2026-08-19 04:00"),
        ("half a day ago", "2026-11-17 16:00 to 2026-11-18 04:00"),
        ("ten weeks ago", "2026-08-29 22:00 to 2026-09-19 22:00"),
        ("in the last week", "2026-11-11 10:00 to 2026-11-18 10:00"),
        ("in March", "2026-03-01 to 2026-04-01"),
        ("in December", "2025-12-01 to 2026-01-01"),
        ("June", "2026-06-01 to 2026-07-01"),
        ("last November", "2025-11-01 to 2025-12-01"),
        ("this May", "2026-05-01 to 2026-06-01"),
        ("next May", "2027-05-01 to 2027-06-01"),
        ("May 2023", "2023-05-01 to 2023-06-01"),
        ("on 3 November", "2026-11-03 to 2026-11-04"),
        ("December 24th", "2025-12-24 to 2025-12-25"),
        ("5th of may, 2023", "2023-05-05 to 2023-05-06"),
        ("29 February", "2024-02-29 to 2024-03-01"),
        ("2025-03-04", "2025-03-04 to 2025-03-05"),
        ("2025-03", "2025-03-01 to 2025-04-01"),
        ("in 2024", "2024-01-01 to 2025-01-01"),
        ("in the 1990s", "1990-01-01 to 2000-01-01"),
        ("in spring 2025", "2025-03-01 to 2025-06-01"),
        ("in the fall", "2026-09-01 to 2026-12-01"),
        ("in winter", "2025-12-01 to 2026-03-01"),
        ("last summer", "2026-06-01 to 2026-09-01"),
        ("on Wednesday", "2026-11-18 to 2026-11-19"),
        ("last Wednesday", "2026-11-11 to 2026-11-12"),
        ("last Tuesday", "2026-11-17 to 2026-11-18"),
        ("this Friday", "2026-11-13 to 2026-11-14"),
        ("this Monday", "2026-11-16 to 2026-11-17"),
        ("from Monday to Friday", "2026-11-09 to 2026-11-14"),
        ("between Friday and Monday", "2026-11-13 to 2026-11-17"),
        ("2019-2021", "2019-01-01 to 2022-01-01"),
        ("June to August", "2026-06-01 to 2026-09-01"),
        ("next Friday", "2026-11-20 to 2026-11-21"),
        ("next Tuesday", "2026-11-24 to 2026-11-25"),
        ("since summer", "2026-06-01 to 2026-11-18 10:00"),
        ("since tomorrow", "2026-11-19 to 2026-11-20"),
        ("after March 2025", "2025-04-01 to 2026-11-18 10:00"),
        ("after yesterday", "2026-11-18 to 2026-11-18 10:00"),
        ("between March and May", "2026-03-01 to 2026-06-01"),
        ("between 3 and 10 November", "2026-11-03 to 2026-11-11"),
        ("November 3-10, 2025", "2025-11-03 to 2025-11-11"),
        ("from December to March", "2025-12-01 to 2026-04-01"),
        ("from March to December", "2025-03-01 to 2026-01-01"),
        ("from March to May 2025", "2025-03-01 to 2025-06-01"),
        ("from March 2024 to May", "2024-03-01 to 2024-06-01"),
        ("from last Tuesday until yesterday", "2026-11-17 to 2026-11-18"),
        ("between yesterday and 2024", "2024-01-01 to 2026-11-18"),
        ("on Friday evening", "2026-11-13 17:00 to 2026-11-14"),
        ("day before yesterday", "2026-11-16 to 2026-11-17"),
        ("the day after tomorrow", "2026-11-20 to 2026-11-21"),
        ("the week before last", "2026-11-02 to 2026-11-09"),
        ("the weekend before last", "2026-11-07 to 2026-11-09"),
        ("the month before last", "2026-09-01 to 2026-10-01"),
        ("the year before last", "2024-01-01 to 2025-01-01"),
        ("the night before last", "2026-11-16 17:00 to 2026-11-17 06:00"),
        ("the Monday before last", "2026-11-09 to 2026-11-10"),
        ("the Wednesday before last", "2026-11-04 to 2026-11-05"),
        ("a fortnight ago", "2026-10-28 10:00 to 2026-11-11 10:00"),
        ("in the last fortnight", "2026-11-04 10:00 to 2026-11-18 10:00"),
        ("two and a half years ago", "2024-02-18 16:00 to 2024-08-19 04:00"),
        ("a year and a half ago", "2025-02-17 16:00 to 2025-08-19 04:00"),
        ("twenty days ago", "2026-10-27 to 2026-11-01"),
        ("two Fridays ago", "2026-11-06 to 2026-11-07"),
        ("a week ago on Monday", "2026-11-09 to 2026-11-10"),
        ("Monday a week ago", "2026-11-09 to 2026-11-10"),
        ("two summers ago", "2025-06-01 to 2025-09-01"),
        ("the other day", "2026-11-08 to 2026-11-18"),
        ("the other week", "2026-10-21 to 2026-11-18"),
        ("this time last year", "2025-11-03 to 2025-12-04"),
        ("earlier this week", "2026-11-16 to 2026-11-18 10:00"),
        ("later this week", "2026-11-18 10:00 to 2026-11-23"),
        ("in the first week of March", "2026-03-01 to 2026-03-08"),
        ("in the last week of March", "2026-03-25 to 2026-04-01"),
        ("on the 3rd", "2026-11-03 to 2026-11-04"),
        ("on the 31st", "2026-10-31 to 2026-11-01"),
        ("last Christmas", "2025-12-24 to 2025-12-27"),
        ("at Easter", "2026-04-03 to 2026-04-07"),
        ("on New Year's Eve 2023", "2023-12-31 to 2024-01-01"),
        ("in mid-March", "2026-03-11 08:00 to 2026-03-21 16:00"),
        ("in the nineties", "1990-01-01 to 2000-01-01"),
        ("in the 20s", "2020-01-01 to 2030-01-01"),
        ("on 3.11.26", "2026-11-03 to 2026-11-04"),
        ("in March '24", "2024-03-01 to 2024-04-01"),
        ("in '98", "1998-01-01 to 1999-01-01"),
    ],
)
def test_words_of_time_are_a_stretch(question: str, span: str) -> None:
    assert told(f"What happened {question}?") == [span]


def test_before_a_time_is_a_stretch_and_before_something_is_what_was() -> None:
    assert not asked_time("Where did I live before May?", NOW).former
    assert asked_time("Where did I live before I married in May?", NOW).former


def test_the_day_before_yesterday_is_a_day_and_not_what_was() -> None:
    assert not asked_time("Who did I meet the day before yesterday?", NOW).former


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("Where will Anna live in January?", "2027-01-01 to 2027-02-01"),
        ("Where will Anna live in November?", "2026-11-01 to 2026-12-01"),
        ("What is planned for December 24th?", "2026-12-24 to 2026-12-25"),
        ("Who is going to come in winter?", "2026-12-01 to 2027-03-01"),
        ("Who will come on Friday?", "2026-11-20 to 2026-11-21"),
        ("Who will come on Wednesday?", "2026-11-18 to 2026-11-19"),
        ("Who will come on 29 February?", "2028-02-29 to 2028-03-01"),
        ("Who will come in 2025?", "2025-01-01 to 2026-01-01"),
        ("What did Will do in March?", "2026-03-01 to 2026-04-01"),
        ("Where will I be in three days?", "2026-11-21 to 2026-11-22"),
        ("Where will I be in three days' time?", "2026-11-21 to 2026-11-22"),
        ("Where will I be a fortnight from now?", "2026-11-25 10:00 to 2026-12-09 10:00"),
        ("Who will come on Friday week?", "2026-11-27 to 2026-11-28"),
        ("Who will come a week on Friday?", "2026-11-27 to 2026-11-28"),
        ("What will happen this time next week?", "2026-11-24 to 2026-11-27"),
        ("Who will come next Christmas?", "2026-12-24 to 2026-12-27"),
    ],
)
def test_a_question_that_looks_ahead_means_the_next_such_time(question: str, span: str) -> None:
    assert told(question) == [span]


def test_at_the_end_of_the_calendar_there_is_no_next_time() -> None:
    assert told("Who will come on 29 February?", LATEST) == ["9996-02-29 to 9996-03-01"]


def test_of_a_long_text_only_the_beginning_is_read_for_times() -> None:
    assert told("in june " * 1000) == ["2026-06-01 to 2026-07-01"]
    assert told("x" * READ_WITHIN + " in june") == []


def test_before_and_until_begin_with_the_calendar() -> None:
    for question, end in (
        ("before 2025", "2025-01-01"),
        ("prior to 2025", "2025-01-01"),
        ("until May 2025", "2025-06-01"),
        ("by Friday", "2026-11-14"),
    ):
        (span,) = asked_time(question, NOW).spans
        assert (span[0], f"{to_datetime(span[1]):%Y-%m-%d}") == (FIRST_TIME, end)


def test_a_weekend_is_told_by_the_day_on_which_it_is_asked_about() -> None:
    assert told("this weekend", MONDAY) == ["2026-11-14 to 2026-11-16"]
    assert told("last weekend", SATURDAY) == ["2026-11-14 to 2026-11-16"]
    assert told("next weekend", SATURDAY) == ["2026-11-28 to 2026-11-30"]


@pytest.mark.parametrize(
    "question",
    [
        "May I march with Jan?",
        "did he fall in love",
        "which mattress has the best spring?",
        "9999 years ago",
        "how long ago was it?",
        "What did she last say?",
        "on Tuesdays",
        "Who wants to march?",
    ],
)
def test_other_words_are_no_time(question: str) -> None:
    assert told(question) == []


def test_a_day_that_no_calendar_has_is_no_time() -> None:
    assert told("on 31 February") == []
    assert told("on 2023-02-30") == []
    assert told("on June 31") == []
    assert told("on 31 may") == ["2026-05-31 to 2026-06-01"]
    assert told("on 32 may") == []


def test_several_times_are_several_stretches() -> None:
    assert told("in March or on 3 May, in March") == ["2026-03-01 to 2026-04-01", "2026-05-03 to 2026-05-04"]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Where does Anna live now?", AskedTime(now=True)),
        ("Does she still work there?", AskedTime(now=True)),
        ("What is my current job?", AskedTime(now=True)),
        ("What do I read these days?", AskedTime(now=True)),
        ("Does it rain now and then?", AskedTime()),
        ("What is the latest version?", AskedTime(latest=True)),
        ("When was the last time I slept?", AskedTime(latest=True, last=True)),
        ("When did I last see Anna?", AskedTime(latest=True, last=True)),
        ("What was the last film I saw?", AskedTime(latest=True, last=True)),
        ("When was Anna here last?", AskedTime(latest=True, last=True)),
        ("How long did the meeting last?", AskedTime()),
        ("How did she get hurt last season?", AskedTime()),
        ("What did I cook for the first time?", AskedTime()),
        ("What is Anna's last name?", AskedTime()),
        ("Where did I live previously?", AskedTime(former=True)),
        ("What was my number before the change?", AskedTime(former=True, before=frozenset({"change"}))),
        (
            "Where did I live prior to moving to Bath, and how?",
            AskedTime(former=True, before=frozenset({"moving", "bath"})),
        ),
        ("Where did I live after Leeds?", AskedTime(after=frozenset({"leeds"}))),
        ("When did I first run?", AskedTime(first=True)),
        ("When was the first time I ran?", AskedTime(first=True)),
        ("When did I have my first day at work?", AskedTime()),
        ("What is Anna's first name?", AskedTime()),
        ("Where did she use to live?", AskedTime(former=True)),
        ("Where did she live before?", AskedTime(former=True)),
        ("How often did it rain?", AskedTime(often=True)),
        ("How many times have I called?", AskedTime(often=True)),
        ("Where will I live?", AskedTime(ahead=True)),
        ("What happens soon?", AskedTime(ahead=True)),
        ("Why do deploys fail?", AskedTime()),
    ],
)
def test_now_the_latest_and_what_was_are_told_apart(question: str, asked: AskedTime) -> None:
    found = replace(asked_time(question, NOW), words=frozenset())
    assert found == asked
    assert bool(found) == (asked != AskedTime())


@given(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), st.integers(FIRST_TIME, LATEST))
def test_whatever_is_asked_a_stretch_begins_before_it_ends(question: str, now: int) -> None:
    for begin, end in asked_time(question, now).spans:
        assert FIRST_TIME <= begin < end <= LATEST


@given(st.text(max_size=60), st.integers(FIRST_TIME, LATEST))
def test_any_text_can_be_asked(question: str, now: int) -> None:
    assert isinstance(asked_time(question, now), AskedTime)


@pytest.mark.parametrize(
    "question",
    [
        "How much do I run in a week?",
        "What did I write in three days?",
        "What do I do every other day?",
        "Who lives on the 3rd floor?",
        "Where is the Christmas card?",
        "What is 3/4 of it?",
    ],
)
def test_what_only_sounds_like_a_time_is_none(question: str) -> None:
    assert told(question) == []


@pytest.mark.parametrize("question", ["What happened earlier this week?", "What happened the previous week?"])
def test_a_word_of_a_time_asks_for_nothing_that_was_before(question: str) -> None:
    asked = asked_time(question, NOW)
    assert (asked.former, asked.latest, asked.now) == (False, False, False)


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("What did I do yesterday?", True),
        ("What happened on Monday?", True),
        ("What was on that day, 3 May?", True),
        ("What did I eat yesterday?", False),
        ("What did I do?", False),
    ],
)
def test_a_question_may_ask_for_nothing_but_a_time(question: str, alone: bool) -> None:
    assert asked_time(question, NOW).alone is alone

"""Questions of when, how often and what was before: the turn that is meant comes first, and surely."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.memories import AnyMemory, HandClock, remembering
from tests.support.stores import STORES, Place, place_of

NOW = datetime(2026, 11, 18, 10, tzinfo=UTC)
LEEDS, YORK, BATH = "I moved to Leeds.", "I moved to York.", "I moved to Bath."
HOMES = ((LEEDS, "2019-05-01"), (YORK, "2022-09-10"), (BATH, "2025-02-01"))
SWIM, BIKE, TEA = "I went for a swim in the lake.", "I bought a bike.", "My favourite drink is tea."
EVENTS = (
    ("I went running.", "2026-10-01"),
    ("I went running.", "2026-10-05"),
    ("I ran five kilometres.", "2026-11-02"),
    ("I went for a run in the park.", "2026-10-09"),
    ("I did not run.", "2026-10-20"),
    ("I will run tomorrow.", "2026-10-21"),
    ("I had a headache.", "2024-01-01"),
    ("I had a headache.", "2026-09-01"),
    ("I had a bad headache again.", "2026-11-03"),
    (SWIM, "2026-11-17"),
    (BIKE, "2026-11-17"),
    ("Anna came from York to visit us.", "2026-06-03"),
    ("I met a friend from Leeds.", "2026-07-03"),
)


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


@pytest.fixture
def memory(place: Place) -> Iterator[AnyMemory]:
    with remembering(place, clock=HandClock(NOW)) as memory:
        for text, at in HOMES:
            memory.learn(text, at=at, slot="me/home")
        for text, at in EVENTS:
            memory.learn(text, at=at)
        memory.learn(TEA, at="2026-11-17", slot="me/drink")
        yield memory


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When did I move to York?", YORK),
        ("When did I move to Leeds?", LEEDS),
        ("When did I move to Bath?", BATH),
        ("Why did I move to York?", YORK),
        ("Where did I move to before York?", LEEDS),
        ("Where did I move to before Bath?", YORK),
        ("Where did I move to after Leeds?", YORK),
        ("Where did I move to after York?", BATH),
        ("Where did I move to last?", BATH),
        ("When did I first go running?", "I went running."),
        ("When did I last go running?", "I ran five kilometres."),
        ("When did I last have a headache?", "I had a bad headache again."),
        ("When did I first have a headache?", "I had a headache."),
    ],
)
def test_the_turn_that_is_meant_comes_first_and_surely(memory: AnyMemory, question: str, first: str) -> None:
    answer = memory.recall(question)
    if question.startswith("Why"):  # nobody told why
        assert answer.hits[0].text == first
    else:
        assert (answer.hits[0].text, answer.unsure) == (first, False)


def test_a_question_of_now_is_answered_by_what_holds(memory: AnyMemory) -> None:
    assert memory.recall("Do I live in Bath, to which I moved?").hits[0].text == BATH
    assert memory.recall("Where have I moved to now?").hits[0].text == BATH


def test_without_slots_turns_are_known_by_what_a_dream_found_to_contradict(place: Place) -> None:
    with remembering(place, clock=HandClock(NOW)) as memory:
        for text, at in HOMES:
            memory.learn(text, at=at)
        memory.dream()
        assert memory.recall("Where did I move to before York?").hits[0].text == LEEDS
        assert memory.recall("Where did I move to before Bath?").hits[0].text == YORK


def test_what_replaced_something_stands_for_it(place: Place) -> None:
    with remembering(place, clock=HandClock(NOW)) as memory:
        lisbon = memory.learn("Anna lives in Lisbon.", at="2026-01-10")
        memory.learn("Anna moved to Porto.", at="2026-05-02")
        memory.dream()
        (found,) = memory.conflicts()
        memory.learn(found.later.text, replaces=lisbon.id, at=found.later.at)
        assert memory.conflicts() == []
        answer = memory.recall("Where does Anna live?")
        assert [hit.text for hit in answer.hits] == ["Anna moved to Porto.", "Anna lives in Lisbon."]
        assert memory.recall("Where did Anna live before Porto?").hits[0].text == "Anna lives in Lisbon."


@pytest.mark.parametrize("question", ["What did I do yesterday?", "What happened yesterday?", "What was yesterday?"])
def test_a_question_for_a_day_is_answered_by_its_events_and_not_by_what_holds(memory: AnyMemory, question: str) -> None:
    answer = memory.recall(question)
    assert not answer.unsure
    assert {hit.text for hit in answer.hits[:2]} == {SWIM, BIKE}
    assert answer.hits[0].probability == answer.hits[1].probability
    assert BATH not in {hit.text for hit in answer.clear_hits}


def test_how_often_counts_all_that_tells_of_it_in_whatever_words(memory: AnyMemory) -> None:
    for question, times, ways in (
        ("How often did I run?", 4, 3),
        ("How often did I run in October?", 3, 2),
        ("How many times did I have a headache?", 3, 2),
        ("How often did I go for a swim in the lake?", 1, 1),
    ):
        often = memory.recall(question).often
        assert often is not None
        assert (often.times, len(often.tellings)) == (times, ways), question
    assert memory.recall("When did I run?").often is None
    assert memory.recall("How often did I fly to the moon?").often is None


def test_how_often_is_said_where_one_hit_does_not_tell_it_all(memory: AnyMemory) -> None:
    answer = memory.recall("How often did I run?")
    assert "4 times in all, told in 3 ways: 2x [" in str(answer)
    assert answer.as_prompt().startswith("4 times in all, told in 3 ways:\n- ")
    assert "in all" not in str(memory.recall("How often did I go for a swim in the lake?"))


def test_told_of_one_day_in_two_ways_it_was_once(memory: AnyMemory) -> None:
    memory.learn("My run was short.", at="2026-11-02")
    often = memory.recall("How often did I run?").often
    assert often is not None
    assert often.times == 4


def test_lines_of_talk_are_counted_for_who_said_them(place: Place) -> None:
    with remembering(place, clock=HandClock(NOW)) as memory:
        talk = {
            "2026-11-01": (("Anna", "I went swimming today."), ("Ben", "Nice. Swimming is healthy.")),
            "2026-11-08": (("Anna", "I went swimming again."), ("Ben", "Did you go swimming alone?")),
            "2026-11-15": (("Ben", "Tell me."), ("Anna", "Swimming was great this morning.")),
        }
        for at, lines in talk.items():
            memory.learn_many([{"content": text, "speaker": name, "at": at} for name, text in lines], conversation=at)
        often = memory.recall("How often did Anna go swimming?").often
        assert often is not None
        assert (often.times, len(often.tellings)) == (3, 3)


def test_several_spaces_are_counted_each_by_itself(place: Place) -> None:
    for space in ("home", "work"):
        with remembering(place, space=space, clock=HandClock(NOW)) as memory:
            memory.learn("I went running.", at="2026-10-01")
            if space == "work":
                often = memory.recall("How often did I go running?", spaces=["home", "work"]).often
                assert often is not None
                assert (often.times, len(often.tellings)) == (2, 2)

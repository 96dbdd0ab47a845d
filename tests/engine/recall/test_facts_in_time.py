"""Recall prefers what holds at the time asked about, says how long a hit holds, and leaves out what expired."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from asterism.core.recall.model import Answer
from asterism.errors import InputError
from tests.support.five import STARTED, market
from tests.support.memories import AnyMemory, HandClock, remembering
from tests.support.stores import STORES, Place, place_of

NOW = datetime(2026, 11, 18, 10, tzinfo=UTC)
PARIS, BERLIN, CODE, ACHE = "I live in Paris.", "I live in Berlin.", "The wifi code is 1234.", "Had a headache."


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def told(memory: AnyMemory) -> AnyMemory:
    memory.learn(PARIS, at="2026-01-01", slot="user/home", speaker="Anna", conversation="breakfast")
    memory.learn(BERLIN, at="2026-06-01", slot="user/home", source="mail")
    memory.learn(CODE, at="2026-10-01", expires="2026-10-10")
    memory.learn(ACHE, at="2026-10-01", source="diary")
    memory.learn(ACHE, at="2026-11-03", source="diary")
    return memory


def remembered(place: Place) -> AnyMemory:
    memory = remembering(place, clock=HandClock(NOW))
    memory.__enter__()
    return told(memory)


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


def test_what_holds_at_the_time_asked_about_comes_first(place: Place) -> None:
    with remembered(place) as memory:
        for question, first in (
            ("Where do I live?", BERLIN),
            ("Where do I live now?", BERLIN),
            ("Where did I live in March?", PARIS),
            ("Where did I live before May?", PARIS),
            ("Where did I live previously?", PARIS),
            ("Where did I live three months ago?", BERLIN),
        ):
            assert texts(memory.recall(question))[0] == first, question
        assert texts(memory.as_of("2026-03-01").recall("Where do I live?")) == [PARIS]


def test_a_question_can_be_asked_at_another_time(place: Place) -> None:
    with remembered(place) as memory:
        for at in ("2026-03-01", "2026-11-02"):
            asked = memory.recall("Where do I live?", at=at)
            assert asked.hits == memory.as_of(at).recall("Where do I live?").hits
        assert texts(memory.recall("Where do I live?", at="2026-03-01")) == [PARIS]
        assert texts(memory.recall("Did I have a headache yesterday?", at="2026-11-04"))[0] == ACHE
        assert texts(memory.as_of("2026-03-01").recall("Where do I live?", at="2026-11-02")) == [PARIS]
        assert memory.recall("Where do I live?", at="2025-01-01").searched == 0
        with pytest.raises(InputError):
            memory.recall("Where do I live?", at="soon")


def test_where_no_hit_reaches_the_floor_the_answer_is_unsure(place: Place) -> None:
    with remembered(place) as memory:
        sure = memory.recall("Where do I live?")
        assert not sure.unsure
        none = memory.recall("Where do I live?", floor=1.0)
        assert (none.hits, none.unsure) == ((), True)
        assert not memory.recall("Where do I live?", floor=sure.hits[0].probability).unsure


def test_a_hit_says_when_it_was_told_and_how_long_it_holds(place: Place) -> None:
    with remembered(place) as memory:
        hits = {hit.text: hit for hit in memory.recall("live headache", floor=0).hits}
        assert hits[PARIS].context == "1 Jan 2026, Anna, breakfast; until 2026-06-01"
        assert (hits[PARIS].current, hits[BERLIN].current, hits[BERLIN].valid_until) == (False, True, None)
        assert hits[BERLIN].context == "1 Jun 2026, mail"
        assert hits[ACHE].context == "3 Nov 2026, diary; 2 times since 1 Oct"
        assert "not_valid" in hits[PARIS].signals
        assert "not_valid" not in hits[BERLIN].signals
        assert hits[ACHE].to_dict()["first_at"] == "2026-10-01T12:00:00+00:00"
        then = {hit.text: hit for hit in memory.as_of("2026-10-15").recall("live headache", floor=0).hits}
        assert then[ACHE].times == 1
        assert then[ACHE].at == then[ACHE].first_at


def test_a_hit_says_how_often_it_was_in_the_time_asked_about(place: Place) -> None:
    with remembered(place) as memory:
        (ache,) = (hit for hit in memory.recall("How often did I have a headache in October?").hits if hit.text == ACHE)
        assert (ache.times, ache.times_then) == (2, 1)
        assert ache.context == "3 Nov 2026, diary; 2 times since 1 Oct, 1 of them then"
        (paris,) = (hit for hit in memory.recall("Where did I live in March?").hits if hit.text == PARIS)
        assert paris.times_then == 0  # it held then, and was told before
        assert memory.recall("headache").hits[0].times_then is None


def test_what_expired_is_left_out_and_why_not_says_so(place: Place) -> None:
    with remembered(place) as memory:
        name = memory.as_of("2026-10-05").recall("wifi code").hits[0].id
        assert CODE not in texts(memory.recall("wifi code", floor=0))
        gone = memory.why_not(name, "wifi code")
        assert gone.gate == "expired"
        assert "2026-10-10" in gone.change
        memory.learn(CODE, at=NOW)
        assert texts(memory.recall("wifi code"))[0] == CODE
        assert memory.why_not(name, "wifi code").gate == "in"


def test_since_and_until_look_at_every_time(place: Place) -> None:
    with remembered(place) as memory:
        for since, until in (("2026-11-01", None), (None, "2026-10-02"), ("2026-11-03", "2026-11-03")):
            assert ACHE in texts(memory.recall("headache", since=since, until=until))
        assert ACHE not in texts(memory.recall("headache", since="2026-10-05", until="2026-10-30", floor=0))


def test_copies_that_were_merged_either_way_answer_alike(tmp_path: Path) -> None:
    for name, content, at in (("a", PARIS, "2026-01-01"), ("b", BERLIN, "2026-06-01")):
        with remembering(place_of("sqlite", tmp_path, f"{name}.db"), clock=HandClock(NOW)) as memory:
            memory.learn(content, at=at, slot="user/home")
            memory.learn(ACHE, at=at)
    seen = []
    for one, other in (("a", "b"), ("b", "a")):
        target = place_of("sqlite", tmp_path, f"{one}{other}.db")
        with remembering(target, clock=HandClock(NOW)) as memory:
            for name in (one, other):
                memory.merge(tmp_path / f"{name}.db")
            seen.append([memory.recall(query, floor=0).to_dict()["hits"] for query in ("Where do I live?", "headache")])
    assert seen[0] == seen[1]
    assert seen[0][0][0]["text"] == BERLIN
    assert seen[0][1][0]["times"] == 2


def test_what_was_erased_was_never_told(place: Place) -> None:
    with remembered(place) as memory:
        memory.erase(memory.recall("Where do I live?").hits[0].id)
        (hit, *_) = memory.recall("Where do I live?").hits
        assert (hit.text, hit.current, hit.valid_until) == (PARIS, True, None)


def test_a_floor_leaves_out_what_is_less_probable(place: Place) -> None:
    with remembered(place) as memory:
        answer = memory.recall("Where do I live?", floor=0.5)
        assert texts(answer) == [BERLIN]
        assert not answer.unsure
        assert memory.recall("What is the capital of Mongolia?").unsure
        left_out = memory.why_not(memory.recall("live", floor=0).hits[-1].id, "Where do I live?", floor=0.5)
        assert (left_out.gate, left_out.needed) == ("floor", 0.5)
        with pytest.raises(InputError, match="floor"):
            memory.recall("tea", floor=2)


def test_of_a_text_that_is_longer_than_a_question_the_likest_are_told(place: Place) -> None:
    summary = " ".join(f"word{number}" for number in range(13))
    with remembered(place) as memory:
        answer = memory.recall(f"{summary} headache")
        assert answer.hits == memory.recall(f"{summary} headache", floor=0).hits != ()


def test_of_a_text_that_tells_instead_of_asking_the_likest_are_told(place: Place) -> None:
    tells, asks = "A headache again. Zinc and copper.", "A headache again. Zinc and copper?"
    with remembered(place) as memory:
        assert memory.recall(tells).hits == memory.recall(tells, floor=0).hits
        assert len(memory.recall(asks).hits) < len(memory.recall(asks, floor=0).hits) == len(memory.recall(tells).hits)


def test_levels_carry_what_other_hits_do(place: Place) -> None:
    with remembering(place, clock=HandClock(NOW)) as memory:
        memory.feed("XUSDT", market(STARTED), source="tape", lateness=0)
        level = next(hit for hit in memory.recall("XUSDT").hits if hit.kind == "level")
        assert level.probability > 0.3
        assert level.at is not None
        assert memory.recall("XUSDT", floor=1.0).hits == ()


def test_what_why_not_says_of_the_floor_is_true(place: Place) -> None:
    with remembered(place) as memory:
        for query in ("Where do I live now?", "What is the capital of Mongolia?", "headache"):
            told = {hit.id: hit.probability for hit in memory.recall(query).hits}
            for hit in memory.recall(query, floor=0).hits:
                gate = memory.why_not(hit.id, query)
                assert (gate.gate == "in") == (hit.id in told)
                if gate.gate == "floor":
                    assert gate.value == hit.probability < gate.needed
                    assert all(each >= gate.needed or each == min(told.values()) for each in told.values())
                    assert hit.id in {each.id for each in memory.recall(query, **gate.ask).hits}
                again = memory.why_not(hit.id, query, k=1)
                if again.gate == "rank":
                    assert hit.id in {each.id for each in memory.recall(query, **{"k": 1, **again.ask}).hits}
                    assert ("floor" in again.change) == ("floor" in again.ask)


def test_what_does_not_answer_brings_nothing_that_it_took_the_place_of(place: Place) -> None:
    with remembered(place) as memory:
        assert PARIS in texts(memory.recall("Where do I live now?"))
        assert PARIS not in texts(memory.recall("How often did I have a headache in October?"))

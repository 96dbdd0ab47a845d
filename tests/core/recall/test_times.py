"""A question that asks about a time prefers what was told, or held, then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.ledger.calendar import MICROS_PER_DAY, to_micros
from asterism.core.ledger.columns import Longs
from asterism.core.ledger.graph import Entry
from asterism.core.recall.asked_time import AskedTime, asked_time
from asterism.core.recall.chance import is_unsure
from asterism.core.recall.index import Index
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import Hit, Recall
from asterism.core.recall.signals import Query
from asterism.core.recall.times import Moment, Times, time_signals

NOW = to_micros("2026-11-18")
OCTOBER, NOVEMBER = to_micros("2026-10-01"), to_micros("2026-11-03")
ENTRIES = (
    Entry("again", "had a headache", at=OCTOBER, times=(OCTOBER, NOVEMBER - 5 * MICROS_PER_DAY, NOVEMBER)),
    Entry("once", "had a headache too", at=OCTOBER - 60 * MICROS_PER_DAY),
    Entry("never", "had a headache as well"),
)


def rows(*names: str) -> Longs:
    return np.array([("again", "never", "once").index(name) for name in names], dtype=np.int64)


def recall_of(*entries: Entry) -> Recall:
    index = Index()
    for entry in entries:
        index.add(entry)
    return Recall(Index.load(index.dump()), RecallParameters())


def hits(question: str, **marked: Any) -> dict[str, dict[str, float]]:
    moment = Moment(NOW, asked_time(question, NOW), **marked)
    return {hit.id: dict(hit.signals) for hit in recall_of(*ENTRIES).ask(Query(question, moment=moment))}


def test_any_time_at_which_it_was_told_is_a_time_asked_about() -> None:
    for question in ("headache in october?", "headache on 3 November?", "headache three weeks ago?"):
        found = hits(question)
        assert [name for name, signals in found.items() if "then" in signals] == ["again"]
        assert next(iter(found)) == "again"
    assert not any("then" in signals for signals in hits("headache in 2019?").values())
    assert not any("then" in signals for signals in hits("headache?").values())


def test_what_is_gone_is_not_the_oldest_there_is() -> None:
    question = "What headache did I have lately?"
    query = Query(question, moment=Moment(NOW, asked_time(question, NOW)))
    whole = recall_of(Entry("old", "had a headache", at=0), *ENTRIES)
    whole.index.remove("old")
    assert whole.ask(query) == recall_of(*ENTRIES).ask(query)


def test_a_title_that_holds_the_word_asks_for_no_last_time() -> None:
    question = "When did I last see the Last Haul?"
    query = Query(question, moment=Moment(NOW, asked_time(question, NOW)))
    seen = Entry("seen", "I did see the haul", at=OCTOBER), Entry("again", "I did see the haul again", at=NOVEMBER)
    plain, titled = (
        recall_of(*seen, Entry("film", "a film", name=name, at=0)).ask(query) for name in ("", "Last Haul")
    )
    first, least = ({hit.id: hit.signals["recent"] for hit in hits if hit.id != "film"} for hits in (plain, titled))
    assert first["again"] == RecallParameters().weight_recent > least["again"]
    assert first["seen"] < least["seen"]


def test_what_held_in_the_time_asked_about_is_of_it_whenever_it_was_told() -> None:
    assert hits("headache in october?", held=rows("never"))["never"]["then"] == RecallParameters().weight_then


def test_what_speaks_of_the_time_asked_about_is_of_it_whenever_it_was_told() -> None:
    assert hits("headache in october?", named=rows("never"))["never"]["then"] == RecallParameters().weight_then


@pytest.mark.parametrize("question", ["did I have a headache in june?", "do I have a headache in december?"])
def test_what_speaks_of_another_time_answers_a_share_as_probably(question: str) -> None:
    moment = Moment(NOW, asked_time(question, NOW))
    alone = recall_of(Entry("other", "headache in february", at=OCTOBER))
    before, after = (
        alone.ask(Query(question, moment=each))[0].probability
        for each in (moment, replace(moment, named_else=np.array([0])))
    )
    assert after == pytest.approx(RecallParameters().chance_elsewhen * before, abs=1e-6)


def test_what_was_told_in_the_time_asked_about_may_speak_of_another() -> None:
    moment = Moment(NOW, asked_time("did I have a headache in october?", NOW), named_else=np.array([0]))
    (hit,) = recall_of(Entry("told", "headache since february", at=OCTOBER)).ask(Query("headache?", moment=moment))
    assert "then" in hit.signals


def test_a_date_that_is_asked_for_matches_whatever_was_told_or_held_on_it() -> None:
    found = hits("headache in november?", held=rows("never"))
    assert found["again"]["date"] == found["never"]["date"] == RecallParameters().weight_date
    assert "date" not in found["once"]


def test_what_was_told_more_than_once_comes_first_where_it_is_asked_how_often() -> None:
    found = hits("how often did I have a headache?")
    assert next(iter(found)) == "again"
    assert [name for name, signals in found.items() if "often" in signals] == ["again"]
    assert time_signals(Moment(NOW, AskedTime(often=True)), rows("once"), Times())["often"] is None


def test_what_was_told_last_comes_first_where_now_or_the_latest_is_asked_for() -> None:
    for question in ("headache now?", "the latest headache?"):
        found = hits(question)
        assert next(iter(found)) == "again"
        assert found["again"]["recent"] > found["once"].get("recent", 0.0) == 0.0
    assert "recent" not in hits("headache?")["again"]


def test_what_does_not_hold_says_so_unless_what_was_is_asked_for() -> None:
    weights = RecallParameters()
    found = hits("headache?", not_valid=rows("again"), former=rows("again"))
    assert found["again"]["not_valid"] == weights.weight_not_valid < 0
    assert list(found)[-1] == "again"
    former = hits("what headache did I use to have previously?", not_valid=rows("again"), former=rows("again"))
    assert former["again"]["former"] == weights.weight_former > 0
    assert "not_valid" not in former["again"]


SLOT = {"slots": np.array([4, 4]), "slot_rows": rows("again", "never")}
AGAIN_WAS, NONE_IS = {"slot_holds": np.array([False, True])}, {"slot_holds": np.array([False, False])}


def test_what_a_slot_holds_does_not_answer_what_it_held_before() -> None:
    slots = {"slots": np.array([0, 0, 1]), "slot_rows": rows("again", "once", "never"), "former": rows("once")}
    found = hits("where was the headache before?", slot_holds=np.array([True, False, True]), **slots)
    assert found["again"]["not_valid"] == RecallParameters().weight_not_valid
    assert "not_valid" not in found["once"]
    assert "not_valid" not in found["never"]  # its slot had no other value


def test_the_value_of_a_slot_has_what_a_former_value_has_more() -> None:
    entries = (Entry("again", "lives in Graz"), Entry("never", "moved to Oslo"), Entry("once", "paints"))

    def asked(question: str, **marked: Any) -> dict[str, Hit]:
        moment = Moment(NOW, asked_time(question, NOW), not_valid=rows("again"), **SLOT, **marked)
        return {hit.id: hit for hit in recall_of(*entries).ask(Query(question, moment=moment))}

    found = asked("lives where?", **AGAIN_WAS)
    assert next(iter(found)) == "never"
    assert found["never"].signals["heir"] > 0
    assert "heir" not in {**found["again"].signals, **found["once"].signals}
    assert found["never"].score == pytest.approx(sum(found["never"].signals.values()))
    for none in (asked("lives where?", **NONE_IS), asked("where did she use to live formerly?", **AGAIN_WAS)):
        assert not any("heir" in hit.signals for hit in none.values())


HOMES = tuple(
    Entry(name, text, at=OCTOBER + place * MICROS_PER_DAY)
    for place, (name, text) in enumerate((("a", "home in Leeds"), ("b", "home in York"), ("c", "home in Bath")))
)
TURNS: dict[str, Any] = {
    "turns": np.array([0, 1, 2]),
    "turns_of": np.array([0, 0, 0]),
    "slots": np.array([0, 0, 0]),
    "slot_rows": np.array([0, 1, 2]),
    "slot_holds": np.array([False, False, True]),
    "former": np.array([0, 1]),
    "not_valid": np.array([0, 1]),
}


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("where was home before York?", "a"),
        ("where was home before Bath?", "b"),
        ("where was home after Leeds?", "b"),
        ("where was home after York?", "c"),
        ("when was home in York?", "b"),
        ("where is home?", "c"),
        ("is home in York?", "c"),
        ("when was home first told?", "a"),
        ("which home was last?", "c"),
    ],
)
def test_of_those_that_took_turns_the_one_that_is_meant_comes_first(question: str, first: str) -> None:
    found = recall_of(*HOMES).ask(Query(question, moment=Moment(NOW, asked_time(question, NOW), **TURNS)))
    assert found[0].id == first


def test_before_something_of_other_turns_what_was_is_asked_for_as_ever() -> None:
    """Before we moved: that home was another does not say which code is meant."""
    entries = (*HOMES, Entry("d", "alarm code 12", at=OCTOBER), Entry("e", "alarm code 34", at=NOVEMBER))
    more = {
        "slots": np.array([0, 0, 0, 1, 1]),
        "slot_rows": np.arange(5),
        "slot_holds": np.array([False, False, True, False, True]),
        "former": np.array([0, 1, 3]),
        "not_valid": np.array([0, 1, 3]),
    }
    question = "what was the alarm code before Bath?"
    moment = Moment(NOW, asked_time(question, NOW), **{**TURNS, **more})
    assert recall_of(*entries).ask(Query(question, moment=moment))[0].id == "d"


def test_where_nothing_has_to_do_with_the_question_nothing_was_first() -> None:
    assert not any("recent" in signals for signals in hits("when did I first sail?").values())


def test_where_nothing_but_a_time_is_asked_for_all_that_was_told_then_answers() -> None:
    day = MICROS_PER_DAY
    told = (
        Entry("a", "swam", at=NOW - day),
        Entry("b", "bought a bike", at=NOW - day),
        Entry("c", "lives in Bath", at=NOW - 900 * day),
        Entry("d", "drinks tea", at=NOW - day),
    )
    question = "what did I do yesterday?"
    moment = Moment(NOW, asked_time(question, NOW), held=np.array([2, 3]), named=np.array([1]))
    found = {hit.id: hit for hit in recall_of(*told).ask(Query(question, moment=moment))}
    assert list(found) == ["b", "a", "d", "c"]
    assert found["a"].probability == found["b"].probability > found["d"].probability
    assert "then" not in found["c"].signals


def test_what_tells_of_something_is_named_in_its_words_and_by_who_is_asked_about() -> None:
    told = (
        Entry("1", "I went swimming", speaker="Anna", group="c", position=1),
        Entry("2", "are you swimming?", speaker="Anna", group="c", position=2),
        Entry("3", "I was swimming too", speaker="Ben", group="c", position=3),
        Entry("4", "Anna is always swimming", speaker="Ben", group="c", position=4),
        Entry("5", "I had tea", speaker="Anna", group="c", position=5),
    )
    recall = recall_of(*told)
    assert sorted(recall.telling(Query("how often did Anna go swimming?"))) == ["1", "4"]
    assert sorted(recall.telling(Query("how often was it swimming?"))) == ["1", "3", "4"]
    assert recall.telling(Query("how often?")) == []
    assert Recall(Index(), RecallParameters()).telling(Query("how often did Anna swim?")) == []


def test_what_a_slot_holds_is_as_of_now_whenever_it_was_told() -> None:
    marked = {"slots": np.array([0]), "slot_rows": rows("once"), "slot_holds": np.array([True])}
    assert hits("headache now?", **marked)["once"]["recent"] == RecallParameters().weight_recent
    assert "recent" not in hits("the latest headache?", **marked)["once"]


def test_what_something_later_contradicts_says_so_unless_another_time_is_asked_about() -> None:
    found = hits("headache?", outdated=rows("again"), later=rows("once"))
    assert found["again"]["outdated"] == RecallParameters().weight_outdated < 0
    assert list(found)[-1] == "again"
    for question in ("what headache did I use to have previously?", "headache in october?"):
        assert "outdated" not in hits(question, outdated=rows("again"), later=rows("once"))["again"]


def test_what_contradicts_something_takes_over_what_the_question_has_to_do_with_it() -> None:
    told = {"old": "Anna lives in Lisbon", "new": "Anna moved to Porto", "tea": "Anna likes tea"}
    recall = recall_of(*(Entry(name, text) for name, text in told.items()))
    pair = {"outdated": np.array([recall.index.rows["old"]]), "later": np.array([recall.index.rows["new"]])}
    asked = "where does Anna live?"
    plain = recall.ask(Query(asked, moment=Moment(NOW, asked_time(asked, NOW))))
    found = recall.ask(Query(asked, moment=Moment(NOW, asked_time(asked, NOW), **pair)))
    assert (plain[0].id, found[0].id) == ("old", "new")
    old = plain[0].signals
    new = found[0].signals  # that she moved somewhere has to do with where she lives, if in other words
    assert new["instead"] + new["kin"] + new["keyword"] + new["covered"] == pytest.approx(
        old["keyword"] + old["covered"]
    )


def test_what_has_left_recall_neither_answers_nor_leads_anywhere() -> None:
    assert list(hits("headache?", gone=rows("again", "once"))) == ["never"]


def test_how_lately_is_told_apart_near_and_far() -> None:
    days = np.array([0, 1, 30, 3000, 3600], dtype=np.int64)
    found = time_signals(Moment(NOW, AskedTime(now=True)), NOW - days * MICROS_PER_DAY, Times())["recent"]
    assert found is not None
    assert found[0] == 1.0
    assert found[-1] == 0.0
    assert min(-np.diff(found)) > 0.03


def test_of_entries_without_a_time_none_is_recent() -> None:
    found = recall_of(Entry("a", "tea")).ask(Query("tea now", moment=Moment(NOW, AskedTime(now=True))))
    assert "recent" not in found[0].signals


@given(st.dictionaries(st.integers(0, 5), st.lists(st.integers(0, 9), min_size=2, max_size=4).map(sorted).map(tuple)))
def test_times_are_loaded_as_they_were_dumped(told: dict[int, tuple[int, ...]]) -> None:
    times = Times()
    for row, each in told.items():
        times.put(row, (1, 2))
        times.put(row, each)
        times.put(row + 6, each)
        times.put(row + 6, ())
    again = Times.load(times.dump(np.arange(12)))
    assert [column.tolist() for column in again.flat()] == [column.tolist() for column in times.flat()]
    assert set(again.flat()[0].tolist()) == set(told)


DAY = MICROS_PER_DAY
HEADACHE, HOME = (
    Entry("head", "I had a headache.", at=NOW - 9 * DAY),
    Entry("home", "Nadia lives in Rome.", at=NOW - DAY),
)


def unsure(question: str, *entries: Entry, **marked: Any) -> bool:
    moment = Moment(NOW, asked_time(question, NOW), **marked)
    found = recall_of(*entries).ask(Query(question, moment=moment))
    return is_unsure(RecallParameters(), [hit.probability for hit in found])


def test_what_was_told_of_another_day_does_not_surely_answer_for_a_day() -> None:
    asked = "Did I have a headache yesterday?"
    again = HEADACHE._replace(times=(NOW - 9 * DAY, NOW - DAY))
    assert unsure(asked, HEADACHE, HOME)
    assert not unsure(asked, again, HOME)
    assert not unsure("Did I have a headache nine days ago?", HEADACHE, HOME)
    assert not unsure("Did I have a headache?", HEADACHE, HOME)
    assert not unsure(asked, HEADACHE._replace(text="I had a headache on Tuesday."), HOME)


def test_what_was_told_later_does_not_surely_answer_for_a_time_before() -> None:
    asked = "Where did Nadia live last year?"
    assert unsure(asked, HOME, HEADACHE)
    assert not unsure(asked, HOME, HEADACHE, held=np.array([1]))
    assert not unsure("Where did Nadia live this year?", HOME, HEADACHE)
    assert not unsure(asked, HOME._replace(at=None), HEADACHE)


def test_what_was_told_before_may_answer_for_a_longer_time_and_for_what_is_to_come() -> None:
    home = HOME._replace(at=NOW - 60 * DAY)
    assert not unsure("Where did Nadia live last month?", home, HEADACHE)
    assert not unsure("Where does Nadia live tomorrow?", home, HEADACHE)


def test_a_turn_of_a_talk_may_tell_of_another_day() -> None:
    said = HEADACHE._replace(speaker="Anna")
    assert not unsure("Did I have a headache yesterday?", said, HOME)


def test_what_was_told_of_the_time_is_as_probable_as_if_nothing_else_were_known() -> None:
    moment = Moment(NOW, asked_time("What did Anna say of her headache yesterday?", NOW))
    other = Entry("zoo", "The zoo was full.", at=NOW - DAY)
    found = recall_of(HEADACHE, other).ask(Query("What did Anna say of her headache yesterday?", moment=moment))
    assert {hit.id: hit.probability < RecallParameters().chance_floor for hit in found} == {"head": True, "zoo": True}


def test_what_is_to_come_does_not_surely_answer_what_is_and_is_not_recent() -> None:
    coming = HOME._replace(id="coming", text="Nadia lives in Oslo.")
    marked = {"not_valid": np.array([0]), "coming": np.array([0]), "awaited": np.array([0])}
    for question in ("Where does Nadia live?", "Where does Nadia live now?"):
        moment = Moment(NOW, asked_time(question, NOW), **marked)
        (hit, *_) = recall_of(coming, HEADACHE).ask(Query(question, moment=moment))
        assert (hit.id, "recent" in hit.signals) == ("coming", False)
        assert unsure(question, coming, HEADACHE, **marked)


def test_what_is_to_come_answers_what_will_be() -> None:
    coming = HOME._replace(id="coming", text="Nadia lives in Oslo.")
    question, marked = "Where will Nadia live?", {"not_valid": np.array([0]), "coming": np.array([0])}
    moment = Moment(NOW, asked_time(question, NOW), **marked)
    (hit, *_) = recall_of(coming, HOME).ask(Query(question, moment=moment))
    assert (hit.id, "not_valid" in hit.signals, hit.signals["then"]) == (
        "coming",
        False,
        RecallParameters().weight_then,
    )
    assert not unsure(question, coming, HOME, **marked)


def test_what_is_to_come_and_is_no_value_of_a_slot_answers_unless_now_is_asked_about() -> None:
    visit = Entry("visit", "The dentist appointment is at noon.", at=NOW - 9 * DAY)
    marked = {"not_valid": np.array([0]), "coming": np.array([0])}
    assert not unsure("When is the dentist appointment?", visit, HOME, **marked)
    assert not unsure("Is the dentist appointment at noon?", visit, HOME, **marked)
    assert unsure("Is the dentist appointment now?", visit, **marked)
    assert not unsure("When is the dentist appointment?", visit, HOME, **marked, awaited=np.array([0]))


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("Where do I live today?", "I live in Hamburg."),
        ("What is the wifi password today?", "The wifi password is bluewhale."),
        ("When does the train to Bonn leave this morning?", "The train to Bonn leaves at 7:12."),
        ("When does school start on Monday?", "School starts at 8."),
        ("Is the trash collected on Tuesday?", "The trash is collected on Tuesdays."),
        ("What do I take in winter?", "I take vitamin D in winter."),
        ("What was planted in spring?", "Tomatoes are planted in spring."),
        ("Was the trash collected on Tuesday?", "The trash is collected on Tuesdays."),
    ],
)
def test_what_was_told_before_answers_what_is_and_what_is_told_of_the_time_what_was(question: str, note: str) -> None:
    assert not unsure(question, Entry("note", note, at=NOW - 60 * DAY), HOME)

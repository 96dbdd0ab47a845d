"""How probable it is that a hit answers: raw values, whoever was asked about, and what is told at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from asterism.core.ledger.graph import Entry
from asterism.core.recall.chance import Raw, answerable, is_unsure, probability, worth_telling
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import Recall
from asterism.core.recall.said import WIDEST
from asterism.core.recall.signals import Query
from tests.core.recall.test_rank import asked, recall_of

P = RecallParameters()


def facts(*texts: str) -> list[Entry]:
    return [Entry(f"{number:02}", text) for number, text in enumerate(texts)]


def raw_of(recall: Recall, query: Query) -> Raw:
    scored = recall.score(query)
    may = np.ones(len(scored.scores), dtype=bool)
    return recall.looks.look(query, scored, np.argsort(-scored.scores).tolist(), may)


def best(recall: Recall, text: str) -> float:
    return recall.ask(Query(text))[0].probability


def test_what_is_told_word_for_word_is_sure_and_what_shares_no_word_is_not() -> None:
    recall = recall_of(facts("Anna lives in Berlin.", "Bob likes tea."))
    assert best(recall, "Where does Anna live now?") > P.chance_floor > best(recall, "What is the capital of Mongolia?")


def test_a_single_fact_does_not_answer_everything() -> None:
    recall = recall_of(facts("I moved to Berlin."))
    assert is_unsure(P, [hit.probability for hit in recall.ask(Query("capital of Mongolia?"))])
    assert not is_unsure(P, [hit.probability for hit in recall.ask(Query("Where did I move?"))])


@pytest.mark.parametrize("others", [0, 5, 200])
def test_the_raw_values_do_not_depend_on_how_much_else_is_known(others: int) -> None:
    recall = recall_of(facts("Anna lives in Berlin.", *(f"The {n}th meeting was long." for n in range(others))))
    raw = raw_of(recall, Query("Where does Anna live?"))
    assert (raw.held, raw.match, raw.gaps) == (1.0, 1.0, None)


def test_a_word_near_in_meaning_matches_and_the_cosine_counts() -> None:
    recall = recall_of(facts("I do kickboxing", "soup", "walks by the lake"), vectors=True)
    raw = raw_of(recall, asked("exercise"))
    assert (raw.held, raw.near, raw.match) == (0.0, 1.0, 1.0)


def test_a_match_in_a_neighbour_counts_a_little_less() -> None:
    turns = [Entry("1", "Any hobbies?", group="s"), Entry("2", "Only kickboxing", group="s", position=1)]
    raw = raw_of(recall_of(turns), Query("kickboxing hobbies"))
    assert raw.match == pytest.approx((1 + 0.9) / 2)


def test_a_title_that_is_asked_for_counts() -> None:
    recall = recall_of([Entry("1", "A film.", name="Lone Wolf"), Entry("2", "A city.", name="Oslo")])
    assert raw_of(recall, Query("Who made Lone Wolf?")).titled == 1.0


def talk(*said: tuple[str, str]) -> list[Entry]:
    return [Entry(f"{n:02}", text, speaker=speaker) for n, (speaker, text) in enumerate(said)]


def test_what_somebody_else_said_lowers_the_probability() -> None:
    mine = talk(("Anna", "I bought a red bicycle."), ("Bob", "How nice."))
    theirs = talk(("Bob", "I bought a red bicycle."), ("Anna", "How nice."))
    query = Query("Which bicycle did Anna buy?")
    said, other = raw_of(recall_of(mine), query), raw_of(recall_of(theirs), query)
    assert said.gaps is not None
    assert other.gaps is not None
    assert said.gaps.gap > 0 > other.gaps.gap
    assert said.gaps.told > 0 > other.gaps.told
    assert said.gaps.several > 0 > other.gaps.several
    assert answerable(P, said) > answerable(P, other)


def test_what_others_say_to_somebody_may_be_of_whoever_is_asked_about() -> None:
    said = talk(("Bob", "So you bought a red bicycle."), ("Anna", "How nice."), ("Bob", "I like tea."))
    query = Query("Which bicycle did Anna buy?")
    to_her = raw_of(recall_of(said), query).gaps
    assert to_her is not None
    assert to_her.gap < 0 < to_her.told
    nothing_else = raw_of(recall_of(said[:2]), query).gaps
    assert nothing_else is not None
    assert nothing_else.told == WIDEST  # of themselves the others say nothing


def test_the_word_that_a_question_is_about_counts_more_in_its_topic() -> None:
    said = talk(("Anna", "I do kickboxing"), ("Bob", "soup"), ("Anna", "hello weekend"))
    raw = raw_of(recall_of(said, vectors=True), asked("Anna exercise weekend"))
    assert raw.topic > raw.match  # the weekend has no meaning here, and exercise has


def test_in_a_conversation_a_name_may_be_all_that_a_turn_shares_with_the_question() -> None:
    turns = [
        Entry("1", "My manager is Henrik.", group="s", speaker="Anna"),
        Entry("2", "Nearly two metres!", group="s", position=1, speaker="Bob"),
    ]
    assert raw_of(recall_of(turns), Query("How tall is Henrik?")).held > 0.0


@pytest.mark.parametrize("speakers", [("Anna", "Anna"), ("Anna", "")])
def test_nobody_is_told_apart_where_only_one_speaks(speakers: Sequence[str]) -> None:
    recall = recall_of(talk((speakers[0], "I bought a bicycle."), (speakers[1], "How nice.")))
    assert raw_of(recall, Query("Which bicycle did Anna buy?")).gaps is None


def test_where_nothing_but_a_name_is_asked_for_it_is_the_name_that_counts() -> None:
    said = talk(("Anna", "Hello"), ("Bob", "Hi"))
    raw = raw_of(recall_of(said, vectors=True), asked("Who is Anna?"))
    assert raw.held == 0.0  # nobody speaks of her
    raw = raw_of(
        recall_of([*said, Entry("anna", "Anna", name="Anna", kind="actor")], vectors=True), asked("Who is Anna?")
    )
    assert raw.held == 1.0


def test_a_question_of_stop_words_matches_nothing() -> None:
    raw = raw_of(recall_of(talk(("Anna", "Hello"), ("Bob", "Hi")), vectors=True), asked("Who is it?"))
    assert (raw.held, raw.match) == (0.0, 0.0)


def test_entries_without_words_match_nothing() -> None:
    raw = raw_of(recall_of(facts("...", "!"), vectors=True), asked("exercise"))
    assert (raw.held, raw.match) == (0.0, 0.0)


def test_of_nothing_nothing_is_told() -> None:
    assert recall_of([]).ask(Query("Anna")) == []
    assert worth_telling(P, []) == []


def test_a_hit_below_the_best_is_less_probable() -> None:
    raw = Raw(held=1.0, match=1.0)
    chances = [probability(P, raw, below, first=below == 0) for below in (0.0, 0.5, 2.0)]
    assert chances == sorted(chances, reverse=True)
    assert len(set(chances)) == 3


def test_where_there_are_many_entries_the_gap_is_of_rows_that_were_looked_at() -> None:
    entries = talk(*((("Anna", "Bob")[n % 2], f"exercise number{n}") for n in range(40)))
    recall = recall_of(entries, vectors=True)
    assert recall.first.meaning is not None
    few = raw_of(recall, asked("Anna exercise"))
    recall.first.meaning.few = 10
    recall.first.meaning._version = -1
    many = raw_of(recall, asked("Anna exercise"))
    assert few.gaps is not None
    assert many.gaps is not None
    assert many.gaps.gap == pytest.approx(few.gaps.gap)


def test_that_somebody_is_known_does_not_answer_what_is_asked_about_them() -> None:
    recall = recall_of(talk(("Anna", "My manager is Henrik."), ("Anna", "The lift is broken.")))
    known, unknown = raw_of(recall, Query("Who is Henrik?")), raw_of(recall, Query("How tall is Henrik?"))
    assert (known.held, known.match) == (1.0, 1.0)
    assert (unknown.held, unknown.match) == (0.0, 0.0)


def test_only_what_holds_the_name_says_whether_more_is_known() -> None:
    recall = recall_of(facts("My manager is Elif.", "The university is closed."))
    assert raw_of(recall, Query("Which university did Elif choose?")).held < 0.5


def test_the_cosine_of_a_question_with_a_name_is_taken_without_it_too() -> None:
    recall = recall_of(facts("Henrik likes soup", "lake"), vectors=True)
    query = replace(asked("Which exercise does Henrik do"), plain=np.array([1.0, 0.0, 0.0], dtype=np.float32))
    assert raw_of(recall, query).near == 0.0


def test_a_note_answers_by_more_than_the_word_that_tells_most() -> None:
    recall = recall_of(facts("My manager is Henrik.", "I paid the cleaner.", "The cleaner earns 20 an hour."))
    raw = raw_of(recall, Query("How tall is Henrik?"))
    assert raw.rest == 0.0
    assert best(recall, "How tall is Henrik?") < P.chance_floor < best(recall, "What does the cleaner earn?")


def test_another_word_for_what_is_asked_is_worth_no_less_than_none() -> None:
    query = Query("Which movie did we watch?")
    told, untold = (raw_of(recall_of(facts(f"We {did} with Nora.")), query) for did in ("enjoyed a film", "sang"))
    assert (told.held > untold.held, told.rest, untold.rest) == (True, None, None)
    assert raw_of(recall_of(facts("We enjoyed a movie with Nora.")), query).rest == 0.0


def test_only_a_note_has_to_tell_what_is_asked_by_itself() -> None:
    query = Query("How tall is Henrik?")
    beside = [Entry("1", "Henrik came.", group="s"), Entry("2", "Tall?", group="s", position=1)]
    assert raw_of(recall_of(beside), query).rest is None
    assert raw_of(recall_of(talk(("Anna", "Henrik came."), ("Bob", "So?"))), query).rest is None
    assert raw_of(recall_of(facts("Henrik came.")), Query("Henrik?")).rest is None  # one word is all there is


def test_words_of_the_form_of_a_question_need_not_be_held() -> None:
    recall = recall_of(facts("I had a headache.", "The invoice came."))
    for form in ("How often did I have", "When did I last have", "How many times had I", "What kind of"):
        raw = raw_of(recall, Query(f"{form} a headache?"))
        assert (raw.held, raw.match, raw.rest) == (1.0, 1.0, None)


def test_a_word_that_tells_what_is_asked_for_matches_and_counts_as_kin() -> None:
    query, others = Query("What should I keep in mind about Lena's diet?"), ("Lena sings.", "The invoice came.")
    recall = recall_of(facts("Lena eats vegan.", *others))
    hit = recall.ask(query)[0]
    assert (hit.id, hit.signals["kin"] > 0.0) == ("00", True)
    assert raw_of(recall, query).match > raw_of(recall_of(facts("Lena jumps.", *others)), query).match > 0.0

"""Other words for the same: a question finds what was told with them."""

from __future__ import annotations

from itertools import combinations

import pytest

from asterism.core.recall.cues import question_of
from asterism.core.text.paraphrases import PHRASES, SAME, TOLD_AS, joined, widened
from asterism.core.text.stems import STOP_WORDS, stem
from asterism.core.text.terms import TOLD_FOR, term_of
from asterism.core.text.words import content


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Who is my GP?", "My general practitioner is Dr. Amari."),
        ("Who do I report to?", "My manager is Henrik."),
        ("What does Jonas do for a living?", "Jonas has a job as a tram driver."),
        ("Was the elevator broken?", "The lift was out of order."),
        ("When did my dad pass away?", "My father died."),
        ("Which movies do I like?", "I like every film by Varda."),
        ("How old is Lena?", "Lena is nine years old."),
        ("What do I do for a living?", "I mend clocks for my living."),
        ("When is the laundry collected?", "The washing is picked up on Thursdays."),
    ],
)
def test_what_is_asked_in_other_words_shares_a_term_with_what_was_told(asked: str, told: str) -> None:
    shared = {*question_of(asked).terms} & {term_of(word) for word in content(told)}
    assert shared - {"jona", "lena"}


def test_words_for_one_thing_stand_in_one_group_and_none_is_a_stop_word() -> None:
    groups = [{stem(word) for word in group} for group in SAME]
    assert all(one.isdisjoint(other) for one, other in combinations(groups, 2))
    assert STOP_WORDS.isdisjoint(word for group in SAME for word in group)
    assert all(len({term_of(word) for word in group}) == 1 for group in SAME)


def test_a_phrase_becomes_a_word_that_is_looked_for() -> None:
    assert all(joined(phrase) == [word] for phrase, word in PHRASES.items())
    assert STOP_WORDS.isdisjoint(PHRASES.values())


def test_the_longest_phrase_counts_and_a_beginning_alone_is_no_phrase() -> None:
    assert joined(["she", "took", "care", "of", "it"]) == ["she", "care", "it"]
    assert joined(["out", "of"]) == ["out", "of"]
    assert joined([]) == []


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Where do I work?", "I work as a baker in Ulm."),
        ("Which order is it?", "The lift is out of order."),
        ("Who took care of the cat?", "Vera took care of the cat."),
        ("When did I leave?", "I left at nine."),
        ("What did she find?", "She found a ring."),
    ],
)
def test_a_phrase_takes_no_word_away_by_which_a_text_is_found(asked: str, told: str) -> None:
    assert {*question_of(asked).terms} <= {term_of(word) for word in content(told)}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Who is my boss?", "I sent the quarterly reports to Bob."),
        ("Who is my spouse?", "My partner in the law firm is Ralf."),
        ("What is my job?", "The alarm worked as it should."),
        ("What is broken?", "Uncle Pat stopped working at the mill."),
        ("What was repaired?", "I fixed the date with the caterer."),
        ("When did I resign?", "I gave up sugar."),
        ("What was postponed?", "I pushed back the wardrobe."),
        ("Which vehicle is it?", "Kai drove to Bonn."),
        ("Which instrument is it?", "Tim plays football."),
        ("What is our address?", "We moved the sofa."),
        ("When did I leave?", "My left knee hurts."),
        ("What did I see?", "The saw is in the shed."),
        ("What is my relationship to Ann?", "I booked a single room."),
        ("Which medicine is it?", "We put out rat poison, two drops a day."),
        ("What is the price?", "You can pay for parking by card."),
        ("What is out of order?", "The fees went up."),
        ("Where do we live?", "We moved the sofa."),
        ("What is my hobby?", "I collected the parcel."),
    ],
)
def test_what_means_something_else_shares_no_term_and_tells_none(asked: str, told: str) -> None:
    own = {term_of(word) for word in content(told)}
    assert own.isdisjoint(question_of(asked).terms)
    assert all(own.isdisjoint(TOLD_FOR.get(term, ())) for term in question_of(asked).terms)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What does Ann do for a living?", "Ann makes a living by mending clocks."),
        ("Which lift is out of order?", "Nothing in the lift is in order."),
    ],
)
def test_a_question_keeps_the_words_of_a_phrase_beside_the_one_for_it(asked: str, told: str) -> None:
    assert {*question_of(asked).kept} & {term_of(word) for word in content(told)}
    assert {*question_of(asked).kept}.isdisjoint(question_of(asked).terms)


def test_a_text_keeps_its_words_beside_the_one_that_stands_for_them() -> None:
    assert all(widened(phrase) == [*phrase, word] for phrase, word in PHRASES.items())
    assert widened(["out", "of"]) == ["out", "of"]


def test_what_is_asked_for_by_a_noun_leads_to_what_tells_it() -> None:
    assert term_of("vegan") in TOLD_FOR[term_of("diet")]
    assert TOLD_FOR.keys() == {term_of(asked) for asked in TOLD_AS}
    assert all(asked not in told for asked, told in TOLD_FOR.items())

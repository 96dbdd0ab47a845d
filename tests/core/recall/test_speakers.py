"""Who a question speaks of, and the question without their names."""

from __future__ import annotations

from asterism.core.ledger.graph import Entry
from asterism.core.recall.index import Index
from asterism.core.recall.speakers import Speakers


def speakers_of(*names: str) -> Speakers:
    index = Index()
    for number, name in enumerate(names):
        index.add(Entry(str(number), "words", speaker=name))
    return Speakers(index)


def test_names_are_left_out_and_the_rest_stays_as_it_is_written() -> None:
    speakers = speakers_of("Caroline", "Anna Müller")
    assert speakers.without_names("What did Caroline’s sister tell Müller?").split() == [
        "What",
        "did",
        "sister",
        "tell",
        "?",
    ]
    assert speakers.named("caroline and anna") == [1, 2]


def test_a_question_that_tells_nothing_but_names_stays() -> None:
    assert speakers_of("Anna").without_names("Who is Anna?") == "Who is Anna?"


def test_a_stop_word_in_a_name_is_no_name() -> None:
    assert speakers_of("Will").without_names("Will it rain?") == "Will it rain?"


def test_whoever_says_nothing_any_more_is_not_spoken_of() -> None:
    speakers = speakers_of("Anna", "Bob")
    assert speakers.named("Bob") == [2]
    speakers.index.remove("1")
    assert speakers.named("Bob") == []
    assert speakers.without_names("Where does Bob live?") == "Where does Bob live?"


def test_a_name_of_unspaced_letters_is_left_in() -> None:
    assert speakers_of("東京タワー").without_names("東京タワー is tall") == "東京タワー is tall"

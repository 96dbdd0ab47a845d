"""A question wants a kind of answer: notes that have it answer, those that have none do not."""

from __future__ import annotations

import pytest

from asterism.core.ledger.graph import Entry
from asterism.core.recall.chance import is_unsure
from asterism.core.recall.index import Index
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import LACKS, Recall
from asterism.core.recall.signals import Query
from asterism.core.recall.wanted import Kind, has_kind, kind_wanted


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("what time does it open?", Kind.CLOCK),
        ("on which day is the market?", Kind.WEEKDAY),
        ("on which day was the market?", None),  # any day on which it was told
        ("what do we charge for a room?", Kind.AMOUNT),
        ("how much did the bike cost?", Kind.AMOUNT),
        ("how many rooms are there?", Kind.NUMBER),
        ("how old is ann?", Kind.NUMBER),
        ("what is the code of the door?", Kind.CODE),
        ("where is the key?", Kind.PLACE),
        ("which city is it in?", Kind.PLACE),
        ("how long ago was it?", None),
        ("how many times was it?", None),
        ("who is it?", None),
    ],
)
def test_the_words_of_a_question_say_what_kind_of_answer_it_wants(question: str, kind: Kind | None) -> None:
    assert kind_wanted(question) is kind


@pytest.mark.parametrize(
    ("kind", "text", "has"),
    [
        (Kind.CLOCK, "tea is at half past four", True),
        (Kind.AMOUNT, "it is free", True),
        (Kind.AMOUNT, "i like it", False),
        (Kind.CODE, "the password is plum-otter.", True),
        (Kind.CODE, "the password was changed yesterday, by ann", False),
        (Kind.WEEKDAY, "the market is on thursdays", True),
        (Kind.WEEKDAY, "the market is busy", False),
        (Kind.PLACE, "the key hangs behind the door", True),
        (Kind.PLACE, "the key is rusty", False),
        (Kind.NUMBER, "two dogs", True),
    ],
)
def test_a_text_has_something_of_a_kind_or_not(kind: Kind, text: str, has: bool) -> None:
    assert has_kind(kind, text) is has


def asked(question: str, *texts: str, **more: str) -> tuple[str, bool, dict[str, float]]:
    """Give the first hit of notes, whether the answer is unsure, and its signals."""
    index, told = Index(), {f"{place}": text for place, text in enumerate(texts)}
    for name, text in told.items():
        index.add(Entry(name, text, speaker=more.get("speaker", "")))
    p = RecallParameters.build("lexical")
    hits = Recall(index, p, texts=told.__getitem__).ask(Query(question))
    return told[hits[0].id], is_unsure(p, [hit.probability for hit in hits]), dict(hits[0].signals)


def test_a_note_that_has_what_is_asked_for_comes_before_one_that_has_none() -> None:
    rent, place = "The rent of the workshop is high.", "We rent the workshop near the market."
    assert asked("Where is the workshop?", rent, place)[0] == place
    first, _, signals = asked("Where is the workshop?", rent)
    assert (first, signals[LACKS]) == (rent, RecallParameters().weight_lacks)
    assert LACKS not in asked("Who has the workshop?", rent)[2]
    assert LACKS not in asked("Where is the workshop?", rent, speaker="Ann")[2]  # talk is left alone


def test_a_note_answers_surely_in_other_words_if_it_has_what_is_asked_for() -> None:
    others = ("Ann likes tea.", "The roof was mended.", "Tom plays chess.")
    assert not asked("What time does breakfast begin?", "Breakfast is served from eight.", *others)[1]
    assert asked("What time does breakfast begin?", "Breakfast is served by Ann.", *others)[1]


def test_having_it_says_nothing_of_somebody_who_is_only_named() -> None:
    others = ("The roof was mended.", "Tom plays chess.")
    assert asked("What does the school cost Callum?", "Callum has 3 dogs.", *others)[1]

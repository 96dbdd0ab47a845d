"""Which pairs of texts are in conflict, and which only look alike."""

from __future__ import annotations

from itertools import combinations

import pytest

from asterism.core.blocks.claims import claims_of
from asterism.core.blocks.conflicts import CROWD, Text, conflict, conflicts_among
from asterism.core.blocks.links import Marked
from asterism.evals.stories import Story, read_stories

CONFLICTS = [
    ("I live in Paris.", "We are done. I've moved to Berlin.", "home"),
    ("Tom works at Nordbank", "Tom joined Helix Labs", "work"),
    ("Claude is unemployed", "Claude has a job as a tram driver", "work"),
    ("Vera started a new job", "Vera retired", "work"),
    ("Mia works at Acme", "Mia retired", "work"),
    ("Lena is married to Oskar", "Lena and Oskar got divorced", "state"),
    ("Emil is engaged", "Emil and Saskia split up", "state"),
    ("The gate is locked", "The gate is open", "state"),
    ("My manager is Claire", "My manager is Dr. Dmitri Orlov", "value"),
    ("Paul is the treasurer", "Rita is the treasurer", "value"),
    ("log level = debug", "log level = warning", "value"),
    ("Update: The owner of the search service is Aiko", "The owner of the search service is Luis", "value"),
    ("Aiko owns the payments repository", "The payments repository is owned by Luis", "value"),
    ("The release date is Friday", "The release date was moved to Monday", "value"),
    ("My bank is Sparda", "I changed my bank to Triodos", "value"),
    ("The user prefers dark mode", "The user prefers light mode", "preference"),
    ("I prefer answers in lists", "I prefer answers in whole paragraphs", "preference"),
    ("The passport is in the drawer", "The passport is in the safe", "place"),
    ("The key is called Alpha", "The key is called Beta", "value"),
    ("I drive a Golf", "I drive a Tesla now", "now"),
    ("I go to work by bus", "I go to work by tram", "way"),
    ("The API listens on port 8080", "The API listens on port 9090", "number"),
    ("We have two cats", "We have three cats", "number"),
    ("Call me Alex please", "Call me Sasha", "name"),
    ("The team uses Jira for tickets", "The team migrated from Jira to Linear", "negation"),
    ("Priya works at Acme as a designer", "Priya left Acme in June", "work"),
    ("Renate belongs to the rowing club", "Renate left the rowing club", "negation"),
    ("Bernd smokes", "Bernd quit smoking", "negation"),
    ("Tara is learning Spanish", "Tara gave up learning Spanish", "negation"),
    ("I drink oat milk", "I no longer drink oat milk", "negation"),
    ("The baby sleeps at night", "The baby never sleeps at night", "negation"),
    ("Nadia doesn't drink coffee", "Nadia drinks coffee every morning", "negation"),
    ("Feature X is available in Europe", "Feature X is unavailable in Europe", "negation"),
    ("I love camping", "I can't stand camping", "negation"),
    ("Olga likes olives", "Olga hates olives", "negation"),
    ("I live in Bonn", "We moved to Kiel", "home"),
    ("Nils studies physics at Uppsala", "Nils dropped out of university", "negation"),
    ("My laptop runs Ubuntu", "My laptop runs Fedora", "value"),
    ("Marek told me he works at Stein & Co.", "Marek quit his job at Stein & Co.", "work"),
    ("I eat meat again", "I am a vegetarian", "state"),
]
BOTH_HOLD = [
    ("Anna likes tea", "Anna likes coffee"),
    ("I visited Paris", "I visited Berlin"),
    ("I have a brother in Paris", "I live in Berlin"),
    ("Meeting on Monday at 2", "Meeting on Tuesday at 4"),
    ("I live in Berlin", "I live in Kreuzberg, Berlin"),
    ("I live in Hamburg", "If I ever move to Lisbon, I will surf"),
    ("I live in Malmö", "In 2018 I lived in Madrid"),
    ("I live in Malmö", "I lived in Madrid from 2009 to 2014"),
    ("I live in Malmö", "I used to live in Madrid"),
    ("I live in Malmö", "As a child I lived in Madrid"),
    ("The gate is open", "Is the gate locked?"),
    ("The gate is locked", "The gate was open"),
    ("The gate is locked", "The gate is open now and then on days that nobody planned"),
    ("The hall is used by A", "The hall is used by B"),
    ("My brother is Tom", "My brother is Max"),
    ("Karl is a baker", "Karl is a father"),
    ("Olga likes fish fingers", "Olga doesn't like fish"),
    ("I drink tea", "I don't drink tea with milk"),
    ("Anna left the party", "Anna loves the party"),
    ("He lives in Rome", "He lives in Bonn"),
    ("Prefers tea", "Prefers coffee"),
    ("I prefer tea", "I prefer coffee"),
    ("I prefer calls in May", "I prefer calls in June"),
    ("I prefer calls in the morning", "I prefer calls in the evening"),
    ("I go to the gym on Monday", "I go to the gym on Friday"),
    ("I go to the gym", "I go to the pool"),
    ("Nils studies physics", "Nils studies maths"),
    ("Thea runs Alpha", "Thea runs Beta"),
    ("My sister is", "Yes"),
    ("Never again", "Not is"),
    ("News: x", "News: y"),
    ("I drive a Golf", "I drive a Tesla"),
    ("Anna moved to", "Anna lives in Rome"),
    ("Anna quit", "Anna stopped"),
    ("x" * 300, "I live in Rome"),
    ("No, Anna, is here", "Anna is not here"),
    ("Zoë swims", "Zoë swims"),
    ("The meeting is at 2pm", "The meeting is at 2pm in room 5"),
    ("I like a Golf", "I do not"),
]


@pytest.mark.parametrize(("one", "other", "reason"), CONFLICTS)
def test_what_cannot_both_hold_is_in_conflict_either_way(one: str, other: str, reason: str) -> None:
    found, turned = conflict(one, other), conflict(other, one)
    assert found is not None
    assert found == turned
    assert found.reason == reason or {found.reason, reason} == {"work", "negation"}
    assert 0.5 < found.confidence < 1


@pytest.mark.parametrize(("one", "other"), BOTH_HOLD)
def test_what_only_looks_alike_is_in_no_conflict(one: str, other: str) -> None:
    assert conflict(one, other) is None
    assert conflict(other, one) is None


def test_what_somebody_says_of_himself_is_said_of_the_speaker() -> None:
    assert conflict("I live in Rome", "I live in Bonn", speaker_a="Anna", speaker_b="Ben") is None
    assert conflict("I live in Rome", "Anna moved to Bonn", speaker_a="Anna") is not None
    assert conflict("My bank is Sparda", "My bank is Triodos", speaker_a="Anna", speaker_b="anna") is not None
    assert conflict("The user lives in Rome", "I moved to Bonn", speaker_b="user") is not None
    assert conflict("The gate is open", "The gate is locked", speaker_a="Anna", speaker_b="Ben") is not None


def test_among_many_each_pair_is_found_once_and_in_order() -> None:
    new = [Text("c", "Anna moved to Porto", ""), Text("d", "Anna moved to Faro", ""), Text("e", "It rained", "")]
    old = [Text("b", "Anna lives in Lisbon", ""), Text("a", "Ben lives in Rome", "")]
    assert conflicts_among(new, old) == [
        Marked("b", "c", 0.9, "home"),
        Marked("b", "d", 0.9, "home"),
        Marked("c", "d", 0.9, "home"),
    ]
    assert conflicts_among([Text("e", "It rained", "")], old) == []
    assert conflicts_among([Text("b", "Anna lives in Lisbon", "")], old) == []


def test_of_a_crowded_key_the_latest_are_compared() -> None:
    old = [Text(f"{number:03d}", f"Anna lives in Town{number:03d}", "") for number in range(2 * CROWD)]
    found = conflicts_among([Text("new", "Anna moved to Porto", "")], old)
    assert [each.a for each in found] == [f"{number:03d}" for number in range(CROWD, 2 * CROWD)]


def test_a_long_text_claims_nothing() -> None:
    assert claims_of("I live in Rome. " * 20) == ()


def pairs(story: Story) -> list[tuple[bool, bool]]:
    """Give of every pair of a story that is there in the end whether it conflicts, and whether that is found."""
    gone = {place for told in story.told for place in (told.edits, told.forgets, told.replaces)}
    there = [
        place for place, told in enumerate(story.told) if told.text and place not in gone and not told.terms.get("slot")
    ]
    found = []
    for a, b in combinations(there, 2):
        one, other = story.told[a], story.told[b]
        who = {"speaker_a": one.terms.get("speaker", ""), "speaker_b": other.terms.get("speaker", "")}
        found.append(((a, b) in story.conflicts, conflict(one.text, other.text, **who) is not None))
    return found


@pytest.mark.parametrize(("split", "precision", "recall"), [("dev", 0.97, 0.9), ("held", 0.95, 0.8)])
def test_on_the_set_of_our_own_nearly_all_that_is_marked_is_right(split: str, precision: float, recall: float) -> None:
    every = [pair for story in read_stories(splits=[split]) for pair in pairs(story)]
    right = sum(wanted and found for wanted, found in every)
    assert right / sum(found for _, found in every) >= precision
    assert right / sum(wanted for wanted, _ in every) >= recall

"""Erasing all that has a name: nodes, sources, sessions and learned texts; and what is said of the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from asterism.core.dialogue.lines import Actor
from asterism.errors import UnknownError
from asterism.store.in_memory import InMemoryStore
from tests.support.erasing import BEGIN, BREAD, WORD, has, lines, tell_word
from tests.support.memories import DAY, is_told_well, remembering
from tests.support.stores import STORES, Place, place_of

HOME, TEA, SEEN = "Ada lives at 12 Elm Road.", "Tea at ADA's on Monday.", "Adam saw an armada near Nevada."


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def read(memory: Any, session: str, who: str, text: str) -> None:
    said = lines((who, text), ("DM", "The gate opens and the storm comes in."))
    memory.read_transcript(said, session=session, actors=[Actor(who.lower(), who)], started_at=BEGIN)


def contents(memory: Any) -> set[str]:
    return {each.content for each in memory.blocks()}


def test_every_learned_text_that_names_it_goes(place: Place) -> None:
    with remembering(place) as memory:
        for text in (HOME, TEA, SEEN, BREAD[0]):
            memory.learn(text, at=BEGIN)
        with pytest.raises(UnknownError) as caught:
            memory.erase("Ada")
        assert caught.value.hint == "name:Ada takes the 2 texts that name it"
        assert is_told_well(caught.value)
        planned = memory.erase("name:ada", dry_run=True)
        assert set(planned.called.values()) == {HOME, TEA}
        assert memory.what_if(without="name:Ada").items == planned.items == {"learned": 2}
        done = memory.erase("name:Ada")
        assert (done.subject, done.ids, done.mentions, done.called) == ("name:Ada", planned.ids, (), {})
        assert contents(memory) == {SEEN, BREAD[0]}
        assert not has(place, "Elm Road")
        assert memory.verify().ok
        assert memory.learn(HOME, at=BEGIN + DAY).status == "new"  # of another time, it is something new


def test_one_wording_that_names_it_takes_the_others_along(place: Place) -> None:
    with remembering(place) as memory:
        first = memory.learn(HOME, at=BEGIN)
        memory.edit(first.id, content="She moved to the harbour.")
        memory.learn("The key is under the mat.", name="Ada's key", at=BEGIN)
        memory.learn("I keep bees.", speaker="Ada", at=BEGIN)
        memory.learn("The goat is old.", tags=["ada"], at=BEGIN)
        memory.learn(BREAD[0], at=BEGIN)
        assert memory.erase("name:Ada").items == {"edited": 1, "learned": 4}
        assert contents(memory) == {BREAD[0]}
        assert not has(place, "harbour")


def test_all_that_is_called_so_goes_and_no_byte_is_left(place: Place) -> None:
    with remembering(place) as memory:
        tell_word(memory)
        done = memory.erase(f"name:{WORD.upper()}")
        assert done.items.keys() >= {"star_added", "learned", "transcript", "explored", "evidence"}
        assert done.mentions == ()
        assert done.sessions == {WORD: (WORD,)}
        assert contents(memory) == set(BREAD)
        assert memory.verify().ok
        assert WORD.lower() in done.nodes
        assert "ann" in {each.id for each in memory.nodes(kinds=["actor"])}
    assert not has(place)


def test_a_session_that_only_mentions_it_stays_and_is_named() -> None:
    with remembering(InMemoryStore()) as memory:
        read(memory, "Ferry", "Tom", "I ask Ada to open the gate.")
        with pytest.raises(UnknownError, match="nothing called 'Ada'") as caught:
            memory.erase("name:Ada")
        assert "session:Ferry erases one" in str(caught.value.hint)
        memory.learn(HOME, at=BEGIN)
        done = memory.erase("name:Ada")
        (mention,) = done.mentions
        assert (mention.what, mention.name, mention.taken) == ("transcript", "Ada", False)
        assert mention.text == "session Ferry: I ask Ada to open the gate."
        assert done.still_named == "1 text still names Ada"
        assert "tom" in {each.id for each in memory.nodes(kinds=["actor"])}


def test_an_actor_is_named_with_the_sessions_that_go_whole() -> None:
    with remembering(InMemoryStore()) as memory:
        said = lines(("Tom", "I open the gate."), ("DM", "The gate opens."))
        memory.read_transcript(said, session="Ferry", actors=[Actor("brindle", "Tom")], started_at=BEGIN)
        memory.learn("Tom likes tea.", at=BEGIN)
        memory.learn("Soup for tom.", at=BEGIN)
        planned = memory.erase("node:brindle", dry_run=True)
        assert (planned.title, planned.sessions) == ("node:brindle (Tom)", {"Ferry": ("Tom",)})
        assert planned.still_named == "2 texts still name Tom; name:Tom takes them along"
        told = {(each.text, each.taken) for each in planned.mentions}
        assert told == {("Tom likes tea.", True), ("Soup for tom.", True)}
        assert memory.erase("node:brindle").title == planned.title
        assert memory.erase("name:Tom").items == {"learned": 2}


def test_a_source_called_so_goes_in_either_case_and_one_that_is_not_known_is_told_the_others() -> None:
    with remembering(InMemoryStore()) as memory:
        with pytest.raises(UnknownError) as caught:
            memory.erase("source:ada")
        assert caught.value.hint == "no item here has a source"
        for number in range(14):
            memory.learn(f"{BREAD[0]} {number}", source=f"s{number:02}", at=BEGIN)
        memory.learn(BREAD[1], source="ADA", at=BEGIN)
        with pytest.raises(UnknownError) as caught:
            memory.erase("source:ada")
        assert str(caught.value.hint).endswith("s10 and 3 more")
        assert "ADA, s00, s01" in str(caught.value.hint)
        assert memory.erase("name:Ada").items == {"learned": 1}


def test_a_name_without_a_letter_is_found_too() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.learn("A cup of ☕ at noon", at=BEGIN)
        memory.learn(BREAD[0], at=BEGIN)
        assert memory.erase("name:☕").items == {"learned": 1}


def test_a_text_in_brackets_is_a_text() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.add_star("Ada", domain="soul", at=BEGIN)
        memory.learn("[not JSON: Ada", at=BEGIN)
        memory.learn('["Ada", 12]', at=BEGIN)
        done = memory.erase("node:ada")
        assert {each.text for each in done.mentions} == {"[not JSON: Ada", '["Ada", 12]'}


def test_a_name_of_nothing_is_refused_in_an_empty_memory(place: Place) -> None:
    with remembering(place) as memory:
        with pytest.raises(UnknownError) as caught:
            memory.erase("ann")
        assert is_told_well(caught.value)
        with pytest.raises(UnknownError) as caught:
            memory.what_if(without="ann")
        assert is_told_well(caught.value)

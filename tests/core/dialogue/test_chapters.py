"""Chapters and rolls of a session."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from asterism.core.dialogue.chapters import BLOCK, MOST, WINDOW, chapters
from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Line, Mask
from asterism.core.dialogue.rolls import REACH, Roll, Rolled, number_of, rolls
from tests.support.dialogue import transcripts

HARBOUR = ("The ferry lies in the harbour.", "We board the ferry at dawn.", "The harbour smells of fish and rope.")
TOWER = ("A wizard lives in the tower.", "The tower has a copper door.", "The wizard guards an old spell.")
FEAST = ("Bring the roast and the honey.", "The feast begins with honey wine.", "They dance around the roast.")


def told(*texts: tuple[str, ...], each: int = 4 * BLOCK) -> list[Line]:
    said = [part[place % len(part)] for part in texts for place in range(each)]
    return [Line(place, "DM" if place % 2 else "Ann", text) for place, text in enumerate(said)]


def test_three_subjects_are_three_chapters_each_known_by_its_words() -> None:
    lines = told(HARBOUR, TOWER, FEAST)
    found = chapters(causal_links(lines, session="x"))
    assert [(chapter.start, chapter.end) for chapter in found] == [(0, 79), (80, 159), (160, 239)]
    assert set(found[0].words) >= {"ferry", "harbour"}
    assert set(found[1].words) >= {"tower", "wizard"}
    assert set(found[2].words) >= {"honey", "roast"}
    assert [lines[chapter.quoted or 0].author_name for chapter in found] == ["DM"] * 3
    assert "tower" in lines[found[1].quoted or 0].content


def test_a_transition_is_a_border_wherever_it_lies() -> None:
    lines = told(HARBOUR)
    found = chapters(causal_links(lines, session="x", masks=[Mask(10, 12, "transition"), Mask(70, 79, "transition")]))
    assert [(chapter.start, chapter.end) for chapter in found] == [(0, 12), (13, 79)]


def test_a_short_session_is_one_chapter_and_none_has_none() -> None:
    assert [each[:2] for each in chapters(causal_links(told(HARBOUR, each=5), session="x"))] == [(0, 4)]
    silent = [Line(place, "DM", "..") for place in range(3 * BLOCK)]
    assert chapters(causal_links(silent, session="x")) == [(0, 59, (), 0)]
    alone = [Line(place, "Ann", text) for place, text in enumerate(HARBOUR)] + [Line(3, "DM", "Yes.")]
    found = chapters(causal_links(alone, session="x", masks=[Mask(2, 2, "transition")]))
    assert [(chapter.start, chapter.quoted) for chapter in found] == [(0, None), (3, 3)]


@given(transcripts(most=40), st.integers(1, 12))
def test_every_line_is_in_one_chapter(lines: list[Line], times: int) -> None:
    many = [Line(place, *line[1:]) for place, line in enumerate(lines * times)]
    found = chapters(causal_links(many, session="x"))
    assert [index for chapter in found for index in range(chapter.start, chapter.end + 1)] == list(range(len(many)))
    assert len(found) <= MOST
    assert all(chapter.end - chapter.start + 1 >= WINDOW * BLOCK - BLOCK for chapter in found[:-1])
    assert found == chapters(causal_links(many, session="x"))


def joined(*said: tuple[str, str]) -> list[Roll]:
    return rolls(causal_links([Line(place, *each) for place, each in enumerate(said)], session="x"))


def test_a_call_a_number_and_what_came_of_it() -> None:
    assert joined(
        ("Ann", "I listen at the door."),
        ("DM", "Make a perception check."),
        ("Bo", "Pizza is here!"),
        ("Ann", "Seventeen. 17."),
        ("DM", "17. Okay."),
        ("Ann", "Or 18?"),
        ("DM", "You hear two voices behind it, whispering."),
    ) == [Roll(1, (Rolled(3, "ann", 17),), 6)]


def test_several_roll_and_the_next_call_may_be_the_result() -> None:
    assert joined(
        ("DM", "Everyone, make a stealth check."),
        ("Ann", "12 plus 4, 16"),
        ("Bo", "Natural twenty!"),
        ("DM", "16 and 20? Okay, now roll for initiative."),
        ("Ann", "nat 1"),
    ) == [Roll(0, (Rolled(1, "ann", 16), Rolled(2, "bo", 20)), 3), Roll(3, (Rolled(4, "ann", 1),), None)]


def test_a_call_that_nobody_answers_is_no_roll() -> None:
    assert joined(("DM", "Make a perception check."), ("Ann", "I would rather not.")) == []
    assert joined(("DM", "Make a perception check."), *[("Ann", "hm")] * REACH, ("Ann", "12")) == []
    assert joined(("DM", "Make a stealth check."), ("DM", "Make a stealth check, all."), ("Ann", "9")) == [
        Roll(1, (Rolled(2, "ann", 9),), None)
    ]


def test_an_excluded_call_is_none() -> None:
    lines = [Line(0, "DM", "Make a stealth check."), Line(1, "Ann", "12")]
    assert rolls(causal_links(lines, session="x", masks=[Mask(0, 0, "ooc_hard")])) == []


def test_numbers_in_long_lines_and_parts_of_words_are_none() -> None:
    texts = ["x" * 81 + " 12", "3rd", "50%", "1,000 gold", "v2", "no number", "20."]
    assert [number_of(Line(0, "Ann", text)) for text in texts] == [None] * 6 + [20]

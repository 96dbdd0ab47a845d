"""Kinds of evidence and states are written out for people; the page of concepts says all of them."""

from __future__ import annotations

from pathlib import Path

from asterism.core.connections.in_words import WORDS, in_words
from asterism.core.connections.words import EVIDENCE_IN_WORDS, STATES_IN_WORDS, EvidenceKind, LinkState, StarState
from asterism.entry.mcp.views import link_line, node_line
from asterism.entry.text.layout import plain
from asterism.entry.text.recalled import SIGNALS
from asterism.entry.text.render import state

CONCEPTS = (Path(__file__).parents[2] / "docs" / "concepts.md").read_text(encoding="utf-8")


def test_every_kind_and_state_has_its_words() -> None:
    assert EVIDENCE_IN_WORDS.keys() == set(EvidenceKind)
    assert STATES_IN_WORDS.keys() == {each.name for each in (*LinkState, *StarState)}


def test_the_page_of_concepts_lists_them() -> None:
    assert [f"| `{name}` | {told} |" in CONCEPTS for name, told in WORDS.items()] == [True] * 18


def test_the_page_of_concepts_lists_the_signals() -> None:
    assert [name for name, told in SIGNALS.items() if f"| `{name}` | {told} |" not in CONCEPTS] == []


def test_tables_and_answers_for_people_say_states_in_words() -> None:
    assert plain([[state("FLICKERING")]]).strip() == "unsteady"
    node = {"id": "sleep", "kind": "star", "name": "Sleep", "text": "", "state": "DORMANT", "tags": [], "strength": 0.5}
    assert node_line(node).endswith("[sleep] star asleep 0.50")
    link = {"a": "a", "b": "b", "kind": "tension", "state": "NASCENT", "strength": 0.5, "text": ""}
    assert link_line(link) == "- tension 0.50 new  a ~ b"


def test_other_words_stay_as_they_are() -> None:
    assert in_words("a BRIGHTER day, dimly; user_confirmed") == "a BRIGHTER day, dimly; user_confirmed"

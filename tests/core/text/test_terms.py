"""Terms: forms of a word that no ending brings together are looked up as one."""

from __future__ import annotations

import pytest

from asterism.core.blocks.conflicts import conflict
from asterism.core.text.stems import STOP_WORDS, stem
from asterism.core.text.terms import BASES, term_of


@pytest.mark.parametrize(
    "forms",
    [
        ("run", "runs", "running", "ran"),
        ("write", "writes", "writing", "wrote", "written"),
        ("drive", "driving", "drove", "driven"),
        ("tooth", "teeth"),
        ("knife", "knives"),
        ("travel", "travels", "travelled", "travelling", "traveled"),
        ("die", "dies", "died", "dying"),
        ("add", "adds", "added", "adding"),
    ],
)
def test_irregular_forms_are_one_term(forms: tuple[str, ...]) -> None:
    assert len({term_of(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["rose", "leaves", "lives", "bit", "paints", "2023", "läufe"])
def test_what_is_more_often_another_word_is_looked_up_by_its_stem(word: str) -> None:
    assert term_of(word) == stem(word)


def test_a_form_leads_to_one_base_that_is_no_form_and_no_stop_word() -> None:
    assert BASES.keys().isdisjoint(BASES.values())
    assert STOP_WORDS.isdisjoint({*BASES, *BASES.values()})
    assert all(term_of(form) == term_of(base) for form, base in BASES.items())


def test_a_denial_meets_what_it_denies_in_another_form() -> None:
    found = conflict("Anna rides a bike", "Anna has never ridden a bike")
    assert found is not None
    assert found.reason == "negation"

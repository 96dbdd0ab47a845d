"""Words, stems, names and the shape of a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.recall.cues import asks, question_of, tells_time
from asterism.core.text.stems import STOP_WORDS, stem
from asterism.core.text.words import INDEXED_WITHIN, content, fold, name_of, names, title_names, words


@pytest.mark.parametrize(
    ("forms", "shared"),
    [
        (("paint", "paints", "painted", "painting"), "paint"),
        (("story", "stories"), "stori"),
        (("carry", "carried", "carries"), "carri"),
        (("make", "makes", "making"), "mak"),
        (("run", "running", "runs"), "run"),
        (("church", "churches"), "church"),
        (("quick", "quickly"), "quick"),
        (("ring", "rings"), "ring"),
    ],
)
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...], shared: str) -> None:
    assert {stem(form) for form in forms} == {shared}


@pytest.mark.parametrize("word", ["bus", "glass", "his", "2023", "b2b", "läufe", "sing", "million"])
def test_what_only_looks_like_an_ending_stays(word: str) -> None:
    assert stem(word) == word


def test_question_words_are_stop_words() -> None:
    assert {"what", "who", "when", "where", "which", "how", "why", "did"} <= STOP_WORDS


def test_accents_case_and_curly_apostrophes_are_folded() -> None:
    assert fold("Ünïcödé’S") == "unicode's"
    assert words("Zoë’s CAFÉ-bar no. 7") == ["zoe", "cafe", "bar", "no", "7"]


def test_text_without_spaces_gives_pairs_of_characters() -> None:
    assert words("寿司屋") == ["寿司", "司屋"]
    assert words("寿司") == ["寿司"]


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert all(word and word not in STOP_WORDS for word in content(text))
    assert names(text) == sorted(set(names(text)))
    question_of(text)
    assert tells_time(text) in (True, False)
    assert isinstance(name_of(text), str)


def test_names_run_over_small_words_commas_and_numbers() -> None:
    found = names("We met Emich, 5th Prince of Leiningen, in Rome.")
    assert {"emich 5th prince of leiningen", "emich", "leiningen", "prince of leiningen", "rome"} <= set(found)
    assert "5th" not in found
    assert "of leiningen" not in found


def test_a_possessive_ends_a_name() -> None:
    assert names("Caroline's Paris") == ["caroline", "paris"]
    assert names("I saw O'Brien") == ["obrien"]


def test_a_name_has_at_most_six_words() -> None:
    assert max(len(name.split()) for name in names("Aa Bb Cc Dd Ee Ff Gg Hh")) == 6


def test_titles_go_without_brackets_and_articles() -> None:
    assert name_of("The Beatles") == "beatles"
    assert name_of("Brother (film)") == "brother"
    assert name_of("(500)") == "500"
    assert title_names("") == [""]
    assert title_names("Anna Maria, Duchess") == ["anna maria duchess", "anna maria"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I went yesterday", True),
        ("two weeks ago", True),
        ("on 5 May", True),
        ("May 5 was fine", True),
        ("in 2021", True),
        ("I may go", False),
        ("it was fine", False),
    ],
)
def test_an_entry_tells_a_time(text: str, told: bool) -> None:
    assert tells_time(text) is told


def test_an_entry_asks() -> None:
    assert asks('He said "why?"')
    assert not asks("Why? Because.")


def test_the_shape_of_a_question() -> None:
    question = question_of("Which year, on 8 May 2023 or in March, did Jon march?")
    assert question.asks_when
    assert [sorted(found) for found in (question.months, question.years, question.days)] == [[3, 5], [2023], [8]]
    assert "jon march" in question.names
    assert question_of("What may Jon do in October?").months == {10}
    assert question_of("Who is on May 12th's list?").days == {12}
    assert not question_of("What did Jon do?").asks_when


def test_a_very_long_text_names_things_at_its_beginning() -> None:
    found = names("Rome " + "x " * INDEXED_WITHIN + "Oslo")
    assert found == ["rome"]

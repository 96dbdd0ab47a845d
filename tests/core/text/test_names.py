"""Names in texts: whole words, the longest first; prices behind symbols; which pairs a text is evidence for."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.text.names import Names, block_of, flattened, is_telling, note_of, pairs_of, prices_in, prices_named

MARKETS = Names([("BTCUSDT", "BTCUSDT"), ("BTC", "BTC"), ("HARBOR", "HARBOR")])
words = st.sampled_from(["run", "sleep", "late", "screen", "harbor", "ann", "on", "the"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I RUN every day", ["run"]),
        ("running latest", []),
        ("the run's end, run!", ["run"]),
        ("late screen; late", ["late-screen", "late"]),
        ("Late  \n screen", ["late-screen"]),
        ("my_run", []),
        ("", []),
    ],
)
def test_a_name_counts_as_whole_words_in_either_case_the_longest_first(text: str, found: list[str]) -> None:
    names = Names([("Run", "run"), ("Late", "late"), ("Late Screen", "late-screen"), ("!?", "signs")])
    assert names.find(text) == found


def test_names_that_begin_with_a_sign_are_found() -> None:
    assert Names([("(the) end", "end")]).find("so: (The) end.") == ["end"]
    assert Names([("“Ol’ Bess”", "bess")]).find("it was “ol' bess”") == ["bess"]


def test_of_two_nodes_with_one_name_the_smaller_id_has_it() -> None:
    for order in (("a", "b"), ("b", "a")):
        assert Names(("Tea", node) for node in order).find("tea") == ["a"]


def test_a_name_that_is_added_is_found_as_if_it_had_been_there() -> None:
    names = Names([("Late", "late")])
    assert names
    assert not Names()
    for _ in range(2):
        names.add("Late Screen", "late-screen")
    names.add("?", "nothing")
    assert names.find("late screen, late") == ["late-screen", "late"]


@given(st.lists(st.lists(words, min_size=1, max_size=3).map(" ".join), max_size=6), st.lists(words, max_size=12))
def test_names_given_at_once_and_one_by_one_find_the_same(names: list[str], text: list[str]) -> None:
    said = " ".join(text)
    at_once, one_by_one = Names((name, name) for name in names), Names()
    for name in names:
        one_by_one.add(name, name)
    found = at_once.find(said)
    assert one_by_one.find(said) == found
    assert all(f" {name} " in f" {flattened(said)} " for name in found)
    assert bool(found) == any(f" {name} " in f" {said} " for name in names)


@pytest.mark.parametrize("name", ["It", "of the", "C", "?", "2026", "12 000", "0a1b2c3d", "84727e0bf7d54a2c", ""])
def test_what_every_text_holds_and_what_nobody_says_is_no_name(name: str) -> None:
    assert not is_telling(name)


@pytest.mark.parametrize("name", ["Run", "R2", "The Bell", "deadbeef", "Zoë", "眠り"])
def test_other_names_are_names(name: str) -> None:
    assert is_telling(name)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("BTCUSDT@65000", [("BTCUSDT", 65_000.0)]),
        ("sold btcusdt at $65,000.5, bought BTC 64k.", [("BTCUSDT", 65_000.5), ("BTC", 64_000.0)]),
        ("HARBOR 98.50. HARBOR near 98.5!", [("HARBOR", 98.5)]),
        ("HARBOR 3% up, HARBOR 3 percent, HARBOR 3 per cent", []),
        ("20 HARBOR shares at 98.5", []),
        ("HARBOR 98.5x, HARBOR 1,23456", []),
        ("HARBOR98.5", []),
    ],
)
def test_a_price_right_behind_a_symbol_is_named(text: str, found: list[tuple[str, float]]) -> None:
    assert prices_named(MARKETS, text) == found


def test_a_question_may_name_a_price_anywhere() -> None:
    assert prices_in("about 65,000 (65000), $98.50? 5% of 1.2.3 by R2") == [65_000.0, 98.5]


@given(st.lists(st.sampled_from("abcdef")), st.lists(st.sampled_from("abcdef")))
def test_a_text_is_evidence_for_it_with_each_node_and_each_two_nodes(named: list[str], fresh: list[str]) -> None:
    pairs = pairs_of("note", named)
    assert sorted(pairs) == sorted(combinations(sorted({*named, "note"}), 2))
    assert set(pairs_of("note", named, fresh=fresh)) == {pair for pair in pairs if {*fresh} & {*pair}}


def test_a_text_that_names_itself_is_no_pair() -> None:
    assert pairs_of("a", ["a", "b"]) == [("a", "b")]


def test_the_note_says_which_block() -> None:
    assert block_of(note_of("84727e0bf7d54a2c")) == "84727e0bf7d54a2c"
    assert block_of("line 3 #0123") is None

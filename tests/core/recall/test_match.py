"""Match: each piece of a question by its best match, in an entry or beside it, among the best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from asterism.core.ledger.graph import Entry
from asterism.core.recall.lexical import Lexical
from asterism.core.recall.match import Match, weights_of
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import Recall
from asterism.core.recall.signals import Query
from asterism.core.recall.vectors import Codes
from tests.core.recall.test_rank import index_of

P = RecallParameters().suited_to("minilm")
DIRECTIONS = {"kickboxing": (100, 20), "arts": (100, 0), "soup": (0, 100), "martial": (100, 10), "lake": (-50, 50)}


def codes(text: str) -> Codes:
    """Give a vector for each word that the small world knows."""
    found = [DIRECTIONS[word] for word in text.lower().replace("?", "").split() if word in DIRECTIONS]
    return np.array(found, dtype=np.int8).reshape(-1, 2)


def recall_of(entries: Sequence[Entry], *, p: RecallParameters = P) -> Recall:
    texts = {entry.id: entry.text for entry in entries}
    return Recall(index_of(entries), p, pieces=lambda ids: [codes(texts[one]) for one in ids])


def asked(text: str) -> Query:
    told = [word for word in text.lower().replace("?", "").split() if word in DIRECTIONS]
    return Query(text, pieces=codes(text), piece_words=tuple(told))


TURNS = [
    Entry("1", "I do kickboxing on Mondays", group="s"),
    Entry("2", "Nice", group="s", position=1),
    Entry("3", "We ate soup", group="s", position=2),
    Entry("4", "The lake was cold", group="t"),
]


def test_a_word_finds_its_own_match() -> None:
    hits = recall_of(TURNS).ask(asked("martial arts"))
    assert hits[0].id == "1"
    assert hits[0].signals["match"] > 0
    assert hits[0].score == pytest.approx(sum(hits[0].signals.values()))


def test_an_entry_without_pieces_gets_nothing_by_itself() -> None:
    hits = {hit.id: hit for hit in recall_of(TURNS).ask(asked("martial arts"))}
    assert "match" not in hits["2"].signals


def test_the_window_takes_what_is_beside_at_a_little_less() -> None:
    match = Match(index_of(TURNS), lambda ids: [codes({e.id: e.text for e in TURNS}[one]) for one in ids])
    own, window, has = match.best(codes("soup"), np.array([1.0]), [1, 3])
    assert own.tolist() == [0.0, pytest.approx(0.5**0.5)]
    assert window.tolist() == [pytest.approx(0.85), pytest.approx(0.5**0.5)]
    assert has.tolist() == [False, True]


def test_stop_words_names_and_signs_weigh_nothing_and_a_words_pieces_share_its_weight() -> None:
    index = index_of(TURNS)
    words = ("what", "anna", "soup", "soup", "lake", "?")
    worth = weights_of(index, Lexical(index, P), words, {"anna"}).tolist()
    assert worth == [0.0, 0.0, pytest.approx(0.25), pytest.approx(0.25), pytest.approx(0.5), 0.0]


def test_a_question_of_nothing_that_counts_matches_nobody() -> None:
    query = Query("who?", pieces=np.zeros((1, 2), dtype=np.int8), piece_words=("who",))
    assert all("match" not in hit.signals for hit in recall_of(TURNS).ask(query))
    empty = Query("who?", pieces=np.zeros((0, 2), dtype=np.int8), piece_words=())
    assert recall_of([]).ask(empty) == []


def test_a_piece_of_zeros_is_like_nothing() -> None:
    match = Match(index_of(TURNS), lambda ids: [np.zeros((1, 2), dtype=np.int8) for _ in ids])
    assert match.best(codes("soup"), np.array([1.0]), [0])[0].tolist() == [0.0]


def test_without_pieces_of_entries_there_is_no_match() -> None:
    recall = Recall(index_of(TURNS), P)
    assert all("match" not in hit.signals for hit in recall.ask(asked("martial arts")))


def test_what_a_filter_allows_is_matched_though_others_are_better() -> None:
    many = [Entry(f"{n:03}", "soup soup kickboxing") for n in range(120)] + [Entry("last", "kickboxing")]
    recall = recall_of(many)
    allowed = np.array([one == "last" for one in recall.index.ids])
    assert recall.ask(asked("soup arts"), allowed=allowed)[0].signals.get("match") is not None


def test_the_order_in_which_entries_came_changes_nothing() -> None:
    query = asked("martial arts soup")
    there, back = recall_of(TURNS).ask(query), recall_of(TURNS[::-1]).ask(query)
    assert [(hit.id, hit.score, hit.probability) for hit in there] == [
        (hit.id, hit.score, hit.probability) for hit in back
    ]


def test_where_pieces_are_known_the_probability_looks_at_them() -> None:
    recall = recall_of(TURNS)
    assert recall.ask(asked("martial arts"))[0].probability > recall.ask(asked("lake soup"))[-1].probability


def test_a_preset_takes_the_place_of_defaults_only() -> None:
    assert RecallParameters(weight_match=3.0).suited_to("minilm").weight_match == 3.0
    assert RecallParameters().suited_to("minilm").weight_match == P.weight_match

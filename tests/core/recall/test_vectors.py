"""Meaning: whole windows, their shadows where there are many, and what changes with a changed entry."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from asterism.core.ledger.graph import Entry
from asterism.core.recall import rank, vectors
from asterism.core.recall.index import Index
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import Hit, Recall
from asterism.core.recall.signals import Query
from asterism.core.recall.vectors import Meaning
from tests.support.ties import Ties

P = RecallParameters()
WIDTH = 48


def unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def index_of(size: int, *, talk: int = 6) -> Index:
    index = Index()
    for number in range(size):
        text = f"word{number % 7} other{number % 11}"
        index.add(Entry(f"e{number:03}", text, group=f"g{number // talk}" if number % 9 else "", position=number))
    return index


def made(size: int, seed: int = 0, *, few: int) -> tuple[Index, Meaning, NDArray[np.float32]]:
    chance = np.random.default_rng(seed)
    index = index_of(size)
    entries = unit(chance.normal(size=(size, WIDTH)))
    entries[::13] = 0.0
    return index, Meaning(index, P, entries=entries, few=few), unit(chance.normal(size=(3, WIDTH)))


def plain(index: Index, entries: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float64]:
    """The standard score of each entry, as the page writes it."""
    weights = {"previous": 0.7, "following": 0.5, "second_previous": 0.3, "second_following": 0.3}
    near = []
    for row in range(len(index.ids)):
        window = entries[row].astype(float)
        for side, column in index.neighbours().items():
            if column[row] >= 0:
                window = window + weights[side] * entries[column[row]]
        length = np.linalg.norm(window)
        near.append(float(window @ query) / length if length else 0.0)
    known = np.array([entries[row].any() and index.ids[row] in index for row in range(len(near))])
    held = np.array(near)[known]
    return np.where(known, (np.array(near) - held.mean()) / held.std(), 0.0)


@pytest.mark.parametrize("few", [0, 1_000])
def test_standard_scores_are_the_plain_ones(few: int) -> None:
    index, meaning, queries = made(90, few=few)
    assert meaning.many == (few == 0)
    for query in queries:
        expected = plain(index, meaning.entries, query)
        assert meaning.standard(query) == pytest.approx(expected, abs=1e-5)
        if meaning.many:
            assert meaning.exactly(query, np.arange(90)) == pytest.approx(expected, abs=1e-5)
            assert np.corrcoef(meaning.rough(query), expected)[0, 1] > 0.8  # 32 of 48 directions


@settings(max_examples=20)
@given(
    st.integers(0, 10**6),
    st.lists(st.integers(0, 69), max_size=4, unique=True),
    st.lists(st.integers(0, 5), max_size=3),
    st.sampled_from([0, 10**6]),
)
def test_what_changes_is_what_making_it_anew_gives(seed: int, gone: list[int], more: list[int], few: int) -> None:
    index, meaning, queries = made(70, seed, few=few)
    meaning.standard(queries[0])
    for number in gone:
        index.remove(f"e{number:03}")
    came = [index.add(Entry(f"n{place}", "new", group=f"g{group}")) for place, group in enumerate(more)]
    meaning.standard(queries[0])
    late = np.array([13, *came])
    meaning.put(late, unit(np.random.default_rng(seed).normal(size=(len(late), WIDTH))))
    anew = Meaning(index, P, entries=meaning.entries.copy(), few=few)
    for query in queries:
        assert meaning.standard(query) == pytest.approx(anew.standard(query), abs=1e-5)
        if few == 0:
            rows = np.flatnonzero(index.facts.trim().alive)
            assert meaning.exactly(query, rows) == pytest.approx(anew.exactly(query, rows), abs=1e-5)


def shown(hits: list[Hit]) -> list[tuple[str, float, object]]:
    return [(hit.id, round(hit.score, 4), hit.via) for hit in hits]


@pytest.mark.parametrize("look", [8, 10**6])
def test_looking_at_few_gives_what_looking_at_all_gives(look: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rank, "WORTH_A_LOOK", look)
    monkeypatch.setattr(rank, "BLOCK", 4)
    monkeypatch.setattr(vectors, "SHADOW", 40)
    index, meaning, queries = made(300, few=0)
    whole = Meaning(index, P, entries=meaning.entries, few=10**6)
    ties = {"similar": Ties(range(300), [299 - row for row in range(300)], [9.0] * 300, rows=300)}
    some, every = Recall(index, P, meaning=meaning, given=ties), Recall(index, P, meaning=whole, given=ties)
    same = 0
    for query in queries:
        asked = Query("word3 other2", vector=query, intention_vector=queries[0])
        mine, theirs = some.ask(asked, k=5, hops=2), every.ask(asked, k=5, hops=2)
        same += [hit.id for hit in mine] == [hit.id for hit in theirs]
        if look > 300:
            assert [one[:2] for one in shown(mine)] == [one[:2] for one in shown(theirs)]
        last = some.why_not("e299", asked, k=5)
        assert last.score == pytest.approx(every.why_not("e299", asked, k=5).score, abs=1e-4)
    assert same >= 2


def test_many_entries_without_a_spread_say_nothing() -> None:
    index = index_of(30)
    meaning = Meaning(index, P, entries=np.zeros((30, 4), dtype=np.float32), few=0)
    query = np.ones(4, dtype=np.float32)
    assert meaning.rough(query).tolist() == [0.0] * 30
    assert meaning.exactly(query, np.arange(2)).tolist() == [0.0, 0.0]
    assert (
        Recall(index, P, meaning=meaning).ask(Query("word3", vector=query), k=1)[0].signals.get("meaning", 0.0) == 0.0
    )
    assert Recall(index, P, meaning=meaning).ask(Query("word3"), k=1)


def test_kin_are_kept_and_found_again_when_the_words_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "KIN_KEPT", 2)
    index = index_of(20)
    chance = np.random.default_rng(4)
    words = unit(chance.normal(size=(len(index.words.names), 3)))
    meaning = Meaning(index, P, entries=np.zeros((20, 3), dtype=np.float32), words=words)
    asked = {name: words[number] for number, name in enumerate(index.words.names)}
    once = [meaning.kin(name, vector) for name, vector in list(asked.items())[:5]]
    assert [meaning.kin(name, vector) for name, vector in list(asked.items())[:5]] == once
    assert list(meaning.kin_of(asked)) == list(asked)  # more words at once than are kept
    name = index.words.names[0]
    assert meaning.kin(name, -words[0]) != once[0]
    meaning.words = words[::-1].copy()
    assert meaning.kin(name, words[0]) != once[0]


def test_a_filter_above_the_bound_gives_what_every_cosine_gives() -> None:
    chance = np.random.default_rng(3)
    index = Index()
    for number in range(600):
        index.add(Entry(f"{number:04}", f"word{number % 7} other{number % 11}"))
    vectors = chance.normal(size=(600, 64)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    query = Query("word3", vector=vectors[5] + vectors[77])
    allowed = np.zeros(600, dtype=bool)
    allowed[chance.choice(600, 30, replace=False)] = True
    exact, rough = (
        Recall(index, RecallParameters(), meaning=Meaning(index, RecallParameters(), entries=vectors.copy(), few=few))
        for few in (10_000, 100)
    )
    wanted = exact.ask(query, k=10, allowed=allowed)
    found = rough.ask(query, k=10, allowed=allowed)
    assert [hit.id for hit in found] == [hit.id for hit in wanted]
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in wanted], abs=1e-4)


def test_sums_that_were_kept_give_what_computing_them_gives() -> None:
    index, meaning, queries = made(90, few=20)
    kept = meaning.moments()
    assert kept is not None
    again = Meaning(index, P, entries=meaning.entries.copy(), few=20)
    again.take_moments(kept)
    row = index.add(Entry("new", "word1", group="g0", position=1))
    for each in (meaning, again):
        each.put(np.array([row]), unit(np.ones((1, WIDTH))))
    for query in queries:
        assert np.array_equal(again.rough(query), meaning.rough(query))
        assert np.array_equal(again.exactly(query, np.arange(91)), meaning.exactly(query, np.arange(91)))
    assert made(15, few=20)[1].moments() is None

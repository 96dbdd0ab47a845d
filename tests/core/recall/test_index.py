"""The index and its postings: kept as entries come and go, equal for equal sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.columns import Columns
from asterism.core.ledger.graph import Entry
from asterism.core.recall import lexical as words_heard
from asterism.core.recall import postings as posted
from asterism.core.recall.entries import UNDATED
from asterism.core.recall.index import Index
from asterism.core.recall.lexical import Lexical
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.postings import Postings
from asterism.core.text.rarity import idf
from asterism.core.text.words import INDEXED_WITHIN

TEXTS = st.sampled_from(
    ["Ann painted a lake", "What did Ann paint?", "lakes and Rome", "Rome is old", "", "Paris, Rome and Ann!", "x\ny"]
)
ENTRIES = st.builds(
    Entry,
    id=st.sampled_from([f"e{number}\n" if number == 3 else f"e{number}" for number in range(8)]),
    text=TEXTS,
    name=st.sampled_from(["", "Rome", "Ann Lee, painter"]),
    group=st.sampled_from(["", "one", "two"]),
    position=st.integers(0, 4),
    speaker=st.sampled_from(["", "Ann", "Bob"]),
    at=st.one_of(st.none(), st.integers(0, 10**15)),
    times=st.lists(st.integers(0, 10**15), max_size=3).map(sorted).map(tuple),
    kind=st.sampled_from(["block", "turn"]),
)


def same(first: Columns, second: Columns) -> bool:
    return first.keys() == second.keys() and all(np.array_equal(first[name], second[name]) for name in first)


def index_of(*entries: Entry) -> Index:
    index = Index()
    for entry in entries:
        index.add(entry)
    return index


def talk(*texts: str, group: str = "s") -> list[Entry]:
    return [Entry(f"{group}{place}", text, group=group, position=place) for place, text in enumerate(texts)]


@given(st.lists(ENTRIES, max_size=12, unique_by=lambda entry: entry.id), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_the_order_of_adding_does_not_matter(entries: list[Entry], chance: object) -> None:
    shuffled = list(entries)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert same(index_of(*entries).dump(), index_of(*shuffled).dump())


@given(st.lists(ENTRIES, max_size=20), st.lists(st.integers(0, 7), max_size=8))
@settings(max_examples=30)
def test_what_was_removed_or_replaced_leaves_no_trace(entries: list[Entry], gone: list[int]) -> None:
    index = index_of(*entries)
    for number in gone:
        for one in (f"e{number}", f"e{number}\n"):
            if one in index:
                index.remove(one)
    left = {entry.id: entry for entry in entries if entry.id in index}
    fresh = index_of(*left.values())
    assert len(index) == len(left)
    assert same(index.dump(), fresh.dump())
    loaded = Index.load(index.dump())
    assert same(loaded.dump(), fresh.dump())
    more = Entry("new", "Ann saw Rome", group="one", position=2)
    loaded.add(more)
    fresh.add(more)
    assert same(loaded.dump(), fresh.dump())
    for term in ("ann", "rom", "paint", "lak", "nothing"):
        held = {index.ids[row]: count for row, count in zip(*index.holding(term), strict=True)}
        again = {fresh.ids[row]: count for row, count in zip(*fresh.holding(term), strict=True)}
        assert held == {one: count for one, count in again.items() if one != "new"}


def test_neighbours_close_ranks_around_a_removed_entry() -> None:
    index = index_of(*talk("a", "b", "c", "d"))
    index.remove("s1")
    neighbours = index.neighbours()
    row = index.rows["s2"]
    assert index.ids[neighbours["previous"][row]] == "s0"
    assert index.ids[neighbours["following"][row]] == "s3"
    assert neighbours["second_previous"][row] == neighbours["second_following"][row] == -1


def test_an_entry_without_time_has_no_day() -> None:
    index = index_of(Entry("a", "x"), Entry("b", "x", at=86_400_000_000))
    assert index.facts.day[:2].tolist() == [UNDATED, 1]


def test_postings_are_the_same_before_and_after_they_are_sorted_in() -> None:
    postings = Postings()
    rows = posted.FRESH_AT_LEAST // 2 + 10
    for row in range(rows):
        postings.add({"all": 1, f"own {row}": row + 1, **({"odd": 2} if row % 2 else {})})
    assert postings.of("all")[0].tolist() == list(range(rows))
    assert postings.of("odd")[0].tolist() == list(range(1, rows, 2))
    assert postings.of("own 5")[1].tolist() == [6]
    assert postings.of(f"own {rows - 1}")[1].tolist() == [rows]
    assert postings.of("none")[0].tolist() == []
    assert (postings.spread("all"), postings.spread("none")) == (rows, 0)
    assert postings.keys_of(1) == ["all", "own 1", "odd"]


def test_bm25_over_windows_by_hand() -> None:
    p = RecallParameters()
    index = index_of(*talk("painted", "lovely weather", "paints paint"), Entry("lone", "rain"))
    scores, share = Lexical(index, p).scores({"paint": 1.0})
    lengths = np.array([1 + 0.5 * 2 + 0.3 * 2, 2 + 0.7 * 1 + 0.5 * 2, 2 + 0.7 * 2 + 0.3 * 1, 1.0])
    pull = 0.9 * (0.6 + 0.4 * lengths / lengths.mean())
    tf = np.array([1 + 0.3 * 2, 0.7 * 1 + 0.5 * 2, 2 + 0.3 * 1, 0.0])
    assert scores == pytest.approx(idf(4, 2) * 1.9 * tf / (tf + pull))
    assert share.tolist() == [1.0, 0.0, 1.0, 0.0]


def test_without_groups_there_are_no_windows() -> None:
    index = index_of(Entry("a", "lake"), Entry("b", "rain"))
    scores, share = Lexical(index, RecallParameters()).scores({"lak": 1.0, "nothing": 1.0})
    assert scores[1] == 0.0
    assert 0.0 < share[0] < 1.0
    assert Lexical(index, RecallParameters()).scores({})[1].tolist() == [0.0, 0.0]


def test_an_empty_index_scores_nothing() -> None:
    assert Lexical(Index(), RecallParameters()).scores({"lak": 1.0})[0].tolist() == []


@pytest.mark.parametrize("kept", [0, 100, 10**9])
def test_common_and_rare_terms_are_scored_alike(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words_heard, "HEARD_KEPT", kept)
    monkeypatch.setattr(words_heard, "COMMON_KEPT", 0)
    p = RecallParameters()
    texts = [f"rare{place} {' '.join(f'w{number}' for number in range(6))}" for place in range(80)]
    index = index_of(*talk(*texts, group="g"))
    lexical = Lexical(index, p)
    for number in (*range(6), 0):
        together, _ = lexical.scores({f"w{number}": 1.0, "rare7": 1.0})
        alone, _ = lexical.scores({f"w{number}": 1.0})
        rare, _ = lexical.scores({"rare7": 1.0})
        assert together == pytest.approx(alone + rare)
        assert np.flatnonzero(rare).tolist() == [index.rows[f"g{place}"] for place in range(5, 10)]
        assert lexical.holding(f"w{number}").tolist() == list(range(80))
    index.add(Entry("late", "w0"))
    assert lexical.scores({"w0": 1.0})[0].shape == (81,)
    assert len(lexical.holding("w0")) == 81


def plain_scores(index: Index, term: str, p: RecallParameters) -> list[float]:
    """Windowed BM25 of one term, entry by entry, as the page writes it."""
    columns = {side: column.tolist() for side, column in index.neighbours().items()}
    weights = {"previous": p.window_previous, "following": p.window_following}
    weights |= {"second_previous": p.window_second, "second_following": p.window_second}
    rows = range(len(index.ids))
    count = dict.fromkeys(rows, 0) | dict(zip(*(each.tolist() for each in index.holding(term)), strict=True))
    alive = index.facts.alive.tolist()
    own = [index.facts.length[row] if alive[row] else 0 for row in rows]

    def window(values: dict[int, int] | list[int], row: int) -> float:
        near = [(columns[side][row], weight) for side, weight in weights.items()]
        return values[row] + sum(weight * values[beside] for beside, weight in near if beside >= 0)

    length = [window(own, row) for row in rows]
    living = [length[row] for row in rows if alive[row]]
    mean = sum(living) / len(living) if living else 0.0
    holding = sum(1 for n in count.values() if n)
    found = []
    for row in rows:
        tf = window(count, row)
        pull = p.k1 * (1.0 - p.b + p.b * (length[row] / mean if mean else length[row]))
        found.append(idf(len(index), holding) * (p.k1 + 1.0) * tf / (tf + pull) if tf else 0.0)
    return found


@given(st.lists(ENTRIES, max_size=20), st.lists(st.integers(0, 7), max_size=3), st.sampled_from([1, 32, 10**6]))
@settings(max_examples=30)
def test_kept_scores_are_the_plain_ones(entries: list[Entry], gone: list[int], few: int) -> None:
    index = index_of(*entries)
    for number in gone:
        if f"e{number}" in index:
            index.remove(f"e{number}")
    lexical = Lexical(index, RecallParameters())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words_heard, "_FEW", few)
        for term in ("ann", "rom", "paint", "lak", "ann"):
            scores, _ = lexical.scores({term: 1.0})
            plain = plain_scores(index, term, RecallParameters())
            living = np.flatnonzero(index.facts.trim().alive).tolist()
            assert [scores[row] for row in living] == pytest.approx([plain[row] for row in living])


def test_a_loaded_index_goes_on_as_before() -> None:
    entries = [*talk("Ann met Bob Lee", "in Rome?", "yes", "no"), Entry("lone", "Rome", name="Rome", speaker="Ann")]
    index = index_of(*entries, Entry("gone", "Rome"))
    index.remove("gone")
    loaded = Index.load(index.dump())
    assert (loaded.ids, len(loaded), "gone" in loaded) == (["lone", "s0", "s1", "s2", "s3"], 5, False)
    for each in (index, loaded):
        each.add(Entry("s1", "in Oslo", group="s", position=9))
    assert same(index.dump(), loaded.dump())
    assert [loaded.ids[row] for row in loaded.titled("rome")] == ["lone"]
    assert [loaded.ids[row] for row in loaded.naming("bob lee")] == ["s0"]


def test_of_a_very_long_text_the_beginning_is_read_and_that_is_counted() -> None:
    long = "Rome " + "x " * INDEXED_WITHIN + "lake tomorrow in Oslo?"
    index = index_of(Entry("long", long), Entry("short", "a lake"), Entry("gone", long))
    index.remove("gone")
    assert index.cut == 1
    assert [index.ids[row] for row in index.holding("lak")[0]] == ["short"]
    assert [index.ids[row] for row in index.naming("rome")] == ["long"]
    assert not len(index.naming("oslo"))
    assert index.facts.characters[0] == len(long)
    assert (bool(index.facts.asks[0]), bool(index.facts.tells_time[0])) == (True, False)

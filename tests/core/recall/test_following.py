"""What recall keeps follows the index: after any changes it is what computing everything anew would give."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from asterism.core.ledger.graph import Entry
from asterism.core.recall import index as indexed
from asterism.core.recall import lexical as words_heard
from asterism.core.recall.index import Index
from asterism.core.recall.lexical import Lexical
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import Recall
from asterism.core.recall.signals import Query
from asterism.core.recall.vectors import Meaning
from asterism.core.text.words import content
from tests.support.work import lines_run

P = RecallParameters(kin_words=2)
WORDS = ("lake", "lakes", "paint", "painted", "Rome", "rain", "Ann", "boat")
ENTRIES = st.builds(
    Entry,
    id=st.sampled_from([f"e{number}" for number in range(9)]),
    text=st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join),
    name=st.sampled_from(["", "Rome"]),
    group=st.sampled_from(["", "one", "two"]),
    position=st.integers(0, 4),
    speaker=st.sampled_from(["", "Ann"]),
    at=st.sampled_from([None, 10**15]),
    times=st.sampled_from([(), (10**15, 2 * 10**15)]),
    kind=st.just("block"),
    called=st.just(""),
)
STEPS = st.lists(st.one_of(ENTRIES, ENTRIES, st.integers(0, 8), st.sampled_from(["lake rain", "paint in Rome", "Ann"])))


def vector(text: str) -> NDArray[np.float32]:
    """Give a text some direction, the same each time; a text without words has none."""
    if not text.strip():
        return np.zeros(8, dtype=np.float32)
    drawn = np.random.default_rng(int.from_bytes(sha256(text.encode()).digest()[:4])).normal(size=8)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


class Following:
    """Recall over an index that changes, with the vectors of its entries and words."""

    def __init__(self, few: int) -> None:
        self.index = Index()
        self.meaning = Meaning(self.index, P, entries=np.zeros((0, 8), dtype=np.float32), few=few)
        self.recall = Recall(self.index, P, meaning=self.meaning)
        self.entries: dict[str, Entry] = {}
        for number, word in enumerate(("sun", "moon", "star", "tree")):  # so that cosines always differ
            self.put(Entry(f"b{number}", word))

    def put(self, entry: Entry) -> None:
        row = self.index.add(entry)
        self.entries[entry.id] = entry
        self.meaning.put(np.array([row]), vector(entry.text)[None, :])
        names = self.index.words.names
        self.meaning.words = np.array([vector(name) for name in names], dtype=np.float32).reshape(len(names), 8)

    def remove(self, name: str) -> None:
        if name in self.index:
            self.index.remove(name)
            del self.entries[name]

    def ask(self, text: str) -> dict[str, dict[str, float]]:
        query = Query(text, vector=vector(text), words={word: vector(word) for word in content(text)})
        return {
            hit.id: {name: value for name, value in hit.signals.items() if abs(value) > 1e-4}
            for hit in self.recall.ask(query, k=20)
        }

    def anew(self) -> Following:
        fresh = Following(self.meaning.few)
        for entry in self.entries.values():
            fresh.put(entry)
        return fresh


@given(STEPS, st.sampled_from([0, 10**6]), st.sampled_from([1, 10**6]), st.sampled_from([2, 256]))
@settings(max_examples=60)
def test_what_was_changed_answers_as_what_is_made_anew(
    steps: list[Entry | int | str], few: int, dense: int, changes: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words_heard, "_FEW", dense)
        space = Following(few)
        space.index._touched = type(space.index._touched)(maxlen=changes)
        for step in [*steps, "lake rain", "paint in Rome"]:
            if isinstance(step, Entry):
                space.put(step)
            elif isinstance(step, int):
                space.remove(f"e{step}")
            else:
                fresh = space.anew()
                near = 1e-9 if few else 1e-4  # sums of products in float32 depend on their order
                ours, theirs = space.ask(step), fresh.ask(step)
                assert ours.keys() == theirs.keys()
                for name, signals in ours.items():
                    assert signals == pytest.approx(theirs[name], abs=near)
                for one in (step.lower(), "lake", "boat"):
                    weights = dict.fromkeys(content(one), 1.0) | {"lak": 0.5, "paint": 0.25}
                    for signal in (0, 1):
                        assert by_id(space, weights, signal) == by_id(fresh, weights, signal)  # to the bit


def by_id(space: Following, weights: dict[str, float], signal: int) -> dict[str, float]:
    scores = space.recall.first.lexical.scores(weights)[signal]
    return {name: scores.item(row) for name, row in space.index.rows.items()}


def test_a_new_entry_costs_what_it_touches() -> None:
    def ready(size: int) -> Lexical:
        index = Index()
        for number in range(size):
            index.add(Entry(f"e{number:05}", f"lake rain boat{number}", group=f"g{number // 20}", position=number % 20))
        lexical = Lexical(index, P)
        lexical.scores({"lak": 1.0, "rain": 1.0, "boat7": 1.0})
        index.add(Entry("new", "lake boats", group="g0", position=99))
        return lexical

    few, many = (lines_run(lambda each=each: each.scores({"lak": 1.0, "rain": 1.0})) for each in map(ready, (50, 1000)))  # type: ignore[misc]  # binds the loop's value
    assert many <= 1.2 * few


def test_rows_that_come_later_count_among_those_that_are_kept() -> None:
    index = Index()
    lexical = Lexical(index, P)
    for number in range(4):
        index.add(Entry(f"e{number}", "rain" if number else "lake"))
        lexical.scores({"lak": 1.0, "rain": 1.0})
        assert lexical._kept == sum(len(heard.frequency) for heard in lexical._heard.values())


def test_changes_too_long_ago_are_not_known() -> None:
    index = Index()
    assert index.touched_since(-1) is None
    for number in range(indexed.CHANGES_KEPT + 1):
        index.add(Entry(f"e{number}", "rain"))
    assert index.touched_since(0) is None
    first = index.touched_since(1)
    assert first is not None
    assert first.tolist() == list(range(1, indexed.CHANGES_KEPT + 1))


def test_what_is_kept_of_vectors_is_made_anew_after_it_was_ended_half_way() -> None:
    space = Following(few=0)

    def over() -> None:
        raise TimeoutError

    space.meaning.tick = over
    for _ in range(2):
        with pytest.raises(TimeoutError):
            space.ask("lake")
    space.meaning.tick = None
    assert space.ask("lake") == space.anew().ask("lake")


@pytest.mark.parametrize("before", [40, 16])
def test_kin_that_are_gone_make_room_for_others_that_were_not_kept(before: int) -> None:
    """More were near than are kept: at the first look, or with those that came afterwards."""
    near, far = np.ones(2, dtype=np.float32) / np.float32(2**0.5), np.array([1, -1], dtype=np.float32)
    many = [f"word{number:02}" for number in range(max(before, 17))]
    index, words = Index(), [near] * len(many)
    meaning = Meaning(index, P, entries=np.zeros((0, 2), dtype=np.float32))

    def tell(names: list[str]) -> list[str]:
        for name in names:
            index.add(Entry(name, name))
        meaning.words = np.array(words[: len(index.ids)])
        return [name for name, _ in meaning.kin("asked", near)]

    assert tell(many[:before]) == ["word00", "word01"]
    tell(many[before:])
    words.append(far)
    assert tell(["harbour"]) == ["word00", "word01"]
    for word in many[:-1]:
        index.remove(word)
    assert tell([]) == [many[-1]]

"""What walkers found, in the ranking: a signal that sums, or nothing but further hits behind it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.graph import Entry
from asterism.core.recall.index import Index
from asterism.core.recall.links import Origin, Reached
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import Recall, Via
from asterism.core.recall.scored import WALK
from asterism.core.recall.signals import Query

QUERY = Query("Where was the director of Lone Wolf born?")
ENTRIES = (
    Entry("1", "Lone Wolf was directed by Steve Carver.", name="Lone Wolf"),
    Entry("2", "A director, born in Brooklyn.", name="Steve Carver"),
    Entry("3", "The director was born in Boston.", name="Someone else"),
    Entry("4", "Brooklyn lies on a river.", name="Brooklyn"),
    Entry("5", "Nothing of that kind.", name="Nothing"),
    Entry("6", "Nor of this."),
)


def recall_of(weight: float = 0.0) -> Recall:
    index = Index()
    for entry in ENTRIES:
        index.add(entry)
    return Recall(index, RecallParameters.build("lexical", {"weight_walk_found": weight}))


def walked(recall: Recall, alignments: dict[str, float], start: str = "1") -> Reached:
    rows = {recall.index.rows[name]: value for name, value in alignments.items()}
    return Reached(
        rows=np.array(sorted(rows), dtype=np.int64),
        values=np.array([rows[row] for row in sorted(rows)]),
        origins=(Origin(WALK, recall.index.rows[start]),) * len(rows),
    )


def test_what_weighs_nothing_comes_behind_and_leaves_the_ranking_alone() -> None:
    recall = recall_of()
    plain = recall.ask(QUERY, k=2)
    hits = recall.ask(QUERY, k=2, walked=walked(recall, {"2": 0.9, "4": 0.5, "5": 0.1}))
    assert hits[:2] == plain
    assert [hit.id for hit in hits[:2]] == ["1", "2"]
    assert [hit.id for hit in hits[2:]] == ["4", "5"]
    for hit in hits[2:]:
        assert hit.signals[WALK] == 0.0
        assert hit.via[0] == Via(WALK, "1", "", 0.0)
        assert sum(hit.signals.values()) == pytest.approx(hit.score, abs=1e-9)


def test_a_weight_lifts_what_was_found_by_its_alignment() -> None:
    recall = recall_of(weight=90.0)
    before = {hit.id: hit.score for hit in recall.ask(QUERY, k=6)}
    hits = recall.ask(QUERY, k=2, walked=walked(recall, {"4": 0.9, "6": 0.5, "5": 0.01}))
    assert [hit.id for hit in hits] == ["4", "6", "5"]  # 5 was found too, and is behind
    for hit, alignment in zip(hits, (0.9, 0.5, 0.01), strict=True):
        assert hit.signals[WALK] == pytest.approx(90.0 * alignment)
        assert hit.score == pytest.approx(before[hit.id] + 90.0 * alignment)
        assert [(via.source, via.value) for via in hit.via if via.kind == WALK] == [("1", hit.signals[WALK])]


def test_filters_and_budgets_hold_for_what_was_found() -> None:
    recall = recall_of()
    found = walked(recall, {"4": 0.5, "5": 0.4, "6": 0.3})
    allowed = np.array([recall.index.ids[row] != "4" for row in range(6)])
    assert {hit.id for hit in recall.ask(QUERY, k=2, allowed=allowed, walked=found)[2:]} == {"5", "6"}
    tokens = [hit.tokens for hit in recall.ask(QUERY, k=2)]
    assert len(recall.ask(QUERY, k=2, walked=found, budget_tokens=sum(tokens))) == 2
    behind = recall.ask(QUERY, k=2, walked=found)[2:]
    shortest = min(hit.tokens for hit in behind)
    short = recall.ask(QUERY, k=2, walked=found, budget_tokens=sum(tokens) + shortest)
    assert [hit.tokens for hit in short] == [*tokens, shortest]
    assert len(recall.ask(QUERY, k=1, walked=found)) == 2  # never more than k behind


@settings(max_examples=30)
@given(
    st.dictionaries(st.sampled_from("23456"), st.floats(0.01, 1.0)),
    st.sampled_from([0.0, 1.0, 30.0]),
    st.integers(1, 6),
)
def test_every_score_is_the_sum_of_its_signals_and_nothing_comes_twice(
    alignments: dict[str, float], weight: float, k: int
) -> None:
    recall = recall_of(weight)
    hits = recall.ask(QUERY, k=k, walked=walked(recall, alignments))
    assert len({hit.id for hit in hits}) == len(hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(sum(hit.signals.values()) == pytest.approx(hit.score, abs=1e-9) for hit in hits)
    if weight == 0.0:
        assert hits[: min(k, 6)] == recall.ask(QUERY, k=k)

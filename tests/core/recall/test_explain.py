"""Why a hit has its score, and why entries are linked by a name or by their order: links that the index finds."""

from __future__ import annotations

import pytest

from asterism.core.ledger.graph import Entry
from asterism.core.ledger.model import Line
from asterism.core.recall.capability import RECALL
from asterism.core.recall.explain import why_hit, why_named
from asterism.core.recall.index import Index
from asterism.core.recall.model import AnswerHit, HitVia
from asterism.core.recall.parameters import RecallParameters
from tests.support.asking import Asking

RULES = RecallParameters()


def index_of(*entries: Entry) -> Index:
    index = Index()
    for entry in entries:
        index.add(entry)
    return index


def test_a_hit_is_the_sum_of_its_signals() -> None:
    via = HitVia("a~b#mention", "mention", "b", "lena", 0.5)
    told = why_hit(Asking(RECALL, []), AnswerHit("a", "block", "", "", 2.0, {"x": 0.5, "y": 1.5}, (), (via,), 1))
    assert told is not None
    assert (told.lines, told.notes) == ((Line("y", 1.5), Line("x", 0.5)), ("mention from b over lena",))
    assert why_hit(Asking(RECALL, []), "a") is None


NAMED = index_of(
    Entry("a", "Lone Wolf was directed by Steve Carver.", name="Lone Wolf"),
    Entry("b", "A director, born in Brooklyn.", name="Steve Carver"),
    Entry("c", "Big Bad Mama is by Steve Carver."),
    Entry("d", "Where to?", group="chat", position=1),
    Entry("e", "To the sea.", group="chat", position=2),
)


@pytest.mark.parametrize(("a", "b", "kind"), [("a", "b", "mention"), ("a", "c", "shared_term"), ("d", "e", "order")])
def test_a_link_that_the_index_finds_is_explained(a: str, b: str, kind: str) -> None:
    told = why_named(NAMED, RULES, a, b, kind)
    assert told is not None
    assert told.subject == f"{a}~{b}#{kind}"
    assert 0 < told.total == told.lines[0].value


@pytest.mark.parametrize("kind", ["mention", "shared_term", "order"])
def test_a_link_that_the_index_does_not_find_is_none(kind: str) -> None:
    assert why_named(NAMED, RULES, "a", "d", kind) is None
    assert why_named(NAMED, RULES, "a", "nobody", kind) is None

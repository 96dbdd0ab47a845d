"""Recall with walkers: what they find comes behind the ranking or into it, with the path; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from asterism.core.ledger.model import link_id
from asterism.core.recall.model import Answer
from tests.support.memories import DAY, FACTS, NOON, AnyMemory, by_hand, remembering
from tests.support.stores import STORES, Place, place_of, store_of

QUERY = "Where was the director of Lone Wolf born?"
FILM = [  # each holds the next one's name: a chain
    ("Lone Wolf", "Lone Wolf is a film, directed by Steve Carver."),
    ("Steve Carver", "Steve Carver grew up by the Hudson Quay."),
    ("Hudson Quay", "The Hudson Quay belongs to Brooklyn Heights."),
    ("Brooklyn Heights", "Brooklyn Heights is a quarter with old houses."),
]
VECTORS = by_hand(
    {
        "born": [1.0, 1.0, 1.0, 1.0],
        "quarter": [0.0, 0.0, 0.3, 1.0],
        "belongs": [0.0, 0.3, 1.0, 0.0],
        "grew up": [0.3, 1.0, 0.0, 0.0],
        "film": [1.0, 0.0, 0.0, 0.3],
        "bridge": [0.1, 0.0, 0.0, 1.0],
    }
)


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


@pytest.fixture
def memory(place: Place) -> Iterator[AnyMemory]:
    with filled(place) as memory:
        yield memory


def filled(place: Place, **how: object) -> AnyMemory:
    memory = remembering(place, embedder=VECTORS, **how).__enter__()  # type: ignore[arg-type]  # as told
    memory.learn_many([{"name": name, "content": content, "at": NOON - DAY} for name, content in FILM])
    memory.learn_many([{"content": fact, "at": NOON - DAY} for fact in FACTS])
    return memory


def said(answer: Answer) -> dict[str, object]:
    return {name: value for name, value in answer.to_dict().items() if name != "took_ms"}


def names(answer: Answer) -> list[str]:
    return [hit.name for hit in answer.hits]


def test_what_walkers_found_comes_behind_with_its_path(memory: AnyMemory) -> None:
    plain, walked = memory.recall(QUERY, k=2), memory.recall(QUERY, k=2, walk=True)
    assert walked.hits[:2] == plain.hits  # the ranking is what it was
    ids = {block.name: block.id for block in memory.blocks() if block.name}
    start = plain.hits[0]
    assert (start.name, names(plain)[1]) == ("Lone Wolf", "Steve Carver")
    assert set(names(walked)[2:]) == {"Hudson Quay", "Brooklyn Heights"}
    path = [link_id(ids[a], ids[b], "mention") for (a, _), (b, _) in pairwise(FILM)]
    for hit in walked.hits[2:]:
        assert hit.signals["walk"] == 0.0
        assert sum(hit.signals.values()) == pytest.approx(hit.score, abs=1e-9)
        assert (hit.links[0].kind, hit.links[0].source, hit.links[0].value) == ("walk", start.id, 0.0)
        way = path[: 2 if hit.name == "Hudson Quay" else 3]
        assert list(hit.via)[: len(way)] == way
        assert hit.links[0].link == way[-1]
        assert f"walk from {start.id}" in hit.reason
        assert memory.why(hit).total == hit.score


def test_a_weight_brings_it_into_the_ranking(place: Place) -> None:
    with filled(place, parameters={"weight_walk_found": 100.0}) as memory:
        plain, walked = memory.recall(QUERY, k=4), memory.recall(QUERY, k=4, walk=True)
        assert "Hudson Quay" not in names(plain)[:2]
        assert names(walked)[0] in ("Steve Carver", "Hudson Quay", "Brooklyn Heights")
        found = [hit for hit in walked.hits if "walk" in hit.signals]
        assert len(found) == 3
        for hit in walked.hits:
            assert sum(hit.signals.values()) == pytest.approx(hit.score, abs=1e-9)
            assert [each.value for each in hit.links if each.kind == "walk"] == [
                hit.signals[name] for name in ("walk",) if name in hit.signals
            ]
        assert [hit.score for hit in walked.hits] == sorted((hit.score for hit in walked.hits), reverse=True)


def test_it_writes_nothing_and_says_the_same_again(place: Place) -> None:
    with filled(place) as memory:
        memory.recall(QUERY)
        store = store_of(place, read_only=True)
        before, version = store.items("me"), store.version("me")
        data = place.read_bytes() if isinstance(place, Path) else b""
        first = memory.recall(QUERY, k=2, walk=True)
        assert len(first.hits) == 4
        assert said(memory.recall(QUERY, k=2, walk=True)) == said(first)
        assert said(memory.as_of(NOON).recall(QUERY, k=2, walk=True)) == said(first)
        assert (store.items("me"), store.version("me")) == (before, version)
        assert not isinstance(place, Path) or place.read_bytes() == data
        assert memory.verify().ok
    if isinstance(place, Path):
        with remembering(place, read_only=True, embedder=VECTORS) as memory:
            assert said(memory.recall(QUERY, k=2, walk=True)) == said(first)


def test_filters_and_budgets_hold(memory: AnyMemory) -> None:
    plain = memory.recall(QUERY, k=2)
    spent = sum(hit.tokens for hit in plain.hits)
    assert memory.recall(QUERY, k=2, walk=True, budget_tokens=spent).hits == plain.hits
    assert memory.recall(QUERY, walk=True, kinds=["star"]).hits == ()
    assert memory.recall(QUERY, walk=True, since=NOON).hits == ()
    memory.learn("Brooklyn Heights has a new bridge.", name="Bridge", tags=["new"])
    only = memory.recall(QUERY, k=1, walk=True, tags=["new"], intention="to move to Brooklyn Heights")
    assert names(only) == ["Bridge"]  # walkers pass what is filtered out, and do not bring it


def test_nothing_to_walk_from_or_to(place: Place) -> None:
    with remembering(place) as memory:
        assert memory.recall(QUERY, walk=True).hits == ()
        memory.learn("A text that knows no other.")
        alone = memory.recall("text", walk=True)
        assert said(alone) == said(memory.recall("text"))


def test_a_narrative_that_the_walkers_would_make_is_no_hit(memory: AnyMemory) -> None:
    found = memory.explore(QUERY, learn=False)
    assert found.narratives
    hits = memory.recall(QUERY, k=20, walk=True).hits
    assert {hit.id for hit in hits}.isdisjoint({each.id for each in found.narratives})


def test_walkers_that_are_late_leave_what_they_have(place: Place) -> None:
    with filled(place, parameters={"deadline_seconds": 0.0}) as memory:
        late = memory.recall(QUERY, k=2, walk=True)
        assert late.hits == memory.recall(QUERY, k=2).hits
        assert late.notes[-1] == "the walkers ran out of time: what they had found by then was added"

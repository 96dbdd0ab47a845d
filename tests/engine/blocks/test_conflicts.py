"""Conflicts of a memory: found by dreams, ended by what is told, the same after merges, erasures and looks back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from asterism.core.blocks.model import ConflictView
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import NOON, AnyMemory, remembering
from tests.support.stores import STORES, place_of

LISBON, PORTO = "Anna lives in Lisbon", "Anna moved to Porto"


@pytest.fixture(params=STORES)
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AnyMemory]:
    with remembering(place_of(request.param, tmp_path)) as told:
        yield told


def tell(memory: AnyMemory) -> tuple[str, str]:
    first = memory.learn(LISBON, at=NOON - timedelta(days=90))
    second = memory.learn(PORTO, at=NOON - timedelta(days=30))
    return first.id, second.id


def said(views: list[ConflictView]) -> list[tuple[str, str]]:
    return [(view.earlier.text, view.later.text) for view in views]


def texts(memory: AnyMemory) -> list[tuple[str, str]]:
    return said(memory.conflicts())


def test_a_dream_marks_what_cannot_both_hold_and_settles_nothing(memory: AnyMemory) -> None:
    a, b = tell(memory)
    memory.learn("Anna likes tea")
    memory.learn("Anna likes coffee")
    assert memory.conflicts() == []
    done = memory.dream()
    assert (done.conflicts, done.duplicates, done.superseded) == (1, 0, 0)
    assert "1 conflict" in str(done)
    assert texts(memory) == [(LISBON, PORTO)]
    assert {block.id for block in memory.blocks()} >= {a, b}
    assert [link.kind for link in memory.links(a, b) if link.kind == "conflict"] == ["conflict"]
    assert (memory.why(f"{min(a, b)}~{max(a, b)}#conflict")).total == 0.9
    assert (memory.verify()).ok


def test_what_is_told_later_ends_it(memory: AnyMemory) -> None:
    a, b = tell(memory)
    memory.dream()
    memory.forget(a)
    assert texts(memory) == []
    memory.restore(a)
    assert texts(memory) == [(LISBON, PORTO)]
    memory.edit(b, "Anna visited Porto")
    memory.dream()
    assert texts(memory) == []
    assert (memory.verify()).ok


def test_a_look_back_sees_what_was_in_conflict_then(memory: AnyMemory) -> None:
    a, _ = tell(memory)
    memory.dream()
    memory.advance(days=1)
    memory.forget(a)
    assert texts(memory.as_of(NOON)) == [(LISBON, PORTO)]
    assert texts(memory) == []


def test_without_a_side_there_is_no_conflict(memory: AnyMemory) -> None:
    a, b = tell(memory)
    memory.dream()
    without = memory.what_if(without=f"node:{b}")
    assert any(change.id.endswith("#conflict") and change.change == "gone" for change in without.changes)
    memory.erase(f"node:{b}")
    assert texts(memory) == []
    assert (memory.verify()).ok
    assert [block.id for block in memory.blocks()] == [a]


def test_copies_have_the_same_conflicts_in_whichever_order_they_merge(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("one.db", "two.db")]
    with remembering(paths[0]) as one:
        tell(one)
        one.dream()
    with remembering(paths[1]) as two:
        two.learn("Anna moved to Faro", at=NOON - timedelta(days=10))
        two.learn(LISBON, at=NOON - timedelta(days=5))
        two.dream()
    found = []
    for first, second in (paths, reversed(paths)):
        with remembering(InMemoryStore()) as both:
            both.merge(first)
            both.merge(second)
            found.append(texts(both))
            assert (both.verify()).ok
    assert found[0] == found[1]
    assert sorted(found[0]) == [("Anna moved to Faro", LISBON), (PORTO, LISBON)]


def test_recall_does_not_follow_a_conflict(memory: AnyMemory) -> None:
    tell(memory)
    memory.dream()
    hits = (memory.recall("Where does Anna live?", k=5)).hits
    assert not [link for hit in hits for link in hit.via if link.endswith("#conflict")]

"""What a service keeps beside the ledgers, and writes that belong together, on every store."""

from __future__ import annotations

import pytest

from asterism.store.port import Store
from tests.support.stores import InterruptionError, append, bury, item


def test_a_record_is_of_its_sheet_and_space(store: Store) -> None:
    store.put_records("token", {"b": "2", "a": "1"})
    store.put_records("answer", {"a": "mine"}, space="me")
    assert store.records("token") == {"a": "1", "b": "2"}
    assert (store.sheets(), store.sheets(space="me"), store.sheets(space="you")) == (["token"], ["answer"], [])
    assert store.record("answer", "a", space="me") == "mine"
    assert store.record("answer", "a") is None
    assert store.records("answer", space="you") == {}
    store.put_records("token", {"a": None, "b": "3"})
    assert store.records("token") == {"b": "3"}
    assert store.spaces() == []


def test_an_erasure_empties_what_is_kept_of_its_space(store: Store) -> None:
    append(store, item("a"))
    store.put_records("answer", {"a": "words of a"}, space="me")
    store.put_records("answer", {"a": "words of another"}, space="you")
    store.put_records("token", {"t": "kept"})
    bury(store, item("a"))
    assert store.records("answer", space="me") == {"a": ""}
    assert store.records("answer", space="you") == {"a": "words of another"}
    assert store.records("token") == {"t": "kept"}


def test_what_is_written_together_is_there_whole_or_not_at_all(store: Store) -> None:
    append(store, item("a"))
    with pytest.raises(InterruptionError):
        broken_off(store)
    assert [stored.item for stored in store.items("me")] == [item("a")]
    assert store.records("answer", space="me") == {}
    with store.together():
        append(store, item("b"))
        append(store, item("c"))
        store.put_records("answer", {"b": "added"}, space="me")
    assert len(store.items("me")) == 3
    assert store.record("answer", "b", space="me") == "added"
    assert [each.position for each in store.arrivals("me")] == [1, 2, 3]


def test_a_part_that_fails_leaves_the_others(store: Store) -> None:
    with store.together():
        append(store, item("a"))
        with pytest.raises(InterruptionError):
            in_part(store)
        append(store, item("c"))
    assert sorted(stored.item.id for stored in store.items("me")) == sorted([item("a").id, item("c").id])


def broken_off(store: Store) -> None:
    with store.together():
        append(store, item("b"))
        store.put_records("answer", {"b": "added"}, space="me")
        assert len(store.items("me")) == 2
        raise InterruptionError


def in_part(store: Store) -> None:
    with store.writing("me") as writing:
        writing.append([item("b")])
        raise InterruptionError

"""The order of arrival in a store: positions that are never given twice, and the name of a copy."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from asterism.store.port import Arrival, Store
from asterism.store.sqlite import SQLiteStore
from tests.support.stores import Handles, InterruptionError, append, bury, item


def test_positions_are_counted_from_one_in_each_space(store: Store) -> None:
    append(store, item("a"), item("b"))
    append(store, item("x", space="you"), space="you")
    append(store, item("c"))
    assert [(each.position, each.item) for each in store.arrivals("me")] == [
        (1, item("a")),
        (2, item("b")),
        (3, item("c")),
    ]
    assert store.arrivals("you") == [Arrival(1, item=item("x", space="you"))]
    assert [store.last_position(space) for space in ("me", "you", "nobody")] == [3, 1, 0]


def test_what_came_after_a_position_is_read_in_parts_without_loss(store: Store) -> None:
    append(store, *(item(str(number), at=-number) for number in range(7)))
    bury(store, item("3", at=-3))
    whole = store.arrivals("me")
    parts, after = [], 0
    while part := store.arrivals("me", after=after, limit=2):
        parts += part
        after = part[-1].position
    assert parts == whole
    assert store.arrivals("me", after=2, until=5) == [each for each in whole if 2 < each.position <= 5]


def test_a_batch_of_new_and_known_items_leaves_no_gap(store: Store) -> None:
    append(store, item("a"), item("b"))
    append(store, item("b"), item("c"), item("a"), item("d"))
    assert [each.position for each in store.arrivals("me")] == [1, 2, 3, 4]


def test_an_item_that_was_learnt_earlier_comes_again(store: Store) -> None:
    append(store, item("a", known_at=9), item("b"))
    append(store, item("c"), item("a", known_at=5))
    assert store.arrivals("me", after=2) == [Arrival(3, item=item("c")), Arrival(4, item=item("a", known_at=5))]
    append(store, item("a", known_at=9))
    assert store.last_position("me") == 4


def test_of_an_erased_item_only_its_hash_comes(store: Store) -> None:
    append(store, item("a"), item("b"))
    bury(store, item("a"), item("never told"))
    bury(store, item("a"))
    assert store.arrivals("me") == [
        Arrival(2, item=item("b")),
        Arrival(3, erased=item("a").id),
        Arrival(4, erased=item("never told").id),
    ]


def test_no_position_is_given_twice_even_if_the_last_item_was_erased(handles: Handles) -> None:
    one = handles()
    append(one, item("a"), item("b"))
    bury(one, item("b"))
    another = handles()
    append(another, item("c"))
    assert [each.position for each in another.arrivals("me")] == [1, 3, 4]
    assert one.last_position("me") == 4


def test_what_was_broken_off_took_no_position(store: Store) -> None:
    append(store, item("a"))

    def broken_off() -> None:
        with store.writing("me") as writing:
            writing.append([item("b")])
            writing.bury([item("a").id])
            raise InterruptionError

    with pytest.raises(InterruptionError):
        broken_off()
    append(store, item("c"))
    assert [each.position for each in store.arrivals("me")] == [1, 2]


def test_a_copy_has_one_name_for_all_that_open_it(handles: Handles) -> None:
    names = {handles().copy_name(), handles().copy_name()}
    assert len(names) == 1
    assert len(names.pop()) == 16


def test_two_memories_have_two_names(tmp_path: Path) -> None:
    with closing(SQLiteStore(tmp_path / "a.db")) as one, closing(SQLiteStore(tmp_path / "b.db")) as other:
        assert one.copy_name() != other.copy_name()


def test_a_file_that_was_copied_has_another_name_and_a_moved_one_its_own(tmp_path: Path) -> None:
    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        name = store.copy_name()
    shutil.copy(tmp_path / "memory.db", tmp_path / "copy.db")
    (tmp_path / "memory.db").rename(tmp_path / "moved.db")
    with closing(SQLiteStore(tmp_path / "copy.db", read_only=True)) as copy:
        assert copy.copy_name() != name
    with closing(SQLiteStore(tmp_path / "moved.db")) as moved:
        assert moved.copy_name() == name


DAMAGES = (
    "UPDATE ledger SET position = 1 WHERE position = 2",
    "UPDATE ledger SET position = 99 WHERE position = 2",
    "UPDATE tombstone SET position = 0",
    "UPDATE head SET count = 2 WHERE name = 'arrived'",
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_order_is_told(tmp_path: Path, damage: str) -> None:
    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        append(store, item("a"), item("b"), item("c"))
        bury(store, item("c"))
        assert store.lost_arrivals("me") == []
    with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
        connection.execute(damage)
        connection.commit()
    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        name = store.copy_name()
        assert store.lost_arrivals("me") != []
        with store.writing("me") as writing:
            writing.place_anew()
        assert store.lost_arrivals("me") == []
        assert [each.position for each in store.arrivals("me")] == [1, 2, 3]
        assert store.copy_name() != name

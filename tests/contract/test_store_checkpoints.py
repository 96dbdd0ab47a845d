"""What every store promises of checkpoints."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from asterism.core.ledger.columns import Column, Columns
from asterism.store.port import Checkpoint, Store, spread
from asterism.store.sqlite import SQLiteStore
from tests.support.stores import Handles, checkpoint, days, put

COLUMNS: Columns = {
    **{
        f"{dtype} {shape}": (np.arange(size) % 2 if dtype == "?" else np.arange(size)).astype(dtype).reshape(shape)
        for dtype in ("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u1", "?")
        for shape, size in {(0,): 0, (1,): 1, (7,): 7, (3, 4): 12, (0, 4): 0, (4, 0): 0, (30, 1): 30}.items()
    },
    "not numbers": np.array([np.nan, -np.nan, np.inf, -np.inf, -0.0, 5e-324, np.nextafter(1, 2)]),
    "extremes": np.array([-(2**63), 2**63 - 1]),
    "masks": np.array([2**64 - 1], dtype=np.uint64),
    "by column": np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    "every other": np.arange(10)[::2],
    "read-only": np.frombuffer(b"bytes", dtype=np.uint8),
}


def same(mine: Columns, other: Columns) -> bool:
    return mine.keys() == other.keys() and all(same_column(mine[name], other[name]) for name in mine)


def same_column(mine: Column, other: Column) -> bool:
    return mine.dtype == other.dtype and mine.shape == other.shape and mine.tobytes() == other.tobytes()


def test_a_checkpoint_comes_back_bit_for_bit(handles: Handles) -> None:
    put(handles(), Checkpoint("f", 7, 20_000, 1_728_000_000_000_001, COLUMNS))
    found = handles().checkpoint("me", "f")
    assert found is not None
    assert (found.fingerprint, found.seq, found.day, found.latest_at) == ("f", 7, 20_000, 1_728_000_000_000_001)
    assert same(found.columns, COLUMNS)
    assert same(handles().checkpoints("me", "f")[0].columns, COLUMNS)


def test_a_checkpoint_without_columns_is_a_checkpoint(store: Store) -> None:
    put(store, checkpoint(1, columns={}))
    found = store.checkpoint("me", "f")
    assert found is not None
    assert found.columns == {}


def test_what_is_done_to_columns_outside_does_not_reach_the_store(store: Store) -> None:
    column = np.arange(3)
    put(store, checkpoint(1, columns={"c": column}))
    column[:] = 9
    found = store.checkpoint("me", "f")
    assert found is not None
    assert found.columns["c"].tolist() == [0, 1, 2]
    found.columns["c"][0] = 5  # a column that was read may be written to
    again = store.checkpoint("me", "f")
    assert again is not None
    assert again.columns["c"].tolist() == [0, 1, 2]


def test_the_latest_checkpoint_that_is_not_too_late_is_given(store: Store) -> None:
    put(store, *(checkpoint(day) for day in (10, 30, 20)))

    def day(until_day: int | None = None, until_at: int | None = None) -> int | None:
        found = store.checkpoint("me", "f", until_day=until_day, until_at=until_at)
        return found.day if found else None

    assert day() == 30
    assert [day(until_day=limit) for limit in (9, 10, 19, 20, 99)] == [None, 10, 10, 20, 30]
    assert [day(until_at=limit) for limit in (999, 1000, 2999, 3000)] == [None, 10, 20, 30]
    assert day(until_day=25, until_at=1500) == 10
    assert store.checkpoint("me", "other") is None
    assert days(store) == [10, 20, 30]


def test_checkpoints_of_days_before_1970_are_found(store: Store) -> None:
    put(store, checkpoint(-20), checkpoint(-10))
    found = store.checkpoint("me", "f", until_day=-15)
    assert found is not None
    assert found.day == -20
    assert days(store) == [-20, -10]


def test_dropping_takes_checkpoints_of_later_days_whatever_made_them(store: Store) -> None:
    put(store, *(checkpoint(day) for day in (10, 20, 30)))
    with store.writing("me") as writing:
        writing.drop_checkpoints(after_day=20)
    assert days(store) == [10, 20]
    with store.writing("me") as writing:
        writing.drop_checkpoints(after_day=9)
    assert days(store) == []


def test_a_checkpoint_of_the_same_day_takes_the_place_of_the_other(store: Store) -> None:
    put(store, checkpoint(1, seq=1), checkpoint(1, seq=2, columns={"new": np.arange(2)}))
    assert [(each.seq, list(each.columns)) for each in store.checkpoints("me", "f")] == [(2, ["new"])]


def test_a_checkpoint_of_another_fingerprint_takes_the_place_of_all(store: Store) -> None:
    put(store, checkpoint(1), checkpoint(2))
    put(store, checkpoint(1), space="you")
    put(store, checkpoint(1, fingerprint="g"))
    assert days(store) == []
    assert days(store, "g") == [1]
    assert days(store, space="you") == [1]


@pytest.mark.parametrize("keep", [1, 2, 4, 8])
def test_old_checkpoints_are_thinned_out(store: Store, keep: int) -> None:
    expected: list[int] = []
    for day in range(1, 40):
        put(store, checkpoint(day), keep=keep)
        expected = spread([*expected, day], keep)
        assert days(store) == expected
        assert expected[-1] == day
        assert len(expected) <= keep


def test_spread_keeps_the_newest_and_no_more_than_asked_for() -> None:
    for first in (-50, 0, 7, 20_000):
        for many in range(1, 40):
            for keep in range(1, 10):
                kept = spread(range(first, first + many), keep)
                assert kept[-1] == first + many - 1
                assert kept == sorted(set(kept) & set(range(first, first + many)))
                assert len(kept) <= keep


def test_spread_day_after_day_leaves_near_and_far_ones() -> None:
    kept: list[int] = []
    for day in range(20_000, 20_600):
        kept = spread([*kept, day], 8)
        ages = [day - each for each in kept]
        assert day == 20_000 or any(0 < age <= 16 for age in ages)
        assert day < 20_128 or any(age >= 64 for age in ages)


def test_a_reader_never_takes_the_columns_of_one_checkpoint_for_those_of_another(tmp_path: Path) -> None:
    reader, writer = SQLiteStore(tmp_path / "memory.db"), SQLiteStore(tmp_path / "memory.db")
    put(writer, checkpoint(1, seq=1, columns={"seq": np.array([1])}))
    seqs = iter(range(2, 10))

    def write_in_between(statement: str) -> None:
        if "FROM checkpoint_column" in statement:
            with suppress(StopIteration):
                seq = next(seqs)
                put(writer, checkpoint(1, seq=seq, columns={"seq": np.array([seq])}))

    connection: sqlite3.Connection = reader._connection
    connection.set_trace_callback(write_in_between)
    for _ in range(4):
        found = reader.checkpoint("me", "f")
        assert found is not None
        assert found.columns["seq"].tolist() == [found.seq]
        (listed,) = reader.checkpoints("me", "f")
        assert listed.columns["seq"].tolist() == [listed.seq]
    connection.set_trace_callback(None)
    reader.close()
    writer.close()

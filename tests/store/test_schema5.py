"""The stored file of schema 5: heads, and no positions yet."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.data import make_schema5
from tests.data.make_schema5 import DAY, KEPT, START
from tests.support.memories import contents, remembering
from tests.support.paths import DATA

STORED = DATA / "schema5.db"


def test_the_file_opens_today_and_means_what_it_meant(tmp_path: Path) -> None:
    path = Path(shutil.copy(STORED, tmp_path / "memory.db"))
    with remembering(path, clock=START + 3 * DAY) as memory:
        verified = memory.verify()
        assert verified.ok, verified.differences
        assert verified.items == 5
        assert {block.content for block in memory.blocks()} == set(KEPT)
        assert memory.stats().tombstones == 2


def test_everything_in_it_gets_a_position_the_items_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    path = Path(shutil.copy(STORED, tmp_path / "memory.db"))
    with closing(SQLiteStore(path)) as store:
        for space in ("me", "other"):
            came = store.arrivals(space)
            assert [each.position for each in came] == [1, 2, 3, 4, 5, 6, 7]
            in_order = sorted(store.items(space), key=lambda each: each.seq)
            assert [each.item for each in came[:5]] == [each.item for each in in_order]
            assert [each.erased for each in came[5:]] == list(store.tombstones(space))
            assert (store.last_position(space), store.lost_arrivals(space)) == (7, [])
        name = store.copy_name()
    with closing(SQLiteStore(path)) as store:
        assert store.copy_name() == name


def test_the_script_still_makes_the_same_memory(tmp_path: Path) -> None:
    drive(make_schema5.make(tmp_path / "again.db"))
    stored_file = shutil.copy(STORED, tmp_path / "stored.db")
    with closing(SQLiteStore(stored_file)) as stored, closing(SQLiteStore(tmp_path / "again.db")) as again:
        for space in ("me", "other"):
            assert contents(stored, space) == contents(again, space)
            assert stored.head(space) == again.head(space)


def test_the_stored_file_is_whole_by_itself() -> None:
    assert not STORED.with_name("schema5.db-wal").exists()
    with closing(sqlite3.connect(f"{STORED.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (5,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for table, rows in (("ledger", 10), ("tombstone", 4), ("head", 8)):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (rows,)

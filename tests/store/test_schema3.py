"""The stored file of schema 3: sessions read, and read again, with their table of causal links."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.space.parameters import SpaceParameters
from asterism.engine.space.tables import table_differences
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.data import make_schema3
from tests.data.make_schema3 import DAY, START
from tests.support.memories import contents, remembering
from tests.support.paths import DATA

STORED = DATA / "schema3.db"
ITEMS = 24
STRENGTHS = {"bell~boat": 0.326336007341, "bell~lantern": 0.237264760353, "boat~lantern": 0.065274004622}


def test_the_file_opens_today_and_means_what_it_meant(tmp_path: Path) -> None:
    path = Path(shutil.copy(STORED, tmp_path / "memory.db"))
    with remembering(path, clock=START + 5 * DAY) as memory:
        verified = memory.verify()
        assert verified.ok, verified.differences
        assert verified.items == ITEMS
        assert memory.sessions() == ["NIGHT 1", "Night 2"]
        links = {link.id: link.strength for link in memory.links() if link.family == "connection"}
        assert links == pytest.approx(STRENGTHS)
        assert len(memory.causal_links()) == 4
        told = memory.causal_links("night 1")
    with closing(SQLiteStore(path)) as store:
        assert sorted(store.rows("me", "causal_links", "NIGHT 1")) == sorted(told)
        assert table_differences(store, "me", SpaceParameters()) == []


def test_the_script_still_makes_the_same_memory(tmp_path: Path) -> None:
    drive(make_schema3.make(tmp_path / "again.db"))
    stored_file = shutil.copy(STORED, tmp_path / "stored.db")
    with closing(SQLiteStore(stored_file)) as stored, closing(SQLiteStore(tmp_path / "again.db")) as again:
        assert contents(stored) == contents(again)
        assert stored.parts("me", "causal_links") == again.parts("me", "causal_links")


def test_the_stored_file_is_whole_by_itself() -> None:
    assert not STORED.with_name("schema3.db-wal").exists()
    with closing(sqlite3.connect(f"{STORED.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for table, rows in (("ledger", ITEMS), ("causal_session", 2), ("causal_links", 4), ("checkpoint", 1)):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (rows,)

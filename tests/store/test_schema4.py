"""The stored file of schema 4: vectors in packs, what is long deflated."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from asterism.engine.recall.recaller import recaller_of
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.data import make_schema4
from tests.data.make_schema4 import DAY, LONG, START, TEXTS
from tests.support.memories import contents, remembering
from tests.support.paths import DATA

STORED = DATA / "schema4.db"
ITEMS = 16
LINKS = {"ferry~shed": 0.149729931918}


def test_the_file_opens_today_and_means_what_it_meant(tmp_path: Path) -> None:
    path = Path(shutil.copy(STORED, tmp_path / "memory.db"))
    with remembering(path, clock=START + 5 * DAY) as memory:
        verified = memory.verify()
        assert verified.ok, verified.differences
        assert verified.items == ITEMS
        links = {link.id: link.strength for link in memory.links() if link.id in LINKS}
        assert links == pytest.approx(LINKS)
        assert memory.stats().blocks == {"active": len(TEXTS) + 1, "inbox": 1}
        assert memory.recall("log of the ferry", k=1, kinds=["block"]).hits[0].text == LONG.strip()
        assert recaller_of(memory._async._live).texts.embedded <= 3  # two stars, and what was learned since


def test_the_script_still_makes_the_same_memory(tmp_path: Path) -> None:
    drive(make_schema4.make(tmp_path / "again.db"))
    stored_file = shutil.copy(STORED, tmp_path / "stored.db")
    with closing(SQLiteStore(stored_file)) as stored, closing(SQLiteStore(tmp_path / "again.db")) as again:
        assert contents(stored) == contents(again)
        assert stored.vector_packs("me", "hashed-words-256-1") == again.vector_packs("me", "hashed-words-256-1")


def test_the_stored_file_is_whole_by_itself() -> None:
    assert not STORED.with_name("schema4.db-wal").exists()
    with closing(sqlite3.connect(f"{STORED.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (4,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for table, rows in (("ledger", ITEMS), ("vector_pack", 1), ("cache", 1), ("checkpoint", 1)):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (rows,)
        assert connection.execute("SELECT count(*) FROM ledger WHERE typeof(payload) = 'blob'").fetchone() == (1,)

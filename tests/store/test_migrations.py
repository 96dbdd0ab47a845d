"""Files of every earlier schema open today; a file of a later one, or of another program, is refused."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from asterism.engine.space.vectors import text_key
from asterism.errors import CorruptError, NewerSchemaError, UnknownError
from asterism.store.schema import APPLICATION_ID, MIGRATIONS, migrate
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.data import make_schema1, make_schema2
from tests.support.memories import contents, is_told_well, opened
from tests.support.paths import DATA

STORED = DATA / "schema1.db"
CLOCK = datetime(2026, 1, 17, 9, tzinfo=UTC)
DIGEST = "f1bf6bf5f648de81dfb2631646d9c81e3f74ad6276070d63301b594869f1fdec"
STRENGTHS = {"mood~sleep": ("growth_edge", "STRONG", 0.977427616458)}
BRIGHTNESS = {"mood": 0.536933938124, "sleep": 0.580994049332, "work": 0.098701140278, "睡眠": 0.094499115914}


@pytest.fixture
def schema1(tmp_path: Path) -> Path:
    return Path(shutil.copy(STORED, tmp_path / "memory.db"))


def test_a_file_of_schema_1_opens_today_and_means_what_it_meant(schema1: Path) -> None:
    async def scenario() -> None:
        async with opened(schema1, clock=CLOCK) as memory:
            verified = await memory.verify()
            assert verified.ok, verified.differences
            assert verified.items == 37
            assert {x.id: (x.kind, x.state, x.strength) for x in await memory.links()} == STRENGTHS
            assert {star.id: star.brightness for star in await memory.stars()} == BRIGHTNESS
            assert verified.digest == DIGEST
            assert (await memory.stats()).tombstones == 1
            assert not (await memory.observe("mood", "work", "user_confirms")).duplicate
            assert (await memory.verify()).ok
        async with opened(schema1, space="other", clock=CLOCK) as memory:
            assert [star.name for star in await memory.nodes()] == ["Sleep"]

    drive(scenario())
    with closing(sqlite3.connect(schema1)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)


def test_what_a_file_of_schema_1_had_erased_stays_erased(schema1: Path, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "before.db", clock=make_schema1.START + 10 * make_schema1.DAY) as memory:
            await make_schema1.tell(memory)
        async with opened(schema1, clock=CLOCK) as memory:
            merged = await memory.merge(tmp_path / "before.db")
            assert (merged.added, merged.buried) == (0, 1)
            assert (await memory.verify()).digest == DIGEST

    drive(scenario())


def test_the_script_still_makes_the_same_memory(schema1: Path, tmp_path: Path) -> None:
    drive(make_schema1.make(tmp_path / "again.db"))
    for space in ("me", "other"):
        with closing(SQLiteStore(schema1)) as stored, closing(SQLiteStore(tmp_path / "again.db")) as again:
            assert contents(stored, space) == contents(again, space)


def test_the_stored_file_is_whole_by_itself() -> None:
    assert not STORED.with_name("schema1.db-wal").exists()
    with closing(sqlite3.connect(f"{STORED.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for table, rows in (("ledger", 38), ("tombstone", 1), ("checkpoint", 1), ("space", 2)):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (rows,)


# Schema 2: embedders, vectors and caches

STORED_2 = STORED.with_name("schema2.db")
STRUCTURAL_2 = {
    "6d9500380a1cfd10~f56ea3b30810e7d7#similar": 0.730746983,
    "6f0c212714e51327~f56ea3b30810e7d7#outcome": 0.72,
    "6d9500380a1cfd10~f56ea3b30810e7d7#co_occurs": 0.55,
    "6d9500380a1cfd10~garden": 0.15,
}


def test_a_file_of_schema_1_learns_dreams_and_recalls_today(schema1: Path) -> None:
    async def scenario() -> None:
        async with opened(schema1, clock=CLOCK) as memory:
            links = await memory.links()
            names = [(await memory.learn(text)).id for text in make_schema2.TEXTS]
            assert (await memory.recall("mood")).hits[0].id == "mood"
            assert (await memory.dream()).promoted == len(names)
            assert (await memory.recall("piano")).hits[0].id == names[3]
            assert [link for link in await memory.links() if link.family == "connection"] == links
            verified = await memory.verify()
            assert verified.ok, verified.differences

    drive(scenario())
    with closing(SQLiteStore(schema1)) as store:
        assert store.embedder("me") == "hashed-words-256-1"
        assert store.embedder("other") is None


def test_a_file_of_schema_2_opens_today_and_means_what_it_meant(tmp_path: Path) -> None:
    async def scenario(path: Path) -> None:
        async with opened(path, clock=make_schema2.START + 4 * make_schema2.DAY) as memory:
            verified = await memory.verify()
            assert verified.ok, verified.differences
            assert verified.items == 17
            assert {link.id: link.strength for link in await memory.links()} == pytest.approx(STRUCTURAL_2)
            assert (await memory.stats()).blocks == {"active": 3, "inbox": 2, "edited": 1, "forgotten": 1}
            assert (await memory.recall("tickets", k=1)).hits[0].text.endswith("the red drawer.")
            assert (await memory.dream()).promoted == 2
            assert (await memory.verify()).ok

    drive(scenario(Path(shutil.copy(STORED_2, tmp_path / "memory.db"))))


def test_the_second_script_still_makes_that_memory_and_what_names_add(tmp_path: Path) -> None:
    drive(make_schema2.make(tmp_path / "again.db"))
    stored_file = shutil.copy(STORED_2, tmp_path / "stored.db")
    with closing(SQLiteStore(stored_file)) as stored, closing(SQLiteStore(tmp_path / "again.db")) as again:
        then, now = ({item.id: item for _, item in contents(store)} for store in (stored, again))
        assert all(now[name] == item for name, item in then.items())
        assert {now[name].note.split(" block ")[0] for name in now.keys() - then.keys()} == {"named in"}  # since then
        texts = [text_key(text) for text in make_schema2.TEXTS]
        assert stored.vectors("me", "hashed-words-256-1", texts) == again.vectors("me", "hashed-words-256-1", texts)


def test_the_second_stored_file_is_whole_by_itself() -> None:
    assert not STORED_2.with_name("schema2.db-wal").exists()
    with closing(sqlite3.connect(f"{STORED_2.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for table, rows in (("ledger", 17), ("vector", 5), ("embedder", 1), ("cache", 1), ("checkpoint", 1)):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (rows,)


# Bringing a file forward, with schemas that do not exist yet

SECOND = ("ALTER TABLE ledger ADD COLUMN mood TEXT NOT NULL DEFAULT ''", "UPDATE ledger SET mood = 'calm'")
THIRD = ("CREATE TABLE extra (x)", "INSERT INTO extra SELECT mood FROM ledger")
BROKEN = (*THIRD, "CREATE TABLE extra (again)")


@pytest.fixture
def connection(schema1: Path) -> Iterator[sqlite3.Connection]:
    opened_here = sqlite3.connect(schema1, isolation_level=None)
    yield opened_here
    opened_here.close()


def state(connection: sqlite3.Connection) -> list[object]:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return [version, *sorted(connection.iterdump())]


def bring_forward(connection: sqlite3.Connection, *migrations: tuple[str, ...]) -> None:
    migrate(connection, path="memory.db", migrations=(*MIGRATIONS[:1], *migrations))


def test_an_older_file_is_brought_forward_over_several_schemas_at_once(connection: sqlite3.Connection) -> None:
    bring_forward(connection, SECOND, THIRD)
    assert connection.execute("PRAGMA user_version").fetchone() == (3,)
    assert connection.execute("SELECT DISTINCT x FROM extra").fetchall() == [("calm",)]
    assert not connection.in_transaction


def test_a_file_is_brought_forward_step_by_step_as_well_as_at_once(
    connection: sqlite3.Connection, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(shutil.copy(STORED, tmp_path / "at once.db"), isolation_level=None)) as at_once:
        bring_forward(at_once, SECOND, THIRD)
        bring_forward(connection, SECOND)
        bring_forward(connection, SECOND, THIRD)
        assert state(connection) == state(at_once)


def test_a_file_of_the_newest_schema_is_left_alone(connection: sqlite3.Connection) -> None:
    bring_forward(connection, SECOND, THIRD)
    before = state(connection)
    bring_forward(connection, SECOND, THIRD)
    assert state(connection) == before


def test_a_migration_that_fails_leaves_the_old_schema(connection: sqlite3.Connection) -> None:
    before = state(connection)
    with pytest.raises(sqlite3.OperationalError):
        bring_forward(connection, SECOND, BROKEN)
    assert state(connection) == before
    assert not connection.in_transaction
    bring_forward(connection, SECOND, THIRD)
    assert connection.execute("PRAGMA user_version").fetchone() == (3,)


KILLED = """
import os, signal, sqlite3, sys
from asterism.store.schema import MIGRATIONS, migrate
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.create_function("die", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))
second = ("ALTER TABLE ledger ADD COLUMN mood TEXT NOT NULL DEFAULT ''",)
third = ("CREATE TABLE extra (x)", "SELECT die()")
migrate(connection, path="", migrations=(MIGRATIONS[0], second, third))
"""


def test_a_migration_that_is_killed_leaves_the_old_schema(schema1: Path) -> None:
    before = STORED.read_bytes()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(schema1)], capture_output=True, check=False)
    assert (killed.returncode, killed.stderr) == (-9, b"")
    with closing(sqlite3.connect(schema1)) as after, closing(sqlite3.connect(":memory:")) as expected:
        expected.deserialize(as_plain_journal(before))
        assert state(after) == state(expected)
    test_a_file_of_schema_1_opens_today_and_means_what_it_meant(schema1)


def as_plain_journal(raw: bytes) -> bytes:
    """Give a file's bytes without the two that say WAL: a database in memory has no log."""
    return raw[:18] + b"\1\1" + raw[20:]


def test_a_newer_file_is_refused(connection: sqlite3.Connection, schema1: Path) -> None:
    bring_forward(connection, *([()] * len(MIGRATIONS)), SECOND)
    before = state(connection)
    with pytest.raises(NewerSchemaError) as refused:
        SQLiteStore(schema1)
    assert refused.value.code == "newer_schema"
    assert is_told_well(refused.value)
    assert state(connection) == before


def test_another_programs_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    for version in (0, 1):
        with closing(sqlite3.connect(path)) as foreign:
            foreign.execute(f"CREATE TABLE mine{version} (x)")
            foreign.execute(f"PRAGMA user_version = {version}")
            foreign.commit()
        with pytest.raises(CorruptError) as refused:
            SQLiteStore(path)
        assert refused.value.code == "not_a_memory"
        assert is_told_well(refused.value)


def test_a_new_file_is_ours_from_the_first_moment(tmp_path: Path) -> None:
    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        assert store.spaces() == []
    with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)


def test_an_empty_file_becomes_a_memory(tmp_path: Path) -> None:
    (tmp_path / "memory.db").touch()
    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        assert store.spaces() == []
    (tmp_path / "unwritten.db").touch()
    with pytest.raises(UnknownError) as refused:
        SQLiteStore(tmp_path / "unwritten.db", read_only=True)
    assert refused.value.code == "empty_file"
    assert is_told_well(refused.value)


def test_an_older_file_is_read_as_it_will_be_and_left_as_it_is(schema1: Path) -> None:
    before = schema1.read_bytes()
    with closing(SQLiteStore(schema1, read_only=True)) as older:
        read = [each.item for each in older.items("me")]
        assert older.head("me") == older.counted("me")
    assert schema1.read_bytes() == before
    with closing(SQLiteStore(schema1)) as brought:
        assert [each.item for each in brought.items("me")] == read
    assert read

"""Databases made to hurt, handed over as a copy of a memory: an error, and the memory stays as it was."""

from __future__ import annotations

import random
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from asterism import restore_backup
from asterism.errors import AsterismError
from asterism.store import sqlite_foreign
from asterism.store.schema import MIGRATIONS, NEWEST
from asterism.store.sqlite import SQLitePlace
from tests.support.memories import FACTS, NOON, AnyMemory, is_told_well, remembering
from tests.support.small_memory import made, told

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
LEDGER = "seq INTEGER PRIMARY KEY, space INTEGER, at INTEGER, id BLOB, known_at INTEGER, what TEXT, source TEXT"


def altered(path: Path, *statements: str) -> Path:
    """Change a file behind the back of everybody."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            connection.execute(statement)
    return path


def is_refused(theirs: Path, mine: Path, *, code: str | None = None) -> AsterismError:
    """Check that a file is not merged, with a word, and that nothing came of it."""
    right = told(made(mine))
    with remembering(mine) as memory:
        with pytest.raises(AsterismError) as refused:
            memory.merge(theirs)
        assert memory.verify().ok
    assert is_told_well(refused.value)
    assert code in (None, refused.value.code), refused.value
    assert told(mine) == right
    return refused.value


HOSTILE: dict[str, tuple[str, ...]] = {
    "an endless view for a ledger": (
        "DROP TABLE ledger",
        f"CREATE VIEW ledger AS {ENDLESS} SELECT i AS seq, 1 AS space, i AS at, x'00' AS id, 0 AS known_at, "
        "'engaged' AS what, '' AS source, '{}' AS payload, '' AS note FROM n",
    ),
    "an endless view for the spaces": (
        "DROP TABLE space",
        f"CREATE VIEW space AS {ENDLESS} SELECT i AS id, 'me' AS name, NULL AS parameters, NULL AS embedder FROM n",
    ),
    "a view beside the tables": (f"CREATE VIEW more AS {ENDLESS} SELECT i FROM n",),
    "a trigger": ("CREATE TRIGGER gone AFTER INSERT ON ledger BEGIN DELETE FROM ledger; END",),
    "a trigger that waits for a migration": (
        "CREATE TRIGGER gone AFTER INSERT ON head BEGIN DELETE FROM ledger; END",
        "PRAGMA user_version = 4",
    ),
    "a virtual table": ("CREATE VIRTUAL TABLE more USING fts5(text)",),
    "a table that is not there": ("DROP TABLE tombstone",),
    "a column that computes itself": (
        "DROP TABLE tombstone",
        "CREATE TABLE tombstone (space INTEGER NOT NULL, id BLOB NOT NULL GENERATED ALWAYS AS "
        "(zeroblob(1000000000)) VIRTUAL, other, PRIMARY KEY (space))",
    ),
    "another column": ("DROP INDEX ledger_order", "DROP TABLE ledger", f"CREATE TABLE ledger ({LEDGER})"),
    "a column of another kind": ("ALTER TABLE ledger ADD COLUMN more TEXT",),
    "a table whose pages are those of another": (
        "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'space') "
        "WHERE name = 'ledger'",
    ),
    "a schema that says it is older": ("PRAGMA user_version = 2",),
    "a schema of nothing": ("PRAGMA user_version = 0",),
    "a schema below nothing": ("PRAGMA user_version = -5",),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_database_that_is_more_or_less_than_a_memory_is_not_merged(tmp_path: Path, what: str) -> None:
    theirs = altered(made(tmp_path / "theirs.db"), *HOSTILE[what])
    before = theirs.read_bytes()
    is_refused(theirs, tmp_path / "mine.db")
    assert theirs.read_bytes() == before


@pytest.mark.parametrize("what", HOSTILE)
def test_a_database_that_is_more_or_less_than_a_memory_is_not_restored(tmp_path: Path, what: str) -> None:
    theirs, mine = altered(made(tmp_path / "theirs.db"), *HOSTILE[what]), made(tmp_path / "mine.db")
    before = mine.read_bytes()
    with pytest.raises(AsterismError) as refused:
        restore_backup(theirs, mine)
    assert is_told_well(refused.value)
    assert mine.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir() if "-" not in path.name) == ["mine.db", "theirs.db"]


@pytest.mark.parametrize("what", ["an endless view for a ledger", "a trigger", "a virtual table"])
def test_a_hostile_database_is_not_compared_with(tmp_path: Path, what: str) -> None:
    theirs = altered(made(tmp_path / "theirs.db"), *HOSTILE[what])
    with pytest.raises(AsterismError) as refused:
        SQLitePlace(theirs).look()
    assert refused.value.code == "foreign_file"


@pytest.mark.parametrize("schema", range(1, NEWEST + 1))
def test_the_tables_that_every_migration_makes_are_known(schema: int) -> None:
    assert {"space", "ledger", "tombstone"} <= sqlite_foreign.expected(schema).keys()
    assert len(MIGRATIONS) == NEWEST


def test_a_payload_that_unpacks_to_too_much_is_told(tmp_path: Path) -> None:
    theirs = made(tmp_path / "theirs.db")
    bomb = zlib.compress(b'{"star":"' + b"x" * (2**27) + b'"}')
    with closing(sqlite3.connect(theirs, isolation_level=None)) as connection:
        connection.execute("UPDATE ledger SET payload = ? WHERE seq = 2", (bomb,))
    is_refused(theirs, tmp_path / "mine.db", code="corrupt")


def test_what_many_payloads_unpack_to_together_has_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asterism.incoming.ANY_FOLD", 2**20)
    monkeypatch.setattr("asterism.incoming.FOLD", 1)
    theirs = made(tmp_path / "theirs.db")
    bomb = zlib.compress(b'{"star":"' + b"x" * 2**20 + b'"}')
    with closing(sqlite3.connect(theirs, isolation_level=None)) as connection:
        connection.execute("UPDATE ledger SET payload = ?", (bomb,))
    is_refused(theirs, tmp_path / "mine.db", code="too_large")


def test_reading_stops_after_so_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_foreign, "LEAST_STEPS", 1_000_000)
    with closing(sqlite3.connect(":memory:")) as connection:
        sqlite_foreign.bound_steps(connection, 4_096)
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            connection.execute(f"{ENDLESS} SELECT count(*) FROM n").fetchone()


def test_a_large_memory_stays_far_below_the_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = tmp_path / "theirs.db"
    with remembering(theirs) as memory:
        memory.learn_many([f"{text} {number}" for number in range(300) for text in FACTS])
        memory.dream()
    monkeypatch.setattr(sqlite_foreign, "LEAST_STEPS", 0)
    monkeypatch.setattr(sqlite_foreign, "STEPS_A_BYTE", sqlite_foreign.STEPS_A_BYTE / 4)
    monkeypatch.setattr(sqlite_foreign, "EACH", 1_000)
    with remembering(tmp_path / "mine.db") as memory:
        assert memory.merge(theirs).added > 2_400


# Rows of any values, in every column

ODD: tuple[object, ...] = (
    *(
        None,
        "",
        "x" * 2_000,
        "me",
        "é",
        "\ud7ff",
        "{}",
        "[]",
        "null",
        "[" * 100_000,
        "NaN",
        '{"a": 1e400}',
        '{"a":NaN}',
    ),
    *(0, 1, -1, 2**62, -(2**63), 2**63 - 1, 0.5, float("inf"), 9892 * 365 * 86_400_000_000),
    *(b"", b"\x00", b"\xff" * 16, b"\x78\x9c", zlib.compress(b"{}"), zlib.compress(b"\xff"), b"x" * 4_000),
)


def tables_of(connection: sqlite3.Connection) -> dict[str, list[str]]:
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {
        name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
        for name in names
        if not name.startswith("sqlite_")
    }


def spoil(path: Path, chance: random.Random) -> str:
    """Put odd values into some columns of a file; gives what was done."""
    done = []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        tables = tables_of(connection)
        for _ in range(chance.choice([1, 1, 2, 5])):
            table = chance.choice(sorted(tables))
            column, value = chance.choice(tables[table]), chance.choice(ODD)
            try:
                connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
            except sqlite3.Error:
                continue
            done.append(f"{table}.{column} = {value!r:.40}")
    return "; ".join(done)


def is_merged_or_refused(mine: Path, theirs: Path, done: str, see: Callable[[AnyMemory], object]) -> bool:
    """Merge a spoilt file: all of our errors are fine, and so is what can be used; gives whether it was taken."""
    right = told(made(mine))
    with remembering(mine) as memory:
        try:
            memory.merge(theirs)
            taken = True
        except AsterismError as error:
            taken = not is_told_well(error)
        assert memory.verify().ok, done
        see(memory)
    assert taken or told(mine) == right, done
    return taken


def test_a_copy_with_odd_values_is_merged_or_refused_and_never_half(tmp_path: Path) -> None:
    whole = tmp_path / "whole.db"
    with remembering(whole) as memory:
        memory.learn_many(FACTS)
        memory.add_star("Sleep", at=NOON)
        memory.dream()
    whole_bytes, outcomes = whole.read_bytes(), set()
    for seed in range(80):
        theirs = tmp_path / "theirs.db"
        theirs.write_bytes(whole_bytes)
        done = spoil(theirs, random.Random(seed))
        outcomes.add(is_merged_or_refused(tmp_path / "mine.db", theirs, done, lambda memory: memory.recall("garden")))
        (tmp_path / "mine.db").unlink()
    assert outcomes == {True, False}

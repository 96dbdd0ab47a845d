"""Files that are no memory, or a damaged one: an error with a code and a hint, and none is taken for a good one."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from asterism.errors import AsterismError, BusyError, FullError, ReadOnlyError, StoreError
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import is_told_well, opened
from tests.support.small_memory import made, told


def opening_is_refused(path: Path, *, code: str, read_only: bool = False) -> None:
    """Check that a file is refused with its bytes left as they were."""
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(AsterismError) as refused:
        drive(opened(path, read_only=read_only).__aenter__())
    assert refused.value.code == code
    assert is_told_well(refused.value)
    assert (path.read_bytes() if path.is_file() else b"") == before


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize(
    "text", ["x", "just text", "just text, " * 500, "SQLite format 3", "SQLite format 3\0" + "x" * 5000]
)
def test_a_text_file_is_not_a_memory(tmp_path: Path, text: str, read_only: bool) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    opening_is_refused(path, code="corrupt", read_only=read_only)


@pytest.mark.parametrize("read_only", [True, False])
def test_another_programs_database_is_not_a_memory_and_is_not_touched(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "foreign.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE ledger (x)")
        connection.commit()
    opening_is_refused(path, code="not_a_memory", read_only=read_only)
    assert [each.name for each in tmp_path.iterdir()] == ["foreign.db"]


@pytest.mark.parametrize("read_only", [True, False])
def test_a_newer_schema_is_refused(tmp_path: Path, read_only: bool) -> None:
    path = made(tmp_path / "memory.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 9999")
    opening_is_refused(path, code="newer_schema", read_only=read_only)


def test_a_folder_is_not_a_memory(tmp_path: Path) -> None:
    opening_is_refused(tmp_path, code="cannot_open")
    opening_is_refused(tmp_path, code="cannot_open", read_only=True)


def test_a_memory_cannot_be_made_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file, not a folder")
    opening_is_refused(tmp_path / "no such folder" / "memory.db", code="cannot_open")
    opening_is_refused(tmp_path / "file" / "memory.db", code="cannot_open")
    opening_is_refused(Path("/proc/memory.db"), code="cannot_open")


def test_a_path_with_nul_does_not_open_the_file_before_it(tmp_path: Path) -> None:
    with pytest.raises(AsterismError):
        drive(opened(f"{tmp_path}/memory.db\0.txt").__aenter__())
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    opening_is_refused(tmp_path / "memory.db", code="unknown_memory", read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_reader_of_a_file_whose_writer_was_killed_is_told_to_open_it_for_writing(tmp_path: Path) -> None:
    """Found by `python -m campaign kill --seed 50`: killed while the file was made, before it had a log."""
    path, left = tmp_path / "memory.db", tmp_path / "left"
    left.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("CREATE TABLE filler (x)")
        writer.execute("PRAGMA cache_size = 1")  # so that what is not committed reaches the file, behind a journal
        writer.execute("BEGIN")
        writer.executemany("INSERT INTO filler VALUES (?)", [("long " * 500,)] * 50)
        for name in ("memory.db", "memory.db-journal"):
            (left / name).write_bytes((tmp_path / name).read_bytes())
    with pytest.raises(ReadOnlyError, match="open it once for writing"):
        SQLiteStore(left / "memory.db", read_only=True)


def damaged(path: Path, chance: random.Random, *, low: int, high: int) -> None:
    raw = bytearray(path.read_bytes())
    for _ in range(chance.choice([1, 1, 3, 200])):
        raw[chance.randrange(low, min(high, len(raw)))] ^= 1 << chance.randrange(8)
    path.write_bytes(raw)


def damage_told(error: AsterismError) -> str:
    """Check that an error blames the file, and not the disk or the caller."""
    assert isinstance(error, StoreError), error
    assert not isinstance(error, FullError | BusyError), error
    assert is_told_well(error)
    return error.code


def is_refused_or_right(path: Path, right: list[tuple[bytes, str, int, str, object]]) -> str:
    """Open a damaged file: an error that says so, a failed verification, or everything as it was."""

    async def scenario() -> str:
        try:
            async with opened(path) as memory:
                verified = await memory.verify()
                await memory.links()
                await memory.stats()
        except AsterismError as error:
            return damage_told(error)
        if not verified.ok:
            return "not verified"
        assert told(path) == right
        return "as it was"

    return drive(scenario())


@pytest.mark.parametrize("part", ["header", "middle"])
def test_a_damaged_file_is_never_taken_for_a_good_one(tmp_path: Path, part: str) -> None:
    whole = made(tmp_path / "memory.db")
    right, size = told(whole), whole.stat().st_size
    low, high = (0, 100) if part == "header" else (100, size)
    seen = set()
    for number in range(60):
        path = tmp_path / f"{number}.db"
        path.write_bytes(whole.read_bytes())
        damaged(path, random.Random(number), low=low, high=high)
        seen.add(is_refused_or_right(path, right))
        path.unlink()
    assert seen - {"as it was"}


def test_a_truncated_file_is_never_taken_for_a_good_one(tmp_path: Path) -> None:
    whole = made(tmp_path / "memory.db")
    right, size = told(whole), whole.stat().st_size
    for number, keep in enumerate([1, 15, 16, 99, 100, 512, 4095, 4096, 4097, size // 2, size - 4096, size - 4095]):
        path = tmp_path / f"{number}.db"
        path.write_bytes(whole.read_bytes()[:keep])
        assert is_refused_or_right(path, right) != "as it was"


def test_a_damaged_checkpoint_does_not_keep_a_memory_from_opening_and_is_told(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM checkpoint_column WHERE name LIKE '%links.strength'")
        connection.commit()
    assert is_refused_or_right(path, told(path)) in ("corrupt", "as it was", "not verified")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger SET payload = '{broken' WHERE seq = 2",
        "UPDATE ledger SET payload = '[]' WHERE seq = 2",
        "UPDATE ledger SET payload = '{}' WHERE seq = 2",
        "UPDATE ledger SET payload = CAST(x'ff' AS TEXT) WHERE seq = 2",
        "UPDATE ledger SET what = 'sang' WHERE seq = 2",
        "UPDATE ledger SET at = 'noon' WHERE seq = 2",
        "UPDATE ledger SET at = at + 1 WHERE seq = 2",
        """UPDATE ledger SET payload = '{"a":"mood","b":"sleep","kind":"hunch"}' WHERE what = 'evidence'""",
        "UPDATE space SET parameters = '{broken'",
        "UPDATE space SET parameters = '{}'",
        "UPDATE checkpoint_column SET dtype = 'nonsense'",
        "UPDATE checkpoint_column SET shape = '[9999]'",
        "UPDATE checkpoint_column SET data = x'00'",
        "DROP TABLE tombstone",
    ],
)
def test_a_ledger_that_was_tampered_with_is_told_as_corrupt(tmp_path: Path, statement: str) -> None:
    path = made(tmp_path / "memory.db")
    right = told(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.execute("DELETE FROM checkpoint WHERE ? NOT LIKE '%checkpoint%'", (statement,))
        connection.commit()
    outcome = is_refused_or_right(path, right)
    assert outcome != "as it was" or "checkpoint" in statement

"""What happens while a backup is made or restored is neither lost nor undone by it."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.ledger.calendar import to_micros
from asterism.engine.exchange.restore import Restored, restore
from asterism.errors import BusyError, InputError
from asterism.store import sqlite_copying
from asterism.store.sqlite import SQLiteStore
from asterism.wiring import place_of
from tests.support.memories import NOON, is_told_well, remembering


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a memory with a backup beside it."""
    with remembering(tmp_path / "memory.db") as memory:
        memory.learn("The code is 4711.")
        memory.learn("Tea at four.")
    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        store.put_records("token", {"old": "a"})
    with remembering(tmp_path / "memory.db") as memory:
        memory.backup(tmp_path / "backup.db")
    return tmp_path / "memory.db"


def restored(path: Path, say: Callable[[float], object]) -> Restored:
    backup = place_of(path.with_name("backup.db"))
    return restore(backup, place_of(path), known_at=None, clock=lambda: to_micros(NOON), say=say)


def erase(path: Path) -> None:
    with remembering(path) as memory:
        memory.erase(next(block.id for block in memory.blocks() if "4711" in block.content))


def revoke(path: Path) -> None:
    with closing(SQLiteStore(path)) as store:
        store.put_records("token", {"old": None})


@pytest.mark.parametrize("change", [erase, revoke])
def test_a_restore_does_not_undo_what_was_erased_or_revoked_while_it_ran(
    path: Path, change: Callable[[Path], None]
) -> None:
    made: list[float] = []

    def say(share: float) -> None:
        if not made:
            change(path)
        made.append(share)

    with pytest.raises(BusyError) as refused:
        restored(path, say)
    assert refused.value.code == "changed_meanwhile"
    assert is_told_well(refused.value)
    with remembering(path) as memory:
        assert [block.content for block in memory.blocks()][-1] == "Tea at four."
        assert ("4711" in str(memory.blocks())) == (change is revoke)
    assert {each.name for each in path.parent.iterdir()} == {"memory.db", "backup.db"}
    restored(path, lambda _: None)
    with closing(SQLiteStore(path)) as store:
        assert store.records("token") == ({} if change is revoke else {"old": "a"})
        assert store.buried("me") == (change is erase)


def test_a_restore_does_not_pass_over_a_memory_that_appeared_while_it_ran(path: Path) -> None:
    path.unlink()

    def say(_: float) -> None:
        with remembering(path) as memory:
            memory.learn("Just told.")

    with pytest.raises(BusyError) as refused:
        restored(path, say)
    assert refused.value.code == "changed_meanwhile"
    with remembering(path) as memory:
        assert [block.content for block in memory.blocks()] == ["Just told."]


def test_a_backup_does_not_replace_a_memory_that_appeared_while_it_was_made(path: Path) -> None:
    other = path.with_name("other.db")

    def say(*_: object) -> None:
        with remembering(other) as memory:
            memory.learn("Just told.")

    with remembering(path) as memory, pytest.raises(InputError) as refused:
        memory.backup(other, progress=say)
    assert refused.value.code == "file_exists"
    assert is_told_well(refused.value)
    with remembering(other) as memory:
        assert [block.content for block in memory.blocks()] == ["Just told."]


def test_a_backup_is_made_where_a_file_cannot_have_two_names(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    with remembering(path) as memory:
        memory.backup(path.with_name("other.db"))
        with pytest.raises(InputError) as refused:
            memory.backup(path.with_name("other.db"))
    assert refused.value.code == "file_exists"
    with remembering(path.with_name("other.db")) as memory:
        assert memory.verify().ok


@pytest.mark.parametrize("kind", [KeyboardInterrupt, ValueError, TypeError])
def test_what_the_progress_of_a_backup_raises_comes_back_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[BaseException]
) -> None:
    monkeypatch.setattr(sqlite_copying, "STEPS", 10)
    mine = kind("mine")

    def say(*_: object) -> None:
        raise mine

    with remembering(path) as memory:
        with pytest.raises(kind) as raised:
            memory.backup(path.with_name("other.db"), progress=say)
        assert raised.value is mine
        assert memory.verify().ok
    assert {each.name for each in path.parent.iterdir()} == {"memory.db", "backup.db"}


def test_a_database_of_something_else_is_as_it_was_after_a_backup_was_refused(path: Path) -> None:
    foreign = path.with_name("foreign.db")
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE theirs (x)")
        connection.commit()
    before = foreign.read_bytes()
    with remembering(path) as memory, pytest.raises(InputError) as refused:
        memory.backup(foreign, force=True)
    assert refused.value.code == "bad_target"
    assert foreign.read_bytes() == before


def test_the_first_moment_of_1970_is_a_moment_to_restore(path: Path) -> None:
    backup, target = place_of(path.with_name("backup.db")), place_of(path.with_name("then.db"))
    told = restore(backup, target, known_at=0, clock=lambda: to_micros(NOON), say=lambda _: None)
    assert (told.left_out, sum(told.spaces.values())) == (2, 0)

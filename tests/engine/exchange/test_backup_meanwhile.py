"""What happens while a backup is made or restored is neither lost nor undone by it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.ledger.calendar import to_micros
from asterism.engine.exchange.restore import Restored, restore
from asterism.errors import BusyError
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

"""A write whose end nobody knows is told as such, with what was sent: sending that again leaves it there once."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path

import pytest

from asterism.core.ledger.calendar import to_micros, written
from asterism.errors import FullError, MaybeWrittenError, StoreError
from asterism.store.port import Version
from asterism.store.sqlite import SQLiteStore
from tests.support.failing_disk import nothing_confirmed, nothing_read, written_and_failed
from tests.support.memories import DAY, NOON, AnyMemory, HandClock, contents, is_told_well, remembering
from tests.support.small_memory import made

Disk = Callable[[sqlite3.Connection], AbstractContextManager[None]]
DISKS: tuple[Disk, ...] = (nothing_confirmed, written_and_failed)
WRITES: dict[str, Callable[[AnyMemory], object]] = {
    "evidence": lambda memory: memory.observe("sleep", "mood", "user_confirms"),
    "late evidence": lambda memory: memory.observe("sleep", "mood", "user_confirms", at=NOON - DAY),
    "a fact": lambda memory: memory.learn("Ada likes tea."),
    "facts": lambda memory: memory.learn_many(["Ada likes tea.", "It rains.", "The tram is late."]),
    "a star": lambda memory: memory.add_star("Tea", domain="soul"),
    "an exploration": lambda memory: memory.unanswered("Where is the tea?"),
    "time that passes": lambda memory: memory.advance(days=3),
    "an erasure": lambda memory: memory.erase("mood"),
}


def ids(store: SQLiteStore) -> list[str]:
    return [each.item.id.hex() for each in contents(store)]


def unsure(memory: AnyMemory, store: SQLiteStore, write: str, disk: Disk) -> MaybeWrittenError:
    with disk(store._connection), pytest.raises(MaybeWrittenError) as told:
        WRITES[write](memory)
    assert is_told_well(told.value)
    assert "may have been written" in told.value.message
    return told.value


@pytest.mark.parametrize("disk", DISKS)
@pytest.mark.parametrize("write", WRITES)
def test_what_was_sent_can_be_sent_again_and_is_there_once(tmp_path: Path, write: str, disk: Disk) -> None:
    with closing(SQLiteStore(made(tmp_path / "memory.db"))) as store, remembering(store) as memory:
        memory.links()
        before = ids(store)
        error = unsure(memory, store, write, disk)
        sent = [item["id"] for item in error.items]
        assert sent
        assert ids(store) == before  # as far as this process can see
        assert memory.verify().ok
        for _ in range(2):
            memory.import_(io.BytesIO(error.ledger))
            assert set(ids(store)) >= set(sent)
            assert len(ids(store)) == len(set(ids(store)))
        assert memory.verify().ok
        with remembering(store) as fresh:
            assert fresh.verify().digest == memory.verify().digest
    assert memory._async._runner.broken_off.calls == 0  # an error was heard


@pytest.mark.parametrize("disk", DISKS)
@pytest.mark.parametrize("write", ["evidence", "facts", "a star"])
def test_it_may_indeed_have_been_written(tmp_path: Path, write: str, disk: Disk) -> None:
    """Whoever opens what a power cut left finds it, though the process that sent it does not."""
    path, left = made(tmp_path / "memory.db"), tmp_path / "left.db"
    with closing(SQLiteStore(path)) as store, remembering(store) as memory:
        memory.learn("Before it happened.", at=NOON - DAY)  # the log has begun
        error = unsure(memory, store, write, disk)
        for ending in ("", "-wal"):
            shutil.copyfile(f"{path}{ending}", f"{left}{ending}")
        memory.import_(io.BytesIO(error.ledger))
        digest = memory.verify().digest
    sent = {item["id"] for item in error.items}
    with closing(SQLiteStore(left)) as store, remembering(store) as memory:
        assert set(ids(store)) >= sent or disk is written_and_failed  # which wrote the first page of it
        memory.import_(io.BytesIO(error.ledger))
        assert memory.verify().digest == digest


def test_the_items_have_their_ids_and_times_and_a_prompt_is_told_to_name_the_time(tmp_path: Path) -> None:
    clock = HandClock()
    with closing(SQLiteStore(made(tmp_path / "memory.db"))) as store, remembering(store, clock=clock) as memory:
        error = unsure(memory, store, "a fact", nothing_confirmed)
        (item,) = error.items
        assert (item["what"], item["payload"]["content"]) == ("learned", "Ada likes tea.")  # type: ignore[index]
        at = written(to_micros(str(item["at"])))
        said = error.to_dict()
        assert json.loads(str(said["ledger"]).splitlines()[1]) == item
        from asterism.entry.hints import MCP, PROMPT

        assert f"--at {at}" in PROMPT.say(error.hint or "")
        assert f'at="{at}"' in MCP.say(error.hint or "")
        clock.now += DAY
        for _ in range(2):
            memory.learn("Ada likes tea.", at=at)  # what a prompt does
            assert ids(store).count(str(item["id"])) == 1
        assert memory.stats().items["learned"] == len([each for each in contents(store) if each.item.what == "learned"])
        assert len([each for each in contents(store) if "Ada likes tea." in each.item.text]) == 1


class Blinded(SQLiteStore):
    """A store whose disk cannot be read any more once something is committed."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.blind: ExitStack | None = None

    def commit(self, space: str) -> Version:
        version = super().commit(space)
        if self.blind is not None:
            self._connection.execute("PRAGMA shrink_memory")  # forgets the pages it has read
            self.blind.enter_context(nothing_read(self._connection))
        return version


def test_what_is_written_but_cannot_be_read_back_says_so(tmp_path: Path) -> None:
    with closing(Blinded(made(tmp_path / "memory.db"))) as store, remembering(store) as memory:
        memory.observe("sleep", "mood", "user_confirms")  # today is folded: yesterday is late
        store.blind = ExitStack()
        with store.blind, pytest.raises(MaybeWrittenError) as told:
            WRITES["late evidence"](memory)
        store.blind = None
        assert told.value.code == "not_read_back"
        assert "it is written" in told.value.message
        (item,) = told.value.items
        assert item["id"] in ids(store)
        assert memory.import_(io.BytesIO(told.value.ledger)).added == 0
        assert memory.verify().ok


class Moved(SQLiteStore):
    """A store whose file is moved away once something is committed."""

    away = False

    def commit(self, space: str) -> Version:
        version = super().commit(space)
        if self.away:
            self.path.rename(self.path.with_name("away.db"))
        return version


def test_a_call_that_wrote_and_then_cannot_answer_says_that_it_wrote(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")
    with closing(Moved(path)) as store, remembering(store) as memory:
        store.away = True
        with pytest.raises(MaybeWrittenError) as told:
            memory.add_star("Tea", domain="soul")  # which is looked at after it was written
        assert told.value.code == "not_read_back"
        assert is_told_well(told.value)
        store.away = False
        path.with_name("away.db").rename(path)
        assert memory.star("tea") is not None
        assert memory.verify().ok


def test_a_disk_that_cannot_be_read_is_not_called_full(tmp_path: Path) -> None:
    with closing(SQLiteStore(made(tmp_path / "memory.db"))) as store, remembering(store) as memory:
        memory.learn("Ada likes tea.")
        store._connection.execute("PRAGMA shrink_memory")
        with nothing_read(store._connection), pytest.raises(StoreError) as told:
            memory.export()
        assert told.value.code == "io"
        assert not isinstance(told.value, FullError | MaybeWrittenError)
        assert is_told_well(told.value)
        assert memory.verify().ok

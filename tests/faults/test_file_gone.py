"""The file under one's feet: deleted, moved, replaced or cut while it is open, nothing is acknowledged into nothing."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from asterism.engine.memory import Memory
from asterism.entry.cli.app import app
from asterism.errors import CorruptError, GoneError, MaybeWrittenError
from asterism.store.sqlite import SQLiteStore
from asterism.store.sqlite_file import OpenFile, is_open_here
from tests.support.memories import DAY, NOON, AnyMemory, is_told_well, remembering
from tests.support.paths import ROOT
from tests.support.small_memory import made, told

Harm = Callable[[Path], object]


def wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def replace(path: Path) -> None:
    made(path.with_name("other.db")).replace(path)


def replace_log(path: Path) -> None:
    copy = shutil.copyfile(wal(path), path.with_name("log"))
    Path(copy).replace(wal(path))


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 8192 * 4096)


HARMS: dict[str, tuple[Harm, str]] = {
    "deleted": (Path.unlink, "file_gone"),
    "moved": (lambda path: path.rename(path.with_name("moved.db")), "file_gone"),
    "its folder moved": (lambda path: path.parent.rename(path.parent.with_name("elsewhere")), "file_gone"),
    "replaced": (replace, "file_replaced"),
    "cut to nothing": (lambda path: os.truncate(path, 0), "file_cut"),
    "cut in half": (cut, "file_cut"),
    "its log deleted": (lambda path: wal(path).unlink(), "log_gone"),
    "its log replaced": (replace_log, "log_gone"),
    "its index deleted": (lambda path: path.with_name(path.name + "-shm").unlink(), "log_gone"),
}
WRITES: dict[str, Callable[[AnyMemory], object]] = {
    "evidence": lambda memory: memory.observe("sleep", "mood", "user_confirms"),
    "a fact": lambda memory: memory.learn("Ada likes tea."),
    "a star": lambda memory: memory.add_star("Tea", domain="soul"),
    "a dream": lambda memory: memory.dream(),
    "a merge": lambda memory: memory.merge(remembered_elsewhere(memory)),
    "an erasure": lambda memory: memory.erase("mood"),
    "other parameters": lambda memory: memory.configure(preset="tuned"),
}


def remembered_elsewhere(memory: AnyMemory) -> Path:
    """Give another file that has something to merge."""
    path = Path(memory._async._path).parent.parent / "copy" / "copy.db"
    path.parent.mkdir(exist_ok=True)
    with remembering(made(path)) as other:
        other.learn("The copy knows of rain.")
    return path


def begun(folder: Path) -> Path:
    (folder / "own").mkdir()
    return made(folder / "own" / "memory.db")


def refused(memory: AnyMemory, write: Callable[[AnyMemory], object], code: str) -> None:
    with pytest.raises((GoneError, CorruptError)) as error:
        write(memory)
    damaged = code == "file_cut" and error.value.code == "corrupt"  # what reads first comes upon a page that is lost
    assert damaged or error.value.code == code
    assert is_told_well(error.value)


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("write", WRITES)
def test_a_write_to_a_file_that_is_not_there_any_more_is_refused(tmp_path: Path, harm: str, write: str) -> None:
    path = begun(tmp_path)
    do, code = HARMS[harm]
    with remembering(path) as memory:
        memory.learn("Before it happened.", at=NOON - DAY)
        do(path)
        refused(memory, WRITES[write], code)
        refused(memory, WRITES[write], code)  # it stays so


@pytest.mark.parametrize("harm", [name for name, (_, code) in HARMS.items() if code in ("file_gone", "file_replaced")])
def test_a_read_of_a_file_that_is_not_there_any_more_is_refused(tmp_path: Path, harm: str) -> None:
    path = begun(tmp_path)
    do, code = HARMS[harm]
    with remembering(path) as memory, remembering(path, read_only=True) as reader:
        do(path)
        for each in (memory, reader):
            for look in (lambda seen: seen.links(), lambda seen: seen.recall("mood"), lambda seen: seen.stats()):
                refused(each, look, code)


def test_a_file_that_is_put_back_is_written_again(tmp_path: Path) -> None:
    path = begun(tmp_path)
    away = path.with_name("away.db")
    with remembering(path) as memory:
        path.rename(away)
        refused(memory, WRITES["a fact"], "file_gone")
        away.rename(path)
        assert memory.learn("Ada likes tea.").status == "new"
        assert memory.verify().ok
    with remembering(path) as memory:
        assert memory.recall("tea").hits


@pytest.mark.parametrize("harm", ["deleted", "moved", "replaced"])
def test_what_is_open_still_can_be_saved(tmp_path: Path, harm: str) -> None:
    path, saved = begun(tmp_path), tmp_path / "saved.db"
    with remembering(path) as memory:
        memory.learn("Ada likes tea.")
        digest = memory.verify().digest
        HARMS[harm][0](path)
        memory.backup(saved)
    with remembering(saved) as memory:
        assert memory.verify().digest == digest


def test_what_was_acknowledged_before_its_log_was_deleted_goes_into_the_file_at_the_end(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with remembering(path) as memory:
        memory.learn("Ada likes tea.")
        wal(path).unlink()
        refused(memory, WRITES["a star"], "log_gone")
    with remembering(path) as memory:
        assert memory.recall("tea").hits
        assert memory.verify().ok


def test_the_file_that_replaced_another_is_left_as_it_is(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with remembering(path) as memory:
        memory.learn("Ada likes tea.")
        replace(path)
        with remembering(path) as other:  # and its log has the name of the other one's
            other.learn("It rains.")
            refused(memory, WRITES["a fact"], "file_replaced")
            memory.close()
            other.learn("It still rains.")
            assert other.verify().ok
    with remembering(path) as other:
        assert {hit.text for hit in other.recall("rains").hits} >= {"It rains.", "It still rains."}


@pytest.mark.parametrize("way", ["import", "prompt"])
def test_a_file_that_goes_while_it_is_written_may_have_been_written(tmp_path: Path, way: str) -> None:
    path = begun(tmp_path)
    with remembering(path) as memory:
        memory.learn("Ada likes tea.")
        lines = memory.export().text.encode()
    with remembering(path) as memory:
        memory.erase("sleep")

    class Going(io.BytesIO):
        """What is read while the transaction is open; at its end the file goes."""

        def readline(self, size: int | None = -1, /) -> bytes:
            line = super().readline(size)
            if not line and path.exists():
                path.rename(path.with_name("moved.db"))
            return line

        def read(self, size: int | None = -1, /) -> bytes:
            found = super().read(size)
            if self.tell() == len(lines) and path.exists():
                path.rename(path.with_name("moved.db"))
            return found

    if way == "prompt":
        ran = CliRunner().invoke(app, ["import", "-", "--space", "me", "--db", str(path)], input=Going(lines))
        assert (ran.exit_code, "may have been written, or not" in ran.stderr) == (6, True)
        assert "do the same again" in ran.stderr
        return
    with remembering(path) as memory, pytest.raises(MaybeWrittenError) as unsure:
        memory.import_(Going(lines))
    assert unsure.value.code == "maybe_written"
    assert is_told_well(unsure.value)


def test_an_agent_is_told_that_the_file_is_gone(tmp_path: Path) -> None:
    pytest.importorskip("mcp")
    from mcp import Client

    from asterism.entry.mcp.manner import FULL
    from asterism.entry.mcp.server import build
    from tests.support.mcp_client import asking, held

    async def scenario() -> None:
        path = begun(tmp_path)
        holding = held(path)
        async with Client(build(holding, profile="asterism", manner=FULL), mode="legacy") as client:
            agent = await asking(client)
            await agent.call("learn", facts=["Ada likes tea"])
            path.rename(path.with_name("away.db"))
            for tool, asked in (("learn", {"facts": ["It rains"]}), ("recall", {"query": "tea"})):
                told: dict[str, Any] = await agent.fail(tool, **asked)
                assert told["error"] == "file_gone"
                assert "start the program anew" in told["hint"]
            path.with_name("away.db").rename(path)
            assert (await agent.call("recall", query="tea"))["hits"]
        await holding.close()

    asyncio.run(scenario())


def test_a_memory_that_is_awaited_is_told_so_too(tmp_path: Path) -> None:
    async def scenario() -> None:
        path = begun(tmp_path)
        async with Memory.open(path, space="me", clock=NOON) as memory:
            path.unlink()
            with pytest.raises(GoneError):
                await memory.learn("Ada likes tea.")

    asyncio.run(scenario())


def test_a_file_that_others_make_shorter_is_no_file_that_was_cut(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with remembering(path) as memory, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE large AS SELECT zeroblob(1000000) AS data")
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        memory.learn("Ada likes tea.")  # which notes how long the file is
        size = path.stat().st_size
        other.execute("DROP TABLE large")
        other.execute("VACUUM")
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert path.stat().st_size < size
        with remembering(path) as writer:
            writer.learn_many([f"Note {number}: " + "long " * 200 for number in range(40)])  # they wait in the log
        memory.learn("It rains.")
        assert memory.verify().ok


READ_AND_CLOSE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT count(*) FROM ledger").fetchone()
connection.close()  # who thinks to be the last removes the log
"""


def test_to_be_examined_does_not_take_the_locks_from_a_memory(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with remembering(path) as memory:
        assert memory.doctor(replay=False).ok
        memory.learn("Ada likes tea.")
        subprocess.run([sys.executable, "-c", READ_AND_CLOSE, str(path)], check=True)
        assert wal(path).exists()
        memory.learn("It rains.")
    with remembering(path) as memory:
        assert len([block for block in memory.blocks() if block.content in ("Ada likes tea.", "It rains.")]) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="root gives up its rights by a call of Linux")
def test_a_file_that_becomes_read_only_while_it_is_open_takes_what_is_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "own" / "memory.db"
    path.parent.mkdir()
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "tests.support.read_only", str(path)], check=False, cwd=ROOT, capture_output=True
        )
    finally:
        path.parent.chmod(0o755)
        path.chmod(0o644)
    assert (ran.stdout, ran.stderr) == (b"bound", b"")
    assert [what for _, what, *_ in told(path)] == ["star_added", "star_added"]
    with remembering(path) as memory:
        assert memory.verify().ok


@pytest.mark.parametrize("harm", HARMS)
def test_what_a_service_keeps_is_not_acknowledged_into_nothing(tmp_path: Path, harm: str) -> None:
    path = begun(tmp_path)
    do, code = HARMS[harm]
    with remembering(path) as memory, closing(SQLiteStore(path)) as store:
        memory.learn("Before it happened.", at=NOON - DAY)
        store.put_records("token", {"old": "a"})
        do(path)
        with pytest.raises((GoneError, CorruptError)) as refused:
            store.put_records("token", {"old": None})
        assert refused.value.code == code
        assert is_told_well(refused.value)


def test_records_that_were_committed_as_the_file_went_may_be_written(tmp_path: Path) -> None:
    path = begun(tmp_path)

    def write(store: SQLiteStore) -> None:
        with store.together():
            store.put_records("token", {"new": "a"})
            path.unlink()

    with closing(SQLiteStore(path)) as store, pytest.raises(MaybeWrittenError) as told:
        write(store)
    assert is_told_well(told.value)


def test_a_file_is_looked_for_among_the_open_ones_while_another_is_opened(tmp_path: Path) -> None:
    path = begun(tmp_path)
    others = []

    class Meanwhile(OpenFile):
        """Opens another file as it is looked at, as another thread may."""

        @property
        def identity(self) -> tuple[int, int] | None:
            others.append(OpenFile(path))
            others[-1].opened(connection, logs=False)
            return None

    with closing(sqlite3.connect(":memory:")) as connection:
        watched = [Meanwhile(path), Meanwhile(path)]
        for each in watched:
            each.opened(connection, logs=False)
        try:
            assert not is_open_here(path)
        finally:
            for file in (*watched, *others):
                file.closed()

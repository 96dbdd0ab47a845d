"""kill -9 at every file operation of a backup and of a restore; a backup while another process writes."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from asterism.store.sqlite import SQLiteStore
from tests.support.memories import NOON, remembering

# Before its so-manieth look at a file, rename, link, removal or database, the process kills itself
KILLED = """
import os, signal, sys
from asterism import Memory, restore_backup
from asterism.engine.exchange import backup, restore, restoring
from asterism.store import sqlite
import asterism.engine.care.doctor, asterism.engine.recall.recaller
WATCHED = ("os.rename", "os.link", "os.remove", "sqlite3.connect", "os.truncate")
left, what, path, file = int(sys.argv[1]), *sys.argv[2:]
def watch(event, _):
    global left
    if event in WATCHED or (event == "open" and str(_[0]).startswith(os.path.dirname(path))):
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
if what == "backup":
    with Memory.open_sync(path, space="me", read_only=True) as memory:
        sys.addaudithook(watch)
        memory.backup(file, force=True)
        left = -1
elif what == "increments":
    with Memory.open_sync(path, space="me", read_only=True) as memory:
        sys.addaudithook(watch)
        memory.export_increments(file, remake=True)
        left = -1
else:
    sys.addaudithook(watch)
    restore_backup(file, path)
    left = -1
"""


def killed(moment: int, what: str, path: Path, file: Path) -> bool:
    """Let a process do something, and kill itself at a moment; say whether it lived to its end."""
    command = [sys.executable, "-c", KILLED, str(moment), what, str(path), str(file)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode in (0, -9), done.stderr
    return done.returncode == 0


def items_in(path: Path) -> int:
    with remembering(path, clock=NOON) as memory:
        verified = memory.verify()
        assert verified.ok, verified.differences
        return int(verified.items)


@pytest.mark.parametrize("what", ["backup", "restore"])
def test_wherever_it_is_killed_the_old_state_is_whole_or_the_new(tmp_path: Path, what: str) -> None:
    path, file = tmp_path / "memory.db", tmp_path / "backup.db"
    with remembering(path) as memory:
        memory.learn("first")
        memory.backup(file)
        memory.learn("second")
    moment, outcomes = 0, []
    whole = {"backup": (1, 2), "restore": (2, 1)}[what]  # items of what is replaced: before, and in the end
    while True:
        moment += 1
        lived = killed(moment, what, path, file)
        outcomes.append(items_in(file if what == "backup" else path))
        assert outcomes[-1] in whole
        assert items_in(path if what == "backup" else file) == (2 if what == "backup" else 1)
        if lived or outcomes[-1] == whole[1]:
            break
    assert moment > 3  # it was killed at more than one place
    assert killed(0, what, path, file)
    assert items_in(file if what == "backup" else path) == whole[1]


def test_increments_that_are_killed_while_they_are_remade_are_whole_or_told(tmp_path: Path) -> None:
    path, folder = tmp_path / "memory.db", tmp_path / "folder"
    with remembering(path) as memory:
        memory.learn("stays")
        secret = memory.learn("The code is 4711.")
        memory.export_increments(folder)
        memory.erase(secret.id)
    moment = 1
    while not killed(moment, "increments", path, folder):
        moment += 1
        with remembering(tmp_path / f"{moment}.db") as other:
            other.import_(folder)
            assert "stays" in {block.content for block in other.blocks()}
        with remembering(path) as memory:
            told = memory.export_increments(folder)
            held = any(b"4711" in file.read_bytes() for file in folder.glob("*.jsonl"))
            assert held == bool(told.to_remake)
    assert moment > 3
    assert not any(b"4711" in file.read_bytes() for file in folder.glob("*.jsonl"))


WRITER = """
import sys
from datetime import datetime, timezone
from asterism import Memory
with Memory.open_sync(sys.argv[1], space="me", clock=datetime(2026, 3, 1, 12, tzinfo=timezone.utc)) as memory:
    print("open", flush=True)
    for number in range(10_000):
        memory.learn(f"fact {number}")
        if number % 10 == 0:
            print(number, flush=True)
"""


def test_a_backup_while_another_process_writes_is_what_was_there_at_one_moment(tmp_path: Path, rounds: int) -> None:
    path = tmp_path / "memory.db"
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    with writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        for number in range(min(rounds, 20)):
            acknowledged = int(writer.stdout.readline())
            with remembering(path, read_only=True) as memory:
                told = memory.backup(tmp_path / f"{number}.db")
            assert told.spaces["me"] > acknowledged
        writer.kill()
    for number in range(min(rounds, 20)):
        with remembering(tmp_path / f"{number}.db") as copy:
            assert copy.verify().ok
        with closing(SQLiteStore(tmp_path / f"{number}.db")) as store, closing(SQLiteStore(path)) as live:
            came = store.arrivals("me")
            assert came == live.arrivals("me", until=len(came))

"""No room, or no right to write: imports, merges, erasures, readings and explorations say so and leave all as it was.

A process whose files may not grow stands for the full disk: what is refused changed nothing, and is done by the same
memory as soon as there is room.
"""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import pytest

from asterism.engine.connections.observe import Evidence
from asterism.errors import AsterismError, ReadOnlyError
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.erasing import SUBJECTS, has, raw
from tests.support.jobs import ASKED, JOBS, Job, Step, erasing, state
from tests.support.killing import copied, forks, measure
from tests.support.memories import DAY, NOON, AnyMemory, contents, is_told_well, opened, remembering
from tests.support.paths import ROOT
from tests.support.small_memory import made

Make = Callable[[Path], Job]
ROOM = (0, 100_000, 300_000)  # bytes that a file may be long: for nothing, for some steps, for most


class Try(NamedTuple):
    """What came of a step: the code of an error or nothing, what it told of the bytes, and what the file says then."""

    code: str
    note: str
    left: object


@pytest.mark.parametrize("make", JOBS)
def test_a_full_disk_refuses_and_takes_up_again_when_there_is_room(tmp_path: Path, make: Make) -> None:
    job = make(tmp_path)
    measure(job)
    tries: list[Try] = []
    for room in ROOM:
        path, done = copied(job.path, f"room-{room}.db"), 0
        for each in starved(path, job, room):
            done += not each.code
            assert each.left == job.states[done]  # nothing of what was refused
            tries.append(each)
        assert done + 1 == len(job.states)
        with remembering(path) as memory:  # whoever opens it sees to what was due
            assert memory.verify().ok
            assert not (job.word and has(path, job.word))
    assert {each.code for each in tries} == {"full", ""}
    if make is erasing:  # erased, but there was no room to write the file anew
        assert any("could not be written anew" in each.note for each in tries)


def starved(path: Path, job: Job, room: int) -> list[Try]:
    """Let a process do each step with little room, and what it could not do with room again."""
    hears, says = forks.Pipe(duplex=False)
    process = forks.Process(target=starve, args=(says, path, job, room))
    process.start()
    says.close()
    tries = []
    with hears, suppress(EOFError):
        while True:
            tries.append(hears.recv())
    process.join()
    assert process.exitcode == 0
    return tries


def starve(says: Connection, path: Path, job: Job, room: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with remembering(path) as memory:
        for step in job.steps(path.parent):
            for given in (room, resource.RLIM_INFINITY):
                code, note = tried(memory, step, given)
                says.send(Try(code, note, state(path)))
                if not code:
                    break


def tried(memory: AnyMemory, step: Step, room: int) -> tuple[str, str]:
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        done = step(memory)
    except AsterismError as error:
        return error.code if is_told_well(error) else f"not told well: {error!r}", ""
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    return "", getattr(done, "note", "")


@pytest.mark.parametrize("make", JOBS)
def test_a_memory_that_is_read_only_refuses_all_of_it(tmp_path: Path, make: Make) -> None:
    job = make(tmp_path)
    before, bytes_before = state(job.path), raw(job.path, index=False)
    with remembering(job.path, read_only=True) as memory:
        for step in job.steps(tmp_path):
            with pytest.raises(ReadOnlyError) as refused:
                step(memory)
            assert refused.value.code == "read_only"
            assert is_told_well(refused.value)
        assert memory.explore(ASKED[0][0], learn=False).found  # what writes nothing is answered
        assert memory.erase(SUBJECTS[0], dry_run=True).items
        assert memory.verify().ok
    assert raw(job.path, index=False) == bytes_before
    assert state(job.path) == before


@pytest.mark.parametrize("make", JOBS)
def test_a_file_that_may_not_be_written_refuses_all_of_it(tmp_path: Path, make: Make) -> None:
    tmp_path.chmod(0o555)
    if os.access(tmp_path, os.W_OK):
        pytest.skip("permissions do not bind this user")
    tmp_path.chmod(0o755)
    job = make(tmp_path)
    before = raw(job.path)
    job.path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        for step in job.steps(tmp_path):
            with pytest.raises(AsterismError) as refused, remembering(job.path) as memory:
                step(memory)
            assert refused.value.code in ("read_only", "cannot_open")
            assert is_told_well(refused.value)
    finally:
        tmp_path.chmod(0o755)
    assert raw(job.path) == before


def test_a_full_file_refuses_and_takes_up_again_when_there_is_room(tmp_path: Path) -> None:
    async def scenario() -> None:
        with closing(SQLiteStore(made(tmp_path / "memory.db"))) as store:
            connection: sqlite3.Connection = store._connection
            async with opened(store) as memory:
                (pages,) = connection.execute("PRAGMA page_count").fetchone()
                connection.execute(f"PRAGMA max_page_count = {pages}")
                before, digest = contents(store), (await memory.verify()).digest
                rows = [
                    Evidence("sleep", "mood", "user_confirms", NOON - n * DAY, note="long " * 99) for n in range(99)
                ]
                with pytest.raises(AsterismError) as refused:
                    await memory.observe_many(rows)
                assert refused.value.code == "full"
                assert is_told_well(refused.value)
                assert contents(store) == before
                assert (await memory.verify()).digest == digest
                connection.execute("PRAGMA max_page_count = 1000000")
                assert len(await memory.observe_many(rows)) == 99
                assert (await memory.verify()).ok

    drive(scenario())


def test_a_full_disk_refuses_evidence_and_takes_up_again_when_there_is_room(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")
    ran = subprocess.run(
        [sys.executable, "-m", "tests.support.full_disk", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("full, as before, goes on", "")

"""Killing a process in the midst of a job, and seeing what it left.

The process is forked from one that has imported everything, which is quick. It kills itself after so many ticks of
SQLite's machine, so that the short moments in which something is written are met too; or it is killed after a while.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from tests.support.erasing import has
from tests.support.jobs import Job, Steps, state
from tests.support.memories import remembering

TICK = 4  # instructions of SQLite's machine
BY_TICKS = 0.6  # of the kills after the first of each file
IN_A_ROW = 3  # kills of one file at most

forks = multiprocessing.get_context("forkserver")
forks.set_forkserver_preload(["tests.support.killing"])


def killed_at_any_moment(job: Job, *, rounds: int) -> list[int]:
    """Kill processes at random moments of a job; what they leave is whole, and the job comes to the same end.

    Gives how many steps were found done after each kill.
    """
    measured, found = measure(job), []
    for number in range(rounds):
        path, chance = copied(job.path, f"killed-{number}.db"), random.Random(number)
        done = 0
        for kill in range(chance.randint(1, IN_A_ROW)):
            if kill == 0:  # file by file one step later, on a busy machine too
                ran = run(path, job.steps, done, ticks=measured.tick_of(number % measured.steps, done, chance))
            elif chance.random() < BY_TICKS:
                ran = run(path, job.steps, done, ticks=measured.tick(done, chance))
            else:
                ran = run(path, job.steps, done, seconds=chance.uniform(0, measured.seconds))
            left = state(path)
            assert left in job.states[ran.done :]  # what was acknowledged is there, and no half of anything more
            done = job.states.index(left)
            found.append(done)
        go_on(job, path, done)
    return found


def go_on(job: Job, path: Path, done: int) -> None:
    """Go on after the steps that are done, to the end that would have been without a kill."""
    with remembering(path) as memory:
        if job.word and done + 1 == len(job.states):
            assert not has(path, job.word)  # whoever opens it sees to what was due
        for step in job.steps(path.parent)[max(0, done - job.again) :]:
            step(memory)
        assert not (job.word and has(path, job.word))
        assert memory.doctor(replay=False).ok
    assert state(path) == job.states[-1]


# Without a kill


@dataclass
class Measured:
    """How long a job takes: ticks that had passed before the first step and after each, and seconds."""

    ticks: list[int]
    seconds: float

    @property
    def steps(self) -> int:
        """How many there are."""
        return len(self.ticks) - 1

    def tick(self, done: int, chance: random.Random) -> int:
        """Choose a tick of any step that is left, for a process that goes on; where none is, one while it opens."""
        step = chance.randrange(done, len(self.ticks))
        return chance.randint(0, self.ticks[0]) if step == self.steps else self.tick_of(step, done, chance)

    def tick_of(self, step: int, done: int, chance: random.Random) -> int:
        """Choose a tick of one step."""
        return chance.randint(self.ticks[step], self.ticks[step + 1]) - self.ticks[done] + self.ticks[0]


def measure(job: Job) -> Measured:
    """Do a job without a kill: first step by step, then by one process."""
    path = copied(job.path, "step-by-step.db")
    job.states = [state(path)]
    for step in job.steps(path.parent):
        with remembering(path) as memory:
            step(memory)
        job.states.append(state(path))
        assert job.states[-1] not in job.states[:-1]  # each leaves something
    path = copied(job.path, "in-one-go.db")
    began = time.monotonic()
    ran = run(path, job.steps, 0)
    seconds = time.monotonic() - began
    assert len(ran.ticks) == len(job.states)
    assert state(path) == job.states[-1]
    return Measured(ran.ticks, seconds)


def copied(path: Path, name: str) -> Path:
    """Give a copy of a closed file."""
    return Path(shutil.copyfile(path, path.with_name(name)))


# The process


class Ran(NamedTuple):
    """What a process said: the last step that was done, and how many ticks had passed when it was open and after each.

    A process that said nothing was not open yet.
    """

    done: int
    ticks: list[int]


def run(path: Path, steps: Steps, done: int, *, ticks: int | None = None, seconds: float | None = None) -> Ran:
    """Let a process go on after the steps that are done, until its end, a tick, or for so long."""
    hears, says = forks.Pipe(duplex=False)
    process = forks.Process(target=work, args=(says, path, steps, done, ticks))
    process.start()
    says.close()
    process.join(seconds)
    process.kill()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)
    ran = Ran(done, [])
    with hears, suppress(EOFError):
        while True:
            last, passed = hears.recv()
            ran = Ran(last, [*ran.ticks, passed])
    return ran


def work(says: Connection, path: Path, steps: Steps, done: int, ticks: int | None) -> None:
    """Do the steps, and say so; die at a tick."""
    passed = 0

    def tick() -> None:
        nonlocal passed
        passed += 1
        if passed == ticks:
            os.kill(os.getpid(), signal.SIGKILL)

    at_every_tick(tick)
    with remembering(path) as memory:
        says.send((done, passed))
        for number, step in enumerate(steps(path.parent)[done:], done + 1):
            step(memory)
            says.send((number, passed))


def at_every_tick(tick: Callable[[], None]) -> None:
    """Let something be done at every tick of SQLite's machine, in this process, which ends soon."""
    connect = sqlite3.connect

    def connected(*args: object, **named: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **named)  # type: ignore[call-overload]  # as it was called
        connection.set_progress_handler(tick, TICK)
        return connection

    sqlite3.connect = connected  # type: ignore[assignment]  # in this process alone

"""kill -9 at any moment: what was acknowledged is there, the memory verifies, and work goes on."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

from asterism.engine.memory import Memory
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import NOON, opened
from tests.support.processes import acknowledged, are_gone, batches, erased, hear, in_ledger, pipe, start
from tests.support.worker import BATCH, SPACE, STARS

ROUNDS_PER_FILE = 6


def test_what_was_acknowledged_outlives_a_kill_at_any_moment(tmp_path: Path, rounds: int) -> None:
    told: list[tuple[str, str]] = []
    gone: list[str] = []
    path = tmp_path / "memory.db"
    everything = 0
    for number in range(rounds):
        if number % ROUNDS_PER_FILE == 0:
            told, gone, path = [], [], tmp_path / f"memory-{number}.db"
        heard = killed(path, number)
        told += acknowledged(heard)
        gone += erased(heard)
        everything += len(told)
        check(path, told, gone, number)
    assert everything > rounds  # the rounds were not all too short


def killed(path: Path, number: int) -> bytes:
    """Let a worker work for a random while, or for so many acknowledgements, kill it, and give what it had said."""
    chance = random.Random(number)
    lines = chance.randrange(1, 12) if number % 3 == 0 else None  # on a busy machine, a while may be too short
    while_seconds = None if lines else chance.uniform(0, chance.choice([0.02, 0.1, 0.4]))
    with start(path, name=f"round-{number}", seed=number) as worker:
        ready = pipe(worker).read(len(b"ready\n"))
        heard = hear([worker], seconds=while_seconds, lines=lines)[worker.pid]
        worker.kill()
        heard += pipe(worker).read()
        assert worker.stderr is not None
        complaint = worker.stderr.read().decode()
    assert ready == b"ready\n", complaint
    assert complaint == ""
    assert worker.returncode == -9
    return heard


def check(path: Path, told: list[tuple[str, str]], gone: list[str], number: int) -> None:
    if not path.exists():  # killed before it was there
        assert told == []
        return
    with closing(SQLiteStore(path)) as store:
        found = in_ledger(store, SPACE)
        missing = [each for each in told if each not in found]
        assert missing == []
        assert set(batches(store, SPACE).values()) <= {BATCH}
        are_gone(path, gone)
        drive(work_goes_on(opened(store, space=SPACE), number))
    drive(is_whole(opened(path, space=SPACE, read_only=True)))


async def work_goes_on(memory: Memory, number: int) -> None:
    async with memory:
        verified = await memory.verify()
        assert verified.ok, verified.differences
        for star in STARS[:2]:
            await memory.add_star(star, domain="soul", at=NOON)
        receipt = await memory.observe(STARS[0], STARS[1], "user_confirms", source=f"after round {number}")
        assert not receipt.duplicate


async def is_whole(memory: Memory) -> None:
    async with memory:
        verified = await memory.verify()
        assert verified.ok, verified.differences

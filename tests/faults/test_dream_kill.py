"""kill -9 while texts are learned and dreamed of: nothing is lost, and the next dream goes on where it stopped.

`python -m tests.faults.test_dream_kill MEMORY` is the process that is killed: it learns texts in batches and dreams in
small steps, and says `learned ID` and `dreamed COUNT` for what was acknowledged, then `done`.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from asterism.core.ledger.model import Link
from asterism.engine.blocks.learn import Fact
from tests.support.memories import NOON, remembering
from tests.support.paths import ROOT
from tests.support.processes import hear, pipe

TEXTS, TOLD_TOGETHER, STEP = 120, 30, 12
WORDS = ["tea", "coffee", "river", "garden", "winter", "train", "doctor", "lisbon", "museum", "bread", "honey", "piano"]


def test_a_dream_that_is_killed_goes_on_where_it_stopped(tmp_path: Path, rounds: int) -> None:
    uninterrupted = tmp_path / "uninterrupted.db"
    work(uninterrupted)
    expected = found(uninterrupted)
    assert len(expected[0]) > TEXTS // 2  # links to lose
    kills = number = 0
    while kills < max(1, rounds // 30):  # on a busy machine one may be done before it is killed
        path, chance = tmp_path / f"killed-{number}.db", random.Random(number)
        while not killed(path, after=lines_heard(chance, kills), seconds=chance.uniform(0, 0.01)):
            kills += 1
        assert found(path) == expected
        number += 1


def lines_heard(chance: random.Random, kills: int) -> int:
    """Choose when to kill: now and then while it learns, mostly while it dreams."""
    return chance.randrange(30, TEXTS) if kills % 4 == 0 else chance.randrange(TEXTS, TEXTS + TEXTS // STEP // 2)


def facts() -> list[Fact]:
    chance = random.Random(7)
    told = []
    for number in range(TEXTS):
        text = f"{' '.join(chance.sample(WORDS, 4))} {number if number % 3 else ''}".strip()
        tags = chance.sample(["home", "work", "trip"], chance.randrange(3))
        told.append(Fact(text, tags, at=NOON - timedelta(minutes=chance.randrange(500))))
    return told


def killed(path: Path, *, after: int, seconds: float) -> bool:
    """Kill a worker after so many lines and a while; what it acknowledged is there. Say whether it was done."""
    command = [sys.executable, "-m", "tests.faults.test_dream_kill", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as worker:
        heard = b"".join(pipe(worker).readline() for _ in range(after))
        heard += hear([worker], seconds=seconds)[worker.pid]
        worker.kill()
        lines = (heard + pipe(worker).read()).decode().split("\n")[:-1]
        assert worker.stderr is not None
        complaint = worker.stderr.read().decode()
    assert complaint == ""
    if path.exists():
        is_whole(path, lines)
    return "done" in lines


def is_whole(path: Path, lines: list[str]) -> None:
    with remembering(path, read_only=True) as memory:
        blocks = memory.blocks(statuses=["inbox", "active", "superseded", "duplicate"])
        there = {block.id for block in blocks}
        assert {line.split()[1] for line in lines if line.startswith("learned")} <= there
        dreamed = sum(block.status != "inbox" for block in blocks)
        assert dreamed >= max((int(line.split()[1]) for line in lines if line.startswith("dreamed")), default=0)
        verified = memory.verify()
        assert verified.ok, verified.differences


def found(path: Path) -> tuple[list[Link], object, object]:
    """Give what a dream that came to its end has made."""
    with remembering(path) as memory:
        verified = memory.verify()
        assert verified.ok, verified.differences
        assert memory.dream().steps == 0
        return memory.links(), memory.blocks(statuses=["active", "superseded", "duplicate"]), verified.digest


def work(path: Path, *, say: Callable[[str], object] = lambda _: None) -> None:
    """Learn everything, and dream to the end."""
    told = facts()
    with remembering(path, parameters={"dream_batch_blocks": STEP}) as memory:
        for start in range(0, TEXTS, TOLD_TOGETHER):
            for receipt in memory.learn_many(told[start : start + TOLD_TOGETHER]):
                say(f"learned {receipt.id}")
        while memory.dream(steps=1).remaining:
            say(f"dreamed {len(memory.blocks(statuses=['active', 'superseded', 'duplicate']))}")


def say_aloud(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    work(Path(sys.argv[1]), say=say_aloud)
    say_aloud("done")

"""kill -9 in the middle of a feed: it goes on where the record ends, and no event is lost or counted twice.

`python -m tests.faults.test_feed_kill MEMORY CSV` is the process that is killed: it feeds the file batch by batch from
where the record ends, and says `fed PLACE` for every batch that was acknowledged, then `done`.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from asterism.engine.memory import Memory
from asterism.feeds import open_feed
from asterism.sync import drive
from tests.support.memories import opened
from tests.support.paths import ROOT
from tests.support.processes import hear, pipe

ROWS, BATCH = 2_000, 40
START_MS = 1_750_000_000_000
SYMBOL = "BTCUSDT"


def test_a_feed_that_is_killed_goes_on_where_the_record_ends(tmp_path: Path, rounds: int) -> None:
    csv = tmp_path / "trades.csv"
    csv.write_text(trades())
    uninterrupted = tmp_path / "uninterrupted.db"
    drive(feed(uninterrupted, csv))
    expected = drive(found(uninterrupted))
    kills = number = 0
    while kills < max(1, rounds // 15):  # on a busy machine one may be done before it is killed
        path, chance = tmp_path / f"killed-{number}.db", random.Random(number)
        while not killed(path, csv, after=chance.randrange(30), seconds=chance.uniform(0, 0.01)):
            kills += 1
        assert drive(found(path)) == expected
        number += 1


def trades() -> str:
    """Write trades by chance, many of one time, some out of order."""
    chance = random.Random(7)
    rows, at, price = [], START_MS, 50_000.0
    for _ in range(ROWS):
        at += chance.choice((0, 0, 0, 5, 700, -300))
        price = round(price * (1 + chance.gauss(0, 2e-4)), 1)
        rows.append(f"{at},{price},{chance.choice((50, 400, 3_000))},{chance.choice(('buy', 'sell'))}\n")
    return "at_ms,price,usd,side\n" + "".join(rows)


def killed(path: Path, csv: Path, *, after: int, seconds: float) -> bool:
    """Kill a worker after so many batches and a while; what it acknowledged is there. Say whether it was done."""
    command = [sys.executable, "-m", "tests.faults.test_feed_kill", str(path), str(csv)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as worker:
        heard = b"".join(pipe(worker).readline() for _ in range(after))
        heard += hear([worker], seconds=seconds)[worker.pid]
        worker.kill()
        lines = (heard + pipe(worker).read()).decode().split("\n")[:-1]
        assert worker.stderr is not None
        complaint = worker.stderr.read().decode()
    assert complaint == ""
    places = [int(line.split()[1]) for line in lines if line.startswith("fed")]
    if path.exists():
        drive(is_whole(path, at_least=max(places, default=0)))
    return "done" in lines


async def is_whole(path: Path, *, at_least: int) -> None:
    async with opened(path, read_only=True) as memory:
        there = await memory.fed(SYMBOL, "trades.csv")
        assert there >= at_least
        assert there % BATCH == 0  # a batch is there, or none of it
        assert [each.events for each in await memory.symbols()] == ([there] if there else [])
        verified = await memory.verify()
        assert verified.ok, verified.differences


async def found(path: Path) -> object:
    async with opened(path) as memory:
        verified = await memory.verify()
        assert verified.ok, verified.differences
        assert await memory.fed(SYMBOL, "trades.csv") == ROWS
        return verified.digest, verified.items, await memory.symbols(), await memory.levels(SYMBOL, archived=True)


async def feed(path: Path, csv: Path, *, say: Callable[[str], object] = lambda _: None) -> None:
    """Feed what is not recorded yet."""
    async with opened(path) as memory:
        await go_on(memory, csv, say)


async def go_on(memory: Memory, csv: Path, say: Callable[[str], object]) -> None:
    trades = open_feed(csv, rows=BATCH)
    with closing(trades.batches(await memory.fed(SYMBOL, trades.name))) as batches:
        for batch in batches:
            await memory.feed(SYMBOL, batch.events, source=trades.name, offset=batch.first, lateness=0)
            say(f"fed {batch.last}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    drive(feed(Path(sys.argv[1]), Path(sys.argv[2]), say=say))
    say("done")

"""Evidence that is on the disk when the call returns, against the least that SQLite can do for as many bytes."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from asterism import Evidence, Memory
from bench.timing import Figure, Goal, Timing, duration, rate, timed

NAME = "observe"
KINDS = ("co_mention_response", "co_mention_session", "tars_confirmed", "user_confirms")
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
STARS = 400
# What a ledger row holds, as one would write the table without an engine around it.
BARE_TABLE = """CREATE TABLE row (
    seq INTEGER PRIMARY KEY, space INTEGER, at INTEGER, id BLOB, known_at INTEGER, what TEXT, payload TEXT)"""
BARE_INSERT = "INSERT INTO row (space, at, id, known_at, what, payload) VALUES (?, ?, ?, ?, ?, ?)"
BareRow = tuple[int, int, bytes, int, str, str]


def star(number: int) -> str:
    return f"star-{number:04d}"


def pair(number: int) -> tuple[str, str]:
    """Give one of many pairs; neighbours in number share no end."""
    first = number % STARS
    return star(first), star((first + 1 + number // STARS) % STARS)


def evidence(number: int, at: datetime, *, pairs: int) -> Evidence:
    a, b = pair(number * 7919 % pairs)
    return Evidence(a, b, KINDS[number % len(KINDS)], at)


def bare_row(number: int) -> BareRow:
    a, b = pair(number)
    payload = f'{{"a":"{a}","b":"{b}","kind":"{KINDS[number % len(KINDS)]}"}}'
    return 1, number, number.to_bytes(16, "big"), number, "evidence", payload


def bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(BARE_TABLE)
    return connection


def run(*, quick: bool) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        yield from _single(Path(folder), blocks=5 if quick else 15, size=100 if quick else 200)
    with tempfile.TemporaryDirectory() as folder:
        yield from _many(Path(folder), items=20_000 if quick else 100_000, repeat=1 if quick else 3)


def _single(folder: Path, *, blocks: int, size: int) -> Iterator[Figure]:
    floor = bare(folder / "bare.db")
    taken: dict[str, list[float]] = {"floor": [], "sync": [], "async": []}
    burnt: dict[str, float] = dict.fromkeys(taken, 0.0)
    count = 0

    def commit(number: int) -> None:
        floor.execute("BEGIN IMMEDIATE")
        floor.execute(BARE_INSERT, bare_row(number))
        floor.execute("COMMIT")

    def block(name: str, once: Callable[[int], object]) -> None:
        nonlocal count
        cpu = time.process_time()
        for _ in range(size):
            count += 1
            begun = time.perf_counter()
            once(count)
            taken[name].append(time.perf_counter() - begun)
        burnt[name] += time.process_time() - cpu

    with (
        Memory.open_sync(folder / "sync.db", space="bench") as here,
        asyncio.Runner() as runner,
    ):
        there = runner.run(Memory.open(folder / "async.db", space="bench").__aenter__())
        for number in range(STARS):
            here.add_star(star(number), domain="health")
            runner.run(there.add_star(star(number), domain="health"))

        async def awaited_block() -> None:
            nonlocal count
            cpu = time.process_time()
            for _ in range(size):
                count += 1
                a, b = pair(count % 2000)
                begun = time.perf_counter()
                await there.observe(a, b, KINDS[count % len(KINDS)])
                taken["async"].append(time.perf_counter() - begun)
            burnt["async"] += time.process_time() - cpu

        for _ in range(blocks):
            block("floor", commit)
            block("sync", lambda number: here.observe(*pair(number % 2000), KINDS[number % len(KINDS)]))
            runner.run(awaited_block())
        runner.run(there.close())
    floor.close()
    found = {name: Timing(burnt[name] / (blocks * size), statistics.median(times)) for name, times in taken.items()}
    for name in ("sync", "async"):
        over = found[name] - found["floor"]
        yield duration(
            f"durable observe, {name}",
            found[name],
            "us",
            judged="wall",
            other="bare INSERT and COMMIT",
            theirs=found["floor"],
            goal=Goal("ratio", "<=", 1.5),
            note=f"{over.cpu * 1e6:.0f} us CPU, {over.wall * 1e6:.0f} us wall over the floor"
            + (", thread and loop included" if name == "async" else ""),
        )


def _many(folder: Path, *, items: int, repeat: int) -> Iterator[Figure]:
    batch, pairs, days = 10_000, 20_000, 60
    step = timedelta(days=days) / items
    rows = [evidence(number, BEGIN + number * step, pairs=pairs) for number in range(items)]
    plain = [bare_row(number) for number in range(items)]
    ours: list[Timing] = []
    floors: list[Timing] = []
    for turn in range(repeat):
        floor = bare(folder / f"bare-{turn}.db")

        def insert(floor: sqlite3.Connection = floor) -> None:
            for first in range(0, items, batch):
                floor.execute("BEGIN IMMEDIATE")
                floor.executemany(BARE_INSERT, plain[first : first + batch])
                floor.execute("COMMIT")

        floors.append(timed(insert))
        floor.close()
        with Memory.open_sync(folder / f"ours-{turn}.db", space="bench") as memory:
            for number in range(STARS):
                memory.add_star(star(number), domain="health", at=BEGIN)
            ours.append(
                timed(
                    lambda memory=memory: [  # type: ignore[misc]  # bound now, called now
                        memory.observe_many(rows[first : first + batch]) for first in range(0, items, batch)
                    ]
                )
            )
    yield rate(
        f"observe_many, batches of {batch:,}",
        Timing(statistics.median(t.cpu for t in ours), statistics.median(t.wall for t in ours)),
        "items/s",
        units=items,
        other="executemany of the same rows",
        theirs=Timing(statistics.median(t.cpu for t in floors), statistics.median(t.wall for t in floors)),
        goal=Goal("ours", ">=", 50_000.0),
        note=f"{items:,} items, {pairs:,} pairs, {days} days; folded, with receipts and checkpoints",
    )

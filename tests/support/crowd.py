"""Many threads at one memory: each calls what it likes, and notes what was acknowledged to it.

`python -m tests.support.crowd --seconds 60`: eight threads for a minute, over a file of their own; prints what failed,
whether the memory verifies and whether a fresh one agrees.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from asterism.store.sqlite import SQLiteStore
from tests.support.memories import NOON, AnyMemory, remembering

THREADS = 8
SPACE = "me"
More = Callable[[int], bool]


@dataclass
class Crowd:
    """What many threads did with a memory: acknowledged items and blocks, calls by name, and what failed."""

    items: set[str] = field(default_factory=set)
    blocks: set[str] = field(default_factory=set)
    calls: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    noting: threading.Lock = field(default_factory=threading.Lock)

    def note(self, call: str, *, item: str | None = None, block: str | None = None) -> None:
        with self.noting:
            self.calls[call] += 1
            self.items |= {item} if item else set()
            self.blocks |= {block} if block else set()


def begin(memory: AnyMemory) -> None:
    """Tell a memory what the threads talk of."""
    for name in ("Sleep", "Mood"):
        memory.add_star(name, domain="soul", at=NOON - timedelta(days=40))
    memory.observe("sleep", "mood", "user_creates", at=NOON - timedelta(days=39))
    memory.learn("Ada likes tea in the rain.", at=NOON - timedelta(days=40))


def crowded(memory: AnyMemory, more: More, *, threads: int = THREADS, seed: int = 0) -> Crowd:
    """Let threads call a memory all at once, each for as long as there is `more` to do after so many calls."""
    crowd, together = Crowd(), threading.Barrier(threads)

    def work(number: int) -> None:
        chance, done = random.Random(f"{seed} {number}"), 0
        together.wait()
        while more(done):
            name = chance.choice(NAMES)
            try:
                CALLS[name](memory, crowd, f"{seed}-{number}-{done}", chance)
            except BaseException:
                with crowd.noting:
                    crowd.failures.append(f"{name}: {traceback.format_exc()}")
            done += 1

    workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return crowd


Call = Callable[[AnyMemory, Crowd, str, random.Random], None]


def _some_time(chance: random.Random) -> object:
    return NOON - timedelta(minutes=chance.randrange(30 * 24 * 60))


def _observe(memory: AnyMemory, crowd: Crowd, name: str, chance: random.Random) -> None:
    told = memory.observe("sleep", "mood", "user_confirms", at=_some_time(chance), source=name)
    crowd.note("observe", item=told.item_id)


def _learn(memory: AnyMemory, crowd: Crowd, name: str, chance: random.Random) -> None:
    told = memory.learn(f"Note {name}: tea on a day of rain.", at=_some_time(chance))
    crowd.note("learn", block=told.id)


def _star(memory: AnyMemory, crowd: Crowd, name: str, chance: random.Random) -> None:
    memory.add_star(f"Star {name}", domain="soul", at=_some_time(chance))
    crowd.note("add_star")


def _feed(memory: AnyMemory, crowd: Crowd, name: str, chance: random.Random) -> None:
    trade = {"kind": "trade", "at": NOON.timestamp() - 60, "price": 50_000.0 + chance.randrange(100), "usd": 9_000.0}
    memory.feed("BTC", [trade], source=name)
    crowd.note("feed")


def _explore(memory: AnyMemory, crowd: Crowd, _: str, __: random.Random) -> None:
    memory.explore("tea", deadline=3_600)
    crowd.note("explore")


def _looks(name: str, look: Callable[[AnyMemory, object], object]) -> Call:
    def call(memory: AnyMemory, crowd: Crowd, _: str, chance: random.Random) -> None:
        look(memory, _some_time(chance))
        crowd.note(name)

    return call


CALLS: dict[str, Call] = {
    "observe": _observe,
    "learn": _learn,
    "add_star": _star,
    "feed": _feed,
    "explore": _explore,
    "dream": _looks("dream", lambda memory, _: memory.dream()),
    "recall": _looks("recall", lambda memory, _: memory.recall("Who likes tea in the rain?")),
    "links": _looks("links", lambda memory, _: memory.links()),
    "nodes": _looks("nodes", lambda memory, at: memory.nodes(at=at)),
    "why": _looks("why", lambda memory, _: memory.why("sleep", "mood")),
    "as_of": _looks("as_of", lambda memory, at: memory.as_of(at).links()),
    "project": _looks("project", lambda memory, _: memory.project(days=5)),
    "stats": _looks("stats", lambda memory, _: memory.stats()),
    "export": _looks("export", lambda memory, _: memory.export()),
    "verify": _looks("verify", lambda memory, _: memory.verify()),
}
NAMES = ["observe", "learn", "recall", "links"] * 3 + list(CALLS)  # what is done most


def lost(path: Path, crowd: Crowd) -> set[str]:
    """Give what was acknowledged and is not in the file."""
    with closing(SQLiteStore(path, read_only=True)) as store:
        items = {each.item.id.hex() for each in store.items(SPACE)}
    with remembering(path, read_only=True) as memory:
        blocks = {block.id for block in memory.blocks(statuses=["inbox", "active", "duplicate", "superseded"])}
    return (crowd.items - items) | (crowd.blocks - blocks)


def main(seconds: float, threads: int, seed: int) -> int:
    """Run for so long, and say what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        path, end = Path(folder) / "memory.db", time.monotonic() + seconds
        with remembering(path) as memory:
            begin(memory)
            crowd = crowded(memory, lambda _: time.monotonic() < end, threads=threads, seed=seed)
            verified = memory.verify()
        with remembering(path) as memory:
            agrees = memory.verify().digest == verified.digest
        gone = lost(path, crowd)
    sys.stdout.write(
        f"{threads} threads, {crowd.calls.total():,} calls, {len(crowd.failures)} failures, "
        f"{len(crowd.items) + len(crowd.blocks):,} acknowledged, {len(gone)} lost, "
        f"verify {verified.ok}, a fresh memory agrees: {agrees}\n"
    )
    sys.stdout.writelines(crowd.failures[:3])
    return 0 if verified.ok and agrees and not gone and not crowd.failures else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--threads", type=int, default=THREADS)
    parser.add_argument("--seed", type=int, default=0)
    sys.exit(main(**vars(parser.parse_args())))

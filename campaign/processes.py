"""Eight processes of mixed kinds on one file: writers that do everything, one that is killed again and again, readers,
a dreamer, one that exports, imports and merges, and a server of MCP.

Which of them comes first is up to the system: a seed gives what they do, not in which order.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
import traceback
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Event
from typing import Any

from asterism.engine.memory import Memory
from asterism.entry.mcp.holding import Holding
from asterism.entry.mcp.manner import FULL
from asterism.entry.mcp.offering import Offering
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from campaign.part import Counts, Round
from tests.support import worker
from tests.support.erasing import raw
from tests.support.killing import forks
from tests.support.memories import opened, remembering
from tests.support.processes import batches, in_ledger
from tests.support.worker import BATCH, EARLIER, SPACE, STARS, START

NAME = "processes"
HOLDS = "eight processes of mixed kinds on one file, one killed again and again: nobody is turned away, nothing is lost"
COUNTED = "seconds"
GOAL = 3_600
WITNESS: tuple[str, ...] = ("acknowledged", "erased", "read", "exchanged", "served", "kills")
SHORT = (1, 1)
EACH = 12  # things that every one of them must have said before a round ends
KILLED_AFTER = (2, 30)  # things that the one said which is killed
ACKNOWLEDGED = ("item", "source", "clock")  # how an item is found in the ledger
Say = Callable[..., None]
Heard = list[tuple[str, str]]


@dataclass
class Worker:
    """A process from outside."""

    kind: str
    name: str
    process: Any  # of a forking context
    hears: Connection
    said: int = 0


@contextmanager
def rounds(folder: Path) -> Iterator[Round]:  # noqa: ARG001  # nothing is shared
    def play(seed: int, at: Path) -> Counts:
        chance, path, began = random.Random(f"processes {seed}"), at / "memory.db", time.monotonic()
        drive(begun(path))
        heard, kills = Crowd(path, seed, chance).work()
        check(path, heard)
        counts = Counter("acknowledged" if kind in ACKNOWLEDGED else kind for kind, _ in heard)
        return counts + Counter(kills=kills, seconds=round(time.monotonic() - began))

    yield play


async def begun(path: Path) -> None:
    async with opened(path, space=SPACE, clock=START) as memory:
        for star in STARS:
            await memory.add_star(star, domain="soul", at=EARLIER)


class Crowd:
    """The processes, until each has said enough."""

    def __init__(self, path: Path, seed: int, chance: random.Random) -> None:
        self._path, self._seed, self._chance = path, seed, chance
        self._stop = forks.Event()
        self._heard: Heard = []
        self._kills = 0
        self._workers = [self._started(kind, f"{kind}-{seed}-at-first-{n}") for n, kind in enumerate(CROWD)]
        self._left = chance.randint(*KILLED_AFTER)

    def _started(self, kind: str, name: str) -> Worker:
        hears, says = forks.Pipe(duplex=False)
        process = forks.Process(target=work, args=(kind, self._path, name, says, self._stop))
        process.start()
        says.close()
        return Worker(kind, name, process, hears)

    def work(self) -> tuple[Heard, int]:
        """Listen until all are done; give what was acknowledged, and how many were killed."""
        try:
            while listening := [each for each in self._workers if not each.hears.closed]:
                for hears in wait([each.hears for each in listening]):
                    self._listen(next(each for each in listening if each.hears is hears))
                if all(each.said >= EACH or each.kind == "killed" for each in self._workers):
                    self._stop.set()
        finally:
            for each in self._workers:
                each.process.kill()
                each.process.join()
        return self._heard, self._kills

    def _listen(self, one: Worker) -> None:
        try:
            kind, what = one.hears.recv()
        except EOFError:
            one.hears.close()
            one.process.join()
            assert one.process.exitcode in ((0, -9) if one.kind == "killed" else (0,)), one.name
            return
        assert kind != "raw", f"{one.name}: {what}"
        one.said += 1
        self._heard.append((kind, what))
        if one.kind == "killed" and one.said >= self._left and not self._stop.is_set():
            self._kill(one)

    def _kill(self, one: Worker) -> None:
        """Kill it, hear what it still said, and start another."""
        one.process.kill()
        one.process.join()
        while not one.hears.closed:
            try:
                kind, what = one.hears.recv()
            except (EOFError, OSError):
                one.hears.close()
            else:
                assert kind != "raw", f"{one.name}: {what}"
                self._heard.append((kind, what))
        self._kills += 1
        self._left = self._chance.randint(*KILLED_AFTER)
        self._workers[self._workers.index(one)] = self._started("killed", f"killed-{self._seed}-{self._kills}")


def check(path: Path, heard: Heard) -> None:
    """See that everything acknowledged is there, batches as a whole, nothing erased, and that it verifies."""
    with remembering(path, space=SPACE, clock=START) as memory:
        verified = memory.verify()
        assert verified.ok, verified.differences
    with closing(SQLiteStore(path, read_only=True)) as store:
        found = in_ledger(store, SPACE)
        lost = {each for each in heard if each[0] in ACKNOWLEDGED} - found.keys()
        assert not lost, f"acknowledged, and not there: {lost}"
        assert set(batches(store, SPACE).values()) <= {BATCH}
    left = raw(path)
    back = [source for kind, source in heard if kind == "erased" and source.encode() in left]
    assert not back, f"bytes are left of {back}"


# The processes from inside


def work(kind: str, path: Path, name: str, says: Connection, stop: Event) -> None:
    """Do what a kind of process does, until it is told to stop."""

    def say(*words: object) -> None:
        says.send((str(words[0]), " ".join(str(word) for word in words[1:])))

    worker.say = say
    chance = random.Random(name)
    try:
        if kind == "serves":
            asyncio.run(serves(path, name, chance, say, stop))
        else:
            drive(KINDS[kind](path, name, chance, say, stop))
    except Exception:
        say("raw", traceback.format_exc())


async def writes(path: Path, name: str, chance: random.Random, _: Say, stop: Event) -> None:
    """Everything that can be told, erasures, transcripts and explorations among it."""
    number = 0
    async with opened(path, space=SPACE, clock=START) as memory:
        while not stop.is_set():
            number += 1
            if number % worker.RARE == worker.RARE // 2:
                act = worker.RARELY[number // worker.RARE % len(worker.RARELY)]
                await act(memory, f"{name}-{number}", *chance.sample(STARS, 2))
            else:
                await worker.one_thing(str(path), memory, f"{name}-{number}", chance)


async def reads(path: Path, __: str, chance: random.Random, say: Say, stop: Event) -> None:
    """Open it anew and ask; what is there never becomes less, erasures counted."""
    most = 0
    while not stop.is_set():
        async with opened(path, space=SPACE, clock=START, read_only=True) as memory:
            for _ in range(chance.randint(1, 4)):
                stats = await memory.stats()
                count = sum(stats.items.values()) + stats.tombstones
                assert count >= most, f"{most} items were there, and {count} are"
                most = count
                graph = await memory.graph()  # at one moment
                ends = {end for link in graph.links for end in (link.a, link.b)}
                assert ends <= {node.id for node in graph.nodes}
                await memory.recall("what goes with star-3?")
                say("read", count)


async def dreams(path: Path, _: str, __: random.Random, say: Say, stop: Event) -> None:
    async with opened(path, space=SPACE, clock=START) as memory:
        while not stop.is_set():
            dreamt = await memory.dream(steps=1)
            say("dreamt", dreamt.steps)
            verified = await memory.verify()
            assert verified.ok, verified.differences
            say("verified", verified.items)


async def exchanges(path: Path, name: str, _: random.Random, say: Say, stop: Event) -> None:
    """Write the ledger, have a copy take it in, tell the copy something, and merge it back."""
    copy, ledger = path.with_name(f"{name}.copy"), path.with_name(f"{name}.jsonl")
    async with opened(path, space=SPACE, clock=START) as memory, opened(copy, space=SPACE, clock=START) as other:
        number = 0
        while not stop.is_set():
            number += 1
            await memory.export(ledger, force=True)
            await other.import_(ledger)
            await other.learn(f"The copy says {number}.", source=f"{name} {number}", at=START)
            await memory.merge(copy)
            say("source", f"{name} {number}")
            say("exchanged", number)


async def serves(path: Path, name: str, chance: random.Random, say: Say, stop: Event) -> None:
    """Answer calls of tools, as the server of MCP does."""
    holding = Holding(lambda: Memory.open(path, space=SPACE, clock=START, embedder="hashed"))
    offering = Offering(holding, manner=FULL)
    number = 0
    try:
        while not stop.is_set():
            number += 1
            served = f"{name} {number}"
            told = {"facts": [{"content": f"{chance.choice(STARS)} is served by {served}.", "source": served}]}
            answer = await offering.call_tool("learn", told)
            assert not answer.get("isError"), json.dumps(answer)
            answer = await offering.call_tool("recall", {"query": chance.choice(STARS)})
            assert not answer.get("isError"), json.dumps(answer)
            say("source", served)
            say("served", number)
    finally:
        await holding.close()


KINDS: dict[str, Callable[..., Coroutine[object, object, None]]] = {
    "writes": writes,
    "killed": writes,
    "reads": reads,
    "dreams": dreams,
    "exchanges": exchanges,
}
CROWD = ("writes", "writes", "killed", "reads", "reads", "dreams", "exchanges", "serves")

"""Tasks that are cancelled: what was acknowledged is there, what was not is there as a whole or not at all."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

from asterism.engine.connections.observe import Evidence
from asterism.engine.memory import Memory
from asterism.store.sqlite import SQLiteStore
from campaign.part import Counts, Round
from tests.support.erasing import raw
from tests.support.memories import DAY, NOON

NAME = "cancel"
HOLDS = "a cancelled task did all of its call or nothing; the memory goes on, and holds what the file holds"
COUNTED = "tasks"
GOAL = 10_000
WITNESS: tuple[str, ...] = ("cancelled", "acknowledged", "written all the same", "absent")
SHORT = (2, 20)
TASKS, AT_ONCE, MANY = 48, 6, 20
SPACE = "mine"
Call = Callable[[Memory, str], Coroutine[object, object, object]]


@contextmanager
def rounds(folder: Path) -> Iterator[Round]:  # noqa: ARG001  # nothing is shared
    def play(seed: int, at: Path) -> Counts:
        return asyncio.run(cancelling(random.Random(f"cancel {seed}"), at / "memory.db"))

    yield play


async def cancelling(chance: random.Random, path: Path) -> Counts:
    """Let tasks begin, and cancel some of them after some turns of the loop."""
    acknowledged: dict[str, str] = {}
    unsure: dict[str, str] = {}
    gone: list[str] = []
    async with Memory.open(path, space=SPACE, clock=NOON, embedder="hashed") as memory:
        for star in ("Sleep", "Mood"):
            await memory.add_star(star, at=NOON - DAY)
        for first in range(0, TASKS, AT_ONCE):
            names = {f"quix{number}x": chance.choice(sorted(CALLS)) for number in range(first, first + AT_ONCE)}
            tasks = {word: asyncio.ensure_future(CALLS[kind](memory, word)) for word, kind in names.items()}
            for task in tasks.values():
                if chance.random() < 0.6:
                    await turns(chance)
                    task.cancel()
            for word, outcome in zip(tasks, await asyncio.gather(*tasks.values(), return_exceptions=True), strict=True):
                if isinstance(outcome, asyncio.CancelledError):
                    unsure[word] = names[word]
                elif isinstance(outcome, BaseException):
                    raise outcome
                elif names[word] == "erase":
                    gone.append(word)
                else:
                    acknowledged[word] = names[word]
        verified = await memory.verify()
        assert verified.ok, verified.differences
        held = (await memory.stats()).items
    async with Memory.open(path, space=SPACE, clock=NOON, embedder="hashed") as memory:
        assert (await memory.stats()).items == held, "the memory held what is not in the file"
        assert (await memory.verify()).digest == verified.digest
    return check(path, acknowledged, unsure, gone)


async def turns(chance: random.Random) -> None:
    """Let the loop turn a few times, or wait until some work of the thread is done."""
    for _ in range(chance.choice([0, 1, 2, 5, 40])):
        await asyncio.sleep(0)


def check(path: Path, acknowledged: dict[str, str], unsure: dict[str, str], gone: list[str]) -> Counts:
    with closing(SQLiteStore(path, read_only=True)) as store:
        found = Counter(stored.item.source for stored in store.items(SPACE))
    for word, kind in acknowledged.items():
        assert found[word] == SIZES[kind], (
            f"{kind} was acknowledged, and {found[word]} of {SIZES[kind]} items are there"
        )
    for word, kind in unsure.items():
        assert found[word] in (0, SIZES[kind]), f"{kind} was cancelled, and {found[word]} of {SIZES[kind]} are there"
    left = raw(path)
    assert not [word for word in gone if word.encode() in left], "bytes are left"
    written = sum(bool(found[word]) for word in unsure)
    return Counter(
        {
            "tasks": TASKS,
            "acknowledged": len(acknowledged) + len(gone),
            "cancelled": len(unsure),
            "written all the same": written,
            "absent": len(unsure) - written,
        }
    )


async def learn(memory: Memory, word: str) -> None:
    await memory.learn(f"{word} keeps bees.", source=word)


async def learn_many(memory: Memory, word: str) -> None:
    await memory.learn_many([{"content": f"{word} keeps bees {n}.", "source": word} for n in range(MANY)])


async def observe(memory: Memory, word: str) -> None:
    await memory.observe("sleep", "mood", "user_confirms", source=word)


async def observe_many(memory: Memory, word: str) -> None:
    times = [NOON - timedelta(minutes=n) for n in range(MANY)]
    await memory.observe_many([Evidence("sleep", "mood", "user_confirms", at, word) for at in times])


async def add_star(memory: Memory, word: str) -> None:
    await memory.add_star(f"Star {word}", source=word)


async def erase(memory: Memory, word: str) -> None:
    """Learn something in peace, and erase it."""
    await asyncio.shield(asyncio.ensure_future(memory.learn(f"Nobody knows {word}.", source=word)))
    await memory.erase(f"source:{word}")


async def look(memory: Memory, _: str) -> None:
    await memory.recall("who keeps bees?")
    await memory.dream(steps=1)


CALLS: dict[str, Call] = {
    "learn": learn,
    "learn_many": learn_many,
    "observe": observe,
    "observe_many": observe_many,
    "add_star": add_star,
    "erase": erase,
    "look": look,
}
SIZES = {"learn": 1, "learn_many": MANY, "observe": 1, "observe_many": MANY, "add_star": 1, "erase": 1, "look": 0}

"""A process that works on a memory and says what was acknowledged, until it is killed or its stdin is closed.

`python worker.py PATH NAME SEED`. Lines: `ready` before the file is opened; `item ID`, `source TEXT` or
`clock MICROSECONDS` for what was acknowledged, which is how to find it in the ledger; `erased TEXT` for a source of
which nothing is left; `explored` for an exploration, which goes too if something that it walked over is erased; `done`
at the end.
"""

from __future__ import annotations

import random
import select
import sys
from datetime import UTC, datetime, timedelta

from asterism.core.dialogue.lines import Line
from asterism.engine.connections.observe import Evidence
from asterism.engine.memory import Memory
from asterism.engine.space.live import Live
from asterism.engine.space.threads import HereRunner
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive

SPACE = "me"
START = datetime(2026, 3, 1, tzinfo=UTC)
EARLIER = START - timedelta(days=9)
STARS = [f"star-{number}" for number in range(8)]
KINDS = ["co_mention_session", "user_confirms", "user_creates", "tars_confirmed"]
BATCH = 40  # rows of one observe_many: all of them are there, or none
GONE = "gone"  # what is erased soon is told by a source of this name


def say(*words: object) -> None:
    sys.stdout.write(" ".join(str(word) for word in words) + "\n")
    sys.stdout.flush()


async def work(path: str, name: str, chance: random.Random) -> None:
    """Do one thing after another; each is acknowledged before it is said."""
    async with Memory(path, space=SPACE, clock=START, embedder="hashed", runner=HereRunner()) as memory:
        for star in STARS:
            await memory.add_star(star, domain="soul", at=EARLIER)
        number, turn = 0, chance.randrange(len(RARELY))
        while not select.select([sys.stdin], [], [], 0)[0]:
            number += 1
            if number % RARE == RARE // 2:
                turn += 1
                await RARELY[turn % len(RARELY)](memory, f"{name}-{number}", *chance.sample(STARS, 2))
            else:
                await one_thing(path, memory, f"{name}-{number}", chance)


async def one_thing(path: str, memory: Memory, source: str, chance: random.Random) -> None:
    a, b = chance.sample(STARS, 2)
    ago = timedelta(minutes=chance.choice([0, 1, 1, 2, 60 * 24 * 5]), microseconds=chance.randrange(10**6))
    act = chance.random()
    if act < 0.1:
        await memory.learn(f"{a} goes with {b}, says {source}.", tags=[a], at=START - ago, source=source)
        say("source", source)
    elif act < 0.12:
        await memory.dream(steps=1)
    elif act < 0.4:
        receipt = await memory.observe(a, b, chance.choice(KINDS), at=START - ago, source=source)
        say("item", receipt.item_id)
    elif act < 0.6:
        rows = [
            Evidence(a, b, "user_confirms", START - ago - timedelta(seconds=second), f"batch {source}")
            for second in range(BATCH)
        ]
        for receipt in await memory.observe_many(rows):
            say("item", receipt.item_id)
    elif act < 0.7:
        await memory.add_star(f"{source} {chance.random()}", domain="health", at=START - ago, source=source)
        say("source", source)
    elif act < 0.85:
        await memory.engage(a, at=START - ago, source=source)
        say("source", source)
    elif act < 0.93:
        changes = await memory.advance(hours=chance.choice([0.1, 1.0]), discover=act > 0.92)
        say("clock", round(changes.clock.timestamp() * 1_000_000))
    else:  # what a writer does by itself after much work
        store = SQLiteStore(path)
        live = Live(store, SPACE, clock=lambda: 0)
        live.refresh()
        live.checkpoint_if_due(at_least=0)
        store.close()


async def erase(memory: Memory, name: str, *_: str) -> None:
    """Learn something, and erase it with all that others made of it meanwhile."""
    source = f"{GONE} {name}."
    await memory.learn(f"Nobody knows what {source} says.", at=EARLIER, source=source)
    manifest = await memory.erase(f"source:{source}")
    say("erased", source)
    say("item", manifest.tombstone)


async def read(memory: Memory, name: str, a: str, b: str) -> None:
    said = [Line(0, "Ann", f"I go with {a}."), Line(1, "DM", f"You see {b}.")]
    await memory.read_transcript(said, session=name, started_at=START - timedelta(days=1))
    say("source", name)


async def explore(memory: Memory, name: str, a: str, b: str) -> None:
    found = await memory.explore(f"What goes with {a}?", intention=name, start=b)
    say("explored", len(found.found))


RARE = 8  # every so many things
RARELY = (erase, read, explore)


if __name__ == "__main__":
    say("ready")
    drive(work(sys.argv[1], sys.argv[2], random.Random(sys.argv[3])))
    say("done")

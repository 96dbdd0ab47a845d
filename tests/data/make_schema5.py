"""Make `schema5.db`, a small memory as the fifth schema keeps it: `python -m tests.data.make_schema5`.

It was made once, and stays as it is: a later schema must be able to open it. For a new schema, add another file.
"""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from asterism.engine.memory import Memory
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import opened

START = datetime(2026, 9, 1, 9, tzinfo=UTC)
DAY = timedelta(days=1)
KEPT = ("The key hangs behind the door.", "Anna has the second key.")
ERASED = "The door code is 4711."


async def tell(memory: Memory) -> None:
    """Tell what has vectors, and erase something of it: a head counts both."""
    for place, text in enumerate([*KEPT, ERASED]):
        await memory.learn(text, at=START + timedelta(minutes=place))
    await memory.dream()
    await memory.add_star("Anna", at=START + DAY)
    (secret,) = [block for block in await memory.blocks() if block.content == ERASED]
    await memory.erase(secret.id)


async def make(path: Path) -> None:
    """Make the file, with two spaces, and fold its log into it."""
    with closing(SQLiteStore(path)) as store:
        for space in ("me", "other"):
            async with opened(store, space=space, clock=START + 2 * DAY) as memory:
                await tell(memory)


if __name__ == "__main__":
    file = Path(__file__).with_name("schema5.db")
    file.unlink(missing_ok=True)
    drive(make(file))

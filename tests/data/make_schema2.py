"""Make `schema2.db`, a small memory as the second schema keeps it: `python -m tests.data.make_schema2`.

It was made once, and stays as it is: a later schema must be able to open it. For a new schema, add another file.
"""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from asterism.engine.memory import Memory
from asterism.store.port import Cache
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import opened, store_checkpoint

START = datetime(2026, 4, 6, 9, tzinfo=UTC)
DAY = timedelta(days=1)
TEXTS = [
    "The garden needs water in the morning.",
    "Water the garden before the sun is high.",
    "Bob keeps the train tickets in the blue drawer.",
    "Ada plays the piano on Tuesdays.",
    "睡眠 is long in winter.\nAnd short in summer.",
]


async def tell(memory: Memory) -> None:
    """Tell a few days of blocks: learned, dreamed of, used, corrected, forgotten, with a session and a star."""
    await memory.add_star("Garden", domain="health", at=START)
    for place, text in enumerate(TEXTS):
        await memory.learn(
            text,
            tags=["home"] if place < 3 else [],
            category="notes",
            name="Piano" if place == 3 else None,
            source="diary",
            at=START + place * timedelta(hours=1),
            conversation="first" if place < 2 else None,
            speaker="Ada" if place < 2 else None,
        )
    await memory.begin_session("morning", at=START + DAY)
    await memory.end_session("morning", at=START + DAY + timedelta(hours=3))
    await memory.dream()
    names = [block.id for block in await memory.blocks()]
    for session in ("a", "b", "c"):
        await memory.used(names[:2], session=session)
    await memory.outcome(names[1:3], 0.9)
    await memory.observe(names[0], "garden", "user_creates")
    await memory.edit(names[2], "Bob keeps the train tickets in the red drawer.")
    await memory.forget(names[4])
    await memory.learn("Not dreamed of yet.")


async def make(path: Path) -> None:
    """Make the file, with a checkpoint and a cache, and fold its log into it."""
    with closing(SQLiteStore(path)) as store:
        async with opened(store, clock=START + 3 * DAY) as memory:
            await tell(memory)
        store_checkpoint(store)
        with store.writing("me") as writing:
            writing.put_cache("recall", Cache("of another version", {"column": np.arange(3)}))


if __name__ == "__main__":
    file = Path(__file__).with_name("schema2.db")
    file.unlink(missing_ok=True)
    drive(make(file))

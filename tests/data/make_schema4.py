"""Make `schema4.db`, a small memory as the fourth schema keeps it: `python -m tests.data.make_schema4`.

It was made once, and stays as it is: a later schema must be able to open it. For a new schema, add another file.
"""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from asterism.engine.memory import Memory
from asterism.engine.recall.recaller import CACHE, recaller_of
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import opened, store_checkpoint

START = datetime(2026, 6, 1, 9, tzinfo=UTC)
DAY = timedelta(days=1)
TEXTS = [f"The {thing} is kept {place}." for thing in ("lamp", "rope", "bell") for place in ("in the shed", "upstairs")]
LONG = "The log of the ferry. " + "It left, it came back, and it left again. " * 80  # as long as what is deflated


async def tell(memory: Memory) -> None:
    """Tell what fills packs, what is deflated, and what counts days."""
    await memory.add_star("Ferry", domain="soul", at=START)
    await memory.add_star("Shed", domain="soul", at=START)
    await memory.observe("ferry", "shed", "user_creates", at=START)
    for place, text in enumerate([*TEXTS, LONG]):
        await memory.learn(text, at=START + DAY + timedelta(minutes=place))
    await memory.dream()
    await memory.learn("The rope is too short.")


async def make(path: Path) -> None:
    """Make the file, with a checkpoint and the index of recall, and fold its log into it."""
    with closing(SQLiteStore(path)) as store:
        async with opened(store, clock=START + 5 * DAY) as memory:
            await tell(memory)
        store_checkpoint(store)
        async with opened(store, clock=START + 5 * DAY) as memory:
            live = memory._open()
            recaller = recaller_of(live)
            recaller.embed()
            live.keep(CACHE, recaller.cache(live.seq))


if __name__ == "__main__":
    file = Path(__file__).with_name("schema4.db")
    file.unlink(missing_ok=True)
    drive(make(file))

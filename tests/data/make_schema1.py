"""Make `schema1.db`, a small memory as the first released schema keeps it: `python -m tests.data.make_schema1`.

It was made once, and stays as it is: a later schema must be able to open it. For a new schema, add another file.
"""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from asterism.core.ledger.calendar import to_micros
from asterism.engine.memory import Memory
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import contents, erase_items, opened, store_checkpoint

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
DAY = timedelta(days=1)
STARS = {"Sleep": "health", "Mood": "soul", "Work": "purpose", "睡眠": "health"}


async def tell(memory: Memory) -> None:
    """Tell a few days: stars, evidence of several kinds, brightness, time."""
    for name, domain in STARS.items():
        await memory.add_star(name, domain=domain, at=START, source="first day")
    for day in range(9):
        at = START + day * DAY
        await memory.set_brightness("Sleep", 0.3 + 0.05 * day, at=at)
        await memory.engage("Mood", at=at + timedelta(hours=5))
        await memory.observe("sleep", "mood", "user_confirms", at=at + timedelta(hours=6), source="diary")
    await memory.observe("mood", "work", "user_creates", at=START + DAY, note="a note\nof two lines")
    await memory.observe("work", "睡眠", "co_mention_session", at=START + 2 * DAY, source="to be erased")
    await memory.assign_type("sleep", "mood", "growth_edge", at=START + 3 * DAY)
    await memory.contradict("work", at=START + 4 * DAY)
    await memory.advance(days=2, discover=True)


async def make(path: Path) -> None:
    """Make the file, erase one item of it, and fold its log into it."""
    with closing(SQLiteStore(path)) as store:
        async with opened(store, clock=START + 10 * DAY) as memory:
            await tell(memory)
        (erased,) = [each.item for each in contents(store) if each.item.source == "to be erased"]
        erase_items(store, [erased.id], at=to_micros(START + 11 * DAY))
        store_checkpoint(store)
        async with opened(store, space="other", clock=START) as memory:
            await memory.add_star("Sleep", domain="soul")


if __name__ == "__main__":
    file = Path(__file__).with_name("schema1.db")
    file.unlink(missing_ok=True)
    drive(make(file))

"""Make `schema3.db`, a small memory as the third schema keeps it: `python -m tests.data.make_schema3`.

It was made once, and stays as it is: a later schema must be able to open it. For a new schema, add another file.
"""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from asterism.core.dialogue.lines import Line
from asterism.engine.memory import Memory
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import opened, store_checkpoint

START = datetime(2026, 5, 4, 18, tzinfo=UTC)
DAY = timedelta(days=1)
SAID = [
    ("Ann", "I carry the Lantern to the Bell."),
    ("DM", "The Bell rings, and the Lantern dies."),
    ("Bo", "Is there a Boat?"),
    ("DM", "No, but the Bell rings again."),
]


async def tell(memory: Memory) -> None:
    """Tell two sessions, one of them read again, corrected, between other days."""
    for name in ("Lantern", "Bell", "Boat"):
        await memory.add_star(name, domain="soul", at=START)
    lines = [Line(place, *said) for place, said in enumerate(SAID)]
    await memory.read_transcript(lines, session="Night 1", started_at=START + DAY, chunks=[("bell", 0, 1)])
    await memory.observe("bell", "boat", "user_creates", at=START + 2 * DAY)
    await memory.read_transcript(lines[:3], session="Night 2", started_at=START + 3 * DAY)
    longer = [Line(place, *said) for place, said in enumerate([("DM", "Welcome."), *SAID])]
    await memory.read_transcript(longer, session="NIGHT 1", started_at=START + DAY)


async def make(path: Path) -> None:
    """Make the file, with a checkpoint, and fold its log into it."""
    with closing(SQLiteStore(path)) as store:
        async with opened(store, clock=START + 5 * DAY) as memory:
            await tell(memory)
        store_checkpoint(store)


if __name__ == "__main__":
    file = Path(__file__).with_name("schema3.db")
    file.unlink(missing_ok=True)
    drive(make(file))

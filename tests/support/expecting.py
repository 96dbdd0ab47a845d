"""A memory whose link has a record: every four days a cause turns, and its effect follows the next morning."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from asterism import Memory
from tests.support.memories import opened

BEGIN = datetime(2026, 1, 1, 21, tzinfo=UTC)
DAYS = 120


def opened_then() -> Memory:
    """Open a memory at the end of that time."""
    return opened(":memory:", clock=BEGIN + timedelta(days=DAYS))


async def tell(memory: Memory) -> None:
    """Tell so much that the memory expects something on the next morning."""
    for name in ("Screen", "Sleep"):
        await memory.add_star(name, domain="health", at=BEGIN)
    await memory.observe("screen", "sleep", "user_creates", at=BEGIN)
    await memory.assign_type("screen", "sleep", "causation", direction="a_to_b", at=BEGIN)
    for day in range(DAYS):
        at, late = BEGIN + timedelta(days=day), day // 4 % 2 == 0
        await memory.set_brightness("screen", 0.8 if late else 0.4, at=at)
        await memory.set_brightness("sleep", 0.3 if late else 0.8, at=at + timedelta(hours=10))
        if day % 7 == 0:
            await memory.observe("screen", "sleep", "user_confirms", at=at)
    await memory.set_brightness("screen", 0.8)

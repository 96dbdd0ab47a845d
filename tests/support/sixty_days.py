"""A memory told of sixty days."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from asterism.engine.connections.observe import Evidence
from asterism.engine.memory import Memory
from asterism.store.port import Store
from tests.support.memories import DAY, NOON, opened

FIRST = NOON - 60 * DAY


async def tell(memory: Memory, *, days: int = 60, each_day: int = 3) -> None:
    """Tell two months: three stars, evidence and brightness every day."""
    for name in ("Sleep", "Mood", "Work"):
        await memory.add_star(name, domain="soul", at=FIRST)
    for day in range(days):
        at = FIRST + day * DAY
        await memory.set_brightness("sleep", 0.3 + 0.1 * (day % 5), at=at)
        rows = [Evidence("sleep", "mood", "user_confirms", at + timedelta(minutes=n)) for n in range(each_day)]
        await memory.observe_many([*rows, Evidence("mood", "work", "co_mention_session", at)])


async def verified(store: Store | Path) -> bool:
    async with opened(store) as memory:
        found = await memory.verify()
        assert found.ok, found.differences
        return found.ok

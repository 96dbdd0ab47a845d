"""A file with a small memory, and what it tells."""

from __future__ import annotations

import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

from asterism.engine.memory import Memory
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import DAY, NOON, contents, opened, store_checkpoint


async def begin(memory: Memory) -> None:
    for name, domain in (("Sleep", "health"), ("Mood", "soul"), ("Work", "purpose")):
        await memory.add_star(name, domain=domain, at=NOON - 3 * DAY)
    await memory.observe("sleep", "mood", "user_creates", at=NOON - 2 * DAY, source="diary", note="as told")


def made(path: Path) -> Path:
    """Make a file with a small memory, checkpoint included, its log folded into it."""
    path.write_bytes(_small_memory())
    return path


@cache
def _small_memory() -> bytes:
    async def scenario(path: Path) -> None:
        async with opened(path) as memory:
            await begin(memory)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        drive(scenario(path))
        with closing(SQLiteStore(path)) as store:
            store_checkpoint(store)
        return path.read_bytes()


def told(path: Path) -> list[tuple[bytes, str, int, str, object]]:
    """Give what a file's items say, which is what their ids are made of."""
    with closing(SQLiteStore(path, read_only=True)) as store:
        return [
            (each.item.id, each.item.what, each.item.at, each.item.source, each.item.payload)
            for each in contents(store)
        ]

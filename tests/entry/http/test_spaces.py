"""Spaces that are held open: what is let go of was used by nobody, and is let go of once."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from asterism.entry.http.spaces import Held, Spaces

MANY = 12


def test_calls_that_end_together_let_go_of_each_idle_space_once(tmp_path: Path) -> None:
    async def run() -> None:
        spaces = Spaces(tmp_path / "a.db", embedder="hashed", held=2)
        together = threading.Barrier(MANY)

        def work(held: Held) -> str:
            held.memory()
            return "done"

        def beside_others(held: Held) -> str:
            together.wait()
            return work(held)

        for number in range(2):
            await spaces.call(f"old{number}", work)
        calls = [spaces.call(f"new{number}", beside_others) for number in range(MANY)]
        assert await asyncio.gather(*calls, return_exceptions=True) == ["done"] * MANY
        assert len(spaces) == 2
        await spaces.close()

    asyncio.run(run())

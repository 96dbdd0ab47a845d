"""Spaces that are held open: what is let go of was used by nobody, and is let go of once."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from asterism.entry.http.app import application
from asterism.entry.http.service import Bounds, Service
from asterism.entry.http.spaces import JOB_THREADS, Held, Spaces
from tests.support.http_service import COMMANDS, NOW, Asker

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


def test_a_job_ends_with_the_server(tmp_path: Path) -> None:
    async def run() -> None:
        bounds = Bounds(job_seconds=20)
        service = Service(
            COMMANDS, tmp_path / "a.db", open_to_all=True, embedder="hashed", bounds=bounds, now=lambda: NOW
        )
        ask = Asker(application(service))
        for name in ("Sleep", "Mood", "Tea"):
            await ask.post("/v1/spaces/me/learn", {"content": f"{name} is near the river"})
        free = threading.Event()
        before = [asyncio.create_task(service.spaces.job("other", lambda _: free.wait())) for _ in range(JOB_THREADS)]
        job = asyncio.create_task(ask.post("/v1/spaces/me/dream", {"steps": 1_000_000}))
        while service.spaces.waiting <= JOB_THREADS:  # it waits behind those
            await asyncio.sleep(0)
        closing = asyncio.create_task(service.close())
        await asyncio.sleep(0)
        free.set()
        assert (await job).value["error"] == "gone"
        await asyncio.gather(closing, *before)

    asyncio.run(run())

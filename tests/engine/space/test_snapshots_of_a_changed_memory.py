"""A memory as it was, once the memory itself has been given other parameters, has taken in a ledger, or is closed."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from asterism.engine.memory import Memory
from asterism.errors import AsterismError
from tests.support.memories import DAY, NOON

AT = NOON - DAY


def test_a_snapshot_goes_on_after_its_memory_got_other_parameters(tmp_path: Path) -> None:
    with Memory.open_sync(tmp_path / "m.db", space="me", clock=NOON, embedder="hashed") as memory:
        memory.add_star("Sleep", domain="health", at=AT)
        memory.add_star("Mood", domain="soul", at=AT)
        memory.observe("sleep", "mood", "user_creates", at=AT)
        then = memory.as_of(AT)
        before = then.link("sleep", "mood")
        memory.configure(parameters={"multiplier_user_creates": 0.1})
        after = then.link("sleep", "mood")
        assert after == memory.as_of(AT).link("sleep", "mood") != before


def test_a_snapshot_of_a_reconfigured_memory_that_is_closed_says_so(tmp_path: Path) -> None:
    with Memory.open_sync(tmp_path / "m.db", space="me", clock=NOON, embedder="hashed") as memory:
        memory.add_star("Sleep", domain="health", at=AT)
        then = memory.as_of(AT)
        memory.configure(preset="tuned")
    with pytest.raises(AsterismError) as refused:
        then.stars()
    assert refused.value.code == "closed"


def test_a_snapshot_awaited_after_configure_and_close_says_that_the_memory_is_closed(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Memory.open(tmp_path / "m.db", space="me", clock=NOON, embedder="hashed") as memory:
            await memory.add_star("Sleep", domain="health", at=AT)
            then = await memory.as_of(AT + timedelta(hours=1))
            await memory.configure(preset="tuned")
            assert [star.id for star in await then.stars()] == ["sleep"]
        with pytest.raises(AsterismError) as refused:
            await then.stars()
        assert refused.value.code == "closed"

    asyncio.run(scenario())


def test_a_snapshot_goes_on_after_its_memory_took_in_a_ledger(tmp_path: Path) -> None:
    with Memory.open_sync(tmp_path / "other.db", space="me", clock=NOON, preset="tuned", embedder="hashed") as other:
        other.add_star("Sleep", domain="health", at=AT)
        other.export(tmp_path / "ledger.jsonl")
    with Memory.open_sync(tmp_path / "m.db", space="me", clock=NOON, embedder="hashed") as memory:
        then = memory.as_of(AT)
        memory.import_(tmp_path / "ledger.jsonl")
        assert [star.id for star in then.stars()] == ["sleep"]
    with pytest.raises(AsterismError) as refused:
        then.stars()
    assert refused.value.code == "closed"

"""A memory that is closed, or was never opened, says so and how to open it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from asterism.engine.memory import Memory
from asterism.errors import AsterismError
from asterism.sync import drive
from tests.support.memories import NOON, is_told_well, opened
from tests.support.refusing import Call, is_refused
from tests.support.small_memory import made, told


@pytest.mark.parametrize("where", ["here", "in a thread"])
def test_a_closed_memory_says_that_it_is_closed(tmp_path: Path, where: str) -> None:
    path = made(tmp_path / "memory.db")

    async def scenario() -> None:
        memory = opened(path) if where == "here" else Memory.open(path, space="me", clock=NOON)
        calls: list[Call] = [
            lambda m: m.links(),
            lambda m: m.engage("sleep"),
            lambda m: m.observe("sleep", "mood", "user_confirms"),
            lambda m: m.advance(days=1),
            lambda m: m.verify(),
            lambda m: m.as_of(NOON),
            lambda _: past.links(),
        ]
        async with memory:
            past = await memory.as_of(NOON)
        await memory.close()
        for call in calls:
            with pytest.raises(AsterismError) as refused:
                await call(memory)
            assert refused.value.code == "closed"
            assert is_told_well(refused.value)

    before = told(path)
    asyncio.run(scenario())
    assert told(path) == before
    drive(is_refused(path, lambda m: m.engage("nobody"), code="unknown_node"))


def test_a_memory_that_was_never_opened_says_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        with pytest.raises(AsterismError) as refused:
            await Memory.open(tmp_path / "memory.db", space="me").links()
        assert refused.value.code == "closed"

    asyncio.run(scenario())
    assert list(tmp_path.iterdir()) == []


def test_a_closed_memory_names_the_way_it_is_opened_by_whoever_awaits_it_and_whoever_does_not() -> None:
    async def awaited() -> str | None:
        with pytest.raises(AsterismError) as refused:
            await Memory.open(":memory:", space="me").links()
        return refused.value.hint

    memory = Memory.open_sync(":memory:", space="me")
    with memory:
        pass
    with pytest.raises(AsterismError) as refused:
        memory.links()
    assert refused.value.hint == "use it inside `with Memory.open_sync(...) as memory:`"
    assert asyncio.run(awaited()) == "use it inside `async with Memory.open(...) as memory:`"

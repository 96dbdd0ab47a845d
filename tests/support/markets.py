"""A memory that is fed a market: sending, reading all of it, finding it whole; shared by the tests of feeds."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from pathlib import Path

from asterism.core.levels.model import FeedReport, Level
from asterism.engine.market.calls import MarketReads
from asterism.engine.memory import Memory
from asterism.store.port import Store
from asterism.sync import drive
from tests.support.batches import START, Row, Sent
from tests.support.memories import opened


def then(second: float) -> datetime:
    """Give the time so many seconds after the start."""
    return datetime.fromtimestamp(START, UTC) + timedelta(seconds=second)


def resting(second: float, usd: float = 500_000.0, price: float = 100.0) -> Row:
    """So much rests in the order book at a price."""
    return {"kind": "book", "at": START + second, "price": price, "usd": usd, "side": "bid"}


async def send(memory: Memory, sent: Sent) -> FeedReport:
    """Feed what someone sends."""
    return await memory.feed(sent.symbol, sent.rows, source=sent.source, lateness=sent.lateness)


async def all_levels(memory: MarketReads) -> dict[str, list[Level]]:
    """Give the levels of all symbols."""
    return {each.symbol: await memory.levels(each.symbol, archived=True) for each in await memory.symbols()}


async def whole(memory: Memory) -> tuple[str, dict[str, list[Level]]]:
    """Give what a memory is, verified."""
    verified = await memory.verify()
    assert verified.ok, verified.differences
    return verified.digest, await all_levels(memory)


def run(work: Callable[[Memory], Coroutine[object, object, None]], path: str | Path | Store = ":memory:") -> None:
    """Work on a memory, and find it whole at the end."""

    async def working() -> None:
        async with opened(path) as memory:
            await work(memory)
            await whole(memory)

    drive(working())

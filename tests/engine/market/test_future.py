"""What a memory says of a market at a time is the same to the bit, whatever came after that time."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.parameters import Setting
from asterism.engine.memory import Memory
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from asterism.sync import drive
from tests.support.batches import ROW, Row, Sent, lanes, liquidation, price, trade, when
from tests.support.markets import send, then
from tests.support.memories import opened

NOW = 60.0  # seconds after the start: no row that is drawn is later
LATER = 100  # and the future begins so long after the start
TIMES = (0.0, 7.5, 31.0, NOW, 75.0)
RULES: tuple[dict[str, Setting], ...] = (
    {},
    {"revisit": "left", "path": "all"},
    {"pending_max": 1, "archive_max_levels": 1, "decay_rate_default": 0.02},
)


async def said(memory: Memory) -> list[object]:
    """All that a memory says of its markets up to now: levels, signals of the path, reasons, history."""
    told: list[object] = []
    for symbol in ("X", "Y"):
        for second in TIMES:
            seen = await memory.as_of(then(second))
            if symbol not in {each.symbol for each in await seen.symbols()}:
                continue
            levels = await memory.levels(symbol, at=then(second), archived=True)
            told += [levels, await seen.levels(symbol), await seen.nearest(symbol, 100.05)]
            told += [await seen.clusters(symbol), await seen.gaps(symbol), await seen.density(symbol)]
            told += [await memory.replay(symbol, end=then(second), steps=7)]
            told += [await seen.why(level.id) for level in levels]
    return told


async def told_by(store: str | Path | Store, sent: list[Sent], parameters: dict[str, Setting]) -> list[object]:
    async with opened(store, parameters=parameters) as memory:
        for each in sent:
            await send(memory, each)
        return await said(memory)


def later(row: Row) -> Row:
    return {**row, "at": when(row) + LATER}


FUTURE = st.lists(ROW.map(later), max_size=4)


def with_future(past: list[Sent], futures: list[list[Row]]) -> list[Sent]:
    """Let the future of a file stand at its end, in the same batch, and that of a stream come in batches after."""
    last = {each.source: number for number, each in enumerate(past) if each.source}
    pairs = list(zip(past, futures, strict=True))
    whole = [
        each._replace(rows=[*each.rows, *rows]) if each.source and last[each.source] == number else each
        for number, (each, rows) in enumerate(pairs)
    ]
    return whole + [each._replace(rows=rows) for each, rows in pairs if rows and not each.source]


@settings(max_examples=12)
@given(lanes(), st.data(), st.sampled_from(RULES))
def test_another_future_changes_nothing_that_is_said_of_before(
    told: list[list[Sent]], data: st.DataObject, rules: dict[str, Setting]
) -> None:
    past = [sent for lane in told for sent in lane]
    one, two = ([data.draw(FUTURE) for _ in past] for _ in range(2))

    async def asking() -> None:
        alone = await told_by(":memory:", past, rules)
        assert await told_by(":memory:", with_future(past, one), rules) == alone
        assert await told_by(":memory:", with_future(past, two), rules) == alone

    drive(asking())


PAST = [price(0, 99.0), trade(1), trade(4, 100.03), liquidation(9, 101.0), price(20, 100.0), price(40, 99.0)]
SHUFFLED = [trade(110, 101.0), liquidation(120, 100.0, 3), price(130, 103.0), price(131, 100.0), trade(9_999, 100.2)]


@pytest.mark.parametrize("kind", ["in memory", "a file"])
def test_a_shuffled_future_leaves_the_past_of_every_store_as_it_was(kind: str) -> None:
    async def asking() -> None:
        with TemporaryDirectory() as folder:
            stores = [InMemoryStore() if kind == "in memory" else Path(folder) / f"{number}.db" for number in range(3)]
            feeds = [PAST, PAST + SHUFFLED, PAST + SHUFFLED[::-1]]
            alone, one, two = [
                await told_by(store, [Sent(rows, lateness=0)], {}) for store, rows in zip(stores, feeds, strict=True)
            ]
            assert alone == one == two
            assert len(alone) > 20

    drive(asking())


def test_the_future_does_change_what_is_said_of_later() -> None:
    async def asking() -> None:
        async with opened(":memory:") as memory, opened(":memory:") as other:
            await memory.feed("X", PAST)
            await other.feed("X", PAST + SHUFFLED)
            at = then(200)
            assert await memory.levels("X", at=at) != await other.levels("X", at=at)

    drive(asking())

"""What may be fed to a memory and what is refused; spaces apart; levels as ends of links."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from asterism.engine.memory import Memory
from asterism.errors import AsterismError, UnknownError
from asterism.store.in_memory import InMemoryStore
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.batches import START, Row, trade
from tests.support.markets import resting, run, whole
from tests.support.memories import DAY, NOON, contents, is_told_well, opened, store_checkpoint

# Bad input


def columns(**more: object) -> dict[str, object]:
    return {"kind": "trade", "at": np.array([START]), "price": np.array([100.0]), "usd": 5.0} | more


REFUSED: dict[str, Callable[[Memory], Awaitable[object]]] = {
    "a time to come": lambda memory: memory.feed("X", [trade(0), trade(86_400 * 400)]),
    "a time to come, of a book": lambda memory: memory.feed("X", [resting(0), resting(86_400 * 400)]),
    "no text as symbol": lambda memory: memory.feed(cast(str, 5), [trade(0)]),
    "no symbol": lambda memory: memory.feed("", [trade(0)]),
    "a symbol of two lines": lambda memory: memory.feed("A\nB", [trade(0)]),
    "a symbol with @": lambda memory: memory.feed("A@B", [trade(0)]),
    "a symbol with ~": lambda memory: memory.feed("A~B", [trade(0)]),
    "no batch": lambda memory: memory.feed("X", cast(list[Row], 5)),
    "columns of two lengths": lambda memory: memory.feed("X", columns(price=[1.0, 2.0])),
    "no column": lambda memory: memory.feed("X", columns(colour=[1.0])),
    "a malformed row, strictly": lambda memory: memory.feed("X", [trade(0), trade(0, -1.0)], strict=True),
    "a nan, strictly": lambda memory: memory.feed("X", [trade(0, math.nan)], strict=True),
    "before 1900, strictly": lambda memory: memory.feed("X", [trade(-5e9)], strict=True),
    "an unknown unit": lambda memory: memory.feed("X", [trade(0)], unit="h"),
    "another unit, strictly": lambda memory: memory.feed("X", [trade(START * 1e6)], strict=True),
    "no text as source": lambda memory: memory.feed("X", [trade(0)], source=cast(str, ["file"])),
    "an empty source": lambda memory: memory.feed("X", [trade(0)], source=""),
    "an offset below 0": lambda memory: memory.feed("X", [trade(0)], source="file", offset=-1),
    "half an offset": lambda memory: memory.feed("X", [trade(0)], source="file", offset=cast(int, 0.5)),
    "an offset beyond all": lambda memory: memory.feed("X", [trade(0)], source="file", offset=2**70),
    "an offset of nothing": lambda memory: memory.feed("X", [trade(0)], offset=3),
    "a lateness below 0": lambda memory: memory.feed("X", [trade(0)], lateness=-1),
    "a lateness of nan": lambda memory: memory.feed("X", [trade(0)], lateness=math.nan),
    "a lateness of text": lambda memory: memory.feed("X", [trade(0)], lateness=cast(float, "2")),
    "a lateness of days": lambda memory: memory.feed("X", [trade(0)], lateness=1e6),
    "fed of no symbol": lambda memory: memory.fed(cast(str, ["X"]), "file"),
    "fed of no source": lambda memory: memory.fed("K", cast(str, None)),
    "levels of no symbol": lambda memory: memory.levels(cast(str, ["K"])),
    "levels in time to come": lambda memory: memory.levels("K", at=NOON + DAY),
    "levels near nan": lambda memory: memory.levels("K", near=math.nan),
    "levels within nothing": lambda memory: memory.levels("K", within_bps=5.0),
    "levels of a colour": lambda memory: memory.levels("K", side="red"),
    "the nearest to nothing": lambda memory: memory.nearest("K", 0.0),
    "none of the nearest": lambda memory: memory.nearest("K", 100.0, 0),
    "clusters below 0": lambda memory: memory.clusters("K", gap_bps=-1.0),
    "gaps of nan": lambda memory: memory.gaps("K", gap_bps=math.nan),
    "half a bin": lambda memory: memory.density("K", bins=cast(int, 0.5)),
    "no steps": lambda memory: memory.replay("K", steps=0),
    "half a step": lambda memory: memory.replay("K", steps=cast(int, 2.5)),
    "no levels": lambda memory: memory.replay("K", most=0),
    "some levels": lambda memory: memory.replay("K", most=cast(int, "some")),
    "a replay of nothing": lambda memory: memory.replay("Y"),
    "a replay of time to come": lambda memory: memory.replay("K", end=NOON + DAY),
    "a replay from never": lambda memory: memory.replay("K", start="never"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_refused_and_nothing_is_written(case: str) -> None:
    store = InMemoryStore()

    async def work(memory: Memory) -> None:
        await memory.feed("K", [trade(0)])
        before = contents(store)
        with pytest.raises(AsterismError) as refused:
            await REFUSED[case](memory)
        assert is_told_well(refused.value)
        assert contents(store) == before
        assert not (await memory.feed("K", [trade(1)])).stale

    run(work, store)


def test_malformed_rows_are_named_and_counted_and_the_others_taken() -> None:
    rows: list[Row] = [trade(0), trade(1, math.nan), {"kind": "trade"}, trade(2, usd=-5.0), trade(3)]

    async def work(memory: Memory) -> None:
        report = await memory.feed("X", rows, source="file", lateness=0)
        assert (report.used, report.malformed) == (2, 3)
        assert [bad.row for bad in report.bad_rows] == [1, 2, 3]
        assert [(each.events, each.malformed) for each in await memory.symbols()] == [(2, 3)]
        nothing = await memory.feed("Y", [{"kind": "trade"}])
        assert (nothing.used, nothing.malformed) == (0, 1)
        assert [each.symbol for each in await memory.symbols()] == ["X"]

    run(work)


# Spaces, and levels as ends of links


def test_spaces_do_not_see_each_others_symbols() -> None:
    async def working() -> None:
        store = InMemoryStore()
        async with opened(store) as mine, opened(store, space="other") as other:
            await mine.feed("X", [trade(0)], source="file")
            assert await other.symbols() == []
            assert await other.fed("X", "file") == 0
            with pytest.raises(UnknownError):
                await other.levels("X")
            await other.feed("X", [trade(0, 105.0)], source="file")
            assert [level.price for level in await mine.levels("X")] == [100.0]
            assert [level.price for level in await other.levels("X")] == [105.0]
            await whole(mine)
            await whole(other)

    drive(working())


def test_a_level_may_be_an_end_of_evidence(tmp_path: Path) -> None:
    async def work(memory: Memory) -> None:
        await memory.feed("X", [trade(0)])
        await memory.add_star("Calm", domain="soul", at=NOON - DAY)
        receipt = await memory.observe("X@100.0", "calm", "user_creates", at=NOON - DAY)
        assert receipt.after == 0.15
        assert [link.id for link in await memory.links("X@100.0")] == ["X@100.0~calm"]
        assert (await memory.why("calm", "X@100.0")).total == pytest.approx(0.15)
        for level in ("X@7.0", "Y@100.0", "X@100"):
            with pytest.raises(UnknownError) as refused:
                await memory.observe(level, "calm", "user_creates")
            assert is_told_well(refused.value)
        await memory.advance(days=2, discover=True)
        assert [star.id for star in await memory.stars()] == ["calm"]

    async def again(memory: Memory) -> None:
        store_checkpoint(store)
        await memory.observe("calm", "X@100.0", "user_confirms")
        assert len(await memory.links()) == 1

    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        run(work, store)
        run(again, store)


def test_evidence_sees_a_level_of_a_symbol_that_has_to_be_folded_anew() -> None:
    async def work(memory: Memory) -> None:
        await memory.add_star("Calm", domain="soul")
        await memory.feed("X", [trade(100)], source="new", lateness=0)
        assert (await memory.feed("X", [trade(0, 105.0)], source="old", lateness=0)).stale
        assert (await memory.observe("X@105.0", "calm", "user_creates")).after == 0.15

    run(work)


def test_what_has_an_at_sign_may_be_a_star_and_an_old_link_of_a_level_can_say_why() -> None:
    async def work(memory: Memory) -> None:
        await memory.add_star("me@home", domain="soul")
        assert (await memory.why("me@home")).number == "brightness"
        await memory.feed("X", [trade(0)], lateness=0)
        (level,) = await memory.levels("X")
        await memory.observe(level.id, "me@home", "user_creates")
        await memory.advance(days=1)
        told = (await memory.why(level.id, "me@home")).total
        assert told > 0
        assert (await memory.why(level.id)).number == "strength"

    run(work)

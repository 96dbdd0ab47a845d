"""Look-ahead is impossible: whatever comes after a moment, everything that was said up to it is the same to the bit.

The future is replaced in three ways: shuffled, another path, and none at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from asterism.core.ledger.columns import Floats
from asterism.core.levels.events import Events
from asterism.evals.market_baselines import BASELINES
from asterism.evals.market_data import CoinDay, Liquidations, Ticker
from asterism.evals.market_levels import SHIPPED, Variant
from asterism.evals.market_next import DAY_MS, HOUR_MS, Guesser, baselines, memories
from asterism.evals.market_resting import walk as resting_walk
from asterism.evals.market_touches import Remembering, find_touches, grid_levels, recall, volatility
from asterism.feeds import open_feed
from tests.support.tickers import START_MS, coin_day, forced_by_chance, wander, write_recording

SECONDS = 1_500
CUT = 1_000
PATH = wander(seconds=2 * SECONDS)[SECONDS:]  # the wilder half
SYSTEMS: dict[str, Remembering] = {
    **BASELINES,
    **{each.name: each.opened for each in (*SHIPPED, Variant(settings={"revisit": "left", "path": "all"}))},
}


def shuffled(values: Floats, start: int) -> Floats:
    return np.concatenate([values[:start], np.random.default_rng(4).permutation(values[start:])])


def another(values: Floats, start: int) -> Floats:
    return np.concatenate([values[:start], wander(seconds=len(values), number=9)[start:]])


def none(values: Floats, start: int) -> Floats:
    return values[:start]


FUTURES: dict[str, Callable[[Floats, int], Floats]] = {"shuffled": shuffled, "another": another, "none": none}


def day_of(last: Floats, usd: Floats, forced: Floats) -> CoinDay:
    """A day of a path, what was traded, and a liquidation every two seconds."""
    at_ms = START_MS + 1_000 * np.arange(len(last))
    size = len(forced)
    liquidations = Liquidations(
        START_MS + 2_000 * np.arange(size), forced, 1_000.0 + forced, np.arange(size, dtype=np.int64) % 2
    )
    return replace(coin_day(last, liquidations=liquidations), ticker=Ticker(at_ms, last, usd))


def scores(day: CoinDay, opens: Remembering, levels: Floats) -> dict[tuple[int, float], float]:
    """What is said at each touch, by its row and level."""
    touches = find_touches(day.ticker.last, levels)
    with opens("X") as memory:
        told = recall(day, touches, memory)
    return dict(zip(zip(touches.row.tolist(), touches.level.tolist(), strict=True), told.tolist(), strict=True))


@pytest.mark.parametrize("future", FUTURES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_another_future_changes_no_score_at_an_earlier_touch(system: str, future: str) -> None:
    last, cut = PATH, CUT
    usd = np.random.default_rng(2).uniform(0.0, 9_000.0, size=SECONDS)
    forced = last[::2] * 1.0002
    replaced = FUTURES[future]
    levels = grid_levels(last)
    was = scores(day_of(last, usd, forced), SYSTEMS[system], levels)
    now = scores(day_of(replaced(last, cut), replaced(usd, cut), replaced(forced, cut // 2)), SYSTEMS[system], levels)
    early = [key for key in was.keys() & now.keys() if key[0] <= cut]
    assert len(early) > 20
    assert [was[key] for key in early] == [now[key] for key in early]
    assert len({was[key] for key in early}) > 5  # they say something
    if future == "another":
        late = [key for key in was if key[0] > cut]
        assert [was[key] for key in late] != [now.get(key) for key in late]  # and the future did change


def test_what_touches_are_compared_by_looks_back_only() -> None:
    last, cut = PATH, CUT
    rows = np.arange(cut + 1)
    for replaced in (shuffled, another):
        assert volatility(last, rows).tolist() == volatility(replaced(last, cut), rows).tolist()


def test_a_touch_is_there_whatever_comes_once_it_is_decided() -> None:
    last, cut = PATH, CUT
    levels = grid_levels(last)
    told = []
    for path in (last, shuffled(last, cut), another(last, cut), none(last, cut)):
        touches = find_touches(path, levels)
        early = touches.decided < cut
        told.append([column[early].tolist() for column in touches])
    assert len(told[0][0]) > 20
    assert told[1:] == told[:1] * 3


def test_what_a_memory_is_fed_leads_to_no_other_row() -> None:
    day = day_of(wander(seconds=50), np.ones(50), np.ones(25))
    parts = (day.ticker.rows(0, 10), day.liquidations.rows(0, 10))
    columns = [getattr(part, name) for part in parts for name in part.__dataclass_fields__]
    assert len(columns) == 7
    assert all(column.base is None and len(column) == 10 for column in columns)


# The next liquidations


def guesses(forced: Liquidations, guesser: Guesser) -> list[tuple[float, ...]]:
    told, known = [], 0
    for at_ms in range(START_MS + DAY_MS, START_MS + DAY_MS + 6 * HOUR_MS, HOUR_MS):
        guesser.feed(forced.rows(known, forced.before(at_ms)))
        known = forced.before(at_ms)
        told.append(tuple(guesser.prices(at_ms=at_ms)))
    return told


@pytest.mark.parametrize("system", [*baselines(5), *memories(Variant())])
def test_other_liquidations_later_change_no_price_named_before(system: str) -> None:
    forced = forced_by_chance(hours=40)
    start = forced.before(START_MS + DAY_MS + 6 * HOUR_MS)
    other = replace(forced, price=shuffled(forced.price, start), usd=shuffled(forced.usd, start))
    told = []
    for liquidations in (forced, other, forced.rows(0, start)):
        with {**baselines(5), **memories(Variant())}[system]("X") as guesser:
            told.append(guesses(liquidations, guesser))
    assert told[0] == told[1] == told[2]
    assert len(set(told[0])) > 3


# Resting orders


def test_another_order_book_later_changes_no_strength_told_before(tmp_path: Path) -> None:
    write_recording(tmp_path)
    (path,) = (tmp_path / "l2").iterdir()
    events = Events.join([batch.events for batch in open_feed(path).batches()])
    start = int(np.searchsorted(events.at, int(events.at[0]) + 70_000_000))
    other = events._replace(price=shuffled(events.price, start), usd=shuffled(events.usd, start))
    told = [
        [
            (at, question, strength)
            for at, question, strength, _ in resting_walk(each, Variant(), "X")
            if at < 70_000_000
        ]
        for each in (events, other)
    ]
    assert told[0] == told[1]
    assert len({strength for _, _, strength in told[0]}) > 3

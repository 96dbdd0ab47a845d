"""Where liquidations come next, where resting orders stay and return, and settings chosen on other days."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from asterism.core.levels.events import BOOK, PRICE, Events
from asterism.entry.cli.app import app
from asterism.evals import market_next, market_resting, market_settings
from asterism.evals.market import cases_of
from asterism.evals.market_data import Liquidations, load_market
from asterism.evals.market_levels import Variant
from asterism.evals.market_next import HOUR_MS, Hours, apart, found_usd, walk
from asterism.evals.market_resting import LOOK, Orders
from tests.support.tickers import (
    START_MS,
    coin_day,
    forced_by_chance,
    wander,
    write_liquidations,
    write_market,
    write_recording,
)

# Next liquidations


class Known:
    """Names the prices it was made with, and keeps what it was fed."""

    def __init__(self, *prices: float) -> None:
        self._prices = prices
        self.fed: list[int] = []
        self.asked: list[tuple[int, int]] = []

    def feed(self, liquidations: Liquidations) -> None:
        self.fed += liquidations.at_ms.tolist()

    def prices(self, *, at_ms: int) -> list[float]:
        self.asked.append((at_ms, len(self.fed)))
        return list(self._prices)


def test_at_each_hour_all_that_came_before_was_fed_and_nothing_else() -> None:
    forced, guesser = forced_by_chance(hours=40), Known(100.0)
    hours = walk(forced, guesser)
    assert [at - START_MS - 24 * HOUR_MS for at, _ in guesser.asked[:2]] in ([0, HOUR_MS], [HOUR_MS, 2 * HOUR_MS])
    assert [size for _, size in guesser.asked] == [int((forced.at_ms < at).sum()) for at, _ in guesser.asked]
    assert 0 < len(hours.usd) < len(guesser.asked)  # some hours have no liquidation


def test_dollars_count_that_are_within_a_thousandth_of_a_named_price() -> None:
    hour = Liquidations(
        np.arange(4), np.array([100.0, 100.09, 100.2, 101.0]), np.array([1.0, 2.0, 4.0, 8.0]), np.ones(4, np.int64)
    )
    assert [found_usd(hour, prices) for prices in ([], [100.0], [100.0, 101.05], [100.0, 100.05])] == [0, 3, 11, 3]


def test_named_prices_that_lie_too_near_to_a_better_one_make_room_for_the_next() -> None:
    assert apart([100.0, 100.19, 99.81, 100.3, 99.0, 98.0], most=4) == [100.0, 100.3, 99.0, 98.0]


def test_each_baseline_follows_its_rule() -> None:
    at_ms = np.array([0, 1, 2, 3, 4]) * HOUR_MS
    day = Liquidations(
        at_ms, np.array([100.0, 110.0, 110.0, 110.0, 120.0]), np.array([9.0, 1, 1, 1, 5]), np.ones(5, np.int64)
    )
    assert market_next.newest(day, 120.0, 5 * HOUR_MS)[0] == 120.0
    assert market_next.most_dollars(day, 120.0, 5 * HOUR_MS) == pytest.approx([100.0, 120.0, 110.0], rel=1e-3)
    assert market_next.most_time(day, 120.0, 5 * HOUR_MS)[0] == pytest.approx(110.0, rel=1e-3)
    assert len(market_next.most_time(day, 120.0, 24 * HOUR_MS)) == 0
    near = market_next.next_to(day, 120.0, 5 * HOUR_MS)
    assert near[0] == 120.0
    assert apart(near.tolist(), most=5) == near[:5].tolist()
    drawn = market_next.at_random(np.random.default_rng(1))(day, 120.0, 5 * HOUR_MS)
    assert 100.0 <= drawn.min() < drawn.max() <= 120.0
    nothing = day.rows(0, 0)
    assert market_next.at_random(np.random.default_rng(1))(nothing, 120.0, 0) == pytest.approx(120.0)


def test_the_last_price_is_known_after_a_day_without_liquidations() -> None:
    simple = market_next.Simple(market_next.next_to)
    simple.feed(Liquidations(np.array([0]), np.array([100.0]), np.ones(1), np.ones(1, np.int64)))
    assert [simple.prices(at_ms=hours * HOUR_MS)[0] for hours in (1, 40, 80)] == [100.0] * 3


def test_what_one_system_finds_above_another_is_told_with_its_interval() -> None:
    usd = np.array([10.0, 30.0])
    more, less = (
        Hours(np.array([1, 2]), usd, np.column_stack([usd * share] * len(market_next.TOPS))) for share in (0.5, 0.2)
    )
    rows = {(row.name, row.metric): row.value for row in market_next.above_rows(more, "less", less, seed=1)}
    assert {round(value, 12) for value in rows.values()} == {0.3}
    assert {name for name, _ in rows} == {"dollars, vs less", "hours, vs less"}


def test_a_market_of_liquidations_is_told_for_every_system(tmp_path: Path) -> None:
    write_liquidations(tmp_path, forced_by_chance(hours=40))
    reports = market_next.run(tmp_path, Variant(), seed=5, say=lambda _: None, clock=lambda: 0.0)
    found = {report.system: report for report in reports}
    assert list(found) == ["random", "distance", "recency", "volume", "time", "seed", "seed nearest"]
    shares = {name: report.value("hours", "@10") or 0.0 for name, report in found.items()}
    assert shares["distance"] > shares["random"]
    assert shares["seed nearest"] > 0.0
    assert found["seed"].value("dollars, vs distance", "@5") is not None
    assert found["distance"].value("dollars, vs distance", "@5") is None
    assert found["seed"].value("dollars", "@1") <= found["seed"].value("dollars", "@10")  # type: ignore[operator]


# Resting orders


def book(*rows: tuple[float, float, float, int]) -> Events:
    at, price, usd, episode = zip(*rows, strict=True)
    times = (np.array(at) * 1e6).astype(np.int64)
    return Events.of(
        len(rows), kind=BOOK, at=times, price=np.array(price), usd=np.array(usd), side=1, episode=np.array(episode)
    )


def test_orders_are_asked_about_once_they_rested_and_once_they_are_gone() -> None:
    orders = Orders(100.0, middle=50.0)
    orders.take(book((0, 10.0, 500.0, 0), (0, 11.0, 500.0, 0), (5, 12.0, 500.0, 0), (9, 13.0, 99.0, 0)))
    assert {(kind, key[1]) for kind, key, _ in orders.asked(LOOK)} == {("stays", 10.0), ("stays", 11.0)}
    orders.take(book((12, 10.0, 0.0, 0), (13, 12.0, 0.0, 0), (14, 11.0, 300.0, 0)))
    assert (orders.ended, orders.began) == ({(1, 10.0), (1, 12.0)}, set())
    assert {(kind, key[1]) for kind, key, _ in orders.asked(2 * LOOK)} == {("returns", 10.0), ("stays", 11.0)}
    orders.take(book((25, 10.0, 400.0, 0)))
    assert (orders.began, orders.ended) == ({(1, 10.0)}, set())
    assert orders.rests[1, 10.0].before == 12_000_000


def test_what_a_snapshot_does_not_tell_of_is_gone() -> None:
    orders = Orders(100.0)
    orders.take(book((0, 10.0, 500.0, 7), (0, 11.0, 500.0, 7)))
    orders.take(book((20, 11.0, 500.0, 8), (21, 12.0, 500.0, 0)))
    assert [key[1] for key, rest in orders.rests.items() if rest.resting] == [11.0, 12.0]
    assert orders.rests[1, 10.0].long


def test_the_middle_is_that_of_the_last_price() -> None:
    orders = Orders(100.0)
    orders.take(Events.of(2, kind=PRICE, at=np.array([0, 1]), price=np.array([10.0, 20.0])))
    assert orders.middle == 20.0


def test_recordings_are_told_for_every_system(tmp_path: Path) -> None:
    write_recording(tmp_path)
    reports = market_resting.run(tmp_path, Variant(), seed=5, say=lambda _: None, clock=time.perf_counter)
    found = {report.system: report for report in reports}
    assert list(found) == ["time", "distance", "volume", "recency", "seed"]
    for kind in market_resting.KINDS:
        assert 0.0 < (found["seed"].value(kind, "rate") or 0.0) < 1.0
        assert found["seed"].value(kind, "above distance") is not None
        assert found["time"].value(kind, "above distance") is None
    assert (found["time"].value("stays", "AUC") or 0.0) > 0.5  # what rests longest is never taken away here


def test_without_recordings_there_is_no_report_of_them(tmp_path: Path) -> None:
    assert market_resting.run(tmp_path, Variant(), seed=5, say=lambda _: None, clock=lambda: 0.0) == []


def test_the_command_prints_a_table_for_each_test(tmp_path: Path) -> None:
    write_market(tmp_path, wander(seconds=1_500))
    write_liquidations(tmp_path, forced_by_chance(hours=30))
    write_recording(tmp_path)
    told = CliRunner().invoke(app, ["eval", "market", "--data", str(tmp_path)])
    assert told.exit_code == 0
    tables = [line.split(":")[0] for line in told.stdout.splitlines() if line.startswith("market")]
    assert tables == ["market", market_next.EVAL, market_resting.EVAL]
    assert "levels(at=its time)" in told.stdout


# Settings


def test_a_setting_is_judged_on_what_it_was_not_chosen_on() -> None:
    found = {"seed": np.array([0.5, 0.5, 0.5]), "lucky": np.array([0.4, 0.4, 0.9])}
    assert market_settings.left_out(found, np.array([False, False, True]))[0] == "seed"
    best, gains = market_settings.left_out(found, np.array([True, False, False]))
    assert (best, gains.tolist()) == ("lucky", pytest.approx([-0.1]))


def test_settings_are_told_by_day_and_by_coin(tmp_path: Path) -> None:
    write_market(tmp_path, wander(seconds=1_500))
    (day,) = load_market(tmp_path)
    last = wander(seconds=1_500, number=8)
    cases = cases_of([day, replace(coin_day(last), day="2024-02-29")], seed=1)
    told = market_settings.lines(cases, {"seed": np.array([0.5, 0.5]), "other": np.array([0.6, 0.6])})
    assert told[1] == "other: AUC 0.600, above seed +0.100 (+0.100 to +0.100)"
    assert told[-1].startswith("chosen without its coin: above seed +0.000")  # one coin: nothing to choose on


def test_the_command_for_settings_prints_each(tmp_path: Path) -> None:
    write_market(tmp_path, wander(seconds=600))
    told: list[str] = []
    market_settings.main(["--data", str(tmp_path)], write=told.append)
    assert [line.split(":")[0] for line in told][:-2] == list(market_settings.SETTINGS)

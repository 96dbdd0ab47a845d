"""The memory of levels in the level-touch test: what it is told, variants of it, the whole report, the files."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from asterism.core.levels.book import LevelBook
from asterism.core.levels.parameters import LevelParameters
from asterism.entry.cli.app import app
from asterism.errors import InputError
from asterism.evals import market
from asterism.evals.market import cases_of, score_rows
from asterism.evals.market_data import load_market
from asterism.evals.market_levels import SHIPPED, Variant, covering, market_events
from asterism.evals.market_touches import (
    find_touches,
    grid_levels,
    recall,
)
from tests.support.tickers import START_MS, Notebook, coin_day, wander, write_market


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_market(tmp_path, wander(seconds=3_000))
    return tmp_path


# The memory of levels


def test_a_price_has_the_figure_of_the_level_that_covers_it() -> None:
    book = LevelBook("X", lateness=0.0)
    book.feed([{"kind": "trade", "at": 0, "price": price, "usd": 1_000.0} for price in (100.0, 100.08)])
    prices = np.array([90.0, 100.04, 100.05, 100.3])
    assert covering(book.levels(at=0), prices).tolist() == [0.0, 0.45, 0.45, 0.0]
    assert covering(book.levels(at=0), prices, reads="importance") == pytest.approx([0.0, 0.315, 0.315, 0.0])
    assert covering([], prices).tolist() == [0.0] * 4


def test_the_memory_says_what_a_book_of_the_same_events_says() -> None:
    day = coin_day(wander(seconds=3_000))
    touches = find_touches(day.ticker.last, grid_levels(day.ticker.last))
    book, known = LevelBook("X", lateness=0.0), 0
    told: list[float] = []
    for row, level in zip(touches.row.tolist(), touches.level.tolist(), strict=True):
        book.feed(market_events(day.ticker.rows(known, row), day.liquidations))
        known = row
        told += covering(book.levels(at=float(day.ticker.at_ms[row]) / 1e3), np.array([level])).tolist()
    with Variant().opened("X") as memory:
        assert recall(day, touches, memory).tolist() == told
    assert max(told) > 0.5


def test_a_memory_that_was_told_nothing_remembers_nothing() -> None:
    with Variant().opened("X") as memory:
        assert memory.strength(np.array([100.0]), at_ms=START_MS).tolist() == [0.0]
        assert memory.strongest(at_ms=START_MS) == memory.nearest(100.0, most=3, at_ms=START_MS) == []


# The whole


def test_the_evaluation_reports_baselines_and_memories(folder: Path) -> None:
    heard: list[str] = []
    reports = {report.system: report for report in market.run(folder, progress=heard.append)}
    assert list(reports) == ["liquidated", "time", "calm", *(each.name for each in SHIPPED)]
    assert "seed importance" in heard
    for report in reports.values():
        assert 0.0 <= (report.value("all", "AUC") or 0.0) <= 1.0
        assert report.value("XUSDT 2024-02-28", "AUC") == report.value("all", "AUC")
    assert reports["time"].value("all", "above time") is None
    assert reports["seed"].value("all", "above time") == pytest.approx(
        (reports["seed"].value("all", "AUC") or 0.0) - (reports["time"].value("all", "AUC") or 0.0)
    )
    assert ["as used" in report.preset for report in reports.values()] == [False, False, False, True, True]


def test_the_coins_of_one_day_are_one_block_and_the_later_half_of_the_days_stands_apart() -> None:
    last = wander(seconds=3_000)
    days = [replace(coin_day(last), symbol=symbol, day=day) for day in ("2024-03-01", "2024-03-02") for symbol in "XY"]
    cases = cases_of(days, seed=1)
    assert len(np.unique(cases.coin_day)) == 4
    assert np.unique(cases.day).tolist() == [0, 1]
    told = np.where(cases.day == 1, cases.bounced, ~cases.bounced).astype(np.float64)
    rows = {(row.name, row.metric): row.value for row in score_rows(cases, told, seed=1)}
    assert (rows["first days", "AUC"], rows["later days", "AUC"], rows["coin-days", "mean AUC"]) == (0.0, 1.0, 0.5)
    assert (rows["all", "AUC low"], rows["all", "AUC high"]) == (0.0, 1.0)


def test_the_same_seed_gives_the_same_report(folder: Path) -> None:
    first, second = ([report.to_dict() for report in market.run(folder, seed=3, clock=lambda: 0.0)] for _ in range(2))
    assert first == second


def test_a_score_that_knows_the_outcome_is_found_out(folder: Path) -> None:
    cases = cases_of(load_market(folder), seed=1)
    rows = {(row.name, row.metric): row.value for row in score_rows(cases, cases.bounced.astype(np.float64), seed=1)}
    assert rows["all", "AUC"] == rows["all", "in volatility"] == 1.0
    assert rows["tenth 2", "bounce rate"] == 1.0
    assert rows["tenth 2", "beyond low"] > 0.3


# Variants


def test_a_variant_is_the_memory_of_its_presets_and_values(folder: Path) -> None:
    asked = [
        Variant(("rule3",)),
        Variant(settings=dict(LevelParameters.presets["rule3"])),
        Variant(settings={"band_bps": 20}),
        Variant(only=("price",)),
    ]
    scores = [market.run(folder, variant=each, clock=lambda: 0.0)[-1] for each in asked]
    assert scores[0].rows == scores[1].rows  # the same memory under another name
    assert len({scored.rows for scored in scores}) == 3
    assert [scored.system for scored in scores[2:]] == ["seed band_bps=20", "seed only price"]


def test_a_memory_is_told_only_what_it_may_be() -> None:
    day = coin_day(np.full(60, 100.0))
    for only, there in (((), True), (("price",), False)):
        with Variant(only=only).opened("X") as memory:
            memory.feed(day.ticker, day.liquidations)
            assert (memory.strength(np.array([100.0]), at_ms=START_MS + 60_000) > 0.0).tolist() == [there]


def test_a_memory_may_be_asked_for_a_price_behind_the_level() -> None:
    last = wander(seconds=2_000)
    touches = find_touches(last, grid_levels(last))
    asked = recall(coin_day(last), touches, Notebook(), behind=0.004)
    assert (asked / touches.level - 1.0).round(12).tolist() == (-0.004 * touches.side).tolist()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--set", "band_bps=0"), "band_bps"),
        (("--set", "band=3"), "band is not a parameter"),
        (("--set", "band_bps"), "NAME=VALUE"),
        (("--preset", "wild"), "wild"),
        (("--preset", "tuned"), "no preset 'tuned'"),
        (("--only", "book"), "book"),
        (("--behind", "2"), "behind"),
    ],
)
def test_a_variant_that_cannot_be_is_refused(folder: Path, options: tuple[str, ...], said: str) -> None:
    refused = CliRunner().invoke(app, ["eval", "market", "--data", str(folder), *options])
    assert refused.exit_code == 2
    assert said in refused.stderr


def test_a_variant_is_tested_by_command(folder: Path) -> None:
    chosen = ("--preset", "rule3", "--set", "path=all", "--set", "band_bps=20", "--only", "price", "--behind", "0.004")
    answered = CliRunner().invoke(app, ["eval", "market", "--data", str(folder), *chosen, "--json"])
    told = json.loads(answered.stdout)
    assert [report["system"] for report in told][3:] == ["rule3 path=all band_bps=20 only price"]
    variant = Variant(("rule3",), {"path": "all", "band_bps": 20}, only=("price",))
    (report,) = market.run(folder, variant=variant, behind=0.004)[3:]
    assert told[3]["rows"] == report.to_dict()["rows"]


def test_other_evaluations_have_no_variants(folder: Path) -> None:
    refused = CliRunner().invoke(app, ["eval", "causal", "--data", str(folder), "--preset", "tuned"])
    assert (refused.exit_code, "are for market" in refused.stderr) == (2, True)


# Reading


def test_files_are_read_by_the_names_of_their_columns(folder: Path) -> None:
    (day,) = load_market(folder)
    assert (day.symbol, day.day, day.name) == ("XUSDT", "2024-02-28", "XUSDT 2024-02-28")
    assert day.ticker.usd[1] == pytest.approx(5 * day.ticker.last[1])
    assert day.liquidations.at_ms.tolist() == [START_MS - 9_000, START_MS + 60_000]
    assert day.liquidations.long.tolist() == [1, 0]
    assert day.liquidations.usd[0] == pytest.approx(3 * day.ticker.last[0], abs=1e-3)


def spoil(folder: Path, name: str, text: str) -> None:
    (path,) = (folder / name).iterdir()
    path.write_bytes(gzip.compress(text.encode()))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it has no t_ms, last, volume24h"),
        ("t_ms,last,volume24h", "it has no rows"),
        ("t_ms,last,volume24h\n1,2,3\n1,2,3", "its times do not rise"),
        ("t_ms,last,volume24h\n1,0,3", "a last price is not above 0"),
        ("t_ms,last,volume24h\n1,2", "line 2 does not have 3 cells"),
        ("t_ms,last,volume24h\n1,two,3", "could not convert"),
        ("t_ms,last,volume24h\n1,nan,3", "a number is not finite"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_fault(folder: Path, text: str, problem: str) -> None:
    spoil(folder, "tickers_1s", text)
    with pytest.raises(InputError, match=problem):
        load_market(folder)


def test_a_damaged_file_is_named(folder: Path) -> None:
    for path in (folder / "tickers_1s").iterdir():
        path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InputError, match="it is damaged"):
        load_market(folder)


def test_a_folder_that_lacks_something_says_what(folder: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        load_market(folder / "nowhere")
    for path in (folder / "liquidations").iterdir():
        path.unlink()
    with pytest.raises(InputError, match="it holds no liquidations"):
        load_market(folder)
    for path in (folder / "tickers_1s").iterdir():
        path.unlink()
    with pytest.raises(InputError, match="it holds no tickers_1s"):
        load_market(folder)

"""The level-touch test on markets that the test makes itself, in the public layout."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from asterism.core.columns import Bools, Floats
from asterism.core.levels.book import LevelBook
from asterism.errors import InputError
from asterism.evals import market
from asterism.evals.market import cases_of, score_rows
from asterism.evals.market_data import CoinDay, Liquidations, Ticker, load_market
from asterism.evals.market_levels import (
    MEMORIES,
    BookMemory,
    StayingMemory,
    Stays,
    importance_there,
    strength_around,
    strength_there,
)
from asterism.evals.market_scores import Ranking, auc, auc_within, interval, strata_of, weighted_mean
from asterism.evals.market_touches import (
    Touches,
    find_touches,
    grid_levels,
    liquidated_usd,
    matched_bounces,
    random_touches,
    recall,
    seconds_at,
    volatility,
)

START_MS = 1_709_078_400_000
HEADER = "t_ms,last,bid1,bid1_size,ask1,ask1_size,mark,open_interest,volume24h,funding_rate"


def wander(*, seconds: int, number: int = 3) -> Floats:
    """A price that wanders around 100, wilder in the second half."""
    rng = np.random.default_rng(number)
    steps = rng.normal(scale=np.where(np.arange(seconds) < seconds // 2, 2e-4, 4e-4))
    return np.asarray(100.0 * np.exp(np.cumsum(steps)))


def coin_day(last: Floats, *, liquidations: Liquidations | None = None) -> CoinDay:
    at_ms = START_MS + 1_000 * np.arange(len(last))
    none = Liquidations(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))
    return CoinDay("XUSDT", "2024-02-28", Ticker(at_ms, last, np.full(len(last), 500.0)), liquidations or none)


def write_market(folder: Path, last: Floats) -> None:
    for name in ("tickers_1s", "liquidations"):
        (folder / name).mkdir(exist_ok=True)
    lines = [
        f"{START_MS + 1_000 * row},{price:.4f},1,1,1,1,1,1,{1_000 + 5 * row},0.0001"
        for row, price in enumerate(last.tolist())
    ]
    path = folder / "tickers_1s" / "bybit_XUSDT_2024-02-28.csv.gz"
    path.write_bytes(gzip.compress("\n".join([HEADER, *lines]).encode()))
    forced = [
        f"{START_MS + 90_000},{START_MS + 60_000},XUSDT,Sell,2,{last[60]:.4f}",
        f"{START_MS - 5_000},{START_MS - 9_000},XUSDT,Buy,3,{last[0]:.4f}",
    ]
    path = folder / "liquidations" / "bybit_XUSDT_liquidations.csv.gz"
    path.write_bytes(gzip.compress("\n".join(["t_logged_ms,t_update_ms,symbol,side,size,price", *forced]).encode()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_market(tmp_path, wander(seconds=3_000))
    return tmp_path


# Touches


def plain_touches(last: Floats, level: float) -> list[tuple[int, int, bool, int]]:
    """The same rule, a second at a time."""
    found, second = [], 1
    while second < len(last):
        before, now = last[second - 1], last[second]
        side = -1 if before < level <= now else 1 if before > level >= now else 0
        if not side:
            second += 1
            continue
        later = second
        while later < len(last) and level * (1 - 0.0015) < last[later] < level * (1 + 0.0015):
            later += 1
        if later == len(last):
            break
        found.append((second, side, bool((last[later] > level) == (side > 0)), later))
        second = later + 1
    return found


def test_touches_are_those_of_the_rule_read_a_second_at_a_time() -> None:
    last = wander(seconds=4_000)
    for level in grid_levels(last).tolist():
        touches = find_touches(last, np.array([level]))
        columns = (touches.row, touches.side, touches.bounced, touches.decided)
        assert list(zip(*(column.tolist() for column in columns), strict=True)) == plain_touches(last, level)


def test_touches_of_all_levels_are_in_order_of_time() -> None:
    last = wander(seconds=4_000)
    touches = find_touches(last, grid_levels(last))
    assert touches.size > 50
    assert (np.diff(touches.row) >= 0).all()
    assert 0.2 < touches.bounced.mean() < 0.6


def test_a_jump_through_a_level_is_a_touch_and_its_break_at_once() -> None:
    touches = find_touches(np.array([99.9, 100.2, 100.3]), np.array([100.0]))
    assert (touches.row.tolist(), touches.decided.tolist(), touches.bounced.tolist()) == ([1], [1], [False])


def test_a_touch_without_an_outcome_is_left_out() -> None:
    assert find_touches(np.array([99.9, 100.01, 99.95]), np.array([100.0])).size == 0


def test_a_price_that_never_moves_has_no_touches() -> None:
    assert find_touches(np.full(50, 100.0), np.array([100.0])).size == 0


# What is known before a touch


def test_seconds_at_a_level_leave_the_touch_itself_out() -> None:
    last = np.array([100.0, 100.0, 99.0, 100.05, 99.0])
    touches = Touches(*(np.array([value]) for value in (3, 100.0, -1, True, 4)))
    ticker = coin_day(last).ticker
    assert seconds_at(ticker, touches).tolist() == [2.0]
    assert seconds_at(ticker, touches, window=2).tolist() == [1.0]


def test_liquidated_dollars_are_those_before_the_touch_and_near_the_level() -> None:
    at_ms = START_MS + np.array([-90_000_000, 0, 1_000, 2_999, 3_000])
    forced = Liquidations(
        at_ms, np.array([100.0, 100.0, 101.0, 100.1, 100.0]), np.arange(1.0, 6.0), np.ones(5, np.int64)
    )
    day = coin_day(np.full(5, 100.0), liquidations=forced)
    touches = Touches(*(np.array([value]) for value in (3, 100.0, 1, True, 4)))
    assert liquidated_usd(day, touches).tolist() == [6.0]


class Notebook:
    """A memory that writes down what it is fed and asked."""

    def __init__(self) -> None:
        self.at_ms: list[int] = []
        self.forced_ms: list[int] = []
        self.newest_ms: list[tuple[float, int]] = []

    def feed(self, ticker: Ticker, liquidations: Liquidations) -> None:
        self.at_ms += ticker.at_ms.tolist()
        self.forced_ms += liquidations.at_ms.tolist()

    def strength(self, prices: Floats, *, at: float) -> Floats:
        self.newest_ms.append((at * 1e3, max([*self.at_ms, *self.forced_ms])))
        return prices


def test_a_memory_knows_only_what_came_strictly_before_the_touch() -> None:
    last = wander(seconds=2_000)
    at_ms = START_MS + np.arange(-5_000, 2_000_000, 500)
    size = len(at_ms)
    forced = Liquidations(at_ms, np.full(size, 100.0), np.ones(size), np.ones(size, np.int64))
    day = coin_day(last, liquidations=forced)
    touches = find_touches(last, grid_levels(last))
    notebook = Notebook()
    assert recall(day, touches, notebook).tolist() == touches.level.tolist()
    assert all(newest == at - 500 for at, newest in notebook.newest_ms)
    assert notebook.at_ms == day.ticker.at_ms[: touches.row[-1]].tolist()  # each row once, in order


def test_what_comes_later_cannot_change_a_score() -> None:
    last = wander(seconds=2_000)
    other = last.copy()
    other[1_500:] = wander(seconds=2_000, number=9)[1_500:]
    both = []
    for path in (last, other):
        touches = find_touches(path, grid_levels(last))
        strengths = recall(coin_day(path), touches, StayingMemory(LevelBook("X", lateness=0.0)))
        early = touches.row < 1_500
        both.append((touches.row[early].tolist(), strengths[early].tolist()))
    assert sorted(zip(*both[0], strict=True))[:20] == sorted(zip(*both[1], strict=True))[:20]
    assert len(both[0][0]) > 20


# Random prices


def test_a_touch_is_matched_with_random_prices_of_its_volatility() -> None:
    last = wander(seconds=20_000)
    touches = find_touches(last, grid_levels(last))
    controls = random_touches(last, rng=np.random.default_rng(1))
    matched = matched_bounces(last, touches, controls)
    assert matched.mean() == pytest.approx(touches.bounced.mean(), abs=0.03)
    outcome = controls.row < 10_000  # were calm controls to bounce and wild ones to break
    matched = matched_bounces(last, touches, controls._replace(bounced=outcome))
    calm = touches.row < 9_000
    assert matched[calm].mean() > 0.8
    assert matched[touches.row > 10_100].mean() < 0.2


def test_a_touch_without_like_controls_takes_those_of_its_volatility() -> None:
    last = wander(seconds=3_000)
    touches = find_touches(last, grid_levels(last))
    few = find_touches(last, grid_levels(last)[:3])
    matched = matched_bounces(last, touches, few)
    assert np.isfinite(matched).all()
    assert ((matched >= 0.0) & (matched <= 1.0)).all()


# Scores


def pairs_auc(score: Floats, bounced: Bools) -> float:
    higher = score[bounced][:, None] - score[~bounced][None, :]
    return float(((higher > 0) + 0.5 * (higher == 0)).mean())


def test_auc_counts_pairs() -> None:
    rng = np.random.default_rng(2)
    score, bounced = rng.integers(0, 5, size=200).astype(np.float64), rng.random(200) < 0.4
    assert auc(score, bounced) == pytest.approx(pairs_auc(score, bounced))
    weights = rng.integers(0, 3, size=200)
    again = np.repeat(np.arange(200), weights)
    assert Ranking(score, bounced)(weights.astype(np.float64)) == pytest.approx(auc(score[again], bounced[again]))


def test_auc_within_leaves_out_what_the_stratum_tells() -> None:
    rng = np.random.default_rng(4)
    strata = rng.integers(0, 2, size=4_000)
    bounced = rng.random(4_000) < np.where(strata == 1, 0.7, 0.3)
    score = strata + 0.01 * rng.random(4_000)
    assert auc(score, bounced) > 0.65
    assert auc_within(score, bounced, strata) == pytest.approx(0.5, abs=0.03)
    assert np.isnan(auc_within(score, np.ones(4_000, np.bool_), strata))


def test_blocks_that_differ_give_a_wider_interval_than_cases() -> None:
    rng = np.random.default_rng(6)
    blocks = np.repeat(np.arange(8), 200)
    values = rng.normal(size=8)[blocks] + rng.normal(size=1_600)
    by_case = interval(weighted_mean(values), np.arange(1_600), rng=np.random.default_rng(1), draws=200)
    by_block = interval(weighted_mean(values), blocks, rng=np.random.default_rng(1), draws=200)
    assert by_case.low < values.mean() < by_case.high
    assert by_block.high - by_block.low > 3 * (by_case.high - by_case.low)


def test_an_empty_resample_has_no_mean() -> None:
    assert np.isnan(weighted_mean(np.ones(3))(np.zeros(3)))


def test_strata_keep_equal_values_together() -> None:
    assert strata_of(np.array([0.0, 0.0, 0.0, 0.0, 1.0, 2.0]), parts=3).tolist() == [0, 0, 0, 0, 2, 2]


def test_volatility_looks_back_only() -> None:
    last = wander(seconds=500)
    rows = np.arange(100, 400)
    changed = last.copy()
    changed[250:] *= 1.5
    same = volatility(last, rows) == volatility(changed, rows)
    assert same[rows <= 250].all()
    assert not same[rows > 250][:60].any()


# The level book


def test_readings_ask_for_the_level_that_covers_a_price() -> None:
    book = LevelBook("X", lateness=0.0)
    book.feed([{"kind": "trade", "at": 0, "price": price, "usd": 1_000.0} for price in (100.0, 100.08)])
    found = book.levels(at=0)
    assert strength_there(found, 100.04) == 0.45
    assert importance_there(found, 100.04) == pytest.approx(0.45 * 0.7)
    assert strength_around(found, 100.04) == pytest.approx(0.9)
    assert strength_there(found, 100.3) == importance_there(found, 100.3) == strength_around(found, 100.3) == 0.0


def test_a_stay_goes_on_over_batches() -> None:
    last = np.concatenate([np.full(35, 100.0), np.full(25, 101.0)])
    at_ms = START_MS + 1_000 * np.arange(60)
    stays = Stays()
    parts = [stays.take(at_ms[start : start + 7], last[start : start + 7]) for start in range(0, 60, 7)]
    whole = Stays().take(at_ms, last)
    assert whole.seconds.tolist() == [10.0, 20.0, 30.0, 10.0, 20.0]
    assert whole.episode.tolist() == [1, 1, 1, 2, 2]
    assert np.concatenate([part.at for part in parts]).tolist() == whole.at.tolist()


def test_where_the_price_stays_makes_a_level() -> None:
    day = coin_day(np.full(60, 100.0))
    quiet = Ticker(day.ticker.at_ms, day.ticker.last, np.zeros(60))
    strengths = []
    for kind in (BookMemory, StayingMemory):
        memory = kind(LevelBook("X", lateness=0.0))
        memory.feed(quiet, day.liquidations)
        strengths.append(memory.strength(np.array([100.0, 103.0]), at=START_MS / 1e3 + 60).tolist())
    assert strengths[0] == [0.0, 0.0]
    assert strengths[1][0] > 0.7
    assert strengths[1][1] == 0.0


# The whole


def test_the_evaluation_reports_baselines_and_memories(folder: Path) -> None:
    heard: list[str] = []
    reports = {report.system: report for report in market.run(folder, progress=heard.append)}
    assert list(reports) == ["liquidated", "time", "calm", *MEMORIES]
    assert "XUSDT 2024-02-28: tuned" in heard
    for report in reports.values():
        assert 0.0 <= (report.value("all", "AUC") or 0.0) <= 1.0
        assert report.value("XUSDT 2024-02-28", "AUC") == report.value("all", "AUC")
    assert reports["time"].value("all", "AUC above time") is None
    assert reports["seed"].value("all", "AUC above time") == pytest.approx(
        (reports["seed"].value("all", "AUC") or 0.0) - (reports["time"].value("all", "AUC") or 0.0)
    )
    assert [report.preset for report in reports.values()][:5] == ["none", "none", "none", "seed", "seed"]


def test_the_same_seed_gives_the_same_report(folder: Path) -> None:
    first, second = (
        [report.to_dict() for report in market.run(folder, memories={}, seed=3, clock=lambda: 0.0)] for _ in range(2)
    )
    assert first == second


def test_a_score_that_knows_the_outcome_is_found_out(folder: Path) -> None:
    cases = cases_of(load_market(folder), seed=1)
    rows = {(row.name, row.metric): row.value for row in score_rows(cases, cases.bounced.astype(np.float64), seed=1)}
    assert rows["all", "AUC"] == rows["all", "AUC within volatility"] == 1.0
    assert rows["tenth 2", "bounce rate"] == 1.0
    assert rows["tenth 2", "beyond random 95 % low"] > 0.3


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

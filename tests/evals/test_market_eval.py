"""The level-touch test: touches, what is known before them, random prices, scores."""

from __future__ import annotations

import numpy as np
import pytest

from asterism.core.ledger.columns import Bools, Floats
from asterism.evals.market_baselines import Calm, LiquidatedAt, TimeAt
from asterism.evals.market_data import Liquidations
from asterism.evals.market_scores import Ranking, auc, auc_within, interval, strata_of, weighted_mean
from asterism.evals.market_touches import (
    Touches,
    find_touches,
    grid_levels,
    matched_bounces,
    random_touches,
    recall,
    volatility,
)
from tests.support.tickers import START_MS, Notebook, coin_day, wander

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


def touch(row: int) -> Touches:
    return Touches(*(np.array([value]) for value in (row, 100.0, -1, True, row + 1)))


def test_seconds_at_a_level_leave_the_touch_itself_out() -> None:
    day = coin_day(np.array([100.0, 100.0, 99.0, 100.05, 99.0]))
    assert recall(day, touch(3), TimeAt()).tolist() == [2.0]
    assert recall(day, touch(3), TimeAt(seconds=2)).tolist() == [1.0]


def test_liquidated_dollars_are_those_before_the_touch_and_near_the_level() -> None:
    at_ms = START_MS + np.array([-90_000_000, 0, 1_000, 2_999, 3_000])
    forced = Liquidations(
        at_ms, np.array([100.0, 100.0, 101.0, 100.1, 100.0]), np.arange(1.0, 6.0), np.ones(5, np.int64)
    )
    day = coin_day(np.full(5, 100.0), liquidations=forced)
    assert recall(day, touch(3), LiquidatedAt()).tolist() == [6.0]


def test_calm_is_minus_the_volatility_before_the_touch() -> None:
    last = wander(seconds=2_000)
    touches = find_touches(last, grid_levels(last))
    told = recall(coin_day(last), touches, Calm())
    assert told == pytest.approx(-volatility(last, touches.row))
    assert recall(coin_day(last), touch(1), Calm()).tolist() == [0.0]


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

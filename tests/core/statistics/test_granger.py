"""Our F-test against statsmodels, against its own invariances, and at its edges."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import f as f_distribution
from statsmodels.tsa.stattools import grangercausalitytests

from asterism.core.ledger.columns import Floats
from asterism.core.statistics.granger import (
    discovery_limit,
    f_survival,
    f_survivals,
    granger,
    granger_conditional,
    granger_pairs,
)
from asterism.errors import InputError


def noise(rows: int, steps: int, *, seed: int = 1) -> Floats:
    return np.random.default_rng(seed).normal(size=(rows, steps))


def driven(*, delay: int = 1, steps: int = 300, strength: float = 0.5) -> Floats:
    series = noise(3, steps)
    series[1, delay:] += strength * series[0, :-delay]
    return series


@given(
    f=st.floats(0.001, 500.0),
    between=st.integers(1, 40),
    within=st.integers(1, 5000),
)
@settings(max_examples=60)
def test_tail_probability_equals_scipy(f: float, between: int, within: int) -> None:
    assert f_survival(f, between=between, within=within) == pytest.approx(
        f_distribution.sf(f, between, within), rel=1e-6, abs=1e-100
    )


@given(low=st.floats(0.0, 50.0), more=st.floats(0.0, 50.0), between=st.integers(1, 9), within=st.integers(1, 99))
def test_a_larger_statistic_is_never_more_likely_by_chance(low: float, more: float, between: int, within: int) -> None:
    higher = f_survival(low + more, between=between, within=within)
    assert 0.0 <= higher <= f_survival(low, between=between, within=within) + 1e-12


@pytest.mark.parametrize(
    ("f", "between", "within", "p"),
    [(0.0, 2, 9, 1.0), (-1.0, 2, 9, 1.0), (float("nan"), 2, 9, 1.0), (5.0, 0, 9, 1.0), (5.0, 2, 0, 1.0)],
)
def test_no_statistic_is_no_evidence(f: float, between: int, within: int, p: float) -> None:
    assert f_survival(f, between=between, within=within) == p


@given(
    tests=st.lists(st.tuples(st.floats(allow_nan=True), st.integers(0, 400)), max_size=40), between=st.integers(1, 9)
)
def test_many_tail_probabilities_at_once_are_those_of_each_to_the_last_bit(
    tests: list[tuple[float, int]], between: int
) -> None:
    f, within = np.array([each for each, _ in tests]), np.array([float(each) for _, each in tests])
    expected = [f_survival(each, between=between, within=steps) for each, steps in tests]
    assert f_survivals(f, between=between, within=within).tolist() == expected


def test_an_infinite_statistic_has_no_chance() -> None:
    assert f_survival(float("inf"), between=2, within=9) == 0.0
    assert f_survival(1e-320, between=2, within=9) == 1.0


@pytest.mark.parametrize("lags", [1, 2, 3])
@pytest.mark.parametrize("pair", [(0, 1), (1, 0), (2, 1)])
def test_a_pair_agrees_with_statsmodels(lags: int, pair: tuple[int, int]) -> None:
    series = driven()
    cause, effect = pair
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference = grangercausalitytests(np.column_stack([series[effect], series[cause]]), maxlag=[lags])
    f, p, within, _ = reference[lags][0]["ssr_ftest"]
    ours = granger(series[cause], series[effect], lags=lags)
    assert ours.f == pytest.approx(f, rel=1e-8)
    assert ours.p == pytest.approx(p, rel=1e-6, abs=1e-300)
    assert ours.n - 2 * lags - 1 == within


def test_with_two_series_conditional_and_pairwise_are_the_same_test() -> None:
    series = driven()[:2]
    both = granger_conditional(series, lags=2)
    assert both.f[0, 1] == pytest.approx(granger(series[0], series[1], lags=2).f)
    assert both.p[0, 0] == both.p[1, 1] == 1.0


def test_batch_equals_one_by_one() -> None:
    series = driven()
    causes, effects = [0, 1, 2, 0], [1, 0, 1, 2]
    batch = granger_pairs(series, causes=causes, effects=effects, lags=2)
    for index, (cause, effect) in enumerate(zip(causes, effects, strict=True)):
        single = granger(series[cause], series[effect], lags=2)
        assert (batch.f[index], batch.p[index]) == pytest.approx((single.f, single.p))


def test_a_chain_is_direct_only_until_its_middle_is_given() -> None:
    series = noise(3, 2000)
    series[1, 1:] += 0.8 * series[0, :-1]
    series[2, 1:] += 0.8 * series[1, :-1]
    assert granger(series[0], series[2], lags=2).p < 1e-6
    assert granger_conditional(series, lags=2).p[0, 2] > 0.01


@given(scale=st.floats(0.01, 100.0), shift=st.floats(-100.0, 100.0))
def test_units_do_not_matter(scale: float, shift: float) -> None:
    series = driven(steps=60)
    moved = granger(series[0] * scale + shift, series[1], lags=1)
    assert moved.f == pytest.approx(granger(series[0], series[1], lags=1).f, rel=1e-5)


def test_steps_around_a_gap_are_left_out() -> None:
    series = driven(steps=100)
    series[0, 50] = np.nan
    assert granger(series[0], series[1], lags=2).n == 100 - 2 - 3


def test_too_short_a_record_is_no_evidence() -> None:
    short = noise(3, 6)
    assert granger(short[0], short[1], lags=2).p == 1.0
    assert (granger_conditional(short, lags=2).p == 1.0).all()


def test_where_nothing_is_left_to_explain_nothing_is_found() -> None:
    still = np.full((2, 30), 0.1)
    assert granger_pairs(still, causes=[0], effects=[1], lags=1).p[0] == 1.0
    assert (granger_conditional(still, lags=1).p == 1.0).all()


def test_an_exact_copy_is_a_certain_cause() -> None:
    first = noise(1, 80)[0]
    assert granger(first, np.roll(first, 1), lags=1).p < 1e-100


def test_the_tail_is_sound_for_degrees_of_freedom_beyond_any_record() -> None:
    assert f_survival(1.0, between=10**9, within=10**9) == pytest.approx(0.5, abs=0.05)
    many = f_survivals(np.array([1.0, 4.0]), between=10**9, within=np.array([1e9, 30.0]))
    assert many.tolist() == [f_survival(1.0, between=10**9, within=10**9), f_survival(4.0, between=10**9, within=30)]


def test_impossible_requests_say_what_to_do() -> None:
    with pytest.raises(InputError, match="at least 1 step"):
        granger(np.zeros(9), np.zeros(9), lags=0)
    with pytest.raises(InputError, match="one row a series"):
        granger_conditional(np.zeros(9), lags=1)
    with pytest.raises(InputError, match="one effect for each cause"):
        granger_pairs(np.zeros((2, 9)), causes=[0], effects=[], lags=1)


def test_nothing_is_discovered_among_no_or_weak_tests() -> None:
    assert discovery_limit(np.array([]), rate=0.05) == 0.0
    assert discovery_limit(np.array([0.2, 0.9]), rate=0.05) == 0.0


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40))
def test_the_discovery_limit_is_between_bonferroni_and_the_level(p: list[float]) -> None:
    limit = discovery_limit(np.array(p), rate=0.05)
    assert limit <= 0.05
    assert all(value <= limit for value in p if value <= 0.05 / len(p))

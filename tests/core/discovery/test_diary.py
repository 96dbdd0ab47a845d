"""Diaries whose links the test laid in itself: what is told, what is not, and why."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import skew

from asterism.core.discovery.aligned import cross_correlations, interval, partial, shifted
from asterism.core.discovery.cleaning import memory_of, news, without_rhythm_and_trend, worth
from asterism.core.discovery.diary import MIN_DAYS, DiaryLooks, Look, look_through_diary
from asterism.core.discovery.doubts import far_out, leans, without_days, without_most_telling
from asterism.core.discovery.forecast import skill
from asterism.core.discovery.thirds import MOST, Tie, Ties, explaining
from asterism.core.ledger.columns import Floats
from asterism.errors import InputError


def noise(rows: int, days: int = 80, *, number: int = 1) -> Floats:
    return np.random.default_rng(number).normal(size=(rows, days))


def following(cause: Floats, own: Floats, *, lag: int, strength: float = 0.8) -> Floats:
    return np.asarray(strength * np.roll(cause, lag) + np.sqrt(1.0 - strength**2) * own)


def with_gaps(values: Floats, *, share: float = 0.1, number: int = 9) -> Floats:
    rng = np.random.default_rng(number)
    return np.where(rng.random(values.shape) < share, np.nan, values)


def of_pair(found: DiaryLooks, first: int, second: int) -> Look:
    (look,) = (look for look in found.looks if {look.first, look.second} == {first, second})
    return look


# --- what is told ------------------------------------------------------------------------------------------


def test_a_delayed_link_is_told_as_a_cause_with_its_delay_sign_and_interval() -> None:
    values = noise(6)
    values[1] = following(values[0], values[1], lag=2, strength=-0.8)
    look = of_pair(look_through_diary(with_gaps(values)), 0, 1)
    assert (look.first, look.second, look.lag, look.verdict, look.reason) == (0, 1, 2, "drives", "forecasts better")
    assert look.low < -0.8 < look.high < 0.0
    assert look.skill is not None
    assert look.backward is not None
    assert look.skill > 0.3 > look.backward


def test_a_link_of_the_same_day_has_no_direction() -> None:
    values = noise(6)
    values[4] = following(values[2], values[4], lag=0)
    look = of_pair(look_through_diary(with_gaps(values)), 2, 4)
    assert (look.first, look.lag, look.verdict, look.reason, look.skill) == (2, 0, "together", "same day", None)


def test_a_delayed_link_that_forecasts_nothing_is_told_without_a_direction() -> None:
    values = noise(2, 120)
    # Linked in the days that are only fitted on; on those that are forecast it turns round at every cut.
    values[1, :60] = following(values[0, :60], values[1, :60], lag=1, strength=0.97)
    values[1, 60:90] = following(values[0, 60:90], values[1, 60:90], lag=1, strength=-0.2)
    look = of_pair(look_through_diary(values), 0, 1)
    assert (look.first, look.lag, look.verdict, look.reason) == (0, 1, "together", "no better forecast")


def test_a_delayed_link_too_short_to_be_forecast_is_told_without_a_direction() -> None:
    values = noise(2, 23)
    values[1] = following(values[0], values[1], lag=1, strength=0.99)
    look = of_pair(look_through_diary(values), 0, 1)
    assert (look.verdict, look.reason, look.skill, look.backward) == ("together", "no better forecast", None, None)


@pytest.mark.parametrize("lags", [(1, 1), (0, 0), (2, 0)])
def test_the_ends_of_a_chain_are_told_as_related_through_its_middle(lags: tuple[int, int]) -> None:
    values = noise(5, 100)
    values[1] = following(values[0], values[1], lag=lags[0], strength=0.85)
    values[2] = following(values[1], values[2], lag=lags[1], strength=0.85)
    found = look_through_diary(with_gaps(values))
    ends = of_pair(found, 0, 2)
    assert (ends.verdict, ends.reason, ends.through, ends.lag) == ("through", "explained by others", (1,), sum(lags))
    assert {(look.first, look.second) for look in found.told()} == {(0, 1), (1, 2)}


def test_the_effects_of_a_common_cause_are_told_as_related_through_it() -> None:
    values = noise(5, 100)
    values[1] = following(values[0], values[1], lag=2, strength=0.85)
    values[2] = following(values[0], values[2], lag=1, strength=-0.85)
    found = look_through_diary(with_gaps(values))
    effects = of_pair(found, 1, 2)
    assert (effects.first, effects.lag, effects.verdict, effects.through) == (2, 1, "through", (0,))


# --- what is not, and why ----------------------------------------------------------------------------------


def test_every_pair_is_accounted_for_once() -> None:
    found = look_through_diary(with_gaps(noise(7)))
    assert len({frozenset((look.first, look.second)) for look in found.looks}) == len(found.looks) == 21
    assert found.tests == 21 * 5
    assert {look.reason for look in found.looks} == {"within chance"}
    assert found.told() == ()


def test_a_shared_week_and_a_shared_trend_are_no_link() -> None:
    week = np.tile([0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 4.0], 12)
    values = noise(2, 84) + week + np.linspace(0.0, 6.0, 84)
    assert np.corrcoef(values)[0, 1] > 0.8
    assert look_through_diary(values).told() == ()


def test_too_few_days_are_said() -> None:
    values = noise(3, 60)
    values[1, : 60 - MIN_DAYS + 1] = np.nan
    found = look_through_diary(values)
    assert [of_pair(found, *pair).reason for pair in ((0, 1), (0, 2), (1, 2))] == [
        "too few days",
        "within chance",
        "too few days",
    ]
    assert of_pair(found, 0, 1).days == MIN_DAYS - 1


def test_a_series_that_does_not_vary_is_said() -> None:
    values = noise(2, 60)
    values[1] = 5.0
    assert of_pair(look_through_diary(values), 0, 1).reason == "does not vary"


def test_a_link_too_weak_to_tell_is_said() -> None:
    values = noise(2, 4000)
    values[1] = following(values[0], values[1], lag=1, strength=0.12)
    look = of_pair(look_through_diary(values), 0, 1)
    assert (look.verdict, look.reason) == ("nothing", "too weak")
    assert look.p <= look.limit


@pytest.mark.parametrize("shape", [(0, 50), (1, 50), (3, 1), (2, 0)])
def test_a_diary_with_nothing_to_compare_is_no_error(shape: tuple[int, int]) -> None:
    found = look_through_diary(np.zeros(shape))
    assert len(found.looks) == shape[0] * (shape[0] - 1) // 2
    assert found.told() == ()


def test_what_is_no_matrix_is_refused() -> None:
    with pytest.raises(InputError):
        look_through_diary(np.zeros(5))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.1, 40.0), st.floats(-9.0, 9.0))
def test_units_do_not_matter(number: int, scale: float, shift: float) -> None:
    values = with_gaps(noise(4, 50, number=number), number=number)
    values[1] = following(np.nan_to_num(values[0]), values[1], lag=1)
    plain, other = look_through_diary(values), look_through_diary(values * scale + shift)
    assert [(look.first, look.second, look.lag, look.verdict) for look in plain.looks] == [
        (look.first, look.second, look.lag, look.verdict) for look in other.looks
    ]


# --- the parts ---------------------------------------------------------------------------------------------


def test_memory_is_found_across_gaps_and_paid_for() -> None:
    rng = np.random.default_rng(2)
    slow = np.zeros(400)
    for day in range(1, 400):
        slow[day] = 0.7 * slow[day - 1] + rng.normal()
    gappy = with_gaps(slow[None, :], share=0.2)
    assert memory_of(gappy[0]) == pytest.approx(0.7, abs=0.1)
    fresh = news(without_rhythm_and_trend(gappy))
    assert np.isfinite(fresh).sum() == np.isfinite(gappy).sum()
    assert memory_of(fresh[0]) < 0.5
    assert worth(gappy)[0, 0] < worth(fresh)[0, 0] < 1.0


def test_one_rare_day_does_not_decide() -> None:
    values = noise(2, 60)
    values[:, 30] = 40.0
    assert look_through_diary(values).told() == ()


def test_correlations_equal_a_plain_loop() -> None:
    values = with_gaps(noise(3, 40), share=0.3)
    found = cross_correlations(values, lags=2)
    for lag in range(3):
        days = [day for day in range(lag, 40) if np.isfinite([values[2, day - lag], values[0, day]]).all()]
        x, y = values[2, np.array(days) - lag], values[0, days]
        assert found.days[lag, 2, 0] == len(days)
        assert found.r[lag, 2, 0] == pytest.approx(float(x @ y / np.sqrt((x @ x) * (y @ y))))


def test_a_shift_beyond_the_end_leaves_nothing() -> None:
    assert np.isnan(shifted(np.ones(3), 3)).all()
    assert np.isnan(shifted(np.ones(3), -4)).all()


def test_an_interval_without_freedom_is_wide_and_a_perfect_one_is_narrow() -> None:
    low, high = interval(0.5, freedom=0.0)
    assert low < -0.8 < 0.9 < high
    assert interval(1.0, freedom=50.0)[0] > 0.99


def test_a_partial_correlation_without_days_or_variation_is_none() -> None:
    assert partial(np.ones(3), np.ones(3), given=[np.ones(3)]) == (0.0, 3)
    same = noise(1, 30)[0]
    assert partial(same, noise(1, 30, number=4)[0], given=[same]) == (0.0, 30)


def test_two_thirds_may_explain_together_what_neither_explains_alone() -> None:
    values = noise(4, 400)
    values[2] = values[0] + values[1] + 0.1 * values[2]
    values[3] = values[0] + values[1] + 0.1 * values[3]
    ties = [Tie(0, 2, 0, 0.9), Tie(0, 3, 0, 0.9), Tie(1, 2, 0, 0.9), Tie(3, 1, 0, 0.9), Tie(2, 3, 0, 0.8)]
    assert explaining(ties[-1], Ties(ties), values, share=1.0) == (0, 1)


def test_a_pair_that_stands_given_its_thirds_is_not_explained() -> None:
    values = noise(4, 200)
    values[3] = values[2]
    ties = [Tie(0, 2, 0, 0.9), Tie(0, 3, 0, 0.9), Tie(1, 2, 0, 0.9), Tie(1, 3, 0, 0.9), Tie(2, 3, 0, 0.8)]
    assert explaining(ties[-1], Ties(ties), values, share=1.0) == ()


def test_skill_needs_days_to_judge_by_and_errors_to_lessen() -> None:
    x, y = noise(2, 60)
    late = y.copy()
    late[40:] = np.nan
    assert skill(x, late, lag=1) is None
    assert skill(x, np.zeros(60), lag=1) is None
    assert skill(x, y, lag=1) is not None


def test_of_many_thirds_those_related_most_are_asked() -> None:
    ties = [Tie(end, star, 0, 0.5 + 0.01 * star) for star in range(2, 20) for end in (0, 1)]
    assert [star for star, _, _ in Ties(ties).beyond(Tie(0, 1, 0, 0.4))] == list(range(20 - MOST, 20))
    assert Ties(ties).beyond(Tie(0, 1, 0, 0.69)) == []
    assert Ties([]).beyond(Tie(0, 1, 0, 0.4)) == []


# --- few days that fell together ---------------------------------------------------------------------------


def rare(number: int, events: int, *, days: int = 60) -> Floats:
    order = np.random.default_rng(number).random((8, days)).argsort(axis=1)
    return np.asarray(order < events, dtype=np.float64)


@pytest.mark.parametrize("events", [1, 2, 3, 5, 8])
def test_rare_events_that_have_nothing_to_do_with_each_other_are_hardly_ever_linked(events: int) -> None:
    assert sum(bool(look_through_diary(rare(number, events)).told()) for number in range(20)) <= 1


@pytest.mark.parametrize("noisy", [0.05, 0.2, 0.5])
def test_levels_that_change_at_times_of_their_own_are_hardly_ever_linked(noisy: float) -> None:
    def changing(number: int) -> Floats:
        rng = np.random.default_rng(number)
        return np.asarray((np.arange(60) >= rng.integers(10, 50, size=(8, 1))) + noisy * rng.normal(size=(8, 60)))

    assert sum(bool(look_through_diary(changing(number)).told()) for number in range(20)) <= 1


def test_odd_spells_at_times_of_their_own_are_hardly_ever_linked() -> None:
    def odd(number: int) -> Floats:
        rng = np.random.default_rng(number)
        begin = rng.integers(10, 70, size=(8, 1))
        return np.asarray(rng.normal(size=(8, 90)) + 4.0 * ((np.arange(90) >= begin) & (np.arange(90) < begin + 10)))

    assert sum(bool(look_through_diary(odd(number)).told()) for number in range(20)) <= 1


def test_a_series_nearly_always_the_same_is_said_and_costs_no_test() -> None:
    values = np.vstack([np.eye(60)[5], np.eye(60)[5], noise(1, 60)])
    found = look_through_diary(values)
    assert {look.reason for look in found.looks} == {"hardly varies"}
    assert found.tests == 0


def test_a_link_that_a_few_days_decide_is_said() -> None:
    values = noise(2, 60)
    values[:, [7, 19, 30, 44]] += 6.0
    look = of_pair(look_through_diary(values), 0, 1)
    assert (look.verdict, look.reason) == ("nothing", "few days decide it")
    assert look.p <= 0.03


def test_two_levels_that_change_on_one_day_are_said_not_to_go_together_day_by_day() -> None:
    values = 0.2 * noise(2, 60) + (np.arange(60) >= 30)
    look = of_pair(look_through_diary(values), 0, 1)
    assert (look.verdict, look.reason) == ("nothing", "not day by day")


def spells(days: int, *, length: int, number: int) -> Floats:
    """Two series of noise that are both far off on the same days of one stretch."""
    odd = (np.arange(days) >= 30) & (np.arange(days) < 30 + length)
    return noise(2, days, number=number) + 5.0 * odd


@pytest.mark.parametrize("length", [3, 4, 6])
def test_an_odd_spell_of_both_is_no_link_whatever_the_noise(length: int) -> None:
    found = [of_pair(look_through_diary(spells(80, length=length, number=number)), 0, 1) for number in range(40)]
    assert {look.verdict for look in found} == {"nothing"}
    assert (
        sum(look.reason in ("few days decide it", "not day by day") for look in found) > 10
    )  # and not for want of a correlation


def test_a_link_that_is_there_without_the_odd_spell_is_told() -> None:
    values = spells(80, length=4, number=1)
    values[1] = following(values[0], values[1], lag=0)
    assert of_pair(look_through_diary(values), 0, 1).verdict == "together"


def test_nothing_is_far_out_of_a_series_without_days_or_mostly_at_one_value() -> None:
    rare = np.where(np.arange(40) % 9 == 0, 1.0, 0.0)
    assert not far_out(np.array([np.full(40, np.nan), rare])).any()


def test_what_only_falls_goes_with_nothing() -> None:
    falling = np.array([0.97, 0.95])[:, None] ** np.arange(60.0)
    assert look_through_diary(falling).told() == ()


def test_events_that_often_fall_together_are_still_linked() -> None:
    events = (noise(1, 80)[0] > 0.6).astype(np.float64)
    other = np.where(noise(1, 80, number=3)[0] > 1.6, 1.0 - events, events)
    assert [look.verdict for look in look_through_diary(np.array([events, other])).looks] == ["together"]


def test_without_days_nothing_is_left_of_a_correlation() -> None:
    assert without_most_telling(1.0, np.ones(3), np.ones(3)) == 0.0
    assert without_days(np.ones(3), np.ones(3), np.arange(3)) == 0.0


def test_a_series_without_days_is_not_lopsided() -> None:
    assert leans(np.array([np.full(3, np.nan), np.ones(3)]), lags=4).tolist() == np.zeros((5, 2, 2)).tolist()


def test_how_lopsided_a_pair_is_counts_the_days_that_both_have() -> None:
    values = noise(3, 60, number=7) ** 3
    values[0, 10:30] = values[2, 50:] = np.nan
    found = leans(values, lags=2)
    for lag, leader, follower in np.ndindex(found.shape):
        first, second = shifted(values[leader], lag), values[follower]
        both = np.isfinite(first) & np.isfinite(second)
        expected = skew(first[both]) * skew(second[both]) / np.sqrt(both.sum())
        assert found[lag, leader, follower] == pytest.approx(expected)

"""Each detector on small series whose links are known because the test made them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.discovery.curved import curved_links
from asterism.core.discovery.delayed import MAX_PARENTS, delayed_links
from asterism.core.discovery.detectors import Discovery, Link, best, granger
from asterism.core.discovery.event_lags import changes, event_lags
from asterism.core.discovery.instant import instant_links
from asterism.core.ledger.columns import Floats
from asterism.core.space.discover import DETECTORS, discover, seed, seed_tuned
from asterism.core.statistics.series import standardise
from asterism.errors import InputError


def noise(rows: int, steps: int, *, number: int = 3) -> Floats:
    return np.random.default_rng(number).normal(size=(rows, steps))


def network(links: dict[tuple[int, int], int], *, rows: int, steps: int = 800, strength: float = 0.6) -> Floats:
    """Noise in which (cause, effect) -> delay adds the cause's past to the effect, in step order."""
    series = noise(rows, steps)
    for step in range(steps):
        for (cause, effect), delay in links.items():
            if step >= delay:
                series[effect, step] += strength * series[cause, step - delay]
    return series


def steps_up_and_down(*, every: int = 5, count: int = 60) -> Floats:
    return np.cumsum([1.0 if step % every == 1 else 0.0 for step in range(count)]) % 3


# --- event lags --------------------------------------------------------------------------------------------


def test_a_change_counts_from_the_last_value_seen() -> None:
    signs = changes(np.array([[np.nan, 0.0, np.nan, 5.0, 5.0, 0.0]]), threshold=0.1)
    assert signs.tolist() == [[0, 0, 0, 1, 0, -1]]


def test_mixed_lags_cancel_under_the_literal_formula_and_not_under_the_tuned_one() -> None:
    rng = np.random.default_rng(4)
    busy = rng.normal(size=(2, 200))
    literal = event_lags(busy, step_hours=24, rules=ConnectionParameters.build("seed"))
    tuned = event_lags(busy, step_hours=24, rules=ConnectionParameters.build("tuned"))
    assert literal.count[0, 1] > 50
    assert literal.confidence[0, 1] == 0.0
    assert tuned.confidence[0, 1] > 0.6


def test_event_lags_equal_a_plain_loop() -> None:
    series = noise(3, 40)
    signs = changes(series, threshold=0.1)
    found = event_lags(series, step_hours=24, rules=ConnectionParameters())
    hours = [
        24.0 * (later - earlier)
        for earlier in np.flatnonzero(signs[0])
        for later in np.flatnonzero(signs[1])
        if 0 < 24 * (later - earlier) < 72
    ]
    assert found.count[0, 1] == len(hours)
    assert found.lag_hours[0, 1] == pytest.approx(np.mean(hours))


def test_next_event_pairing_equals_a_plain_loop() -> None:
    series = noise(2, 60)
    signs = changes(series, threshold=0.1)
    found = event_lags(series, step_hours=12, rules=ConnectionParameters.build("tuned"))
    hours = []
    for earlier in np.flatnonzero(signs[0]):
        later = [step for step in np.flatnonzero(signs[1]) if step > earlier]
        if later and 12 * (later[0] - earlier) < 72:
            hours.append(12.0 * (later[0] - earlier))
    consistency = 1 - np.std(hours) / np.mean(hours)
    assert found.count[0, 1] == len(hours)
    assert found.confidence[0, 1] == pytest.approx(min(1, len(hours) / 8 * consistency))


def test_the_seed_finds_a_steady_lag_and_its_sign() -> None:
    first = steps_up_and_down()
    up, down = np.roll(first, 1), -np.roll(first, 1)
    for late, positive in ((up, True), (down, False)):
        found = seed(np.vstack([first, late]))
        assert [(link.cause, link.effect, link.delay) for link in found.links] == [(0, 1, 1)]
        assert found.links[0].positive is positive
        assert found.verdict(0, 1) == "causes"
    assert seed_tuned(np.vstack([first, up])).pairs() == {(0, 1)}


def test_the_seed_calls_a_strong_correlation_correlated() -> None:
    slow = np.sin(np.arange(40) / 6)
    found = seed(np.vstack([slow, slow + 0.1 * np.cos(np.arange(40)), -slow]))
    assert found.links == ()
    assert found.correlated == {(0, 1), (0, 2), (1, 2)}
    assert seed(np.vstack([slow, slow])[:, :4]).correlated == frozenset()


# --- delayed -----------------------------------------------------------------------------------------------


def test_delays_signs_and_directions_are_found() -> None:
    truth = {(0, 1): 1, (1, 2): 2, (3, 2): 3}
    series = network(truth, rows=5)
    series[4, 1:] -= 0.6 * series[3, :-1]
    found = best(series)
    assert {(link.cause, link.effect): link.delay for link in found.links} == {**truth, (3, 4): 1}
    assert {link.effect: link.positive for link in found.links if link.cause == 3} == {2: True, 4: False}
    assert all(0.95 <= link.confidence <= 1.0 and link.directed for link in found.links)


def test_an_influence_spread_over_lags_is_seen_where_each_lag_is_too_weak() -> None:
    series = noise(4, 600)
    for step in range(3, 600):
        series[1, step] += 0.15 * series[0, step - 3 : step].sum()
    assert delayed_links(standardise(series), lags=3).linked[0, 1]
    assert not delayed_links(standardise(series), lags=1).linked[0, 1]


def test_a_pair_with_a_common_driver_is_correlated_and_not_causal() -> None:
    series = network({(0, 1): 1, (0, 2): 2}, rows=4, strength=0.9)
    found = best(series)
    assert found.pairs() == {(0, 1), (0, 2)}
    assert found.verdict(1, 2) == "correlated"
    assert found.verdict(2, 3) == "none"


def test_of_two_effects_the_one_that_tells_more_of_a_shock_than_its_cause_does_is_not_the_cause() -> None:
    shocks = noise(4, 3000)
    series = shocks.copy()
    series[1] += 2.0 * np.roll(shocks[0], 2)  # the driver, whose own shock is the smaller part of it
    series[2] += 2.0 * np.roll(shocks[1], 1)  # follows that shock alone, and shows it better than the driver
    series[3] += 1.5 * np.roll(shocks[1], 2)
    found = best(series)
    assert {(link.cause, link.effect): link.delay for link in found.links} == {(0, 1): 2, (1, 2): 1, (1, 3): 2}
    assert found.verdict(2, 3) == "correlated"


def test_effects_of_a_driver_seen_only_now_and_then_are_not_causes_of_each_other() -> None:
    fine = noise(3, 4000, number=0)
    for step in range(3, 4000):
        fine[:, step] += 0.5 * fine[:, step - 1]
        fine[1, step] += 0.9 * fine[0, step - 1]
        fine[2, step] += 0.9 * fine[0, step - 3]
    seen = np.array([np.convolve(row, np.ones(8) / 8, mode="same")[::4] for row in fine])
    assert best(seen).verdict(1, 2) == "correlated"


def test_links_are_found_behind_a_market_factor() -> None:
    truth = {(0, 5): 1, (3, 7): 2, (8, 1): 3}
    market = 3 * noise(1, 1500, number=8)
    found = best(network(truth, rows=12, steps=1500, strength=0.8) + market)
    assert {(link.cause, link.effect): link.delay for link in found.links} == truth
    assert found.verdict(2, 4) == "correlated"


def test_noise_alone_gives_almost_no_links() -> None:
    links = sum(len(best(noise(8, 300, number=number)).links) for number in range(20))
    assert links <= 4


def test_parents_are_limited() -> None:
    size = MAX_PARENTS + 3
    series = noise(size, 3000)
    series[0, 1:] += series[1:, :-1].sum(axis=0)
    assert delayed_links(standardise(series), lags=1).linked[1:, 0].all()


def test_parents_leave_steps_to_test_by() -> None:
    for number in range(40):
        found = delayed_links(standardise(noise(20, 10, number=number)), lags=3)
        assert np.isfinite(found.effect_size).all()


def test_a_copied_series_cannot_be_its_own_condition() -> None:
    series = noise(2, 100)
    twin = np.vstack([series, series[0]])
    assert not delayed_links(standardise(twin), lags=2).linked[:, 1].any()


@pytest.mark.parametrize("shape", [(1, 50), (3, 4), (0, 0), (2, 0)])
def test_too_little_gives_no_links(shape: tuple[int, int]) -> None:
    for name, detector in DETECTORS.items():
        found = detector(noise(*shape))
        assert (found.detector, found.links, found.correlated) == (name, (), frozenset())


# --- curved ------------------------------------------------------------------------------------------------


def weather(*, size: int = 5, steps: int = 500) -> Floats:
    """Lorenz's ring of 1996: each site is moved by the two before it and the one after it."""
    state = 8 + noise(1, size, number=2)[0]
    record = []
    for moment in range(20 * (steps + 50)):
        before, two, after = np.roll(state, 1), np.roll(state, 2), np.roll(state, -1)
        state = state + 0.0025 * ((after - two) * before - state + 10)
        if moment % 20 == 0:
            record.append(state)
    return np.array(record[-steps:]).T + 0.01 * noise(size, steps)


def test_the_ring_of_lorenz_is_recovered_in_full() -> None:
    size = 6
    truth = {((site + shift) % size, site) for site in range(size) for shift in (-2, -1, 1)}
    assert best(weather(size=size)).pairs() == truth


def test_a_straight_world_needs_no_products() -> None:
    assert curved_links(standardise(network({(0, 1): 1}, rows=4))) is None
    assert curved_links(standardise(noise(4, 30))) is None
    assert curved_links(noise(1, 300)) is None


# --- instant -----------------------------------------------------------------------------------------------


def test_ties_within_a_step_go_both_ways_and_skip_the_middle_of_a_chain() -> None:
    series = noise(4, 400)
    series[1] += 0.8 * series[0]
    series[2] -= 0.8 * series[1]
    found = best(series)
    assert found.pairs() == {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert all(link.delay == 0 and not link.directed for link in found.links)
    assert {link.positive for link in found.links if {link.cause, link.effect} == {1, 2}} == {False}
    assert found.verdict(0, 2) == "correlated"


def test_two_causes_of_one_effect_are_not_tied_to_each_other() -> None:
    series = noise(3, 2000)
    series[2] += series[0] + series[1]
    tied = instant_links(standardise(series)).tied
    assert tied.astype(int).tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]


def test_smooth_series_hold_fewer_independent_steps() -> None:
    walks = np.cumsum(noise(6, 300), axis=1)
    assert instant_links(standardise(walks)).tied.sum() <= 4


def test_a_twin_and_a_constant_do_no_harm() -> None:
    series = noise(2, 60)
    found = instant_links(standardise(np.vstack([series, series[0], np.ones(60)])))
    assert not found.tied[3].any()
    assert np.isfinite(found.effect_size).all()


def test_a_record_of_few_steps_shows_no_ties() -> None:
    assert not instant_links(noise(3, 7)).tied.any()


def test_all_series_may_be_neighbours() -> None:
    base = noise(1, 200)
    tied = instant_links(standardise(base + 0.8 * noise(3, 200, number=5))).tied
    assert tied.sum() == 6


# --- granger and the whole ---------------------------------------------------------------------------------


def test_the_f_test_finds_direction_delay_and_sign() -> None:
    series = network({(0, 1): 2}, rows=3)
    series[2, 1:] -= 0.6 * series[0, :-1]
    found = {(link.cause, link.effect): (link.delay, link.positive) for link in granger(series).links}
    assert found[0, 1] == (2, True)
    assert found[0, 2] == (1, False)


def test_lags_shrink_when_there_are_more_terms_than_steps() -> None:
    series = network({(0, 1): 1}, rows=8, steps=40, strength=3.0)
    assert (0, 1) in granger(series).pairs()


@pytest.mark.parametrize("name", sorted(DETECTORS))
def test_every_detector_is_deterministic_and_well_formed(name: str) -> None:
    series = network({(0, 1): 1, (2, 3): 2}, rows=5, steps=200)
    series[:, 90:95] = np.nan
    found, again = DETECTORS[name](series), DETECTORS[name](series.copy())
    assert found == again
    assert all(link.cause != link.effect and 0.0 <= link.confidence <= 1.0 for link in found.links)
    assert len(found.pairs()) == len(found.links)


@given(scale=st.floats(0.01, 100.0), shift=st.floats(-50.0, 50.0), turn=st.permutations(range(4)))
@settings(max_examples=15)
def test_units_and_order_of_series_do_not_matter(scale: float, shift: float, turn: list[int]) -> None:
    series = network({(0, 1): 1, (1, 2): 2}, rows=4, steps=300)
    expected = {(turn.index(cause), turn.index(effect)) for cause, effect in best(series).pairs()}
    assert best(series[turn] * scale + shift).pairs() == expected


def test_a_verdict_reads_the_pair_both_ways() -> None:
    found = Discovery("best", (Link(2, 0, 1, 1.0, positive=True),), frozenset({(1, 2)}))
    assert [found.verdict(*pair) for pair in ((0, 2), (2, 0), (2, 1), (1, 2), (0, 1))] == [
        "causes",
        "causes",
        "correlated",
        "correlated",
        "none",
    ]


def test_an_unknown_detector_names_the_known_ones() -> None:
    with pytest.raises(InputError) as caught:
        discover(np.zeros((2, 10)), detector="crystal ball")
    assert "granger" in (caught.value.hint or "")

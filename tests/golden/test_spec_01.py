"""Every worked number of spec 01, and the formulas of seed 000 with the values they print."""

from __future__ import annotations

import pytest

from asterism.core.connections.causation import EventIndex, detect_causation
from asterism.core.connections.decay import daily_rate, days_to_half
from asterism.core.connections.evidence import base_gain, soft_cap_factor
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import EvidenceKind, LinkKind, LinkState
from tests.support.story import Story

SEED = ConnectionParameters()

GAINS = [
    ("co_mention_response", 0.0075, 0.00525),
    ("co_mention_session", 0.0256, 0.01792),
    ("correlation_detected", 0.05, 0.035),
    ("user_confirms", 0.36, 0.252),
    ("user_creates", 0.625, 0.4375),
    ("tars_confirmed", 0.1575, 0.11025),
    ("causation_detected", 0.0864, 0.06048),
]


@pytest.mark.parametrize(("kind", "fresh", "stale"), GAINS)
def test_gain_of_each_kind_fresh_and_stale(kind: str, fresh: float, stale: float) -> None:
    assert base_gain(EvidenceKind[kind.upper()], SEED) == pytest.approx(fresh, abs=1e-12)
    story = Story("a", "b")
    assert story.evidence(kind, 0).raw_gain == pytest.approx(fresh, abs=1e-12)
    assert story.evidence(kind, 7).raw_gain == pytest.approx(stale, abs=1e-12)
    assert story.evidence(kind, 15).raw_gain == pytest.approx(fresh, abs=1e-12)


def test_tuned_counts_impact_once() -> None:
    tuned = ConnectionParameters.build(("seed", "tuned"))
    assert base_gain(EvidenceKind.USER_CONFIRMS, tuned) == pytest.approx(0.10 * 2.0 * 0.9)


def test_user_creates_alone_is_capped_at_a_days_gain() -> None:
    gain = Story("a", "b").evidence("user_creates", 0)
    assert (gain.after, gain.capped_by) == (0.15, "daily_cap")


def test_two_tars_confirmed_in_a_day_are_capped() -> None:
    story = Story("a", "b")
    story.evidence("tars_confirmed", 0, 10)
    assert story.evidence("tars_confirmed", 0, 11).after == 0.15


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0, 2)])
def test_a_days_gains_add_up_alike_in_any_order(order: tuple[int, ...]) -> None:
    kinds = ("correlation_detected", "causation_detected", "co_mention_session")
    story = Story("a", "b")
    for hour, place in enumerate(order):
        story.evidence(kinds[place], 0, hour)
    assert story.link().strength == pytest.approx(0.12408, abs=1e-12)


def test_correlation_and_causation_in_one_fresh_day() -> None:
    story = Story("a", "b")
    story.evidence("correlation_detected", 0, 9)
    gain = story.evidence("causation_detected", 0, 8)
    assert gain.after == pytest.approx(0.0864 + 0.6 * 0.05, abs=1e-12)
    assert gain.gain == pytest.approx(0.1164 - 0.05, abs=1e-12)


def linked(strength: float, *, items: int = 8, **overrides: float | str) -> Story:
    """A resonance of a given strength whose last evidence was on day 0."""
    story = Story("a", "b", **overrides)
    story.evidence("user_confirms", 0)
    story.set_link(strength=strength, raw=items, effective=items, evaluated_day=10_000, raw_evaluated=items)
    return story


def test_resonance_of_eight_tenths_after_thirty_idle_days() -> None:
    story = linked(0.8, dormancy_weak=1000)
    story.stars().last_engaged[:2] = -1000
    for day in range(30):
        story.end(day)
    assert story.link().strength == pytest.approx(0.5198, abs=5e-5)


def test_resonance_of_eight_tenths_goes_dormant_on_day_thirty() -> None:
    story = linked(0.8)
    story.end(29)
    assert story.link().state == "WEAK"
    story.end(30)
    assert story.link().strength == pytest.approx(0.5417, abs=5e-5)
    assert story.link().state == "DORMANT"


def test_tuned_judges_dormancy_by_the_state_held_at_the_last_evidence() -> None:
    story = linked(0.8, dormancy_basis="held")
    story.set_link(held_state=int(LinkState.STRONG))
    story.end(59)
    assert story.link().state == "WEAK"
    story.end(60)
    assert story.link().state == "DORMANT"


def test_a_weak_link_of_three_hundredths_is_not_raised_by_decay() -> None:
    story = linked(0.03, items=2)
    story.end(6)
    assert story.link().strength == 0.03
    assert story.link().state == "NASCENT"


def test_shadow_mirror_loses_just_over_one_percent_a_day() -> None:
    assert daily_rate(SEED.half_life_shadow_mirror) == pytest.approx(0.0115, abs=5e-5)


def test_the_daily_rates_of_seed_4_2() -> None:
    printed = {"resonance": 2.28, "tension": 3.25, "causation": 4.83, "growth_edge": 1.53, "shadow_mirror": 1.15}
    for kind, percent in printed.items():
        assert 100 * daily_rate(getattr(SEED, f"half_life_{kind}")) == pytest.approx(percent, abs=0.005)


def test_the_soft_floor_stretches_the_half_life() -> None:
    assert days_to_half(0.8, kind=LinkKind.RESONANCE, parameters=SEED) == 57
    tuned = ConnectionParameters.build("tuned")
    assert days_to_half(0.8, kind=LinkKind.RESONANCE, parameters=tuned) == 30


def test_soft_cap_counts_from_the_eleventh_connection() -> None:
    assert [soft_cap_factor(n, SEED) for n in (10, 11, 20)] == [1.0, 10 / 11, 0.5]


def test_a_busy_star_slows_the_eleventh_and_later_links() -> None:
    others = [f"o{number:02d}" for number in range(12)]
    story = Story("a", "b", *others)
    for other in others:
        story.evidence("user_creates", 0, a="a", b=other)
    story.end(0)
    assert story.evidence("correlation_detected", 1).raw_gain == pytest.approx(0.05 * 10 / 12, abs=1e-12)


@pytest.mark.parametrize(
    ("strength", "effective", "state"),
    [
        (0.80, 8, "STRONG"),
        (0.80, 7, "MODERATE"),
        (0.60, 5, "MODERATE"),
        (0.60, 4, "WEAK"),
        (0.40, 3, "WEAK"),
        (0.20, 2, "FORMING"),
        (0.199, 9, "NASCENT"),
        (0.9, 1, "NASCENT"),
    ],
)
def test_states_are_inclusive_upwards(strength: float, effective: int, state: str) -> None:
    story = linked(strength, items=max(effective, 2))
    story.set_link(effective=effective)
    story.end(0)
    assert story.link().state == state


def test_effective_evidence_halves_after_thirty_days_and_ends_after_sixty() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    story.evidence("user_confirms", 1)
    counts = {}
    for day in range(1, 64):
        story.end(day - 1)
        counts[day] = story.link().evidence.effective
    assert [counts[day] for day in (30, 31, 32, 60, 61, 62)] == [2, 1.5, 1, 1, 0.5, 0]
    assert story.link().evidence.raw == 2


def test_confidence_is_base_times_evidence_times_regularity() -> None:
    story = Story("a", "b")
    for day in (0, 5, 10, 15):
        story.evidence("user_confirms", day)
    assert story.link().confidence == pytest.approx(0.5 * 4 / 8, abs=1e-12)
    story.say("type_assigned", 15, 13, a="a", b="b", kind="tension", direction="none")
    assert story.link().confidence == pytest.approx(0.8 * 4 / 8, abs=1e-12)
    story.evidence("user_confirms", 25)
    gaps = [5, 5, 5, 10]
    mean = sum(gaps) / 4
    variance = sum((gap - mean) ** 2 for gap in gaps) / 4 / mean**2
    assert story.link().confidence == pytest.approx(
        0.8 * story.link().evidence.effective / 8 * (1 - variance), abs=1e-9
    )


# Detection


def alternating(story: Story, *, lag_hours: float, times: int, sign: int = 1, every: int = 4, first: int = 0) -> None:
    """A rises and falls every so many days; B follows after a lag."""
    for turn in range(times + 1):
        day = first + turn * every
        high, low = 0.7, 0.3
        story.observe("a", high if turn % 2 else low, day, 0)
        answer = (high if turn % 2 else low) if sign > 0 else (low if turn % 2 else high)
        story.observe("b", answer, day + int(lag_hours // 24), lag_hours % 24)


def test_steady_lags_give_full_confidence_after_eight() -> None:
    story = Story("a", "b")
    alternating(story, lag_hours=20, times=8, every=3)
    story.end(26)
    graph = story.projection.connections.graph
    import numpy as np

    found = detect_causation(
        EventIndex(graph.events, first_at=0), np.array([story.row("a")]), np.array([story.row("b")]), SEED
    )
    assert (found.confidence[0], found.lag_hours[0], found.lags[0]) == (1.0, 20.0, 8)
    assert found.same_sign[0]


def test_lags_that_mix_one_and_two_days_give_nothing_literally() -> None:
    import numpy as np

    story = Story("a", "b")
    for turn in range(9):
        value = 0.7 if turn % 2 else 0.3
        story.observe("a", value, turn * 6, 0)
        story.observe("b", value, turn * 6 + (1 if turn % 2 else 2), 0)
        story.end(turn * 6 + 1)
    pair = (np.array([story.row("a")]), np.array([story.row("b")]))
    index = EventIndex(story.projection.connections.graph.events, first_at=0)
    assert detect_causation(index, *pair, SEED).confidence[0] == 0.0
    tuned = ConnectionParameters.build("tuned")
    assert detect_causation(index, *pair, tuned).confidence[0] > 0.4


# Influence (seed 6, 7)


def influencing(kind: LinkKind, *, strength: float = 0.5, direction: int = 0, **overrides: float | str) -> Story:
    """Two stars at .5, joined by a link that does not fade or change type."""
    story = Story("a", "b", type_reevaluation_interval=365, **overrides)
    for name in ("a", "b"):
        story.observe(name, 0.5, 0)
    story.evidence("user_confirms", 0, 13)
    story.end(0)
    story.set_link(
        strength=strength, raw=9, effective=9, kind=int(kind), direction=direction, state=int(LinkState.WEAK),
        user_type=1, last_day=1, raw_evaluated=9, evaluated_day=0,
    )  # fmt: skip
    return story


def test_resonance_carries_fifteen_percent_of_a_rise_and_half_of_a_fall() -> None:
    for value, factor in ((0.8, 1.0), (0.2, 0.5)):
        story = influencing(LinkKind.RESONANCE)
        story.observe("a", value, 1)
        story.observe("b", 0.5, 1)
        strength_after_decay = story.link().strength
        story.end(1)
        strength_after_decay = story.link().strength
        expected = 0.5 + (value - 0.5) * 0.15 * strength_after_decay * factor
        assert story.star("b").brightness == pytest.approx(expected, abs=1e-9)


def test_tension_drains_eight_percent_of_a_rise_above_five_hundredths() -> None:
    for value, drained in ((0.8, 0.3 * 0.08), (0.54, 0.0)):
        story = influencing(LinkKind.TENSION)
        story.observe("a", value, 1)
        story.observe("b", 0.5, 1)
        story.end(1)
        assert story.star("b").brightness == pytest.approx(0.5 - drained * story.link().strength, abs=1e-9)


def test_a_dark_star_drains_one_percent_of_strength_and_intensity() -> None:
    story = influencing(LinkKind.SHADOW_MIRROR)
    story.set_star("a", state=4, dark_marked=1)
    story.observe("a", 0.5, 1, 2)
    story.observe("b", 0.5, 1, 3)
    story.end(1)
    assert story.star("a").state == "DARK"
    assert story.star("b").brightness == pytest.approx(0.5 - 0.01 * story.link().strength * 0.5, abs=1e-9)


def test_dark_intensity_is_capped_and_literally_is_not() -> None:
    for cap, intensity in ((0.8, 0.8), (1.0, 0.95)):
        story = influencing(LinkKind.SHADOW_MIRROR, dark_intensity_cap=cap)
        story.set_star("a", state=4, dark_marked=1)
        story.set_star("a", brightness=0.05, day_start=0.05)
        story.observe("b", 0.5, 1, 3)
        story.end(1)
        assert story.star("b").brightness == pytest.approx(0.5 - 0.01 * story.link().strength * intensity, abs=1e-9)


def test_a_bright_enabler_boosts_engagement_by_a_fifth_of_strength() -> None:
    story = influencing(LinkKind.GROWTH_EDGE, direction=1)
    story.set_star("a", state=3, days_stable=9, variance=0.0, brightness=0.8, day_start=0.8)
    story.observe("a", 0.8, 1)
    story.observe("b", 0.5, 1)
    story.end(1)
    boost = 0.2 * story.link().strength
    assert story.star("b").boost == pytest.approx(boost, abs=1e-9)
    before = story.star("b").brightness
    story.say("engaged", 2, 1, star="b", impact=0.03)
    assert story.star("b").brightness == pytest.approx(before + 0.03 * (1 + boost), abs=1e-9)


def test_a_block_caps_brightness_and_lets_it_fall_by_a_step_a_day() -> None:
    story = influencing(LinkKind.BLOCKS, strength=0.8, direction=1)
    story.say("engaged", 1, 1, star="a", impact=0.0)
    story.observe("b", 0.9, 1)
    story.end(1)
    cap = 1 - 0.5 * story.link().strength
    assert story.star("b").cap == pytest.approx(cap, abs=1e-9)
    story.observe("b", 0.9, 2)
    story.end(2)
    assert story.star("b").brightness == pytest.approx(0.85, abs=1e-9)


def test_a_block_lets_go_below_three_tenths() -> None:
    story = influencing(LinkKind.BLOCKS, strength=0.8, direction=1)
    story.end(1)
    assert story.star("b").cap < 1
    story.set_link(strength=0.29)
    story.end(2)
    assert story.star("b").cap == 1.0


def test_hope_floor_stops_a_drain_and_literally_does_not() -> None:
    for floor, expected in ((0.3, 0.3), (0.0, None)):
        story = influencing(LinkKind.SHADOW_MIRROR, hope_floor=floor)
        story.set_star("a", state=4, dark_marked=1)
        story.observe("a", 0.5, 1, 2)
        story.observe("b", 0.3, 1, 3)
        story.end(1)
        low = 0.3 - 0.01 * story.link().strength * 0.5
        assert story.star("b").brightness == pytest.approx(low if expected is None else expected, abs=1e-9)


def test_weak_is_where_influence_begins_and_literally_nascent() -> None:
    for least, spills in (("WEAK", False), ("NASCENT", True)):
        story = influencing(LinkKind.RESONANCE, strength=0.1, influence_min_state=least)
        story.set_link(state=int(LinkState.NASCENT))
        story.observe("a", 0.9, 1)
        story.observe("b", 0.5, 1)
        story.end(1)
        assert (story.star("b").brightness > 0.5) is spills


# Stars


def test_a_new_star_is_nascent_and_the_first_engage_lights_it() -> None:
    story = Story("a")
    assert (story.star("a").state, story.star("a").brightness) == ("NASCENT", 0.1)
    story.say("engaged", 0, star="a", impact=0.03)
    assert (story.star("a").state, story.star("a").brightness) == ("FLICKERING", 0.3)


def test_a_days_engage_gains_are_capped_at_six_hundredths() -> None:
    story = Story("a")
    story.say("acknowledged", 0, 1, star="a")
    for hour in range(2, 6):
        story.say("engaged", 0, hour, star="a", impact=0.03)
    assert story.star("a").brightness == pytest.approx(0.36, abs=1e-12)


def test_three_contradictions_make_a_star_dark_and_a_dispute_makes_it_dim() -> None:
    story = Story("a")
    story.say("acknowledged", 0, 1, star="a")
    for hour in (2, 3, 4):
        story.say("contradicted", 0, hour, star="a")
    assert story.star("a").state == "DARK"
    story.say("dark_disputed", 0, 5, star="a")
    assert (story.star("a").state, story.star("a").contradictions) == ("DIM", 0)


def test_a_steady_star_becomes_bright_or_dim_after_seven_stable_days() -> None:
    for value, state in ((0.8, "BRIGHT"), (0.4, "DIM"), (0.6, "FLICKERING")):
        story = Story("a")
        for day in range(20):
            story.observe("a", value, day)
        story.end(19)
        assert story.star("a").state == state


def test_idle_stars_go_dormant_and_nascent_ones_are_archived() -> None:
    story = Story("a", "b")
    story.observe("a", 0.6, 0)
    story.end(13)
    assert (story.star("a").state, story.star("b").archived) == ("FLICKERING", False)
    story.end(14)
    assert (story.star("a").state, story.star("b").archived) == ("DORMANT", True)
    story.say("engaged", 15, star="a", impact=0.03)
    assert story.star("a").state == "FLICKERING"


def test_brightness_fades_with_the_half_life_of_its_domain() -> None:
    story = Story()
    story.say("star_added", 0, 0, star="h", name="H", domain="health")
    story.observe("h", 0.8, 0)
    story.end(0)
    assert story.star("h").brightness == 0.8
    story.end(1)
    lost = 0.8 * daily_rate(7) * (0.8 - 0.05) / 0.95
    assert story.star("h").brightness == pytest.approx(0.8 - lost, abs=1e-9)

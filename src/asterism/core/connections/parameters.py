"""The constants of connections and stars: the seed's names, defaults and sections, and the overlay `tuned`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from asterism.core.ledger.parameters import Parameters, Setting, choice, count, number


@dataclass(frozen=True, kw_only=True)
class ConnectionParameters(Parameters):
    """Every number of spec 01; source 000 is the original document, 01 our page with decisions D1..D14."""

    # Gain
    impact_co_mention_response: float = number(
        0.05, 0, 1, "strength", "000 §3.1", "base impact of one co mention response item"
    )
    multiplier_co_mention_response: float = number(
        0.5, 0, 10, "factor", "000 §3.2", "type multiplier of co mention response"
    )
    confidence_co_mention_response: float = number(
        0.3, 0, 1, "factor", "000 §3.1", "how far co mention response is trusted"
    )
    impact_co_mention_session: float = number(
        0.08, 0, 1, "strength", "000 §3.1", "base impact of one co mention session item"
    )
    multiplier_co_mention_session: float = number(
        0.8, 0, 10, "factor", "000 §3.2", "type multiplier of co mention session"
    )
    confidence_co_mention_session: float = number(
        0.4, 0, 1, "factor", "000 §3.1", "how far co mention session is trusted"
    )
    impact_correlation_detected: float = number(
        0.1, 0, 1, "strength", "000 §3.1", "base impact of one correlation detected item"
    )
    multiplier_correlation_detected: float = number(
        1.0, 0, 10, "factor", "000 §3.2", "type multiplier of correlation detected"
    )
    confidence_correlation_detected: float = number(
        0.5, 0, 1, "factor", "000 §3.1", "how far correlation detected is trusted"
    )
    impact_user_confirms: float = number(0.2, 0, 1, "strength", "000 §3.1", "base impact of one user confirms item")
    multiplier_user_confirms: float = number(2.0, 0, 10, "factor", "000 §3.2", "type multiplier of user confirms")
    confidence_user_confirms: float = number(0.9, 0, 1, "factor", "000 §3.1", "how far user confirms is trusted")
    impact_user_creates: float = number(0.25, 0, 1, "strength", "000 §3.1", "base impact of one user creates item")
    multiplier_user_creates: float = number(2.5, 0, 10, "factor", "000 §3.2", "type multiplier of user creates")
    confidence_user_creates: float = number(1.0, 0, 1, "factor", "000 §3.1", "how far user creates is trusted")
    impact_tars_confirmed: float = number(0.15, 0, 1, "strength", "000 §3.1", "base impact of one tars confirmed item")
    multiplier_tars_confirmed: float = number(1.5, 0, 10, "factor", "000 §3.2", "type multiplier of tars confirmed")
    confidence_tars_confirmed: float = number(0.7, 0, 1, "factor", "000 §3.1", "how far tars confirmed is trusted")
    impact_causation_detected: float = number(
        0.12, 0, 1, "strength", "000 §3.1", "base impact of one causation detected item"
    )
    multiplier_causation_detected: float = number(
        1.2, 0, 10, "factor", "000 §3.2", "type multiplier of causation detected"
    )
    confidence_causation_detected: float = number(
        0.6, 0, 1, "factor", "000 §3.1", "how far causation detected is trusted"
    )
    freshness_fresh: float = number(
        1.0, 0, 2, "factor", "000 §3.2", "gain factor when the pair had no evidence in the freshness window"
    )
    freshness_stale: float = number(0.7, 0, 2, "factor", "000 §3.2", "gain factor when it had")
    freshness_days: int = count(7, 1, 365, "days", "01 D2", "how many previous dates make a pair stale")
    diminishing_second: float = number(0.6, 0, 1, "factor", "000 §3.3", "weight of the second largest gain of a day")
    diminishing_third: float = number(0.3, 0, 1, "factor", "000 §3.3", "weight of the third")
    diminishing_rest: float = number(0.1, 0, 1, "factor", "000 §3.3", "weight of each one after that")
    max_daily_strength_gain: float = number(
        0.15, 0, 1, "strength", "000 §3.4", "most that evidence can add to a link in a day"
    )
    max_strength: float = number(1.0, 0.05, 1, "strength", "000 §1.1", "hard ceiling of strength")
    evidence_half_life: int = count(
        30,
        1,
        3650,
        "days",
        "000 §1.2",
        "age up to which an item counts 1; up to twice this it counts 0.5, then 0",
    )
    soft_cap: int = count(
        10, 1, 1000000, "links", "000 §7.2", "connections of a star beyond which new ones form slower"
    )
    excavation_days: int = count(
        7, 0, 3650, "days", "000 §10", "first dates of a space with faster formation; 0 switches it off"
    )
    excavation_evidence_impact: float = number(1.5, 0, 10, "factor", "000 §10", "gain factor during excavation")
    excavation_decay_rate: float = number(0.5, 0, 10, "factor", "000 §10", "link decay factor during excavation")
    tars_hypothesis_rate: float = number(
        2.0,
        0,
        10,
        "factor",
        "000 §10",
        "how much more often to suggest links during excavation (data for callers)",
    )

    # Decay
    decay_shape: str = choice(
        "soft_floor",
        ("soft_floor", "exponential"),
        "01 D7",
        "soft_floor slows towards the floor as the seed does; exponential halves in a half-life",
    )
    floor: float = number(0.05, 0, 0.5, "strength", "000 §4.3", "soft floor: decay stops at or below it")
    half_life_resonance: float = number(30, 0.1, 36500, "days", "000 §4.2", "half-life of a resonance link")
    half_life_tension: float = number(21, 0.1, 36500, "days", "000 §4.2", "half-life of a tension link")
    half_life_causation: float = number(14, 0.1, 36500, "days", "000 §4.2", "half-life of a causation link")
    half_life_growth_edge: float = number(45, 0.1, 36500, "days", "000 §4.2", "half-life of a growth_edge link")
    half_life_shadow_mirror: float = number(60, 0.1, 36500, "days", "000 §4.2", "half-life of a shadow_mirror link")
    half_life_blocks: float = number(21, 0.1, 36500, "days", "000 §4.2", "half-life of a blocks link")
    activity_week: float = number(
        0.5, 0, 1, "factor", "000 §4.1", "decay factor when an end was engaged within the activity window"
    )
    activity_days: int = count(7, 1, 365, "days", "000 §4.1", "how many previous days count as recent activity")

    # State
    strength_nascent_max: float = number(0.2, 0, 1, "strength", "000 §2.2", "strength at which FORMING begins")
    evidence_for_forming: int = count(2, 1, 1000, "items", "000 §2.2", "effective evidence that FORMING needs")
    strength_forming_max: float = number(0.4, 0, 1, "strength", "000 §2.2", "strength at which WEAK begins")
    evidence_for_weak: int = count(3, 1, 1000, "items", "000 §2.2", "effective evidence that WEAK needs")
    strength_weak_max: float = number(0.6, 0, 1, "strength", "000 §2.2", "strength at which MODERATE begins")
    evidence_for_moderate: int = count(5, 1, 1000, "items", "000 §2.2", "effective evidence that MODERATE needs")
    strength_moderate_max: float = number(0.8, 0, 1, "strength", "000 §2.2", "strength at which STRONG begins")
    evidence_for_strong: int = count(8, 1, 1000, "items", "000 §2.2", "effective evidence that STRONG needs")
    dormancy_nascent: int = count(
        7, 1, 36500, "days", "000 §2.3", "days without evidence after which a NASCENT link is DORMANT"
    )
    dormancy_forming: int = count(
        14, 1, 36500, "days", "000 §2.3", "days without evidence after which a FORMING link is DORMANT"
    )
    dormancy_weak: int = count(
        30, 1, 36500, "days", "000 §2.3", "days without evidence after which a WEAK link is DORMANT"
    )
    dormancy_moderate: int = count(
        45, 1, 36500, "days", "000 §2.3", "days without evidence after which a MODERATE link is DORMANT"
    )
    dormancy_strong: int = count(
        60, 1, 36500, "days", "000 §2.3", "days without evidence after which a STRONG link is DORMANT"
    )
    dormancy_basis: str = choice(
        "today",
        ("today", "held"),
        "01 State",
        "whose threshold: of the state that today gives, or of the one held at the last evidence",
    )
    denial_cost: float = number(
        0.15,
        0,
        1,
        "strength",
        "01 Decay",
        "what a denial takes from a link at WEAK or above; below, it dissolves",
    )

    # Confidence
    base_confidence_resonance: float = number(0.5, 0, 1, "confidence", "01 D9", "base confidence of a resonance link")
    base_confidence_tension: float = number(0.5, 0, 1, "confidence", "01 D9", "base confidence of a tension link")
    base_confidence_causation: float = number(0.6, 0, 1, "confidence", "01 D9", "base confidence of a causation link")
    base_confidence_growth_edge: float = number(
        0.6, 0, 1, "confidence", "01 D9", "base confidence of a growth edge link"
    )
    base_confidence_shadow_mirror: float = number(
        0.5, 0, 1, "confidence", "01 D9", "base confidence of a shadow mirror link"
    )
    base_confidence_blocks: float = number(0.7, 0, 1, "confidence", "01 D9", "base confidence of a blocks link")
    base_confidence_user_assigned: float = number(
        0.8, 0, 1, "confidence", "01 D9", "base confidence of a user assigned link"
    )
    evidence_saturation: int = count(8, 1, 1000, "items", "000 §1.3", "effective evidence at which confidence is full")

    # Type
    resonance_threshold: float = number(
        0.5, 0, 1, "correlation", "000 §5.2", "correlation above which a link is RESONANCE"
    )
    tension_threshold: float = number(
        -0.3, -1, 0, "correlation", "000 §5.2", "correlation below which a link is TENSION"
    )
    causation_threshold: float = number(
        0.6, 0, 1, "confidence", "000 §5.2", "causation confidence above which a link is causal"
    )
    blocking_threshold: float = number(0.7, 0, 1, "confidence", "000 §5.2", "blocking confidence that BLOCKS needs")
    min_observations: int = count(5, 2, 30, "days", "000 §5.2", "days with both values that a correlation needs")
    correlation_window: int = count(30, 5, 33, "days", "000 §5.2", "history that type detection looks at")
    event_threshold: float = number(
        0.1, 0.001, 1, "brightness", "000 §5.3", "brightness change that counts as an event"
    )
    max_causation_lag: float = number(
        72.0, 1, 720, "hours", "000 §5.3", "longest lag between cause and effect (exclusive)"
    )
    min_causation_observations: int = count(3, 1, 1000, "lags", "000 §5.3", "lags that causation needs")
    saturation_count: int = count(8, 1, 1000, "lags", "000 §5.3", "lags at which causation confidence is full")
    causation_spread: str = choice(
        "variance",
        ("variance", "stdev"),
        "01 D10",
        "consistency is 1 - variance/mean (the seed, literally) or 1 - stdev/mean, in hours",
    )
    causation_pairing: str = choice(
        "all",
        ("all", "next"),
        "01 Type",
        "pair each event of A with all later events of B within the lag, or only the next",
    )
    causality: str = choice("seed", ("seed", "granger"), "01 D11", "which detector decides CAUSATION and GROWTH_EDGE")
    granger_lags: int = count(1, 1, 5, "days", "01 D11", "lags of the Granger F-test over daily brightness")
    granger_alpha: float = number(
        0.05, 0.0001, 0.5, "p-value", "01 D11", "p-value at or above which the F-test gives confidence 0"
    )
    high_engagement: float = number(
        0.6, 0, 1, "share", "000 §5.4", "engaged share of the last 30 days that blocking needs in B"
    )
    low_progress: float = number(0.05, 0, 1, "brightness", "000 §5.4", "progress below which B is stuck")
    activity_threshold: float = number(
        0.5, 0, 1, "share", "000 §5.4", "share of B's stuck days on which A must be engaged"
    )
    engagement_days: int = count(30, 1, 33, "days", "01 Type", "window of engagement, progress and stuck days")
    stuck_days: int = count(7, 1, 7, "days", "01 Type", "trailing days over which a stuck day measures change")
    type_reevaluation_interval: int = count(7, 1, 365, "days", "000 §9.3", "days after which a type is looked at again")
    type_reevaluation_evidence: int = count(3, 1, 1000, "items", "000 §9.3", "new items after which it is")
    finding_interval: int = count(7, 1, 365, "days", "08 E14", "days in which a pair's findings count as one at most")
    discovery_days: int = count(120, 21, 3650, "days", "08 E14", "days up to the last value that discovery looks at")
    discovery_stars: int = count(200, 2, 2000, "stars", "08 E14", "stars that discovery compares, most days first")
    discover_max_stars: int = count(
        2000,
        2,
        20000,
        "stars",
        "01 D5",
        "most stars whose unlinked pairs one discovery tests; the rest are counted",
    )

    # Influence
    influence_min_state: str = choice(
        "WEAK",
        ("NASCENT", "FORMING", "WEAK", "MODERATE", "STRONG"),
        "01 D14",
        "state from which a link influences its ends (the seed, literally: NASCENT)",
    )
    resonance_spillover: float = number(
        0.15, 0, 1, "factor", "000 §6.1", "share of a change that resonance carries over"
    )
    resonance_falling: float = number(0.5, 0, 1, "factor", "000 §6.1", "direction factor of a falling change")
    tension_activation_threshold: float = number(
        0.05, 0, 1, "brightness", "000 §6.2", "rise above which tension drains"
    )
    tension_drain: float = number(
        0.08, 0, 1, "factor", "000 §6.2", "share of a rise that tension takes from the other end"
    )
    growth_edge_boost: float = number(
        0.2, 0, 5, "factor", "000 §6.4", "boost of engagement by a BRIGHT enabler at strength 1"
    )
    shadow_drain_rate: float = number(
        0.01,
        0,
        1,
        "brightness/day",
        "000 §6.5",
        "daily drain by a DARK star at strength 1 and full intensity",
    )
    dark_intensity_cap: float = number(
        0.8, 0, 1, "factor", "01 D14", "most that 1 - brightness of a DARK star counts (literal: 1)"
    )
    block_factor: float = number(0.5, 0, 1, "factor", "000 §6.6", "how far a block lowers the maximum at strength 1")
    block_release_threshold: float = number(0.3, 0, 1, "strength", "000 §6.6", "strength below which a block lets go")
    cap_step: float = number(
        0.05,
        0,
        1,
        "brightness/day",
        "01 D14",
        "most that brightness above a block cap falls in a day (literal: 1)",
    )
    hope_floor: float = number(
        0.3, 0, 1, "brightness", "01 D14", "a star at or below it is not drained further (literal: 0)"
    )
    max_spillover_per_day: float = number(
        0.1, 0, 1, "brightness", "000 §7.1", "clamp of the summed spillover, both ways"
    )
    max_drain_per_day: float = number(0.08, 0, 1, "brightness", "000 §7.1", "clamp of the summed drain")
    prediction_verified_bonus: float = number(
        0.05, 0, 1, "strength", "000 §6.3", "what a verified prediction adds, outside the daily cap"
    )
    prediction_tolerance: float = number(
        0.5, 0, 1, "share of lag", "01 Influence", "how far from the mean lag an event still verifies"
    )
    predictions_kept: int = count(
        100000,
        1,
        10000000,
        "predictions",
        "00 point 7",
        "resolved predictions kept; older ones are dropped and counted",
    )
    expectation_prior: float = number(
        10, 1, 1000, "predictions", "08 E16", "how many that came true as by chance a record has to outweigh"
    )
    expectation_odds: float = number(
        20, 1, 1000000, "odds", "08 E16", "by how much bets on a record must have grown for it to beat the base rate"
    )
    expectation_min_settled: int = count(
        20, 1, 10000, "predictions", "08 E16", "settled of a link, or of a sign, before any is told as an expectation"
    )

    # Stars
    brightness_floor: float = number(0.05, 0, 0.5, "brightness", "01 Model", "lowest brightness")
    new_star_brightness: float = number(0.1, 0.05, 1, "brightness", "01 Stars", "brightness of a NASCENT star")
    acknowledged_brightness: float = number(
        0.3, 0.05, 1, "brightness", "01 Stars", "brightness after acknowledge or the first engage"
    )
    engage_impact: float = number(0.03, 0, 1, "brightness", "01 Stars", "default impact of one engagement")
    max_daily_brightness_gain: float = number(
        0.06, 0, 1, "brightness", "01 Stars", "cap of a day's engage gains plus positive spillover"
    )
    variance_weight: float = number(0.3, 0, 1, "factor", "01 Stars", "weight of today's change in the running variance")
    initial_variance: float = number(0.3, 0, 1, "brightness", "01 Stars", "variance of a new star")
    stable_variance: float = number(0.05, 0, 1, "brightness", "01 Stars", "variance below which a day is stable")
    flickering_variance: float = number(
        0.15, 0, 1, "brightness", "01 Stars", "variance above which a star is FLICKERING"
    )
    stable_days: int = count(7, 1, 365, "days", "01 Stars", "stable days that BRIGHT and DIM need")
    bright_threshold: float = number(
        0.7, 0, 1, "brightness", "01 Stars", "brightness from which a stable star is BRIGHT"
    )
    dim_threshold: float = number(0.5, 0, 1, "brightness", "01 Stars", "brightness below which a stable star is DIM")
    dark_contradictions: int = count(
        3, 1, 1000, "contradictions", "01 Stars", "say-do contradictions that make a star DARK"
    )
    star_dormancy_flickering: int = count(
        14, 1, 36500, "days", "01 Stars", "idle days after which a FLICKERING star is DORMANT"
    )
    star_dormancy_dim: int = count(30, 1, 36500, "days", "01 Stars", "idle days after which a DIM star is DORMANT")
    star_dormancy_dark: int = count(30, 1, 36500, "days", "01 Stars", "idle days after which a DARK star is DORMANT")
    star_dormancy_bright: int = count(
        60, 1, 36500, "days", "01 Stars", "idle days after which a BRIGHT star is DORMANT"
    )
    nascent_archive_days: int = count(
        14, 1, 36500, "days", "01 Stars", "idle days after which a NASCENT star is archived"
    )
    star_half_life_health: float = number(
        7, 0.1, 36500, "days", "01 Stars", "half-life of brightness in the domain health"
    )
    star_half_life_relationships: float = number(
        14, 0.1, 36500, "days", "01 Stars", "half-life of brightness in the domain relationships"
    )
    star_half_life_wealth: float = number(
        21, 0.1, 36500, "days", "01 Stars", "half-life of brightness in the domain wealth"
    )
    star_half_life_purpose: float = number(
        30, 0.1, 36500, "days", "01 Stars", "half-life of brightness in the domain purpose"
    )
    star_half_life_soul: float = number(
        90, 0.1, 36500, "days", "01 Stars", "half-life of brightness in the domain soul"
    )
    star_half_life_no_domain: float = number(
        21, 0.1, 36500, "days", "08 E17", "half-life of brightness of a star whose domain nobody told"
    )

    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "seed": {},
        "tuned": {
            "impact_co_mention_response": 0.10,
            "impact_co_mention_session": 0.10,
            "impact_correlation_detected": 0.10,
            "impact_user_confirms": 0.10,
            "impact_user_creates": 0.10,
            "impact_tars_confirmed": 0.10,
            "impact_causation_detected": 0.10,
            "decay_shape": "exponential",
            "dormancy_basis": "held",
            "causation_spread": "stdev",
            "causation_pairing": "next",
        },
    }

    def contradictions(self) -> list[str]:
        """Thresholds must rise from state to state, or a stronger link could stand in a lower state."""
        ladders = (
            ("strength_nascent_max", "strength_forming_max", "strength_weak_max", "strength_moderate_max"),
            ("evidence_for_forming", "evidence_for_weak", "evidence_for_moderate", "evidence_for_strong"),
            ("freshness_stale", "freshness_fresh"),
            ("diminishing_rest", "diminishing_third", "diminishing_second"),
            ("dim_threshold", "bright_threshold"),
            ("floor", "max_strength"),
        )
        return [
            f"{low} = {getattr(self, low)!r} is above {high} = {getattr(self, high)!r}"
            for ladder in ladders
            for low, high in pairwise(ladder)
            if getattr(self, low) > getattr(self, high)
        ]

"""Evidence: what one item is worth, and what a day's items add together (seed 3; spec 01, Gain).

    gain = impact[kind] x type_multiplier[kind] x freshness x confidence[kind]
    day  = min(cap, E1 + .6 E2 + .3 E3 + .1 E4 + ...), E sorted from the largest

Both are functions of the *set* of a day's items, so the order in which items arrive cannot matter (D1, D2). Each
is written once: for an item that arrives, for a batch of them, for what a day's end detects, and for `why`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

from asterism.core.connections.elementwise import Numbers, at_least, at_most, either
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import EvidenceKind, LinkState, word
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.columns import Bytes, Floats, Ints, Longs


def base_gain(kind: EvidenceKind, parameters: ConnectionParameters) -> float:
    """Give what one fresh item of a kind is worth on its own.

    >>> seed = ConnectionParameters()
    >>> [round(base_gain(kind, seed), 4) for kind in EvidenceKind]
    [0.0075, 0.0256, 0.05, 0.36, 0.625, 0.1575, 0.0864]
    """
    name = word(kind)
    impact: float = getattr(parameters, f"impact_{name}")
    multiplier: float = getattr(parameters, f"multiplier_{name}")
    confidence: float = getattr(parameters, f"confidence_{name}")
    return impact * multiplier * confidence


def base_gains(parameters: ConnectionParameters) -> tuple[float, ...]:
    """Give the base gain of every kind, in the order of `EvidenceKind`."""
    return tuple(base_gain(kind, parameters) for kind in EvidenceKind)


@overload
def freshness(*, day: int, last_evidence_day: int, parameters: ConnectionParameters) -> float: ...
@overload
def freshness(*, day: int, last_evidence_day: Ints, parameters: ConnectionParameters) -> Floats: ...
def freshness(*, day: int, last_evidence_day: int | Ints, parameters: ConnectionParameters) -> float | Floats:
    """Judge a day's freshness: 1 when none of the 7 previous dates had evidence, else 0.7 (D2).

    >>> seed = ConnectionParameters()
    >>> (
    ...     freshness(day=8, last_evidence_day=0, parameters=seed),
    ...     freshness(day=7, last_evidence_day=0, parameters=seed),
    ... )
    (1.0, 0.7)
    """
    stale = day - last_evidence_day <= parameters.freshness_days
    return either(parameters.freshness_stale, parameters.freshness_fresh, when=stale)


@overload
def soft_cap_factor(connections: int, parameters: ConnectionParameters) -> float: ...
@overload
def soft_cap_factor(connections: Ints, parameters: ConnectionParameters) -> Floats: ...
def soft_cap_factor(connections: int | Ints, parameters: ConnectionParameters) -> float | Floats:
    """Slow the formation of links at a busy star: 10/n beyond ten connections (D4).

    >>> [soft_cap_factor(n, ConnectionParameters()) for n in (9, 10, 20)]
    [1.0, 1.0, 0.5]
    """
    return parameters.soft_cap / at_least(connections, parameters.soft_cap)


@overload
def day_factor(
    fresh: float, *, state: int, connections: int, excavating: bool, parameters: ConnectionParameters
) -> float: ...
@overload
def day_factor(
    fresh: Floats, *, state: Bytes, connections: Ints, excavating: bool, parameters: ConnectionParameters
) -> Floats: ...
def day_factor(
    fresh: float | Floats,
    *,
    state: int | Bytes,
    connections: int | Ints,
    excavating: bool,
    parameters: ConnectionParameters,
) -> float | Floats:
    """Give what every gain of a link's day is multiplied with: freshness x excavation x soft cap.

    `state` and `connections`, the number of connections of the busier end, are those as the day began (D4).

    >>> seed = ConnectionParameters()
    >>> day_factor(0.5, state=LinkState.FORMING, connections=20, excavating=True, parameters=seed)
    0.375
    >>> day_factor(0.5, state=LinkState.WEAK, connections=20, excavating=False, parameters=seed)
    0.5
    """
    forming = state < LinkState.WEAK
    dug = fresh * parameters.excavation_evidence_impact if excavating else fresh
    return dug * soft_cap_factor(connections * forming, parameters)


def diminished(place: int, parameters: ConnectionParameters) -> float:
    """Weigh a day's gains, counted from 0 for the largest: each of the first ones counts less, then all alike (D1).

    >>> [diminished(place, ConnectionParameters()) for place in range(5)]
    [1.0, 0.6, 0.3, 0.1, 0.1]
    """
    p = parameters
    return (1.0, p.diminishing_second, p.diminishing_third)[place] if place < 3 else p.diminishing_rest


@overload
def day_gain(gains: Iterable[float], parameters: ConnectionParameters) -> float: ...
@overload
def day_gain(gains: Iterable[Floats], parameters: ConnectionParameters) -> Floats: ...
def day_gain(gains: Iterable[float | Floats], parameters: ConnectionParameters) -> float | Floats:
    """Combine a day's gains, given from the largest to the smallest: diminishing returns under the daily cap (D1).

    >>> round(day_gain([0.0864, 0.05, 0.0256], ConnectionParameters()), 5)
    0.12408
    >>> day_gain([0.625], ConnectionParameters())
    0.15
    """
    cap = parameters.max_daily_strength_gain
    total: float | Floats = 0.0
    for place, gain in enumerate(gains):
        total = total + gain * diminished(place, parameters)
        if isinstance(total, float) and total >= cap:  # every later term only adds, so the cap is reached for good
            return cap
    return at_most(total, cap)


def strength_after(strength: Numbers, total: Numbers, parameters: ConnectionParameters) -> Numbers:
    """Add a day's gain to a strength, up to the ceiling.

    >>> strength_after(0.25, 0.125, ConnectionParameters()), strength_after(0.95, 0.125, ConnectionParameters())
    (0.375, 1.0)
    """
    return at_most(strength + total, parameters.max_strength)


CAPS = (None, "daily_cap", "ceiling", "ceiling")


@overload
def capped_by(strength: float, total: float, parameters: ConnectionParameters) -> int: ...
@overload
def capped_by(strength: Floats, total: Floats, parameters: ConnectionParameters) -> Longs: ...
def capped_by(strength: float | Floats, total: float | Floats, parameters: ConnectionParameters) -> int | Longs:
    """Say what held a day's gain back, as a place in `CAPS`; the ceiling is said before the daily cap.

    >>> seed = ConnectionParameters()
    >>> [CAPS[capped_by(strength, total, seed)] for strength, total in ((0.2, 0.1), (0.2, 0.15), (0.9, 0.15))]
    [None, 'daily_cap', 'ceiling']
    """
    return 2 * (strength + total > parameters.max_strength) + (total >= parameters.max_daily_strength_gain)


@overload
def gap_square(since: int, until: int) -> float: ...
@overload
def gap_square(since: Longs, until: int | Longs) -> Floats: ...
def gap_square(since: int | Longs, until: int | Longs) -> float | Floats:
    """Square the time between two items, in days: what the unevenness of a link's timing is made of.

    >>> gap_square(0, 3 * MICROS_PER_DAY)
    9.0
    """
    gap = (until - since) / MICROS_PER_DAY
    return gap * gap


def timing_variance(*, items: int, span_days: float, gap_squares: float) -> float:
    """Measure how uneven the gaps between items are: squared coefficient of variation, in [0, 1] (spec 01, Confidence).

    With g gaps of mean m: (sum of squares / g - m^2) / m^2; 0 with fewer than 3 items.

    >>> timing_variance(items=3, span_days=4.0, gap_squares=1.0 + 9.0)
    0.25
    """
    gaps = items - 1
    if gaps < 2 or span_days <= 0:
        return 0.0
    mean = span_days / gaps
    return min(1.0, max(0.0, (gap_squares / gaps - mean * mean) / (mean * mean)))


def confidence(*, base: float, effective: float, variance: float, parameters: ConnectionParameters) -> float:
    """Say how far a link can be trusted: base x min(effective/8, 1) x (1 - v) (seed 1.3).

    >>> confidence(base=0.5, effective=4, variance=0.25, parameters=ConnectionParameters())
    0.1875
    """
    return base * min(effective / parameters.evidence_saturation, 1.0) * (1.0 - variance)

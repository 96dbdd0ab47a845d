"""Evidence: what one item is worth, and what a day's items add together (seed 3; spec 01, Gain).

    gain = impact[kind] x type_multiplier[kind] x freshness x confidence[kind]
    day  = min(cap, E1 + .6 E2 + .3 E3 + .1 E4 + ...), E sorted from the largest

Both are functions of the *set* of a day's items, so the order in which items arrive cannot matter (D1, D2).
"""

from __future__ import annotations

from collections.abc import Iterable

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import EvidenceKind, word


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


def freshness(*, day: int, last_evidence_day: int, parameters: ConnectionParameters) -> float:
    """Judge a day's freshness: 1 when none of the 7 previous dates had evidence, else 0.7 (D2).

    >>> seed = ConnectionParameters()
    >>> (
    ...     freshness(day=8, last_evidence_day=0, parameters=seed),
    ...     freshness(day=7, last_evidence_day=0, parameters=seed),
    ... )
    (1.0, 0.7)
    """
    stale = day - last_evidence_day <= parameters.freshness_days
    return parameters.freshness_stale if stale else parameters.freshness_fresh


def soft_cap_factor(connections: int, parameters: ConnectionParameters) -> float:
    """Slow the formation of links at a busy star: 10/n beyond ten connections (D4).

    >>> [soft_cap_factor(n, ConnectionParameters()) for n in (9, 10, 20)]
    [1.0, 1.0, 0.5]
    """
    return 1.0 if connections <= parameters.soft_cap else parameters.soft_cap / connections


def day_gain(gains: Iterable[float], parameters: ConnectionParameters) -> float:
    """Combine a day's gains, given from the largest to the smallest: diminishing returns under the daily cap (D1).

    >>> round(day_gain([0.0864, 0.05, 0.0256], ConnectionParameters()), 5)
    0.12408
    >>> day_gain([0.625], ConnectionParameters())
    0.15
    """
    cap = parameters.max_daily_strength_gain
    weights = (1.0, parameters.diminishing_second, parameters.diminishing_third)
    total = 0.0
    for place, gain in enumerate(gains):
        total += gain * (weights[place] if place < 3 else parameters.diminishing_rest)
        if total >= cap:  # every later term only adds, so the cap is reached for good
            return cap
    return total


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

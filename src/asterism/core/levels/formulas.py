"""The formulas of levels, one number at a time: what `plain` computes with, and what `kernel` compiles."""

from __future__ import annotations

import numpy as np

from asterism.core.ledger.columns import Floats, Longs


def settled(anchor: float, anchor_at: int, at: int, rate: float) -> float:
    """Let an anchor decay: `anchor x max(0, 1 - rate x seconds)` (D8).

    >>> settled(0.5, 0, 1_000_000_000, 1e-4)
    0.45
    """
    return anchor * max(0.0, 1.0 - rate * ((at - anchor_at) / 1e6))


def all_settled(anchors: Floats, anchored_at: Longs, at: Longs | int, rate: float) -> Floats:
    """Let many anchors decay: `settled` for each, to the same bits.

    >>> all_settled(np.array([0.5, 0.5]), np.array([0, 500_000_000]), 1_000_000_000, 1e-4).tolist()
    [0.45, 0.475]
    """
    return np.asarray(anchors * np.maximum(0.0, 1.0 - rate * ((at - anchored_at) / 1e6)))


def raised(base: float, per: float, amount: float) -> float:
    """Give the strength, or the confidence, that an amount of evidence makes: `min(1, base + per x amount)`.

    >>> raised(0.3, 0.01, 30.0), raised(0.4, 0.05, 5.0), raised(0.3, 0.05, 4), raised(0.5, 0.05, 6)
    (0.6, 0.65, 0.5, 0.8)
    """
    return min(1.0, base + per * amount)


def reaches(centre: float, price: float, reach: float) -> bool:
    """Say whether a price is within reach of a centre, ends included.

    >>> reaches(3.0, 3.0015, 5e-4 + 1e-9), reaches(3.0, 3.0016, 5e-4 + 1e-9)
    (True, False)
    """
    return abs(price - centre) <= centre * reach


def fades_at(anchor: float, anchor_at: int, rate: float, threshold: float) -> int:
    """Give the time at which a level falls to the archive's threshold.

    >>> fades_at(0.4, 0, 1e-4, 0.01) / 1e6
    9750.0
    """
    if anchor <= threshold:
        return anchor_at
    return anchor_at + int((1.0 - threshold / anchor) / rate * 1e6)

"""The Granger F-test over daily brightness, beside the seed's detector or in its place (D11).

It looks only at days on which a value was told, and makes no claim on a series without variation of its own: two
curves that merely fade say nothing of each other.

`causality="granger"` lets it decide: confidence is 1 - p when p is below alpha, else 0; the more confident direction
wins. Sign and mean lag come from the events where there are enough, else from the lag of the test.
"""

from __future__ import annotations

import numpy as np

from asterism.core.connections.causation import Causation
from asterism.core.connections.link_type import Ring
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.tables import Stars
from asterism.core.connections.words import Direction
from asterism.core.ledger.columns import Floats, Rows
from asterism.core.statistics.granger import granger


def told_days(ring: Ring, stars: Stars, row: int, *, day: int, window: int) -> Floats:
    """Give a star's brightness on the last days, oldest first; NaN where no value was told."""
    column, told = int(stars.ring_row[row]), int(stars.observed_days[row])
    days = [ring.on(day - back)[column] if told >> back & 1 else np.nan for back in reversed(range(window))]
    return np.array(days)


def _varies(series: Floats) -> bool:
    told = series[~np.isnan(series)]
    return bool(len(told) and np.ptp(told) >= 1e-6)


def granger_p(
    ring: Ring, stars: Stars, cause: int, effect: int, *, day: int, parameters: ConnectionParameters
) -> float | None:
    """Give the p-value of "the past of cause helps to predict effect"; None with too little to test.

    The day-masks of the stars must be those of the day, as at its end.
    """
    p = parameters
    a, b = (told_days(ring, stars, row, day=day, window=p.correlation_window) for row in (cause, effect))
    if not (_varies(a) and _varies(b)):
        return None
    result = granger(a, b, lags=p.granger_lags)
    return None if result.n < 2 * p.granger_lags + 3 else round(result.p, 9)


def granger_causation(
    ring: Ring,
    stars: Stars,
    a: Rows,
    b: Rows,
    *,
    day: int,
    lagged: Causation,
    parameters: ConnectionParameters,
) -> Causation:
    """Put the F-test's confidence and direction in the place of the event lags'."""
    p = parameters
    confidence, direction = np.zeros(len(a)), np.zeros(len(a), dtype=np.uint8)
    for place in np.flatnonzero((stars.ring_row[a] >= 0) & (stars.ring_row[b] >= 0)).tolist():
        ends = (int(a[place]), int(b[place]))
        forward = granger_p(ring, stars, *ends, day=day, parameters=p)
        backward = granger_p(ring, stars, *reversed(ends), day=day, parameters=p)
        tests = [(forward, Direction.A_TO_B), (backward, Direction.B_TO_A)]
        best, way = min(((1.0 if test is None else test, way) for test, way in tests), key=lambda each: each[0])
        if best < p.granger_alpha:
            confidence[place], direction[place] = 1.0 - best, way
    known = (direction == lagged.direction) & ~np.isnan(lagged.lag_hours)
    return Causation(
        confidence,
        np.where(known, lagged.lag_hours, np.where(direction > 0, 24.0 * p.granger_lags, np.nan)),
        lagged.same_sign,
        direction,
        lagged.lags,
    )

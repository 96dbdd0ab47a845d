"""Correlations between series of which one may lead the other, over the days that both have."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from asterism.core.ledger.columns import Floats
from asterism.core.statistics.granger import f_survival, f_survivals

_ALMOST_ONE = 1.0 - 1e-9


@dataclass(frozen=True, slots=True)
class Correlations:
    """Indexed [lag, leader, follower]: the correlation, and the days it rests on."""

    r: Floats
    days: Floats


def shifted(row: Floats, by: int) -> Floats:
    """Move a series `by` days later (earlier when negative); what comes in from outside is missing.

    >>> shifted(np.array([1.0, 2.0, 3.0]), 1).tolist(), shifted(np.array([1.0, 2.0, 3.0]), -2).tolist()
    ([nan, 1.0, 2.0], [3.0, nan, nan])
    """
    moved = np.full_like(row, np.nan)
    days = len(row)
    if abs(by) < days:
        moved[max(by, 0) : days + min(by, 0)] = row[max(-by, 0) : days - max(by, 0)]
    return moved


def cross_correlations(series: Floats, *, lags: int) -> Correlations:
    """Correlate every series with every other, 0 to `lags` days later, over the days on which both are there.

    r = sum x_(t-k) y_t / sqrt(sum x_(t-k)² sum y_t²), sums over those days; 0 where a series does not vary.

    >>> x = np.array([0.0, 1.0, -1.0, 0.0, 1.0, -1.0, 0.0])
    >>> found = cross_correlations(np.array([x, np.roll(x, 1)]), lags=1)
    >>> found.r[1].round(2).tolist(), found.days[1, 0, 1]
    ([[-0.5, 1.0], [-0.29, -0.58]], np.float64(6.0))
    """
    total = series.shape[1]
    there = np.isfinite(series).astype(np.float64)
    filled = np.where(there > 0.0, series, 0.0)
    squares = filled**2
    r, days = [], []
    for lag in range(lags + 1):
        then, now = slice(0, max(total - lag, 0)), slice(lag, total)
        scale = np.sqrt((squares[:, then] @ there[:, now].T) * (there[:, then] @ squares[:, now].T))
        products = filled[:, then] @ filled[:, now].T
        r.append(np.where(scale > 0.0, products / np.where(scale > 0.0, scale, 1.0), 0.0))
        days.append(there[:, then] @ there[:, now].T)
    return Correlations(r=np.array(r), days=np.array(days))


def chance_of(r: float, *, freedom: float) -> float:
    """Give the chance of a correlation at least this strong, either way, between series that have none.

    p = P(F(1, d) > d r² / (1 - r²)), d = `freedom`; 1 with less than one degree of freedom.

    >>> round(chance_of(0.5, freedom=30), 4), chance_of(0.9, freedom=0.5)
    (0.0035, 1.0)
    """
    square = min(r * r, _ALMOST_ONE)
    return f_survival(square / (1.0 - square) * freedom, between=1, within=int(freedom))


def chances_of(r: Floats, *, freedom: Floats) -> Floats:
    """Give `chance_of` of many correlations at once.

    >>> chances_of(np.array([0.5, 0.9]), freedom=np.array([30.0, 0.5])).round(4).tolist()
    [0.0035, 1.0]
    """
    square = np.minimum(r * r, _ALMOST_ONE)
    return f_survivals(square / (1.0 - square) * freedom, between=1, within=np.trunc(freedom))


def interval(r: float, *, freedom: float) -> tuple[float, float]:
    """Give the 95 % interval of a correlation (Fisher): tanh(atanh r +- 1.96 / sqrt(d - 1)).

    >>> tuple(round(end, 2) for end in interval(0.6, freedom=50))
    (0.39, 0.75)
    """
    centre = math.atanh(max(-_ALMOST_ONE, min(_ALMOST_ONE, r)))
    reach = 1.96 / math.sqrt(max(freedom - 1.0, 1.0))
    return math.tanh(centre - reach), math.tanh(centre + reach)


def partial(first: Floats, second: Floats, *, given: list[Floats]) -> tuple[float, int]:
    """Correlate two series cleared of the given ones, over the days that all of them have; and those days.

    >>> third = np.array([np.sin(3.7 * day * day) for day in range(90)])
    >>> one = third + np.cos(1.3 * np.arange(90.0) ** 2)
    >>> two = third + np.cos(2.1 * np.arange(90.0) ** 2)
    >>> round(partial(one, two, given=[])[0], 1), abs(partial(one, two, given=[third])[0]) < 0.2
    (0.5, True)
    """
    columns = np.array([first, second, *given])
    whole = columns[:, np.isfinite(columns).all(axis=0)]
    count = whole.shape[1]
    if count <= len(columns):
        return 0.0, count
    design = np.vstack([np.ones((1, count)), whole[2:]]).T
    left = whole[:2].T - design @ np.linalg.lstsq(design, whole[:2].T, rcond=None)[0]
    scale = float(np.sqrt((left[:, 0] ** 2).sum() * (left[:, 1] ** 2).sum()))
    return (float(left[:, 0] @ left[:, 1]) / scale if scale > 1e-9 * count else 0.0), count

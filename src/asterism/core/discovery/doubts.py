"""Does a correlation speak of many days, or of a few that fell together?

A test of correlation trusts its own p when every day has a say. Three kinds of diaries break that: events that are
rare, a level that changes once, a spell of odd days. Any two of them that happen to meet look linked beyond doubt, and
in a diary of many stars some always meet.

1. Lopsided series: of two series that are both far out on one side, chance gives strong correlations of that sign
   more often than the test assumes. The skewness of r among shuffled days is s = skew x skew / sqrt(n), and the
   strength found is brought back to the scale of the test by it (Wilson and Hilferty's root of a gamma).
2. Few days: without the four days that speak most for it a link must still be one (p <= .05, the same sign).
3. Odd spells: where both are far out on three days or more, all within three weeks, the link must be ten times
   less likely without these days than every link has to be. Far out is 2.5 standard deviations, by the median distance
   from the median, which spells hardly move.
4. Level changes: what a day is apart from the days around it, its own value less the median of nine told days with it
   in the middle, knows nothing of levels and long spells. The link must be there as well: the same sign and p <= .001,
   or .005 where one of the two keeps most of its variance in that, and so has no levels to speak of.
"""

from __future__ import annotations

import math

import numpy as np

from asterism.core.discovery.aligned import chances_of
from asterism.core.ledger.columns import Bools, Floats, Rows
from asterism.core.statistics.series import as_matrix

MOST_TELLING = 4  # days that a link must do without
_LIKELY = 0.05  # p that is told of by nobody, however lopsided
_LEAST_LEAN = 0.02  # below it nothing changes
_AROUND = 4  # told days on either side
_FAR_OUT = 2.5  # standard deviations
_MAD = 1.4826  # median distances from the median in a standard deviation


def apart_from_usual(row: Floats) -> int:
    """Count the told days on which a series is not at its most common value.

    >>> apart_from_usual(np.array([0.0, 0.0, 1.0, np.nan, 0.0, 2.0])), apart_from_usual(np.array([np.nan]))
    (2, 0)
    """
    told = row[np.isfinite(row)]
    return len(told) - int(np.unique(told, return_counts=True)[1].max(initial=0))


def apart_from_around(values: Floats) -> Floats:
    """Give each told value less the median of the told days around it, as many before as after, at most four.

    A level that changes, and whatever only rises or only falls, leaves nothing.

    >>> apart_from_around(np.array([[1.0, 1.0, 1.0, 5.0, 5.0, np.nan, 6.0, 9.0, 9.0]])).tolist()
    [[0.0, 0.0, 0.0, 0.0, 0.0, nan, 0.0, 0.0, 0.0]]
    >>> apart_from_around(np.array([[1.0, 4.0, 2.0]])).tolist()
    [[0.0, 2.0, 0.0]]
    """
    left = as_matrix(values).copy()
    for row in left:
        days = np.flatnonzero(np.isfinite(row))
        told = row[days]
        place = np.arange(len(told))
        reach = np.minimum(_AROUND, np.minimum(place, place[::-1]))
        for k in range(1, _AROUND + 1):
            here = np.flatnonzero(reach == k)
            window = here[:, None] + np.arange(-k, k + 1)
            row[days[here]] -= np.median(told[window], axis=1)
        row[days[reach == 0]] = 0.0
    return left


def steadiness(clean: Floats) -> Floats:
    """Tell what share of each series' variance is there day by day: little where levels change or spells last.

    var(apart from around) / var, 0 for a series that does not vary.

    >>> level = (np.arange(60) >= 30) + 0.1 * np.sin(np.arange(60.0) ** 2)
    >>> steadiness(np.array([level, np.sin(np.arange(60.0) ** 2), np.ones(60)])).round(1).tolist()
    [0.0, 0.9, 0.0]
    """
    whole, daily = _variance(clean), _variance(apart_from_around(clean))
    return np.where(whole > 0.0, daily / np.where(whole > 0.0, whole, 1.0), 0.0)


def _variance(series: Floats) -> Floats:
    there = np.isfinite(series)
    count = np.maximum(there.sum(axis=1), 1)
    mean = np.where(there, series, 0.0).sum(axis=1) / count
    return np.asarray(np.where(there, (series - mean[:, None]) ** 2, 0.0).sum(axis=1) / count)


def far_out(clean: Floats) -> Bools:
    """Mark the days on which a series is far from its usual, and the told day after each: it is news of both.

    Nothing is marked of a series that is mostly at one value: it has no usual distance.

    >>> far_out(np.array([[0.0, 1.0, -1.0, 9.0, np.nan, 0.5, -0.5, 1.0]])).astype(int).tolist()
    [[0, 0, 0, 1, 0, 1, 0, 0]]
    """
    out = np.zeros(clean.shape, dtype=bool)
    for row, values in enumerate(clean):
        days = np.flatnonzero(np.isfinite(values))
        apart = np.abs(values[days] - np.median(values[days])) if len(days) else values[days]
        usual = _MAD * float(np.median(apart)) if len(days) else 0.0
        if usual > 0.0:
            far = apart > _FAR_OUT * usual
            out[row, days] = far | np.concatenate([[False], far[:-1]])
    return out


def leans(series: Floats, *, lags: int) -> Floats:
    """Tell how lopsided chance correlations of every pair are, [lag, leader, follower]: 0 where either is even.

    s = skew x skew / sqrt(n), over the n days on which both are there.

    >>> rare = np.where(np.arange(60) % 12 == 5, 1.0, 0.0)
    >>> leans(np.array([rare, np.sin(np.arange(60.0))]), lags=0)[0, 0].round(1).tolist()
    [1.2, -0.0]
    """
    total = series.shape[1]
    there = np.isfinite(series).astype(np.float64)
    powers = [np.where(there > 0.0, series, 0.0) ** power for power in (1, 2, 3)]
    found = []
    for lag in range(lags + 1):
        then, now = slice(0, max(total - lag, 0)), slice(lag, total)
        days = np.maximum(there[:, then] @ there[:, now].T, 1.0)
        leader = _skewness(*(power[:, then] @ there[:, now].T / days for power in powers))
        follower = _skewness(*(there[:, then] @ power[:, now].T / days for power in powers))
        found.append(leader * follower / np.sqrt(days))
    return np.array(found)


def _skewness(mean: Floats, square: Floats, cube: Floats) -> Floats:
    """Give the skewness that the means of first, second and third powers tell; 0 where nothing varies."""
    spread = np.sqrt(np.maximum(square - mean**2, 0.0))
    varies = spread > 1e-6
    return np.where(varies, (cube - 3.0 * mean * square + 2.0 * mean**3) / np.where(varies, spread, 1.0) ** 3, 0.0)


def lopsided_chances(r: Floats, lean: Floats, *, freedom: Floats) -> Floats:
    """Give the chance of correlations between series that may both be far out on one side (`leans`).

    z = |r| sqrt(d) becomes 6 / s ((s z / 2 + 1)^(1/3) - 1) + s / 6 where s, towards the sign of r, is above 0.

    >>> lopsided_chances(np.array([0.5, 0.5]), np.array([0.0, 1.0]), freedom=np.array([50.0, 50.0])).round(4).tolist()
    [0.0002, 0.0076]
    """
    found = chances_of(r, freedom=freedom)
    towards = np.where(r < 0.0, -lean, lean)
    some = np.flatnonzero((found <= _LIKELY) & (towards >= _LEAST_LEAN))
    s, root = towards[some], np.sqrt(freedom[some])
    z = 6.0 / s * (np.cbrt(s * np.abs(r[some]) * root / 2.0 + 1.0) - 1.0) + s / 6.0
    found[some] = np.maximum(found[some], chances_of(np.minimum(z / root, 1.0), freedom=freedom[some]))
    return found


def without_most_telling(r: float, first: Floats, second: Floats) -> float:
    """Correlate again without the days whose product speaks most for the sign of r; 0 when nothing varies then.

    >>> rare = np.where(np.isin(np.arange(60), [5, 17, 40]), 1.0, 0.0)
    >>> without_most_telling(1.0, rare, rare)
    0.0
    """
    products = first * second * math.copysign(1.0, r)
    days = np.flatnonzero(np.isfinite(products))
    return _correlation(first, second, days[np.argsort(products[days], kind="stable")][:-MOST_TELLING])


def without_days(first: Floats, second: Floats, left_out: Rows) -> float:
    """Correlate again without some days; 0 when nothing varies then.

    >>> spell = np.where(np.arange(60) < 9, 5.0, np.sin(np.arange(60.0) ** 2))
    >>> other = np.where(np.arange(60) < 9, 5.0, np.cos(np.arange(60.0) ** 2))
    >>> [round(without_days(spell, other, np.arange(days)), 2) for days in (0, 9)]
    [0.88, 0.0]
    """
    days = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
    return _correlation(first, second, np.setdiff1d(days, left_out))


def _correlation(first: Floats, second: Floats, days: Rows) -> float:
    if not len(days):
        return 0.0
    one, other = (row[days] - row[days].mean() for row in (first, second))
    scale = math.sqrt(float(one @ one) * float(other @ other))
    return float(one @ other) / scale if scale > 1e-9 * len(days) else 0.0

"""Does a correlation speak of many days, or of a few that fell together?

A test of correlation trusts its own p when every day has a say. Three kinds of diaries break that: events that are
rare, a level that changes once, a spell of odd days. Any two of them that happen to meet look linked beyond doubt.

1. Lopsided series: of two series that are both far out on one side, chance gives strong correlations of that sign
   more often than the test assumes. The skewness of r among shuffled days is s = skew x skew / sqrt(n), and the
   strength found is brought back to the scale of the test by it (Wilson and Hilferty's root of a gamma).
2. Few days: without the four days that speak most for it a link must still be one (p <= .05, the same sign).
3. Level changes: what a day is apart from the days around it, its own value less the median of nine told days with it
   in the middle, knows nothing of levels and long spells. The link must be there as well (p <= .001, the same sign).
"""

from __future__ import annotations

import math

import numpy as np

from asterism.core.discovery.aligned import chance_of
from asterism.core.ledger.columns import Floats
from asterism.core.statistics.series import as_matrix

MOST_TELLING = 4  # days that a link must do without
_LIKELY = 0.05  # p that is told of by nobody, however lopsided
_AROUND = 4  # told days on either side


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
        last = len(told) - 1
        reach = [min(_AROUND, place, last - place) for place in range(len(told))]
        row[days] = told - [np.median(told[place - k : place + k + 1]) for place, k in enumerate(reach)]
    return left


def lopsided_chance(r: float, first: Floats, second: Floats, *, freedom: float) -> float:
    """Give the chance of a correlation between two series that may both be far out on one side.

    z = |r| sqrt(d) becomes 6 / s ((s z / 2 + 1)^(1/3) - 1) + s / 6 where s, towards the sign of r, is above 0.

    >>> even = np.sin(np.arange(60.0) ** 2)
    >>> rare = np.where(np.arange(60) % 12 == 5, 1.0, 0.0)
    >>> lopsided_chance(0.5, even, even, freedom=50) == chance_of(0.5, freedom=50)
    True
    >>> round(chance_of(0.5, freedom=50), 4), round(lopsided_chance(0.5, rare, rare, freedom=50), 4)
    (0.0002, 0.0096)
    """
    plain = chance_of(r, freedom=freedom)
    if plain > _LIKELY:
        return plain
    both = np.isfinite(first) & np.isfinite(second)
    lean = _skewness(first[both]) * _skewness(second[both]) / math.sqrt(max(int(both.sum()), 1))
    lean = math.copysign(lean, lean * r)
    if lean < 0.02:
        return plain
    z = abs(r) * math.sqrt(freedom)
    z = 6.0 / lean * ((lean * z / 2.0 + 1.0) ** (1.0 / 3.0) - 1.0) + lean / 6.0
    return max(plain, chance_of(min(z / math.sqrt(freedom), 1.0), freedom=freedom))


def _skewness(values: Floats) -> float:
    apart = values - values.mean() if len(values) else values
    spread = math.sqrt(float((apart**2).mean())) if len(values) else 0.0
    return float((apart**3).mean()) / spread**3 if spread > 0.0 else 0.0


def without_most_telling(r: float, first: Floats, second: Floats) -> float:
    """Correlate again without the days whose product speaks most for the sign of r; 0 when nothing varies then.

    >>> rare = np.where(np.isin(np.arange(60), [5, 17, 40]), 1.0, 0.0)
    >>> without_most_telling(1.0, rare, rare)
    0.0
    """
    products = first * second * math.copysign(1.0, r)
    days = np.flatnonzero(np.isfinite(products))
    kept = days[np.argsort(products[days], kind="stable")][:-MOST_TELLING]
    if not len(kept):
        return 0.0
    one, other = (row[kept] - row[kept].mean() for row in (first, second))
    scale = math.sqrt(float(one @ one) * float(other @ other))
    return float(one @ other) / scale if scale > 1e-9 * len(kept) else 0.0

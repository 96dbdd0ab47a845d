"""What is left of a diary's series when mostly news remains: no weekday rhythm, no trend, little own memory.

Two stars that both dip at weekends, both rise over the months, or both drift slowly, look linked and are not.

1. Rhythm and trend: least squares of each series on a level for each weekday, a slope and a bow, over the days
   on which it was told.
2. Own memory: what stays is read as x_t = f x_(t-1) + news. After a gap of k days the last value seen is worth
   f^k, so what a day adds, scaled to one size, is

       u_t = (x_t - g^k x_(t-k)) / sqrt(1 - g^2k),        g = .6 f,

   and no day that was told is lost because the day before was not. Only part of the memory is taken out: two
   linked series have different memories, and taking all of either blurs what they share. The rest is paid for
   in days: two series with memories f and h tell as much as n (1 - f h) / (1 + f h) days without (`worth`).
3. Rare days: news beyond 2.5 standard deviations count as 2.5. A test of correlation trusts its own p only when no
   single day decides, and scales of real diaries are mostly at one end with few days at the other. For the same
   reason rhythm and trend are fitted again on what the first fits leave within three standard deviations.
"""

from __future__ import annotations

import numpy as np

from asterism.core.ledger.columns import Floats
from asterism.core.statistics.series import as_matrix, standardise

WEEK = 7
TERMS = WEEK + 2  # coefficients that the rhythm and the trend cost
_MOST_MEMORY = 0.9
_REFITS = 3
_TAKEN_OUT = 0.6  # of the memory found
_FARTHEST = 2.5  # standard deviations


def calendar(days: int) -> Floats:
    """Give the columns that rhythm and trend are made of: weekdays, a slope and a bow; a row a day.

    >>> calendar(8).shape, calendar(8)[7, :3].tolist()
    ((8, 9), [1.0, 0.0, 0.0])
    """
    weekday = np.eye(WEEK)[np.arange(days) % WEEK]
    course = np.linspace(-1.0, 1.0, days)
    return np.column_stack([weekday, course, course**2 - 1.0 / 3.0])


def without_rhythm_and_trend(values: Floats) -> Floats:
    """Take weekday levels, slope and bow out of each series and scale what is left; gaps stay gaps.

    x = value - (weekday level + slope + bow), by least squares over the days told; then variance 1.

    >>> week = np.tile([0.0, 1.0, 0.0, 0.0, 2.0, 5.0, 5.0], 5) + 0.1 * np.arange(35)
    >>> float(np.abs(without_rhythm_and_trend(np.array([week]))).max())
    0.0
    """
    matrix = as_matrix(values)
    design = calendar(matrix.shape[1])
    left = np.full_like(matrix, np.nan)
    for row, told in enumerate(np.isfinite(matrix)):
        known = matrix[row, told]
        rest = _rest(known, design[told])
        # What least squares leaves of a series that the calendar explains in full is rounding.
        rounding = 1e-9 * np.abs(known).max(initial=0.0)
        left[row, told] = np.where(np.abs(rest).max(initial=0.0) > rounding, rest, 0.0)
    return standardise(left)


def _rest(known: Floats, design: Floats) -> Floats:
    """Give what least squares leaves, of fits in which no day counts beyond three standard deviations."""
    within = known
    fitted = design @ np.linalg.lstsq(design, within, rcond=None)[0]
    for _ in range(_REFITS if len(known) else 0):
        reach = 3.0 * (within - fitted).std()
        within = np.clip(known, fitted - reach, fitted + reach)
        fitted = design @ np.linalg.lstsq(design, within, rcond=None)[0]
    return known - fitted


def memory_of(row: Floats) -> float:
    """Estimate how much of a day's value stays the next day, from the pairs of successive days both told.

    f = sum x_t x_(t-1) / sum x², plus (1 + 4 f) / n for what cleaning and few days take from it; within 0 and .9.

    >>> round(memory_of(np.sin(np.arange(80.0) / 3)), 1)
    0.9
    >>> memory_of(np.array([1.0, np.nan, -1.0]))
    0.0
    """
    before, after = row[:-1], row[1:]
    both = np.isfinite(before) & np.isfinite(after)
    power = float((before[both] ** 2).sum() + (after[both] ** 2).sum()) / 2.0
    if power == 0.0:
        return 0.0
    raw = float(before[both] @ after[both]) / power
    return float(np.clip(raw + (1.0 + 4.0 * raw) / int(both.sum()), 0.0, _MOST_MEMORY))


def news(clean: Floats) -> Floats:
    """Give what each day adds to what the series' own past let one expect, on one scale; gaps stay gaps.

    u_t = (x_t - g^k x_(t-k)) / sqrt(1 - g^2k), k days since the last value, g = .6 f; the first value is news
    itself; then variance 1, cut at 2.5.

    >>> slow = np.repeat(np.cos(1.3 * np.arange(40.0) ** 2), 2)
    >>> round(memory_of(slow), 1), round(memory_of(news(np.array([slow]))[0]), 1)
    (0.5, 0.2)
    """
    fresh = clean.copy()
    for row, values in enumerate(clean):
        days = np.flatnonzero(np.isfinite(values))
        kept = (_TAKEN_OUT * memory_of(values)) ** np.diff(days)
        fresh[row, days[1:]] = (values[days[1:]] - kept * values[days[:-1]]) / np.sqrt(1.0 - kept**2)
    for _ in range(_REFITS):  # a day far out widens the scale that it is judged by
        fresh = np.clip(standardise(fresh), -_FARTHEST, _FARTHEST)
    return standardise(fresh)


def worth(fresh: Floats) -> Floats:
    """Tell what a day of each pair is worth, beside one of two series without memory.

    (1 - f h) / (1 + f h) for memories f and h: the variance of a correlation of such series (Bartlett).

    >>> slow = np.sin(np.arange(80.0) / 3)
    >>> worth(np.array([slow, np.cos(1.3 * np.arange(80.0) ** 2)])).round(1).tolist()
    [[0.1, 1.0], [1.0, 1.0]]
    """
    memories = np.array([memory_of(row) for row in fresh])
    both = np.outer(memories, memories)
    return np.asarray((1.0 - both) / (1.0 + both))

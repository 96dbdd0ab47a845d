"""What a matrix of series (one row each, one column a step) needs before any test looks at it.

A missing value is NaN. A fit that needs a step takes it only when the whole step, and the whole past the
fit looks at, is present; so a run of NaN columns between days keeps every test within a day.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Floats
from asterism.errors import InputError

FACTOR_MIN_SERIES = 10  # below this a shared factor cannot be told from a few strong links
FACTOR_MIN_SHARE = 0.5  # a factor is common when it carries most of the variance of the whole matrix


def as_matrix(series: Floats) -> Floats:
    """Give the series as a float matrix of series x steps, or say why that cannot be.

    >>> as_matrix(np.array([[1, 2, 3]])).shape
    (1, 3)
    """
    try:
        matrix = np.asarray(series, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        matrix = np.empty(0)
    if matrix.ndim != 2:
        raise InputError(
            f"the series form {matrix.ndim} dimension(s) of numbers, not 2",
            code="bad_series",
            hint="give a matrix with one row a series and one column a step",
        )
    return matrix


def standardise(series: Floats) -> Floats:
    """Give every series mean 0 and standard deviation 1; a constant series becomes 0 and can link to nothing.

    z = (x - mean) / sd, over the values present.

    >>> standardise(np.array([[1.0, 2.0, 3.0], [5.0, 5.0, 5.0]])).round(2).tolist()
    [[-1.22, 0.0, 1.22], [0.0, 0.0, 0.0]]
    """
    matrix = as_matrix(series)
    present = np.isfinite(matrix)
    count = np.maximum(present.sum(axis=1, keepdims=True), 1)
    centred = matrix - np.where(present, matrix, 0.0).sum(axis=1, keepdims=True) / count
    spread = np.sqrt(np.where(present, centred**2, 0.0).sum(axis=1, keepdims=True) / count)
    # A sum of equal floats is not exactly their multiple: below this share of the size it is rounding, not
    # spread.
    rounding = 1e-12 * np.abs(np.where(present, matrix, 0.0)).max(axis=1, keepdims=True, initial=0.0)
    varies = spread > rounding
    return np.where(present, np.where(varies, centred / np.where(varies, spread, 1.0), 0.0), np.nan)


def whole_steps(series: Floats, *, lags: int) -> NDArray[np.intp]:
    """Find the steps that are present in every series together with the `lags` steps before them.

    >>> gap = np.array([[1.0, 2.0, np.nan, 3.0, 4.0, 5.0]])
    >>> whole_steps(gap, lags=1).tolist(), whole_steps(gap, lags=2).tolist()
    ([1, 4, 5], [5])
    """
    present = np.asarray(np.isfinite(series).all(axis=0))
    steps = np.arange(lags, series.shape[1])
    whole = np.ones(len(steps), dtype=bool)
    for lag in range(lags + 1):
        whole &= present[steps - lag]
    return steps[whole]


def without_common_factor(series: Floats) -> tuple[Floats, float]:
    """Take out the one factor that moves everything, if there is one; give the rest and the factor's share.

    The factor f is the first principal component over time; what stays of series i is x_i - (x_i . f) f. It
    is taken out when at least 10 series share more than half of their total variance, otherwise nothing
    changes: in a market or in a mood, what everything follows at once is no link between two of its parts.

    >>> time = np.arange(200.0)
    >>> market = np.sin(time / 7)
    >>> own = np.array([np.sin(time * (0.5 + row / 9)) for row in range(12)])
    >>> left, share = without_common_factor(standardise(3 * market + own))
    >>> bool(share > 0.8), bool(abs(np.corrcoef(left)[0, 1]) < 0.2)
    (True, True)
    """
    steps = whole_steps(series, lags=0)
    if len(series) < FACTOR_MIN_SERIES or len(steps) <= len(series):
        return series, 0.0
    whole = series[:, steps]
    _, singular, over_time = np.linalg.svd(whole, full_matrices=False)
    total = float((singular**2).sum())
    share = float(singular[0] ** 2) / total if total > 0.0 else 0.0
    if share <= FACTOR_MIN_SHARE:
        return series, 0.0
    factor = over_time[0]
    rest = np.full_like(series, np.nan)
    rest[:, steps] = whole - np.outer(whole @ factor, factor)
    return standardise(rest), share

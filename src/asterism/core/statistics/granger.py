"""Granger F-tests in plain numpy: does the past of one series help to predict another?

Theory of operation. Two least-squares fits of the effect are compared: one on its own past (and, in the
conditional form, on the past of every other series), one that may also use the past of the cause. With q
extra regressors, m regressors in the larger fit and n usable steps,

    F = ((RSS_small - RSS_large) / q) / (RSS_large / (n - m)),

and p is the upper tail of the F distribution with (q, n - m) degrees of freedom, computed here from the
regularised incomplete beta function, so nothing beyond numpy is needed at run time.

A step that holds a missing value (NaN) is left out of every fit that would need it: put NaN between days
and no test looks across a night. Spec 01-connections, "Type", D11.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Floats
from asterism.core.statistics.series import as_matrix, whole_steps
from asterism.errors import InputError

_TINY = 1e-300  # keeps Lentz's continued fraction away from a division by zero
_STEPS = 2000  # it needs about the square root of the degrees of freedom
_EPSILON = 1e-15
_ROUNDING = 1e-20  # residual, as a share of the target's sum of squares, that is rounding and not noise


Numbers = TypeVar("Numbers", float, Floats)  # a formula means the same for a number and for a column


class Lentz(NamedTuple, Generic[Numbers]):
    """A continued fraction on the way: its two running ratios and the value so far."""

    c: Numbers
    d: Numbers
    value: Numbers


@dataclass(frozen=True, slots=True)
class GrangerResult:
    """One test: statistic `f`, tail probability `p`, the `lags` used and the `n` steps it could use."""

    f: float
    p: float
    lags: int
    n: int


@dataclass(frozen=True, slots=True)
class Pairwise:
    """Tests of many ordered pairs at once; `f` and `p` are indexed alike, `n` counts the usable steps."""

    f: Floats
    p: Floats
    lags: int
    n: int


def _beta_step(m: int, x: Numbers, a: Numbers, b: Numbers, lentz: Lentz[Numbers]) -> Lentz[Numbers]:
    """Take a step of Lentz's recurrence for the continued fraction of the incomplete beta function."""
    c, d, value = lentz
    even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
    odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    for term in (even, odd):
        d = 1.0 / _away_from_zero(1.0 + term * d)
        c = _away_from_zero(1.0 + term / c)
        value = value * (c * d)
    return Lentz(c, d, value)


def _away_from_zero(value: Numbers) -> Numbers:
    return value + (abs(value) <= _TINY) * _TINY


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction by Lentz's recurrence."""
    d = 1.0 / max(1.0 - (a + b) * x / (a + 1.0), _TINY)
    lentz = Lentz(1.0, d, d)
    for m in range(1, _STEPS):
        lentz = _beta_step(m, x, a, b, lentz)
        if abs(lentz.c * lentz.d - 1.0) < _EPSILON:
            break
    return lentz.value


def _beta_fractions(x: Floats, a: Floats, b: Floats) -> Floats:
    """Evaluate many at once; each stops where it would by itself, and is the same to the last bit."""
    d = 1.0 / np.maximum(1.0 - (a + b) * x / (a + 1.0), _TINY)
    lentz = Lentz(np.ones_like(d), d, d)
    found, left = d.copy(), np.arange(len(d))
    for m in range(1, _STEPS):
        lentz = _beta_step(m, x, a, b, lentz)
        found[left] = lentz.value
        on = np.abs(lentz.c * lentz.d - 1.0) >= _EPSILON
        if not on.any():
            break
        left, x, a, b = left[on], x[on], a[on], b[on]
        lentz = Lentz(*(each[on] for each in lentz))
    return found


def _beta_regularised(x: float, a: float, b: float) -> float:
    """Give I_x(a, b), choosing the side on which the continued fraction converges fast."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = math.exp(_log_front(x, a, b))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(x, a, b) / a
    return 1.0 - front * _beta_fraction(1.0 - x, b, a) / b


def _log_front(x: float, a: float, b: float) -> float:
    return math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)


def f_survival(f: float, *, between: int, within: int) -> float:
    """Give the chance of an F statistic at least this large when there is no effect.

    P(F > f) = I_{d2 / (d2 + d1 f)}(d2 / 2, d1 / 2), with d1 = `between` and d2 = `within` degrees of freedom.

    >>> round(f_survival(4.0, between=2, within=30), 6)
    0.028845
    >>> f_survival(0.0, between=3, within=10)
    1.0

    Spec 01-connections, "Type", D11.
    """
    if math.isnan(f) or between < 1 or within < 1:
        return 1.0
    if f <= 0.0:
        return 1.0
    return _beta_regularised(within / (within + between * f), within / 2.0, between / 2.0)


def f_survivals(f: Floats, *, between: int, within: Floats) -> Floats:
    """Give `f_survival` of many statistics at once, to the last bit; `within` may differ from one to the next.

    >>> f_survivals(np.array([4.0, 0.0]), between=2, within=np.array([30.0, 30.0])).round(6).tolist()
    [0.028845, 1.0]
    """
    found = np.ones_like(f)
    told = np.flatnonzero((f > 0.0) & (within >= 1.0))
    a, b = within[told] / 2.0, np.full(len(told), between / 2.0)
    with np.errstate(over="ignore"):  # the largest of all statistics have no chance
        x = within[told] / (within[told] + between * f[told])
    found[told] = np.where(x <= 0.0, 0.0, 1.0)
    inside = (x > 0.0) & (x < 1.0)
    told, x, a, b = told[inside], x[inside], a[inside], b[inside]
    # math's own functions: numpy's may differ from them, and from machine to machine, in the last bit
    front = np.array([math.exp(_log_front(*each)) for each in zip(x.tolist(), a.tolist(), b.tolist(), strict=True)])
    near = x < (a + 1.0) / (a + b + 2.0)
    fractions = _beta_fractions(np.where(near, x, 1.0 - x), np.where(near, a, b), np.where(near, b, a))
    found[told] = np.where(near, front * fractions / a, 1.0 - front * fractions / b)
    return found


def discovery_limit(p: Floats, *, rate: float) -> float:
    """Give the largest p that Benjamini-Hochberg accepts at this false discovery rate, 0 when none is.

    p_(k) <= rate k / m for the k-th smallest of m.

    >>> discovery_limit(np.array([0.001, 0.02, 0.04, 0.9]), rate=0.05)
    0.02
    """
    ordered = np.sort(p)
    passed = np.flatnonzero(ordered <= rate * np.arange(1, len(ordered) + 1) / max(len(ordered), 1))
    return float(ordered[passed[-1]]) if len(passed) else 0.0


def residual_sums(targets: Floats, design: Floats) -> Floats:
    """Give the residual sum of squares of each target column after least squares on the design.

    >>> residual_sums(np.array([[1.0], [2.0], [4.0]]), np.ones((3, 1))).round(3).tolist()
    [4.667]
    """
    coefficients = np.linalg.lstsq(design, targets, rcond=None)[0]
    left = targets - design @ coefficients
    return np.asarray(np.einsum("ij,ij->j", left, left))


def _lag_block(rows: Floats, *, steps: NDArray[np.intp], lags: int) -> Floats:
    """Stack the lagged copies of the rows as columns: series by series, lag 1 first."""
    stacked = np.stack([rows[:, steps - lag] for lag in range(1, lags + 1)], axis=1)
    return np.asarray(stacked.reshape(-1, len(steps)).T)


def _checked(series: Floats, *, lags: int) -> Floats:
    if lags < 1:
        raise InputError(f"lags is {lags}", code="bad_lags", item="lags", hint="look back at least 1 step")
    return as_matrix(series)


def _statistic(small: Floats, large: Floats, *, power: Floats, extra: int, within: int) -> tuple[Floats, Floats]:
    """Turn residual sums into F and p; where the small fit leaves only rounding, nothing is explained."""
    gain = np.where(small > _ROUNDING * power, np.maximum(small - large, 0.0), 0.0)
    with np.errstate(divide="ignore"):
        f = np.divide(gain * within, large * extra, out=np.zeros_like(gain), where=gain > 0.0)
    p = f_survivals(f.ravel(), between=extra, within=np.full(f.size, float(within)))
    return np.asarray(f), p.reshape(f.shape)


def granger(cause: Floats, effect: Floats, *, lags: int) -> GrangerResult:
    """Test whether the past of `cause` helps to predict `effect` beyond the effect's own past.

    F = ((RSS_own - RSS_both) / lags) / (RSS_both / (n - 2 lags - 1)).

    >>> rise = np.array([0.0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0])
    >>> late = np.roll(rise, 1) + np.array([0.1, -0.1] * 8)
    >>> test = granger(rise, late, lags=1)
    >>> test.n, test.p < 1e-6
    (15, True)

    Spec 01-connections, "Type", D11.
    """
    pair = np.vstack([np.asarray(cause, dtype=np.float64), np.asarray(effect, dtype=np.float64)])
    result = granger_pairs(pair, causes=[0], effects=[1], lags=lags)
    return GrangerResult(f=float(result.f[0]), p=float(result.p[0]), lags=lags, n=result.n)


def granger_pairs(series: Floats, *, causes: Sequence[int], effects: Sequence[int], lags: int) -> Pairwise:
    """Test many ordered pairs, each by itself, over the steps that are whole in the whole matrix.

    The own-past fit is made once per effect: F as in `granger`, entry k for (causes[k], effects[k]).

    >>> rise = np.array([0.0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0])
    >>> both = np.vstack([rise, np.roll(rise, 1) + np.array([0.1, -0.1] * 8)])
    >>> result = granger_pairs(both, causes=[0, 1], effects=[1, 0], lags=1)
    >>> bool(result.p[0] < 1e-6), bool(result.p[1] > 0.1)
    (True, True)

    Spec 01-connections, "Type", D11.
    """
    series = _checked(series, lags=lags)
    if len(causes) != len(effects):
        raise InputError(
            f"{len(causes)} causes and {len(effects)} effects do not pair up",
            code="bad_pairs",
            hint="give one effect for each cause",
        )
    steps = whole_steps(series, lags=lags)
    count = len(steps)
    within = count - 2 * lags - 1
    if within < 1:
        return Pairwise(f=np.zeros(len(causes)), p=np.ones(len(causes)), lags=lags, n=count)
    ones = np.ones((count, 1))
    past = [_lag_block(row[None, :], steps=steps, lags=lags) for row in series]
    small: dict[int, float] = {}
    small_sums, large_sums, powers = [], [], []
    for cause, effect in zip(causes, effects, strict=True):
        target = series[effect, steps][:, None]
        if effect not in small:
            small[effect] = float(residual_sums(target, np.hstack([ones, past[effect]]))[0])
        both = np.hstack([ones, past[effect], past[cause]])
        powers.append(float((target**2).sum()))
        small_sums.append(small[effect])
        large_sums.append(float(residual_sums(target, both)[0]))
    f, p = _statistic(np.array(small_sums), np.array(large_sums), power=np.array(powers), extra=lags, within=within)
    return Pairwise(f=f, p=p, lags=lags, n=count)


def granger_conditional(series: Floats, *, lags: int) -> Pairwise:
    """Test every source given the past of all the others; entry [cause, effect] of n x n matrices.

    F = ((RSS_without - RSS_all) / lags) / (RSS_all / (n - k lags - 1)) for k series; the diagonal is no test.

    >>> rise = np.array([0.0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0])
    >>> both = np.vstack([rise, np.roll(rise, 1) + np.array([0.1, -0.1] * 8)])
    >>> np.round(granger_conditional(both, lags=1).p[0, 1], 6)
    np.float64(0.0)

    Spec 01-connections, "Type", D11; 07-quality, "causal".
    """
    series = _checked(series, lags=lags)
    size = series.shape[0]
    steps = whole_steps(series, lags=lags)
    count = len(steps)
    within = count - size * lags - 1
    f, p = np.zeros((size, size)), np.ones((size, size))
    if within < 1:
        return Pairwise(f=f, p=p, lags=lags, n=count)
    design = np.hstack([np.ones((count, 1)), _lag_block(series, steps=steps, lags=lags)])
    targets = np.asarray(series[:, steps].T)
    large = residual_sums(targets, design)
    power = (targets**2).sum(axis=0)
    for cause in range(size):
        dropped = slice(1 + cause * lags, 1 + (cause + 1) * lags)
        small = residual_sums(targets, np.delete(design, dropped, axis=1))
        f[cause], p[cause] = _statistic(small, large, power=power, extra=lags, within=within)
    np.fill_diagonal(f, 0.0)
    np.fill_diagonal(p, 1.0)
    return Pairwise(f=f, p=p, lags=lags, n=count)

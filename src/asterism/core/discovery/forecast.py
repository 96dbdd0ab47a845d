"""Does knowing one series forecast another on days that the fit has not seen?

The effect is forecast from the calendar (weekday, slope, bow), from its own last value, and, in the rival
model, from the cause k days before as well. Both are ridge fits on the days before a cut, asked for the days
after it up to the next cut; the cut moves forward through the second half of the diary.

    skill = 1 - sum of squared errors with the cause / sum of squared errors without it
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from asterism.core.discovery.aligned import shifted
from asterism.core.discovery.cleaning import calendar
from asterism.core.ledger.columns import Bools, Floats

CUTS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SHRINK = 1.0  # ridge: one day's worth of prior on every standardised term
MIN_DAYS = 12  # fewer to fit on, or to judge by in all, and there is no skill to speak of


def last_told(row: Floats) -> Floats:
    """Give for each day the last value told before it, missing before the first.

    >>> last_told(np.array([np.nan, 1.0, np.nan, 3.0, 4.0])).tolist()
    [nan, nan, 1.0, 1.0, 3.0]
    """
    days = np.arange(len(row))
    newest = np.maximum.accumulate(np.where(np.isfinite(row), days, -1))
    before = np.concatenate([[-1], newest[:-1]])
    return np.where(before >= 0, row[np.maximum(before, 0)], np.nan)


def _errors(target: Floats, design: Floats, *, fit: Bools, ask: Bools) -> float:
    """Fit by ridge on some days and give the squared error on others; the mean is not shrunk."""
    centre, scale = design[fit].mean(axis=0), design[fit].std(axis=0)
    terms = (design - centre) / np.where(scale > 0.0, scale, 1.0)
    mean = target[fit].mean()
    square = terms[fit].T @ terms[fit] + SHRINK * np.eye(terms.shape[1])
    weights = np.linalg.solve(square, terms[fit].T @ (target[fit] - mean))
    return float(((target[ask] - mean - terms[ask] @ weights) ** 2).sum())


def skill(cause: Floats, effect: Floats, *, lag: int) -> float | None:
    """Tell how much better unseen days of the effect are forecast with the cause `lag` days before.

    skill = 1 - SSE with / SSE without; None when there are too few days to fit and judge.

    >>> x = np.array([np.sin(3.7 * day * day) for day in range(80)])
    >>> y = np.roll(x, 1) + 0.5 * np.cos(1.3 * np.arange(80.0) ** 2)
    >>> skill(x, y, lag=1) > 0.5 > 0.1 > skill(y, x, lag=1)
    True
    """
    days = len(effect)
    own = np.column_stack([calendar(days), last_told(effect)])
    both = np.column_stack([own, shifted(cause, lag)])
    usable = np.isfinite(effect) & np.isfinite(both).all(axis=1)
    when = np.arange(days) / max(days, 1)
    with_cause = without = 0.0
    judged = 0
    for begin, end in pairwise(CUTS):
        fit, ask = usable & (when < begin), usable & (when >= begin) & (when < end)
        if fit.sum() < MIN_DAYS or not ask.any():
            continue
        judged += int(ask.sum())
        with_cause += _errors(effect, np.where(usable[:, None], both, 0.0), fit=fit, ask=ask)
        without += _errors(effect, np.where(usable[:, None], own, 0.0), fit=fit, ask=ask)
    if judged < MIN_DAYS or without == 0.0:
        return None
    return 1.0 - with_cause / without

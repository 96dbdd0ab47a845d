"""What the seed's thresholds meet in real diaries: correlation of daily means over 30 days, and its lag in days.

Two of the seed's open questions are asked of the record itself. How often does a pair pass .5 or -.3 over 30 days,
and how often would it if the days of every item were shuffled apart? How far does the correlation between two
items reach beyond what shuffled days give, by days of lag?
"""

from __future__ import annotations

import numpy as np

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.ledger.columns import Floats
from asterism.core.statistics.series import standardise
from asterism.evals.diaries import SLOTS, Diary
from asterism.evals.report import Row

SHUFFLES = 20
LONGEST_LAG_DAYS = 5


def daily_means(series: Floats) -> Floats:
    """Give each item's mean of every day with an answer; days without one are left out.

    >>> two_days = np.full((1, 32), np.nan)
    >>> two_days[0, 1:3], two_days[0, 20] = (1.0, 3.0), 5.0
    >>> daily_means(two_days).tolist()
    [[2.0, 5.0]]
    """
    whole = np.asarray(np.isfinite(series).all(axis=0)).reshape(-1, SLOTS)
    by_day = np.where(whole, series.reshape(len(series), -1, SLOTS), 0.0).sum(axis=2)
    answers = whole.sum(axis=1)
    return np.asarray(by_day[:, answers > 0] / answers[answers > 0])


def _windowed(days: Floats, *, window: int) -> Floats:
    """Collect the correlations of all pairs over successive windows of days."""
    upper = np.triu_indices(len(days), 1)
    found = []
    for start in range(0, days.shape[1] - window + 1, window):
        z = standardise(days[:, start : start + window])
        found.append((z @ z.T / window)[upper])
    return np.concatenate(found)


def _lagged(days: Floats, *, lag: int) -> float:
    """Give the mean absolute correlation of two different items that many days apart."""
    count = days.shape[1] - lag
    first, second = standardise(days[:, :count]), standardise(days[:, lag:])
    apart = ~np.eye(len(days), dtype=bool)
    return float(np.abs(first @ second.T / count)[apart].mean())


def threshold_rows(diary: Diary, *, rng: np.random.Generator) -> list[Row]:
    """Give the share of pairs beyond the seed's thresholds, real and shuffled, and the reach in days."""
    parameters = ConnectionParameters()
    window = parameters.correlation_window
    days = daily_means(diary.series)
    if len(days) < 2 or days.shape[1] < window + LONGEST_LAG_DAYS:
        return []
    shuffled = [np.vstack([rng.permutation(row) for row in days]) for _ in range(SHUFFLES)]
    real = _windowed(days, window=window)
    chance = np.concatenate([_windowed(one, window=window) for one in shuffled])
    high, low = parameters.resonance_threshold, parameters.tension_threshold
    rows = []
    for name, where in (("", real), (", shuffled", chance)):
        above, below = float((where > high).mean()), float((where < low).mean())
        rows.append(Row(diary.group, f"{window} days r > {high:g}{name}", above, len(where)))
        rows.append(Row(diary.group, f"{window} days r < {low:g}{name}", below, len(where)))
    for lag in range(LONGEST_LAG_DAYS + 1):
        by_chance = float(np.mean([_lagged(one, lag=lag) for one in shuffled]))
        excess = _lagged(days, lag=lag) - by_chance
        rows.append(Row(diary.group, f"|r| beyond chance, {lag} days apart", excess, days.shape[1] - lag))
    return rows

"""How well does a score tell bounces from breaks? AUC by ranks, intervals by resampling, rates by band of the score."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.columns import Bools, Floats, Longs

DRAWS = 1_000
LEVEL = 0.95


class Interval(NamedTuple):
    """The middle 95 % of what resampling gives."""

    low: float
    high: float


class Ranking:
    """A score against what happened; called with a weight for each case it gives the weighted AUC.

    >>> Ranking(np.array([1.0, 2.0, 2.0, 3.0]), np.array([False, False, True, True]))(np.ones(4))
    0.875
    """

    def __init__(self, score: Floats, bounced: Bools) -> None:
        self._place = np.unique(score, return_inverse=True)[1]
        self._size = int(self._place.max(initial=-1)) + 1
        self._bounced = bounced.astype(np.float64)

    def __call__(self, weights: Floats) -> float:
        """Give the share of (bounce, break) pairs in which the bounce has the higher score; a tie is half."""
        bounces = np.bincount(self._place, weights * self._bounced, minlength=self._size)
        breaks = np.bincount(self._place, weights * (1.0 - self._bounced), minlength=self._size)
        pairs = float(bounces.sum() * breaks.sum())
        won = float(bounces @ (np.cumsum(breaks) - breaks / 2.0))
        return won / pairs if pairs > 0.0 else float("nan")


def auc(score: Floats, bounced: Bools) -> float:
    """Give the chance that a bounce scores higher than a break, ties counted half (Mann-Whitney); NaN without both.

    >>> auc(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, True, False, True]))
    0.875
    """
    return Ranking(score, bounced)(np.ones(len(score)))


def auc_within(score: Floats, bounced: Bools, strata: Longs) -> float:
    """Give the AUC over pairs that share a stratum: what the score tells beyond what the stratum tells.

    >>> score, bounced = np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, False, True, True])
    >>> auc_within(score, bounced, np.array([0, 0, 1, 1])), auc_within(score, bounced, np.array([0, 1, 0, 1]))
    (nan, 1.0)
    """
    won = pairs = 0.0
    for stratum in np.unique(strata):
        which = strata == stratum
        here = float(bounced[which].sum() * (~bounced[which]).sum())
        if here > 0.0:
            won += here * auc(score[which], bounced[which])
            pairs += here
    return won / pairs if pairs > 0.0 else float("nan")


def strata_of(values: Floats, *, parts: int) -> Longs:
    """Cut values into parts of about equal size, lowest first; equal values stay together.

    >>> strata_of(np.array([5.0, 1.0, 1.0, 9.0]), parts=2).tolist()
    [1, 0, 0, 1]
    """
    edges = np.quantile(values, np.arange(1, parts) / parts)
    return np.searchsorted(edges, values).astype(np.int64)


def interval(
    statistic: Callable[[Floats], float], blocks: Longs, *, rng: np.random.Generator, draws: int = DRAWS
) -> Interval:
    """Resample whole blocks with replacement and give the middle 95 % of a weighted statistic.

    Blocks of one case each are the plain bootstrap; coin-days as blocks keep what happens together together.
    """
    names, place = np.unique(blocks, return_inverse=True)
    found = []
    for _ in range(draws):
        drawn = np.bincount(rng.integers(0, len(names), size=len(names)), minlength=len(names))
        found.append(statistic(drawn[place].astype(np.float64)))
    tail = (1.0 - LEVEL) / 2.0
    low, high = np.nanquantile(found, [tail, 1.0 - tail])
    return Interval(float(low), float(high))


def weighted_mean(values: Floats) -> Callable[[Floats], float]:
    """Give the statistic that is the mean of some values."""
    return lambda weights: float(weights @ values / weights.sum()) if weights.sum() > 0.0 else float("nan")

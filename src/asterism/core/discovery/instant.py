"""Instant links: series tied within one step, faster than the record can resolve.

Each series first chooses its neighbours: the others join one by one, the most correlated with what is left
of it first, while that correlation is significant (p x others < .05). A pair is then tied when it is
correlated three times: as it stands, given the neighbours of the one, and given the neighbours of the
other. The plain correlation falls for a pair that shares only an effect, the conditioned ones for a pair
that shares only a cause; conditioning on the neighbours and not on everything keeps the test sharp when
there are many series and few steps. Each correlation r is turned into

    z = |atanh r| sqrt(n_eff - 3 - k),    1/n_eff = (1 + 2 sum_l (1 - l/n) a_i(l) a_j(l)) / n,

k the neighbours conditioned on, a(l) the autocorrelations: smooth series hold fewer independent steps than
they show (Bartlett). Pairs are kept at a false discovery rate of 5 % (Benjamini-Hochberg), with at least a
small effect.

Which end drives the other is not visible at this speed without further assumptions, and none is made: an
instant link goes both ways.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from asterism.core.ledger.columns import Bools, Floats
from asterism.core.statistics.granger import discovery_limit
from asterism.core.statistics.series import standardise, whole_steps

FALSE_DISCOVERY_RATE = 0.05
SMALL_EFFECT = 0.02
LEVEL = 0.05
MAX_NEIGHBOURS = 12
MIN_STEPS = 8  # fewer, and a correlation given even one neighbour has no freedom left to speak of
_ALMOST_ONE = 1.0 - 1e-12
_SPENT = 1e-8  # share of a series that must be left after conditioning for its test to mean anything


@dataclass(frozen=True, slots=True)
class Instant:
    """Matrices over pairs: is the pair tied, its p, the effect size, and do both move the same way."""

    tied: Bools
    p: Floats
    effect_size: Floats
    positive: Bools


def _effective_steps(whole: Floats) -> Floats:
    """Give for each pair how many independent steps its correlation rests on."""
    count = whole.shape[1]
    reach = min(count - 1, int(10 * math.log10(count)))
    fade = 1.0 - np.arange(1, reach + 1) / count
    memory = np.array([[float(row[lag:] @ row[: count - lag]) / count for lag in range(1, reach + 1)] for row in whole])
    stretch = 1.0 + 2.0 * (memory * fade) @ memory.T
    return np.asarray(count / np.maximum(stretch, 1.0))


def _correlations(whole: Floats, *, one: int, given: list[int]) -> Floats:
    """Correlate one series with every other, both cleared of the given series."""
    basis = np.linalg.qr(whole[given].T)[0]
    left = whole - (whole @ basis) @ basis.T
    power = np.einsum("ij,ij->i", left, left)
    usable = power > _SPENT * whole.shape[1]
    scale = np.sqrt(np.where(usable, power, 1.0))
    return np.where(usable & usable[one], (left @ left[one]) / (scale * scale[one]), 0.0)


def _two_sided(correlation: Floats, *, freedom: Floats) -> Floats:
    """Give the chance of a correlation at least this strong between series that have none."""
    strength = np.abs(np.arctanh(np.clip(correlation, -_ALMOST_ONE, _ALMOST_ONE)))
    z = strength * np.sqrt(np.maximum(freedom, 0.0))
    return np.array([math.erfc(value / math.sqrt(2.0)) for value in z])


def _choose_neighbours(whole: Floats, *, one: int, independent: Floats) -> list[int]:
    """Add neighbours one by one, the strongest first, while the strongest left is significant."""
    chosen: list[int] = []
    while len(chosen) < min(MAX_NEIGHBOURS, len(whole) - 1):
        p = _two_sided(_correlations(whole, one=one, given=chosen), freedom=independent - 3.0 - len(chosen))
        p[[one, *chosen]] = np.inf
        strongest = int(p.argmin())
        if p[strongest] * (len(whole) - 1) >= LEVEL:
            break
        chosen.append(strongest)
    return chosen


def instant_links(series: Floats) -> Instant:
    """Find the pairs tied within a step, from standardised series.

    p = the largest of the plain and the two conditioned correlations' p; r2 / (1 - r2) >= .02 for each of
    them.

    >>> first = np.array([np.sin(3.7 * step * step) for step in range(120)])
    >>> noise = np.array([np.cos(1.3 * step * step) for step in range(120)])
    >>> found = instant_links(np.vstack([first, first + noise, np.cos(2.1 * np.arange(120.0) ** 2)]))
    >>> found.tied.astype(int).tolist()
    [[0, 1, 0], [1, 0, 0], [0, 0, 0]]

    Spec 01-connections, "Type"; docs/causality.md.
    """
    size = len(series)
    whole = standardise(series[:, whole_steps(series, lags=0)])
    count = whole.shape[1]
    p = np.ones((size, size))
    weakest = np.zeros((size, size))
    positive = np.zeros((size, size), dtype=bool)
    if size < 2 or count < MIN_STEPS:
        return Instant(tied=positive.copy(), p=p, effect_size=weakest, positive=positive)
    independent = _effective_steps(whole)
    for one in range(size):
        plain = _correlations(whole, one=one, given=[])
        plain_p = _two_sided(plain, freedom=independent[one] - 3.0)
        chosen = _choose_neighbours(whole, one=one, independent=independent[one])
        strangers = [other for other in range(size) if other not in (one, *chosen)]
        # Strangers are tested given all neighbours, each neighbour given the other ones.
        for tested in [strangers, *([neighbour] for neighbour in chosen)]:
            given = [other for other in chosen if other not in tested]
            conditioned = _correlations(whole, one=one, given=given)
            conditioned_p = _two_sided(conditioned, freedom=independent[one] - 3.0 - len(given))
            p[one, tested] = np.maximum(plain_p, conditioned_p)[tested]
            weakest[one, tested] = np.minimum(plain**2, conditioned**2)[tested]
            positive[one, tested] = conditioned[tested] > 0.0
    p = np.maximum(p, p.T)
    weakest = np.minimum(weakest, weakest.T)
    effect_size = weakest / np.maximum(1.0 - weakest, 1.0 - _ALMOST_ONE)
    limit = discovery_limit(p[np.triu_indices(size, 1)], rate=FALSE_DISCOVERY_RATE)
    tied = (p <= limit) & (effect_size >= SMALL_EFFECT)
    np.fill_diagonal(tied, False)
    return Instant(tied=tied, p=p, effect_size=effect_size, positive=positive)

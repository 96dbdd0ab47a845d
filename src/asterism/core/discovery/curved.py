"""Curved links: influence that works through products of series, as in fluids and weather.

The next value of each series is fitted on the last two values of every series and on all products of pairs
of last values. The curved model is used only when it beats the straight one by the Bayesian information
criterion,

    BIC = n log(RSS / n) + m log n, summed over the series,

and explains at least a tenth of what the straight one leaves. A source is then tested by taking out every
term that holds it. Such systems are nearly free of noise, so paths of two hops within one step also pass
any significance test; a link therefore needs a large effect, Cohen's f2 >= .35, after the part that chance
alone would give is subtracted: f2 = q (F - 1) / (n - m).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from asterism.core.ledger.columns import Bools, Floats
from asterism.core.statistics.granger import f_survivals, residual_sums
from asterism.core.statistics.series import whole_steps

LEVEL = 0.05
LARGE_EFFECT = 0.35  # Cohen (1988): f2 of a large effect in a regression
MIN_GAIN = 0.1  # share of the straight model's residual that the products must explain
STEPS_PER_TERM = 2  # fewer steps than this for each term, and the products are not tried
LAGS = 2


@dataclass(frozen=True, slots=True)
class Curved:
    """Matrices [cause, effect] of the product model: is there a link, its adjusted p and effect size."""

    linked: Bools
    p: Floats
    effect_size: Floats


def curved_links(series: Floats) -> Curved | None:
    """Find who drives whom through products, or None when a straight model does as well.

    F over all terms that hold the source; linked when p x (n - 1) < .05 and f2 >= .35.

    >>> first = np.array([np.sin(3.7 * step * step) for step in range(150)])
    >>> second = np.array([np.cos(1.3 * step * step) for step in range(150)])
    >>> third = np.roll(first * second, 1) + 0.1 * np.cos(2.1 * np.arange(150.0) ** 2)
    >>> found = curved_links(np.vstack([first, second, third]))
    >>> found.linked[:, 2].tolist() if found else None
    [True, True, False]

    Spec 01-connections, "Type"; docs/causality.md.
    """
    size = len(series)
    steps = whole_steps(series, lags=LAGS)
    count = len(steps)
    left, right = np.triu_indices(size)
    straight_terms = LAGS * size + 1
    terms = straight_terms + len(left)
    if size < 2 or count < STEPS_PER_TERM * terms:
        return None
    last = series[:, steps - 1]
    blocks = [
        np.ones((1, count)),
        *(series[:, steps - lag] for lag in range(1, LAGS + 1)),
        last[left] * last[right],
    ]
    design = np.vstack(blocks).T
    targets = series[:, steps].T
    straight = np.maximum(residual_sums(targets, design[:, :straight_terms]), np.finfo(np.float64).tiny)
    curved = np.maximum(residual_sums(targets, design), np.finfo(np.float64).tiny)
    gain = count * float(np.log(straight / curved).sum())
    price = size * len(left) * float(np.log(count))
    if gain <= price or float((curved / straight).mean()) > 1.0 - MIN_GAIN:
        return None
    holds = np.zeros((size, terms), dtype=bool)
    for source in range(size):
        holds[source, 1 + source : straight_terms : size] = True
        holds[source, straight_terms:] = (left == source) | (right == source)
    p = np.ones((size, size))
    effect_size = np.zeros((size, size))
    within = count - terms
    for source in range(size):
        between = int(holds[source].sum())
        f = (residual_sums(targets, design[:, ~holds[source]]) / curved - 1.0) * within / between
        effect_size[source] = between * (f - 1.0) / within
        p[source] = f_survivals(f, between=between, within=np.full(size, float(within)))
    np.fill_diagonal(effect_size, 0.0)
    p = np.minimum(p * (size - 1), 1.0)
    np.fill_diagonal(p, 1.0)
    return Curved(linked=(p < LEVEL) & (effect_size >= LARGE_EFFECT), p=p, effect_size=effect_size)

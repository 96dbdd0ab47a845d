"""Random series in which many pairs have a driver in common and nothing else: who is called a cause of whom?

A set has 5 to 25 series and links that form no circle: every series but the first few follows one to three of
those before it in a random order, after one to three steps. Some series drive several others, so that many pairs
are related only through a third. A set is made by one of five recipes:

values   an effect follows the value of its cause; each series has a memory of its own
spread   the same, over all of the steps up to the delay instead of one
returns  an effect follows only what is new in its cause; over it lie three factors that move everything at
         once, as a market does (10 to 25 series, 1,000 to 4,000 steps)
slow     the same as values on a fine clock, smoothed and seen only now and then: delays are hidden in the step
noisy    the same as values, seen with an error: what the driver did is known only roughly

Nothing here is fitted to any data, and the same number always gives the same set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Floats

Pair = tuple[int, int]

RECIPES = ("values", "spread", "returns", "slow", "noisy")
SERIES = (5, 25)
STEPS = (200, 1000)
RETURNS_SERIES, RETURNS_STEPS = (10, 25), (1000, 4000)
DELAYS = 3
MEMORY = (0.0, 0.8)
STRENGTH = (0.4, 0.9)  # of a link, in standard deviations of the cause, where the effect's own noise is 1
MORE = 0.35  # chance that a series follows one more
HUB = 0.5  # chance that a series follows one that already drives another
NEGATIVE = 0.3
MARKET_MEMORY = 0.3
FINE = 4  # fine steps to one that is seen, in a slow set
ERROR = (0.2, 0.5)  # of a noisy set, in standard deviations of the series
_RUN_IN = 100


@dataclass(frozen=True, slots=True)
class DriverSet:
    """Series (a row each) and their true links: (cause, effect) -> delay in steps, 0 within the step."""

    number: int
    recipe: str
    series: Floats
    links: Mapping[Pair, int]


def driver_set(number: int) -> DriverSet:
    """Make the set of this number; recipes take turns.

    >>> made = driver_set(7)
    >>> made.recipe, made.series.shape, len(made.links)
    ('returns', (24, 2455), 32)
    """
    recipe = RECIPES[number % len(RECIPES)]
    rng = np.random.default_rng([number, 6])
    returns = recipe == "returns"
    size = int(rng.integers(*(RETURNS_SERIES if returns else SERIES), endpoint=True))
    steps = int(rng.integers(*(RETURNS_STEPS if returns else STEPS), endpoint=True))
    links = _plant(rng, size)
    weights = {pair: float(rng.uniform(*STRENGTH)) * (-1.0 if rng.random() < NEGATIVE else 1.0) for pair in links}
    if returns:
        series = _returns(rng, size, steps, links, weights)
    else:
        fine = FINE if recipe == "slow" else 1
        memory = rng.uniform(*MEMORY, size=size) ** (1.0 / fine)
        series = _values(rng, memory, fine * steps, links, weights, spread=recipe == "spread")
    if recipe == "slow":
        links = dict.fromkeys(links, 0)
        kernel = np.ones(2 * FINE) / (2 * FINE)
        series = np.array([np.convolve(row, kernel, mode="same")[::FINE] for row in series])
    if recipe == "noisy":
        error = rng.uniform(*ERROR, size=(size, 1)) * series.std(axis=1, keepdims=True)
        series = series + error * rng.normal(size=series.shape)
    return DriverSet(number, recipe, series, links)


def _plant(rng: np.random.Generator, size: int) -> dict[Pair, int]:
    """Let every series but the first few follow some before it, gladly those that others follow already."""
    order = [int(one) for one in rng.permutation(size)]
    roots = int(rng.integers(1, max(2, size // 3), endpoint=True))
    links: dict[Pair, int] = {}
    drivers: list[int] = []
    for place in range(roots, size):
        for _ in range(3):
            earlier = drivers if drivers and rng.random() < HUB else order[:place]
            cause = int(rng.choice(earlier))
            links[cause, order[place]] = int(rng.integers(1, DELAYS, endpoint=True))
            drivers.append(cause)
            if rng.random() >= MORE:
                break
    return links


def _values(
    rng: np.random.Generator,
    memory: NDArray[np.float64],
    steps: int,
    links: Mapping[Pair, int],
    weights: Mapping[Pair, float],
    *,
    spread: bool,
) -> Floats:
    """Let each series keep a share of itself and follow its causes; causes are scaled before they are laid in."""
    size, total = len(memory), steps + _RUN_IN
    series = np.zeros((size, total))
    shocks = rng.normal(size=(size, total))
    done: set[int] = set()
    while len(done) < size:
        ready = [one for one in range(size) if one not in done and all(a in done for a, b in links if b == one)]
        for one in ready:
            push = shocks[one].copy()
            for (cause, effect), delay in links.items():
                if effect == one:
                    lags = range(1, delay + 1) if spread else [delay]
                    driver = sum((np.roll(series[cause], lag) for lag in lags), np.zeros(total))
                    push += weights[cause, effect] * driver / driver.std()
            for step in range(1, total):
                series[one, step] = memory[one] * series[one, step - 1] + push[step]
        done.update(ready)
    return series[:, _RUN_IN:]


def _returns(
    rng: np.random.Generator, size: int, steps: int, links: Mapping[Pair, int], weights: Mapping[Pair, float]
) -> Floats:
    """Lay three factors over shocks that are handed on once: an effect takes its cause's own, not its cause's whole."""
    total = steps + _RUN_IN
    shocks = rng.normal(size=(size, total)) * rng.uniform(0.3, 0.6, size=(size, 1))
    own = shocks.copy()
    for (cause, effect), delay in links.items():
        own[effect] += weights[cause, effect] * np.roll(shocks[cause], delay)
    factors = rng.normal(size=(3, total))
    for step in range(1, total):
        factors[0, step] += MARKET_MEMORY * factors[0, step - 1]
    loads = np.column_stack([rng.uniform(0.7, 1.3, size=size), rng.normal(0.0, 0.2, size=(size, 2))])
    return np.asarray((own + loads @ factors)[:, _RUN_IN:])

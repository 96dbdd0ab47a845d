"""The level-touch test: when a price comes to a level, does it turn back or go through?

Levels lie on a log grid, `exp(0.002 k)` for whole k. A *touch* is the first second at which the last price reaches a
level from one side. Its outcome is a *bounce* when, from that very second on, a price 0.15 % back on the side it came
from is seen before one 0.15 % through, else a break; so a second that jumps 0.15 % through is a touch and its break at
once. The next touch of that level starts after the second of the outcome. A touch without an outcome by the end of the
day is left out. On the seven public coin-days this gives 8,552 touches, of which 40.2 % bounce.

Nothing that scores a touch holds the day: `recall` alone does, and hands out what was seen strictly before the touch's
second, then the price. No score can know what came later, nor how the touch ended; baselines are asked the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

import numpy as np

from asterism.core.ledger.columns import Bools, Floats, Longs
from asterism.evals.market_data import CoinDay, Liquidations, Ticker

STEP = 0.002  # of the log grid
TURN = 0.0015  # how far, as a share of the level, price must go for an outcome
NEAR = 0.001  # what counts as at the level
CALM_SECONDS = 60
STRATA = 20  # of volatility
DISTANCES = 5  # classes of distance
LEAD_SECONDS = 60  # distance is measured this long before a touch
RANDOM_PRICES = 5  # for each level of the grid
MIN_CONTROLS = 5


class Touches(NamedTuple):
    """Touches in order of time: ticker row, level, side it came from (1 above, -1 below), outcome and its row."""

    row: Longs
    level: Floats
    side: Longs
    bounced: Bools
    decided: Longs

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.row)


class PriceMemory(Protocol):
    """What can be tested: it takes in the past, and says how strong it remembers prices to be."""

    def feed(self, ticker: Ticker, liquidations: Liquidations) -> None:
        """Take in what happened since the last call; both may be empty."""

    def strength(self, prices: Floats, *, at_ms: int) -> Floats:
        """Give the strength at each price, at a time in milliseconds since 1970."""


Remembering = Callable[[str], AbstractContextManager[PriceMemory]]  # opens an empty memory for a symbol


def grid_levels(last: Floats) -> Floats:
    """Give the levels of the log grid between the lowest and the highest price.

    >>> grid_levels(np.array([100.0, 100.5])).round(3).tolist()
    [100.083, 100.283, 100.484]
    """
    low, high = np.log(last.min()) / STEP, np.log(last.max()) / STEP
    return np.asarray(np.exp(np.arange(np.ceil(low), np.floor(high) + 1.0) * STEP))


def find_touches(last: Floats, levels: Floats) -> Touches:
    """Find the touches of some levels, and how they ended.

    >>> path = np.array([99.0, 99.9, 100.01, 99.84, 99.9, 100.02, 100.1, 100.2, 99.7])
    >>> touches = find_touches(path, np.array([100.0]))
    >>> touches.row.tolist(), touches.side.tolist(), touches.bounced.tolist(), touches.decided.tolist()
    ([2, 5, 8], [-1, -1, 1], [True, False, False], [3, 7, 8])
    """
    found: list[tuple[int, float, int, bool, int]] = []
    for level in levels.tolist():
        found += _touches_of(last, level)
    found.sort()
    columns = zip(*found, strict=True) if found else [()] * 5
    dtypes = (np.int64, np.float64, np.int64, np.bool_, np.int64)
    return Touches(*(np.array(column, dtype=dtype) for column, dtype in zip(columns, dtypes, strict=True)))


def _touches_of(last: Floats, level: float) -> list[tuple[int, float, int, bool, int]]:
    below, above = last < level, last > level
    reached = np.flatnonzero((below[:-1] & ~below[1:]) | (above[:-1] & ~above[1:])) + 1
    up, down = level * (1.0 + TURN), level * (1.0 - TURN)
    outside = np.flatnonzero((last >= up) | (last <= down))
    found = []
    start = 0
    while (first := int(np.searchsorted(reached, start))) < len(reached):
        row = int(reached[first])
        if (place := int(np.searchsorted(outside, row))) == len(outside):
            break
        decided = int(outside[place])
        side = 1 if above[row - 1] else -1
        found.append((row, level, side, bool((last[decided] >= up) == (side > 0)), decided))
        start = decided + 1
    return found


# What a touch is compared by


def volatility(last: Floats, rows: Longs, *, window: int = CALM_SECONDS) -> Floats:
    """Give the mean absolute log return of the seconds before each row, at most `window` of them.

    >>> volatility(np.array([100.0, 101.0, 101.0, 150.0]), np.array([0, 1, 2, 3]), window=2).round(5).tolist()
    [0.0, 0.0, 0.00995, 0.00498]
    """
    moves = np.abs(np.diff(np.log(last)))
    total = np.concatenate([[0.0, 0.0], np.cumsum(moves)])  # total[row]: moves up to the row before it
    since = np.maximum(rows - window, 0)
    return np.asarray((total[rows] - total[since]) / np.maximum(np.minimum(rows - 1, window), 1))


def recall(day: CoinDay, touches: Touches, memory: PriceMemory, *, behind: float = 0.0) -> Floats:
    """Ask a memory for the strength of each touched level; before each touch it is fed only what came earlier.

    Whatever the memory does with it, rows of the touch's own second and later ones are not in its hands. With `behind`
    it is asked for a price that lies this share of the level on the far side, which was not touched.
    """
    asked = touches.level * (1.0 - behind * touches.side)
    strengths = np.zeros(touches.size)
    ticker, forced = day.ticker, day.liquidations
    known = told = 0
    for row in np.unique(touches.row).tolist():
        until = forced.before(int(ticker.at_ms[row]))
        memory.feed(ticker.rows(known, row), forced.rows(told, until))
        known, told = row, until
        which = touches.row == row
        strengths[which] = memory.strength(asked[which], at_ms=int(ticker.at_ms[row]))
    return strengths


# Random prices


def random_touches(last: Floats, *, rng: np.random.Generator) -> Touches:
    """Find the touches of prices drawn at random, evenly in log, from the day's range."""
    levels = len(grid_levels(last)) * RANDOM_PRICES
    low, high = np.log(last.min()), np.log(last.max())
    return find_touches(last, np.sort(np.exp(rng.uniform(low, high, size=levels))))


def matched_bounces(last: Floats, touches: Touches, controls: Touches) -> Floats:
    """Give for each touch how often random prices bounced that were as far away and as volatile.

    Alike means: in the same twentieth of volatility over the minute before the touch, and in the same fifth of
    distance between the level and the price a minute before. Too few such controls: those of that volatility alone.
    """
    edges = np.quantile(volatility(last, controls.row), np.arange(1, STRATA) / STRATA)
    steps = np.quantile(_distance(last, controls), np.arange(1, DISTANCES) / DISTANCES)
    strata = [np.searchsorted(edges, volatility(last, some.row)) for some in (touches, controls)]
    cells = [
        stratum * DISTANCES + np.searchsorted(steps, _distance(last, some))
        for stratum, some in zip(strata, (touches, controls), strict=True)
    ]
    bounced = controls.bounced.astype(np.float64)
    count, total = (np.bincount(cells[1], weight, minlength=STRATA * DISTANCES) for weight in (None, bounced))
    wide, wide_total = (np.bincount(strata[1], weight, minlength=STRATA) for weight in (None, bounced))
    rare = count[cells[0]] < MIN_CONTROLS
    near = total[cells[0]] / np.maximum(count[cells[0]], 1)
    return np.asarray(np.where(rare, wide_total[strata[0]] / np.maximum(wide[strata[0]], 1), near))


def _distance(last: Floats, touches: Touches) -> Floats:
    return np.asarray(np.abs(np.log(touches.level / last[np.maximum(touches.row - LEAD_SECONDS, 0)])))

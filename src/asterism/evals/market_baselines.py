"""What can be said of a price without a memory of levels: the baselines of the level-touch test.

They are fed like a memory, and so they cannot know more than it: what came before the touch.
"""

# ruff: noqa: ARG002  # what is fed and asked is the same for all; not all need all of it

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from asterism.core.ledger.columns import Floats, Longs
from asterism.evals.market_data import Liquidations, Ticker
from asterism.evals.market_touches import CALM_SECONDS, NEAR, PriceMemory, Remembering

STAY_SECONDS = 21_600  # six hours of prices
LIQUIDATION_MS = 86_400_000  # a day of liquidations


class TimeAt:
    """Counts the seconds that the price was near, of the last six hours."""

    def __init__(self, seconds: int = STAY_SECONDS) -> None:
        self._seconds = seconds
        self._last: Floats = np.zeros(0)

    def feed(self, ticker: Ticker, liquidations: Liquidations) -> None:
        """Keep the last prices."""
        self._last = np.concatenate([self._last, ticker.last])[-self._seconds :]

    def strength(self, prices: Floats, *, at_ms: int) -> Floats:
        """Count those near each price."""
        return np.array([(np.abs(self._last / price - 1.0) <= NEAR).sum() for price in prices], dtype=np.float64)


class LiquidatedAt:
    """Adds up what was liquidated near a price over the last day."""

    def __init__(self) -> None:
        self._at_ms: Longs = np.zeros(0, dtype=np.int64)
        self._price: Floats = np.zeros(0)
        self._usd: Floats = np.zeros(0)

    def feed(self, ticker: Ticker, liquidations: Liquidations) -> None:
        """Keep the liquidations."""
        self._at_ms = np.concatenate([self._at_ms, liquidations.at_ms])
        self._price = np.concatenate([self._price, liquidations.price])
        self._usd = np.concatenate([self._usd, liquidations.usd])

    def strength(self, prices: Floats, *, at_ms: int) -> Floats:
        """Add up those near each price."""
        recent = slice(int(np.searchsorted(self._at_ms, at_ms - LIQUIDATION_MS)), None)
        price, usd = self._price[recent], self._usd[recent]
        return np.array([usd[np.abs(price / each - 1.0) <= NEAR].sum() for each in prices], dtype=np.float64)


class Calm:
    """Says how little the price moved over the last minute: it knows no level at all."""

    def __init__(self) -> None:
        self._last: Floats = np.zeros(0)

    def feed(self, ticker: Ticker, liquidations: Liquidations) -> None:
        """Keep the last prices."""
        self._last = np.concatenate([self._last, ticker.last])[-CALM_SECONDS - 1 :]

    def strength(self, prices: Floats, *, at_ms: int) -> Floats:
        """Give minus the mean absolute log return, whatever the price."""
        moves = np.abs(np.diff(np.log(self._last)))
        return np.full(len(prices), -float(moves.mean()) if len(moves) else 0.0)


def _opens(kind: type[TimeAt] | type[LiquidatedAt] | type[Calm]) -> Remembering:
    def opened(_symbol: str) -> AbstractContextManager[PriceMemory]:
        return nullcontext(kind())

    return opened


BASELINES: Mapping[str, Remembering] = {
    "liquidated": _opens(LiquidatedAt),
    "time": _opens(TimeAt),
    "calm": _opens(Calm),
}

"""A day on an invented market, 29 September 2026: the shares of a harbour company, told as book, fills and prices.

The story, for those who want to check what the memory finds: from nine on somebody lets a large order rest at 98.50,
and four times in the morning the price comes down to it and turns back. At half past two the order is pulled; the price
falls through, positions are closed by force below 97.80, and when it comes back up in the afternoon it stops at 98.50
again, now from below. Everything is computed, nothing is random.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from asterism.core.ledger.calendar import to_micros

if TYPE_CHECKING:
    from asterism.core.ledger.columns import Floats
    from asterism.core.levels.events import Events

SYMBOL = "HARBOR"
OPENS = datetime(2026, 9, 29, 9, tzinfo=UTC)
PULLED = datetime(2026, 9, 29, 14, 30, tzinfo=UTC)
CLOSES = datetime(2026, 9, 29, 17, tzinfo=UTC)
WALL, FLUSH = 98.5, 97.2
TURNS = (  # hours since the opening, and the price there
    (0.0, 99.6),
    (0.8, 98.51),
    (1.4, 99.3),
    (1.9, 98.52),
    (2.6, 99.7),
    (3.2, 98.5),
    (3.7, 99.1),
    (4.4, 98.51),
    (4.9, 99.0),
    (5.5, 98.62),
    (5.7, FLUSH),
    (6.0, 97.6),
    (6.2, 97.24),
    (6.8, 98.48),
    (7.1, 98.1),
    (7.4, 98.49),
    (8.0, 97.9),
)


def market_day() -> Events:
    """Give the day's events in order of time: prices, some fills, the wall, the forced sales."""
    from asterism.core.levels.events import ASK, BID, BOOK, LIQUIDATION, PRICE, TRADE, Events

    def events(seconds: Floats, kind: int, **columns: Floats | float) -> Events:
        at = to_micros(OPENS) + np.round(seconds * 1e6).astype(np.int64)
        return Events.of(len(seconds), kind=kind, at=at, **columns)

    priced, filled = np.arange(0.0, 28_800.0, 5.0), np.arange(40.0, 28_800.0, 97.0)
    forced: Floats = 20_232.0 + 14.0 * np.arange(12.0)
    rests = np.arange(0.0, (PULLED - OPENS).total_seconds() + 1, 300.0)
    resting = np.where(rests < rests[-1], 400_000.0 + 25_000.0 * np.round(np.sin(rests), 1), 0.0)
    sold = np.where(np.sin(filled * 0.37) < 0, BID, ASK)
    whole = Events.join(
        [
            events(priced, PRICE, price=path(priced)),
            events(filled, TRADE, price=path(filled), usd=np.round(160 + 150 * np.sin(filled * 0.37), 2), side=sold),
            events(forced, LIQUIDATION, price=path(forced), usd=2_500.0, side=BID),
            events(rests, BOOK, price=WALL, usd=resting, side=BID),
        ]
    )
    return whole.take(np.argsort(whole.at, kind="stable"))


def path(seconds: Floats) -> Floats:
    """Give the price at some seconds after the opening: from turn to turn, with a ripple."""
    hours = seconds / 3_600
    knots, prices = zip(*TURNS, strict=True)
    ripple = 0.012 * np.sin(hours * 61.0) + 0.008 * np.sin(hours * 173.0)
    prices_then: Floats = np.round(np.interp(hours, knots, prices) + ripple, 2)
    return prices_then

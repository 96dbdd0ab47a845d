"""The level book in the level-touch test: what it is fed from tickers and liquidations, and how it is asked.

Each ticker row is a price; where the 24-hour volume rose, a fill of that many dollars too; each liquidation is one. A
ticker shows no order book, so resting orders cannot be fed; in their place `Stays` tells how long the price itself
stays within half a band of where it was: one episode of persistence, told every ten seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from asterism.core.ledger.columns import Floats, Longs
from asterism.core.ledger.parameters import Preset, Setting
from asterism.core.levels.book import LevelBook
from asterism.core.levels.events import ASK, BID, KINDS, LIQUIDATION, PERSISTENCE, PRICE, TRADE, Events
from asterism.core.levels.model import Level
from asterism.core.levels.parameters import LevelParameters
from asterism.evals.market_data import CoinDay, Liquidations, Ticker
from asterism.evals.market_touches import NEAR, PriceMemory

Reading = Callable[[Sequence[Level], float], float]
Remembering = Callable[[CoinDay], PriceMemory]

STAY_REACH = 0.0005  # half of a band of 10 bps
STAY_EVERY_MS = 10_000


class Stays:
    """Follows where the price stays; gives an episode's persistence each time it lasted ten seconds more.

    >>> at_ms, last = np.arange(0, 30_000, 5_000), np.array([100.0, 100.01, 99.99, 100.0, 100.2, 100.2])
    >>> told = Stays().take(at_ms, last)
    >>> (told.at / 1e6).tolist(), told.price.tolist(), told.seconds.tolist(), told.episode.tolist()
    ([10.0], [100.0], [10.0], [1])
    """

    def __init__(self) -> None:
        self._price = 0.0
        self._since_ms = 0
        self._due_ms = 0
        self._episode = 0

    def take(self, at_ms: Longs, last: Floats) -> Events:
        """Take the next rows, in order."""
        told: list[tuple[int, float, float, int]] = []
        for now, price in zip(at_ms.tolist(), last.tolist(), strict=True):
            if abs(price - self._price) > self._price * STAY_REACH or not self._episode:
                self._price, self._since_ms, self._due_ms = price, now, now + STAY_EVERY_MS
                self._episode += 1
            elif now >= self._due_ms:
                told.append((now * 1_000, self._price, (now - self._since_ms) / 1e3, self._episode))
                self._due_ms += STAY_EVERY_MS
        at, price_column, seconds, episode = zip(*told, strict=True) if told else ((), (), (), ())
        return Events.of(
            len(told),
            kind=PERSISTENCE,
            at=np.array(at, dtype=np.int64),
            price=np.array(price_column, dtype=np.float64),
            seconds=np.array(seconds, dtype=np.float64),
            episode=np.array(episode, dtype=np.int64),
        )


def market_events(ticker: Ticker, liquidations: Liquidations) -> Events:
    """Give ticker rows and liquidations as events, price before fill before liquidation, not yet in order of time."""
    filled = ticker.usd > 0.0
    return Events.join(
        [
            Events.of(len(ticker.last), kind=PRICE, at=ticker.at_ms * 1_000, price=ticker.last),
            Events.of(
                int(filled.sum()),
                kind=TRADE,
                at=ticker.at_ms[filled] * 1_000,
                price=ticker.last[filled],
                usd=ticker.usd[filled],
            ),
            Events.of(
                len(liquidations.price),
                kind=LIQUIDATION,
                at=liquidations.at_ms * 1_000,
                price=liquidations.price,
                usd=liquidations.usd,
                side=np.where(liquidations.long == 1, BID, ASK),
            ),
        ]
    )


def covering(found: Sequence[Level], price: float) -> Level | None:
    """Give the level nearest to a price among those whose band covers it."""
    inside = [level for level in found if abs(level.price - price) <= level.band / 2.0]
    return min(inside, key=lambda level: abs(level.price - price), default=None)


def strength_there(found: Sequence[Level], price: float) -> float:
    """Give the strength of the level that covers a price; 0 where none does."""
    level = covering(found, price)
    return 0.0 if level is None else level.strength


def importance_there(found: Sequence[Level], price: float) -> float:
    """Give the importance of the level that covers a price; 0 where none does."""
    level = covering(found, price)
    return 0.0 if level is None else level.importance


def strength_around(found: Sequence[Level], price: float) -> float:
    """Add up the strengths of the levels within 0.1 % of a price."""
    return math.fsum(level.strength for level in found if abs(level.price / price - 1.0) <= NEAR)


class BookMemory:
    """A level book as a memory of prices: fed a market, asked for the strength of a price."""

    def __init__(self, book: LevelBook, *, reading: Reading = strength_there, kinds: Sequence[int] = ()) -> None:
        self._book = book
        self._reading = reading
        self._kinds = kinds  # of events that it is told; none: all

    def feed(self, ticker: Ticker, liquidations: Liquidations) -> None:
        """Take in what happened since the last call."""
        events = self.events(ticker, liquidations)
        if self._kinds:
            events = events.take(np.isin(events.kind, self._kinds))
        if events.size:
            self._book.feed(events.take(np.argsort(events.at, kind="stable")))

    def events(self, ticker: Ticker, liquidations: Liquidations) -> Events:
        """Say what the book is told."""
        return market_events(ticker, liquidations)

    def strength(self, prices: Floats, *, at: float) -> Floats:
        """Ask the book as of a time."""
        within = max(self._book.parameters.band_bps, 10_000 * NEAR) + 1.0  # a little more than any reading looks at
        found = {price: self._book.levels(at=at, near=price, within_bps=within) for price in prices.tolist()}
        return np.array([self._reading(found[price], price) for price in prices.tolist()])


class StayingMemory(BookMemory):
    """The same book, told also where the price stays."""

    def __init__(self, book: LevelBook, *, reading: Reading = strength_there) -> None:
        super().__init__(book, reading=reading)
        self._stays = Stays()

    def events(self, ticker: Ticker, liquidations: Liquidations) -> Events:
        """Say what the book is told."""
        return Events.join([super().events(ticker, liquidations), self._stays.take(ticker.at_ms, ticker.last)])


def book_for(day: CoinDay, preset: Preset, settings: Mapping[str, Setting] | None = None) -> LevelBook:
    """Give an empty book for a coin-day; unless it is set otherwise, it takes events as they come."""
    return LevelBook(day.symbol, preset=preset, parameters={"lateness": 0.0} | dict(settings or {}))


def variant(
    preset: Sequence[str] = (), settings: Mapping[str, Setting] | None = None, only: Sequence[str] = ()
) -> Mapping[str, Remembering]:
    """Give the book of some presets and values, told only of some kinds of events, under a name that says so.

    >>> list(variant(["tuned"], {"path": "price"}, only=["trade", "price"]))
    ['tuned path=price only trade price']
    """
    presets, values, kinds = tuple(preset) or ("seed",), dict(settings or {}), tuple(KINDS.index(kind) for kind in only)
    LevelParameters.build(presets, values)  # say what is wrong before hours of prices are read
    said = [
        "+".join(presets),
        *(f"{name}={value}" for name, value in values.items()),
        *(["only", *only] if only else ()),
    ]
    return {" ".join(said): lambda day: BookMemory(book_for(day, presets, values), kinds=kinds)}


MEMORIES: Mapping[str, Remembering] = {
    "seed": lambda day: BookMemory(book_for(day, "seed")),
    "seed importance": lambda day: BookMemory(book_for(day, "seed"), reading=importance_there),
    "tuned": lambda day: BookMemory(book_for(day, "tuned")),
    "tuned stays": lambda day: StayingMemory(book_for(day, "tuned")),
}

"""A memory of levels as it is used: fed a market through `Memory.feed`, asked through `Memory.levels`.

Each ticker row is a price; where the 24-hour volume rose, a fill of that many dollars too; each liquidation is one. A
ticker shows no order book, so resting orders cannot be fed from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.columns import Floats
from asterism.core.ledger.parameters import Setting
from asterism.core.levels.events import ASK, BID, KINDS, LIQUIDATION, PRICE, TRADE, Events
from asterism.core.levels.model import Level
from asterism.core.levels.parameters import LevelParameters
from asterism.engine.memory import Memory
from asterism.evals.market_data import Liquidations, Ticker
from asterism.sync import Memory as OpenMemory

SPARE_BPS = 1.0  # asked for beyond the band, so that no level that covers a price is left out


def market_events(ticker: Ticker, liquidations: Liquidations) -> Events:
    """Give ticker rows and liquidations as events in order of time; of one time, price then fill then liquidation."""
    filled = ticker.usd > 0.0
    events = Events.join(
        [
            Events.of(len(ticker.last), kind=PRICE, at=ticker.at_ms * 1_000, price=ticker.last),
            Events.of(
                int(filled.sum()),
                kind=TRADE,
                at=ticker.at_ms[filled] * 1_000,
                price=ticker.last[filled],
                usd=ticker.usd[filled],
            ),
            liquidation_events(liquidations),
        ]
    )
    return events.take(np.argsort(events.at, kind="stable"))


def liquidation_events(liquidations: Liquidations) -> Events:
    """Give liquidations as events."""
    return Events.of(
        len(liquidations.price),
        kind=LIQUIDATION,
        at=liquidations.at_ms * 1_000,
        price=liquidations.price,
        usd=liquidations.usd,
        side=np.where(liquidations.long == 1, BID, ASK),
    )


def covering(found: Sequence[Level], prices: Floats, *, reads: str = "strength") -> Floats:
    """Give for each price the strength (or another figure) of the nearest level if its band covers it, else 0."""
    if not found:
        return np.zeros(len(prices))
    ordered = sorted(found, key=lambda level: level.price)
    centres = np.array([level.price for level in ordered])
    above = np.minimum(np.searchsorted(centres, prices), len(centres) - 1)
    below = np.maximum(above - 1, 0)
    nearest = np.where(np.abs(centres[below] - prices) <= np.abs(centres[above] - prices), below, above)
    bands = np.array([level.band for level in ordered])[nearest]
    told = np.array([float(getattr(level, reads)) for level in ordered])[nearest]
    return np.asarray(np.where(np.abs(centres[nearest] - prices) <= bands / 2.0, told, 0.0))


class LevelMemory:
    """An open memory as a memory of one symbol's prices."""

    def __init__(self, memory: OpenMemory, symbol: str, variant: Variant) -> None:
        self._memory = memory
        self._symbol = symbol
        self._variant = variant
        self._band_bps = variant.parameters.band_bps
        self._fed = False

    def feed(self, ticker: Ticker, liquidations: Liquidations) -> None:
        """Take in what happened since the last call."""
        self.take(market_events(ticker, liquidations))

    def take(self, events: Events) -> None:
        """Take in events, of the kinds that this memory is told of."""
        if self._variant.kinds:
            events = events.take(np.isin(events.kind, self._variant.kinds))
        if events.size:
            self._memory.feed(self._symbol, events, lateness=0.0)
            self._fed = True

    def strength(self, prices: Floats, *, at_ms: int) -> Floats:
        """Ask for the levels around the prices, as of a time."""
        if not self._fed:
            return np.zeros(len(prices))
        low, high = float(prices.min()), float(prices.max())
        middle = (low + high) / 2.0
        within = (high - low) / 2.0 / middle * 10_000 + self._band_bps + SPARE_BPS
        at = to_datetime(at_ms * 1_000)
        found = self._memory.levels(self._symbol, near=middle, within_bps=within, at=at)
        return covering(found, prices, reads=self._variant.reads)

    def strongest(self, *, at_ms: int) -> list[float]:
        """Give the prices that are remembered at a time, strongest first."""
        found = self._memory.levels(self._symbol, at=to_datetime(at_ms * 1_000)) if self._fed else []
        return [level.price for level in found]

    def nearest(self, price: float, *, most: int, at_ms: int) -> list[float]:
        """Give the prices that are remembered next to a price, nearest first."""
        if not self._fed:
            return []
        found = self._memory.nearest(self._symbol, price, most, at=to_datetime(at_ms * 1_000))
        levels = [*found.below, *found.above]
        return [level.price for level in sorted(levels, key=lambda level: abs(level.price - price))]


@dataclass(frozen=True)
class Variant:
    """A memory to be tested: what it is opened with, what it is told of (nothing named: all), what is read of a level.

    >>> Variant(("rule3",), {"band_bps": 20}, only=("trade", "price")).name
    'rule3 band_bps=20 only trade price'
    """

    preset: tuple[str, ...] = ("seed",)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    reads: str = "strength"

    @property
    def name(self) -> str:
        """What is told apart from the default."""
        said = ["+".join(self.preset), *(f"{name}={value}" for name, value in self.settings.items())]
        only = ["only", *self.only] if self.only else []
        return " ".join([*said, *only, *([] if self.reads == "strength" else [self.reads])])

    @property
    def parameters(self) -> LevelParameters:
        """The values it works with; a preset that levels do not have is refused."""
        return LevelParameters.build(self.preset, self.settings)

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of events it is told of; none: all."""
        return tuple(KINDS.index(kind) for kind in self.only)

    @contextmanager
    def opened(self, symbol: str) -> Iterator[LevelMemory]:
        """Open an empty memory of one symbol."""
        with Memory.open_sync(":memory:", space="market", preset=self.preset, parameters=self.settings) as memory:
            yield LevelMemory(memory, symbol, self)


SHIPPED = (Variant(), Variant(reads="importance"))

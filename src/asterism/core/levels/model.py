"""What a level book gives: levels, reports, clusters and gaps."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from asterism.core.model import Model


@dataclass(frozen=True, slots=True)
class Level(Model):
    """A price that a market remembers, as it is at one time."""

    id: str
    symbol: str
    side: str
    price: float
    band: float
    strength: float
    confidence: float
    importance: float
    reason: str
    interactions: int
    volume: float
    visits: int
    rejections: int
    breaks: int
    first_seen: datetime
    last_seen: datetime
    active: bool


@dataclass(frozen=True, slots=True)
class BadRow(Model):
    """A row that was not used, and why."""

    row: int
    reason: str


@dataclass(frozen=True, slots=True)
class FeedReport(Model):
    """What became of a batch of events."""

    symbol: str
    used: int = 0
    created: int = 0
    boosted: int = 0
    resurrected: int = 0
    extended: int = 0
    held: int = 0
    pending: int = 0
    late: int = 0
    unmatched: int = 0
    refused: int = 0
    malformed: int = 0
    waiting: int = 0  # for events before them, as long as they may be late
    duplicates: int = 0  # batches that were there already
    stale: bool = False  # an earlier batch: its symbol is folded anew, in order, before it is read
    bad_rows: tuple[BadRow, ...] = ()
    dropped: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        counts = {
            name: getattr(self, name)
            for name in ("created", "boosted", "resurrected", "extended", "held", "pending", "late", "unmatched")
        }
        counts |= {"refused": self.refused, "malformed": self.malformed, "waiting": self.waiting} | self.dropped
        told = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in counts.items() if count)
        return f"{self.symbol}: {self.used:,} events used" + (f"; {told}" if told else "")


@dataclass(frozen=True, slots=True)
class Nearest(Model):
    """The levels next to a price, nearest first."""

    price: float
    below: tuple[Level, ...]
    above: tuple[Level, ...]


@dataclass(frozen=True, slots=True)
class Cluster(Model):
    """Levels whose neighbours are near."""

    low: float
    high: float
    price: float
    levels: int
    strength: float
    strongest: str


@dataclass(frozen=True, slots=True)
class Gap(Model):
    """A stretch of prices that nothing remembers, between two clusters."""

    low: float
    high: float
    bps: float


@dataclass(frozen=True, slots=True)
class Density(Model):
    """How much is remembered between two prices."""

    low: float
    high: float
    levels: int
    strength: float


@dataclass(frozen=True, slots=True)
class SymbolInfo(Model):
    """What was fed of a symbol."""

    symbol: str
    events: int
    late: int
    malformed: int
    levels: int
    latest: datetime
    sources: dict[str, int]
    dropped: dict[str, int]

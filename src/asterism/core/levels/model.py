"""What a level book gives: levels, reports, clusters and gaps."""

from __future__ import annotations

from collections import Counter
from dataclasses import Field, dataclass, field, fields, replace
from datetime import datetime
from typing import ClassVar

from asterism.core.ledger.model import Model, Noded

NAMED = 20  # malformed rows that a report names


@dataclass(frozen=True, slots=True)
class Level(Noded):
    """A price that a market remembers, as it is at one time."""

    kind: ClassVar[str] = "level"
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

    @property
    def name(self) -> str:
        """The market and the price: its id."""
        return self.id

    @property
    def text(self) -> str:
        """What it says: where it lies, and what made it."""
        return f"{self.symbol} at {self.price:g}, {self.side}: {self.reason}"

    @property
    def state(self) -> str:
        """Whether it still stands."""
        return "active" if self.active else "archived"

    @property
    def at(self) -> datetime:
        """When it was first seen."""
        return self.first_seen


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
    dropped: dict[str, int] = field(default_factory=dict)  # to stay within bounds
    mapping: str = ""  # how a file was read
    rows: dict[str, int] = field(default_factory=dict)  # what became of a file's rows
    skipped: int = 0  # events of a file that were recorded before
    source: str = ""  # what the file is known by

    def __add__(self, other: FeedReport) -> FeedReport:
        """Report of what was fed before and after."""
        counts = {each.name: getattr(self, each.name) + getattr(other, each.name) for each in _counts()}
        return replace(
            other,
            **counts,
            bad_rows=(self.bad_rows + other.bad_rows)[:NAMED],
            stale=self.stale or other.stale,
            dropped=dict(Counter(self.dropped) + Counter(other.dropped)),
        )

    def __str__(self) -> str:
        counts = {
            name: getattr(self, name)
            for name in ("created", "boosted", "resurrected", "extended", "held", "pending", "late", "unmatched")
        }
        counts |= {"refused": self.refused, "malformed": self.malformed, "waiting": self.waiting} | self.dropped
        told = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in counts.items() if count)
        return f"{self.symbol}: {self.used:,} events used" + (f"; {told}" if told else "")


def _counts() -> list[Field[object]]:
    """Give the fields of a report that add up; what waits and what is stale is as it was last."""
    return [each for each in fields(FeedReport) if each.type == "int" and each.name != "waiting"]


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

"""What the two books share: the words of their state and of what they tell."""

from __future__ import annotations

from typing import NamedTuple, Protocol, Self

import numpy as np

from asterism.core.ledger.columns import Bools, Bytes, Columns, Floats, Longs
from asterism.core.levels.events import Events
from asterism.core.levels.parameters import LevelParameters

HOUR = 3_600_000_000  # microseconds; the archive is tidied when one begins
NEVER = -(2**62)  # before every time
OUTSIDE, FROM_BELOW, UNKNOWN, FROM_ABOVE = -2, -1, 0, 1  # whence the price came into a band
PENDING, CREATED, BOOSTED, RESURRECTED, EXTENDED, HELD, REFUSED, UNMATCHED = range(8)
EFFECTS = ("pending", "created", "boosted", "resurrected", "extended", "held", "refused", "unmatched")
EXPIRED, EVICTED, FORGOTTEN, UNARCHIVED = range(4)
DROPS = ("pending_expired", "pending_dropped", "episodes_dropped", "archive_dropped")

# What matching looks at comes first, so that it shares a line of the processor's cache.
PLACE = np.dtype(
    [
        ("number", "i8"),  # by order of the first item; it stays when a pending place becomes a level
        ("centre", "f8"),
        ("level", "u1"),  # 0: pending
        ("anchor", "f8"),  # strength at anchor_at
        ("anchor_at", "i8"),
        ("confidence", "f8"),
        ("volume", "f8"),  # USD filled and liquidated
        ("first_seen", "i8"),
        ("last_seen", "i8"),
        ("interactions", "i8"),
        ("visits", "i8"),  # turned back since the last break
        ("rejections", "i8"),
        ("breaks", "i4"),
        ("episode", "i8"),  # that a pending place waits with, and its length
        ("seconds", "f8"),
        ("reason", "u1"),  # the kind of evidence that made it a level
        ("side", "u1"),
        ("left", "u1"),  # the price was outside since the last counted fill
        ("entered", "i1"),
    ]
)


class Log(NamedTuple):
    """What events did to places, in order."""

    event: Longs  # its number in the batch
    place: Longs
    effect: Bytes
    kind: Bytes
    before: Floats  # strength, settled to the event's time
    after: Floats


class Fed(NamedTuple):
    """How often each effect happened; each of them, if that was asked for."""

    counts: Longs
    log: Log | None


class Book(Protocol):
    """One symbol's places, as of the last event taken in."""

    parameters: LevelParameters

    @property
    def clock(self) -> int:
        """The time of the last event taken in."""

    @property
    def drops(self) -> list[int]:
        """How often each of `DROPS` happened."""

    def feed(self, events: Events, late: Bools, *, log: bool) -> Fed:
        """Take in events in order; a late one only adds to a level that is there."""

    def dump(self) -> Columns:
        """Pack the book into columns of one canonical order."""

    @classmethod
    def load(cls, columns: Columns, parameters: LevelParameters) -> Self:
        """Unpack what either book packed."""

"""Active hours: the length of the union of sessions. Time between sessions ages nothing.

A session counts while it is open, for a day at most: perhaps nobody will end it. Once somebody does, it counts whole,
and what lies beyond that day counts at its end. Until then only what no session covered has to be known, and that is
one number: `idle` grows only after every open session has counted its day, so since a session began it grew by exactly
what this one would add if it ended now.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from asterism.core.ledger.calendar import MICROS_PER_HOUR


class Session(NamedTuple):
    """A session that is open."""

    until: int  # it counts up to here, unless it is ended before or after
    idle: int  # that of the clock when it began


@dataclass
class ActiveClock:
    """How long any session has been open, up to a time; items come in order."""

    most_hours: float  # a session that nobody ended counts so long
    most_open: int  # so many may still be ended, the latest begun
    at: int = 0
    micros: int = 0
    idle: int = 0  # time that no session covered, less what an end covered afterwards
    until: int = 0  # the latest time up to which an open session counts
    open: dict[str, Session] = field(default_factory=dict)
    dropped: int = 0  # sessions beyond `most_open`: they count their day, and their end counts nothing

    def advance(self, at: int) -> float:
        """Move to a time and give the active hours at it.

        >>> clock = ActiveClock(24, 100)
        >>> clock.start("a", 0)
        >>> clock.start("b", MICROS_PER_HOUR)
        >>> clock.end("a", 2 * MICROS_PER_HOUR)
        >>> clock.end("b", 3 * MICROS_PER_HOUR)
        >>> clock.advance(90 * MICROS_PER_HOUR)
        3.0
        """
        at, before = max(at, self.at), self.micros
        self.micros = self._micros_at(at)
        self.idle += at - self.at - (self.micros - before)
        self.at = at
        return self.hours

    def hours_at(self, at: int) -> float:
        """Give the active hours at a later time, without moving there."""
        return self._micros_at(at) / MICROS_PER_HOUR

    @property
    def hours(self) -> float:
        """The active hours now."""
        return self.micros / MICROS_PER_HOUR

    def start(self, name: str, at: int) -> None:
        """Open a session."""
        self.advance(at)
        self.until = at + round(self.most_hours * MICROS_PER_HOUR)
        self.open[name] = Session(self.until, self.idle)
        if len(self.open) > self.most_open:
            del self.open[min(self.open, key=lambda each: (self.open[each].until, each))]
            self.dropped += 1

    def end(self, name: str, at: int) -> None:
        """Close a session: what of it lies beyond its day counts now, once for all that were open meanwhile.

        >>> clock = ActiveClock(24, 100)
        >>> clock.start("a", 0)
        >>> clock.advance(100 * MICROS_PER_HOUR)
        24.0
        >>> clock.end("a", 100 * MICROS_PER_HOUR)
        >>> clock.hours
        100.0
        """
        self.advance(at)
        ended = self.open.pop(name, None)
        if ended is None:
            return
        self.micros += self.idle - ended.idle
        self.idle = ended.idle
        for each, session in self.open.items():
            self.open[each] = session._replace(idle=min(session.idle, self.idle))
        self.until = max((session.until for session in self.open.values()), default=0)

    def copy(self) -> ActiveClock:
        """Copy the clock."""
        return replace(self, open=dict(self.open))

    def _micros_at(self, at: int) -> int:
        return self.micros + max(0, min(at, self.until) - self.at)

"""Active hours: the length of the union of sessions. Time between sessions ages nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from asterism.core.ledger.calendar import MICROS_PER_HOUR


@dataclass
class ActiveClock:
    """How long any session has been open, up to a time; items come in order."""

    most_hours: float  # a session that nobody ended counts so long
    at: int = 0
    micros: int = 0
    open: dict[str, int] = field(default_factory=dict)  # until when each session counts, unless it ends before

    def advance(self, at: int) -> float:
        """Move to a time and give the active hours at it.

        >>> clock = ActiveClock(24)
        >>> clock.start("a", 0)
        >>> clock.start("b", MICROS_PER_HOUR)
        >>> clock.end("a", 2 * MICROS_PER_HOUR)
        >>> clock.end("b", 3 * MICROS_PER_HOUR)
        >>> clock.advance(90 * MICROS_PER_HOUR)
        3.0
        """
        self.micros, self.at = self._micros_at(at), max(at, self.at)
        self.open = {name: until for name, until in self.open.items() if until > at}
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
        self.open[name] = at + round(self.most_hours * MICROS_PER_HOUR)

    def end(self, name: str, at: int) -> None:
        """Close a session."""
        self.advance(at)
        self.open.pop(name, None)

    def copy(self) -> ActiveClock:
        """Copy the clock."""
        return replace(self, open=dict(self.open))

    def _micros_at(self, at: int) -> int:
        covered = min(at, max(self.open.values(), default=self.at))
        return self.micros + max(0, covered - self.at)

"""What a reader gets of a hit: its score is the sum of its signals."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from asterism.core.ledger.model import ConflictWith, Model

SIGNALS = 3  # of a reason
WAYS = 10  # in which something was told, named one by one
OF_ITSELF = ("length", "asks", "answers")  # what an entry is like, whatever was asked: no reason to tell first


@dataclass(frozen=True, slots=True)
class HitVia(Model):
    """A link that led to a hit: its id, its kind, where it came from, the name it runs over, what it brought."""

    link: str
    kind: str
    source: str
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class WayTold(Model):
    """A node that tells of something, and how often it was by that."""

    id: str
    times: int


@dataclass(frozen=True, slots=True)
class Often(Model):
    """How often something was, by all that tells of it, in the same words and in others."""

    times: int
    tellings: tuple[WayTold, ...]  # best first

    def __str__(self) -> str:
        """Say it, if it is more than a hit says by itself.

        >>> str(Often(3, (WayTold("a1", 2), WayTold("b2", 1)))), str(Often(2, (WayTold("a1", 2),)))
        ('3 times in all, told in 2 ways: 2x [a1], 1x [b2]', '')
        """
        if len(self.tellings) < 2:
            return ""
        told = [f"{each.times}x [{each.id}]" for each in self.tellings[:WAYS]]
        told += ["..."] if len(self.tellings) > WAYS else []
        return f"{self.times} times in all, told in {len(self.tellings)} ways: {', '.join(told)}"


@dataclass(frozen=True, slots=True)
class AnswerHit(Model):
    """Something recalled: its score is the sum of its signals."""

    id: str
    kind: str
    text: str
    name: str
    score: float
    signals: dict[str, float]
    via: tuple[str, ...]  # ids of the links that led here
    links: tuple[HitVia, ...]
    tokens: int
    probability: float = 0.0  # that it answers
    at: datetime | None = None  # when it was told, the last time; None if its kind has no time
    first_at: datetime | None = None
    times: int = 1  # how often
    times_then: int | None = None  # how often within the time asked about, if one is
    valid_until: datetime | None = None  # None: open
    ended_by: str = ""  # the id of what followed it, if that is why it ends
    current: bool = True  # it holds at the time asked
    source: str = ""
    speaker: str = ""
    session: str = ""  # the conversation or session it is from
    conflicts: tuple[ConflictWith, ...] = ()
    space: str = ""  # the space it is from, where several were asked

    @property
    def context(self) -> str:
        """Say in a line when it was told, by whom and where, how often, and how long it holds.

        >>> from datetime import UTC
        >>> first, last = datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 11, 3, tzinfo=UTC)
        >>> told = {"at": last, "first_at": first, "times": 3, "speaker": "Anna", "session": "standup"}
        >>> AnswerHit("1", "block", "tea", "", 0.0, {}, (), (), 1, **told).context
        '3 Nov 2026, Anna, standup; 3 times since 1 Oct'
        >>> AnswerHit("1", "block", "tea", "", 0.0, {}, (), (), 1, times_then=2, **told).context
        '3 Nov 2026, Anna, standup; 3 times since 1 Oct, 2 of them then'
        """
        where = self.session or self.source
        head = ", ".join(each for each in (self.space, _day(self.at), self.speaker, where) if each)
        often = ""
        if self.times > 1 and self.at is not None and self.first_at is not None:
            then = "" if self.times_then is None else f", {self.times_then} of them then"
            often = f"{self.times} times since {_day(self.first_at, beside=self.at)}{then}"
        until = f"until {self.valid_until:%Y-%m-%d}" if self.valid_until is not None else ""
        if not self.current and not until:
            until = "does not hold yet"
        against = f"against {', '.join(each.id for each in self.conflicts)}" if self.conflicts else ""
        return "; ".join(each for each in (head, often, until, against) if each)

    @property
    def reason(self) -> str:
        """Say what brought it here, the strongest first."""
        best = sorted(self.signals.items(), key=lambda each: (each[0] in OF_ITSELF, -abs(each[1]), each[0]))[:SIGNALS]
        told = ", ".join(f"{name} {value:+.2f}" for name, value in best)
        named = [f"{each.kind} from {each.source}" + (f" ({each.name})" if each.name else "") for each in self.links]
        return "; ".join([told, *named[:1]])


def _day(at: datetime | None, beside: datetime | None = None) -> str:
    """Write a day, without the year if it is that of the day beside it."""
    if at is None:
        return ""
    return f"{at.day} {at:%b}" + ("" if beside is not None and beside.year == at.year else f" {at:%Y}")

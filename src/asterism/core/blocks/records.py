"""What is kept of a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import decay_tier
from asterism.core.blocks.words import INBOX

EXEMPT = ("permanent", "durable")  # tiers that a bad outcome does not touch


class Occurrence(NamedTuple):
    """One time at which a block's words were told; times are microseconds."""

    at: int
    item: str  # the id in hex of the first item that told it
    sources: tuple[str, ...] = ()
    conversation: str = ""
    speaker: str = ""
    slot: str = ""  # what it is the value of, as "user/home"
    valid_from: int | None = None
    valid_until: int | None = None
    expires: int | None = None  # when it leaves recall
    replaces: str = ""  # the block that ends when this begins

    @property
    def begin(self) -> int:
        """When it begins to hold.

        >>> Occurrence(5, "00").begin, Occurrence(5, "00", valid_from=2).begin
        (5, 2)
        """
        return self.at if self.valid_from is None else self.valid_from

    @property
    def terms(self) -> tuple[str | int | None, ...]:
        """What was told of how long it holds, and of what."""
        return self[5:]


NO_TERMS = Occurrence(0, "").terms
Away = tuple[tuple[int, int | None], ...]  # stretches, each from its beginning to its end, if it has one


@dataclass(slots=True)
class Block:
    """One block; what is no longer there keeps its text: `forget` can be undone, `erase` cannot."""

    content: str
    category: str
    tags: tuple[str, ...]
    at: int  # when it was first learned
    facts: int
    status: str = INBOX
    heir: str = ""  # the block it repeats, or that took its place
    hours: float = 0.0  # active hour of the last reinforcement
    failures: int = 0  # bad outcomes
    outcomes: int = 0
    signals: float = 0.0  # their sum
    name: str = ""  # what it is called, if it was given a name
    sources: tuple[str, ...] = ()  # who said it
    conversation: str = ""  # in which it was said, in the order of time
    speaker: str = ""
    item: bytes = b""  # that told it, if it was told once and nothing more can be said of that
    told: tuple[Occurrence, ...] = ()  # else every telling, in the order (at, item)
    away: Away = ()  # when it was edited away or forgotten
    pinned: bool = False  # it neither fades nor loses its links to others

    @property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """The times at which these words were told, in the order (at, item)."""
        return self.told or self._once(self.item.hex())

    def _once(self, item: str) -> tuple[Occurrence, ...]:
        return (Occurrence(self.at, item, self.sources, self.conversation, self.speaker),) if item else ()

    def keep(self, occurrences: tuple[Occurrence, ...]) -> None:
        """Take the times at which it was told; of one that only repeats what the block says, its item is enough."""
        item = occurrences[0].item if len(occurrences) == 1 else ""
        plain = occurrences == self._once(item)
        self.item, self.told = (bytes.fromhex(item), ()) if plain else (b"", occurrences)

    def decay_rate(self, parameters: BlockParameters) -> float:
        """Give the decay rate: that of the tier, raised by bad outcomes up to a limit.

        >>> Block("", "fact", (), 0, 0, failures=1).decay_rate(BlockParameters())
        0.02
        """
        if self.pinned:
            return 0.0
        tier = decay_tier(self.tags, self.category)
        rate = parameters.decay_rate(tier)
        if tier in EXEMPT or rate >= parameters.outcome_decay_max:
            return rate
        for _ in range(self.failures):  # few: the limit is soon reached
            rate = min(rate * parameters.outcome_decay_factor, parameters.outcome_decay_max)
            if rate == parameters.outcome_decay_max:
                break
        return rate

    def text(self) -> str:
        """Give what is embedded: the content, under its name if it has one.

        >>> Block("Four o'clock.", "", (), 0, 0, name="Tea").text()
        "Tea. Four o'clock."
        """
        return f"{self.name}. {self.content}" if self.name else self.content

    def confidence(self, parameters: BlockParameters) -> float:
        """Give the mean of the outcomes, and of a first opinion of one half.

        >>> Block("", "", (), 0, 0, outcomes=2, signals=1.8).confidence(BlockParameters())
        0.7
        """
        weight = parameters.confidence_weight
        return (0.5 * weight + self.signals) / (weight + self.outcomes)

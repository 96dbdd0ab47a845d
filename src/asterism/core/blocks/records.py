"""What is kept of a block."""

from __future__ import annotations

from dataclasses import dataclass

from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import decay_tier
from asterism.core.blocks.words import INBOX

EXEMPT = ("permanent", "durable")  # tiers that a bad outcome does not touch


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

    def decay_rate(self, parameters: BlockParameters) -> float:
        """Give the decay rate: that of the tier, raised by bad outcomes up to a limit.

        >>> Block("", "fact", (), 0, 0, failures=1).decay_rate(BlockParameters())
        0.02
        """
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

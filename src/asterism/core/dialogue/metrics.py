"""What the links of a session add up to: how much was answered, how near, how well, and what was left hanging."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from asterism.core.dialogue.allocation import NOTHING, Allocation
from asterism.core.dialogue.intents import Intent
from asterism.core.dialogue.scoring import Pairs
from asterism.core.dialogue.words import INTENT_TYPES
from asterism.core.ledger.model import Model

SCORE_STEP = 0.1


@dataclass(frozen=True, slots=True)
class Rate(Model):
    """So many of so many."""

    claimed: int
    intents: int

    @property
    def share(self) -> float:
        """Claimed / intents; 0 if there is none."""
        return self.claimed / self.intents if self.intents else 0.0


@dataclass(frozen=True, slots=True)
class Contested(Model):
    """A response that more than one intent wanted most, and who wanted it."""

    line_index: int
    bidders: tuple[int, ...]  # lines of intents
    owner: int | None  # the strong one that has it


@dataclass(frozen=True, slots=True)
class Metrics(Model):
    """The figures of a reading."""

    lines: int
    intents: int
    coverage: float  # claimed links / intents
    claim_rate: dict[str, float]  # of strong and of weak intents
    by_strength: dict[str, Rate]
    by_type: dict[str, Rate]
    rules: dict[str, int]  # intents by the rule that found them
    consequences: dict[str, int]  # claimed links by the type of their consequence
    distances: dict[int, int]
    scores: dict[str, int]  # in steps of a tenth, named by their lower end
    fanout: dict[int, int]  # how many responses were claimed by one intent, by two, ..
    contested: tuple[Contested, ...]
    unclaimed_strong: tuple[int, ...]  # lines of strong intents that nobody answered


def metrics_of(
    lines: int,
    intents: Sequence[Intent],
    pairs: Pairs,
    scores: Sequence[float],
    allocation: Allocation,
    consequences: dict[int, str],
) -> Metrics:
    """Count what a reading found; `consequences` gives the type of each claimed response."""
    got = allocation.got
    won = [pair for pair in got if pair != NOTHING]
    by_type, by_strength = Counter([each.type for each in intents]), Counter([each.strength for each in intents])
    hit = [intent for intent, pair in zip(intents, got, strict=True) if pair != NOTHING]
    hit_type, hit_strength = Counter([each.type for each in hit]), Counter([each.strength for each in hit])
    responses = Counter([pairs.responses[pair] for pair in won])
    strengths = {name: Rate(hit_strength[name], by_strength[name]) for name in ("strong", "weak")}
    return Metrics(
        lines=lines,
        intents=len(intents),
        coverage=Rate(len(won), len(intents)).share,
        claim_rate={name: rate.share for name, rate in strengths.items()},
        by_strength=strengths,
        by_type={name: Rate(hit_type[name], by_type[name]) for name in INTENT_TYPES},
        rules=dict(sorted(Counter([each.rule for each in intents]).items())),
        consequences=dict(sorted(Counter([consequences[pairs.responses[pair]] for pair in won]).items())),
        distances=dict(sorted(Counter([pairs.distances[pair] for pair in won]).items())),
        scores=_steps([scores[pair] for pair in won]),
        fanout=dict(sorted(Counter(responses.values()).items())),
        contested=_contested(intents, pairs, allocation),
        unclaimed_strong=tuple(
            intent.line_index
            for intent, pair in zip(intents, got, strict=True)
            if pair == NOTHING and intent.strength == "strong"
        ),
    )


def _steps(scores: Sequence[float]) -> dict[str, int]:
    steps = Counter([int(score / SCORE_STEP + 1e-9) for score in scores])
    return {f"{step * SCORE_STEP:.1f}": number for step, number in sorted(steps.items())}


def _contested(intents: Sequence[Intent], pairs: Pairs, allocation: Allocation) -> tuple[Contested, ...]:
    bids: dict[int, list[int]] = {}
    owners: dict[int, int] = {}
    for intent, got, wanted in zip(intents, *allocation, strict=True):
        if wanted != NOTHING:
            bids.setdefault(pairs.responses[wanted], []).append(intent.line_index)
        if got != NOTHING and intent.strength == "strong":
            owners[pairs.responses[got]] = intent.line_index
    return tuple(
        Contested(line, tuple(bidders), owners.get(line)) for line, bidders in sorted(bids.items()) if len(bidders) > 1
    )

"""Why an intent got what it got: every response it could have had, with what made the score, and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asterism.core.dialogue.allocation import NOTHING, Allocation
from asterism.core.dialogue.intents import Intent
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.scores import check_parts
from asterism.core.dialogue.scoring import Pairs, Scene, Scorer
from asterism.core.ledger.model import Model


@dataclass(frozen=True, slots=True)
class Candidate(Model):
    """A response that an intent could have had."""

    line_index: int
    distance: int
    score: float
    parts: dict[str, float]
    taken_by: int | None  # another, strong intent that claimed it, by its line


@dataclass(frozen=True, slots=True)
class Trace(Model):
    """What happened to one intent."""

    intent_anchor_index: int
    actor: str
    intent_type: str
    intent_strength: str
    rule: str
    candidates: tuple[Candidate, ...]
    winner: int | None  # the line it claimed
    wanted: int | None  # the line that scored best for it and enough
    why: str


def traces_of(
    scene: Scene,
    pairs: Pairs,
    scores: Sequence[float],
    allocation: Allocation,
    *,
    scorer: Scorer,
    parameters: DialogueParameters,
) -> tuple[Trace, ...]:
    """Explain every intent of a session."""
    parts = check_parts(scorer.parts(scene, pairs), scorer.name, len(pairs.responses))
    owner = {
        pairs.responses[got]: intent.line_index
        for intent, got in zip(scene.intents, allocation.got, strict=True)
        if got != NOTHING and intent.strength == "strong"
    }
    found = []
    for place, intent in enumerate(scene.intents):
        mine = range(pairs.starts[place], pairs.starts[place + 1])
        candidates = tuple(
            Candidate(
                pairs.responses[pair],
                pairs.distances[pair],
                scores[pair],
                dict(parts[pair]),
                _other(owner.get(pairs.responses[pair]), intent),
            )
            for pair in mine
        )
        got, wanted = allocation.got[place], allocation.wanted[place]
        winner = None if got == NOTHING else pairs.responses[got]
        found.append(
            Trace(
                intent.line_index,
                intent.actor,
                intent.type,
                intent.strength,
                intent.rule,
                candidates,
                winner,
                None if wanted == NOTHING else pairs.responses[wanted],
                _why(intent, candidates, winner, parameters),
            )
        )
    return tuple(found)


def _other(owner: int | None, intent: Intent) -> int | None:
    return None if owner == intent.line_index else owner


def _why(intent: Intent, candidates: Sequence[Candidate], winner: int | None, rules: DialogueParameters) -> str:
    if not candidates:
        unit = "lines" if rules.distance == "gap" else "responder lines"
        return f"no response within {rules.k_local} {unit} before an excluded line or the end"
    strong = intent.strength == "strong"
    least = rules.strong_min_score if strong else rules.weak_min_score
    best = max(candidates, key=lambda each: each.score)
    if winner is None:
        if best.score < least:
            return f"its best, line {best.line_index}, scores {best.score:.3f}, below {least:g}"
        return f"line {best.line_index} went to the intent of line {best.taken_by}, and no other scores {least:g}"
    if winner == best.line_index:
        if strong:
            return "the best of its candidates"
        shared = f", shared with the intent of line {best.taken_by}" if best.taken_by is not None else ""
        return f"the best of its candidates{shared}"
    return f"the best one left: line {best.line_index} went to the intent of line {best.taken_by}"

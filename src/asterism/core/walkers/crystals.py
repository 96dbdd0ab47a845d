"""What a walker leaves behind: colours on its path, and a narrative where there was a gap.

colour: hop h = 0 is the last link; f = .8^h; b = .3 x (1 - permanence) x f
        vector = unit((1 - b) link + b colour); permanence = min(1, permanence + boost x f)         (D14)
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import NamedTuple

from asterism.core.ledger.items import cut
from asterism.core.walkers.formulas import injection
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import EMOTIONS
from asterism.core.walkers.states import State
from asterism.core.walkers.ties import Tie
from asterism.core.walkers.vectors import Vector
from asterism.core.walkers.walker import Hop, Question, Walker

NAME = 200  # characters of a narrative's name, and of a node's name in its content


class Colour(NamedTuple):
    """A link to be coloured: by how much depends on its permanence when the ledger is folded."""

    link: str
    hop: int  # 0: the last of its path
    permanence: float  # as the walker saw it
    boost: float
    vector: Vector


class Narrative(NamedTuple):
    """A narrative that a walker crystallised, with the nodes it came from."""

    id: str
    name: str
    content: str
    weight: float
    energy: float
    vector: Vector
    sources: tuple[str, ...]
    ties: tuple[Tie, ...]
    walker: str


def colours(path: list[Hop], vector: Vector, boost: float) -> list[Colour]:
    """Colour a path backwards: every link, the last one most."""
    return [Colour(hop.id, back, hop.permanence, boost, vector) for back, hop in enumerate(reversed(path))]


def crystallise(walker: Walker, question: Question, p: ExplorationParameters) -> Narrative:
    """Make the narrative of a walker's path."""
    here, spawn = walker.here, walker.spawn
    assert here is not None
    purpose = question.intention or question.query
    name = cut(f"{cut(purpose, most=NAME)}: {spawn.name}", most=2 * NAME)
    along = " → ".join(cut(each, most=NAME) for each in walker.nodes[-20:])
    content = "\n".join(part for part in (cut(purpose, most=2000), along, here.content[: p.focus_characters]) if part)
    critical = walker.criticality
    strength = round(injection(critical, State.CRYSTALLIZING), 12)
    sources = tuple(sorted({spawn.id, here.id, *(end for hop in walker.path for end in (hop.start, hop.end))}))
    own = narrative_id(name, content, sources)
    felt = _mean_emotions(walker.path)
    forth, back = p.narrative_polarity, p.narrative_polarity_back
    hierarchy = _mean([hop.hierarchy for hop in walker.path])
    permanence = _mean([hop.permanence for hop in walker.path])
    ties = (
        Tie(spawn.id, own, forth, back, hierarchy, permanence, felt),
        Tie(own, here.id, forth, back, 0.0, round(critical, 12), felt),
    )
    return Narrative(own, name, content, strength, strength, walker.vector, sources, ties, walker.name)


def narrative_id(name: str, content: str, sources: tuple[str, ...]) -> str:
    """Name a narrative by what it says and where it came from.

    >>> narrative_id("prevent outages: deploys", "cold cache", ("a", "b"))
    'narrative-08fa38c288748b1d'
    """
    said = json.dumps([name, content, sources], ensure_ascii=False, separators=(",", ":"))
    return f"narrative-{hashlib.sha256(said.encode(errors='surrogatepass')).hexdigest()[:16]}"


def _mean(values: list[float]) -> float:
    return round(math.fsum(values) / len(values), 12)


def _mean_emotions(path: list[Hop]) -> tuple[float, ...]:
    felt = [hop.emotions for hop in path if hop.emotions]
    if not felt:
        return (0.0,) * EMOTIONS
    return tuple(_mean([each[axis] for each in felt]) for axis in range(EMOTIONS))

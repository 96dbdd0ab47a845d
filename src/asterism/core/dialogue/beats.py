"""Mass and strength: links join into beats, beats into larger ones, until nothing more joins (05, Mass and strength).

A line has mass 1, a claimed link 2, a beat the sum of its parts; its centre is the mean of the lines of its links. Two
parts may join when their bridge carries their mass:

    bridge = hill(gap of centres; 30, 2.2) x (1 + 2 lexical)  >=  1 + .15 ln(1 + sqrt(mA mB))

In a round the best bridge joins first and each part joins once; rounds go on until one changes nothing. What is left
over near a beat and shares its words is taken in as context.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from asterism.core.dialogue.ids import uuid5
from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.scoring import hill, lexical, tokens_of
from asterism.core.ledger.model import Model
from asterism.core.ledger.rounding import rounded

LINK_MASS = 2


@dataclass(frozen=True, slots=True)
class Beat(Model):
    """A part of the story: a claimed link (level 0), or parts that joined."""

    id: str
    level: int
    mass: int
    centre: float
    strength_bridge: float  # of a link its score, of a beat the bridge that holds it together
    strength_internal: float  # that and what is inside
    links: tuple[str, ...]  # ids, part by part
    anchors: tuple[int, ...]  # the lines of these links
    children: tuple[str, ...]  # the two parts that joined; none for a link
    context: tuple[int, ...] = ()  # lines taken in


def beats(reading: Reading) -> tuple[Beat, ...]:
    """Join the claimed links of a reading upward; give the parts that nothing joined further, in story order."""
    rules = reading.parameters
    words = _Words(reading.lines)
    parts = sorted((_leaf(link) for link in reading.links if link.claimed), key=_place)
    while joined := _round(parts, words, rules):
        gone = {child for beat in joined for child in beat.children}
        parts = sorted([part for part in parts if part.id not in gone] + joined, key=_place)
    used = {anchor for part in parts for anchor in part.anchors} | _other_intents(reading)
    free = [line for line, counts in enumerate(reading.eligibility.eligible.tolist()) if counts and line not in used]
    return tuple(_with_context(parts, free, words, rules))


def _other_intents(reading: Reading) -> set[int]:
    return {link.intent_anchor_index for link in reading.links}  # what was left hanging is no context of another


def _leaf(link: CausalLink) -> Beat:
    assert link.consequence_anchor_index is not None
    assert link.score is not None
    anchors = (link.intent_anchor_index, link.consequence_anchor_index)
    return Beat(link.id, 0, LINK_MASS, sum(anchors) / 2, link.score, link.score, (link.id,), anchors, ())


def _place(part: Beat) -> tuple[float, str]:
    return part.centre, part.id


class _Words:
    """The words of lines and of parts, each collected once."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._of_line: dict[int, frozenset[str]] = {}
        self._of_part: dict[str, frozenset[str]] = {}

    def line(self, index: int) -> frozenset[str]:
        if index not in self._of_line:
            self._of_line[index] = tokens_of(self._lines[index].content)
        return self._of_line[index]

    def part(self, part: Beat) -> frozenset[str]:
        if part.id not in self._of_part:
            self._of_part[part.id] = frozenset().union(*(self.line(anchor) for anchor in part.anchors))
        return self._of_part[part.id]


def least_bridge(mass_a: float, mass_b: float, parameters: DialogueParameters) -> float:
    """Give the bridge that two masses need: 1 + .15 ln(1 + sqrt(mA mB)).

    >>> round(least_bridge(2, 2, DialogueParameters()), 4)
    1.1648
    """
    return parameters.beat_threshold + parameters.beat_mass_weight * math.log1p(math.sqrt(mass_a * mass_b))


def _round(parts: Sequence[Beat], words: _Words, rules: DialogueParameters) -> list[Beat]:
    """Join what can be joined, the best bridge first, each part once."""
    offers = sorted(_offers(parts, words, rules))
    used: set[int] = set()
    joined = []
    for bridge, _, _, _, _, one, other in offers:
        if one not in used and other not in used:
            used |= {one, other}
            joined.append(_join(parts[one], parts[other], -bridge))
    return joined


def _offers(
    parts: Sequence[Beat], words: _Words, rules: DialogueParameters
) -> Iterator[tuple[float, float, float, str, str, int, int]]:
    for one, part in enumerate(parts):
        for other in range(one + 1, min(one + 1 + rules.beat_neighbours, len(parts))):
            later = parts[other]
            gap = later.centre - part.centre
            if gap > rules.beat_reach:
                break
            if max(part.level, later.level) >= rules.beat_levels:
                continue
            near = hill(gap, tau=rules.beat_tau, power=rules.beat_power)
            shared = lexical(words.part(part), words.part(later))
            bridge = rounded(near * (1.0 + rules.beat_lexical_weight * shared))
            if bridge >= least_bridge(part.mass, later.mass, rules):
                yield -bridge, gap, part.centre, part.id, later.id, one, other


def _join(one: Beat, other: Beat, bridge: float) -> Beat:
    anchors = tuple(sorted((*one.anchors, *other.anchors)))
    return Beat(
        id=uuid5(f"beat\x1f{one.id}\x1f{other.id}"),
        level=max(one.level, other.level) + 1,
        mass=one.mass + other.mass,
        centre=sum(anchors) / len(anchors),
        strength_bridge=bridge,
        strength_internal=rounded(bridge + one.strength_internal + other.strength_internal),
        links=(*one.links, *other.links),
        anchors=anchors,
        children=(one.id, other.id),
    )


def _with_context(
    parts: Sequence[Beat], free: Sequence[int], words: _Words, rules: DialogueParameters
) -> Iterator[Beat]:
    """Let the parts take in lines that nothing used: the strongest pull first, each line once."""
    offers = []
    for place, part in enumerate(parts):
        reach = rules.context_radius + rules.context_radius_mass * part.mass
        near = free[bisect_left(free, part.centre - reach) : bisect_right(free, part.centre + reach)]
        for line in near:
            gap = abs(line - part.centre)
            shared = lexical(words.line(line), words.part(part))
            closeness = hill(gap, tau=rules.context_tau, power=rules.hill_power)
            pull = rounded(closeness * (1.0 + rules.context_lexical_weight * shared))
            if pull >= rules.context_threshold:
                offers.append((-pull, gap, place, line))
    room = [math.floor(rules.context_capacity + rules.context_capacity_mass * part.mass) for part in parts]
    taken: dict[int, list[int]] = {}
    used: set[int] = set()
    for _, _, place, line in sorted(offers):
        if line not in used and len(taken.setdefault(place, [])) < room[place]:
            used.add(line)
            taken[place].append(line)
    for place, part in enumerate(parts):
        yield replace(part, context=tuple(sorted(taken.get(place, ()))))

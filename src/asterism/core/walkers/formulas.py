"""The formulas of exploration: plain functions of plain values (002 Key formulas, 03).

link_score         = alignment x polarity x (1 - permanence) x self_novelty x sibling_divergence
alignment          = .75 x cos(query, link) + .25 x cos(intention, link)
self_novelty       = 1 - max cos(link, link of the path)
sibling_divergence = 1 - max cos(link, vector of a sibling)
criticality        = (1 - satisfaction) x depth / (depth + 1)
injection          = criticality x multiplier of the state
weight_gain        = injection x permanence
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.states import STATE_MULTIPLIER, State


def share(value: float) -> float:
    """Clamp to [0, 1] (D16)."""
    return min(max(value, 0.0), 1.0)


def alignment(query: float, intention: float, *, intention_weight: float = 0.25) -> float:
    """Weigh what is searched for and why.

    >>> alignment(0.8, 0.4)
    0.7
    """
    return share((1.0 - intention_weight) * query + intention_weight * intention)


def novelty(cosines: Iterable[float]) -> float:
    """Say how new something is beside what it is compared with: 1 - max, and 1 beside nothing.

    >>> novelty([0.2, 0.6]), novelty([]), novelty([-0.5])
    (0.4, 1.0, 1.0)
    """
    return share(1.0 - max(cosines, default=0.0))


def link_score(
    *, alignment: float, polarity: float, permanence: float, self_novelty: float, sibling_divergence: float
) -> float:
    """Score a link from five components.

    >>> link_score(alignment=0.7, polarity=0.5, permanence=0.5, self_novelty=0.8, sibling_divergence=0.5)
    0.07
    """
    product = share(alignment) * share(polarity) * share(1.0 - permanence)
    return round(product * share(self_novelty) * share(sibling_divergence), 9)


def criticality(satisfaction: float, depth: int) -> float:
    """Say how urgent it is to find something.

    >>> criticality(0.5, 3)
    0.375
    """
    return (1.0 - satisfaction) * (depth / (depth + 1))


def injection(critical: float, state: State) -> float:
    """Give the energy that a walker leaves at a node.

    >>> injection(0.5, State.RESONATING)
    1.0
    """
    return critical * STATE_MULTIPLIER[state]


def weight_gain(injected: float, permanence: float) -> float:
    """Give the weight that an injection leaves behind.

    >>> weight_gain(0.25, 0.5)
    0.125
    """
    return injected * permanence


def permanence_of(weight: float) -> float:
    """Give the permanence of a node that has none of its own.

    >>> permanence_of(1.0)
    0.5
    """
    return weight / (weight + 1.0)


def satisfied(before: float, *, alignment: float, found: Iterable[float]) -> float:
    """Raise satisfaction by a narrative that was found; `found` are all alignments, its own among them.

    One perfect match gives exactly one half:

    >>> satisfied(0.0, alignment=1.0, found=[1.0])
    0.5
    """
    return min(1.0, before + alignment / (math.fsum(found) + 1.0))


def aware(up: float, down: float, hierarchy: float, *, threshold: float = 0.2) -> tuple[float, float]:
    """Add a link to how far a walker went up and down; a link between peers adds nothing.

    >>> aware(0.0, 0.0, 0.5), aware(0.0, 0.0, -0.5), aware(0.0, 0.0, 0.2)
    ((0.5, 0.0), (0.0, 0.5), (0.0, 0.0))
    """
    if hierarchy > threshold:
        return up + hierarchy, down
    return (up, down - hierarchy) if hierarchy < -threshold else (up, down)


def fatigued(progress: Sequence[float], *, window: int = 5, threshold: float = 0.05) -> bool:
    """Say whether the last hops brought a walker no nearer to its intention.

    >>> fatigued([0.6, 0.01, 0.0, -0.02, 0.03, 0.01]), fatigued([0.6, 0.01, 0.0, -0.02, 0.03])
    (True, False)
    """
    recent = progress[-window:]
    return len(recent) == window and all(abs(delta) < threshold for delta in recent)


def attenuated(hop: int, *, attenuation_rate: float = 0.8) -> float:
    """Give what is left of a colour so many hops before the last link.

    >>> [round(attenuated(hop), 4) for hop in range(3)]
    [1.0, 0.8, 0.64]
    """
    return float(attenuation_rate**hop)


def blended(permanence: float, factor: float, *, colour_blend: float = 0.3) -> float:
    """Give the share of the colour in a link's new vector.

    >>> blended(0.5, 0.8)
    0.12
    """
    return colour_blend * (1.0 - permanence) * factor


def boosted(permanence: float, boost: float, factor: float) -> float:
    """Give a coloured link's new permanence.

    >>> boosted(0.5, 0.1, 0.8), boosted(0.99, 0.1, 1.0)
    (0.58, 1.0)
    """
    return min(1.0, permanence + boost * factor)


def needs_crystal(found: Iterable[float], p: ExplorationParameters) -> bool:
    """Say whether no found narrative is an exact match.

    >>> needs_crystal([0.89], ExplorationParameters()), needs_crystal([0.9], ExplorationParameters())
    (True, False)
    """
    return max(found, default=0.0) < p.child_match

"""States of a connection: a ladder of strength and evidence, and dormancy that overrides it (seed 2).

    STRONG    s >= .8 and e >= 8        DORMANT after 60 days without evidence
    MODERATE  s >= .6 and e >= 5                      45
    WEAK      s >= .4 and e >= 3                      30
    FORMING   s >= .2 and e >= 2                      14
    NASCENT   otherwise                                7; DISSOLVED then, if it never had a second item

The rungs rise together (checked with the parameters), so a state is the number of rungs reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import LinkState
from asterism.core.ledger.columns import Bools, Bytes, Floats, Ints

ACTIVE = (LinkState.NASCENT, LinkState.FORMING, LinkState.WEAK, LinkState.MODERATE, LinkState.STRONG)


class Ladder(NamedTuple):
    """The thresholds of the parameters, ready for numbers and columns."""

    strength: tuple[float, ...]
    evidence: tuple[int, ...]
    dormancy_days: Ints  # by LinkState


def ladder(parameters: ConnectionParameters) -> Ladder:
    """Gather the rungs of the ladder."""
    p = parameters
    never = np.iinfo(np.int32).max
    return Ladder(
        (p.strength_nascent_max, p.strength_forming_max, p.strength_weak_max, p.strength_moderate_max),
        (p.evidence_for_forming, p.evidence_for_weak, p.evidence_for_moderate, p.evidence_for_strong),
        np.array(
            [
                never,
                never,
                p.dormancy_nascent,
                p.dormancy_forming,
                p.dormancy_weak,
                p.dormancy_moderate,
                p.dormancy_strong,
            ],
            dtype=np.int32,
        ),
    )


def active_state(strength: float, effective: float, rungs: Ladder) -> LinkState:
    """Give the state of a link that has just had evidence.

    >>> active_state(0.8, 7, ladder(ConnectionParameters())).name
    'MODERATE'
    """
    state = 0
    for least_strength, least_evidence in zip(rungs.strength, rungs.evidence, strict=True):
        if strength < least_strength or effective < least_evidence:
            break
        state += 1
    return ACTIVE[state]


def active_states(strength: Floats, effective: Floats, rungs: Ladder) -> Bytes:
    """Give the states of many links, dormancy apart."""
    states = np.full(strength.shape, LinkState.NASCENT, dtype=np.uint8)
    for least_strength, least_evidence in zip(rungs.strength, rungs.evidence, strict=True):
        states += (strength >= least_strength) & (effective >= least_evidence)
    return states


def day_end_states(*, before: Bytes, active: Bytes, basis: Bytes, idle_days: Ints, lone: Bools, rungs: Ladder) -> Bytes:
    """Settle states at day end.

    `active` is what strength and evidence give, `basis` the state whose dormancy threshold applies, and `lone`
    marks links that never had a second item: they dissolve instead of going dormant from NASCENT.
    """
    dormant = idle_days >= rungs.dormancy_days.take(basis)
    ended = dormant & lone
    ended &= active == LinkState.NASCENT
    ended |= before == LinkState.DISSOLVED
    # DISSOLVED is 0 and DORMANT 1, below every active state: products, where branches would cost ten times as much
    states = np.maximum(active * ~dormant, np.uint8(LinkState.DORMANT))
    states *= ~ended
    return states


def day_end_state(*, before: int, active: int, basis: int, idle_days: int, lone: bool, rungs: Ladder) -> int:
    """Settle one link's state at day end, as `day_end_states` settles many.

    >>> rungs = ladder(ConnectionParameters())
    >>> nascent = LinkState.NASCENT
    >>> day_end_state(before=nascent, active=nascent, basis=nascent, idle_days=7, lone=True, rungs=rungs)
    0
    """
    dormant = idle_days >= rungs.dormancy_days.item(basis)
    if before == LinkState.DISSOLVED or (dormant and lone and active == LinkState.NASCENT):
        return int(LinkState.DISSOLVED)
    return int(LinkState.DORMANT) if dormant else active

"""Predictions: a causal link expects its effect, and is strengthened when it comes (seed 6.3).

When the cause has an event, the link expects an event of a known sign at its effect after the mean lag. An event
of that sign within +/- 50 % of the lag verifies it; when that time has passed it is kept as a miss.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from asterism.core.calendar import MICROS_PER_HOUR
from asterism.core.columns import Floats, Ints, Longs, Rows
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.tables import Links, Predictions
from asterism.core.connections.words import Direction, LinkKind, LinkState


class Outcome(IntEnum):
    """What became of a prediction."""

    OPEN = 0
    VERIFIED = 1
    MISSED = 2


class DayEvents(NamedTuple):
    """A day's events: which star, when, and by how much it changed."""

    star: Ints
    at: Longs
    change: Floats


def expect(predictions: Predictions, links: Links, events: DayEvents, parameters: ConnectionParameters) -> None:
    """Queue what the day's events let the causal links expect, from the links as the type step found them."""
    star, at, change = events
    if not len(star):
        return
    p = parameters
    causal = (links.kind == LinkKind.CAUSATION) & ~links.latent & ~np.isnan(links.lag_hours)
    causal &= (links.state >= LinkState[p.influence_min_state]) & (links.direction != Direction.NONE)
    rows = np.flatnonzero(causal)
    forward = links.direction[rows] == Direction.A_TO_B
    cause = np.where(forward, links.a[rows], links.b[rows])
    effect = np.where(forward, links.b[rows], links.a[rows])
    for event in np.lexsort((at, star)).tolist():
        for place in np.flatnonzero(cause == star[event]).tolist():
            row = int(rows[place])
            lag = round(float(links.lag_hours[row]) * MICROS_PER_HOUR)
            slack = round(lag * p.prediction_tolerance)
            made = predictions.add()
            predictions.link[made] = row
            predictions.star[made] = effect[place]
            predictions.made_at[made] = at[event]
            predictions.expected_at[made] = at[event] + lag
            predictions.from_at[made] = at[event] + lag - slack
            predictions.until_at[made] = at[event] + lag + slack
            rises = (change[event] > 0) == bool(links.same_sign[row])
            predictions.sign[made] = 1 if rises else -1
            predictions.confidence[made] = links.strength[row] * links.causation[row]
            predictions.outcome[made] = Outcome.OPEN


def resolve(predictions: Predictions, events: DayEvents, *, day_end: int) -> Rows:
    """Settle open predictions with the day's events; give the link of each that was verified."""
    star, at, change = events
    live = predictions.trim()
    verified: list[int] = []
    for row in np.flatnonzero(live.outcome == Outcome.OPEN).tolist():
        matches = (star == live.star[row]) & (at >= live.from_at[row]) & (at <= live.until_at[row])
        matches &= (at > live.made_at[row]) & (np.sign(change) == live.sign[row])
        if matches.any():
            live.outcome[row] = Outcome.VERIFIED
            live.resolved_at[row] = at[matches].min()
            verified.append(int(live.link[row]))
        elif live.until_at[row] < day_end:
            live.outcome[row] = Outcome.MISSED
            live.resolved_at[row] = live.until_at[row]
    return np.array(verified, dtype=np.intp)


def canonical_order(predictions: Predictions, link_rank: Rows) -> Rows:
    """Give the rows in an order that does not depend on how they were queued."""
    live = predictions.trim()
    return np.lexsort((live.sign, live.expected_at, live.made_at, link_rank[live.link]))

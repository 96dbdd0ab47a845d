"""Predictions: a causal link expects its effect, and is strengthened when it comes (seed 6.3).

When the cause has an event, the link expects an event of a known sign at its effect after the mean lag. An event
of that sign within +/- 50 % of the lag verifies it; when that time has passed it is kept as a miss.

A link that was found expects from its first day on, to have a record early; what no longer holds expects nothing.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from asterism.core.connections.causation import ranges
from asterism.core.connections.findings import Found
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.tables import NOT_FORMED, Links, Predictions, Stars
from asterism.core.connections.words import Direction, LinkKind, LinkState
from asterism.core.ledger.calendar import MICROS_PER_HOUR
from asterism.core.ledger.columns import Floats, Ints, Longs, Rows


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


def expect(
    predictions: Predictions, links: Links, stars: Stars, events: DayEvents, parameters: ConnectionParameters
) -> None:
    """Queue what the day's events let the causal links expect, from the links as the type step found them."""
    star, at, change = events
    if not len(star):
        return
    p = parameters
    rows = np.flatnonzero(links.kind == LinkKind.CAUSATION)
    direction = links.direction[rows]
    causal = ~links.latent[rows] & ~np.isnan(links.lag_hours[rows]) & (direction != Direction.NONE)
    causal &= (links.state[rows] >= LinkState[p.influence_min_state]) | (links.found[rows] == Found.HOLDS)
    causal &= (links.state[rows] > LinkState.DORMANT) & (links.found[rows] != Found.GONE)
    causal &= links.lag_direction[rows] == direction  # a lag of the other direction expects nothing
    rows = rows[causal]
    forward = links.direction[rows] == Direction.A_TO_B
    cause = np.where(forward, links.a[rows], links.b[rows])
    effect = np.where(forward, links.b[rows], links.a[rows])
    caused = np.isin(cause, star) & (stars.born_day[effect] != NOT_FORMED)  # most causes have no event today
    rows, cause, effect = rows[caused], cause[caused], effect[caused]
    order = np.lexsort((at, star))
    by_cause = np.argsort(cause, kind="stable")
    causes = cause[by_cause]
    which, place = ranges(causes.searchsorted(star[order]), causes.searchsorted(star[order], side="right"))
    event, place = order[which], by_cause[place]
    row = rows[place]
    lag = np.rint(links.lag_hours[row] * MICROS_PER_HOUR).astype(np.int64)
    slack = np.rint(lag * p.prediction_tolerance).astype(np.int64)
    rises = (change[event] > 0) == links.same_sign[row]

    first = predictions.size
    predictions.extend_to(first + len(row))
    made = predictions.trim()
    made.link[first:] = row
    made.star[first:] = effect[place]
    made.made_at[first:] = at[event]
    made.expected_at[first:] = at[event] + lag
    made.from_at[first:] = at[event] + lag - slack
    made.until_at[first:] = at[event] + lag + slack
    made.sign[first:] = np.where(rises, 1, -1)
    made.confidence[first:] = links.strength[row] * links.causation[row]
    made.outcome[first:] = Outcome.OPEN


def expecting(predictions: Predictions) -> bool:
    """Say whether anything is expected that has neither come nor been missed."""
    return bool((predictions.trim().outcome == Outcome.OPEN).any())


def resolve(predictions: Predictions, events: DayEvents, *, day_end: int) -> Rows:
    """Settle open predictions with the day's events; give the rows of those that were."""
    star, at, change = events
    live = predictions.trim()
    open_rows = np.flatnonzero(live.outcome == Outcome.OPEN)
    order = np.lexsort((at, star))
    star, at, change = star[order], at[order], change[order]
    expected = live.star[open_rows]
    which, event = ranges(star.searchsorted(expected), star.searchsorted(expected, side="right"))
    row = open_rows[which]
    matches = (at[event] >= live.from_at[row]) & (at[event] <= live.until_at[row])
    matches &= (at[event] > live.made_at[row]) & (np.sign(change[event]) == live.sign[row])
    verified, earliest = np.unique(row[matches], return_index=True)  # a star's events run in the order of time
    live.outcome[verified] = Outcome.VERIFIED
    live.resolved_at[verified] = at[event[matches][earliest]]
    missed = open_rows[(live.outcome[open_rows] == Outcome.OPEN) & (live.until_at[open_rows] < day_end)]
    live.outcome[missed] = Outcome.MISSED
    live.resolved_at[missed] = live.until_at[missed]
    return np.concatenate([verified, missed])


def canonical_order(predictions: Predictions, link_rank: Rows) -> Rows:
    """Give the rows in an order that does not depend on how they were queued."""
    live = predictions.trim()
    return np.lexsort((live.sign, live.expected_at, live.made_at, link_rank[live.link]))

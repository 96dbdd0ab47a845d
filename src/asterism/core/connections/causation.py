"""Causation between two stars: do changes of A come before changes of B by a steady lag? (seed 5.3; D10)

    lags        all t_B - t_A in (0, 72) h, at least 3
    consistency 1 - variance/mean, in hours, clipped to [0, 1]
    confidence  min(1, n/8 x consistency)

Literally, lags that mix 24 and 48 h give 0, because a variance in square hours is held against hours; the overlay
`tuned` uses stdev/mean and pairs each event of A with the next event of B only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.tables import Events
from asterism.core.connections.words import Direction
from asterism.core.ledger.calendar import MICROS_PER_HOUR
from asterism.core.ledger.columns import Bools, Bytes, Floats, Longs, Rows

LINKS_AT_ONCE = 32_768
FEW_EVENTS = 12  # a star, on average
Ranges = tuple[Rows, Rows]  # where each begins and ends
TIME_BITS = 42  # 50 days of microseconds


class Causation(NamedTuple):
    """What the lags of many pairs say; `direction` is 0 where there are too few."""

    confidence: Floats
    lag_hours: Floats
    same_sign: Bools
    direction: Bytes
    lags: Longs


class EventIndex:
    """A window's events, sorted by star and time, so that one search finds a star's events after a moment."""

    def __init__(self, events: Events, *, first_at: int) -> None:
        star, at, change = events.star[: events.size], events.at[: events.size], events.change[: events.size]
        kept = at >= first_at
        order = np.lexsort((at[kept], star[kept]))
        self.origin = first_at
        self.at: Longs = at[kept][order]
        self.change: Floats = change[kept][order]
        star = star[kept][order]
        self.key: Longs = star.astype(np.int64) << TIME_BITS | (self.at - first_at)
        self._beyond = int(star[-1]) + 1 if len(star) else 0  # stars from here on have no events
        self._first: Rows = star.searchsorted(np.arange(self._beyond + 2, dtype=star.dtype))

    def of(self, star: Rows) -> tuple[Rows, Rows]:
        """Give where the events of each star begin and end."""
        star = np.minimum(star, self._beyond)
        return self._first[star], self._first[1:][star]

    def between(self, star: Rows, after: Longs, before: Longs) -> tuple[Rows, Rows]:
        """Give where the events of each star strictly between two times begin and end."""
        base = star.astype(np.int64) << TIME_BITS
        return (
            self.key.searchsorted(base + (after - self.origin), side="right"),
            self.key.searchsorted(base + np.minimum(before - self.origin, (1 << TIME_BITS) - 1), side="left"),
        )


def detect_causation(index: EventIndex, a: Rows, b: Rows, parameters: ConnectionParameters) -> Causation:
    """Test both directions of many pairs; the more confident wins, ties go to a_to_b (spec 01, Type)."""
    forward = _one_way(index, a, b, parameters)
    backward = _one_way(index, b, a, parameters)
    wins = backward.confidence > forward.confidence
    found = np.where(wins, backward.lags, forward.lags) >= parameters.min_causation_observations
    direction = np.where(wins, np.uint8(Direction.B_TO_A), np.uint8(Direction.A_TO_B))
    return Causation(
        np.where(wins, backward.confidence, forward.confidence),
        np.where(wins, backward.lag_hours, forward.lag_hours),
        np.where(wins, backward.same_sign, forward.same_sign),
        np.where(found, direction, np.uint8(Direction.NONE)),
        np.where(wins, backward.lags, forward.lags),
    )


def _one_way(index: EventIndex, a: Rows, b: Rows, parameters: ConnectionParameters) -> Causation:
    size = len(a)
    result = Causation(
        np.zeros(size),
        np.full(size, np.nan),
        np.zeros(size, dtype=np.bool_),
        np.zeros(size, dtype=np.uint8),
        np.zeros(size, dtype=np.int64),
    )
    of_a, of_b = index.of(a), index.of(b)
    candidates = np.flatnonzero((of_a[1] > of_a[0]) & (of_b[1] > of_b[0]))
    for first in range(0, len(candidates), LINKS_AT_ONCE):
        rows = candidates[first : first + LINKS_AT_ONCE]
        part = _lags(index, b[rows], _some(of_a, rows), _some(of_b, rows), parameters)
        result.confidence[rows] = part.confidence
        result.lag_hours[rows] = part.lag_hours
        result.same_sign[rows] = part.same_sign
        result.direction[rows] = part.direction
        result.lags[rows] = part.lags
    return result


def _lags(index: EventIndex, b: Rows, of_a: Ranges, of_b: Ranges, parameters: ConnectionParameters) -> Causation:
    p = parameters
    size = len(b)
    link, event_a, event_b = _pairs(index, b, of_a, of_b, parameters)
    lag = (index.at[event_b] - index.at[event_a]) / MICROS_PER_HOUR
    same = index.change[event_b] * index.change[event_a] > 0

    # bincount adds in the order of the pairs, as a plain loop would: the same bits
    count = np.bincount(link, minlength=size)
    some = np.maximum(count, 1)
    mean = np.bincount(link, weights=lag, minlength=size) / some
    apart = lag - mean[link]
    spread = np.bincount(link, weights=apart * apart, minlength=size) / some
    if p.causation_spread == "stdev":
        spread = np.sqrt(spread)
    consistency = np.clip(1.0 - spread / np.where(mean > 0, mean, 1.0), 0.0, 1.0)
    confidence = np.minimum(count / p.saturation_count * consistency, 1.0)
    enough = count >= p.min_causation_observations
    return Causation(
        np.where(enough, np.round(confidence, 9), 0.0),
        np.where(enough, mean, np.nan),
        2 * np.bincount(link, weights=same, minlength=size) > count,
        np.where(enough, np.uint8(Direction.A_TO_B), np.uint8(Direction.NONE)),
        count.astype(np.int64),
    )


def _pairs(
    index: EventIndex, b: Rows, of_a: Ranges, of_b: Ranges, parameters: ConnectionParameters
) -> tuple[Rows, Rows, Rows]:
    """Give every pair of an event of A and a later event of B within reach, and its link; by link, A's event, B's."""
    longest = round(parameters.max_causation_lag * MICROS_PER_HOUR)
    link, event_a = ranges(*of_a)
    time_a = index.at[event_a]
    next_only = parameters.causation_pairing == "next"
    if not next_only and int((of_b[1] - of_b[0])[link].sum()) <= FEW_EVENTS * len(link):
        # few events a star: to look at all of them is faster than to search
        owner, event_b = ranges(of_b[0][link], of_b[1][link])
        lag = index.at[event_b] - time_a[owner]
        near = np.flatnonzero((lag > 0) & (lag < longest))
        owner, event_b = owner[near], event_b[near]
    else:
        low, high = index.between(b[link], time_a, time_a + longest)
        owner, event_b = ranges(low, np.minimum(high, low + 1) if next_only else high)
    return link[owner], event_a[owner], event_b


def _some(ranges: Ranges, rows: Rows) -> Ranges:
    return ranges[0][rows], ranges[1][rows]


def ranges(starts: Rows, ends: Rows) -> tuple[Rows, Rows]:
    """Expand [start, end) ranges into which range each number came from, and the number."""
    lengths = np.maximum(ends - starts, 0)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    before = np.cumsum(lengths) - lengths
    return owner, np.arange(len(owner)) - before[owner] + starts[owner]

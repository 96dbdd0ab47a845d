"""What kind of link a pair is: the first that holds of a fixed order (seed 5; spec 01, Type).

user-assigned, dark star, blocks, correlation > .5, correlation < -.3, causation, else RESONANCE
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from asterism.core.connections.causation import Causation
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.tables import NOT_FORMED, RING_DAYS, Stars
from asterism.core.connections.words import Direction, LinkKind, StarState
from asterism.core.ledger.columns import Bools, Bytes, Floats, Masks, Rows

PAIRS_AT_ONCE = 8_192  # 30 days of them and what is computed fit the cache


def low_bits(days: int) -> np.uint64:
    """Give a mask of the last so many days, today included.

    >>> int(low_bits(3))
    7
    """
    return np.uint64((1 << days) - 1)


class Ring:
    """The brightness of the last days, a row a date; a star's column is its `ring_row`."""

    def __init__(self, values: Floats | None = None, size: int = 0) -> None:
        self.values: Floats = np.full((RING_DAYS, 16), np.nan) if values is None else values
        self.size = size

    def add(self) -> int:
        """Make room for one more star and give its column."""
        if self.size == self.values.shape[1]:
            grown = np.full((RING_DAYS, max(16, 2 * self.size)), np.nan)
            grown[:, : self.size] = self.values
            self.values = grown
        self.size += 1
        return self.size - 1

    def on(self, day: int) -> Floats:
        """Give the brightness of every star on a date of the last 41 days."""
        row: Floats = self.values[day % RING_DAYS, : self.size]
        return row

    def series(self, columns: Rows, *, day: int, days: int) -> Floats:
        """Give the brightness of some stars, a row a star: the latest day first, 0 where there is none."""
        dates = (day - np.arange(days)) % RING_DAYS
        return np.nan_to_num(np.ascontiguousarray(self.values[dates][:, columns].T), copy=False)

    def copy(self) -> Ring:
        """Copy the ring."""
        return Ring(self.values.copy(), self.size)


def correlations(ring: Ring, stars: Stars, a: Rows, b: Rows, *, day: int, parameters: ConnectionParameters) -> Floats:
    """Correlate the daily brightness of many pairs over 30 days, on days both have a value; NaN where it cannot be.

    Sums run day by day, so that one pair alone gives the same bits as a million together.
    """
    window = parameters.correlation_window
    valued: Masks = np.where(stars.ring_row >= 0, stars.valued_days & low_bits(window), np.uint64(0))
    both: Masks = valued[a] & valued[b]
    found = np.full(len(a), np.nan)
    rows = np.flatnonzero(np.bitwise_count(both) >= parameters.min_observations)
    if not len(rows):
        return found
    needed = np.zeros(len(valued), dtype=np.bool_)
    needed[a[rows]] = needed[b[rows]] = True
    ends = np.flatnonzero(needed)
    place = np.zeros(len(valued), dtype=np.intp)
    place[ends] = np.arange(len(ends))
    series = ring.series(stars.ring_row[ends], day=day, days=window)
    for first in range(0, len(rows), PAIRS_AT_ONCE):
        some = rows[first : first + PAIRS_AT_ONCE]
        found[some] = _pearson(
            series.take(place[a[some]], axis=0).T.copy(), series.take(place[b[some]], axis=0).T.copy(), both[some]
        )
    return found


def _pearson(a: Floats, b: Floats, both: Masks) -> Floats:
    """Correlate series given a row a day, latest first, over the days marked in `both`."""
    count = np.bitwise_count(both).astype(np.float64)
    shared = np.empty_like(a)  # 1 on a shared day, else 0
    mean_a, mean_b = np.zeros(len(both)), np.zeros(len(both))
    for back, here in enumerate(shared):
        here[:] = both >> np.uint64(back) & np.uint64(1)
        mean_a += a[back] * here
        mean_b += b[back] * here
    mean_a /= count
    mean_b /= count
    square_a, square_b, product = np.zeros(len(both)), np.zeros(len(both)), np.zeros(len(both))
    for of_a, of_b, here in zip(a, b, shared, strict=True):
        apart_a, apart_b = (of_a - mean_a) * here, (of_b - mean_b) * here
        product += apart_a * apart_b
        square_a += np.square(apart_a, out=apart_a)
        square_b += np.square(apart_b, out=apart_b)
    varies = (square_a > 1e-12) & (square_b > 1e-12)  # a constant series has no correlation
    scale = np.where(varies, np.sqrt(square_a * square_b), 1.0)
    return np.where(varies, np.round(product / scale, 9), np.nan)


def mark_stuck(ring: Ring, stars: Stars, *, day: int, parameters: ConnectionParameters) -> None:
    """Note who is stuck today: engaged, and brighter by less than .05 than 7 days ago (spec 01, Blocking)."""
    p = parameters
    rows = np.flatnonzero((stars.engaged_days & np.uint64(1)).astype(np.bool_) & (stars.born_day <= day - p.stuck_days))
    if not len(rows):
        return
    columns = stars.ring_row[rows]
    change = np.round(ring.on(day)[columns] - ring.on(day - p.stuck_days)[columns], 9)
    stars.stuck_days[rows[change < p.low_progress]] |= np.uint64(1)


def often_engaged(stars: Stars, parameters: ConnectionParameters) -> Bools:
    """Mark the stars that were engaged on most of the last days."""
    p = parameters
    engaged = np.bitwise_count(stars.engaged_days & low_bits(p.engagement_days)) / p.engagement_days
    often: Bools = (engaged > p.high_engagement) & (stars.born_day != NOT_FORMED)
    return often


def blockable(ring: Ring, stars: Stars, *, day: int, parameters: ConnectionParameters) -> Bools:
    """Mark the stars that much engagement does not lift: what a blocked star looks like, whoever blocks it."""
    p = parameters
    marked = often_engaged(stars, p)
    rows = np.flatnonzero(marked)
    since = np.maximum(stars.born_day[rows], day - p.engagement_days) % RING_DAYS
    columns = stars.ring_row[rows]
    progress = np.round(ring.on(day)[columns] - ring.values[since, columns], 9)
    marked[rows[~(progress < p.low_progress)]] = False
    return marked


def blocks(stars: Stars, blocked: Bools, a: Rows, b: Rows, parameters: ConnectionParameters) -> Bools:
    """Say for many pairs whether A was engaged on more than half of B's stuck days."""
    found: Bools = blocked[b] & (stars.born_day[a] != NOT_FORMED)
    rows = np.flatnonzero(found)
    stuck = stars.stuck_days[b[rows]] & low_bits(parameters.engagement_days)
    days = np.bitwise_count(stuck)
    active = np.bitwise_count(stuck & stars.engaged_days[a[rows]])
    found[rows] = active > parameters.activity_threshold * days
    return found


def dark_stars(stars: Stars) -> Bools:
    """Mark the stars that are DARK."""
    dark: Bools = (stars.state == StarState.DARK) & (stars.born_day != NOT_FORMED)
    return dark


BLOCKING_CONFIDENCE = 0.7  # seed 5.4: a detected block is trusted this far, no more and no less


class Verdict(NamedTuple):
    """Kinds and directions of many pairs."""

    kind: Bytes
    direction: Bytes


def decide(
    *,
    stars: Stars,
    blocked: Bools,
    correlation: Floats,
    causation: Causation,
    a: Rows,
    b: Rows,
    parameters: ConnectionParameters,
) -> Verdict:
    """Give the kind of many pairs that no user assigned one."""
    p = parameters
    kind = np.full(len(a), LinkKind.RESONANCE, dtype=np.uint8)
    direction = np.zeros(len(a), dtype=np.uint8)

    causal = causation.confidence > p.causation_threshold
    kind[causal] = np.where(causation.same_sign[causal], LinkKind.GROWTH_EDGE, LinkKind.CAUSATION)
    direction[causal] = causation.direction[causal]

    together, against = correlation > p.resonance_threshold, correlation < p.tension_threshold
    kind[together], kind[against] = LinkKind.RESONANCE, LinkKind.TENSION
    direction[together | against] = Direction.NONE

    if p.blocking_threshold <= BLOCKING_CONFIDENCE:
        forward, backward = blocks(stars, blocked, a, b, p), blocks(stars, blocked, b, a, p)
        kind[forward | backward] = LinkKind.BLOCKS
        direction[backward], direction[forward] = Direction.B_TO_A, Direction.A_TO_B

    dark_star = dark_stars(stars)
    dark = dark_star[a] | dark_star[b]
    kind[dark], direction[dark] = LinkKind.SHADOW_MIRROR, Direction.NONE
    return Verdict(kind, direction)

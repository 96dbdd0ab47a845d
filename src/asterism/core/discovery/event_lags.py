"""The seed's event-lag detector over a matrix of evenly spaced series (seed 5.3; spec 01, Type, D10).

An event is a large change since the last value seen. For every ordered pair (a, b) the lags from events of
a to later events of b inside (0, 72) h are collected, and

    consistency = 1 - variance / mean (hours, clipped to [0, 1]),    confidence = min(1, n / 8 x consistency).

The seed reads changes of brightness, whose threshold is .1. A series in other units is put on that scale by
letting one of its standard deviations be .1 of brightness; everything else is literal. On an even grid a
lag is a whole number of steps, so the lags of all pairs are counted by one matrix product a step of delay.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from asterism.core.ledger.columns import Bools, Floats
from asterism.core.statistics.series import standardise

BRIGHTNESS_PER_DEVIATION = 0.1


class EventRules(Protocol):
    """What is asked of a set of rules; the parameters of connections are one."""

    @property
    def event_threshold(self) -> float:
        """The change of brightness that is an event."""

    @property
    def max_causation_lag(self) -> float:
        """The longest lag, in hours."""

    @property
    def causation_pairing(self) -> str:
        """Whether an event pairs with "all" later ones or with the "next" one."""

    @property
    def causation_spread(self) -> str:
        """What is held against the mean lag: "variance" or "stdev"."""

    @property
    def saturation_count(self) -> int:
        """How many lags are enough for full confidence."""

    @property
    def min_causation_observations(self) -> int:
        """How many lags it takes to say anything."""

    @property
    def causation_threshold(self) -> float:
        """The confidence above which there is a link."""

    @property
    def min_observations(self) -> int:
        """How many steps it takes to speak of a correlation."""

    @property
    def resonance_threshold(self) -> float:
        """The correlation above which two series move together."""

    @property
    def tension_threshold(self) -> float:
        """The correlation below which they move against each other."""


@dataclass(frozen=True, slots=True)
class EventLags:
    """Matrices [a, b]: the lags counted, confidence, mean lag in hours (0 without lags) and the sign."""

    count: Floats
    confidence: Floats
    lag_hours: Floats
    positive: Bools


def changes(series: Floats, *, threshold: float) -> Floats:
    """Give the sign of every event, where the change since the last value seen reaches the threshold.

    event = sign(x_t - x_last) when |x_t - x_last| x .1 / sd >= threshold.

    >>> changes(np.array([[0.0, 2.0, np.nan, 2.0, 0.0]]), threshold=0.1).astype(int).tolist()
    [[0, 1, 0, 0, -1]]

    Spec 01-connections, "Type".
    """
    bright = standardise(series) * BRIGHTNESS_PER_DEVIATION
    if bright.size == 0:
        return np.zeros_like(bright)
    steps = np.arange(bright.shape[1])
    present = np.isfinite(bright)
    newest = np.maximum.accumulate(np.where(present, steps, -1), axis=1)
    before = np.hstack([np.full((len(bright), 1), -1), newest[:, :-1]])
    last = np.take_along_axis(bright, np.maximum(before, 0), axis=1)
    moved = np.where(present & (before >= 0), bright - last, 0.0)
    # A difference of two rounded values may miss the threshold it equals on paper.
    return np.where(np.abs(moved) >= threshold - 1e-12, np.sign(moved), 0.0)


def event_lags(series: Floats, *, step_hours: float, rules: EventRules) -> EventLags:
    """Count the lags from each series' events to each other's and judge how steady they are.

    confidence = min(1, n / 8 x clip(1 - variance / mean, 0, 1)), 0 with fewer than 3 lags.

    >>> first = np.array([0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0.0])
    >>> both = np.vstack([first, np.roll(first, 1)])
    >>> from asterism.core.connections.parameters import ConnectionParameters
    >>> found = event_lags(both, step_hours=24, rules=ConnectionParameters())
    >>> found.count[0, 1], found.lag_hours[0, 1], found.confidence[0, 1]
    (np.float64(4.0), np.float64(24.0), np.float64(0.5))

    Spec 01-connections, "Type", D10.
    """
    p = rules
    signs = changes(series, threshold=p.event_threshold)
    size, steps = signs.shape
    happened = np.abs(signs)
    furthest = min(math.ceil(p.max_causation_lag / step_hours) - 1, steps - 1)
    count, total, squares, agreement = (np.zeros((size, size)) for _ in range(4))
    waiting = np.ones_like(happened)
    for lag in range(1, furthest + 1):
        hours = lag * step_hours
        later = np.zeros_like(signs)
        later[:, : steps - lag] = signs[:, lag:]
        if p.causation_pairing == "next":
            later = later * waiting
            waiting = waiting * (1.0 - np.abs(later))
        pairs = happened @ np.abs(later).T
        count += pairs
        total += hours * pairs
        squares += hours * hours * pairs
        agreement += signs @ later.T
    some = np.maximum(count, 1.0)
    mean = total / some
    spread = np.maximum(squares / some - mean * mean, 0.0)
    if p.causation_spread == "stdev":
        spread = np.sqrt(spread)
    consistency = np.clip(1.0 - spread / np.where(mean > 0.0, mean, 1.0), 0.0, 1.0)
    confidence = np.minimum(count / p.saturation_count * consistency, 1.0)
    confidence = np.where(count >= p.min_causation_observations, confidence, 0.0)
    np.fill_diagonal(confidence, 0.0)
    return EventLags(count=count, confidence=confidence, lag_hours=mean, positive=agreement > 0.0)

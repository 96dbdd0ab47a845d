"""The scale that values of a star are told on: "1..7", "-3..3", "0..20000".

    brightness = .05 + .95 x (value - low) / (high - low)        what the memory works with
    value      = low + (brightness - .05) / .95 x (high - low)   what people are shown again

The item that tells a value keeps its scale, so the value can be shown as it was told.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from asterism.core.ledger.items import Payload, cut
from asterism.core.ledger.model import Model
from asterism.core.ledger.payloads import number
from asterism.errors import InputError

LOWEST = 0.05  # the brightness of a scale's low end: a star is never quite dark
MOST = 1e15  # what a value and the ends of a scale may be, up or down: beyond it floats skip numbers
ENOUGH, FAR = 5, 4.0  # values, and times the next one, from which on one may be a mistake
SMALL = (1, 2, 3, 5, 7, 10)  # highest marks of the scales that people use
WRITTEN = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s*(?:\.\.|to|–)\s*([+-]?\d+(?:\.\d+)?)\s*")


@dataclass(frozen=True, slots=True)
class Scale(Model):
    """The least and the most that a value can be; `guessed` from values, where nobody told it."""

    low: float
    high: float
    guessed: bool = False

    def __str__(self) -> str:
        return f"{self.low:.12g}..{self.high:.12g}"

    def holds(self, value: float) -> bool:
        """Say whether a value is on the scale.

        >>> Scale(1, 7).holds(7), Scale(1, 7).holds(7.5)
        (True, False)
        """
        return self.low <= value <= self.high

    def brightness(self, value: float) -> float:
        """Give the brightness of a value.

        >>> Scale(1, 7).brightness(4), Scale(-3, 3).brightness(-3)
        (0.525, 0.05)
        """
        share = (value - self.low) / (self.high - self.low)
        return min(1.0, round(LOWEST + (1.0 - LOWEST) * share, 12))

    def value(self, brightness: float) -> float:
        """Give the value that has a brightness, as it was told.

        >>> Scale(1, 7).value(0.525), Scale(0, 20000).value(Scale(0, 20000).brightness(12345))
        (4.0, 12345.0)
        """
        span = min(self.high - self.low, sys.float_info.max)  # older items may tell scales wider than every float
        told = self.low + (brightness - LOWEST) / (1.0 - LOWEST) * span
        return round(told, max(0, 9 - math.ceil(math.log10(span)))) + 0.0

    def fields(self) -> dict[str, float | bool]:
        """Give what the item of a value says of its scale."""
        told: dict[str, float | bool] = {"low": self.low, "high": self.high}
        return told | ({"guessed": True} if self.guessed else {})


def scale_of(payload: Payload) -> Scale | None:
    """Read the scale that an item tells its value on; None if it tells a brightness.

    >>> print(scale_of({"star": "mood", "value": 0.525, "low": 1.0, "high": 7.0}), scale_of({"value": 0.5}))
    1..7 None
    """
    if "low" not in payload:
        return None
    return Scale(number(payload["low"], "low"), number(payload["high"], "high"), payload.get("guessed") is True)


def told_scale(text: str) -> Scale:
    """Read a scale as people write it.

    >>> print(told_scale("1..7"), told_scale("-3 to 3"))
    1..7 -3..3
    """
    found = WRITTEN.fullmatch(str(text))
    shown = cut(str(text))
    if found and float(found[1]) < float(found[2]):
        scale = Scale(float(found[1]), float(found[2]))
        if scale.low >= -MOST and scale.high <= MOST and scale.high - scale.low >= 1 / MOST:
            return scale
        raise InputError(
            f"the scale {shown!r} is too wide or too narrow",
            code="bad_scale",
            item=shown,
            hint=f"its ends are within {-MOST:g} and {MOST:g}, and {1 / MOST:g} or more apart: use another unit",
        )
    raise InputError(
        f"{shown!r} is no scale", code="bad_scale", item=shown, hint="write the least and the most: 1..7, -3..3, 0..100"
    )


def guess(values: Iterable[float]) -> Scale:
    """Guess the scale of values: the narrowest that people use and that holds them all.

    >>> print(guess([2, 4, 6]), guess([0, 1]), guess([-2, 1]), guess([6.5, 8]), guess([4200, 11800]))
    1..7 0..1 -2..2 0..10 0..20000
    """
    told = [float(value) for value in values]
    low, high = min(told), max(told)
    most = _mark(max(high, -low))
    if low < 0:
        return Scale(-most, most, guessed=True)
    rated = low >= 1 and high <= 10 and all(value.is_integer() for value in told)
    if rated:
        return Scale(1.0, max(5.0, most), guessed=True)
    return Scale(0.0, most if most <= 1 else max(10.0, most), guessed=True)


def stretching(values: Sequence[float]) -> int | None:
    """Find the one value that alone makes a guessed scale wide: four times as far from 0 as every other, or more.

    >>> [stretching(values) for values in ([3, 4, 2, 44, 6, 5], [3, 4, 2, 7, 6, 5], [1, 44], [0, 0, 0, 0, 9])]
    [3, None, None, None]
    """
    if len(values) < ENOUGH:
        return None
    order = sorted(range(len(values)), key=lambda place: abs(values[place]))
    far, others = order[-1], [values[place] for place in order[:-1]]
    most = max(abs(each) for each in others)
    if most == 0.0 or abs(values[far]) < FAR * most:
        return None
    return far if guess(values).high >= 2 * guess(others).high else None


def _mark(most: float) -> float:
    """Give the first mark from a number on at which scales end."""
    for mark in SMALL:
        if most <= mark:
            return float(mark)
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if most <= step * power)

"""Decimal numbers out of a block of text, many at once, to the same bits as `float` and `int` give.

A decimal is its digits as one whole number and the count of those after the point. Both are exact, so that their
quotient is rounded once: the float nearest to what is written. What is not a plain decimal of up to 19 digits
(an exponent, a space, a word) is left to the caller, row by row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from asterism.core.ledger.columns import Bools, Bytes, Floats, Longs, Masks

MOST_DIGITS = 19  # any such number fits into 64 bits
EXACT = 2**53  # whole numbers up to here are floats
POWERS = 10.0 ** np.arange(MOST_DIGITS + 1)  # all exact
PADDING = 64  # bytes that must follow the last field: the longest one that is looked at fits
ZERO, MINUS = np.uint8(ord("0")), np.uint8(ord("-"))
POINT = np.uint8(254)  # a point less ZERO, modulo 256


class Decimals(NamedTuple):
    """A column of decimals; where not `good`, the other columns mean nothing."""

    digits: Masks
    places: Longs
    negative: Bools
    pointed: Bools
    good: Bools

    def floats(self) -> Floats:
        """Give the nearest floats; NaN where there is none, or it takes more than one rounding."""
        values = self.digits.astype(np.float64)
        if self.places.any():
            values /= POWERS[self.places]
        if self.negative.any():
            np.negative(values, out=values, where=self.negative)
        values[~self.good | (self.digits > EXACT)] = np.nan
        return values

    def wholes(self) -> Bools:
        """Say which are whole numbers of 63 bits, written without a point."""
        return np.asarray(self.good & ~self.pointed & (self.digits < 2**63))


def decimals(text: Bytes, starts: Longs, ends: Longs) -> Decimals:
    """Read the fields from `starts` up to `ends`; `PADDING` bytes must follow the last.

    >>> text = np.frombuffer(b"1.50,-7,x" + bytes(PADDING), dtype=np.uint8)
    >>> decimals(text, np.array([0, 5, 8]), np.array([4, 7, 9])).floats().tolist()
    [1.5, -7.0, nan]
    """
    size = len(starts)
    negative = text[starts] == MINUS
    if negative.any():
        starts = starts + negative
    widths = ends - starts
    most = min(int(widths.max(initial=0)), MOST_DIGITS + 1)
    digits = np.zeros(size, dtype=np.uint64)
    point = np.full(size, -1, dtype=np.int64)  # where the point stands
    found = np.zeros(size, dtype=np.int64)  # digits and points
    for place in range(most):
        letters = text[starts + place] - ZERO
        inside = place < widths
        is_digit = (letters < 10) & inside
        np.multiply(digits, np.uint64(10), out=digits, where=is_digit)
        np.add(digits, letters, out=digits, where=is_digit)
        found += is_digit
        is_point = (letters == POINT) & inside & (point < 0)
        found += is_point
        point[is_point] = place
    has_point = point >= 0
    places = np.where(has_point, widths - 1 - point, 0)
    count = found - has_point
    good = (found == widths) & (count > 0) & (count <= MOST_DIGITS)
    places[~good] = 0
    return Decimals(digits, places, negative, has_point, good)

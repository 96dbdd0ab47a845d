"""Formulas written once, for a number and for a column of numbers.

Items arrive one by one and days end for all links at once, and both must give the same bits. So a formula is plain
arithmetic, which means the same for a number and for a column, and what arithmetic lacks is here. (numpy's own
functions would take a number too, but ten times as long, and items arrive by the ten thousand.)
"""

from __future__ import annotations

from typing import TypeVar, overload

import numpy as np

from asterism.core.ledger.columns import Bools, Floats, Ints

Numbers = TypeVar("Numbers", float, Floats)


@overload
def at_most(value: float, bound: float) -> float: ...
@overload
def at_most(value: Floats, bound: float) -> Floats: ...
def at_most(value: float | Floats, bound: float) -> float | Floats:
    """Cut what is above a bound.

    >>> at_most(0.7, 0.5), at_most(np.array([0.25, 0.75]), 0.5).tolist()
    (0.5, [0.25, 0.5])
    """
    return np.minimum(value, bound) if isinstance(value, np.ndarray) else value if value < bound else bound


@overload
def at_least(value: int, bound: int) -> int: ...
@overload
def at_least(value: Ints, bound: int) -> Ints: ...
def at_least(value: int | Ints, bound: int) -> int | Ints:
    """Lift what is below a bound.

    >>> at_least(3, 5), at_least(np.array([3, 7]), 5).tolist()
    (5, [5, 7])
    """
    return np.maximum(value, bound) if isinstance(value, np.ndarray) else value if value > bound else bound


@overload
def either(then: float, otherwise: float, *, when: bool) -> float: ...
@overload
def either(then: float, otherwise: float, *, when: Bools) -> Floats: ...
def either(then: float, otherwise: float, *, when: bool | Bools) -> float | Floats:
    """Choose one of two numbers.

    >>> either(0.5, 1.0, when=True), either(0.5, 1.0, when=np.array([True, False])).tolist()
    (0.5, [0.5, 1.0])
    """
    return np.where(when, then, otherwise) if isinstance(when, np.ndarray) else then if when else otherwise

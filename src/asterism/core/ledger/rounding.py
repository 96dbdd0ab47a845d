"""How scores are rounded before they are compared or kept."""

from __future__ import annotations

from typing import overload

import numpy as np

from asterism.core.ledger.columns import Floats

DIGITS = 1e9  # kept scores are whole multiples of 1e-9: the same on every machine


@overload
def rounded(score: float) -> float: ...
@overload
def rounded(score: Floats) -> Floats: ...
def rounded(score: float | Floats) -> float | Floats:
    """Round a score to 1e-9, before it is compared or kept.

    >>> rounded(0.1 + 0.2), rounded(np.array([0.1 + 0.2])).tolist()
    (0.3, [0.3])
    """
    return (np.rint(score * DIGITS) if isinstance(score, np.ndarray) else round(score * DIGITS)) / DIGITS

"""How much a term says: the fewer texts hold it, the more."""

from __future__ import annotations

import math


def idf(entries: int, holding: int) -> float:
    """Weigh a term by how few entries hold it: ln(1 + (N - n + .5) / (n + .5)).

    >>> round(idf(1000, 10), 3), round(idf(1000, 1000), 4)
    (4.557, 0.0005)
    """
    return math.log(1.0 + (entries - holding + 0.5) / (holding + 0.5))

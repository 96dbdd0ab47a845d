"""The links of a narrative, as an exploration leaves them behind."""

from __future__ import annotations

from typing import NamedTuple

WALK = "walk"  # their kind
TIES = 2  # of a narrative: from where its walker was created, and to where it stood


class Tie(NamedTuple):
    """A link of a narrative; it has no vector of its own (D13)."""

    a: str
    b: str
    polarity: float  # a to b
    back: float  # b to a
    hierarchy: float
    permanence: float
    emotions: tuple[float, ...]

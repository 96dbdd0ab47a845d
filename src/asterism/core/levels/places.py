"""What the plain level book is made of: evidence that arrives, and the places it keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from asterism.core.levels.state import OUTSIDE


class Evidence(NamedTuple):
    """One event, as its fields."""

    kind: int
    at: int
    price: float
    usd: float
    seconds: float
    n: int
    side: int
    episode: int


@dataclass(slots=True)
class Place:
    """A price the book keeps an eye on; its fields are those of `state.PLACE`."""

    number: int
    centre: float
    level: int = 0
    anchor: float = 0.0
    anchor_at: int = 0
    confidence: float = 0.0
    volume: float = 0.0
    first_seen: int = 0
    last_seen: int = 0
    interactions: int = 0
    visits: int = 0
    rejections: int = 0
    breaks: int = 0
    episode: int = 0
    seconds: float = 0.0
    reason: int = 0
    side: int = 0
    left: int = 0
    entered: int = OUTSIDE

"""Copies of a projection as earlier days were open: where this process goes back to when something comes late."""

from __future__ import annotations

from dataclasses import dataclass

from asterism.core.space.projection import Projection
from asterism.store.port import spread

MARKS_KEPT = 12
MARK_MAX_LINKS = 20_000  # a copy of more than this costs more than folding a few days again


@dataclass(frozen=True)
class Mark:
    """A copy of the projection as an earlier day was open, and the last item it had seen."""

    day: int
    seq: int
    projection: Projection


class Marks:
    """A few marks, at doubling distances into the past."""

    def __init__(self) -> None:
        self._marks: list[Mark] = []

    def add(self, projection: Projection, seq: int) -> None:
        """Keep a copy of today's beginnings, unless there is one or it is too large."""
        if projection.day is None or projection.connections.graph.links.size > MARK_MAX_LINKS:
            return
        if not self._marks or self._marks[-1].day < projection.day:
            self._marks.append(Mark(projection.day, seq, projection.copy()))
            kept = spread([mark.day for mark in self._marks], MARKS_KEPT)
            self._marks = [mark for mark in self._marks if mark.day in kept]

    def back_to(self, day: int) -> Mark | None:
        """Forget every mark of a later day than this one, and give the last that is left."""
        self._marks = [mark for mark in self._marks if mark.day <= day]
        return self._marks[-1] if self._marks else None

    def clear(self) -> None:
        """Forget all of them."""
        self._marks = []

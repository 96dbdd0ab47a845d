"""Copies of what days change, as earlier days were opened: what is gone back to when something comes late."""

from __future__ import annotations

from dataclasses import dataclass

from asterism.core.space.projection import Projection
from asterism.store.port import spread

MARKS_KEPT = 12
MARK_MAX_LINKS = 20_000  # a copy of more than this costs more than folding a few days again


@dataclass(frozen=True)
class Mark:
    """What was folded as a day was opened, before its first item: everything with a day up to then.

    `seq` is the last that had arrived of what knows no days.
    """

    day: int
    seq: int
    projection: Projection  # what a late item turns back of it


class Marks:
    """A few marks, at doubling distances into the past."""

    def __init__(self) -> None:
        self._marks: list[Mark] = []

    def add(self, projection: Projection, seq: int) -> None:
        """Keep a copy of a day that was just opened, unless there is one or it is too large."""
        if projection.day is None or projection.connections.graph.links.size > MARK_MAX_LINKS:
            return
        if not self._marks or self._marks[-1].day < projection.day:
            self._marks.append(Mark(projection.day, seq, projection.mark()))
            kept = spread([mark.day for mark in self._marks], MARKS_KEPT)
            self._marks = [mark for mark in self._marks if mark.day in kept]

    def back_to(self, day: int) -> Mark | None:
        """Forget every mark of a later day than this one, and give the last that is left."""
        self._marks = [mark for mark in self._marks if mark.day <= day]
        return self._marks[-1] if self._marks else None

    def clear(self) -> None:
        """Forget all of them."""
        self._marks = []

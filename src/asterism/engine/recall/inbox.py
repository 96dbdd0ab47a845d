"""The blocks of the inbox in the order in which they were learned: the first of them get vectors with a question."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping

FEW_CHANGES = 64  # blocks of the inbox, up to which each is put in its place


class Inbox:
    """The blocks of the inbox in the order in which they were learned."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[int, str]] = {}
        self._order: list[tuple[int, str]] | None = None

    def change(self, now: Mapping[str, int | None]) -> None:
        """Note when some blocks were learned that are in the inbox now, and that others are not."""
        for name, at in now.items():
            before, place = self._places.pop(name, None), None if at is None else (at, name)
            if place is not None:
                self._places[name] = place
            if before == place or self._order is None:
                continue
            if len(now) > FEW_CHANGES:
                self._order = None
                continue
            if before is not None:
                del self._order[bisect_left(self._order, before)]
            if place is not None:
                insort(self._order, place)

    def after(self, count: int) -> tuple[int, str] | None:
        """Give the place of the first block behind so many; None if there are no more."""
        if len(self._places) <= count:
            return None
        if self._order is None:
            self._order = sorted(self._places.values())
        return self._order[count]

    def is_behind(self, name: str, edge: tuple[int, str] | None) -> bool:
        """Say whether a block is in the inbox at a place or behind it."""
        return edge is not None and self._places.get(name, ()) >= edge

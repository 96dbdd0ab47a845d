"""Turns: what happened to a link that its own items and its ends' engagements do not tell.

A link's strength follows from what was said of it, from the days on which its ends were engaged, and from a few things
that come from everything else: how crowded the busier end was, what detection saw in the brightness of its ends, which
predictions came true. The fold notes those, a day and a number each, so that `why` can tell one link's story without
folding the rest of the memory (`story.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from asterism.core.connections.words import EvidenceKind
from asterism.core.ledger.columns import Bytes, Floats, Ints, Rows, Table

MOST = 1_000_000  # turns that are kept; `why` of links that are older than the first of them folds everything again


class Turn(IntEnum):
    """What can happen to a link from elsewhere, and the number that is noted of it."""

    CROWDED = 0  # its day had evidence; the connections of the busier end as the day began
    FOUND = 1  # discovery began it; which evidence it found, as bits of `FOUND_BITS`
    FOUND_KIND = 2  # the kind that discovery gave it
    VERIFIED = 3  # a prediction came true; nothing
    KIND = 4  # its type was looked at again; the kind it has from then on
    DETECTED_ONE = 5  # detection counted one item; what it added
    DETECTED_BOTH = 6  # detection counted two items; what they added


FOUND_BITS = {EvidenceKind.CORRELATION_DETECTED: 1, EvidenceKind.CAUSATION_DETECTED: 2}


class Turns(Table):
    """One row for each turn of a link, in the order of days."""

    schema: ClassVar[Mapping[str, tuple[str, float]]] = {
        "link": ("i4", 0),
        "day": ("i4", 0),
        "turn": ("u1", 0),
        "value": ("f8", 0.0),
    }
    link: Ints
    day: Ints
    turn: Bytes
    value: Floats

    def note(
        self,
        links: NDArray[np.integer],
        day: int | NDArray[np.integer],
        turn: Turn | Bytes,
        value: float | NDArray[np.integer] | Floats,
    ) -> None:
        """Note what happened to links."""
        first = self.size
        self.extend_to(first + len(links))
        self.link[first : self.size] = links
        self.day[first : self.size] = day
        self.turn[first : self.size] = turn
        self.value[first : self.size] = value

    def in_order(self, first: int) -> None:
        """Bring the turns from a row on into the order of days."""
        order = first + np.argsort(self.day[first : self.size], kind="stable")
        for name in self.schema:
            column = getattr(self, name)
            column[first : self.size] = column[order]

    def take_back(self, first: int, links: Rows) -> None:
        """Forget the turns of some links from a row on."""
        kept = first + np.flatnonzero(~np.isin(self.link[first : self.size], links))
        for name in self.schema:
            column = getattr(self, name)
            column[first : first + len(kept)] = column[kept]
        self.size = first + len(kept)

    def of(self, link: int) -> list[tuple[int, Turn, float]]:
        """Give the turns of one link: day, turn, number."""
        rows = np.flatnonzero(self.link[: self.size] == link)
        columns = (self.day[rows].tolist(), self.turn[rows].tolist(), self.value[rows].tolist())
        return [(day, Turn(turn), value) for day, turn, value in zip(*columns, strict=True)]


def let_go(turns: Turns, *, since: int, most: int) -> tuple[Turns, int]:
    """Keep the turns of the last days, so many at most; give them, and the first day whose turns are all there.

    How a link was found stays, whatever its age: without it nobody knows when the link began. What is kept is the same
    whether turns are let go of now and then or all at once.
    """
    if turns.size <= most:
        return turns, since
    live, since = turns.trim(), max(since, turns.day.item(turns.size - most - 1) + 1)
    kept = np.flatnonzero((live.day >= since) | (live.turn == Turn.FOUND) | (live.turn == Turn.FOUND_KIND))
    return Turns.load(turns.dump(kept)), since

"""The day's first item on many links at once: `settle_link` on columns, to the same bits.

A batch of evidence mostly names each link once a day. Such links are settled together, and how they began stays in
columns until someone asks for one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import repeat
from typing import NamedTuple

import numpy as np

from asterism.core.connections.evidence import capped_by, day_factor, day_gain, freshness, gap_square, strength_after
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.states import Ladder, active_states
from asterism.core.connections.tables import LinkRow, Links
from asterism.core.connections.today import REBORN, LinkDay
from asterism.core.connections.words import CO_MENTIONS, CONFIRMING, EvidenceKind, LinkState
from asterism.core.ledger.columns import Bytes, Floats, Ints, Longs, Rows


class FirstItems(NamedTuple):
    """Links with one item of evidence today: how they began, and the item."""

    start: Links
    at: Longs
    kind: Bytes
    gain: Floats  # base gain
    factor: Floats  # freshness x excavation x soft cap

    def link_day(self, place: int) -> LinkDay:
        """Give one link's open day, as if its item had come alone."""
        today = LinkDay(LinkRow._make(self.start.row(place)), factor=self.factor.item(place))
        today.add_evidence(self.at.item(place), EvidenceKind(self.kind.item(place)), self.gain.item(place))
        return today


class Waiting(NamedTuple):
    """Links whose open day waits as columns: their rows, and their places there."""

    first: FirstItems
    rows: list[int]
    places: list[int]


class LinkDays:
    """The open day of every link that was touched; links with a single item may wait as columns."""

    def __init__(self) -> None:
        self._made: dict[int, LinkDay] = {}
        self._waiting: dict[int, tuple[FirstItems, int]] = {}

    def get(self, row: int) -> LinkDay | None:
        """Give the open day of a link, if it was touched."""
        waiting = self._waiting.pop(row, None)
        if waiting is not None:
            first, place = waiting
            self._made[row] = first.link_day(place)
        return self._made.get(row)

    def __getitem__(self, row: int) -> LinkDay:
        today = self.get(row)
        if today is None:
            raise KeyError(row)
        return today

    def __setitem__(self, row: int, today: LinkDay) -> None:
        self._made[row] = today

    def __contains__(self, row: int) -> bool:
        return row in self._made or row in self._waiting

    def __bool__(self) -> bool:
        return bool(self._made or self._waiting)

    def __iter__(self) -> Iterator[int]:
        return iter([*self._made, *self._waiting])

    def split(self) -> tuple[Mapping[int, LinkDay], list[Waiting]]:
        """Give the open days that were made, and those that wait as columns."""
        groups: dict[int, Waiting] = {}
        for row, (first, place) in self._waiting.items():
            group = groups.get(id(first)) or groups.setdefault(id(first), Waiting(first, [], []))
            group.rows.append(row)
            group.places.append(place)
        return self._made, list(groups.values())

    def wait(self, rows: list[int], first: FirstItems) -> None:
        """Keep the open day of links that were settled together."""
        self._waiting.update(zip(rows, zip(repeat(first), range(len(rows)), strict=False), strict=True))

    def copy(self) -> LinkDays:
        """Copy the days, so that one copy can go on without the other."""
        copied = LinkDays()
        copied._made = {row: today.copy() for row, today in self._made.items()}
        copied._waiting = dict(self._waiting)
        return copied


class Settled(NamedTuple):
    """What the links are after their item, with the arithmetic that led there."""

    first: FirstItems
    strength: Floats
    freshness: Floats
    total: Floats
    capped_by: Longs  # places in `CAPS`


def settle_first(
    links: Links,
    rows: Rows,
    *,
    at: Longs,
    kind: Bytes,
    gain: Floats,
    day: int,
    excavating: bool,
    connections: Ints,
    rungs: Ladder,
    parameters: ConnectionParameters,
) -> Settled:
    """Fold one item of evidence into each of many links; every line is that of `settle_link`."""
    p = parameters
    start = begun = Links.load(links.dump(rows))
    dissolved = start.state == LinkState.DISSOLVED
    if dissolved.any():
        begun = start.copy()
        for name, value in REBORN.items():
            getattr(begun, name)[dissolved] = getattr(links, name)[rows[dissolved]] = value
    fresh = freshness(day=day, last_evidence_day=begun.last_day, parameters=p)
    factor = day_factor(fresh, state=begun.state, connections=connections, excavating=excavating, parameters=p)
    total = day_gain((gain * factor,), p)
    strength = strength_after(begun.strength, total, p)
    effective = begun.effective + 1
    known = begun.raw > 0
    gaps = gap_square(np.where(known, begun.last_at, at), at)

    state = active_states(strength, effective, rungs)
    links.strength[rows] = strength
    links.state[rows] = links.held_state[rows] = state
    links.denied[rows] = begun.denied & ~np.isin(kind, list(CONFIRMING))
    links.latent[rows] = False if excavating else ~known & np.isin(kind, list(CO_MENTIONS))
    links.raw[rows] = begun.raw + 1
    links.effective[rows] = effective
    links.first_at[rows] = np.where(known, begun.first_at, at)
    links.last_at[rows] = at
    links.last_day[rows] = links.fed_day[rows] = day
    links.gap_squares[rows] = begun.gap_squares + gaps
    links.formed_day[rows] = np.where(known, begun.formed_day, day)
    return Settled(
        FirstItems(start, at, kind, gain, factor), strength, fresh, total, capped_by(begun.strength, total, p)
    )

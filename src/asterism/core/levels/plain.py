"""The level book, plainly: one event after the other, one place after the other.

A *place* is a price the book keeps an eye on: pending while its evidence is not enough, then a level. Both sit in one
list ordered by price. The path of the market price enters and leaves their bands; turning back is evidence (D7).
`kernel` is this book over arrays; whatever is changed here is changed there, and a test compares every bit.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import Self

import numpy as np

from asterism.core.ledger.columns import Bools, Columns
from asterism.core.levels.events import ASK, BID, BOTH, LIQUIDATION, PERSISTENCE, PRICE, REJECTION, TRADE, Events
from asterism.core.levels.formulas import fades_at, raised, reaches, settled
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.places import Evidence, Place
from asterism.core.levels.state import (
    BOOSTED,
    CREATED,
    EFFECTS,
    EVICTED,
    EXPIRED,
    EXTENDED,
    FORGOTTEN,
    FROM_ABOVE,
    FROM_BELOW,
    HELD,
    HOUR,
    NEVER,
    OUTSIDE,
    PENDING,
    PLACE,
    REFUSED,
    RESURRECTED,
    UNARCHIVED,
    UNKNOWN,
    UNMATCHED,
    Fed,
    Log,
)

Turn = tuple[Place, int]  # and from which side
Told = tuple[int, int, int, float, float]  # place, effect, kind, strength before and after


class PlainBook:
    """One symbol's places, as of the last event taken in."""

    def __init__(self, parameters: LevelParameters) -> None:
        self.parameters = parameters
        self.clock = NEVER
        self.tidied = NEVER  # the hour, counted from 1970
        self.next_number = 0
        self.places: dict[int, Place] = {}
        self.centres: list[tuple[float, int]] = []  # and numbers
        self.pending: dict[int, Place] = {}  # the longest unused first
        self.episodes: dict[int, tuple[int, int]] = {}  # to place and last time; the longest unextended first
        self.inside: list[Place] = []  # bands the price is in, by number
        self.path = 0.0  # the last price of the path; 0: none yet
        self.rising = 0  # 1 while the swing goes up, -1 down, 0 not known yet
        self.extreme = 0.0  # of the swing; while its direction is not known, the first price
        self.levels = 0
        self.drops = [0, 0, 0, 0]

    # Taking events in

    def feed(self, events: Events, late: Bools, *, log: bool = False) -> Fed:
        """Take in events in order; a late one only adds to a level that is there."""
        told: list[tuple[int, int, int, int, float, float]] = []
        rows = zip(*(column.tolist() for column in events[:8]), strict=True)
        for number, (row, is_late) in enumerate(zip(rows, late.tolist(), strict=True)):
            item = Evidence._make(row)
            told += [(number, *each) for each in (self._add_late(item) if is_late else self._take(item))]
        columns = zip(*told, strict=True) if told else [()] * 6
        dtypes = ("i8", "i8", "u1", "u1", "f8", "f8")
        said = Log._make(np.array(column, dtype=dtype) for column, dtype in zip(columns, dtypes, strict=True))
        return Fed(np.bincount(said.effect, minlength=len(EFFECTS)), said if log else None)

    def _take(self, item: Evidence) -> list[Told]:
        p = self.parameters
        self._pass_time(item.at)
        told: list[Told] = []
        if item.kind == PRICE or (p.path == "all" and item.kind in (TRADE, LIQUIDATION)):
            for place, side in self._move(item.price):
                turned = Evidence(REJECTION, item.at, place.centre, 0.0, 0.0, 1, side, 0)
                told.append(self._weigh(place, turned))
        if item.kind != PRICE:
            found = self._match(item.price, p.liquidation_reach if item.kind == LIQUIDATION else p.reach)
            told.append(self._weigh(found or Place(self.next_number, item.price), item))
        return told

    def _pass_time(self, at: int) -> None:
        """Let time pass: tidy the archive on the hour, let pending places and episodes expire."""
        p = self.parameters
        self.clock = at
        hour = at // HOUR
        if self.tidied == NEVER:
            self.tidied = hour
        elif hour > self.tidied:
            self.tidied = hour
            self._tidy(hour * HOUR)
        horizon = at - int(p.pending_seconds * 1e6)
        while self.pending and (place := next(iter(self.pending.values()))).last_seen < horizon:
            self._forget(place)
            self.drops[EXPIRED] += 1
        while self.episodes and self.episodes[next(iter(self.episodes))][1] < horizon:
            del self.episodes[next(iter(self.episodes))]

    def _tidy(self, at: int) -> None:
        """Drop archived levels that are too old or too many."""
        p = self.parameters
        archived = sorted(
            (fades_at(place.anchor, place.anchor_at, p.decay_rate_default, p.archive_threshold), place.number)
            for place in self.places.values()
            if place.level and self._strength(place, at) < p.archive_threshold
        )
        oldest = at - int(p.archive_max_days * 86_400e6)
        spare = len(archived) - p.archive_max_levels
        for rank, (faded, number) in enumerate(archived):
            if faded < oldest or rank < spare:
                self._forget(self.places[number])
                self.drops[UNARCHIVED] += 1

    # Evidence

    def _weigh(self, place: Place, item: Evidence) -> Told:
        """Let evidence strengthen a level, or bring a place nearer to being one."""
        return self._interact(place, item) if place.level else self._collect(place, item)

    def _match(self, price: float, reach: float) -> Place | None:
        """Find the place that covers a price: a level before a pending place, then the nearest, then the older."""
        found = self._around(price, reach)
        return min(found, key=lambda place: (not place.level, abs(price - place.centre), place.number), default=None)

    def _around(self, price: float, reach: float) -> list[Place]:
        start = bisect_left(self.centres, (price, -1))
        found = []
        for way in (range(start - 1, -1, -1), range(start, len(self.centres))):
            for where in way:
                centre, number = self.centres[where]
                if not reaches(centre, price, reach):
                    break
                found.append(self.places[number])
        return found

    def _interact(self, place: Place, item: Evidence) -> Told:
        """Settle a level to the item's time, add, anchor again (D8)."""
        p = self.parameters
        before = self._strength(place, item.at)
        if self._extends(place, item):
            after = max(before, raised(p.persistence_strength_base, p.persistence_strength_per_sec, item.seconds))
            effect = EXTENDED
        elif before < p.archive_threshold:
            after, effect = min(1.0, before + p.boost_resurrection), RESURRECTED
        elif p.revisit == "left" and item.kind in (TRADE, LIQUIDATION) and not place.left:
            after, effect = before, HELD
        else:
            after, effect = min(1.0, before + self._boost(item.kind)), BOOSTED
        place.last_seen = item.at
        self._count(place, item, effect)
        if item.kind in (TRADE, LIQUIDATION):
            place.left = 0
        if effect != HELD:
            place.anchor, place.anchor_at = after, item.at
        return (place.number, effect, item.kind, before, after)

    def _add_late(self, item: Evidence) -> list[Told]:
        """Add what comes too late at the anchor of its level: time never moves back (D9)."""
        p = self.parameters
        if item.kind == PRICE:
            return []
        place = self._match(item.price, p.liquidation_reach if item.kind == LIQUIDATION else p.reach)
        if place is None or not place.level:
            return [(-1, UNMATCHED, item.kind, 0.0, 0.0)]
        before = place.anchor
        if self._extends(place, item):
            after = max(before, raised(p.persistence_strength_base, p.persistence_strength_per_sec, item.seconds))
            effect = EXTENDED
        else:
            after, effect = min(1.0, before + self._boost(item.kind)), BOOSTED
        self._count(place, item, effect)
        place.anchor = after
        return [(place.number, effect, item.kind, before, after)]

    def _extends(self, place: Place, item: Evidence) -> bool:
        """Say whether an item goes on with an episode that this place knows; remember it if not (D5)."""
        if item.kind != PERSISTENCE or item.episode == 0:
            return False
        known, _ = self.episodes.pop(item.episode, (-1, NEVER))
        self.episodes[item.episode] = (place.number, self.clock)
        if len(self.episodes) > self.parameters.episodes_max:
            del self.episodes[next(iter(self.episodes))]
            self.drops[FORGOTTEN] += 1
        return known == place.number

    def _count(self, place: Place, item: Evidence, effect: int) -> None:
        p = self.parameters
        place.interactions += effect != EXTENDED
        place.side |= item.side
        if item.kind == REJECTION:
            place.visits += item.n
            place.rejections += item.n
            place.confidence = min(1.0, place.confidence + p.rejection_confidence_per_visit)
        if item.kind in (TRADE, LIQUIDATION):
            place.volume += item.usd

    def _boost(self, kind: int) -> float:
        p = self.parameters
        return (p.boost_execution, p.boost_persistence, p.boost_liquidation, 0.0, 0.0, p.boost_rejection)[kind]

    # Becoming a level

    def _collect(self, place: Place, item: Evidence) -> Told:
        """Add evidence to a place that is no level yet; it becomes one when that is enough (D3)."""
        p = self.parameters
        place.last_seen = item.at
        place.interactions += not (item.kind == PERSISTENCE and item.episode and item.episode == place.episode)
        place.side |= item.side
        if item.kind in (TRADE, LIQUIDATION):
            place.volume += item.usd
        if item.kind == PERSISTENCE:
            same = item.episode != 0 and item.episode == place.episode
            place.seconds = max(place.seconds, item.seconds) if same else item.seconds
            place.episode = item.episode
        if item.kind == REJECTION:
            place.visits += item.n
            place.rejections += item.n
        strength, confidence = self._made(place, item)
        if strength < 0.0:
            self._hold(place)
            return (place.number, PENDING, item.kind, 0.0, 0.0)
        if self.levels >= p.levels_max:
            self._hold(place)
            return (place.number, REFUSED, item.kind, 0.0, 0.0)
        self.pending.pop(place.number, None)
        self._keep(place)
        self.levels += 1
        place.level, place.reason = 1, item.kind
        place.anchor, place.anchor_at, place.confidence = strength, item.at, confidence
        place.side = place.side or BOTH
        place.left = int(place.entered == OUTSIDE)
        self._extends(place, item)
        return (place.number, CREATED, item.kind, 0.0, strength)

    def _made(self, place: Place, item: Evidence) -> tuple[float, float]:
        """Give strength and confidence of the level that a place's evidence makes; -1 if it is not enough."""
        p = self.parameters
        if item.kind == PERSISTENCE and place.seconds >= p.persistence_min_seconds:
            strength = raised(p.persistence_strength_base, p.persistence_strength_per_sec, place.seconds)
            return strength, p.persistence_confidence
        if item.kind == TRADE and place.volume >= p.execution_min_usd:
            strength = raised(p.execution_strength_base, p.execution_strength_per_1k, place.volume / 1000.0)
            return strength, p.execution_confidence
        if item.kind == LIQUIDATION:
            return raised(
                p.liquidation_strength_base, p.liquidation_strength_per_event, item.n
            ), p.liquidation_confidence
        if item.kind == REJECTION and place.visits >= p.rejection_min_visits:
            confidence = raised(p.rejection_confidence_base, p.rejection_confidence_per_visit, place.visits)
            return p.rejection_strength, confidence
        return -1.0, 0.0

    def _hold(self, place: Place) -> None:
        """Hold a place as pending, the most recently used; the longest unused gives way."""
        self._keep(place)
        self.pending.pop(place.number, None)
        self.pending[place.number] = place
        if len(self.pending) > self.parameters.pending_max:
            self._forget(next(iter(self.pending.values())))
            self.drops[EVICTED] += 1

    def _keep(self, place: Place) -> None:
        """Take a new place into the list; the price may already be inside its band."""
        if place.number in self.places:
            return
        self.next_number += 1
        place.first_seen = place.last_seen
        self.places[place.number] = place
        insort(self.centres, (place.centre, place.number))
        if self.path > 0.0 and reaches(place.centre, self.path, self.parameters.reach):
            place.entered = UNKNOWN
            self.inside.append(place)

    def _forget(self, place: Place) -> None:
        del self.places[place.number]
        self.levels -= place.level
        self.pending.pop(place.number, None)
        self.centres.remove((place.centre, place.number))
        if place.entered != OUTSIDE:
            self.inside.remove(place)

    # The price path

    def _move(self, price: float) -> list[Turn]:
        """Let the price enter, leave and cross bands, and turn (D7); give the places that turned it back."""
        reach, before = self.parameters.reach, self.path
        if price == before:
            return []
        turned: list[Turn] = []
        for place in [place for place in self.inside if not reaches(place.centre, price, reach)]:
            turned += self._leave(place, price)
        for place in self._between(before, price):
            if not reaches(place.centre, price, reach):  # in and out through the other side at one stroke
                place.breaks += 1
                place.visits = 0
                place.left = 1
        self.path = price
        for place in self._around(price, reach):
            if place.entered == OUTSIDE:
                place.entered = UNKNOWN if before == 0.0 else FROM_BELOW if before < place.centre else FROM_ABOVE
                insort(self.inside, place, key=lambda each: each.number)
        return turned + self._swing(price)

    def _leave(self, place: Place, price: float) -> list[Turn]:
        """Leave a band: on the side the price came from it is a rejection, else a break."""
        came, went = place.entered, FROM_ABOVE if price > place.centre else FROM_BELOW
        place.entered = OUTSIDE
        place.left = 1
        self.inside.remove(place)
        if came == went:
            return [(place, ASK if came == FROM_BELOW else BID)]
        if came != UNKNOWN:
            place.breaks += 1
            place.visits = 0
        return []

    def _between(self, before: float, price: float) -> list[Place]:
        """Give the places whose bands lie between two prices of the path and hold neither."""
        if before == 0.0:
            return []
        low, high = min(before, price), max(before, price)
        start, end = bisect_left(self.centres, (low, -1)), bisect_left(self.centres, (high, -1))
        passed = (self.places[number] for _, number in self.centres[start:end])
        return [place for place in passed if not reaches(place.centre, before, self.parameters.reach)]

    def _swing(self, price: float) -> list[Turn]:
        """Follow the swings of the path: a turn where nothing is kept yet is the first visit of a new place."""
        reach = self.parameters.reach
        if self.extreme == 0.0:
            self.extreme = price
        if self.rising == 0:
            if not reaches(self.extreme, price, reach):
                self.rising = 1 if price > self.extreme else -1
                self.extreme = price
            return []
        if (price - self.extreme) * self.rising >= 0.0:
            self.extreme = price
            return []
        if reaches(self.extreme, price, reach):
            return []
        turned, side = self.extreme, ASK if self.rising > 0 else BID
        self.rising, self.extreme = -self.rising, price
        return [] if self._around(turned, reach) else [(Place(self.next_number, turned), side)]

    def _strength(self, place: Place, at: int) -> float:
        return settled(place.anchor, place.anchor_at, at, self.parameters.decay_rate_default)

    # Packing

    def dump(self) -> Columns:
        """Pack the book into columns of one canonical order."""
        rows = [
            tuple(getattr(self.places[number], name) for name in PLACE.names or ()) for number in sorted(self.places)
        ]
        table = np.array(rows, dtype=PLACE)
        columns: Columns = {name: np.ascontiguousarray(table[name]) for name in PLACE.names or ()}
        columns["pending"] = np.array(list(self.pending), dtype=np.int64)
        episodes = [(episode, place, seen) for episode, (place, seen) in self.episodes.items()]
        columns["episodes"] = np.array(episodes, dtype=np.int64).reshape(-1, 3)
        columns["counters"] = np.array(
            [self.clock, self.tidied, self.next_number, self.rising, *self.drops], dtype=np.int64
        )
        columns["path"] = np.array([self.path, self.extreme])
        return columns

    @classmethod
    def load(cls, columns: Columns, parameters: LevelParameters) -> Self:
        """Unpack what either book packed."""
        book = cls(parameters)
        for row in zip(*(columns[name].tolist() for name in PLACE.names or ()), strict=True):
            place = Place(*row)
            book.places[place.number] = place
        book.centres = sorted((place.centre, place.number) for place in book.places.values())
        book.pending = {number: book.places[number] for number in columns["pending"].tolist()}
        book.episodes = {episode: (place, seen) for episode, place, seen in columns["episodes"].tolist()}
        book.inside = [place for place in book.places.values() if place.entered != OUTSIDE]
        book.clock, book.tidied, book.next_number, book.rising, *book.drops = columns["counters"].tolist()
        book.path, book.extreme = columns["path"].tolist()
        book.levels = sum(place.level for place in book.places.values())
        return book

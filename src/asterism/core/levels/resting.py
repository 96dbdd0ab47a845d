"""Resting orders: changes of an order book become episodes, the time a price keeps its size.

A `book` event says what rests at a price from now on (0: nothing). An *episode* begins when that reaches the floor and
goes on while it stays there. Book events of one time that share an `episode` other than 0 are a *snapshot*: they are
the whole book, and what is not among them ends. When nothing is heard of the book for `silence_seconds`, nobody knows
what rests there: every episode ends as it was last reported.

What comes out depends on the sequence of events alone, not on how it is cut into batches.
"""

from __future__ import annotations

import hashlib
import struct
from collections import deque
from typing import Self

import numpy as np

from asterism.core.ledger.columns import Columns, Longs
from asterism.core.levels.events import BOOK, PERSISTENCE, SIDES, Events

NEVER = -(2**62)  # before any time
SPARE = 1_024  # ended episodes that may wait in the queue before it is swept


class _Episode:
    """A price that keeps its size."""

    __slots__ = ("due", "mark", "number", "open", "price", "side", "start", "told")

    def __init__(self, side: int, price: float, start: int, mark: int) -> None:
        self.side = side
        self.price = price
        self.start = start
        self.told = 0  # microseconds that were reported
        self.due = start  # when the next report is
        self.mark = mark  # the latest snapshot that had it
        self.number = episode_number(side, price, start)
        self.open = True


# A persistence event to be: at, price, microseconds, side, episode, and how its place among the other events is found:
# the event of the batch that it comes before at the latest, and DUE (before the first event at its time or later),
# AFTER (before the first later one) or HERE (before that event). A plain tuple costs the garbage collector nothing.
_Report = tuple[int, float, int, int, int, int, int]

DUE, AFTER, HERE = range(3)


class Resting:
    """Turns `book` events into `persistence` events.

    >>> book = Events.of(2, kind=BOOK, at=np.array([0, 25_000_000]), price=100.0, usd=np.array([5e5, 0.0]), side=1)
    >>> Resting(1e5, 10.0).take(book).seconds.tolist()
    [10.0, 20.0, 25.0]
    """

    def __init__(
        self, floor_usd: float, report_seconds: float, *, silence_seconds: float = 600.0, open_max: int = 100_000
    ) -> None:
        self._floor = max(floor_usd, 5e-324)  # nothing is below any floor
        self._every = max(1, round(report_seconds * 1e6))
        self._silence = round(silence_seconds * 1e6)
        self._open_max = open_max
        self._open: tuple[dict[float, _Episode], ...] = tuple({} for _ in SIDES)
        self._queue: deque[_Episode] = deque()  # by due time; every episode once, ended ones until they are swept
        self._count = 0
        self._now = NEVER
        self._heard = NEVER  # when the book was last heard of
        self._snapshot = 0  # the number of the snapshot that is being told, 0: none
        self._mark = 0  # how many snapshots there were
        self.dropped = 0  # book events that could not begin an episode because too many are open
        self.late = 0  # book events from before the latest time; taken as of the latest
        self.silences = 0  # how often the book was not heard of for too long

    @property
    def open(self) -> int:
        """How many episodes go on."""
        return self._count

    def take(self, events: Events) -> Events:
        """Give the persistence events that these events, in order of time, show to be due. Any event moves time on."""
        return _events(self._run(events, _clock(events, self._now)))

    def through(self, events: Events) -> Events:
        """Give the same events with persistence in the place of book events, each where it became known."""
        clock = _clock(events, self._now)
        reports = self._run(events, clock)
        kept = np.flatnonzero(events.kind != BOOK)
        if not reports:
            return events.take(kept)
        at, row, when = (np.array([report[field] for report in reports], dtype=np.int64) for field in (0, 5, 6))
        place = np.where(when == DUE, np.searchsorted(clock, at), np.searchsorted(clock, at, side="right"))
        place = np.where(when == HERE, row, np.minimum(place, row))
        order = np.argsort(np.concatenate([place, kept]), kind="stable")
        return Events.join([_events(reports), events.take(kept)]).take(order)

    def until(self, at: int) -> Events:
        """Let time pass, and give what became due; a snapshot of that very time may still go on."""
        reports: list[_Report] = []
        if at > self._now:
            self._pass(at, 0, reports)
        return _events(reports)

    def _run(self, events: Events, clock: Longs) -> list[_Report]:
        reports: list[_Report] = []
        if not events.size:
            return reports
        rows = np.flatnonzero(events.kind == BOOK)
        times = clock[rows]
        self.late += int((events.at[rows] < times).sum())
        told = (column[rows].tolist() for column in (events.side, events.price, events.usd, events.episode))
        floor, queue, open_, heard = self._floor, self._queue, self._open, self._heard
        for row, at, side, price, usd, snapshot in zip(rows.tolist(), times.tolist(), *told, strict=True):
            if at > heard:
                if self._snapshot or (queue and (queue[0].due <= at or at > heard + self._silence)):
                    self._pass(at, row, reports)
                self._now = self._heard = heard = at
            if snapshot and snapshot != self._snapshot:
                self._finish(row, HERE, reports)
                self._snapshot = snapshot
                self._mark += 1
            episode = open_[side].get(price)
            if usd >= floor:
                if episode is None:
                    self._begin(side, price, at)
                else:
                    episode.mark = self._mark
            elif episode is not None:
                self._end(episode, at, row, HERE, reports)
        if (latest := int(clock[-1])) > self._now:
            self._pass(latest, events.size, reports)
        return reports

    def _pass(self, at: int, row: int, reports: list[_Report]) -> None:
        """Let time pass: a snapshot is complete, reports fall due, a silence ends everything."""
        self._finish(row, AFTER, reports)
        silent = self._heard + self._silence
        last, queue, every = min(at, silent), self._queue, self._every
        while queue and queue[0].due <= last:
            episode = queue.popleft()
            if episode.open:
                due, episode.told = episode.due, episode.told + every
                reports.append((due, episode.price, episode.told, episode.side, episode.number, row, DUE))
                episode.due = due + every
                queue.append(episode)
        if at > silent and self._count:
            self.silences += 1
            self._forget()
        self._now = at

    def _begin(self, side: int, price: float, at: int) -> None:
        if self._count >= self._open_max:
            self.dropped += 1
            return
        self._enter(_Episode(side, price, at, self._mark))

    def _enter(self, episode: _Episode) -> None:
        episode.due = episode.start + episode.told + self._every
        self._open[episode.side][episode.price] = episode
        self._queue.append(episode)
        self._count += 1
        if len(self._queue) > 2 * self._count + SPARE:
            live = [each for each in self._queue if each.open]
            self._queue.clear()
            self._queue.extend(live)

    def _end(self, episode: _Episode, at: int, row: int, when: int, reports: list[_Report]) -> None:
        del self._open[episode.side][episode.price]
        episode.open = False
        self._count -= 1
        if (micros := at - episode.start) > episode.told:
            reports.append((at, episode.price, micros, episode.side, episode.number, row, when))

    def _finish(self, row: int, when: int, reports: list[_Report]) -> None:
        """End what the snapshot that was being told did not have."""
        if self._snapshot:
            self._snapshot = 0
            for episode in [each for each in self._queue if each.open and each.mark != self._mark]:
                self._end(episode, self._now, row, when, reports)

    def _forget(self) -> None:
        for side in self._open:
            side.clear()
        self._queue.clear()
        self._count = 0

    def dump(self) -> Columns:
        """Give the state as columns, exactly; `load` goes on from there."""
        queue = [each for each in self._queue if each.open]
        told = self._snapshot, self._mark, self._now, self._heard, self.dropped, self.late, self.silences
        return {
            "state": np.array(told, dtype=np.int64),
            "side": np.array([each.side for each in queue], dtype=np.uint8),
            "price": np.array([each.price for each in queue], dtype=np.float64),
            "start": np.array([each.start for each in queue], dtype=np.int64),
            "told": np.array([each.told for each in queue], dtype=np.int64),
            "mark": np.array([each.mark for each in queue], dtype=np.int64),
        }

    def load(self, columns: Columns) -> Self:
        """Take the state that `dump` gave, in place of this one."""
        self._forget()
        state = columns["state"].tolist()
        self._snapshot, self._mark, self._now, self._heard, self.dropped, self.late, self.silences = state
        fields = (columns[name].tolist() for name in ("side", "price", "start", "told", "mark"))
        for side, price, start, told, mark in zip(*fields, strict=True):
            episode = _Episode(side, price, start, mark)
            episode.told = told
            self._enter(episode)
        return self


def episode_number(side: int, price: float, start: int) -> int:
    """Number an episode by what it is: the same in every run, above 0.

    >>> episode_number(1, 50_000.0, 0) == episode_number(1, 50_000.0, 0) != episode_number(2, 50_000.0, 0)
    True
    """
    told = struct.pack("<Bdq", side, price, start)
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest(), "big") >> 1 or 1


def _clock(events: Events, now: int) -> Longs:
    """Give the latest time seen at each event: time never goes back."""
    return np.maximum(np.maximum.accumulate(events.at), now)


def _events(reports: list[_Report]) -> Events:
    at, price, micros, side, episode, _, _ = zip(*reports, strict=True) if reports else ((),) * 7
    return Events.of(
        len(reports),
        kind=PERSISTENCE,
        at=np.array(at, dtype=np.int64),
        price=np.array(price, dtype=np.float64),
        seconds=np.array(micros, dtype=np.int64) / 1e6,
        side=np.array(side, dtype=np.uint8),
        episode=np.array(episode, dtype=np.int64),
    )

"""The reorder buffer: inside `lateness`, the order in which events arrive cannot matter (D9).

An event waits until the latest time seen is more than `lateness` ahead of it; what comes after its time has gone by is
late. With a lateness of 0 nothing waits: events are taken in as they arrive, and one from before the latest is late.
Both are decided by the sequence of arrivals alone, so one batch or a thousand give the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.columns import Bools, Longs
from asterism.core.levels.events import Events
from asterism.core.levels.state import NEVER

MOST_WAITING = 1_000_000  # when so many wait, the first half goes at once


class Ready(NamedTuple):
    """Events to take in now, in order, and which of them are late."""

    events: Events
    late: Bools


@dataclass
class Waiting:
    """The events that wait for those before them."""

    events: Events = field(default_factory=Events.none)
    latest: int = NEVER
    passed: int = NEVER  # what is before this time is late
    hurried: int = 0  # events that could not wait because too many did
    most: int = MOST_WAITING

    def take(self, arriving: Events, lateness: int) -> Ready:
        """Take events as they arrive; give those whose turn has come."""
        if not arriving.size:
            return Ready(arriving, np.zeros(0, dtype=np.bool_))
        if lateness == 0 or self.events.size + arriving.size < self.most:
            return self._take(arriving, lateness)
        parts: list[Ready] = []
        while arriving.size:
            room = self.most - self.events.size  # so that too many wait only after the last of a part
            parts.append(self._take(arriving.take(slice(room)), lateness))
            arriving = arriving.take(slice(room, None))
            if self.events.size >= self.most:
                parts.append(self._hurry())
        return Ready(Events.join([part.events for part in parts]), np.concatenate([part.late for part in parts]))

    def _take(self, arriving: Events, lateness: int) -> Ready:
        before = np.maximum.accumulate(np.concatenate(([self.latest], arriving.at)))
        passed = np.maximum(before - lateness, self.passed) if self.latest != NEVER else before - lateness
        late = arriving.at < passed[:-1]
        self.latest, self.passed = int(before[-1]), int(passed[-1])
        return self._at_once(arriving, late) if lateness == 0 else self._in_turn(arriving, late, passed[:-1])

    def flush(self) -> Ready:
        """Give everything that still waits."""
        ready, self.events = self.events, Events.none()
        self.passed = max(self.passed, self.latest)
        return Ready(ready, np.zeros(ready.size, dtype=np.bool_))

    def _at_once(self, arriving: Events, late: Bools) -> Ready:
        waited = self.flush()
        return Ready(Events.join([waited.events, arriving]), np.concatenate([waited.late, late]))

    def _in_turn(self, arriving: Events, late: Bools, passed: Longs) -> Ready:
        waited = self.events.size
        events = Events.join([self.events, arriving])
        late = np.concatenate([np.zeros(waited, dtype=np.bool_), late])
        turn = np.concatenate([self.events.at, np.where(late[waited:], passed, arriving.at)])
        arrival = np.where(late, np.arange(events.size), 0)
        order = np.lexsort((*reversed(events[2:8]), events.kind, events.id, arrival, ~late, turn))
        events, late, turn = events.take(order), late[order], turn[order]
        ready = late | (turn < self.passed)
        self.events = events.take(~ready)
        return Ready(events.take(ready), late[ready])

    def _hurry(self) -> Ready:
        """Give the first half of what waits before its turn."""
        half = (self.events.size + 1) // 2
        ready, self.events = self.events.take(slice(half)), self.events.take(slice(half, None))
        self.passed = max(self.passed, int(ready.at[-1]))
        self.hurried += half
        return Ready(ready, np.zeros(half, dtype=np.bool_))

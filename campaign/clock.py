"""Clocks that jump back and forth by minutes, days and centuries while a memory is told, asked and opened anew."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from asterism.errors import AsterismError, ClockError
from asterism.store.sqlite import SQLiteStore
from asterism.sync import Memory as SyncMemory
from campaign import steps as kinds
from campaign.part import Counts, Round
from tests.support.memories import NOON, AnyMemory, HandClock, is_told_well, opened, system

NAME = "clock"
HOLDS = "a clock that cannot be believed stamps nothing; whatever it says, what was acknowledged is there and verifies"
COUNTED = "histories"
GOAL = 500
WITNESS: tuple[str, ...] = ("not believed", "acknowledged")
SHORT = (2, 15)
CALLS, EACH_OPENING = 24, 8
SPACE, MARKER = "mine", "mulberry"
JUMPS = (
    *[timedelta(minutes=5)] * 6,
    timedelta(minutes=-5),
    timedelta(hours=-20),
    timedelta(days=-3),
    timedelta(days=9),
    timedelta(days=-4_000),
    timedelta(days=4_000),
    timedelta(days=30_000),
)
EPOCH, LAST = datetime(1970, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
NOT_HERE = kinds.FILES | {"advance", "begin", "erase"}
TOLD = sorted(set(kinds.KINDS) - NOT_HERE)


@contextmanager
def rounds(folder: Path) -> Iterator[Round]:  # noqa: ARG001  # nothing is shared
    def play(seed: int, at: Path) -> Counts:
        return Told(random.Random(f"clock {seed}"), at / "memory.db").play()

    yield play


class Told:
    """A memory with a clock that jumps: the system's, which is doubted, or one that is given, which is not."""

    def __init__(self, chance: random.Random, path: Path) -> None:
        self._chance, self._path = chance, path
        self._clock = HandClock(NOON)
        self._doubted = chance.random() < 0.6
        self._words: list[str] = []
        self._counts: Counts = Counter(histories=1)

    def play(self) -> Counts:
        for opening in range(CALLS // EACH_OPENING):
            try:
                with self._opened() as memory:
                    self._tell(memory, opening * EACH_OPENING)
            except ClockError:  # it may be refused already when it is opened
                self._counts["not believed"] += 1
            self._clock.now = NOON + timedelta(days=opening)
            with self._opened() as memory:
                verified = memory.verify()
                assert verified.ok, verified.differences
        store = SQLiteStore(self._path, read_only=True)
        sources = {stored.item.source for stored in store.items(SPACE)}
        store.close()
        lost = [word for word in self._words if word not in sources]
        assert not lost, f"acknowledged, and not there: {lost}"
        return self._counts

    def _opened(self) -> SyncMemory:
        clock = system(self._clock) if self._doubted else self._clock
        return SyncMemory(opened(self._path, space=SPACE, clock=clock))

    def _tell(self, memory: AnyMemory, first: int) -> None:
        for number in range(first, first + EACH_OPENING):
            self._jump()
            word, kind = f"quix{number}x", self._chance.choice(TOLD)
            before = memory._async._live.store.head(SPACE)
            try:
                told = kinds.Told(word, MARKER, f"{number} {self._chance.random()}", self._clock.now, self._path.parent)
                kinds.KINDS[kind](memory, told)
            except AsterismError as error:
                if not is_told_well(error):
                    raise AssertionError("not told well") from error
                self._counts["not believed" if isinstance(error, ClockError) else "refused"] += 1
                after = memory._async._live.store.head(SPACE)
                assert (after.items, after.erased) == (before.items, before.erased), "refused, and left something"
            else:
                self._counts["acknowledged"] += 1
                if kind in ("learn", "learn_many"):
                    self._words.append(word)

    def _jump(self) -> None:
        try:
            self._clock.now = min(max(self._clock.now + self._chance.choice(JUMPS), EPOCH), LAST)
        except OverflowError:
            self._clock.now = LAST

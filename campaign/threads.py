"""Eight threads over one memory of the synchronous face: none fails, and the file holds what each was told it does."""

from __future__ import annotations

import random
import threading
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from asterism.errors import InputError, UnknownError
from asterism.store.sqlite import SQLiteStore
from campaign import steps as kinds
from campaign.part import Counts, Round
from tests.support.erasing import raw
from tests.support.memories import NOON, AnyMemory, remembering

NAME = "threads"
HOLDS = "eight threads over one memory: no call fails, all that was acknowledged is in the file, and it verifies"
COUNTED = "calls"
GOAL = 20_000
WITNESS: tuple[str, ...] = ("calls", "erased")
SHORT = (1, 8)
THREADS, CALLS = 8, 12
SPACE, MARKER = "mine", "mulberry"
NOT_HERE = kinds.FILES | {"advance", "begin", "configure", "erase"}
TOLD = sorted(set(kinds.KINDS) - NOT_HERE)
BY_SOURCE = ("learn", "learn_many", "observe", "observe_many", "brightness")  # the word is the source of their items
RACES = (InputError, UnknownError)  # another thread forgot or erased it first, or nothing is there to be denied


@contextmanager
def rounds(folder: Path) -> Iterator[Round]:  # noqa: ARG001  # nothing is shared
    def play(seed: int, at: Path) -> Counts:
        path = at / "memory.db"
        with remembering(path, space=SPACE) as memory:
            for star in kinds.STARS:
                memory.add_star(star, domain="health")
            told = [Telling(memory, f"{seed}t{number}") for number in range(THREADS)]
            for each in told:
                each.start()
            for each in told:
                each.join()
            assert not any(each.raw for each in told), next(each.raw for each in told if each.raw)
            verified = memory.verify()
            assert verified.ok, verified.differences
            held = memory.stats().items
        check(path, told, verified.digest, held)
        return sum((each.counts for each in told), Counter[str]())

    yield play


def check(path: Path, told: list[Telling], digest: str, held: object) -> None:
    with remembering(path, space=SPACE) as memory:
        verified = memory.verify()
        assert verified.ok, verified.differences
        assert (verified.digest, memory.stats().items) == (digest, held), "the memory held what is not in the file"
    with closing(SQLiteStore(path, read_only=True)) as store:
        sources = {stored.item.source for stored in store.items(SPACE)}
    lost = [word for each in told for word in each.acknowledged if word not in sources]
    assert not lost, f"acknowledged, and not there: {lost}"
    left = raw(path)
    back = [word for each in told for word in each.gone if word.encode() in left]
    assert not back, f"bytes are left of {back}"


class Telling(threading.Thread):
    """One thread."""

    def __init__(self, memory: AnyMemory, name: str) -> None:
        super().__init__(name=name)
        self._memory, self._chance = memory, random.Random(f"threads {name}")
        self.counts: Counts = Counter()
        self.acknowledged: list[str] = []
        self.gone: list[str] = []
        self.raw = ""

    def run(self) -> None:
        try:
            for number in range(CALLS):
                self._call(f"quix{self.name}o{number}x")
        except BaseException:
            self.raw = traceback.format_exc()

    def _call(self, word: str) -> None:
        kind = self._chance.choice(TOLD)
        if self.acknowledged and self._chance.random() < 0.12:
            kind, word = "erase", self.acknowledged.pop()
        self.counts["calls"] += 1
        try:
            kinds.KINDS[kind](self._memory, kinds.Told(word, MARKER, word, NOON, Path()))
        except RACES as error:
            self.counts["had nothing to deny, restore or look at"] += 1
            if kind in BY_SOURCE or kind == "erase":
                raise AssertionError(f"{kind} was refused") from error
            return
        if kind == "erase":
            self.gone.append(word)
            self.counts["erased"] += 1
        elif kind in BY_SOURCE:
            self.acknowledged.append(word)

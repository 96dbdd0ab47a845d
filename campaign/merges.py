"""Five copies of a memory, told and erased apart, exchanged in random ways: they become one, nothing erased returns.

Exchanges are merges of open memories and of files, and imports of ledgers, of old ones too; a copy may be put back to
what it was days ago.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import timedelta
from pathlib import Path

from asterism.errors import AsterismError
from asterism.store.in_memory import InMemoryStore
from campaign import steps as kinds
from campaign.part import Counts, Round
from tests.support.erasing import has
from tests.support.memories import NOON, AnyMemory, HandClock, remembering
from tests.support.stores import Place, store_of

NAME = "merges"
HOLDS = "five copies that exchanged everything hold the same, fold to the same, and nothing erased is back"
COUNTED = "histories"
GOAL = 1_000
WITNESS: tuple[str, ...] = ("erasures", "exchanges", "old ledgers", "put back")
SHORT = (1, 12)
COPIES, EVENTS = 5, 30
SPACE, MARKER = "mine", "mulberry"
NOT_HERE = kinds.FILES | {"begin", "configure", "erase", "reembed"}
TOLD = (*sorted(set(kinds.KINDS) - NOT_HERE), "learn", "observe", "transcript", "dream", "edit")


@contextmanager
def rounds(folder: Path) -> Iterator[Round]:  # noqa: ARG001  # nothing is shared
    def play(seed: int, at: Path) -> Counts:
        with Copies(random.Random(f"merges {seed}"), at) as copies:
            for number in range(EVENTS):
                copies.event(f"{seed}o{number}x")  # none begins another
            copies.become_one()
            return copies.counts + Counter(histories=1)

    yield play


class Copies:
    """The copies, open, and what was told and erased so far."""

    def __init__(self, chance: random.Random, folder: Path) -> None:
        self._chance, self._folder = chance, folder
        self._clock = HandClock(NOON)
        self.counts: Counts = Counter()
        self._places: list[Place] = [
            folder / f"copy-{number}.db" if chance.random() < 0.4 else InMemoryStore() for number in range(COPIES)
        ]
        self._open = ExitStack()
        self._words: list[str] = []
        self._gone: list[str] = []
        self._ledgers: list[Path] = []
        self._earlier: dict[int, Path] = {}

    def __enter__(self) -> Copies:
        self._memories: list[AnyMemory] = [self._opened(place) for place in self._places]
        self._memories[0].add_star("Sleep")
        self._memories[0].add_star("Mood")
        for memory in self._memories[1:]:
            memory.merge(self._memories[0])
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _opened(self, place: Place) -> AnyMemory:
        return self._open.enter_context(remembering(place, space=SPACE, clock=self._clock))

    # What happens

    def event(self, name: str) -> None:
        self._clock.now += self._chance.choice([timedelta(minutes=1), timedelta(hours=2)])
        drawn = self._chance.random()
        if drawn < 0.5:
            self._tell(f"quix{name}")
        elif drawn < 0.62:
            self._erase()
        elif drawn < 0.7:
            self._write_ledger(name)
        elif drawn < 0.75:
            self._put_back()
        else:
            self._exchange(*self._chance.sample(range(COPIES), 2))

    def _tell(self, word: str) -> None:
        kind = self._chance.choice(TOLD)
        told = kinds.Told(word, MARKER, word, self._clock.now, self._folder)
        try:
            kinds.KINDS[kind](self._chance.choice(self._memories), told)
        except AsterismError:  # nothing there to deny, restore or look at
            return
        self.counts["told"] += 1
        if kind in kinds.ERASABLE:
            self._words.append(word)

    def _erase(self) -> None:
        """Erase something in one copy that knows it."""
        word = self._chance.choice(self._words) if self._words else "nothing"
        told = kinds.Told(word, MARKER, "", self._clock.now, self._folder)
        for memory in self._chance.sample(self._memories, COPIES):
            with suppress(AsterismError):  # not known to this one
                kinds.KINDS["erase"](memory, told)
                self._gone.append(word)
                self.counts["erasures"] += 1
                return

    def _write_ledger(self, name: str) -> None:
        self._ledgers.append(self._folder / f"{name}.jsonl.gz")
        self._chance.choice(self._memories).export(self._ledgers[-1], vectors=self._chance.random() < 0.5)

    def _put_back(self) -> None:
        """Put a file back to what it was, or note what it is."""
        files = [number for number, place in enumerate(self._places) if isinstance(place, Path)]
        if not files:
            return
        number = self._chance.choice(files)
        path = self._places[number]
        assert isinstance(path, Path)
        self._memories[(number + 1) % COPIES].merge(self._memories[number])  # what it alone erased would be back
        self._memories[number].__exit__(None, None, None)
        if number in self._earlier:
            shutil.copyfile(self._earlier.pop(number), path)
            self.counts["put back"] += 1
        else:
            self._earlier[number] = Path(shutil.copyfile(path, path.with_suffix(".earlier")))
        self._memories[number] = self._opened(path)

    def _exchange(self, giver: int, taker: int) -> None:
        """Let one copy take in what another has, or an old ledger."""
        self.counts["exchanges"] += 1
        memory, way = self._memories[taker], self._chance.random()
        if self._ledgers and way < 0.25:
            memory.import_(self._chance.choice(self._ledgers))
            self.counts["old ledgers"] += 1
        elif way < 0.4:
            path = self._folder / "now.jsonl"
            self._memories[giver].export(path, force=True)
            memory.import_(path)
        elif isinstance(self._places[giver], Path) and way < 0.7:
            memory.merge(self._places[giver])
        else:
            memory.merge(self._memories[giver])

    # What must have come of it

    def become_one(self) -> None:
        """Let everything reach everybody, and see that all are the same and nothing erased is in any of them."""
        for ledger in self._ledgers:
            self._chance.choice(self._memories).import_(ledger)
        order = self._chance.sample(range(COPIES), COPIES)
        ring = list(zip(order, [*order[1:], order[0]], strict=True))
        for giver, taker in ring * 3:  # after two rounds all is everywhere, after three what came of erasures is too
            self._memories[taker].merge(self._memories[giver])
        heads, digests = set(), set()
        for memory, place in zip(self._memories, self._places, strict=True):
            verified = memory.verify()
            assert verified.ok, verified.differences
            digests.add(verified.digest)
            head = store_of(place, read_only=True).head(SPACE)
            heads.add((head.items, head.erased))
        assert len(heads) == 1, f"they hold different items: {heads}"
        assert len(digests) == 1, "they fold to different memories"
        back = [(word, number) for number, place in enumerate(self._places) for word in self._gone if has(place, word)]
        assert not back, f"erased, and back in some copy: {back}"

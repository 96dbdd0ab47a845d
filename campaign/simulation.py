"""A simulated world: processes, their clocks, faults and who comes before whom, all by one seed and in one thread.

The processes are memories over one store in memory, each with a handle and a clock of its own. A handle is where the
world breaks in: before a transaction begins, or while something is read outside of one, another process may do a whole
call; a transaction may be refused, be lost, be written with its end unknown, or be the last thing that its process did.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from asterism.errors import BusyError, FullError, InputError, MaybeWrittenError, UnknownError
from asterism.store.in_memory import InMemoryStore
from asterism.store.in_memory_writing import InMemoryWriting
from asterism.store.port import Version
from asterism.sync import Memory as SyncMemory
from campaign import steps as kinds
from campaign.history import SPACES
from campaign.part import Counts, Round
from tests.support.erasing import has
from tests.support.memories import NOON, AnyMemory, HandClock, opened, remembering

NAME = "simulation"
HOLDS = "processes, faults and clocks of one seed: all that was acknowledged is there, and every process sees the same"
COUNTED = "histories"
GOAL = 1_000
WITNESS: tuple[str, ...] = ("calls", "came between", "killed", "end unknown", "erased")
SHORT = (1, 24)
PROCESSES, CALLS = 6, 36
BETWEEN = 0.06  # of the places where another process may come between
FAULTS = ("busy", "full", "lost", "kept", "killed before", "killed after")
FAULTY = 0.08  # of the transactions
SIZES = {
    "learn": 1,
    "learn_many": 20,
    "observe": 1,
    "observe_many": 30,
    "brightness": 1,
}  # items of which the word is the source
NOT_HERE = kinds.FILES | {"begin", "configure", "erase"}
TOLD = (*sorted(set(kinds.KINDS) - NOT_HERE), "learn", "learn_many", "observe", "observe_many")


class KilledError(BaseException):
    """The process is no more."""


@contextmanager
def rounds(folder: Path) -> Iterator[Round]:  # noqa: ARG001  # there are no files
    def play(seed: int, at: Path) -> Counts:
        world = World(random.Random(f"simulation {seed}"), at)
        for number in range(CALLS):
            world.call(f"quix{seed}o{number}x")
        world.check()
        return world.counts + Counter(histories=1)

    yield play


@dataclass
class Process:
    """A memory, open, with a clock of its own."""

    number: int
    space: str
    clock: HandClock
    memory: AnyMemory = None
    calling: bool = False


@dataclass
class Known:
    """What is known of the words of one space."""

    acknowledged: dict[str, str] = field(default_factory=dict)  # and what kind of call told them
    unsure: dict[str, str] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


class World:
    """Everything that happens."""

    def __init__(self, chance: random.Random, files: Path) -> None:
        self._chance, self._files = chance, files
        self.store = InMemoryStore()
        self.counts: Counts = Counter()
        self.moments = 0  # in which somebody reads or writes, and nobody can come between
        self._known = {space: Known() for space in SPACES}
        spaces = sorted(SPACES)
        self._processes = [Process(n, spaces[n % 2], HandClock(NOON)) for n in range(PROCESSES)]
        for process in self._processes:
            self._start(process)
        for process in self._processes[:2]:
            for star in kinds.STARS:
                process.memory.add_star(star, domain="health", at=NOON)

    def _start(self, process: Process) -> None:
        memory = SyncMemory(opened(Handle(self, process), space=process.space, clock=process.clock))
        process.memory = memory.__enter__()

    # What happens

    def call(self, name: str) -> None:
        """Let a process that is not in the midst of something do a call."""
        process = self._chance.choice([each for each in self._processes if not each.calling])
        process.clock.now += self._chance.choice([timedelta(minutes=1), timedelta(hours=5), timedelta(hours=-3)])
        known = self._known[process.space]
        word, kind = name, self._chance.choice(TOLD)
        if known.acknowledged and self._chance.random() < 0.15:
            word, kind = self._chance.choice(sorted(known.acknowledged)), "erase"
            of_kind = known.acknowledged.pop(word)
        else:
            of_kind = kind
        self.counts["calls"] += 1
        process.calling = True
        try:
            told = kinds.Told(word, SPACES[process.space], word, process.clock.now, self._files)
            kinds.KINDS[kind](process.memory, told)
        except KilledError:
            self.counts["killed"] += 1
            self._unsure(known, word, of_kind)
            self._start(process)
        except MaybeWrittenError:
            self.counts["end unknown"] += 1
            self._unsure(known, word, of_kind)
        except (BusyError, FullError):
            self.counts["refused"] += 1
            self._refused(known, word, kind, of_kind)
        except (UnknownError, InputError):  # nothing is there to be denied, or somebody erased it first
            self._refused(known, word, kind, of_kind)
        else:
            if kind == "erase":
                self.counts["erased"] += 1
                known.gone.append(word)
            elif kind in SIZES:
                known.acknowledged[word] = kind
        finally:
            process.calling = False

    def _unsure(self, known: Known, word: str, kind: str) -> None:
        if kind in SIZES:
            known.unsure[word] = kind

    def _refused(self, known: Known, word: str, kind: str, of_kind: str) -> None:
        if kind == "erase":
            known.acknowledged[word] = of_kind
        elif kind in SIZES:
            known.absent.append(word)

    # Where the world breaks in

    def between(self, process: Process) -> None:
        """Let another process come first, now and then."""
        if self.moments or self._chance.random() >= BETWEEN or not process.calling:
            return
        if sum(each.calling for each in self._processes) < PROCESSES // 2:
            self.counts["came between"] += 1
            self.call(f"quixbetween{self.counts['calls']}x")

    def fault(self, process: Process) -> str:
        """Choose what goes wrong with a transaction."""
        return self._chance.choice(FAULTS) if process.calling and self._chance.random() < FAULTY else ""

    # What must have come of it

    def check(self) -> None:
        for space, known in self._known.items():
            digests = {process.memory.verify() for process in self._processes if process.space == space}
            with remembering(self.store, space=space) as memory:
                digests.add(memory.verify())
            assert all(verified.ok for verified in digests), [each.differences for each in digests]
            assert len({verified.digest for verified in digests}) == 1, "they do not see the same"
            items = [stored.item for stored in self.store.items(space)]
            found = Counter(item.source for item in items)
            for word, kind in known.acknowledged.items():
                assert found[word] == SIZES[kind], f"{kind} was acknowledged, and {found[word]} items of it are there"
            for word, kind in known.unsure.items():
                assert found[word] in (0, SIZES[kind]), f"{found[word]} items are there of a {kind} of {SIZES[kind]}"
            back = [word for word in (*known.absent, *known.gone) if found[word]]
            assert not back, f"refused or erased, and there: {back}"
            (other,) = set(SPACES.values()) - {SPACES[space]}
            assert not any(other in f"{item.text} {item.source}" for item in items), f"{space} leaked"
        left = [word for known in self._known.values() for word in known.gone if has(self.store, word)]
        assert not left, f"bytes are left of {left}"


class Handle(InMemoryStore):
    """The store, as one process has it: what it holds is the world's."""

    def __init__(self, world: World, process: Process) -> None:
        vars(self).update(_world=world, _process=process)

    _world: World
    _process: Process

    def __getattr__(self, name: str) -> object:
        return getattr(self._world.store, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._world.store, name, value)

    def version(self, space: str) -> Version:
        self._world.between(self._process)
        return super().version(space)

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        self._world.between(self._process)
        self._world.moments += 1
        try:
            with super().one_moment():
                yield
        finally:
            self._world.moments -= 1

    @contextmanager
    def writing(self, space: str) -> Iterator[InMemoryWriting]:
        self._world.between(self._process)
        fault = self._world.fault(self._process)
        if fault == "busy":
            raise BusyError("another one writes", code="busy", hint="try again")
        if fault == "killed before":
            raise KilledError
        self._world.moments += 1
        try:
            with super().writing(space) as writing:
                yield writing
                if fault == "full":
                    raise FullError("no room", code="full", hint="make room")
                if fault == "lost":
                    raise MaybeWrittenError("nobody knows", code="maybe_written", hint="do it again")
        finally:
            self._world.moments -= 1
        if fault == "kept":
            raise MaybeWrittenError("nobody knows", code="maybe_written", hint="do it again")
        if fault == "killed after":
            raise KilledError

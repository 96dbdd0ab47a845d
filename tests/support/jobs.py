"""Memories, and what is done to them step by step: each step happens as a whole, or not at all, whatever comes between.

One word is in every place where text can be; where it is erased, no byte of it is left in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from asterism.core.dialogue.lines import Actor
from asterism.errors import UnknownError
from asterism.store.sqlite import SQLiteStore
from tests.support.erasing import BEGIN, SUBJECTS, WORD, lines, tell_word
from tests.support.exchanging import tell_all_kinds
from tests.support.memories import DAY, FACTS, AnyMemory, remembering

Step = Callable[[AnyMemory], object]
Steps = Callable[[Path], Sequence[Step]]  # for the folder that a file is in
ASKED = [("water in the garden", "save the plants"), ("who keeps bees?", None), ("bread with honey", "bake")]
SAID = [("Ann", "I carry the Lantern to the river."), ("DM", "The Bell rings behind the river.")]
MORE = [("Ann", "I ring the Bell."), ("DM", "The Lantern goes out.")]


@dataclass
class Job:
    """Steps on a file that is there, and what it says before the first and after each."""

    path: Path
    steps: Steps
    again: bool = True  # whether a step that was done may be done again, and changes nothing
    word: str = ""  # of which no byte is left when all is done and the file is open for writing
    states: list[object] = field(default_factory=list)


def state(path: Path) -> object:
    """Give everything that a file says, and see that it is whole."""
    with remembering(path, read_only=True) as memory:
        verified = memory.verify()
    assert verified.ok, verified.differences
    with closing(SQLiteStore(path, read_only=True)) as store:
        items = [stored.item for stored in store.items("me")]
        return verified.digest, items, sorted(store.vector_texts("me")), list(store.tombstones("me"))


def memory_at(path: Path) -> Path:
    with remembering(path) as memory:
        tell_word(memory)
        for fact in FACTS:
            memory.learn(fact, at=BEGIN)
        memory.dream()
    return path


def another(folder: Path) -> tuple[Path, Path]:
    """Make a memory of other things, and a copy of the first in which the word was erased."""
    with remembering(folder / "all.db") as memory:
        tell_all_kinds(memory, folder)
    with remembering(memory_at(folder / "without.db")) as memory:
        for subject in SUBJECTS:
            memory.erase(subject)
    return folder / "all.db", folder / "without.db"


# Erase


def erasing(folder: Path) -> Job:
    return Job(memory_at(folder / "memory.db"), erasures, word=WORD)


def erasures(_: Path) -> list[Step]:
    return [partial(erase, subject) for subject in SUBJECTS]


def erase(subject: str, memory: AnyMemory) -> object:
    with suppress(UnknownError):  # it was done already
        return memory.erase(subject)
    return None


# Import and merge


def importing(folder: Path) -> Job:
    for path in another(folder):
        with remembering(path) as memory:
            memory.export(path.with_suffix(".jsonl.gz"), vectors=True)
    return Job(memory_at(folder / "memory.db"), imports, word=WORD)


def imports(folder: Path) -> list[Step]:
    return [partial(take_in, folder / f"{name}.jsonl.gz") for name in ("all", "without")]


def take_in(path: Path, memory: AnyMemory) -> object:
    return memory.import_(path)


def merging(folder: Path) -> Job:
    another(folder)
    return Job(memory_at(folder / "memory.db"), merges, word=WORD)


def merges(folder: Path) -> list[Step]:
    return [partial(merge, folder / f"{name}.db") for name in ("all", "without")]


def merge(path: Path, memory: AnyMemory) -> object:
    return memory.merge(path)


# Transcripts and explorations


def reading(folder: Path) -> Job:
    return Job(memory_at(folder / "memory.db"), readings)


def readings(_: Path) -> list[Step]:
    """Read two sessions, and then the first again, which goes on otherwise."""
    return [partial(read, "River", SAID * 8), partial(read, "Bell", MORE * 8), partial(read, "River", [*SAID, *MORE])]


def read(session: str, said: Sequence[tuple[str, str]], memory: AnyMemory) -> object:
    actors = [Actor("ann", "Ann")]
    return memory.read_transcript(lines(*said), session=session, actors=actors, started_at=BEGIN + DAY)


def exploring(folder: Path) -> Job:
    return Job(memory_at(folder / "memory.db"), explorations, again=False)


def explorations(_: Path) -> list[Step]:
    return [partial(explore, *asked) for asked in ASKED]


def explore(query: str, intention: str | None, memory: AnyMemory) -> object:
    return memory.explore(query, intention=intention)


JOBS = (erasing, importing, merging, reading, exploring)

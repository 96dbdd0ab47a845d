"""A history: what is told to a memory of two spaces step by step, of every kind there is, by a seed alone.

Whoever plays it again comes to the same bytes of meaning: the clock stands where the step says, and every choice was
made before. So the states before and after each step, as an undisturbed run leaves them, are the model that every
disturbed run is held to.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from asterism.engine.care.erase import said_texts
from asterism.errors import AsterismError, ReadOnlyError, UnknownError
from asterism.store.sqlite import SQLiteStore
from campaign import steps as kinds
from tests.support.memories import DAY, NOON, AnyMemory, HandClock, remembering

SPACES = {"mine": "mulberry", "theirs": "tamarisk"}  # each with a word that only it is told
LENGTH = 26


@dataclass(frozen=True)
class Step:
    """One call: it is done as a whole or not at all."""

    kind: str
    space: str
    told: kinds.Told
    gone: tuple[str, ...] = ()  # words of which no byte is left once it is done

    def run(self, memory: AnyMemory) -> None:
        """Do it; the clock of the memory says `told.now`."""
        kinds.KINDS[self.kind](memory, self.told)


@dataclass
class History:
    """Steps, and what an undisturbed run of them left."""

    seed: int
    steps: list[Step]
    states: list[str] = field(default_factory=list)  # before the first step, and after each
    files: list[bytes] = field(default_factory=list)  # likewise
    codes: list[str] = field(default_factory=list)  # with which a step is refused, or nothing

    def gone(self, done: int) -> list[str]:
        """Give the words that were erased by so many steps."""
        undone = zip(self.steps[:done], self.codes, strict=False)
        return [word for step, code in undone if not code for word in step.gone]


def history(seed: int, files: Path) -> History:
    """Draw the steps; some take in files that `prepare` made."""
    chance = random.Random(f"history {seed}")
    drawn: list[Step] = []
    told: dict[str, list[str]] = {space: [] for space in SPACES}  # words that can be erased
    now = NOON
    for number in range(LENGTH):
        now += chance.choice([timedelta(minutes=1), timedelta(hours=1), timedelta(hours=9)])
        space = chance.choice(["mine", "mine", "theirs"])
        word = f"quix{seed}o{number}x"  # none begins another
        kind = chance.choice(kinds.DRAWN)
        if number < len(kinds.FIRST):
            kind, space = kinds.FIRST[number]
        gone: tuple[str, ...] = ()
        if kind == "erase":
            if not told[space]:
                kind = "learn"
            else:
                word = told[space].pop(chance.randrange(len(told[space])))
                gone = (word,)
        elif kind in ("merge", "import"):
            space, gone = "mine", (kinds.COPIED,)
        if kind in kinds.ERASABLE:
            told[space].append(word)
        of_it = kinds.Told(word, SPACES[space], f"{seed} {number}", now, files)
        drawn.append(Step(kind, space, of_it, gone))
    return History(seed, drawn)


def prepare(folder: Path) -> None:
    """Make the files that steps take in: another copy of a space, its ledger, and a file of the reference server."""
    with remembering(folder / "copy.db", space="mine") as memory:
        kinds.tell_copied(memory)
        memory.learn(f"The {SPACES['mine']} ferry of another copy leaves at noon.", source="copy", at=NOON - DAY)
        memory.erase(f"source:{kinds.COPIED}")
        memory.export(folder / "copy.jsonl", vectors=True)
    rows: Sequence[dict[str, object]] = [
        {"type": "entity", "name": "Ida", "entityType": "person", "observations": ["Ida sings", "Ida sails"]},
        {"type": "entity", "name": "Jon", "entityType": "person", "observations": []},
        {"type": "relation", "from": "Ida", "to": "Jon", "relationType": "knows"},
    ]
    (folder / "memory.json").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


def played(drawn: History, path: Path) -> History:
    """Play a history undisturbed, and note what each step leaves."""
    clock = HandClock()
    drawn.states, drawn.files, drawn.codes = [state(path)], [b""], []
    for step in drawn.steps:
        clock.now = step.told.now
        code = ""
        with remembering(path, space=step.space, clock=clock) as memory:
            try:
                step.run(memory)
            except AsterismError as error:
                code = error.code
        drawn.codes.append(code)
        drawn.states.append(state(path))
        drawn.files.append(path.read_bytes())  # it is closed: there is no log
        assert not code or drawn.states[-1] == drawn.states[-2], f"{step.kind} was refused and left something"
    return drawn


def state(path: Path) -> str:
    """Name everything that a file says, or nothing if there is none; see that it is whole, and that no space leaks."""
    spaces = _spaces(path)
    if not spaces:
        return ""
    told = hashlib.sha256()
    for space in spaces:
        marker = SPACES[space]
        with closing(SQLiteStore(path, read_only=True)) as store:
            items = [stored.item for stored in store.items(space)]
            vectors = store.vector_texts(space)  # one process may have made more than another, for what it looked at
            beside = list(store.tombstones(space)), store.parameters(space)
            told.update(repr((space, items, beside)).encode())
        for other in set(SPACES.values()) - {marker}:
            assert not any(other in f"{item.text} {item.source} {item.note}" for item in items), f"{space} leaked"
        with remembering(path, space=space, read_only=True) as memory:
            verified = memory.verify()
            assert verified.ok, verified.differences
            assert vectors <= said_texts(memory._async._open().refresh()), "a vector of what nobody says"
            told.update(verified.digest.encode())
    return told.hexdigest()


def _spaces(path: Path) -> list[str]:
    if not path.exists() or not path.stat().st_size:
        return []
    try:
        with closing(SQLiteStore(path, read_only=True)) as store:
            return store.spaces()
    except UnknownError:  # it was begun, and nothing was written yet
        return []
    except ReadOnlyError as error:  # killed while it was made: as a reader is told to
        if "open it once for writing" not in str(error):
            raise
        SQLiteStore(path).close()
        return _spaces(path)


def left_over(path: Path, words: Sequence[str]) -> list[str]:
    """Give the erased words of which a byte is left in any file of a memory, once it was opened for writing."""
    if not words or not path.exists():
        return []
    with remembering(path, space="mine") as memory:
        memory.stats()
    raw = b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*")).lower()
    return [word for word in words if word.encode() in raw]

"""An erasure was killed before its bytes were gone, or another process still holds them: who comes next sees to it."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from asterism.engine.care import doctor as doctoring
from asterism.store import sqlite
from asterism.wiring import place_of
from tests.support.erasing import BEGIN, WORD, has
from tests.support.killing import forks
from tests.support.memories import DAY, AnyMemory, remembering

TEXTS = ["Ada likes tea", "Bo keeps a goat", f"{WORD} keeps bees"]


def tell(path: Path) -> None:
    with remembering(path) as memory:
        for text in TEXTS:
            memory.learn(text, source=text.split()[0], at=BEGIN)


def erase_and_die(path: Path) -> None:
    """Erase, and be killed when it is erased but its bytes are still there."""
    with remembering(path) as memory:
        vars(sqlite)["scrub_if_due"] = lambda _: os.kill(os.getpid(), signal.SIGKILL)
        memory.erase(f"source:{WORD}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    tell(path)
    return path


def erased_but_not_scrubbed(path: Path) -> None:
    process = forks.Process(target=erase_and_die, args=(path,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert has(path)
    with remembering(path, read_only=True) as memory:
        assert {block.content for block in memory.blocks()} == set(TEXTS[:2])
        assert memory.verify().ok


def test_the_next_erasure_scrubs_what_another_process_erased(path: Path) -> None:
    with remembering(path) as memory:
        assert WORD in str(memory.recall("bees").hits)  # it holds what another is about to erase
        erased_but_not_scrubbed(path)
        assert memory.erase("source:Bo").scrubbed
        assert not has(path)
        assert [block.content for block in memory.blocks()] == TEXTS[:1]
        assert memory.verify().ok


def test_the_doctor_finds_a_scrub_that_is_due_and_repairs_it(path: Path) -> None:
    erased_but_not_scrubbed(path)
    found = doctoring.examine(place_of(path), embedder="hashed")
    assert found.named("not_scrubbed")
    doctoring.repair(place_of(path), found)
    assert not has(path)


def by_merge(_: AnyMemory, folder: Path) -> Callable[[AnyMemory], object]:
    return lambda memory: memory.merge(folder / "theirs.db")


def by_import(theirs: AnyMemory, folder: Path) -> Callable[[AnyMemory], object]:
    theirs.export(folder / "theirs.jsonl")
    return lambda memory: memory.import_(folder / "theirs.jsonl")


def by_import_of_a_day_before(theirs: AnyMemory, folder: Path) -> Callable[[AnyMemory], object]:
    """The item that says what was erased is later than the file: there are only hashes in it."""
    theirs.export(folder / "theirs.jsonl", at=BEGIN + DAY)
    return lambda memory: memory.import_(folder / "theirs.jsonl")


@pytest.mark.parametrize("way", [by_merge, by_import, by_import_of_a_day_before])
def test_what_one_process_erased_another_does_not_write_again(
    path: Path, way: Callable[[AnyMemory, Path], Callable[[AnyMemory], object]]
) -> None:
    theirs = Path(shutil.copyfile(path, path.with_name("theirs.db")))
    with remembering(theirs) as memory:
        memory.erase(f"source:{WORD}")
        take = way(memory, path.parent)
    with remembering(path) as memory, remembering(path) as other:
        assert WORD in str(other.blocks())
        take(memory)
        memory.learn("Cy bakes bread", at=BEGIN)
        for each in (memory, other):
            assert {block.content for block in each.blocks()} == {*TEXTS[:2], "Cy bakes bread"}
            assert each.verify().ok
        other.learn("Di sails", at=BEGIN)
        other._async._live.checkpoint_if_due(at_least=0)  # as after much work
        assert not has(path)

"""A memory and other processes: a fork leaves it to its parent, and neither memories nor errors go astray."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from asterism import errors
from asterism.engine.memory import Memory, Snapshot
from asterism.errors import AsterismError
from asterism.hints import Hint, in_python, step
from asterism.store.sqlite import SQLitePlace
from tests.support.memories import NOON, AnyMemory, is_told_well, remembering
from tests.support.paths import ROOT
from tests.support.slow_embedder import Held

Work = Callable[[], object]


def opened(path: Path | str) -> Memory:
    return Memory.open(path, space="me", clock=NOON, embedder="hashed")


def refused(work: Work, code: str) -> None:
    with pytest.raises(AsterismError) as told:
        work()
    assert told.value.code == code
    assert is_told_well(told.value)


def forked(work: Work) -> str:
    """Do something in a forked process, and give what it says of it."""
    hears, says = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.write(says, str(work()).encode())
        except AsterismError as error:
            os.write(says, error.code.encode() if is_told_well(error) else b"not told well")
        except BaseException:
            os.write(says, traceback.format_exc().encode())
        finally:
            os._exit(0)
    os.close(says)
    with os.fdopen(hears) as pipe:
        said = pipe.read()
    os.waitpid(process, 0)
    return said


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")


@needs_fork
def test_a_forked_process_is_refused_and_its_parent_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.learn("Ada likes tea.")
        past = memory.as_of(NOON)
        assert forked(memory.blocks) == "forked"
        assert forked(lambda: memory.learn("It rains.")) == "forked"
        assert forked(past.blocks) == "forked"
        assert forked(lambda: remembering(path).__enter__()) == "forked"
        assert forked(lambda: remembering(path, read_only=True).__enter__()) == "forked"
        assert forked(memory.close) == "None"  # leaving a `with` is no fault, and touches nothing
        assert path.with_name("memory.db-wal").exists()
        memory.learn("It snows.")
        assert memory.verify().ok
    assert forked(lambda: remembering(path).__enter__().stats().items["learned"]) == "2"


@needs_fork
def test_a_forked_process_may_open_another_memory(tmp_path: Path) -> None:
    def work() -> int:
        with remembering(tmp_path / "other.db") as other:
            other.learn("It rains.")
            return len(other.blocks())

    with remembering(tmp_path / "memory.db") as memory:
        memory.learn("Ada likes tea.")
        assert forked(work) == "1"
        assert memory.verify().ok


@needs_fork
def test_a_fork_in_the_midst_of_a_call_of_another_thread_waits_for_nothing(tmp_path: Path) -> None:
    slow = Held()
    with remembering(tmp_path / "memory.db", embedder=slow.embedder) as memory, ThreadPoolExecutor(1) as pool:
        memory.learn("Ada likes tea.")
        asking = pool.submit(memory.recall, "tea")
        slow.inside.wait()
        assert forked(memory.blocks) == "forked"  # the turn is held in it, by nobody
        slow.go_on.set()
        assert asking.result().hits


FORK_AND_EXIT = """
import os, sys
from asterism import Memory
path = sys.argv[1]
with Memory.open_sync(path, space="me") as memory:
    memory.add_star("Sleep", domain="soul")
    if os.fork() == 0:
        sys.exit(0)  # as programs do that end by themselves: everything is collected
    os.wait()
    assert os.path.exists(path + "-wal")
    memory.add_star("Mood", domain="soul")
    assert memory.verify().ok
"""


FORK_BETWEEN_LOOPS = """
import asyncio, os, sys
from asterism import Memory
path = sys.argv[1]
memory = Memory.open(path, space="me")
asyncio.run(memory.__aenter__())
asyncio.run(memory.add_star("Sleep", domain="soul"))
if os.fork() == 0:
    sys.exit(0)
os.wait()
assert os.path.exists(path + "-wal")
asyncio.run(memory.add_star("Mood", domain="soul"))
assert asyncio.run(memory.verify()).ok
asyncio.run(memory.close())
"""


@needs_fork
@pytest.mark.parametrize("code", [FORK_AND_EXIT, FORK_BETWEEN_LOOPS])
def test_a_forked_process_that_ends_by_itself_leaves_the_file_to_its_parent(tmp_path: Path, code: str) -> None:
    path = tmp_path / "memory.db"
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, str(path)], cwd=ROOT, capture_output=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    with remembering(path) as memory:
        assert len(memory.nodes()) == 2


@pytest.mark.parametrize("send", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_memory_is_neither_copied_nor_sent(send: Callable[[object], object]) -> None:
    with remembering(":memory:") as memory:
        memory.learn("Ada likes tea.")
        past: AnyMemory = memory.as_of(NOON)
        for each in (memory, memory._async, past, past._async):
            refused(lambda it=each: send(it), "stays_here")  # type: ignore[misc]  # bound now
        assert isinstance(memory._async, Memory)
        assert isinstance(past._async, Snapshot)


def test_a_process_that_is_spawned_with_a_memory_says_what_to_send_instead(tmp_path: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        process = multiprocessing.get_context("spawn").Process(target=print, args=(memory,))
        refused(process.start, "stays_here")
        assert memory.learn("Ada likes tea.").status == "new"


def kinds(kind: type[AsterismError]) -> list[type[AsterismError]]:
    return [kind, *(each for below in kind.__subclasses__() for each in kinds(below))]


@pytest.mark.parametrize("kind", [each for each in kinds(AsterismError) if each.__module__ == errors.__name__])
def test_an_error_comes_back_from_another_process_as_it_was(kind: type[AsterismError]) -> None:
    hint = Hint("see ", step("why", "sleep"), in_python(" in Python", otherwise=" at a prompt"))
    error = kind("It rains.", code="rain", item="sky", hint=hint)
    error.row = 3
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back), back.to_dict()) == (kind, str(error), error.to_dict())
    assert back.hint.parts == hint.parts


@needs_fork
def test_a_forked_process_does_not_examine_the_file_of_its_parent(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.learn("Ada likes tea.")
        assert forked(lambda: SQLitePlace(path).examine(None, mine=True).opens) == "forked"

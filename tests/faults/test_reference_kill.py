"""kill -9 before each transaction of the reference server's calls: each tells everything or nothing, and can go on."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from asterism.engine.exchange.reference import ReferenceGraph
from asterism.engine.exchange.reference_texts import Entity, Relation
from asterism.engine.memory import Memory
from asterism.store.sqlite import SQLiteStore
from asterism.store.sqlite_writing import SQLiteWriting
from asterism.sync import drive
from tests.support.jobs import state
from tests.support.killing import copied, forks
from tests.support.memories import opened

NAMES = ("Ann", "Bo", "Cy")
KNOWS = Relation("Ann", "knows", "Bo"), Relation("Bo", "is afraid of", "Cy")
LIKES = Relation("Bo", "likes", "Ann")
FILE = [
    *({"type": "entity", "name": name, "entityType": "person", "observations": [f"{name} sings"]} for name in NAMES),
    {"type": "relation", "from": "Ann", "to": "Cy", "relationType": "pays"},
]
Call = Callable[[Memory, Path], Awaitable[object]]


def create(memory: Memory, _: Path) -> Awaitable[object]:
    return ReferenceGraph(memory).create_relations(KNOWS)


def delete(memory: Memory, _: Path) -> Awaitable[object]:
    return ReferenceGraph(memory).delete_relations([LIKES])


def take_in(memory: Memory, folder: Path) -> Awaitable[object]:
    return memory.import_(folder / "memory.json")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    (tmp_path / "memory.json").write_text("\n".join(json.dumps(each) for each in FILE), encoding="utf-8")
    drive(told(path))
    return path


async def told(path: Path) -> None:
    async with opened(path) as memory:
        graph = ReferenceGraph(memory)
        await graph.create_entities([Entity(name, "person", ()) for name in NAMES])
        await graph.create_relations([LIKES])


async def done(path: Path, call: Call) -> None:
    async with opened(path) as memory:
        await call(memory, path.parent)


@pytest.mark.parametrize("call", [create, delete, take_in])
def test_a_call_that_is_killed_told_everything_or_nothing(path: Path, call: Call) -> None:
    before = state(path)
    whole = copied(path, "whole.db")
    drive(done(whole, call))
    after = state(whole)
    assert after != before
    transaction = 1
    while killed(killed_path := copied(path, f"killed-{transaction}.db"), call, transaction):
        assert state(killed_path) in (before, after)
        drive(done(killed_path, call))
        assert state(killed_path) == after
        transaction += 1
    assert transaction > 1
    assert state(killed_path) == after


def killed(path: Path, call: Call, transaction: int) -> bool:
    """Let a process be killed before the commit of a transaction; say whether it came to that."""
    process = forks.Process(target=work, args=(path, call, transaction))
    process.start()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def work(path: Path, call: Call, transaction: int) -> None:
    begun, writing = 0, SQLiteStore.writing

    def begin(store: SQLiteStore, space: str) -> SQLiteWriting:
        nonlocal begun
        begun += 1
        if begun == transaction:
            os.kill(os.getpid(), signal.SIGKILL)
        return writing(store, space)

    SQLiteStore.writing = begin  # type: ignore[method-assign,assignment]  # in this process alone
    drive(done(path, call))

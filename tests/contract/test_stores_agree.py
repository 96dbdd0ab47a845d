"""Every store shows the same, whatever is done to it."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from asterism.core.ledger.columns import Columns
from asterism.errors import AsterismError
from asterism.store.port import Writing
from tests.support.stores import STORES, InterruptionError, checkpoint, item, place_of, shown, store_of

SPACES = ["me", "you"]
NAMES = st.sampled_from([f"star {number}" for number in range(6)])
SPACE = st.sampled_from(SPACES)


@dataclass(frozen=True)
class Append:
    name: str
    at: int
    known_at: int
    note: str

    def do(self, writing: Writing, space: str) -> object:
        sent = item(self.name, at=self.at, known_at=self.known_at, note=self.note, space=space)
        return [(each.seq is None, each.duplicate, each.buried) for each in writing.append([sent, sent])]


@dataclass(frozen=True)
class Bury:
    name: str
    at: int

    def do(self, writing: Writing, space: str) -> object:
        return writing.bury([item(self.name, at=self.at, space=space).id])


@dataclass(frozen=True)
class SetParameters:
    text: str

    def do(self, writing: Writing, _: str) -> None:
        writing.set_parameters(self.text)


@dataclass(frozen=True)
class PutCheckpoint:
    fingerprint: str
    day: int
    keep: int
    size: int

    def do(self, writing: Writing, _: str) -> None:
        columns: Columns = {f"column {number}": np.arange(number) * self.day for number in range(self.size)}
        writing.put_checkpoint(checkpoint(self.day, fingerprint=self.fingerprint, columns=columns), keep=self.keep)


@dataclass(frozen=True)
class DropCheckpoints:
    after_day: int

    def do(self, writing: Writing, _: str) -> None:
        writing.drop_checkpoints(after_day=self.after_day)


Operation = Append | Bury | SetParameters | PutCheckpoint | DropCheckpoints
TIMES = st.integers(-3, 3)
OPERATIONS: st.SearchStrategy[Operation] = st.one_of(
    st.builds(Append, NAMES, TIMES, TIMES, st.sampled_from(["", "a", "é", "z"])),
    st.builds(Append, NAMES, TIMES, TIMES, st.just("")),
    st.builds(Bury, NAMES, TIMES),
    st.builds(SetParameters, st.sampled_from(["p", "q"])),
    st.builds(PutCheckpoint, st.sampled_from("fg"), TIMES, st.integers(1, 4), st.integers(0, 3)),
    st.builds(DropCheckpoints, TIMES),
)


class EveryStoreAgrees(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="asterism-"))
        self.places = [place_of(kind, self.folder) for kind in STORES]
        self.stores = [store_of(place) for place in self.places]
        self.watchers = [store_of(place) for place in self.places]

    @rule(space=SPACE, operations=st.lists(OPERATIONS, max_size=6))
    def write(self, space: str, operations: list[Operation]) -> None:
        results = []
        for store, watcher in zip(self.stores, self.watchers, strict=True):
            seen = watcher.version(space)
            with store.writing(space) as writing:
                results.append([operation.do(writing, space) for operation in operations])
            assert writing.version == store.version(space)
            if any(isinstance(operation, PutCheckpoint) for operation in operations):
                assert watcher.version(space) != seen
        assert all(each == results[0] for each in results)

    @rule(space=SPACE, operations=st.lists(OPERATIONS, max_size=6))
    def fail_to_write(self, space: str, operations: list[Operation]) -> None:
        for store in self.stores:
            before = shown(store, SPACES)
            with pytest.raises(InterruptionError), store.writing(space) as writing:  # noqa: PT012  # all of it is undone
                for operation in operations:
                    operation.do(writing, space)
                raise InterruptionError
            assert shown(store, SPACES) == before

    @rule(space=SPACE, name=NAMES)
    def send_to_the_wrong_space(self, space: str, name: str) -> None:
        for store in self.stores:
            with pytest.raises(AsterismError), store.writing(space) as writing:
                writing.append([item(name, space=space), item(name, space="elsewhere")])

    @rule()
    def reopen(self) -> None:
        for store in self.stores:
            store.close()
        self.stores = [store_of(place) for place in self.places]

    @invariant()
    def all_show_the_same(self) -> None:
        expected = shown(self.stores[0], SPACES)
        assert all(shown(store, SPACES) == expected for store in (*self.stores[1:], *self.watchers))

    def teardown(self) -> None:
        for store in (*self.stores, *self.watchers):
            store.close()
        shutil.rmtree(self.folder)


TestEveryStoreAgrees = EveryStoreAgrees.TestCase
TestEveryStoreAgrees.settings = settings(max_examples=15, stateful_step_count=15)

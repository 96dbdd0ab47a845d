"""Every store there is: another one is one more parameter of `handles`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from asterism.store.sqlite import SQLiteStore
from tests.support.stores import Handles


@pytest.fixture(params=["in_memory", "sqlite"])
def handles(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Handles]:
    given: list[Store] = []
    shared = InMemoryStore()

    def another() -> Store:
        store: Store = shared if request.param == "in_memory" else SQLiteStore(tmp_path / "memory.db")
        given.append(store)
        return store

    yield another
    for store in given:
        store.close()


@pytest.fixture
def store(handles: Handles) -> Store:
    return handles()

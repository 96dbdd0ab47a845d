"""Handles on every store there is in `tests/support/stores.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from asterism.store.port import Store
from tests.support.stores import STORES, Handles, place_of, store_of


@pytest.fixture(params=STORES)
def handles(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Handles]:
    given: list[Store] = []
    place = place_of(request.param, tmp_path)

    def another() -> Store:
        given.append(store_of(place))
        return given[-1]

    yield another
    for store in given:
        store.close()


@pytest.fixture
def store(handles: Handles) -> Store:
    return handles()

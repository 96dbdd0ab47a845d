"""Readings and their evidence may come in any order, in any batches, from several writers: the memory is the same."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.calendar import day_of
from asterism.core.ledger.items import Item
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, differences
from asterism.engine.care.verify import verify
from asterism.engine.exchange.merge import copy_of, merge
from asterism.engine.space.live import Live
from asterism.engine.space.tables import table_differences
from asterism.store.port import Store
from tests.support.memories import erase_items
from tests.support.readings import DAYS, KNOWN, TIMES, ledgers, time_of
from tests.support.stores import STORES, place_of, store_of

LATE = time_of(DAYS + 5)
QUICK = settings(max_examples=6)


@pytest.fixture(params=STORES)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def stores(kind: str) -> Iterator[tuple[Store, Store]]:
    """Give two new stores."""
    with tempfile.TemporaryDirectory() as folder:
        one, other = (store_of(place_of(kind, Path(folder), name)) for name in ("a.db", "b.db"))
        with closing(one), closing(other):
            yield one, other


def live_on(store: Store) -> Live:
    return Live(store, "me", clock=lambda: LATE)


def folded(items: list[Item], *, until: int | None = None, known_at: int | None = None) -> Projection:
    """Fold at once what was true until a time and known until another."""
    chosen = [
        item
        for item in sorted(items, key=lambda item: item.position)
        if (until is None or item.at <= until) and (known_at is None or item.known_at <= known_at)
    ]
    projection = Projection(SpaceParameters())
    projection.apply_all(chosen)
    if until is not None:
        projection.close_days(day_of(until))
    return projection


def tell(store: Store, items: list[Item], data: st.DataObject) -> Live:
    """Send items in any order and batches, and look after each; writers change, checkpoints are stored in between."""
    writers = [live_on(store), live_on(store)]
    order, sent = data.draw(st.permutations(items)), list[Item]()
    while order:
        size = data.draw(st.integers(1, min(len(order), 6)))
        batch, order = order[:size], order[size:]
        live = writers[data.draw(st.integers(0, 1))]
        live.write(lambda _, batch=batch: batch)  # type: ignore[misc]  # bound now
        sent += batch
        assert differences(live.refresh().dump(), folded(sent).dump()) == []
        if data.draw(st.booleans()):
            live.checkpoint_if_due(at_least=0)
        if not data.draw(st.integers(0, 4)):
            writers[0] = live_on(store)
    return writers[1]


@QUICK
@given(items=ledgers(), data=st.data())
def test_any_order_and_batching_means_the_same(kind: str, items: list[Item], data: st.DataObject) -> None:
    with stores(kind) as (store, _):
        live = tell(store, items, data)
        assert differences(live.refresh().dump(), folded(items).dump()) == []
        verified = verify(live)
        assert verified.ok, verified.differences
        assert table_differences(store, "me", live.parameters) == []
        for _ in range(3):
            at, known_at = data.draw(TIMES), data.draw(st.none() | KNOWN)
            past = live.replay(at, known_at=known_at)
            assert differences(past.dump(), folded(items, until=at, known_at=known_at).dump()) == []


@QUICK
@given(items=ledgers(), data=st.data())
def test_merged_in_either_direction_it_is_the_same(kind: str, items: list[Item], data: st.DataObject) -> None:
    mine = data.draw(st.lists(st.sampled_from(items), unique_by=lambda item: item.id)) if items else []
    theirs = [item for item in items if item not in mine] + mine[::2]
    with stores(kind) as (one, other):
        tell(other, theirs, data)
        live = tell(one, mine, data)
        if theirs:
            merge(live, copy_of(other, "me"))
        assert differences(live.refresh().dump(), folded(items).dump()) == []
        assert verify(live).ok
        assert table_differences(one, "me", live.parameters) == []


@QUICK
@given(items=ledgers(), data=st.data())
def test_what_is_erased_lets_an_older_reading_count_again(kind: str, items: list[Item], data: st.DataObject) -> None:
    with stores(kind) as (store, _):
        live = tell(store, items, data)
        readings = [item for item in items if item.what == "transcript"]
        gone = {item.id for item in readings if data.draw(st.booleans())}
        erased = erase_items(store, sorted(gone), at=LATE)
        left = [item for item in items if item.id not in gone]
        assert differences(live.refresh().dump(), folded([*left, erased]).dump()) == []
        assert table_differences(store, "me", live.parameters) == []
        assert not gone & set(store.parts("me", "causal_links").values())


@QUICK
@given(items=ledgers(), data=st.data())
def test_what_stands_before_an_item_is_known(kind: str, items: list[Item], data: st.DataObject) -> None:
    with stores(kind) as (store, _):
        live = tell(store, items, data)
        for item in items[:4]:
            earlier = [each for each in items if each.position < item.position]
            if "reading" in item.payload:
                earlier += [each for each in items if each.what == "transcript" and each.position > item.position]
            expected = folded(earlier)
            expected.close_days(day_of(item.at))
            assert differences(live.replay(item.at, before=item).dump(), expected.dump()) == []

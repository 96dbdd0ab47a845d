"""Derived tables: any capability may have one, and its row is all that says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import TypeVar

import pytest

from asterism.core.ledger.capability import Capability, Cells, Days, Table, Unordered
from asterism.core.ledger.items import Item, make_item
from asterism.core.ledger.marks import NoParameters
from asterism.core.space.capabilities import CAPABILITIES
from asterism.engine.care.verify import verify
from asterism.engine.space.live import Live
from asterism.engine.space.tables import table_differences
from asterism.errors import StoreError
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from asterism.store.sqlite import SQLiteStore
from tests.support.items import star

DAY = 86_400_000_000
Fold = TypeVar("Fold")
Songs = dict[str, Item]  # the latest performance of each


def perform(songs: Songs, item: Item) -> None:
    title = str(item.payload["title"])
    known = songs.get(title)
    songs[title] = item if known is None or known.position < item.position else known


def verses(songs: Songs, title: str) -> Iterator[tuple[str, int]]:
    count = songs[title].payload["verses"]
    assert isinstance(count, int)
    return ((title, verse) for verse in range(count))


SONGS: Capability[Songs, NoParameters] = Capability(
    name="songs",
    parameters=NoParameters,
    kinds=frozenset({"sung"}),
    begin=lambda _: {},
    apply=perform,
    copy=dict,
    load=lambda _, __: {},
    table=Table(
        name="verses",
        parts=lambda songs: {title: item.id for title, item in songs.items()},
        rows=verses,
        part="song",
        item="performance",
        what="verses",
    ),
)


def sung(title: str, count: int, at: int) -> Item:
    return make_item(space="me", what="sung", at=at, payload={"title": title, "verses": count}, known_at=0)


def live_on(store: Store) -> Live:
    return Live(store, "me", clock=lambda: 10, capabilities=CAPABILITIES.and_also(SONGS))


def erased(*items: Item) -> Item:
    ids: list[str] = [item.id.hex() for item in items]
    return make_item(space="me", what="erased", at=9, payload={"ids": ids}, known_at=0)


def test_a_sixth_capability_has_a_table_by_saying_so() -> None:
    store = InMemoryStore()
    live = live_on(store)
    first, second, other = sung("Ferry", 1, 1), sung("Ferry", 2, 2), sung("Bell", 3, 3)
    live.write(lambda _: [second, first, other])
    assert store.parts("me", "verses") == {"Bell": other.id, "Ferry": second.id}
    assert store.rows("me", "verses", "Ferry") == [("Ferry", 0), ("Ferry", 1)]
    assert store.parts("me", "causal_links") == {}
    live.write(lambda _: [erased(second, other)])
    assert store.parts("me", "verses") == {"Ferry": first.id}
    assert store.rows("me", "verses", "Ferry") == [("Ferry", 0)]
    assert verify(live).ok


def test_a_file_that_cannot_hold_the_table_refuses_the_first_write_whole_and_says_what_is_missing(
    tmp_path: Path,
) -> None:
    with closing(SQLiteStore(tmp_path / "me.db")) as store:
        live = live_on(store)
        for item in (star("Sleep"), sung("Ferry", 1, 1)):
            with pytest.raises(StoreError, match="'verses'") as refused:
                live.write(lambda _, item=item: [item])  # type: ignore[misc]  # bound to each
            assert (refused.value.code, refused.value.item) == ("unknown_table", "verses")
            assert "store/sqlite_tables.py" in str(refused.value.hint)
        assert store.items("me") == []
        assert store.parameters("me") is None


@dataclass
class Steps:
    """What was sung, in order: folded in this order only."""

    items: list[Item] = field(default_factory=list)
    stale: bool = False

    def apply(self, item: Item) -> None:
        self.stale = self.stale or bool(self.items and item.position < self.items[-1].position)
        if not self.stale:
            self.items.append(item)

    def refold(self, items: Sequence[Item]) -> int:
        self.items, self.stale = list(items), False
        return len(items)

    def parts(self) -> dict[str, bytes]:
        return {str(item.payload["title"]): item.id for item in self.items}


STEPS: Capability[Steps, NoParameters] = Capability(
    name="steps",
    parameters=NoParameters,
    kinds=frozenset({"sung"}),
    begin=lambda _: Steps(),
    apply=Steps.apply,
    copy=lambda steps: Steps(list(steps.items), steps.stale),
    load=lambda _, __: Steps(),
    unordered=Unordered(stale=lambda steps: steps.stale, refold=Steps.refold),
    table=Table(
        name="steps",
        parts=Steps.parts,
        rows=lambda steps, title: [(title, item.at) for item in steps.items if item.payload["title"] == title],
        part="song",
        item="performance",
        what="times",
    ),
)


@dataclass
class Evenings:
    """On which day a song was sung: the one that is open."""

    day: int | None = None
    sung: dict[str, tuple[bytes, int]] = field(default_factory=dict)

    def apply(self, item: Item) -> None:
        assert self.day is not None
        self.sung[str(item.payload["title"])] = item.id, self.day

    def run(self, items: Sequence[Item]) -> list[None]:
        return [self.apply(item) for item in items]  # type: ignore[func-returns-value]  # there is nothing to say

    def open(self, day: int) -> None:
        self.day = day

    def end(self, until: int, _: object) -> int:
        self.day = until
        return 0


EVENINGS: Capability[Evenings, NoParameters] = Capability(
    name="evenings",
    parameters=NoParameters,
    kinds=frozenset({"sung"}),
    begin=lambda _: Evenings(),
    apply=Evenings.apply,
    copy=lambda known: Evenings(known.day, dict(known.sung)),
    load=lambda _, __: Evenings(),
    days=Days(begin=Evenings.open, run=Evenings.run, end=Evenings.end),
    table=Table(
        name="evenings",
        parts=lambda known: {title: item for title, (item, _) in known.sung.items()},
        rows=lambda known, title: [(title, known.sung[title][1])],
        part="song",
        item="performance",
        what="evenings",
    ),
)


def rows_after(capability: Capability[Fold, NoParameters], *items: Item) -> list[Cells]:
    """Write items one by one with a capability that has a table; give its rows, which verify must agree with."""
    store = InMemoryStore()
    live = Live(store, "me", clock=lambda: 10 * DAY, capabilities=CAPABILITIES.and_also(capability))
    for item in items:
        live.write(lambda _, item=item: [item])  # type: ignore[misc]  # bound to each
    assert verify(live).differences == ()
    assert capability.table is not None
    table = capability.table.name
    return [row for part in sorted(store.parts("me", table)) for row in store.rows("me", table, part)]


def test_items_that_came_out_of_order_are_in_the_table() -> None:
    ferry, bell, moon = sung("Ferry", 1, 2), sung("Bell", 1, 5), sung("Moon", 1, 3)
    told = [("Bell", 5), ("Ferry", 2), ("Moon", 3)]
    for order in permutations((ferry, bell, moon)):
        assert rows_after(STEPS, *order) == told


def test_a_table_of_days_has_the_day_of_each_item_and_not_the_open_one() -> None:
    ferry, bell, moon = sung("Ferry", 1, 2 * DAY), sung("Bell", 1, 5 * DAY), sung("Moon", 1, 6 * DAY)
    for order in permutations((ferry, bell, moon)):
        assert rows_after(EVENINGS, *order) == [("Bell", 5), ("Ferry", 2), ("Moon", 6)]


def test_a_table_that_is_wrong_is_told_in_the_words_of_its_capability() -> None:
    store = InMemoryStore()
    live = live_on(store)
    live.write(lambda _: [sung("Ferry", 1, 1), sung("Bell", 2, 2), sung("Moon", 1, 3)])
    with store.writing("me") as writing:
        writing.put_rows("verses", "Ferry", store.parts("me", "verses")["Ferry"], [("Ferry", 7)])
        writing.put_rows("verses", "Bell", bytes(16), [])
        writing.put_rows("verses", "Moon", None, [])
    assert table_differences(store, "me", live.parameters) == [
        "verses: song 'Bell' is of a performance that is not current",
        "verses: the verses of song 'Ferry'",
        "verses: song 'Moon' is not in the table",
    ]
    assert not verify(live).ok


def test_whoever_writes_next_mends_what_it_can_see() -> None:
    store = InMemoryStore()
    song = sung("Ferry", 1, 1)
    with store.writing("me") as writing:  # as a version did that had no such table
        writing.append([song])
    live = live_on(store)
    live.refresh()
    assert table_differences(store, "me", live.parameters) == []
    live.write(lambda _: [])
    assert store.parts("me", "verses") == {"Ferry": song.id}

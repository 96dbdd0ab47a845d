"""Derived tables: any capability may have one, and its row is all that says so."""

from __future__ import annotations

from collections.abc import Iterator

from asterism.core.ledger.capability import Capability, Table
from asterism.core.ledger.items import Item, make_item
from asterism.core.ledger.marks import NoParameters
from asterism.core.space.capabilities import CAPABILITIES
from asterism.engine.care.verify import verify
from asterism.engine.space.live import Live
from asterism.engine.space.tables import table_differences
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store

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

"""What every store promises of the table of causal links, and what a SQLite file shows of it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.dialogue.fold import COLUMNS, INDEXES
from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.links import CausalLink
from asterism.engine.space.causal_table import causal_table_differences
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store, Writing
from asterism.store.sqlite import SQLiteStore
from tests.support.memories import DAY, NOON, PLACES, Place, erase_items, place_of, remembering
from tests.support.paths import DATA
from tests.support.readings import read_item

SCHEMA_2 = DATA / "schema2.db"
ONE, TWO = b"1" * 16, b"2" * 16
LINES = [Line(0, "Ann", "I open the vault."), Line(1, "DM", "It opens."), Line(2, "Bo", "Is it dark?")]


def found(session: str, lines: list[Line] = LINES) -> list[CausalLink]:
    return list(causal_links(lines, session=session, created_at_ms=5).links)


@pytest.fixture(params=["in_memory", "sqlite"])
def handles(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    given_here: list[Store] = []
    shared = InMemoryStore()

    def another() -> Store:
        store: Store = shared if request.param == "in_memory" else SQLiteStore(tmp_path / "memory.db")
        given_here.append(store)
        return store

    yield another
    for store in given_here:
        store.close()


def put(store: Store, *steps: Callable[[Writing], object], space: str = "me") -> None:
    with store.writing(space) as writing:
        for step in steps:
            step(writing)


def links(session: str, reading: bytes | None, rows: list[CausalLink]) -> Callable[[Writing], object]:
    return lambda writing: writing.put_causal_links(session, reading, rows)


def test_links_come_back_as_they_were_put(handles: Callable[[], Store]) -> None:
    store, rows = handles(), found("One")
    assert [link.claimed for link in rows] == [True, False]
    put(store, links("One", ONE, rows[::-1]), links("Two", TWO, found("Two")))
    other = handles()
    assert other.causal_sessions("me") == {"One": ONE, "Two": TWO}
    assert other.causal_links("me", "One") == rows
    assert [type(link.claimed) for link in other.causal_links("me", "One")] == [bool, bool]
    assert (other.causal_links("me", "Three"), other.causal_links("you", "One")) == ([], [])
    assert other.causal_sessions("you") == {}


def test_links_of_another_reading_take_their_place(handles: Callable[[], Store]) -> None:
    store = handles()
    put(store, links("One", ONE, found("One")), links("Two", TWO, found("Two")))
    put(store, links("One", TWO, found("One", LINES[:2])))
    assert store.causal_sessions("me") == {"One": TWO, "Two": TWO}
    assert len(store.causal_links("me", "One")) == 1
    put(store, links("One", None, []))
    assert (store.causal_sessions("me"), store.causal_links("me", "One")) == ({"Two": TWO}, [])
    put(store, links("Two", ONE, []))  # a session in which nobody intends anything
    assert (store.causal_sessions("me"), store.causal_links("me", "Two")) == ({"Two": ONE}, [])


def test_spaces_do_not_know_each_other(handles: Callable[[], Store]) -> None:
    store = handles()
    put(store, links("One", ONE, found("One")))
    put(store, links("One", TWO, found("One")), space="you")
    put(store, links("One", None, []))
    assert (store.causal_sessions("me"), store.causal_sessions("you")) == ({}, {"One": TWO})
    assert store.causal_links("you", "One") == found("One")


def test_nothing_is_put_by_a_transaction_that_fails(handles: Callable[[], Store]) -> None:
    store = handles()
    with pytest.raises(ZeroDivisionError):
        put(store, links("One", ONE, found("One")), lambda _: 1 // 0)
    assert store.causal_sessions("me") == {}


def test_what_is_buried_takes_its_links_along(handles: Callable[[], Store]) -> None:
    store, item = handles(), read_item("One", "vault", 5)
    put(store, lambda writing: writing.append([item]), links("One", item.id, found("One")))
    put(store, links("Two", TWO, found("Two")))
    put(store, lambda writing: writing.bury([item.id]))
    assert store.causal_sessions("me") == {"Two": TWO}
    assert (store.causal_links("me", "One"), store.causal_links("me", "Two")) == ([], found("Two"))


# In a memory


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def store_of(place: Place) -> Store:
    return SQLiteStore(place) if isinstance(place, Path) else place


SAID = [("Ann", "I open the vault."), ("DM", "It opens."), ("Bo", "Is it dark?"), ("DM", "No, bright.")]
TOLD = [Line(place, *each) for place, each in enumerate(SAID)]


def test_the_table_follows_the_memory(place: Place) -> None:
    with remembering(place) as memory:
        for session in ("One", "Two"):
            memory.read_transcript(TOLD, session=session, started_at=NOON - DAY)
        memory.read_transcript(TOLD[:2], session="ONE", started_at=NOON - DAY)
        told = memory.causal_links()
    store = store_of(place)
    assert list(store.causal_sessions("me")) == ["ONE", "Two"]
    assert [link for session in ("ONE", "Two") for link in store.causal_links("me", session)] == told
    assert causal_table_differences(store, "me") == []
    erase_items(store, [store.causal_sessions("me")["ONE"]], at=int(NOON.timestamp()) * 1_000_000)
    assert list(store.causal_sessions("me")) == ["One", "Two"]  # the reading before it is current again
    assert len(store.causal_links("me", "One")) == 2
    assert causal_table_differences(store, "me") == []
    store.close()


def test_a_table_that_says_something_else_is_named(place: Place) -> None:
    with remembering(place) as memory:
        for session in ("One", "Two", "Three"):
            memory.read_transcript(TOLD, session=session, started_at=NOON - DAY)
    store = store_of(place)
    rows = store.causal_links("me", "One")
    put(
        store,
        links("One", store.causal_sessions("me")["One"], rows[:1]),
        links("Two", TWO, found("Two")),
        links("Three", None, []),
        links("Four", ONE, []),
    )
    assert causal_table_differences(store, "me") == [
        "causal_links: session 'Four' is of a reading that is not current",
        "causal_links: the links of session 'One'",
        "causal_links: session 'Three' is not in the table",
        "causal_links: session 'Two' is of a reading that is not current",
    ]
    with remembering(store) as memory:
        memory.add_star("Vault", domain="soul", at=NOON - DAY)  # whoever writes next mends what it can see
    assert causal_table_differences(store, "me") == ["causal_links: the links of session 'One'"]
    store.close()


# In a file


def test_anyone_can_query_the_file(tmp_path: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        memory.read_transcript(TOLD, session="One", started_at=NOON - DAY)
        told = memory.causal_links()
    with closing(sqlite3.connect(tmp_path / "memory.db")) as file:
        columns = [row[1] for row in file.execute("PRAGMA table_info(causal_links)")]
        assert columns == ["space", *COLUMNS]
        rows = file.execute(f"SELECT {', '.join(COLUMNS)} FROM causal_links ORDER BY intent_anchor_index").fetchall()
        assert rows == [tuple(link) for link in told]
        named = [row[1] for row in file.execute("PRAGMA index_list(causal_links)") if row[3] == "c"]
        indexes = {tuple(row[2] for row in file.execute(f"PRAGMA index_info({name})")) for name in named}
        assert indexes == {("space", *index) for index in INDEXES}
        assert file.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_file_of_schema_2_gets_the_table_with_its_next_write(tmp_path: Path) -> None:
    path = Path(shutil.copy(SCHEMA_2, tmp_path / "memory.db"))
    item = read_item("One", "vault", 5_000_000_000)
    with closing(sqlite3.connect(path)) as file:  # as a transcript was kept then
        row = (item.at, item.id, item.known_at, item.what, item.source, item.text, item.note)
        file.execute(
            "INSERT INTO ledger (space, at, id, known_at, what, source, payload, note) VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
            row,
        )
        file.commit()
    with closing(SQLiteStore(path)) as store:
        assert (store.causal_sessions("me"), causal_table_differences(store, "me")) == ({}, [])
        with remembering(store) as memory:
            assert len(memory.causal_links("One")) == 2
            memory.add_star("Vault", domain="soul", at=NOON - DAY)
        assert store.causal_sessions("me") == {"One": item.id}
        assert len(store.causal_links("me", "One")) == 2

"""What every store promises of derived tables, of which causal links are one, and what a SQLite file shows of it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.dialogue.fold import COLUMNS, INDEXES
from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.links import CausalLink
from asterism.core.space.parameters import SpaceParameters
from asterism.engine.space.tables import table_differences
from asterism.store.port import Store, Writing
from asterism.store.sqlite import SQLiteStore
from tests.support.memories import DAY, NOON, erase_items, remembering
from tests.support.paths import DATA
from tests.support.readings import read_item
from tests.support.stores import STORES, Handles, Place, place_of, store_of

SCHEMA_2 = DATA / "schema2.db"
TABLE = "causal_links"
ONE, TWO = b"1" * 16, b"2" * 16
LINES = [Line(0, "Ann", "I open the vault."), Line(1, "DM", "It opens."), Line(2, "Bo", "Is it dark?")]


def found(session: str, lines: list[Line] = LINES) -> list[CausalLink]:
    return list(causal_links(lines, session=session, created_at_ms=5).links)


def put(store: Store, *steps: Callable[[Writing], object], space: str = "me") -> None:
    with store.writing(space) as writing:
        for step in steps:
            step(writing)


def parts(store: Store, space: str) -> dict[str, bytes]:
    return store.parts(space, TABLE)


def rows_of(store: Store, space: str, session: str) -> list[CausalLink]:
    """Give rows in the order of lines: a store gives them in any."""
    found = [CausalLink(*cells) for cells in store.rows(space, TABLE, session)]  # type: ignore[arg-type]  # as they were put
    return sorted(found, key=lambda link: link.intent_anchor_index)


def wrong(store: Store) -> list[str]:
    return table_differences(store, "me", SpaceParameters())


def links(session: str, reading: bytes | None, rows: list[CausalLink]) -> Callable[[Writing], object]:
    return lambda writing: writing.put_rows(TABLE, session, reading, rows)


def test_links_come_back_as_they_were_put(handles: Handles) -> None:
    store, rows = handles(), found("One")
    assert [link.claimed for link in rows] == [True, False]
    put(store, links("One", ONE, rows[::-1]), links("Two", TWO, found("Two")))
    other = handles()
    assert parts(other, "me") == {"One": ONE, "Two": TWO}
    assert rows_of(other, "me", "One") == rows
    assert (rows_of(other, "me", "Three"), rows_of(other, "you", "One")) == ([], [])
    assert parts(other, "you") == {}


def test_links_of_another_reading_take_their_place(handles: Handles) -> None:
    store = handles()
    put(store, links("One", ONE, found("One")), links("Two", TWO, found("Two")))
    put(store, links("One", TWO, found("One", LINES[:2])))
    assert parts(store, "me") == {"One": TWO, "Two": TWO}
    assert len(rows_of(store, "me", "One")) == 1
    put(store, links("One", None, []))
    assert (parts(store, "me"), rows_of(store, "me", "One")) == ({"Two": TWO}, [])
    put(store, links("Two", ONE, []))  # a session in which nobody intends anything
    assert (parts(store, "me"), rows_of(store, "me", "Two")) == ({"Two": ONE}, [])


def test_spaces_do_not_know_each_other(handles: Handles) -> None:
    store = handles()
    put(store, links("One", ONE, found("One")))
    put(store, links("One", TWO, found("One")), space="you")
    put(store, links("One", None, []))
    assert (parts(store, "me"), parts(store, "you")) == ({}, {"One": TWO})
    assert rows_of(store, "you", "One") == found("One")


def test_nothing_is_put_by_a_transaction_that_fails(handles: Handles) -> None:
    store = handles()
    with pytest.raises(ZeroDivisionError):
        put(store, links("One", ONE, found("One")), lambda _: 1 // 0)
    assert parts(store, "me") == {}


def test_what_is_buried_takes_its_links_along(handles: Handles) -> None:
    store, item = handles(), read_item("One", "vault", 5)
    put(store, lambda writing: writing.append([item]), links("One", item.id, found("One")))
    put(store, links("Two", TWO, found("Two")))
    put(store, lambda writing: writing.bury([item.id]))
    assert parts(store, "me") == {"Two": TWO}
    assert (rows_of(store, "me", "One"), rows_of(store, "me", "Two")) == ([], found("Two"))


# In a memory


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


SAID = [("Ann", "I open the vault."), ("DM", "It opens."), ("Bo", "Is it dark?"), ("DM", "No, bright.")]
TOLD = [Line(place, *each) for place, each in enumerate(SAID)]


def test_the_table_follows_the_memory(place: Place) -> None:
    with remembering(place) as memory:
        for session in ("One", "Two"):
            memory.read_transcript(TOLD, session=session, started_at=NOON - DAY)
        memory.read_transcript(TOLD[:2], session="ONE", started_at=NOON - DAY)
        told = memory.causal_links()
    store = store_of(place)
    assert list(parts(store, "me")) == ["ONE", "Two"]
    assert [link for session in ("ONE", "Two") for link in rows_of(store, "me", session)] == told
    assert wrong(store) == []
    erase_items(store, [parts(store, "me")["ONE"]], at=int(NOON.timestamp()) * 1_000_000)
    assert list(parts(store, "me")) == ["One", "Two"]  # the reading before it is current again
    assert len(rows_of(store, "me", "One")) == 2
    assert wrong(store) == []
    store.close()


def test_a_table_that_says_something_else_is_named(place: Place) -> None:
    with remembering(place) as memory:
        for session in ("One", "Two", "Three"):
            memory.read_transcript(TOLD, session=session, started_at=NOON - DAY)
    store = store_of(place)
    rows = rows_of(store, "me", "One")
    put(
        store,
        links("One", parts(store, "me")["One"], rows[:1]),
        links("Two", TWO, found("Two")),
        links("Three", None, []),
        links("Four", ONE, []),
    )
    assert wrong(store) == [
        "causal_links: session 'Four' is of a reading that is not current",
        "causal_links: the links of session 'One'",
        "causal_links: session 'Three' is not in the table",
        "causal_links: session 'Two' is of a reading that is not current",
    ]
    with remembering(store) as memory:
        memory.add_star("Vault", domain="soul", at=NOON - DAY)  # whoever writes next mends what it can see
    assert wrong(store) == ["causal_links: the links of session 'One'"]
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
        assert (parts(store, "me"), wrong(store)) == ({}, [])
        with remembering(store) as memory:
            assert len(memory.causal_links("One")) == 2
            memory.add_star("Vault", domain="soul", at=NOON - DAY)
        assert parts(store, "me") == {"One": item.id}
        assert len(rows_of(store, "me", "One")) == 2

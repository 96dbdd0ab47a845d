"""The stored file of schema 3: sessions read, and read again, with their table of causal links."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.dialogue.lines import Line
from asterism.core.ledger.items import Item, Payload
from asterism.core.ledger.payloads import texts
from asterism.core.space.parameters import SpaceParameters
from asterism.engine.space.tables import table_differences
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.data import make_schema3
from tests.data.make_schema3 import DAY, SAID, START
from tests.support.memories import AnyMemory, contents, remembering
from tests.support.paths import DATA

STORED = DATA / "schema3.db"
ITEMS = 24
STRENGTHS = {"bell~boat": 0.326336007341, "bell~lantern": 0.237264760353, "boat~lantern": 0.065274004622}


def test_the_file_opens_today_and_means_what_it_meant(tmp_path: Path) -> None:
    path = Path(shutil.copy(STORED, tmp_path / "memory.db"))
    with remembering(path, clock=START + 5 * DAY) as memory:
        verified = memory.verify()
        assert verified.ok, verified.differences
        assert verified.items == ITEMS
        assert memory.sessions() == ["NIGHT 1", "Night 2"]
        links = {link.id: link.strength for link in memory.links() if link.family == "connection"}
        assert links == pytest.approx(STRENGTHS)
        assert len(memory.causal_links()) == 4
        told = memory.causal_links("night 1")
    with closing(SQLiteStore(path)) as store:
        assert sorted(store.rows("me", "causal_links", "NIGHT 1")) == sorted(told)
        assert table_differences(store, "me", SpaceParameters()) == []


def test_what_is_told_today_keeps_its_id_but_for_readings_that_remember_more_lines(tmp_path: Path) -> None:
    drive(make_schema3.make(tmp_path / "again.db"))
    stored_file = shutil.copy(STORED, tmp_path / "stored.db")
    with closing(SQLiteStore(stored_file)) as stored, closing(SQLiteStore(tmp_path / "again.db")) as again:
        before, now = ([each.item for each in contents(store)] for store in (stored, again))
        assert sorted(map(_beside_readings, before)) == sorted(map(_beside_readings, now))
        for then, today in zip(_readings(before), _readings(now), strict=True):
            assert {**then, "moments": [], "actors": []} == {**today, "moments": [], "actors": []}
            assert {*texts(then, "moments")} <= {*texts(today, "moments")}
        for session in ("NIGHT 1", "Night 2"):
            rows = [sorted(store.rows("me", "causal_links", session)) for store in (stored, again)]
            assert rows[0] == rows[1]


def test_a_copy_of_then_and_one_of_today_are_one_memory_and_count_what_was_read_once(tmp_path: Path) -> None:
    places = [Path(shutil.copy(STORED, tmp_path / "then.db")), tmp_path / "today.db"]
    drive(make_schema3.make(places[1]))
    with remembering(places[0]):  # it is brought forward
        pass
    found = []
    for first, second in (places, places[::-1]):
        path = Path(shutil.copy(first, tmp_path / f"both-{first.name}"))
        with remembering(path, clock=START + 5 * DAY) as memory:
            memory.merge(second)
            found.append(_said_of(memory))
            read_again(memory)
            assert _said_of(memory) == found[0]  # and all lines are there, whichever reading was current
            said = {hit.text for hit in memory.recall("carry Lantern Bell rings Boat Welcome", k=50).hits}
            assert {text for _, text in SAID} | {"Welcome."} <= said
    assert found[0] == found[1]
    links, causal, verified = found[0]
    assert links == pytest.approx(STRENGTHS)
    assert len(causal) == 4
    assert verified


def read_again(memory: AnyMemory) -> None:
    """Read the two sessions again."""
    longer = [Line(place, *said) for place, said in enumerate([("DM", "Welcome."), *SAID])]
    short = [Line(place, *said) for place, said in enumerate(SAID[:3])]
    for lines, session, day in ((longer, "NIGHT 1", 1), (short, "Night 2", 3)):
        memory.read_transcript(lines, session=session, started_at=START + day * DAY)
        again = memory.read_transcript(lines, session=session, started_at=START + day * DAY)
        assert (again.new, again.evidence) == (False, 0)


def _said_of(memory: AnyMemory) -> tuple[dict[str, float], list[tuple[str, float | None]], bool]:
    links = {link.id: link.strength for link in memory.links() if link.family == "connection"}
    causal = [(link.id, link.score) for link in memory.causal_links()]
    return links, causal, memory.verify().ok


def _beside_readings(item: Item) -> str:
    """An item's id; of a reading, or what belongs to one, what it says beside the lines that it remembers."""
    if item.what == "transcript":
        return f"{item.what} {item.at}"
    return f"{item.at} { ({**item.payload, 'reading': ''}) }" if "reading" in item.payload else item.id.hex()


def _readings(items: list[Item]) -> list[Payload]:
    return [item.payload for item in items if item.what == "transcript"]


def test_the_stored_file_is_whole_by_itself() -> None:
    assert not STORED.with_name("schema3.db-wal").exists()
    with closing(sqlite3.connect(f"{STORED.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for table, rows in (("ledger", ITEMS), ("causal_session", 2), ("causal_links", 4), ("checkpoint", 1)):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (rows,)

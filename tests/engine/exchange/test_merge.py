"""Merging: what another ledger brings is checked before any of it is written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.items import Payload, make_item
from asterism.entry.text.exchanged import imported_lines
from asterism.entry.text.layout import plain
from asterism.entry.text.render import merged_lines
from asterism.errors import ClockError, CorruptError
from asterism.store import scrubbing
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import DAY, FACTS, NOON, contents, is_told_well, opened


async def tell(path: Path) -> None:
    async with opened(path) as memory:
        for name in ("Sleep", "Mood", "Work"):
            await memory.add_star(name, domain="soul", at=NOON - 3 * DAY)
        await memory.observe("sleep", "mood", "user_creates", at=NOON - 2 * DAY, source="diary")


def append(path: Path, what: str, payload: Payload) -> None:
    with closing(SQLiteStore(path)) as store, store.writing("me") as writing:
        writing.append([make_item(space="me", what=what, at=to_micros(NOON - DAY), payload=payload, known_at=0)])


def alter(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


FAULTS = {
    "an item that was altered": lambda path: alter(path, "UPDATE ledger SET source = 'bank' WHERE source = 'diary'"),
    "a payload that was altered": lambda path: alter(
        path, "UPDATE ledger SET payload = replace(payload, 'user_creates', 'tars_confirmed')"
    ),
    "a payload that is no object": lambda path: alter(path, "UPDATE ledger SET payload = '[1]' WHERE source = 'diary'"),
    "a self-link": lambda path: append(path, "evidence", {"a": "mood", "b": "mood", "kind": "user_creates"}),
    "an unknown word": lambda path: append(path, "evidence", {"a": "mood", "b": "work", "kind": "hunch"}),
    "a missing field": lambda path: append(path, "engaged", {"star": "mood"}),
    "a kind from the future": lambda path: append(path, "sang", {}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_one_bad_item_is_named_and_nothing_is_merged(tmp_path: Path, fault: str) -> None:
    mine, other = tmp_path / "mine.db", tmp_path / "other.db"

    async def scenario() -> None:
        await tell(other)
        FAULTS[fault](other)
        async with opened(mine) as memory:
            await memory.add_star("Run", domain="health")
            with closing(SQLiteStore(mine, read_only=True)) as store:
                before, digest = contents(store), (await memory.verify()).digest
                with pytest.raises(CorruptError) as refused:
                    await memory.merge(other)
                assert contents(store) == before
            assert (await memory.verify()).digest == digest
        with closing(SQLiteStore(other, read_only=True)) as store:
            assert refused.value.item in {each.item.id.hex() for each in contents(store)}
        assert is_told_well(refused.value)

    drive(scenario())


def test_what_another_memory_took_of_the_far_future_is_refused(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.db", tmp_path / "other.db"

    async def scenario() -> None:
        await tell(mine)
        async with opened(other, clock=NOON.replace(year=9892)) as memory:
            mark = await memory.add_star("Sleep")
            assert mark.id
        async with opened(mine) as memory:
            with pytest.raises(ClockError, match="of the other copy is of 9892-03-01") as refused:
                await memory.merge(other)
            assert refused.value.code == "clock_ahead"
            assert is_told_well(refused.value)
            assert (await memory.stats()).clock == NOON

    drive(scenario())


@pytest.mark.parametrize("told_here", [True, False])
def test_what_another_memory_took_of_the_far_future_is_merged_where_it_is_trusted(
    tmp_path: Path, told_here: bool
) -> None:
    mine, other = tmp_path / "mine.db", tmp_path / "other.db"
    far = NOON.replace(year=9000)

    async def scenario() -> None:
        await tell(mine if told_here else other)
        with closing(SQLiteStore(other)) as store, store.writing("me") as writing:
            writing.append(
                [make_item(space="me", what="clock", at=to_micros(far), payload={}, known_at=to_micros(far))]
            )
        async with opened(mine, clock=None, trust_clock=True) as memory:
            assert (await memory.merge(other)).added == (1 if told_here else 5)
            assert (await memory.stats()).clock == far
            await memory.observe("sleep", "mood", "user_confirms", at=NOON)
        async with opened(mine) as memory:
            assert (await memory.verify()).ok

    drive(scenario())


def test_a_merge_says_that_bytes_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrubbing, "PATIENCE_MS", 50)
    mine, other = tmp_path / "mine.db", tmp_path / "other.db"

    async def scenario() -> None:
        await tell(other)
        async with opened(mine) as memory:
            done = await memory.merge(other)
            assert (done.scrubbed, done.note) == (True, "")
            async with opened(other) as erasing:
                await erasing.erase("source:diary")
                await erasing.export(tmp_path / "other.jsonl")
            with closing(sqlite3.connect(mine, isolation_level=None)) as reader:
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM ledger").fetchone()
                done = await memory.merge(other)
                assert (done.erased, done.scrubbed, done.note) == (1, False, scrubbing.READ)
        async with opened(tmp_path / "third.db") as memory:
            await tell(tmp_path / "third.db")
            with closing(sqlite3.connect(tmp_path / "third.db", isolation_level=None)) as reader:
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM ledger").fetchone()
                told = await memory.import_(tmp_path / "other.jsonl")
                assert (told.erased, told.scrubbed, told.note) == (1, False, scrubbing.READ)
        assert scrubbing.READ in " ".join(plain(merged_lines(done)).split())
        assert scrubbing.READ in " ".join(plain(imported_lines(told, width=80)).split())

    drive(scenario())


def test_vectors_that_recall_could_not_use_are_left_out_and_counted(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine.db", tmp_path / "theirs.db"

    async def scenario() -> None:
        async with opened(theirs) as memory:
            for text in FACTS[:3]:
                await memory.learn(text)
            await memory.dream()
        alter(theirs, "UPDATE vector_pack SET data = CAST(data || zeroblob(12) AS BLOB)")
        async with opened(mine) as memory:
            merged = await memory.merge(theirs)
            assert (merged.added > 0, merged.left_out) == (True, 3)
            assert "3 vectors" in plain(merged_lines(merged))
            assert (await memory.recall("piano")).hits

    drive(scenario())

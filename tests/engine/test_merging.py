"""Merging: what another ledger brings is checked before any of it is written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.calendar import to_micros
from asterism.core.items import Payload, make_item
from asterism.errors import CorruptError, InputError
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.memories import DAY, NOON, contents, is_told_well, opened


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


def test_a_mark_of_the_far_future_is_not_merged(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.db", tmp_path / "other.db"

    async def scenario() -> None:
        await tell(other)
        with closing(SQLiteStore(other)) as store, store.writing("me") as writing:
            at = to_micros(NOON + 9_000 * DAY)
            writing.append([make_item(space="me", what="clock", at=at, payload={}, known_at=to_micros(NOON))])
        async with opened(mine) as memory:
            with pytest.raises(InputError, match="days ahead"):
                await memory.merge(other)
            assert (await memory.stats()).items == {}

    drive(scenario())

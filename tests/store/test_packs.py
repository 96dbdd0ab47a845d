"""How a SQLite file keeps what is large: vectors in packs, payloads and columns deflated, free pages given back."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from asterism.core.ledger.columns import Columns
from asterism.core.ledger.items import make_item
from asterism.engine.care import doctor
from asterism.errors import CorruptError
from asterism.store import sqlite_vectors
from asterism.store.free_pages import LEAST
from asterism.store.port import Cache
from asterism.store.schema import MIGRATIONS
from asterism.store.sqlite import SQLitePlace, SQLiteStore
from asterism.store.sqlite_columns import LARGE
from asterism.store.sqlite_payloads import LONG
from asterism.store.sqlite_vectors import HASH, PACK
from tests.support.paths import DATA

PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(path: Path) -> Iterator[SQLiteStore]:
    with closing(SQLiteStore(path)) as opened:
        yield opened


def vectors(start: int, end: int, *, size: int = 1024) -> dict[bytes, bytes]:
    chance = np.random.default_rng(start)
    return {number.to_bytes(HASH, "big"): chance.bytes(size) for number in range(start, end)}


def put(store: SQLiteStore, told: dict[bytes, bytes], *, identity: str = "e") -> None:
    with store.writing("me") as writing:
        writing.put_vectors(identity, told)


def held_in(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        return [len(texts) // HASH for (texts,) in connection.execute("SELECT texts FROM vector_pack ORDER BY id")]


# Vectors


def test_a_vector_takes_its_bytes_and_little_else(path: Path) -> None:
    with closing(SQLiteStore(path)) as store:
        put(store, vectors(0, 4 * PACK))
    with closing(sqlite3.connect(path)) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    assert pages * PAGE < 4 * PACK * (1024 + HASH) * 1.02 + 40 * PAGE  # the rest is tables that are empty


def test_many_small_writes_fill_the_packs_that_one_large_one_does(store: SQLiteStore, path: Path) -> None:
    for start in range(0, PACK + 40, 20):
        put(store, vectors(start, start + 20))
    assert held_in(path) == [PACK, 40 + (-PACK - 40) % 20]
    told = {name: data for start in range(0, PACK + 40, 20) for name, data in vectors(start, start + 20).items()}
    assert store.vectors("me", "e", list(told)) == told


def test_packs_come_in_the_order_in_which_vectors_were_kept_and_more_do_not_move_them(store: SQLiteStore) -> None:
    put(store, vectors(500, 510))
    put(store, vectors(0, 300))
    before = [row for pack in store.vector_packs("me", "e") for row in sqlite_vectors.rows(pack)]
    put(store, vectors(900, 990))
    put(store, vectors(0, 5), identity="f")
    after = [row for pack in store.vector_packs("me", "e") for row in sqlite_vectors.rows(pack)]
    assert after[: len(before)] == before
    assert dict(after) == vectors(500, 510) | vectors(0, 300) | vectors(900, 990)
    assert store.vector_packs("me", "nobody") == store.vector_packs("you", "e") == []


def test_a_pack_of_which_everything_is_dropped_goes(store: SQLiteStore, path: Path) -> None:
    told = vectors(0, 2 * PACK)
    put(store, told)
    with store.writing("me") as writing:
        writing.drop_vectors([*list(told)[:PACK], list(told)[-1]])
    assert held_in(path) == [PACK - 1]
    assert store.vectors("me", "e", list(told)) == dict(list(told.items())[PACK:-1])


def test_the_vectors_of_an_earlier_schema_are_packed(tmp_path: Path) -> None:
    stored = DATA / "schema2.db"
    with closing(sqlite3.connect(f"{stored.as_uri()}?mode=ro&immutable=1", uri=True)) as before:
        kept = dict(before.execute("SELECT text, data FROM vector"))
    path = Path(shutil.copy(stored, tmp_path / "memory.db"))
    with closing(SQLiteStore(path)) as store:
        assert store.vectors("me", "hashed-words-256-1", list(kept)) == kept
        assert store.vector_texts("me") == set(kept)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)
        assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'vector'").fetchone()
        assert not connection.execute("SELECT 1 FROM cache WHERE name = 'scrub due'").fetchone()


# Payloads


def test_a_long_payload_is_kept_deflated_and_comes_back_as_it_was(store: SQLiteStore, path: Path) -> None:
    short, long = (
        make_item(space="me", what="learned", at=at, payload={"content": "tea " * at}, known_at=0) for at in (1, LONG)
    )
    with store.writing("me") as writing:
        writing.append([short, long])
    assert [stored.item for stored in store.items("me")] == [short, long]
    with closing(sqlite3.connect(path)) as connection:
        kinds = connection.execute("SELECT typeof(payload), length(payload) < ? FROM ledger ORDER BY seq", (LONG,))
        assert kinds.fetchall() == [("text", 1), ("blob", 1)]


@pytest.mark.parametrize("damage", ["x'78ff'", "substr(payload, 1, length(payload) - 9)", "x'ff'"])
def test_a_damaged_payload_is_said(path: Path, damage: str) -> None:
    item = make_item(space="me", what="learned", at=1, payload={"content": "tea " * LONG}, known_at=0)
    with closing(SQLiteStore(path)) as store, store.writing("me") as writing:
        writing.append([item])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE ledger SET payload = {damage}")
    with closing(SQLiteStore(path)) as store, pytest.raises(CorruptError):
        store.items("me")
    assert doctor.examine(SQLitePlace(path)).named("damaged_item")


# Columns


def test_columns_are_deflated_where_it_is_worth_it(store: SQLiteStore, path: Path) -> None:
    columns: Columns = {
        "zeros": np.zeros(10_000),
        "noise": np.random.default_rng(1).random(10_000),
        "empty": np.zeros((0, 3), dtype=np.int32),
        "text": np.frombuffer(b"to be or not to be " * 500, dtype=np.uint8),
        "small": np.random.default_rng(1).integers(0, 2**24, 10_000),
        "large": np.random.default_rng(1).integers(0, 2**24, LARGE // 8),
    }
    with store.writing("me") as writing:
        writing.put_cache("recall", Cache("f", columns))
    kept = store.cache("me", "recall")
    assert kept is not None
    for name, column in columns.items():
        assert (kept.columns[name].dtype, kept.columns[name].shape) == (column.dtype, column.shape)
        assert kept.columns[name].tobytes() == column.tobytes()
        assert kept.columns[name].flags.writeable
    with closing(sqlite3.connect(path)) as connection:
        forms = dict(connection.execute("SELECT name, form FROM cache_column"))
        deflated = {name for name, form in forms.items() if form == "deflate"}
        assert deflated == {"zeros", "text", "small"}
        connection.execute("UPDATE cache_column SET form = '' WHERE name = 'text'")
        connection.commit()
    assert store.cache("me", "recall") is None


# Free pages


def fill(store: SQLiteStore, pages: int) -> None:
    with store.writing("me") as writing:
        writing.put_cache("recall", Cache("f", {"noise": np.random.default_rng(2).random(pages * PAGE // 8)}))


def test_what_is_not_needed_any_more_is_given_back_without_an_erase(path: Path) -> None:
    with closing(SQLiteStore(path)) as store:
        fill(store, 3 * LEAST)
        large = path.stat().st_size + path.with_name("memory.db-wal").stat().st_size
        fill(store, 1)
        assert store.cache("me", "recall") is not None
    assert large > 3 * LEAST * PAGE
    assert path.stat().st_size < LEAST * PAGE


def test_what_the_next_write_takes_up_is_not_given_back(path: Path) -> None:
    with closing(SQLiteStore(path)) as store:
        fill(store, LEAST // 2)
        fill(store, 1)
    assert path.stat().st_size > LEAST // 2 * PAGE
    assert not doctor.examine(SQLitePlace(path)).named("free_space")


def test_the_doctor_says_what_is_free_and_what_gives_it_back(path: Path) -> None:
    with closing(SQLiteStore(path)) as store:
        fill(store, 3 * LEAST)
    with closing(sqlite3.connect(path)) as other, other:  # which does not give back
        other.execute("PRAGMA foreign_keys = ON")
        other.execute("DELETE FROM cache")
    (found,) = doctor.examine(SQLitePlace(path)).named("free_space")
    assert found.severity == "note"
    assert "bytes" in found.what
    with closing(SQLiteStore(path)):
        pass
    assert not doctor.examine(SQLitePlace(path)).named("free_space")
    assert path.stat().st_size < LEAST * PAGE
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA auto_vacuum = NONE")
        other.execute("VACUUM")
        other.execute("CREATE TABLE extra AS SELECT zeroblob(4000000) AS x")
        other.execute("DROP TABLE extra")
        other.commit()
    with closing(SQLiteStore(path)):
        pass
    assert "VACUUM" in doctor.examine(SQLitePlace(path)).named("kept_space")[0].repair

"""A transaction on one space of a SQLite file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from asterism.core.ledger.capability import Cells
from asterism.core.ledger.head import NONE, Total, item_mark, mark, total
from asterism.core.ledger.items import Item
from asterism.store import sqlite_arrivals, sqlite_head, sqlite_tables, sqlite_vectors
from asterism.store.port import (
    Appended,
    Cache,
    Checkpoint,
    Version,
    called_within,
    pieces_of,
    refuse_other_spaces,
    spread,
)
from asterism.store.scrubbing import SCRUB, SCRUB_DUE
from asterism.store.sqlite_columns import rows_of
from asterism.store.sqlite_payloads import packed
from asterism.store.sqlite_records import EMPTY

if TYPE_CHECKING:
    from asterism.store.sqlite import SQLiteStore

INTO = "INSERT OR IGNORE INTO ledger (space, at, id, known_at, what, source, payload, note, position)"
INSERT = f"""{INTO}
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
    WHERE NOT EXISTS (SELECT 1 FROM tombstone WHERE space = ?1 AND id = ?3)"""  # noqa: S608  # what is buried stays buried
INSERT_WHERE_NONE_IS_BURIED = f"{INTO} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
KNOWN = "SELECT known_at, note FROM ledger WHERE space = ? AND at = ? AND id = ?"
LEARNT_EARLIER = "UPDATE ledger SET known_at = ?, note = ?, position = ? WHERE space = ? AND at = ? AND id = ?"
CLOSE_UP = "UPDATE ledger SET position = seq - ?1 + ?2 WHERE seq > ?1"  # those that were left out left gaps
# The index is by time: look through it once
NAMED = "space = ? AND hex(id) IN (SELECT value FROM json_each(?))"


def _mark(item: Item) -> int:
    return item_mark(item.id, item.known_at, item.note)


class SQLiteWriting:
    """A transaction on one space."""

    def __init__(self, store: SQLiteStore, connection: sqlite3.Connection, space: str) -> None:
        self._store = store
        self._connection = connection
        self._number = 0
        self._space = space
        self.version: Version = None
        self._replaced = False  # something large, which left free pages
        self._came: dict[str, Total] = {}  # to be added to the head of the space
        self._went: dict[str, Total] = {}  # to be taken from it
        self._position: int | None = None  # the last that was given, once one is

    def __enter__(self) -> Self:
        if self._connection.in_transaction and not self._store.joined:
            raise called_within()
        with self._store.explained:
            self._store.begin()
            try:
                self._store.file.check_for_writing()
                self._number = self._store.space_for_writing(self._space)
            except BaseException:
                self._store.roll_back(self._space)
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._store.explained:
            if error is not None:
                self._store.roll_back(self._space)
                raise error  # so that an error of SQLite is explained here too
            try:
                sqlite_head.change(self._connection, self._number, self._came, self._went)
                if self._position is not None:
                    sqlite_arrivals.record(self._connection, self._number, self._position)
                self.version = self._store.commit(self._space)
            except BaseException:
                self._store.roll_back(self._space)
                raise
            if self._replaced and not self._connection.in_transaction:
                self._store.give_back()

    def append(self, items: Sequence[Item]) -> list[Appended]:
        """Add items, each once; the earlier known copy stays."""
        refuse_other_spaces(items, self._space)
        number, before = self._number, self._given()
        rows = [
            (number, item.at, item.id, item.known_at, item.what, item.source, packed(item.text), item.note, position)
            for position, item in enumerate(items, before + 1)
        ]
        if len(rows) == 1:
            cursor = self._connection.execute(INSERT, rows[0])
            if cursor.rowcount:
                self._position = before + 1
                self._add("items", [_mark(items[0])])
                return [Appended(cursor.lastrowid)]
            return self._appended_in_part(items, {})
        any_buried = self._connection.execute("SELECT 1 FROM tombstone WHERE space = ? LIMIT 1", (number,)).fetchone()
        insert = INSERT if any_buried else INSERT_WHERE_NONE_IS_BURIED
        added = self._connection.executemany(insert, rows).rowcount if rows else 0
        if not added:
            return self._appended_in_part(items, {})
        (last,) = self._connection.execute("SELECT last_insert_rowid()").fetchone()
        self._position = before + added
        if added == len(items):
            self._add("items", map(_mark, items))
            return [Appended(seq) for seq in range(last + 1 - added, last + 1)]
        self._connection.execute(CLOSE_UP, (last - added, before))
        new = self._connection.execute("SELECT id, seq FROM ledger WHERE seq > ?", (last - added,))
        return self._appended_in_part(items, dict(new))

    def _appended_in_part(self, items: Sequence[Item], new: dict[bytes, int]) -> list[Appended]:
        """Say what became of each item when not all were new, and let the earlier known copy of the others stay."""
        buried = self._buried(items)
        appended: list[Appended] = []
        for item in items:
            seq = new.pop(item.id, None)  # sent twice in one batch, the second is a duplicate
            is_buried = item.id in buried
            appended.append(Appended(seq, duplicate=seq is None and not is_buried, buried=is_buried))
        outcomes = list(zip(items, appended, strict=True))
        self._add("items", [_mark(item) for item, outcome in outcomes if outcome.seq is not None])
        for item in [item for item, outcome in outcomes if outcome.duplicate]:
            self._keep_earlier(item)
        return appended

    def _keep_earlier(self, item: Item) -> None:
        """Let the earlier known of two copies stay."""
        key = (self._number, item.at, item.id)
        (known,) = self._connection.execute(KNOWN, key).fetchall()
        if known > (item.known_at, item.note):
            self._connection.execute(LEARNT_EARLIER, (item.known_at, item.note, self._next(), *key))
            self._take("items", [item_mark(item.id, *known)])
            self._add("items", [_mark(item)])

    def _given(self) -> int:
        """Give the last position that was given, here or before."""
        if self._position is None:
            self._position = sqlite_arrivals.last(self._connection, self._number)
        return self._position

    def _next(self) -> int:
        """Give the next position away."""
        self._position = self._given() + 1
        return self._position

    def _add(self, name: str, marks: Iterable[int]) -> None:
        self._came[name] = self._came.get(name, NONE).plus(total(marks))

    def _take(self, name: str, marks: Iterable[int]) -> None:
        self._went[name] = self._went.get(name, NONE).plus(total(marks))

    def _buried(self, items: Sequence[Item]) -> set[bytes]:
        query = "SELECT 1 FROM tombstone WHERE space = ? AND id = ?"
        return {item.id for item in items if self._connection.execute(query, (self._number, item.id)).fetchone()}

    def bury(self, ids: Iterable[bytes]) -> int:
        """Leave tombstones and remove what lies under them; checkpoints that knew it go too."""
        gone, execute = list(ids), self._connection.execute
        lay = "INSERT OR IGNORE INTO tombstone (space, id, position) VALUES (?, ?, ?)"
        for each in gone:
            if execute(lay, (self._number, each, self._given() + 1)).rowcount:
                self._add("erased", [mark(each)])
                self._next()
        return self.remove(gone)

    def remove(self, ids: Iterable[bytes]) -> int:
        """Remove items; checkpoints that knew them go too."""
        gone, execute = list(ids), self._connection.execute
        named = (self._number, json.dumps([each.hex().upper() for each in gone]))
        under = f"SELECT id, known_at, note FROM ledger WHERE {NAMED}"  # noqa: S608  # fixed words
        self._take("items", [item_mark(*row) for row in execute(under, named)])
        removed = execute(f"DELETE FROM ledger WHERE {NAMED}", named).rowcount  # noqa: S608
        sqlite_tables.drop(self._connection, self._number, gone)
        if removed:
            self._connection.execute("DELETE FROM checkpoint WHERE space = ?", (self._number,))
            self._drop_caches()
            self._connection.execute(EMPTY, (self._space,))  # what a service remembers of it may hold its words
            self._connection.execute(SCRUB_DUE, (self._number, SCRUB))
        return removed

    def _drop_caches(self) -> None:
        self._connection.execute("DELETE FROM cache WHERE space = ? AND name <> ?", (self._number, SCRUB))

    def set_parameters(self, text: str) -> None:
        """Record the parameters of this space."""
        self._set("parameters", text)

    def _set(self, name: str, value: str) -> None:
        before = sqlite_head.settings(self._connection, self._number)
        self._connection.execute(f"UPDATE space SET {name} = ? WHERE id = ?", (value, self._number))  # noqa: S608
        after = sqlite_head.settings(self._connection, self._number)
        self._went["settings"] = self._went.get("settings", NONE).plus(before)
        self._came["settings"] = self._came.get("settings", NONE).plus(after)

    def drop_checkpoints(self, *, after_day: int) -> None:
        """Remove checkpoints that an item of this day makes untrue."""
        self._connection.execute("DELETE FROM checkpoint WHERE space = ? AND day > ?", (self._number, after_day))

    def put_checkpoint(self, checkpoint: Checkpoint, *, keep: int) -> None:
        """Store a checkpoint and thin out the others."""
        self._replaced = True
        execute, key = self._connection.execute, (self._number, checkpoint.fingerprint)
        execute("DELETE FROM checkpoint WHERE space = ? AND fingerprint <> ?", key)
        execute("DELETE FROM checkpoint WHERE space = ? AND fingerprint = ? AND day = ?", (*key, checkpoint.day))
        made = execute(
            "INSERT INTO checkpoint (space, fingerprint, seq, day, latest_at) VALUES (?, ?, ?, ?, ?)",
            (*key, checkpoint.seq, checkpoint.day, checkpoint.latest_at),
        ).lastrowid
        self._connection.executemany(
            "INSERT INTO checkpoint_column VALUES (?, ?, ?, ?, ?, ?, ?)", rows_of(made, checkpoint.columns)
        )
        days = [day for (day,) in execute("SELECT day FROM checkpoint WHERE space = ? AND fingerprint = ?", key)]
        for day in set(days) - set(spread(days, keep)):
            execute("DELETE FROM checkpoint WHERE space = ? AND fingerprint = ? AND day = ?", (*key, day))

    def set_embedder(self, identity: str) -> None:
        """Record the embedder of this space; the vectors of others go."""
        self._set("embedder", identity)
        others = "embedder WHERE space = ? AND identity NOT IN (?, ?)"
        which = (self._number, identity, pieces_of(identity))
        for made_by, other in self._connection.execute(f"SELECT id, identity FROM {others}", which).fetchall():  # noqa: S608
            self._take("vectors", sqlite_head.vector_marks(self._connection, made_by, other))
        self._connection.execute(f"DELETE FROM {others}", which)  # noqa: S608

    def put_vectors(self, identity: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep vectors; what is there already stays."""
        execute, key = self._connection.execute, (self._number, identity)
        execute("INSERT OR IGNORE INTO embedder (space, identity) VALUES (?, ?)", key)
        (made,) = execute("SELECT id FROM embedder WHERE space = ? AND identity = ?", key).fetchone()
        fresh = sqlite_vectors.put(self._connection, made, vectors)
        self._add("vectors", (mark(identity, *row) for row in fresh))

    def drop_vectors(self, texts: Iterable[bytes]) -> None:
        """Remove the vectors of texts, and every cache."""
        dropped = sqlite_vectors.drop(self._connection, self._number, texts)
        self._take("vectors", (mark(*row) for row in dropped))
        self._drop_caches()

    def record_head(self, *names: str) -> None:
        """Record these parts of the head anew from what is there."""
        head = sqlite_head.counted(self._connection, self._number)._asdict()
        sqlite_head.record(self._connection, self._number, {name: head[name] for name in names})
        for name in names:
            self._came.pop(name, None)
            self._went.pop(name, None)

    def place_anew(self) -> None:
        """Give positions anew, and another name to this copy."""
        self._position = sqlite_arrivals.place_anew(self._connection, self._number)

    def put_cache(self, name: str, cache: Cache) -> None:
        """Keep a cache in place of the one of that name."""
        self._replaced = True
        execute, key = self._connection.execute, (self._number, name)
        execute("DELETE FROM cache WHERE space = ? AND name = ?", key)
        insert = "INSERT INTO cache (space, name, fingerprint) VALUES (?, ?, ?)"
        made = execute(insert, (*key, cache.fingerprint)).lastrowid
        self._connection.executemany(
            "INSERT INTO cache_column VALUES (?, ?, ?, ?, ?, ?, ?)", rows_of(made, cache.columns)
        )

    def put_rows(self, table: str, part: str, item: bytes | None, rows: Sequence[Cells]) -> None:
        """Keep the rows of a part of a derived table in place of those there are."""
        sqlite_tables.put(self._connection, self._number, table, part, item, rows)

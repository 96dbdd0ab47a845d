"""One SQLite file: WAL, durable on acknowledgement, one writer at a time and any number of readers."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from asterism.core.columns import Columns
from asterism.core.dialogue.links import CausalLink
from asterism.core.items import Item
from asterism.errors import (
    CorruptError,
    ReadOnlyError,
)
from asterism.store import causal_rows
from asterism.store.port import Appended, Cache, Checkpoint, Counts, Stored, refuse_other_spaces, spread
from asterism.store.schema import check_schema, migrate
from asterism.store.scrubbing import SCRUB, SCRUB_DUE, scrub_if_due
from asterism.store.sqlite_errors import Explained, check_path

BUSY_SECONDS = 60.0
MANY = 2_000  # vectors asked for, from which reading all of them in order is quicker
COLUMNS = "seq, id, what, at, source, payload, known_at, note"
INSERT = """INSERT OR IGNORE INTO ledger (space, at, id, known_at, what, source, payload, note)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
    WHERE NOT EXISTS (SELECT 1 FROM tombstone WHERE space = ?1 AND id = ?3)"""  # what is buried stays buried


class SQLiteStore:
    """The default store: a single file."""

    def __init__(self, path: str | Path, *, read_only: bool = False, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = Path(path)
        self.read_only = read_only
        self._spaces: dict[str, int] = {}
        self.explained = Explained(self.path)
        self._writes = 0
        check_path(self.path, read_only=read_only)
        with self.explained:
            self._connection = self._connect(busy_seconds)
            try:
                check_schema(self._connection, path=str(self.path))
                if not read_only:  # only now: a database that is not ours is left as it was
                    _use_wal(self._connection, busy_seconds)
                    self._connection.execute("PRAGMA synchronous = FULL")  # WAL with NORMAL does not sync each commit
                migrate(self._connection, path=str(self.path), read_only=read_only)
                if not read_only:
                    scrub_if_due(self._connection)
            except BaseException:
                self._connection.close()
                raise

    def _connect(self, busy_seconds: float) -> sqlite3.Connection:
        mode = "ro" if self.read_only else "rwc"
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        if self.read_only and not os.access(self.path.parent, os.W_OK) and not self._wal().exists():
            uri += "&immutable=1"  # a reader of a WAL file needs room for its index, and there is none
        connection = sqlite3.connect(
            uri,
            uri=True,
            timeout=busy_seconds,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=64,
        )
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA secure_delete = ON")  # what is erased leaves no bytes behind
        except BaseException:
            connection.close()
            raise
        return connection

    def version(self) -> int:
        """Add up the commits of this connection and SQLite's count of changes by others."""
        with self.explained:
            return self._writes + int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def writing(self, space: str) -> SQLiteWriting:
        """Hold the write lock from here to the end, and commit there."""
        if self.read_only:
            raise ReadOnlyError(
                f"{self.path} was opened for reading only",
                code="read_only",
                item=str(self.path),
                hint="open it without read_only=True",
            )
        return SQLiteWriting(self, self._connection, space)

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """Read several things as they are at one moment, whoever writes meanwhile."""
        if self._connection.in_transaction:
            yield
            return
        with self.explained:
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.commit()  # nothing was written: this only lets go

    def items(
        self,
        space: str,
        *,
        after_seq: int = 0,
        until_at: int | None = None,
        known_until: int | None = None,
        only: Collection[str] | None = None,
        without: Collection[str] = (),
    ) -> list[Stored]:
        """Read items in the order (at, id), of some kinds only or without some."""
        filters: dict[str, int | str | None] = {
            "+space = ?" if after_seq else "space = ?": self._space(space),  # + : by place of arrival, not by the index
            "seq > ?": after_seq,
            "at <= ?": until_at,
            "known_at <= ?": known_until,
            "what IN (SELECT value FROM json_each(?))": None if only is None else json.dumps(sorted(only)),
            "what NOT IN (SELECT value FROM json_each(?))": json.dumps(sorted(without)) if without else None,
        }
        asked = {test: value for test, value in filters.items() if value is not None}
        query = f"SELECT {COLUMNS} FROM ledger WHERE {' AND '.join(asked)} ORDER BY at, id"  # noqa: S608  # fixed words
        with self.explained:
            return [_stored(space, row) for row in self._connection.execute(query, tuple(asked.values()))]

    def item(self, space: str, item_id: bytes, *, at: int | None = None) -> Item | None:
        """Find one item by its id; the index is by time, so knowing it makes this quick."""
        where = "space = ? AND id = ?" + ("" if at is None else " AND at = ?")
        values = (self._space(space), item_id) if at is None else (self._space(space), item_id, at)
        query = f"SELECT {COLUMNS} FROM ledger WHERE {where}"  # noqa: S608  # fixed words
        with self.explained:
            row = self._connection.execute(query, values).fetchone()
        return _stored(space, row).item if row else None

    def tombstones(self, space: str) -> Iterator[bytes]:
        """Give the ids of what was erased."""
        query = "SELECT id FROM tombstone WHERE space = ? ORDER BY id"
        with self.explained:
            rows = self._connection.execute(query, (self._space(space),)).fetchall()
        return (row[0] for row in rows)

    def parameters(self, space: str) -> str | None:
        """Give the recorded parameters of a space."""
        with self.explained:
            row = self._connection.execute("SELECT parameters FROM space WHERE name = ?", (space,)).fetchone()
        return row[0] if row else None

    def checkpoint(
        self, space: str, fingerprint: str, *, until_day: int | None = None, until_at: int | None = None
    ) -> Checkpoint | None:
        """Give the latest checkpoint that is not too late."""
        query = """SELECT id, fingerprint, seq, day, latest_at FROM checkpoint
                   WHERE space = ? AND fingerprint = ? AND day <= ? AND latest_at <= ? ORDER BY day DESC LIMIT 1"""
        far = 2**62
        values = (
            self._space(space),
            fingerprint,
            far if until_day is None else until_day,
            far if until_at is None else until_at,
        )
        with self.explained, self.one_moment():
            row = self._connection.execute(query, values).fetchone()
            return self._load(row) if row else None

    def checkpoints(self, space: str, fingerprint: str) -> list[Checkpoint]:
        """Give every checkpoint, oldest first."""
        query = """SELECT id, fingerprint, seq, day, latest_at FROM checkpoint
                   WHERE space = ? AND fingerprint = ? ORDER BY day"""
        with self.explained, self.one_moment():
            rows = self._connection.execute(query, (self._space(space), fingerprint)).fetchall()
            return [self._load(row) for row in rows]

    def _load(self, row: tuple[int, str, int, int, int]) -> Checkpoint:
        query = "SELECT name, dtype, shape, crc, data FROM checkpoint_column WHERE checkpoint = ?"
        return Checkpoint(*row[1:], _columns(self._connection.execute(query, (row[0],))))

    def embedder(self, space: str) -> str | None:
        """Give the recorded embedder of a space."""
        with self.explained:
            row = self._connection.execute("SELECT embedder FROM space WHERE name = ?", (space,)).fetchone()
        return row[0] if row else None

    def vectors(self, space: str, identity: str, texts: Collection[bytes]) -> dict[bytes, bytes]:
        """Give the vectors that are kept of these texts: one by one, or all of the space if many are asked for."""
        execute = self._connection.execute
        with self.explained, self.one_moment():
            key = (self._space(space), identity)
            made = execute("SELECT id FROM embedder WHERE space = ? AND identity = ?", key).fetchone()
            if made is None:
                return {}
            if len(texts) > MANY:
                wanted = set(texts)
                every = execute("SELECT text, data FROM vector WHERE embedder = ?", made)
                return {text: data for text, data in every if text in wanted}
            query = "SELECT data FROM vector WHERE embedder = ? AND text = ?"
            found = ((text, execute(query, (*made, text)).fetchone()) for text in texts)
            return {text: row[0] for text, row in found if row}

    def vector_texts(self, space: str) -> set[bytes]:
        """Give the hashes of the texts that vectors are kept of."""
        query = "SELECT text FROM vector WHERE embedder IN (SELECT id FROM embedder WHERE space = ?)"
        with self.explained:
            return {text for (text,) in self._connection.execute(query, (self._space(space),))}

    def cache(self, space: str, name: str) -> Cache | None:
        """Give the cache of a name."""
        with self.explained, self.one_moment():
            query = "SELECT id, fingerprint FROM cache WHERE space = ? AND name = ?"
            row = self._connection.execute(query, (self._space(space), name)).fetchone()
            if row is None:
                return None
            query = "SELECT name, dtype, shape, crc, data FROM cache_column WHERE cache = ?"
            return Cache(row[1], _columns(self._connection.execute(query, row[:1])))

    def causal_sessions(self, space: str) -> dict[str, bytes]:
        """Give the sessions whose causal links are kept."""
        with self.explained:
            return causal_rows.sessions(self._connection, self._space(space))

    def causal_links(self, space: str, session: str) -> list[CausalLink]:
        """Give the causal links that are kept of a session."""
        with self.explained:
            return causal_rows.links(self._connection, self._space(space), session)

    def counts(self, space: str, fingerprint: str) -> Counts:
        """Count what there is."""
        number, execute = self._space(space), self._connection.execute
        with self.one_moment():
            items = execute("SELECT what, count(*) FROM ledger WHERE space = ? GROUP BY what ORDER BY what", (number,))
            tombstones = execute("SELECT count(*) FROM tombstone WHERE space = ?", (number,))
            checkpoints = execute(
                "SELECT count(*) FROM checkpoint WHERE space = ? AND fingerprint = ?", (number, fingerprint)
            )
            return Counts(dict(items), tombstones.fetchone()[0], checkpoints.fetchone()[0])

    def spaces(self) -> list[str]:
        """Name the spaces."""
        with self.explained:
            return [name for (name,) in self._connection.execute("SELECT name FROM space ORDER BY name")]

    def size_bytes(self) -> int:
        """Add up the file and its write-ahead log."""
        return sum(file.stat().st_size for file in (self.path, self._wal()) if file.exists())

    def _wal(self) -> Path:
        return self.path.with_name(self.path.name + "-wal")

    def scrub(self) -> str:
        """Write the file anew and empty its log, if something was removed since this was last done."""
        return scrub_if_due(self._connection)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def end_writing(self, space: str, *, commit: bool) -> None:
        """Commit, or leave everything as it was."""
        if commit:
            self._connection.execute("COMMIT")
            self._writes += 1
            return
        self._spaces.pop(space, None)
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _space(self, space: str) -> int:
        """Give the number of a space; 0, which none has, when nothing was written to it yet."""
        number = self._spaces.get(space)
        if number is None:
            with self.explained:
                row = self._connection.execute("SELECT id FROM space WHERE name = ?", (space,)).fetchone()
            if row is None:
                return 0
            number = self._spaces[space] = int(row[0])
        return number

    def space_for_writing(self, space: str) -> int:
        """Give the number of a space, making it if nothing was written to it yet."""
        number = self._space(space)
        if not number:
            self._connection.execute("INSERT INTO space (name) VALUES (?)", (space,))
            number = self._space(space)
        return number


class SQLiteWriting:
    """A transaction on one space."""

    def __init__(self, store: SQLiteStore, connection: sqlite3.Connection, space: str) -> None:
        self._store = store
        self._connection = connection
        self._number = 0
        self._space = space

    def __enter__(self) -> Self:
        with self._store.explained:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._number = self._store.space_for_writing(self._space)
            except BaseException:
                self._store.end_writing(self._space, commit=False)
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._store.explained:
            try:
                self._store.end_writing(self._space, commit=error is None)
            except BaseException:
                self._store.end_writing(self._space, commit=False)
                raise
            if error is not None:  # so that an error of SQLite is explained here too
                raise error

    def append(self, items: Sequence[Item]) -> list[Appended]:
        """Add items, each once; the earlier known copy stays."""
        refuse_other_spaces(items, self._space)
        number = self._number
        rows = [
            (number, item.at, item.id, item.known_at, item.what, item.source, item.text, item.note) for item in items
        ]
        if len(rows) == 1:
            cursor = self._connection.execute(INSERT, rows[0])
            if cursor.rowcount:
                return [Appended(cursor.lastrowid)]
            return self._appended_in_part(items, {})
        added = self._connection.executemany(INSERT, rows).rowcount if rows else 0
        if not added:
            return self._appended_in_part(items, {})
        (last,) = self._connection.execute("SELECT last_insert_rowid()").fetchone()
        if added == len(items):
            return [Appended(seq) for seq in range(last + 1 - added, last + 1)]
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
        self._connection.executemany(
            """UPDATE ledger SET known_at = ?1, note = ?2
               WHERE space = ?3 AND at = ?4 AND id = ?5 AND (known_at, note) > (?1, ?2)""",
            [
                (item.known_at, item.note, self._number, item.at, item.id)
                for item, outcome in zip(items, appended, strict=True)
                if outcome.duplicate
            ],
        )
        return appended

    def _buried(self, items: Sequence[Item]) -> set[bytes]:
        query = "SELECT 1 FROM tombstone WHERE space = ? AND id = ?"
        return {item.id for item in items if self._connection.execute(query, (self._number, item.id)).fetchone()}

    def bury(self, ids: Iterable[bytes]) -> int:
        """Leave tombstones and remove what lies under them; checkpoints that knew it go too."""
        rows = [(self._number, item_id) for item_id in ids]
        self._connection.executemany("INSERT OR IGNORE INTO tombstone (space, id) VALUES (?, ?)", rows)
        names = json.dumps([item_id.hex().upper() for _, item_id in rows])  # the index is by time: look through it once
        query = "DELETE FROM ledger WHERE space = ? AND hex(id) IN (SELECT value FROM json_each(?))"
        removed = self._connection.execute(query, (self._number, names)).rowcount
        causal_rows.drop(self._connection, self._number, [item_id for _, item_id in rows])
        if removed:
            self._connection.execute("DELETE FROM checkpoint WHERE space = ?", (self._number,))
            self._drop_caches()
            self._connection.execute(SCRUB_DUE, (self._number, SCRUB))
        return removed

    def _drop_caches(self) -> None:
        self._connection.execute("DELETE FROM cache WHERE space = ? AND name <> ?", (self._number, SCRUB))

    def set_parameters(self, text: str) -> None:
        """Record the parameters of this space."""
        self._connection.execute("UPDATE space SET parameters = ? WHERE id = ?", (text, self._number))

    def drop_checkpoints(self, *, after_day: int) -> None:
        """Remove checkpoints that an item of this day makes untrue."""
        self._connection.execute("DELETE FROM checkpoint WHERE space = ? AND day > ?", (self._number, after_day))

    def put_checkpoint(self, checkpoint: Checkpoint, *, keep: int) -> None:
        """Store a checkpoint and thin out the others."""
        execute, key = self._connection.execute, (self._number, checkpoint.fingerprint)
        execute("DELETE FROM checkpoint WHERE space = ? AND fingerprint <> ?", key)
        execute("DELETE FROM checkpoint WHERE space = ? AND fingerprint = ? AND day = ?", (*key, checkpoint.day))
        made = execute(
            "INSERT INTO checkpoint (space, fingerprint, seq, day, latest_at) VALUES (?, ?, ?, ?, ?)",
            (*key, checkpoint.seq, checkpoint.day, checkpoint.latest_at),
        ).lastrowid
        self._connection.executemany(
            "INSERT INTO checkpoint_column VALUES (?, ?, ?, ?, ?, ?)", _rows(made, checkpoint.columns)
        )
        days = [day for (day,) in execute("SELECT day FROM checkpoint WHERE space = ? AND fingerprint = ?", key)]
        for day in set(days) - set(spread(days, keep)):
            execute("DELETE FROM checkpoint WHERE space = ? AND fingerprint = ? AND day = ?", (*key, day))

    def set_embedder(self, identity: str) -> None:
        """Record the embedder of this space; the vectors of others go."""
        self._connection.execute("UPDATE space SET embedder = ? WHERE id = ?", (identity, self._number))
        self._connection.execute("DELETE FROM embedder WHERE space = ? AND identity <> ?", (self._number, identity))

    def put_vectors(self, identity: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep vectors; what is there already stays."""
        execute, key = self._connection.execute, (self._number, identity)
        execute("INSERT OR IGNORE INTO embedder (space, identity) VALUES (?, ?)", key)
        (made,) = execute("SELECT id FROM embedder WHERE space = ? AND identity = ?", key).fetchone()
        rows = ((made, text, data) for text, data in sorted(vectors.items()))
        self._connection.executemany("INSERT OR IGNORE INTO vector VALUES (?, ?, ?)", rows)

    def drop_vectors(self, texts: Iterable[bytes]) -> None:
        """Remove the vectors of texts, and every cache."""
        query = "DELETE FROM vector WHERE text = ? AND embedder IN (SELECT id FROM embedder WHERE space = ?)"
        self._connection.executemany(query, [(text, self._number) for text in texts])
        self._drop_caches()

    def put_cache(self, name: str, cache: Cache) -> None:
        """Keep a cache in place of the one of that name."""
        execute, key = self._connection.execute, (self._number, name)
        execute("DELETE FROM cache WHERE space = ? AND name = ?", key)
        insert = "INSERT INTO cache (space, name, fingerprint) VALUES (?, ?, ?)"
        made = execute(insert, (*key, cache.fingerprint)).lastrowid
        self._connection.executemany("INSERT INTO cache_column VALUES (?, ?, ?, ?, ?, ?)", _rows(made, cache.columns))

    def put_causal_links(self, session: str, reading: bytes | None, links: Sequence[CausalLink]) -> None:
        """Keep the causal links of a session in place of those there are."""
        causal_rows.put(self._connection, self._number, session, reading, links)


def _rows(owner: int | None, columns: Columns) -> Iterator[tuple[int | None, str, str, str, int, bytes | memoryview]]:
    """Give columns as rows of a table."""
    for name, column in columns.items():
        data = np.ascontiguousarray(column).data.cast("B") if column.size else b""
        form = (name, column.dtype.str, json.dumps(column.shape))
        yield owner, *form, _checksum(*form, data), data


def _columns(rows: Iterable[tuple[str, str, str, int, bytes]]) -> Columns:
    """Read columns; whoever misses one that is damaged does without the whole."""
    columns: Columns = {}
    for name, dtype, shape, crc, data in rows:
        try:
            if _checksum(name, dtype, shape, data) == crc:
                columns[name] = np.frombuffer(data, dtype=dtype).reshape(json.loads(shape)).copy()
        except (TypeError, ValueError):
            continue
    return columns


def _checksum(name: str, dtype: str, shape: str, data: bytes | memoryview) -> int:
    return zlib.crc32(data, zlib.crc32(f"{name} {dtype} {shape}".encode()))


def _stored(space: str, row: tuple[int, bytes, str, int, str, str, int, str]) -> Stored:
    seq, item_id, what, at, source, payload, known_at, note = row
    if type(at) is not int or type(known_at) is not int or type(item_id) is not bytes:
        raise CorruptError(
            f"the ledger row {seq} of space {space!r} is damaged",
            code="corrupt",
            item=str(seq),
            hint="restore the memory from a copy, or merge another copy of it into a new memory",
        )
    return Stored(seq, Item(item_id, space, what, at, source, json.loads(payload), payload, known_at, note))


def _use_wal(connection: sqlite3.Connection, busy_seconds: float) -> None:
    """Switch to WAL; SQLite does not wait by itself here when another process is doing the same."""
    pause = threading.Event()
    waited = 0.0
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or waited >= busy_seconds:
                raise
        pause.wait(0.02)
        waited += 0.02

"""One SQLite file: WAL, durable on acknowledgement, one writer at a time and any number of readers."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from asterism.core.ledger.capability import Cells
from asterism.core.ledger.head import Head
from asterism.core.ledger.items import Item, quoted
from asterism.errors import ReadOnlyError
from asterism.hints import Hint, option
from asterism.store import (
    sqlite_arrivals,
    sqlite_checks,
    sqlite_copying,
    sqlite_foreign,
    sqlite_head,
    sqlite_tables,
    sqlite_vectors,
)
from asterism.store.free_pages import give_back
from asterism.store.patience import waiting
from asterism.store.port import LAST, Arrival, Cache, Checkpoint, Counts, Examined, Place, Stored, Version
from asterism.store.schema import NEWEST, check_schema, migrate
from asterism.store.scrubbing import scrub_if_due
from asterism.store.sqlite_columns import columns_of
from asterism.store.sqlite_errors import Explained, check_path
from asterism.store.sqlite_file import OpenFile, make_file, refuse_after_fork
from asterism.store.sqlite_opening import copied, nothing_there, use_wal
from asterism.store.sqlite_records import SQLiteRecords
from asterism.store.sqlite_rows import COLUMNS, LAST_KNOWN, asked, stored_of
from asterism.store.sqlite_writing import SQLiteWriting

BUSY_SECONDS = 60.0
FAR = 2**62  # later than every day, place and time


class SQLiteStore(SQLiteRecords):
    """The default store: a single file."""

    def __init__(self, path: str | Path, *, read_only: bool = False, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = Path(path)
        self.read_only = read_only
        self._spaces: dict[str, int] = {}
        self.explained = Explained(self.path)
        self._commits: dict[str, int] = {}  # of this connection, by space
        check_path(self.path, read_only=read_only)
        refuse_after_fork(self.path)
        with self.explained:
            if not read_only:
                make_file(self.path)
            self.file = OpenFile(self.path)
            self._connection = self._connect(busy_seconds)
            try:
                schema = check_schema(self._connection, path=str(self.path))
                if not read_only:  # only now: a database that is not ours is left as it was
                    if not schema:
                        self._connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # before its first page
                    use_wal(self._connection, busy_seconds)
                    self._connection.execute("PRAGMA synchronous = FULL")  # WAL with NORMAL does not sync each commit
                if read_only and not schema:
                    raise nothing_there(self.path)
                if read_only and schema < NEWEST:
                    self._connection = copied(self._connection)  # to be brought forward beside the file
                migrate(self._connection, path=str(self.path))
                if not read_only:
                    scrub_if_due(self._connection)
                self.file.opened(self._connection, logs=not read_only)
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
            connection.execute("PRAGMA trusted_schema = OFF")  # a schema calls nothing that could do harm
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA secure_delete = ON")  # what is erased leaves no bytes behind
        except BaseException:
            connection.close()
            raise
        return connection

    def version(self, space: str) -> Version:
        """Give the commits of this connection to a space, with SQLite's count of what others did, in any space."""
        if not self._connection.in_transaction:  # where that began
            self.file.check()
        with self.explained:
            (others,) = self._connection.execute("PRAGMA data_version").fetchone()
            return others, self._commits.get(space, 0)

    @property
    def place(self) -> Place:
        """The path of the file."""
        return SQLitePlace(self.path)

    def writing(self, space: str) -> SQLiteWriting:
        """Hold the write lock from here to the end, and commit there."""
        if self.read_only:
            raise ReadOnlyError(
                f"{self.path} was opened for reading only",
                code="read_only",
                item=str(self.path),
                hint=Hint("open it without ", option("read_only", True)),
            )
        return SQLiteWriting(self, self._connection, space)

    def without_waiting(self) -> AbstractContextManager[None]:
        """Wait for no other writer meanwhile."""
        return waiting(self._connection, milliseconds=0)

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
        from_at: int | None = None,
        until_at: int | None = None,
        known_until: int | None = None,
        only: Collection[str] | None = None,
        without: Collection[str] = (),
        naming: Collection[str] | None = None,
    ) -> list[Stored]:
        """Read items in the order (at, id), of some kinds only or without some, or those that name something."""
        query, values = asked(self._space(space), after_seq, from_at, until_at, known_until, only, without, naming)
        with self.explained:
            found = [stored_of(space, row) for row in self._connection.execute(query, values)]
        if naming is None:
            return found
        names = [quoted(name) for name in naming]
        return [stored for stored in found if any(name in stored.item.text for name in names)]

    def each_item(
        self, space: str, *, after_seq: int = 0, only: Collection[str] | None = None, without: Collection[str] = ()
    ) -> Iterator[Stored]:
        """Read items one by one, in the order (at, id)."""
        query, values = asked(self._space(space), after_seq, None, None, None, only, without, None)
        with self.explained:
            yield from (stored_of(space, row) for row in self._connection.execute(query, values))

    def item(self, space: str, item_id: bytes, *, at: int | None = None) -> Item | None:
        """Find one item by its id; the index is by time, so knowing it makes this quick."""
        where = "space = ? AND id = ?" + ("" if at is None else " AND at = ?")
        values = (self._space(space), item_id) if at is None else (self._space(space), item_id, at)
        query = f"SELECT {COLUMNS} FROM ledger WHERE {where}"  # noqa: S608  # fixed words
        with self.explained:
            row = self._connection.execute(query, values).fetchone()
        return stored_of(space, row).item if row else None

    def last_known(self, space: str, *, until: int) -> int | None:
        """Say when something was last learnt: a look at each end of two indexes, whatever the ledger's length."""
        with self.explained:
            (known,) = self._connection.execute(LAST_KNOWN, (self._space(space), until, LAST)).fetchone()
        return None if known is None else int(known)

    def tombstones(self, space: str) -> Iterator[bytes]:
        """Give the ids of what was erased."""
        query = "SELECT id FROM tombstone WHERE space = ? ORDER BY id"
        with self.explained:
            rows = self._connection.execute(query, (self._space(space),)).fetchall()
        return (row[0] for row in rows)

    def is_buried(self, space: str, item_id: bytes) -> bool:
        """Say whether an item was erased."""
        query = "SELECT 1 FROM tombstone WHERE space = ? AND id = ?"
        with self.explained:
            return self._connection.execute(query, (self._space(space), item_id)).fetchone() is not None

    def buried(self, space: str) -> int:
        """Count what was erased."""
        query = "SELECT count(*) FROM tombstone WHERE space = ?"
        with self.explained:
            return int(self._connection.execute(query, (self._space(space),)).fetchone()[0])

    def copy_name(self) -> str:
        """Give the name of this copy."""
        with self.explained:
            return sqlite_arrivals.name(self._connection, self.path)

    def last_position(self, space: str) -> int:
        """Give the last position that was given in a space."""
        with self.explained:
            return sqlite_arrivals.last(self._connection, self._space(space))

    def arrivals(
        self, space: str, *, after: int = 0, until: int | None = None, limit: int | None = None
    ) -> list[Arrival]:
        """Read what came to a space after a position."""
        until, limit = (FAR if each is None else each for each in (until, limit))
        with self.explained, self.one_moment():
            number = self._space(space)
            return sqlite_arrivals.read(self._connection, number, space, after=after, until=until, limit=limit)

    def lost_arrivals(self, space: str) -> list[str]:
        """Say what the order of arrival lacks."""
        with self.explained, self.one_moment():
            return list(sqlite_arrivals.lost(self._connection, self._space(space)))

    def check(self, space: str) -> None:
        """Compare what is there with the recorded head, as far as that is quick."""
        with self.explained, self.one_moment():
            sqlite_head.check(self._connection, self._space(space), space, str(self.path))

    def head(self, space: str) -> Head:
        """Give the recorded head of a space."""
        with self.explained:
            return sqlite_head.recorded(self._connection, self._space(space))

    def counted(self, space: str) -> Head:
        """Read everything, and give the head it should have."""
        with self.explained, self.one_moment():
            return sqlite_head.counted(self._connection, self._space(space))

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
        values = (
            self._space(space),
            fingerprint,
            FAR if until_day is None else until_day,
            FAR if until_at is None else until_at,
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
        query = "SELECT name, dtype, shape, crc, data, form FROM checkpoint_column WHERE checkpoint = ?"
        return Checkpoint(*row[1:], *columns_of(self._connection.execute(query, (row[0],))))

    def embedder(self, space: str) -> str | None:
        """Give the recorded embedder of a space."""
        with self.explained:
            row = self._connection.execute("SELECT embedder FROM space WHERE name = ?", (space,)).fetchone()
        return row[0] if row else None

    def vectors(self, space: str, identity: str, texts: Collection[bytes]) -> dict[bytes, bytes]:
        """Give the vectors that are kept of these texts."""
        with self.explained, self.one_moment():
            made_by = sqlite_vectors.embedder(self._connection, self._space(space), identity)
            return sqlite_vectors.read(self._connection, made_by, texts)

    def vector_packs(self, space: str, identity: str) -> list[tuple[bytes, bytes]]:
        """Give every vector of an embedder, in packs."""
        with self.explained, self.one_moment():
            made_by = sqlite_vectors.embedder(self._connection, self._space(space), identity)
            return list(sqlite_vectors.packs(self._connection, made_by))

    def vector_texts(self, space: str) -> set[bytes]:
        """Give the hashes of the texts that vectors are kept of."""
        with self.explained:
            return sqlite_vectors.texts(self._connection, self._space(space))

    def cache(self, space: str, name: str) -> Cache | None:
        """Give the cache of a name."""
        with self.explained, self.one_moment():
            query = "SELECT id, fingerprint FROM cache WHERE space = ? AND name = ?"
            row = self._connection.execute(query, (self._space(space), name)).fetchone()
            if row is None:
                return None
            query = "SELECT name, dtype, shape, crc, data, form FROM cache_column WHERE cache = ?"
            columns, whole = columns_of(self._connection.execute(query, row[:1]))
            return Cache(row[1], columns) if whole else None

    def parts(self, space: str, table: str) -> dict[str, bytes]:
        """Give the parts of a derived table."""
        with self.explained:
            return sqlite_tables.parts(self._connection, self._space(space), table)

    def rows(self, space: str, table: str, part: str) -> list[Cells]:
        """Give the rows of a part."""
        with self.explained:
            return sqlite_tables.rows(self._connection, self._space(space), table, part)

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

    def copy_to(self, path: Path, say: Callable[[float], object]) -> None:
        """Write all of it to a new file, without what was removed."""
        sqlite_copying.copy(self._connection, path, say)

    def recover(self) -> None:
        """Roll back what was begun and broken off; if it was just committed, nobody may have counted it."""
        spaces = {*self._spaces, *self._commits}
        self._spaces.clear()
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        for space in spaces:
            self._commits[space] = self._commits.get(space, 0) + 1

    def close(self) -> None:
        """Close the file, and give back what it does not need any more."""
        if not self.read_only:
            with suppress(sqlite3.Error):
                give_back(self._connection)
        self.file.closed()
        self._connection.close()

    def give_back(self) -> None:
        """Give back what was replaced, if it is much."""
        with self.explained:
            give_back(self._connection)

    def commit(self, space: str) -> Version:
        """End a transaction, and give the version that the space has by it."""
        (others,) = self._connection.execute("PRAGMA data_version").fetchone()  # from the commit on they may write
        self.end()
        self._commits[space] = self._commits.get(space, 0) + 1
        version = others, self._commits[space]
        self.check_written()
        return version

    def roll_back(self, space: str) -> None:
        """Leave everything as it was."""
        self._spaces.pop(space, None)
        self.undo()

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
            sqlite_head.record(self._connection, number, {"settings": sqlite_head.settings(self._connection, number)})
        return number


class LookingStore(SQLiteStore):
    """A store that is only looked at, and leaves no trace of that beside the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, read_only=True)

    def _connect(self, busy_seconds: float) -> sqlite3.Connection:  # noqa: ARG002  # nobody is waited for
        return sqlite_foreign.looked_at(sqlite_checks.opened(self.path), self.path)


class ForeignStore(SQLiteStore):
    """A store in a file that somebody else hands over: only read, and guarded before it is asked anything."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, read_only=True)

    def _connect(self, busy_seconds: float) -> sqlite3.Connection:
        return sqlite_foreign.received(super()._connect(busy_seconds), self.path)


class SQLitePlace:
    """A path at which there is a SQLite file, or will be."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def __str__(self) -> str:
        return str(self.path)

    def exists(self) -> bool:
        """Say whether there is a file."""
        return self.path.exists()

    def open(self, *, read_only: bool = False) -> SQLiteStore:
        """Open the file, a new one if it is not there."""
        return SQLiteStore(self.path, read_only=read_only)

    def receive(self) -> SQLiteStore:
        """Open the file of somebody else for reading, if it is nothing but a memory."""
        return ForeignStore(self.path)

    def look(self) -> SQLiteStore:
        """Open the file for reading without leaving a trace."""
        return LookingStore(self.path)

    def room(self) -> AbstractContextManager[Path]:
        """Give a file beside this one, which is removed in the end if it is still there."""
        return sqlite_copying.room(self.path)

    def take(self, file: Path) -> None:
        """Put a file in place of what is here."""
        sqlite_copying.take(self.path, file)

    def take_free(self, file: Path) -> None:
        """Put a file where nothing is."""
        sqlite_copying.take_free(self.path, file)

    def take_keeping(self, file: Path, check: Callable[[], object]) -> str | None:
        """Put a file in place of what is here, which is kept aside."""
        return sqlite_copying.take_keeping(self.path, file, check)

    def examine(self, spaces: Sequence[str] | None, *, mine: bool) -> Examined:
        """Say what ails the file."""
        refuse_after_fork(self.path)
        return sqlite_checks.examine(self.path, spaces, mine=mine)

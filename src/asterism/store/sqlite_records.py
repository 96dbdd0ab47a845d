"""What a service keeps beside the ledgers of a SQLite file, and writes that belong together."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from asterism.errors import GoneError
from asterism.store.sqlite_errors import Explained, ends_unknown, maybe_written
from asterism.store.sqlite_file import OpenFile

MAKE = """CREATE TABLE record (
    space TEXT NOT NULL,
    sheet TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (space, sheet, key)) WITHOUT ROWID"""
PUT = """INSERT INTO record (space, sheet, key, value) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value"""
EMPTY = "UPDATE record SET value = '' WHERE space = ?"
PART = "part"


class SQLiteRecords:
    """Sheets of texts by key, of the file or of a space."""

    _connection: sqlite3.Connection
    explained: Explained
    file: OpenFile
    path: Path
    joined = False  # whether what is written belongs to something larger

    def record(self, sheet: str, key: str, *, space: str = "") -> str | None:
        """Give one text."""
        query = "SELECT value FROM record WHERE space = ? AND sheet = ? AND key = ?"
        with self.explained:
            row = self._connection.execute(query, (space, sheet, key)).fetchone()
        return None if row is None else str(row[0])

    def sheets(self, *, space: str = "") -> list[str]:
        """Name the sheets there are."""
        query = "SELECT DISTINCT sheet FROM record WHERE space = ? ORDER BY sheet"
        with self.explained:
            return [sheet for (sheet,) in self._connection.execute(query, (space,))]

    def records(self, sheet: str, *, space: str = "") -> dict[str, str]:
        """Give all texts of a sheet, in the order of their keys."""
        query = "SELECT key, value FROM record WHERE space = ? AND sheet = ? ORDER BY key"
        with self.explained:
            return dict(self._connection.execute(query, (space, sheet)).fetchall())

    def put_records(self, sheet: str, texts: Mapping[str, str | None], *, space: str = "") -> None:
        """Put texts into a sheet, or take away those that are None."""
        if self.joined:
            self._put(sheet, texts, space)
            return
        with self.together():
            self._put(sheet, texts, space)

    def _put(self, sheet: str, texts: Mapping[str, str | None], space: str) -> None:
        with self.explained:
            for key, text in texts.items():
                if text is None:
                    gone = "DELETE FROM record WHERE space = ? AND sheet = ? AND key = ?"
                    self._connection.execute(gone, (space, sheet, key))
                else:
                    self._connection.execute(PUT, (space, sheet, key, text))

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make everything that is written inside durable at its end, or nothing of it."""
        with self.explained:
            self._connection.execute("BEGIN IMMEDIATE")
        self.joined = True
        try:
            self.file.check_for_writing()
            yield
            with self.explained:
                self._commit()
            self.check_written()
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        finally:
            self.joined = False

    def begin(self) -> None:
        """Begin a transaction, or a part of a larger one."""
        self._connection.execute(f"SAVEPOINT {PART}" if self.joined else "BEGIN IMMEDIATE")

    def end(self) -> None:
        """End what was begun."""
        if self.joined:
            self._connection.execute(f"RELEASE {PART}")
        else:
            self._commit()

    def _commit(self) -> None:
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if ends_unknown(error, self.path):
                raise maybe_written(self.path, str(error)) from error
            raise

    def check_written(self) -> None:
        """Say of a commit that it may have gone to a file that nobody finds any more."""
        try:
            self.file.check()
        except GoneError as gone:
            raise maybe_written(self.path, gone.message) from gone

    def undo(self) -> None:
        """Leave everything as it was before."""
        if not self._connection.in_transaction:
            return
        if self.joined:
            self._connection.execute(f"ROLLBACK TO {PART}")
            self._connection.execute(f"RELEASE {PART}")
        else:
            self._connection.execute("ROLLBACK")

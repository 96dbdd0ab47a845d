"""What is done as a SQLite file is opened: it is switched to a log, or copied, or found empty."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from asterism.errors import UnknownError


def nothing_there(path: Path) -> UnknownError:
    """Say that a file has nothing in it to be read."""
    return UnknownError(
        f"{path} is empty: nothing was ever remembered in it",
        code="empty_file",
        item=str(path),
        hint="name another file, or open it for writing to begin one",
    )


def copied(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Copy a database into a temporary one of this process, which goes with it, and let go of the first."""
    copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    with closing(connection):
        connection.backup(copy)
    return copy


def use_wal(connection: sqlite3.Connection, busy_seconds: float) -> None:
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

"""How long a connection waits for other writers, for a while."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def waiting(connection: sqlite3.Connection, *, milliseconds: int) -> Iterator[None]:
    """Let a connection wait so long for others, and as long as before again in the end."""
    (before,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {milliseconds}")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA busy_timeout = {before}")

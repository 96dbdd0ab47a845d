"""Giving back what a SQLite file does not need any more, without writing it anew.

What is replaced (a checkpoint, a cache, vectors) leaves free pages, which the next write takes up. Where they are more
than a fair share of the file, they are given back: pages of its end are moved into them, and it becomes shorter.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from asterism.store.patience import waiting

LEAST = 256  # pages: a megabyte is not worth moving any
SHARE = 8  # of the file: one in so many may be free
INCREMENTAL = 2


def free_bytes(connection: sqlite3.Connection) -> int:
    """Say how much is free, where it is more than the next writes can be expected to take up; else 0."""
    (free,), (pages,), (size,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("freelist_count", "page_count", "page_size")
    )
    return int(free) * int(size) if free >= LEAST and free * SHARE >= pages else 0


def can_give_back(connection: sqlite3.Connection) -> bool:
    """Say whether this can be done without writing the file anew."""
    return bool(connection.execute("PRAGMA auto_vacuum").fetchone() == (INCREMENTAL,))


def give_back(connection: sqlite3.Connection) -> None:
    """Give back what is free, if it is much; if somebody else writes, it is done another time."""
    if not free_bytes(connection) or not can_give_back(connection):
        return
    with waiting(connection, milliseconds=0), suppress(sqlite3.Error):
        connection.executescript("PRAGMA incremental_vacuum")  # to its end: `execute` gives back one page

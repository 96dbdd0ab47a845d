"""Leaving no bytes behind: the file is written anew, and its log emptied.

SQLite overwrites what is deleted (`secure_delete`), but rows that it moved earlier, to balance a page, may have left a
copy in the slack of another page; only writing the file anew is sure. That a scrub is due is noted in the transaction
that removes something, and stays noted until it is done: if it is interrupted, whoever next opens the file for writing
does it.
"""

from __future__ import annotations

import sqlite3

from asterism.store.patience import waiting

SCRUB = "scrub due"  # kept as a cache of this name, which has no columns
SCRUB_DUE = """INSERT INTO cache (space, name, fingerprint) VALUES (?, ?, '1')
    ON CONFLICT (space, name) DO UPDATE SET fingerprint = CAST(fingerprint AS INTEGER) + 1"""
DUE = "SELECT id, fingerprint FROM cache WHERE name = ?"
DONE = "DELETE FROM cache WHERE id = ? AND fingerprint = ?"  # not if more was removed meanwhile
PATIENCE_MS = 2_000  # that others get to end what they are reading
READ = (
    "another program is reading the memory, and its log still holds what was removed; "
    "it is emptied when the memory is next opened for writing and nobody else reads it"
)


def scrub_if_due(connection: sqlite3.Connection) -> str:
    """Scrub a file if something was removed from it; say what kept bytes of it, or nothing."""
    due = connection.execute(DUE, (SCRUB,)).fetchall()
    if not due:
        return ""
    try:
        with waiting(connection, milliseconds=PATIENCE_MS):
            return _scrub(connection, due)
    except sqlite3.Error as error:  # no room for a second file, or somebody writes: what is erased stays erased
        return f"the file could not be written anew ({error}); it is when the memory is next opened for writing"


def _scrub(connection: sqlite3.Connection, due: list[tuple[int, str]]) -> str:
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # a file of an earlier schema could give nothing back
    connection.execute("VACUUM")
    (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        return READ
    connection.executemany(DONE, due)
    return ""

"""A disk that fails to confirm or to write what SQLite gives it: the real SQLite, with its calls of one file replaced.

The log of a database is a `sqlite3_file` that begins with a table of methods. A copy of that table, with methods of
ours for syncing and writing, takes its place; https://www.sqlite.org/c3ref/io_methods.html.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

METHODS = (
    *("close", "read", "write", "truncate", "sync", "size", "lock", "unlock", "reserved", "control", "sector"),
    *("characteristics", "shm_map", "shm_lock", "shm_barrier", "shm_unmap", "fetch", "unfetch"),
)
JOURNAL_POINTER = 28
FSYNC_FAILED, WRITE_FAILED, READ_FAILED = 10 | 4 << 8, 10 | 3 << 8, 10 | 1 << 8  # as SQLite calls them

Sync = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
Move = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)


class Methods(ctypes.Structure):
    """What can be done with a file."""

    _fields_ = (("version", ctypes.c_int), *((name, ctypes.c_void_p) for name in METHODS))


class File(ctypes.Structure):
    """A file as SQLite holds it."""

    _fields_ = (("methods", ctypes.POINTER(Methods)),)


def log_of(connection: sqlite3.Connection) -> File:
    """Find the log of a database; in CPython a connection begins with the pointer that SQLite gave for it."""
    database = ctypes.c_void_p.from_address(id(connection) + object.__basicsize__).value
    found = ctypes.POINTER(File)()
    control = ctypes.CDLL(_sqlite3.__file__).sqlite3_file_control
    control.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p)
    assert control(database, b"main", JOURNAL_POINTER, ctypes.byref(found)) == sqlite3.SQLITE_OK
    return found.contents


@contextmanager
def _replaced(connection: sqlite3.Connection, name: str, make: Callable[[Methods], object]) -> Iterator[None]:
    log = log_of(connection)
    real = log.methods.contents
    ours = Methods.from_buffer_copy(real)
    method = make(real)
    setattr(ours, name, ctypes.cast(method, ctypes.c_void_p))  # type: ignore[arg-type]  # a function of C
    log.methods = ctypes.pointer(ours)
    try:
        yield
    finally:
        log.methods = ctypes.pointer(real)


def nothing_confirmed(connection: sqlite3.Connection) -> AbstractContextManager[None]:
    """Let every sync of the log fail: what was written may be on the disk, or not."""
    return _replaced(connection, "sync", lambda _: Sync(lambda _file, _flags: FSYNC_FAILED))


def written_and_failed(connection: sqlite3.Connection) -> AbstractContextManager[None]:
    """Let writes to the log be done, and be told of as failed."""

    def make(real: Methods) -> object:
        write = Move(real.write)

        def fail(file: int, data: int, count: int, offset: int) -> int:
            write(file, data, count, offset)
            return WRITE_FAILED

        return Move(fail)

    return _replaced(connection, "write", make)


def nothing_read(connection: sqlite3.Connection) -> AbstractContextManager[None]:
    """Let every read of the log fail."""
    return _replaced(connection, "read", lambda _: Move(lambda *_: READ_FAILED))

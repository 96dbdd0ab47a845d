"""The file under an open database: whether it still lies where it was opened.

SQLite goes on writing to a file that was deleted, moved or replaced, and to a log that was: what it acknowledges then
is found by nobody. So a writer compares, inside its transaction and after its commit, what lies at the path with what
was opened, by device and inode.

Two properties of POSIX must be kept in mind. Whoever closes any handle of a file lets go of all locks that the process
has on it; so nobody but SQLite opens a file that is open here (`is_open_here`). And a forked process has no locks but
believes it has those of its parent: it must neither use nor close what was open, nor open the same file again.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from contextlib import suppress
from pathlib import Path
from weakref import WeakValueDictionary

from asterism.errors import AsterismError, GoneError
from asterism.hints import Hint, in_python

OWNER_ONLY = 0o600  # a new memory is nobody else's business
ANEW = "start the program anew"
LOGS = ("-wal", "-shm")
Identity = tuple[int, int]  # device and inode: what tells a file from another one of the same name
LOG_HEADER, FRAME_HEADER = 32, 24  # bytes; https://www.sqlite.org/fileformat2.html#walformat
NEVER_WRITTEN = 1 << 30  # the byte that SQLite locks: the page that holds it is left out
OPEN_ANEW = in_python("close the memory and open it anew", otherwise=ANEW)
SAVE = in_python("backup(path) saves what is open here still; ")
PUT_BACK = Hint(SAVE, "put the file back where it was; or put a copy there, then ", OPEN_ANEW)


_open: WeakValueDictionary[int, OpenFile] = WeakValueDictionary()  # by id
_of_parent: set[Identity] = set()  # files that were open when this process was forked


class OpenFile:
    """A database file and its log, as they were when they were opened."""

    def __init__(self, path: Path) -> None:
        self.path = str(path.absolute())  # whatever folder the process goes to
        self.connection: sqlite3.Connection | None = None
        self._identity = _identity(self.path)
        self._logs: dict[str, Identity] = {}
        self._size = 0

    def opened(self, connection: sqlite3.Connection, *, logs: bool) -> None:
        """Note what a connection has opened; to be called once it has read, so that its log is there."""
        if self._identity is None:
            self._identity = _identity(self.path)
        self.connection = connection
        self.check()
        if logs:
            there = {path: _identity(path) for path in (self.path + ending for ending in LOGS)}
            self._logs = {path: found for path, found in there.items() if found is not None}
        _open[id(self)] = self

    def closed(self) -> None:
        """Note that the connection lets go of it."""
        _open.pop(id(self), None)

    @property
    def identity(self) -> Identity | None:
        """What was opened."""
        return self._identity

    def check(self) -> os.stat_result:
        """Refuse to go on with a file that no longer lies where it was opened; give what is known of it."""
        try:
            found = os.stat(self.path)  # noqa: PTH116  # on the way of every call
        except FileNotFoundError as error:
            raise self._gone("is not there any more: it was deleted or moved") from error
        except OSError as error:
            raise self._gone(f"cannot be reached any more: {error.strerror}") from error
        if (found.st_dev, found.st_ino) != self._identity:
            raise GoneError(
                f"{self.path} is another file than the one that was opened: it was replaced",
                code="file_replaced",
                item=self.path,
                hint=Hint(SAVE, OPEN_ANEW),
            )
        return found

    def check_for_writing(self) -> None:
        """Refuse to write to a file or a log that is not there any more; to be called in a transaction that writes."""
        size = self.check().st_size
        for path, opened in self._logs.items():
            if _identity(path) != opened:
                raise GoneError(
                    f"{path} was deleted, moved or replaced while the memory was open",
                    code="log_gone",
                    item=path,
                    hint=Hint(
                        "end every other program that uses the memory, then ",
                        OPEN_ANEW,
                        ": what this one has acknowledged goes into the file when it closes it",
                    ),
                )
        if size < self._size and self._is_cut(size):
            raise GoneError(
                f"{self.path} was cut to {size:,} bytes while the memory was open",
                code="file_cut",
                item=self.path,
                hint=PUT_BACK,
            )
        self._size = size

    def _is_cut(self, size: int) -> bool:
        """Say whether pages are neither in the file nor in its log. In a transaction nobody takes them from there."""
        assert self.connection is not None
        (pages,), (page_size,) = (
            self.connection.execute(f"PRAGMA {n}").fetchone() for n in ("page_count", "page_size")
        )
        missing = set(range(size // page_size + 1, pages + 1)) - {NEVER_WRITTEN // page_size + 1}
        return bool(missing and missing - _pages_of_log(Path(self.path + LOGS[0]), page_size))

    def _gone(self, what: str) -> GoneError:
        return GoneError(f"{self.path} {what}", code="file_gone", item=self.path, hint=PUT_BACK)


def make_file(path: Path) -> None:
    """Make a file that is not there, for its owner only."""
    with suppress(OSError):  # it is there; or cannot be made, which opening it will tell
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY))


def is_open_here(path: Path) -> bool:
    """Say whether a file is open as a database in this process: then nobody else may open and close it."""
    found = _identity(str(path))
    return found is not None and any(each.identity == found for each in _open_now())


def _open_now() -> list[OpenFile]:
    """Give what is open, by a list made at one stroke: others open and close files meanwhile, or the collector does."""
    return [file for each in _open.valuerefs() if (file := each()) is not None]


def refuse_after_fork(path: Path) -> None:
    """Refuse a file that was open when this process was forked: SQLite would take its parent's locks for its own."""
    if _of_parent and _identity(str(path)) in _of_parent:
        raise AsterismError(
            f"{path} was open when this process was forked, and cannot be opened in it",
            code="forked",
            item=str(path),
            hint=Hint(in_python("close it before the fork, or start processes by spawn", otherwise=ANEW)),
        )


def _identity(path: str) -> Identity | None:
    try:
        found = os.stat(path)  # noqa: PTH116  # on the way of every write
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _pages_of_log(path: Path, page_size: int) -> set[int]:
    """Give the numbers of the pages that a log holds; the locks of a database are not on its log, which may be read."""
    pages = set[int]()
    with suppress(OSError), path.open("rb") as log:
        salt = log.read(LOG_HEADER)[16:24]
        while len(frame := log.read(FRAME_HEADER)) == FRAME_HEADER:
            number, _, of_frame = struct.unpack(">II8s8x", frame)
            if of_frame == salt:  # not of an earlier round
                pages.add(number)
            log.seek(page_size, os.SEEK_CUR)
    return pages


def _leave_to_parent() -> None:
    """Keep what a forked process inherits from ever being closed in it: that would write, or remove the log."""
    inherited = [each for each in _open_now() if each.connection is not None]
    if inherited:
        from ctypes import py_object, pythonapi

        for each in inherited:
            pythonapi.Py_IncRef(py_object(each.connection))
            if each.identity is not None:
                _of_parent.add(each.identity)
    _open.clear()


if hasattr(os, "register_at_fork"):  # not on Windows, which knows no fork
    os.register_at_fork(after_in_child=_leave_to_parent)

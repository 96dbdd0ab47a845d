"""Copying a SQLite file while others write to it, and putting a file in the place of another at one stroke.

A copy is written by `VACUUM INTO`: it holds what was committed at one moment, and no byte of what was removed. Whoever
makes one writes beside the place it is for, and renames it when it is whole, so that a process that is killed on the
way leaves what was there, and a file that ends in .part.

What is replaced must be nobody's: a process that had it open would go on writing to a file without a name. SQLite
knows: a file that anybody has open cannot leave its log behind (`journal_mode = DELETE`).
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from asterism.errors import BusyError, FullError, InputError, StoreError
from asterism.hints import Hint, option
from asterism.store import sqlite_arrivals, sqlite_checks
from asterism.store.schema import APPLICATION_ID
from asterism.store.scrubbing import SCRUB
from asterism.store.sqlite_errors import Explained

STEPS = 20_000  # of SQLite, between two words about the progress
OWNER_ONLY = 0o600
WAIT_SECONDS = 2.0
MOST_ASIDE = 1_000


def copy(connection: sqlite3.Connection, path: Path, say: Callable[[float], object]) -> None:
    """Write all that was committed to an empty file, which is another copy: it gets a name of its own."""
    (pages,), (size,) = (connection.execute(f"PRAGMA {each}").fetchone() for each in ("page_count", "page_size"))

    broken_off: list[BaseException] = []  # SQLite would only say that it was interrupted

    def go_on() -> int:
        try:
            say(min(path.stat().st_size / (pages * size), 1.0))
        except BaseException as error:
            broken_off.append(error)
            return 1
        return 0

    connection.set_progress_handler(go_on, STEPS)
    try:
        with Explained(path):
            try:
                connection.execute("VACUUM INTO ?", (str(path.absolute()),))
            except sqlite3.OperationalError:
                if broken_off:
                    raise broken_off[0] from None
                raise
            with closing(sqlite3.connect(path, isolation_level=None)) as made:
                made.execute("BEGIN")
                sqlite_arrivals.name_anew(made)
                made.execute("DELETE FROM cache WHERE name = ?", (SCRUB,))  # nothing removed is in it
                made.execute("COMMIT")
    finally:
        connection.set_progress_handler(None, 0)
    say(1.0)


@contextmanager
def room(path: Path) -> Iterator[Path]:
    """Make an empty file beside a path; remove what is left of it in the end."""
    with _told(path):
        part = _unused(lambda number: path.with_name(f".{path.name[:200]}.{os.getpid()}-{number}.part"))
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY))
    try:
        yield part
    finally:
        for each in _with_logs(part):
            with suppress(OSError):
                each.unlink(missing_ok=True)


def take(path: Path, file: Path) -> None:
    """Put a file in the place of a memory that nobody has open."""
    with _told(path):
        if _is_foreign(path):  # before it is held, which takes its log away
            raise _no_memory(path)
        with _nobodys(path) as ours:
            if not ours:
                raise _no_memory(path)
            _put(path, file)


def take_free(path: Path, file: Path) -> None:
    """Put a file where there is none; one that appeared meanwhile stays."""
    with _told(path):
        for log in _with_logs(path)[1:]:
            if not path.exists() and log.exists() and log.stat().st_size and not log.name.endswith("-shm"):
                raise _log_alone(log)
        _sync(file)
        try:
            try:
                os.link(file, path)
            except FileExistsError:
                raise
            except OSError:  # there are file systems without second names
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY))
                file.replace(path)
        except FileExistsError:
            raise InputError(
                f"{path} is there already",
                code="file_exists",
                item=str(path),
                hint=Hint("name another file, or replace it with ", option("force", True)),
            ) from None
        _sync_folder(path.parent)


def take_keeping(path: Path, file: Path, check: Callable[[], object]) -> str | None:
    """Put a file in the place of what is at a path, which is kept aside; give where."""
    with _told(path), _nobodys(path):
        check()
        aside = _keep(path)
        _put(path, file)
    return aside


def _put(path: Path, file: Path) -> None:
    for log in _logs(path):  # SQLite would take it for the new file's own
        raise _log_alone(log)
    _sync(file)
    file.replace(path)
    _sync_folder(path.parent)


def _keep(path: Path) -> str | None:
    """Give what is at a path a second name, with a log that could not be taken in; the log leaves the first."""
    logs = _logs(path)
    kept = [*([path] if path.exists() else []), *logs]
    if not kept:
        return None
    aside = _unused(lambda number: path.with_name(f"{path.name}.before-restore{f'-{number}' if number else ''}"))
    for each in kept:
        second = aside.with_name(aside.name + each.name.removeprefix(path.name))
        try:
            os.link(each, second)
        except OSError:  # there are file systems without second names
            shutil.copy2(each, second)
            _sync(second)
    _sync_folder(path.parent)
    for log in logs:
        log.unlink()
    return str(aside)


def _logs(path: Path) -> list[Path]:
    """Give the logs of a file that hold anything; what else lies there of them is removed."""
    _, wal, shared, journal = _with_logs(path)
    shared.unlink(missing_ok=True)  # only an index of the log
    found = [log for log in (wal, journal) if log.exists()]
    for log in found:
        if not log.stat().st_size:
            log.unlink()
    return [log for log in found if log.exists()]


def _is_foreign(path: Path) -> bool:
    """Say whether there is a database of something else, without changing it; not what cannot be read."""
    if not path.exists():
        return False
    try:
        with closing(sqlite_checks.opened(path)) as connection:
            (found,) = connection.execute("PRAGMA application_id").fetchone()
    except sqlite3.DatabaseError:
        return False
    return bool(found != APPLICATION_ID)


@contextmanager
def _nobodys(path: Path) -> Iterator[bool]:
    """Hold what nobody else has open; say whether it is a memory or nothing at all, as far as it can be read."""
    if not path.exists():
        yield True
        return
    uri = f"{path.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(uri, uri=True, timeout=WAIT_SECONDS, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
            (found,) = connection.execute("PRAGMA application_id").fetchone()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise _in_use(path) from None
            found = None
        yield found == APPLICATION_ID


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say what it means that a file cannot be written."""
    try:
        yield
    except OSError as error:
        told = f"{path} cannot be written: {error.strerror or error}"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            hint = "make room, or name a file on another disk"
            raise FullError(told, code="full", item=str(path), hint=hint) from None
        hint = "check that its folder is there and may be written"
        raise StoreError(told, code="cannot_write", item=str(path), hint=hint) from None


def _with_logs(path: Path) -> list[Path]:
    return [path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal"))]


def _unused(called: Callable[[int], Path]) -> Path:
    """Give the first name that no file has."""
    names = (called(number) for number in range(MOST_ASIDE))
    found = next((name for name in names if not os.path.lexists(name)), None)
    if found is None:
        raise InputError(
            f"{called(0)} and {MOST_ASIDE:,} names like it are taken",
            code="bad_target",
            item=str(called(0)),
            hint="remove some of them",
        )
    return found


def _sync(path: Path) -> None:
    """Make what a file or a folder holds durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(path: Path) -> None:
    with suppress(OSError):  # where a folder cannot be opened, its entries are durable by themselves
        _sync(path)


def _in_use(path: Path) -> BusyError:
    return BusyError(
        f"{path} is open in another process, or elsewhere in this one",
        code="in_use",
        item=str(path),
        hint="close it there, and try again; nothing was changed",
    )


def _no_memory(path: Path) -> InputError:
    return InputError(
        f"{path} is there, and is no memory",
        code="bad_target",
        item=str(path),
        hint="name another file, or remove it first",
    )


def _log_alone(log: Path) -> InputError:
    return InputError(
        f"{log} is the log of a file that is not there any more",
        code="log_alone",
        item=str(log),
        hint=f"what it holds cannot be read without that file; move it away: mv {log} {log}.old",
    )

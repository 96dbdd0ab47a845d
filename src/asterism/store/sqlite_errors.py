"""What SQLite's errors mean, and what to do about each; and paths that it would take for something else."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from types import TracebackType

from asterism.errors import (
    BusyError,
    CorruptError,
    FullError,
    InputError,
    MaybeWrittenError,
    ReadOnlyError,
    StoreError,
    UnknownError,
)
from asterism.store.room import is_full

SMALLEST_FILE = 512  # one page of the smallest size; SQLite takes less for an empty database and overwrites it


class Explained:
    """Turn SQLite's errors into ours, with what to do about each."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, sqlite3.Error):
            raise _explain(error, str(self._path)) from error
        if isinstance(error, UnicodeDecodeError | json.JSONDecodeError | RecursionError):
            raise _damaged(str(self._path), str(error)) from error


def check_path(path: Path, *, read_only: bool) -> None:
    """Refuse what SQLite would take for something else: a folder, a cut file, a name cut by a zero byte."""
    if "\0" in str(path):
        raise InputError("the path has a zero byte in it", code="bad_path", item=str(path), hint="name another file")
    try:
        there, folder, ordinary = path.exists(), path.is_dir(), path.is_file()
    except (OSError, ValueError) as error:  # a name that is too long
        raise StoreError(
            f"{path} cannot be opened: {getattr(error, 'strerror', None) or error}",
            code="cannot_open",
            item=str(path),
            hint="name another file",
        ) from None
    if folder:
        raise StoreError(
            f"{path} is a folder", code="cannot_open", item=str(path), hint=f"name a file in it: {path / 'memory.db'}"
        )
    if there and not ordinary:
        raise StoreError(f"{path} is no ordinary file", code="cannot_open", item=str(path), hint="name another file")
    if not there:
        if read_only:
            raise UnknownError(
                f"there is no memory at {path}",
                code="unknown_memory",
                item=str(path),
                hint="check the path, or open it for writing to make one",
            )
        return
    if 0 < path.stat().st_size < SMALLEST_FILE:
        raise _damaged(str(path), "it is too short to be a database")


def ends_unknown(error: sqlite3.Error, path: Path) -> bool:
    """Say whether a commit that failed may have been written all the same.

    Its last page may have reached the disk, or not, when the disk failed to write or to confirm it. What was refused
    for want of room, or because somebody else writes, has not.
    """
    return _kind(error) == sqlite3.SQLITE_IOERR and not is_full(path)


def maybe_written(path: Path, why: str) -> MaybeWrittenError:
    """Say that the end of a commit is not known."""
    return MaybeWrittenError(
        f"{path} may have been written, or not: {why}",
        code="maybe_written",
        item=str(path),
        hint="do the same again once the file can be written: what is there already stays one",
    )


def _kind(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _damaged(path: str, reason: str) -> CorruptError:
    return CorruptError(
        f"{path} is damaged or not a memory: {reason}",
        code="corrupt",
        item=path,
        hint="go back to a backup: asterism backup --restore FILE; or merge another copy of it into a new memory",
    )


def _explain(error: sqlite3.Error, path: str) -> StoreError:
    kind = _kind(error)
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BusyError(
            f"{path} was held by another writer for too long",
            code="busy",
            item=path,
            hint="try again; nothing was lost",
        )
    if kind == sqlite3.SQLITE_FULL or (kind == sqlite3.SQLITE_IOERR and is_full(Path(path))):
        return FullError(
            f"{path} could not be written: {error}",
            code="full",
            item=path,
            hint="make room on the disk and send it again; nothing was half-written",
        )
    if kind == sqlite3.SQLITE_IOERR:
        return StoreError(
            f"{path} could not be read or written: {error}",
            code="io",
            item=path,
            hint="see what is wrong with the disk, then try again; nothing was half-written",
        )
    if isinstance(error, sqlite3.ProgrammingError) and "closed database" in str(error):
        return StoreError(f"{path} was closed already", code="closed", item=path, hint="open it anew")
    if kind in (sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_TOOBIG):
        return CorruptError(
            f"{path} takes more work to read than a memory of its size: {error}",
            code="foreign_file",
            item=path,
            hint="ask whoever gave it for an export (asterism export memory.jsonl), and import that",
        )
    if kind == sqlite3.SQLITE_READONLY:
        return _read_only(path, getattr(error, "sqlite_errorcode", 0))
    if kind == sqlite3.SQLITE_CANTOPEN:
        return StoreError(
            f"{path} cannot be opened",
            code="cannot_open",
            item=path,
            hint="check that its folder exists and is writable",
        )
    if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or "decode" in str(error) or "no such" in str(error):
        return _damaged(path, str(error))
    return StoreError(f"{path}: {error}", code="store", item=path, hint="see the message of SQLite above")


def _read_only(path: str, code: int) -> StoreError:
    told, hint = f"{path} cannot be written", "check its permissions"
    if code == sqlite3.SQLITE_READONLY_ROLLBACK:
        told = f"{path} was left half-written by a program that was killed, and a reader cannot take that back"
        hint = "open it once for writing: nothing that was acknowledged is lost"
    return ReadOnlyError(told, code="read_only", item=path, hint=hint)

"""Files to write and to read: all of a file or none of it, plain or gzip, and a clear word about anything else.

What is written lies under another name in the same folder until it is whole, and is renamed then.
"""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from asterism.errors import FullError, InputError, StoreError
from asterism.formats.ledger import LONGEST_HEADER, LONGEST_LINE
from asterism.hints import Hint, in_python, option
from asterism.incoming import bounded, open_file, size_of

BOM = b"\xef\xbb\xbf"
DATABASE = b"SQLite format 3\0"
LEVEL = 6
OURS = "give a ledger that export wrote (.jsonl), or the JSON lines of the reference memory server"
MOST_EMPTY = 100_000  # lines: none of a ledger is, and a packed file may have billions at no cost
NO_ROOM = (28, 122)  # ENOSPC, EDQUOT


@contextmanager
def writing(*paths: Path, force: bool = False) -> Iterator[list[IO[bytes]]]:
    """Open files that appear together at the end, whole; an error on the way leaves everything as it was.

    One that is there is only replaced by `force`. A name that ends in .gz is compressed, the same bytes each time.
    """
    for path in paths:
        check_place(path, force=force)
    parts: list[Path] = []
    try:
        with ExitStack() as open_files:
            files = []
            for path in paths:
                part, raw = _part(path)
                parts.append(part)
                open_files.callback(raw.close)
                files.append(raw)
            packed = [_packed(path, raw) for path, raw in zip(paths, files, strict=True)]
            yield packed
            for raw, file in zip(files, packed, strict=True):
                if file is not raw:
                    file.close()
                raw.flush()
                os.fsync(raw.fileno())
        for path in paths:
            check_place(path, force=force)  # someone else may have made it meanwhile
        for path, part in zip(paths, parts, strict=True):
            part.replace(path)
    except OSError as error:
        raise cannot_write(paths[0], error) from None
    finally:
        for part in parts:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def folder(path: Path) -> Path:
    """Make a folder to write files in, if it is not there."""
    check_name(path)
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        raise InputError(
            f"{path} is there and is no folder",
            code="bad_target",
            item=str(path),
            hint="name a folder: what is written is more than one file",
        )
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None
    return path


def check_name(path: Path) -> None:
    """Refuse what no file can be called."""
    if "\0" in str(path):
        raise InputError(f"{path} is no name of a file", code="bad_target", item=str(path), hint="name another file")


def check_open(file: object, *, for_reading: bool = False) -> None:
    """Refuse what neither is a path nor takes bytes, or gives them."""
    if isinstance(file, io.TextIOBase) or not hasattr(file, "readline" if for_reading else "write"):
        mode = "rb" if for_reading else "wb"
        raise InputError(
            f"{type(file).__name__} is neither a path nor a file of bytes",
            code="no_file" if for_reading else "bad_target",
            item=type(file).__name__,
            hint=Hint("give a path", in_python(f', or a file that is open for bytes: open(path, "{mode}")')),
        )


def check_place(path: Path, *, force: bool) -> None:
    """Refuse a name that nothing can be written under, or that is taken; a database is never replaced."""
    problem, hint = "", "name another file"
    check_name(path)
    try:
        if path.is_symlink():
            problem, hint = "is a symbolic link", "name the file itself; a link is not followed when writing"
        elif path.is_dir():
            problem = "is a folder"
        elif path.exists() and not path.is_file():
            problem, hint = "is no ordinary file", "name a file; - is standard output at a prompt"
        elif not path.parent.is_dir():
            problem, hint = "lies in a folder that is not there", f"make the folder first: {path.parent}"
        elif path.exists() and not force:
            raise InputError(
                f"{path} is there already",
                code="file_exists",
                item=str(path),
                hint=Hint("name another file, or replace it with ", option("force", True)),
            )
        elif path.exists() and _is_database(path):
            problem, hint = "is a database, and may be a memory", "name another file; a database is never replaced"
    except OSError as error:  # a name too long
        problem = f"cannot be written: {error}"
    if problem:
        raise InputError(f"{path} {problem}", code="bad_target", item=str(path), hint=hint)


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(DATABASE)) == DATABASE


def _part(path: Path) -> tuple[Path, IO[bytes]]:
    """Make a file beside the one that is meant, under a name that nobody else uses."""
    for number in range(1_000):
        part = path.with_name(f".{path.name[:200]}.{os.getpid()}-{number}.part")
        with suppress(FileExistsError):
            return part, part.open("xb")
    raise FileExistsError(17, "too many unfinished files beside it", str(path))


def _packed(path: Path, raw: IO[bytes]) -> IO[bytes]:
    if path.suffix.lower() != ".gz":
        return raw
    packed = gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=LEVEL, mtime=0)
    return cast("IO[bytes]", packed)


def cannot_write(path: Path, error: OSError) -> StoreError:
    """Say what it means that a file cannot be written."""
    told = f"{path} cannot be written: {error.strerror or error}"
    if error.errno in NO_ROOM:
        return FullError(told, code="full", item=str(path), hint="make room, or name a file on another disk")
    return StoreError(told, code="cannot_write", item=str(path), hint="check the folder and its permissions")


class Lines:
    """The lines of a file, numbered from 1; knows how far it has come."""

    def __init__(self, raw: IO[bytes], *, name: str, size: int | None, max_bytes: int | None = None) -> None:
        self.name = name
        self.number = 0
        self._raw, self._size = raw, size
        self._file = bounded(raw, _begins(raw), name=name, size=size, max_bytes=max_bytes)

    @property
    def share(self) -> float:
        """How much of the file is read, from 0 to 1; 0 where nobody knows how much there is."""
        return min(1.0, self._raw.tell() / self._size) if self._size else 0.0

    def __iter__(self) -> Iterator[bytes]:
        empty = 0
        while line := self._next(LONGEST_LINE if self.number else LONGEST_HEADER):
            empty += not line.strip()
            if empty > MOST_EMPTY:
                raise self.no_ledger(f"it is one of more than {MOST_EMPTY:,} empty lines")
            yield line

    @property
    def place(self) -> str:
        """Which line was read last."""
        return f"{self.name}:{self.number}"

    def bad(self, problem: str, hint: str) -> InputError:
        """Say what is wrong with the line that was read last."""
        return InputError(f"{self.name}, line {self.number}: {problem}", code="bad_line", item=self.place, hint=hint)

    def no_ledger(self, problem: str) -> InputError:
        """Say that this is another kind of file."""
        return InputError(
            f"{self.name}, line {self.number}: {problem}", code="not_a_ledger", item=self.place, hint=OURS
        )

    def _next(self, longest: int) -> bytes:
        self.number += 1
        try:
            line = self._file.readline(longest + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(
                f"{self.name} is cut short or damaged at line {self.number}: {error}",
                code="damaged_file",
                item=self.place,
                hint="fetch it again; nothing was taken in",
            ) from None
        if len(line) > longest:
            raise self.no_ledger(f"it has more than {longest >> 20} MiB")
        return line.removeprefix(BOM) if self.number == 1 else line  # what an editor may put before the first


def _begins(raw: IO[bytes]) -> bytes:
    """Give the first two bytes, and leave them to be read; nothing where they cannot be put back."""
    if isinstance(raw, io.BufferedReader):
        return raw.peek(2)[:2]
    if not raw.seekable():
        return b""
    here = raw.tell()
    begin = raw.read(2)
    raw.seek(here)
    return begin


@contextmanager
def reading(path: str | Path | IO[bytes], *, max_bytes: int | None = None) -> Iterator[Lines]:
    """Open a file to read line by line, plain or gzip as its first bytes say; or take one that is open."""
    if not isinstance(path, str | os.PathLike):
        check_open(path, for_reading=True)
        yield Lines(path, name="standard input", size=None, max_bytes=max_bytes)
        return
    path = Path(path)
    with open_file(path, expected="give the path of a file to read; - is standard input at a prompt") as raw:
        yield Lines(raw, name=path.name, size=size_of(raw), max_bytes=max_bytes)

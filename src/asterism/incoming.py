"""Files that come from outside: only ordinary ones are opened, and no more of one is read than was said.

A name may be a device or a pipe that never ends, and a few kilobytes may unpack to terabytes. So every reader opens and
unpacks its file through here, up to a number of bytes that whoever calls can raise:

    what is read piece by piece       16 GiB; what is packed, no more than 100 times its size once that is above 64 MiB
    what is held as a whole           128 MiB; what is made of a text takes about ten times as much

docs/adr/0025-limits.md says why these.
"""

from __future__ import annotations

import errno
import gzip
import os
import stat
import zlib
from pathlib import Path
from typing import IO, BinaryIO, cast

from asterism.errors import InputError
from asterism.hints import Hint, option

GZIP = b"\x1f\x8b"
STREAMED, WHOLE = 2**34, 2**27  # bytes
FOLD, ANY_FOLD = 100, 2**26  # times its packed size; bytes up to which that does not matter
PIECE = 2**20  # bytes that are read at once


def most_bytes(told: object, *, usual: int) -> int:
    """Take how many bytes a file may have: a whole number above 0, or what is usual.

    >>> most_bytes(None, usual=WHOLE), most_bytes(5, usual=WHOLE)
    (134217728, 5)
    """
    if told is None:
        return usual
    if isinstance(told, bool) or not isinstance(told, int) or told < 1:
        raise InputError(
            f"max_bytes cannot be {told!r:.60}",
            code="bad_limit",
            item="max_bytes",
            hint="give a whole number above 0, or leave it out",
        )
    return told


def path_of(told: object, *, meant: str) -> Path:
    """Take the path of a file or folder, there or not; what no file can be called is refused.

    >>> path_of(5, meant="the folder")
    Traceback (most recent call last):
    asterism.errors.InputError: the folder is an int, not a path (name a file or a folder)
    """
    problem, path = "", Path()
    try:
        path = Path(told)  # type: ignore[arg-type]  # anything else is refused
        path.lstat()
    except TypeError:
        article = "an" if type(told).__name__[0] in "aeiou" else "a"
        problem = f"is {article} {type(told).__name__}, not a path"
    except ValueError as error:  # a zero byte, or half a pair of surrogates
        problem = f"cannot be the name of a file: {error}"
    except OSError as error:
        problem = "is too long for the name of a file" if error.errno == errno.ENAMETOOLONG else ""
    if problem:
        raise InputError(f"{meant} {problem}", code="bad_path", item=meant, hint="name a file or a folder")
    return path


def unpacked_most(size: int) -> int:
    """Say how much so many packed bytes may unpack to, unless somebody says otherwise.

    >>> unpacked_most(1), unpacked_most(2**20) == 100 * 2**20
    (67108864, True)
    """
    return min(STREAMED, max(ANY_FOLD, FOLD * size))


def open_file(path: Path, *, expected: str) -> BinaryIO:
    """Open a file for its bytes; what is none is refused, and no pipe or device is waited for.

    `expected` says what to give instead.
    """
    problem = ""
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        mode = os.fstat(number).st_mode
        if stat.S_ISREG(mode):
            return os.fdopen(number, "rb")
        os.close(number)
        problem = "is a folder" if stat.S_ISDIR(mode) else "is no ordinary file"
    except FileNotFoundError:
        problem = "is not there"
    except (IsADirectoryError, PermissionError) as error:
        problem = "is a folder" if path.is_dir() else f"cannot be read: {error.strerror}"
    except (OSError, ValueError) as error:
        problem = f"cannot be read: {getattr(error, 'strerror', None) or error}"
    raise InputError(f"{path} {problem}", code="no_file", item=str(path), hint=expected)


def size_of(file: BinaryIO) -> int:
    """Say how many bytes an open file has."""
    return os.fstat(file.fileno()).st_size


class Bounded:
    """A file's bytes, unpacked by whatever reads them, and counted: more than it may have is an error."""

    def __init__(self, file: IO[bytes], *, name: str, most: int, packed_size: int | None = None) -> None:
        self._file, self._name, self._most = file, name, most
        self._left = most if packed_size is None else min(most, unpacked_most(packed_size))
        self._bound = self._left

    def read(self, size: int) -> bytes:
        """Read so many bytes at most."""
        return self._counted(self._file.read(size))

    def readline(self, size: int) -> bytes:
        """Read a line, or so many bytes of it."""
        return self._counted(self._file.readline(size))

    def _counted(self, data: bytes) -> bytes:
        self._left -= len(data)
        if self._left < 0:
            raise too_large(self._name, self._bound)
        return data


def too_large(name: str, most: int) -> InputError:
    """Say that a file has more bytes than it may."""
    return InputError(
        f"{name} has more than {most:,} bytes when it is read or unpacked",
        code="too_large",
        item=name,
        hint=Hint("if it is what you think it is, allow more: ", option("max_bytes"), " and a number of bytes"),
    )


def bounded(raw: IO[bytes], start: bytes, *, name: str, size: int | None, max_bytes: int | None) -> Bounded:
    """Read a file piece by piece, plain or gzip as its first bytes say; `size` is how many it has, if that is known."""
    most = most_bytes(max_bytes, usual=STREAMED)
    if not start.startswith(GZIP):
        return Bounded(raw, name=name, most=most)
    unpacked = cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
    return Bounded(unpacked, name=name, most=most, packed_size=size if max_bytes is None else None)


def whole(path: Path, *, expected: str, max_bytes: int | None = None) -> bytes:
    """Read all of a file, plain or gzip."""
    with open_file(path, expected=expected) as raw:
        start = raw.read(len(GZIP))
        raw.seek(0)
        unpacked = cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if start == GZIP else raw
        try:
            return everything(unpacked, name=path.name, max_bytes=max_bytes)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(
                f"{path.name} is cut short or damaged: {error}",
                code="damaged_file",
                item=path.name,
                hint="fetch it again",
            ) from None


def everything(file: IO[bytes], *, name: str, max_bytes: int | None = None) -> bytes:
    """Read to the end, a piece at a time: what has too much is not read on."""
    counted = Bounded(file, name=name, most=most_bytes(max_bytes, usual=WHOLE))
    pieces = []
    while piece := counted.read(PIECE):
        pieces.append(piece)
    return b"".join(pieces)

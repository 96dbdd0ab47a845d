"""Files as blocks of whole lines: plain, gzip or zip, told by their first bytes."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from asterism.errors import InputError
from asterism.incoming import GZIP, STREAMED, Bounded, most_bytes, open_file

BLOCK_BYTES = 2**21
LONGEST_LINE = 2**24  # a longer one is no line of a table; a recorded snapshot of a whole book is a hundredth of it
ZIP, BOM = b"PK\x03\x04", b"\xef\xbb\xbf"
EXPECTED = "give the path of a file to read"


class Opened:
    """A file that is read from its start; knows how far it has come."""

    def __init__(self, path: Path, *, block_bytes: int = BLOCK_BYTES, max_bytes: int | None = None) -> None:
        self.path = path
        self.most_bytes = most_bytes(max_bytes, usual=STREAMED)
        self._fold_matters = max_bytes is None
        self.total_bytes = path.stat().st_size
        self.bytes_read = 0
        self._block_bytes = block_bytes

    def begins_with(self, mark: bytes) -> bool:
        """Say whether these are the first bytes of the file."""
        with self.path.open("rb") as raw:
            return raw.read(len(mark)) == mark

    def blocks(self) -> Generator[bytes, None, None]:
        """Give the file block by block, each a number of whole lines; the file is closed at the end or when dropped."""
        self.bytes_read = 0
        rest = b""
        with self._reading() as (raw, file):
            while True:
                try:
                    more = file.read(self._block_bytes)
                except (OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
                    raise self.damaged(error) from None
                self.bytes_read = min(raw.tell(), self.total_bytes)
                if not more:
                    break
                lines, newline, rest_of_line = (rest + more).rpartition(b"\n")
                rest = rest_of_line
                if newline:
                    yield lines + newline
                if len(rest) > LONGEST_LINE:
                    raise InputError(
                        f"{self.path.name} has a line of more than {LONGEST_LINE >> 20} MiB",
                        code="not_rows",
                        item=self.path.name,
                        hint="give a file of rows: CSV, Parquet or a recording, plain or as .gz",
                    )
        self.bytes_read = self.total_bytes
        if rest:
            yield rest + b"\n"

    @contextmanager
    def _reading(self) -> Iterator[tuple[IO[bytes], Bounded]]:
        with open_file(self.path, expected=EXPECTED) as raw:
            start = raw.read(4)
            raw.seek(0)
            if start[:2] == GZIP:
                with gzip.open(raw) as file:
                    yield raw, self._bounded(file)  # type: ignore[arg-type]  # read-only: it is a file of bytes
            elif start == ZIP:
                with self._member(raw) as file:
                    yield raw, self._bounded(file)
            else:
                yield raw, Bounded(raw, name=self.path.name, most=self.most_bytes)

    def _bounded(self, unpacked: IO[bytes]) -> Bounded:
        packed_size = self.total_bytes if self._fold_matters else None
        return Bounded(unpacked, name=self.path.name, most=self.most_bytes, packed_size=packed_size)

    @contextmanager
    def _member(self, raw: IO[bytes]) -> Iterator[IO[bytes]]:
        try:
            archive = zipfile.ZipFile(raw)
        except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
            raise self.damaged(error) from None
        with archive:
            if len(archive.namelist()) != 1:
                raise InputError(
                    f"{self.path.name} holds {len(archive.namelist())} files",
                    code="not_rows",
                    item=self.path.name,
                    hint="unpack it and give one of them",
                )
            try:
                file = archive.open(archive.namelist()[0])
            except (zipfile.BadZipFile, NotImplementedError, OSError, RuntimeError) as error:  # the last: a password
                raise self.damaged(error) from None
            with file:
                yield file

    def damaged(self, error: Exception) -> InputError:
        """Say that the file cannot be read from here on."""
        return InputError(
            f"{self.path.name} is cut short or damaged: {error}",
            code="damaged_file",
            item=self.path.name,
            hint="fetch it again; what was read before this place was right",
        )


class OfFile:
    """What every source has that reads a file from its start: its name, what it counted, and how far it is."""

    def __init__(self, file: Opened) -> None:
        self._file = file
        self.name = file.path.name
        self.counts: dict[str, int] = {}

    @property
    def total_bytes(self) -> int:
        """The size of the file."""
        return self._file.total_bytes

    @property
    def bytes_read(self) -> int:
        """How much of the file was read."""
        return self._file.bytes_read


def opened(path: str | Path, *, block_bytes: int = BLOCK_BYTES, max_bytes: int | None = None) -> Opened:
    """Look at a file before it is read."""
    path = Path(path)
    with open_file(path, expected=EXPECTED):
        return Opened(path, block_bytes=block_bytes, max_bytes=max_bytes)

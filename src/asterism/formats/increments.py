"""A folder of increments: ledgers that together are one, and none of which is ever written again.

    0f3c9a1b5d7e2468-0000000001-0000000120-5d41402abc4b2a76.jsonl
    the copy         its positions, from-to                      the first 8 bytes of a hash of all that is in it

Each is a ledger by itself. The files of one copy follow each other without a gap; those of several copies may lie in
one folder. A name that begins with a dot is nobody's business, and neither is one that does not end in .jsonl.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import IO, NamedTuple

from asterism.core.ledger.items import Item
from asterism.core.ledger.marks import ERASED
from asterism.core.ledger.payloads import texts
from asterism.errors import InputError
from asterism.formats.files import Lines, cannot_write, check_name, reading
from asterism.formats.ledger import BadLine, Header, entry_of, header_of, object_of, tombstone_line

NAME = re.compile(r"([0-9a-f]{16})-(\d{10,})-(\d{10,})-([0-9a-f]{16})\.jsonl")
ID = re.compile(rb'\{"at":[^,]*,"id":"([0-9a-f]{32})"')  # keys are sorted: it is the item's own
DIGEST_BYTES = 8
FETCH = "fetch it again from where the folder is kept"
BY_ITSELF = "each file is a ledger by itself, to be taken in alone"


class Increment(NamedTuple):
    """One file: which positions of which copy it holds, and the hash of its content, by its name."""

    path: Path
    copy: str
    first: int
    last: int
    digest: str

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name


class IncrementLook(NamedTuple):
    """What was seen by reading a file: whether it is as its name says, and whether it holds something erased."""

    whole: bool
    holds_erased: bool


class Gap(NamedTuple):
    """Positions of a copy that no file holds."""

    copy: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.copy}-{self.first:010}-{self.last:010}"


def found(folder: Path) -> list[Increment]:
    """List the increments of a folder, copy by copy, in their order; a name that is none of theirs is refused."""
    check_name(folder)
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder", code="no_file", item=str(folder), hint="name a folder")
    increments = []
    for path in sorted(folder.iterdir()):
        if path.suffix == ".jsonl" and not path.name.startswith("."):
            parts = NAME.fullmatch(path.name)
            if parts is None or int(parts[2]) > int(parts[3]):
                raise _bad_name(path)
            increments.append(Increment(path, parts[1], int(parts[2]), int(parts[3]), parts[4]))
    return sorted(increments, key=attrgetter("copy", "first", "last", "digest"))


def gaps(increments: Iterable[Increment]) -> list[Gap]:
    """Name the positions that are missing between the files of each copy, from the first on.

    >>> one = [Increment(Path(), "a", 1, 4, ""), Increment(Path(), "a", 3, 5, ""), Increment(Path(), "a", 9, 9, "")]
    >>> gaps(one)
    [Gap(copy='a', first=6, last=8)]
    """
    missing = []
    for copy, files in groupby(increments, key=attrgetter("copy")):
        end = 0
        for each in files:
            if each.first > end + 1:
                missing.append(Gap(copy, end + 1, each.first - 1))
            end = max(end, each.last)
    return missing


def look(increment: Increment, erased: Collection[str]) -> IncrementLook:
    """Read a file, and say whether it is whole and holds an item of which the hash is among those erased."""
    digest, holds = blake2b(digest_size=DIGEST_BYTES), False
    with reading(increment.path) as lines:
        for line in lines:
            digest.update(line)
            holds = holds or _id_of(line) in erased
    return IncrementLook(digest.hexdigest() == increment.digest, holds)


def header_in(increment: Increment) -> Header:
    """Read the header of a file; one that tells of other positions than its name is refused."""
    with reading(increment.path) as lines:
        told, header = _header(lines)
    if (told.get("copy"), told.get("from"), told.get("to")) != (increment.copy, increment.first, increment.last):
        raise _bad_name(increment.path)
    return header


def write(folder: Path, gap: Gap, lines: Iterable[bytes]) -> Increment:
    """Write a file for these positions; it has its name once it is whole."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    part = folder / f".{gap}.{os.getpid()}.part"
    try:
        with part.open("wb") as file:
            for line in lines:
                digest.update(line)
                file.write(line)
            file.flush()
            os.fsync(file.fileno())
        path = folder / f"{gap}-{digest.hexdigest()}.jsonl"
        part.replace(path)
    except OSError as error:
        raise cannot_write(folder, error) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return Increment(path, *gap, digest.hexdigest())


def remake(increment: Increment, erased: Collection[str]) -> Increment:
    """Write a file anew without the items that were erased; their hashes are left, and those that one of them named."""

    def lines() -> Iterator[bytes]:
        with reading(increment.path) as kept:
            for line in kept:
                gone = _id_of(line)
                if gone is None or gone not in erased:
                    yield line
                    continue
                item = entry_of(object_of(line), "")
                named = texts(item.payload, "ids") if isinstance(item, Item) and item.what == ERASED else []
                yield from (tombstone_line(bytes.fromhex(each)) for each in (gone, *named))

    return replace(increment, lines())


def replace(increment: Increment, lines: Iterable[bytes]) -> Increment:
    """Write a file of the same positions in place of one."""
    made = write(increment.path.parent, Gap(increment.copy, increment.first, increment.last), lines)
    if made.path != increment.path:
        increment.path.unlink()
    return made


@contextmanager
def reading_all(folder: Path, *, max_bytes: int | None = None) -> Iterator[Lines]:
    """Open all increments of a folder as one ledger; one that is missing or damaged is refused by its name."""
    if not any(NAME.fullmatch(path.name) for path in folder.iterdir()):
        hint = "give the path of a file to read, or of a folder that was written as increments"
        raise InputError(f"{folder} is a folder without increments", code="no_file", item=str(folder), hint=hint)
    increments = found(folder)
    for gap in gaps(increments):
        raise InputError(
            f"{folder} lacks the positions {gap.first:,} to {gap.last:,} of copy {gap.copy}",
            code="missing_increment",
            item=f"{gap}-*.jsonl",
            hint=f"{FETCH}; {BY_ITSELF}; nothing was taken in",
        )
    for each in increments:
        if not look(each, ()).whole:
            raise InputError(
                f"{each.name} is damaged: its content is not what its name says",
                code="damaged_increment",
                item=each.name,
                hint=f"{FETCH}; {BY_ITSELF}; nothing was taken in",
            )
    newest = _newest(increments, folder)
    with newest.path.open("rb") as raw:
        yield JoinedLines(raw, increments, newest, max_bytes=max_bytes)


def _newest(increments: list[Increment], folder: Path) -> Increment:
    """Give the file whose header counts: the last of a copy; the copies must agree about space and parameters."""
    headers = [header_in(each) for each in increments]
    last = {each.copy: place for place, each in enumerate(increments)}
    told = [headers[place] for place in last.values()]
    if len({each.space for each in headers}) > 1:
        names = ", ".join(sorted({each.space for each in headers}))
        problem, hint = f"{folder} holds increments of several spaces: {names}", "keep a folder for each space"
        raise InputError(problem, code="several_spaces", item=str(folder), hint=hint)
    for each in told[1:]:
        if (each.preset, each.parameters) != (told[0].preset, told[0].parameters):
            copies = " and ".join(sorted(last))
            raise InputError(
                f"the copies {copies} in {folder} were made with different parameters",
                code="other_parameters",
                item=str(folder),
                hint="move the files of one of them to another folder, and take that in apart",
            )
    return increments[next(iter(last.values()))]


class JoinedLines(Lines):
    """The lines of many ledgers as those of one: one header, then what stands in each; named by the file it is in."""

    def __init__(self, raw: IO[bytes], files: list[Increment], newest: Increment, *, max_bytes: int | None) -> None:
        super().__init__(raw, name=newest.name, size=None, max_bytes=max_bytes)
        self._files, self._most, self._done = files, max_bytes, 0

    @property
    def share(self) -> float:
        """How many of the files are read."""
        return self._done / len(self._files)

    def __iter__(self) -> Iterator[bytes]:
        yield next(super().__iter__())
        for each in self._files:
            with reading(each.path, max_bytes=self._most) as lines:
                self.name = each.name
                for line in lines:
                    self.number = lines.number
                    if self.number > 1:
                        yield line
            self._done += 1


def _header(lines: Lines) -> tuple[dict[str, object], Header]:
    try:
        told = object_of(next(iter(lines), b""))
        return told, header_of(told)
    except BadLine as error:
        raise lines.bad(str(error), error.hint) from None


def _id_of(line: bytes) -> str | None:
    begins = ID.match(line)
    return begins[1].decode() if begins else None


def _bad_name(path: Path) -> InputError:
    return InputError(
        f"{path.name} is not the name of an increment, or not of this one",
        code="bad_increment_name",
        item=str(path),
        hint="give it the name back that export wrote, or move it out of the folder; it can be taken in by itself",
    )

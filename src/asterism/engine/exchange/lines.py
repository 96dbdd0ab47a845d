"""Reading a file that is to be taken in, line by line: what kind it is, and whether each line can be taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from asterism.core.ledger.items import Item, cut, make_item
from asterism.core.space.capabilities import Capabilities
from asterism.engine.care.erase import ERASED
from asterism.engine.exchange.export import EACH, Progress
from asterism.engine.exchange.reference_texts import parsed
from asterism.engine.space.clock import ahead, last_believed
from asterism.engine.space.live import Live
from asterism.engine.space.vectors import vector_problem
from asterism.errors import AsterismError, InputError
from asterism.formats.files import OURS, Lines
from asterism.formats.ledger import AGAIN, BadLine, Entry, Header, TextVector, Tombstone, entry_of, object_of
from asterism.hints import Hint


@dataclass
class Taken:
    """What a file has besides its items, as far as it was read."""

    tombstones: list[bytes] = field(default_factory=list)
    vectors: dict[bytes, bytes] = field(default_factory=dict)
    numbers: int | None = None  # of a vector: as many as the embedder makes, or else as the first one has
    left_out: int = 0


def first_line(lines: Lines) -> tuple[dict[str, object], Iterator[bytes]]:
    """Read the first line that is not empty, and say what kind of file this is; gives it and all lines."""
    rest = iter(lines)
    for line in rest:
        if line.strip():
            try:
                told = object_of(line)
            except BadLine:
                raise lines.no_ledger("this is no file that can be taken in") from None
            if "asterism" not in told and told.get("type") not in ("entity", "relation"):
                raise lines.no_ledger("this is no file that can be taken in")
            return told, chain([line], rest)
    raise InputError(f"{lines.name} is empty", code="empty_file", item=lines.name, hint=OURS)


# The file of a reference server


def reference_rows(lines: Lines, rest: Iterator[bytes], progress: Progress | None) -> list[dict[str, object]]:
    """Read and check the lines of a reference server's file."""
    rows: list[dict[str, object]] = []
    for line in rest:
        if line.strip():
            try:
                row = object_of(line)
                parsed(row)
            except BadLine as error:
                raise lines.bad(str(error), "repair the line, or take it out") from None
            except AsterismError as error:
                raise lines.bad(error.message, error.hint or OURS) from None
            rows.append(row)
        _tell(lines, len(rows), progress)
    return rows


def items_of(
    live: Live, lines: Lines, header: Header, rest: Iterator[bytes], progress: Progress | None, taken: Taken
) -> Iterator[Item]:
    """Read and check every line, and give its items one by one; what else there is goes to what is taken."""
    copied, last = header.space != live.space, last_believed(live.clock, live.now())
    for line in rest:
        if not line.strip():
            continue
        entry = _entry(line, lines, header.space, live.capabilities)
        if isinstance(entry, TextVector):
            _check_vector(entry.data, taken, lines, header)
            taken.vectors[entry.text] = entry.data
        elif copied and (isinstance(entry, Tombstone) or entry.what == ERASED):
            taken.left_out += 1  # it names items of the other space
        elif isinstance(entry, Tombstone):
            taken.tombstones.append(entry.id)
        elif entry.at > last:
            raise ahead(entry.at, f"{lines.name}, line {lines.number}: the item ({cut(entry.what)})")
        else:
            yield _copied(entry, live.space) if copied else entry
        _tell(lines, lines.number - 1, progress)


def _entry(line: bytes, lines: Lines, space: str, capabilities: Capabilities) -> Entry:
    """Read and check one line; an error says which it is."""
    try:
        entry = entry_of(object_of(line), space)
        if isinstance(entry, Item):
            capabilities.check(entry)
    except BadLine as error:
        hint = error.hint if line.endswith(b"\n") else "the file is cut short: fetch it again"
        raise lines.bad(str(error), Hint(hint, "; nothing was taken in")) from None
    except AsterismError as error:
        repair = (error.hint if error.code == "unknown_item" else None) or AGAIN
        raise lines.bad(error.message, Hint(repair, "; nothing was taken in")) from None
    return entry


def _copied(item: Item, space: str) -> Item:
    """Give an item of another space its id in this one."""
    return make_item(
        space=space,
        what=item.what,
        at=item.at,
        payload=item.payload,
        known_at=item.known_at,
        source=item.source,
        note=item.note,
    )


def _check_vector(data: bytes, taken: Taken, lines: Lines, header: Header) -> None:
    """Refuse a vector that recall could not use: of another size than the others, or not of length 1."""
    problem = vector_problem(data, taken.numbers, header.embedder)
    if problem:
        raise lines.bad(problem, "export it again without vectors: they are made anew when they are needed")
    taken.numbers = len(data) // 4


def _tell(lines: Lines, count: int, progress: Progress | None) -> None:
    if progress is not None and count % EACH == 0:
        progress(lines.share, count)

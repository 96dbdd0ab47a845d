"""What ails a SQLite file: it is looked at from outside, without opening it as a memory and without changing it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from glob import escape
from pathlib import Path

import numpy as np

from asterism.core.ledger.items import Payload, identity
from asterism.core.ledger.payloads import check_values
from asterism.store import sqlite_head
from asterism.store.free_pages import can_give_back, free_bytes
from asterism.store.port import SHOWN, Ailment, Examined
from asterism.store.room import largest_file
from asterism.store.schema import APPLICATION_ID, MIGRATIONS
from asterism.store.scrubbing import SCRUB
from asterism.store.sqlite_columns import checksum
from asterism.store.sqlite_file import is_open_here
from asterism.store.sqlite_payloads import unpacked
from asterism.store.sqlite_vectors import HASH, names

MAGIC = b"SQLite format 3\x00"
KEPT, PART = "{}.before-restore*", ".{}.*.part"  # beside a file
TABLES = (
    "space",
    "ledger",
    "tombstone",
    "checkpoint",
    "checkpoint_column",
    "embedder",
    "vector_pack",
    "cache",
    "cache_column",
    "causal_session",
    "causal_links",
    "head",
    "copy",
    "record",
)
LEAST_SQLITE = (3, 38, 0)  # JSON functions are always there
LEAST_ROOM = 16 * 1024 * 1024  # bytes: a checkpoint or a merge must find room
NOT_ONE = ("not_a_memory", "cannot_open", "unknown_memory", "empty_file")  # there is nothing to look into
CLOSED = (*NOT_ONE, "newer_schema", "older_schema", "corrupted", "truncated")  # it cannot be opened as a memory


def examine(path: Path, spaces: Sequence[str] | None, *, mine: bool) -> Examined:
    """Look at a file from outside, then into the database, then at what its spaces keep."""
    found = [*_too_old(), *_room(path), *outside(path)]
    looked_at = ["Python and SQLite", "room on the disk", "the file"]
    if _opens(found, unless=NOT_ONE):
        try:
            found += [] if mine else held(path)
            with closing(opened(path)) as connection:
                found += inside(connection, path)
                looked_at.append("pages and tables")
                if _opens(found):
                    for space in spaces if spaces is not None else spaces_of(connection):
                        found += of_space(connection, space)
                    looked_at.append("items, checkpoints, caches and vectors")
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the second where a name or a text is damaged
            found.append(Ailment("corrupted", f"{path}: {error}", str(path)))
    return Examined(found, looked_at, opens=_opens(found))


def _opens(found: Iterable[Ailment], *, unless: Sequence[str] = CLOSED) -> bool:
    return not any(each.name in unless for each in found)


def _too_old() -> Iterator[Ailment]:
    if sqlite3.sqlite_version_info < LEAST_SQLITE:
        least = ".".join(map(str, LEAST_SQLITE[:2]))
        yield Ailment("old_sqlite", f"SQLite {sqlite3.sqlite_version} is older than {least}", sqlite3.sqlite_version)


def _room(path: Path) -> Iterator[Ailment]:
    """See whether there is room to go on writing: on the disk, and below the limit of the size of a file."""
    if not path.parent.is_dir():
        return
    size = path.stat().st_size if path.is_file() else 0
    needed, free = max(2 * size, LEAST_ROOM), shutil.disk_usage(path.parent).free
    if free < needed:
        yield Ailment("disk_nearly_full", f"{free:,} bytes are free beside {path}, which has {size:,}", str(path))
    limit = largest_file()
    if limit is not None and limit < needed:
        text = f"a file of this process may have {limit:,} bytes at most, and {path} has {size:,}"
        yield Ailment("file_size_limit", text, str(path))


def outside(path: Path) -> Iterator[Ailment]:
    """Look at the file from outside: is it there, whole, ours to read and write?"""
    if not path.exists():
        yield Ailment("unknown_memory", f"there is no memory at {path}", str(path))
        return
    if path.is_dir():
        yield Ailment("cannot_open", f"{path} is a folder", str(path))
        return
    if not os.access(path, os.R_OK):
        yield Ailment("cannot_open", f"{path} may not be read by this user", str(path))
        return
    if not path.stat().st_size:
        yield Ailment("empty_file", f"{path} is empty: nothing was ever remembered in it", str(path))
        return
    if not is_open_here(path):  # to close it would let go of the locks that it has; and it was looked at then
        with path.open("rb") as file:
            head = file.read(100)
        if not head.startswith(MAGIC) or len(head) < 100:
            yield Ailment("not_a_memory", f"{path} is not a SQLite database", str(path))
            return
        page = int.from_bytes(head[16:18], "big")
        whole = (65_536 if page == 1 else page) * int.from_bytes(head[28:32], "big")
        if path.stat().st_size < whole and not _wal(path):
            missing = whole - path.stat().st_size
            yield Ailment("truncated", f"{path} is cut off: {missing:,} of {whole:,} bytes are missing", str(path))
    mode = path.stat().st_mode
    if not os.access(path, os.W_OK) or not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        yield Ailment("read_only", f"{path} may not be written", str(path))
    elif not os.access(path.parent, os.W_OK):
        text = f"{path.parent} may not be written: there is no room for the log"
        yield Ailment("read_only", text, str(path.parent))
    if mode & (stat.S_IRWXG | stat.S_IRWXO) and os.name == "posix":
        who = "everyone" if mode & stat.S_IRWXO else "its group"
        yield Ailment("open_to_others", f"{path} may be read by {who}, not only by its owner", str(path))
    yield from _left_over(path)
    if size := _wal(path):
        text = f"{size:,} bytes wait in {path.name}-wal; they are part of the memory: keep both files together"
        yield Ailment("log_left_behind", text, f"{path}-wal")


def _left_over(path: Path) -> Iterator[Ailment]:
    """Find what a restore kept aside, and what a backup or a restore that was killed left: no erasure reaches them."""
    for pattern, what in ((KEPT, "was kept aside by a restore"), (PART, "was left by a copy that was broken off")):
        for each in sorted(path.parent.glob(pattern.format(escape(path.name)))):
            yield Ailment("left_over", f"{each} {what}, and may hold what is erased from now on", str(each))


def _wal(path: Path) -> int:
    log = path.with_name(path.name + "-wal")
    return log.stat().st_size if log.exists() else 0


def opened(path: Path) -> sqlite3.Connection:
    """Open the file for reading; where nobody has it open, so that not even a log is made."""
    mode = "mode=ro" if path.with_name(path.name + "-wal").exists() else "mode=ro&immutable=1"
    uri = f"{path.absolute().as_uri()}?{mode}"
    return sqlite3.connect(uri, uri=True, timeout=5.0, isolation_level=None, check_same_thread=False)


def held(path: Path) -> Iterator[Ailment]:
    """See whether somebody is writing; asked only where there is a log, for without one nobody has it open."""
    if not _wal(path):
        return
    with closing(opened(path)) as reader:  # stays open longer than the other, which so leaves the log as it is
        reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
        uri = f"{path.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, uri=True, timeout=0.0, isolation_level=None)) as writer:
            try:
                writer.execute("BEGIN IMMEDIATE")
                writer.execute("ROLLBACK")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    yield Ailment("locked", f"another process is writing to {path} now", str(path))


def inside(connection: sqlite3.Connection, path: Path) -> Iterator[Ailment]:
    """Look at the database as a whole: whose it is, of which schema, whether its pages and tables hold together."""
    ours = int(connection.execute("PRAGMA application_id").fetchone()[0])
    schema = int(connection.execute("PRAGMA user_version").fetchone()[0])
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if ours != APPLICATION_ID:
        yield Ailment("not_a_memory", f"{path} is a database, but not an Asterism memory (id {ours:#x})", str(path))
        return
    if schema > len(MIGRATIONS):
        text = f"{path} has schema {schema}; this Asterism knows schemas up to {len(MIGRATIONS)}"
        yield Ailment("newer_schema", text, str(path))
        return
    if schema < len(MIGRATIONS):
        yield Ailment("older_schema", f"{path} has schema {schema} of {len(MIGRATIONS)}", str(path))
        return
    for missing in sorted(set(TABLES) - tables):
        yield Ailment("corrupted", f"{path} has lost its table {missing}", missing)
    problems = [text for (text,) in connection.execute(f"PRAGMA integrity_check({SHOWN})")]
    for problem in problems if problems != ["ok"] else []:
        yield Ailment("corrupted", f"{path}: {' '.join(problem.split())}", str(path))
    if free := free_bytes(connection):
        name = "free_space" if can_give_back(connection) else "kept_space"
        yield Ailment(name, f"{free:,} bytes of {path} are free", str(path))
    for table, *_ in connection.execute("PRAGMA foreign_key_check").fetchmany(SHOWN):
        yield Ailment("corrupted", f"{path}: a row of {table} belongs to nothing", table)


def spaces_of(connection: sqlite3.Connection) -> list[str]:
    """Name the spaces."""
    return [name for (name,) in connection.execute("SELECT name FROM space ORDER BY name")]


def of_space(connection: sqlite3.Connection, space: str) -> Iterator[Ailment]:
    """Look at what one space keeps: its items, what was erased, its checkpoints, caches and vectors."""
    row = connection.execute("SELECT id FROM space WHERE name = ?", (space,)).fetchone()
    if row is not None:
        for found in (_head, _ledger, _unscrubbed, _columns, _vectors):
            yield from found(connection, row[0], space)


def _head(connection: sqlite3.Connection, number: int, space: str) -> Iterator[Ailment]:
    """Compare what is there with what the last commit recorded; its vectors are looked at with the others."""
    recorded = sqlite_head.recorded(connection, number)
    found = sqlite_head.counted(connection, number)
    for difference in recorded.differences(found._replace(vectors=recorded.vectors)):
        yield Ailment("head_differs", f"space {space!r} lost something: {difference}", space, space)


def _ledger(connection: sqlite3.Connection, number: int, space: str) -> Iterator[Ailment]:
    """Read every item: its content must give its id."""
    query = "SELECT seq, id, what, at, source, payload, known_at FROM ledger WHERE space = ? ORDER BY at, id"
    connection.text_factory = bytes
    wrong = 0
    try:
        for seq, item_id, what, at, source, payload, known_at in connection.execute(query, (number,)):
            try:
                if not isinstance(at, int) or not isinstance(known_at, int):
                    raise TypeError("its times are no numbers")
                said: Payload = json.loads(unpacked(payload))
                check_values(said)
                named = identity(space=space, what=what.decode(), at=at, source=source.decode(), payload=said)
                reason = "" if named == item_id else "its content does not give its id"
            except (AttributeError, TypeError, ValueError) as error:
                reason = f"it cannot be read: {error}" if str(error) else "it cannot be read"
            wrong += bool(reason)
            if reason and wrong <= SHOWN:
                name = item_id.hex() if isinstance(item_id, bytes) else str(seq)
                yield Ailment("damaged_item", f"item {name}: {reason}", name, space)
    finally:
        connection.text_factory = str
    if wrong > SHOWN:
        yield Ailment("damaged_item", f"and {wrong - SHOWN} more items", space, space)


def _unscrubbed(connection: sqlite3.Connection, number: int, space: str) -> Iterator[Ailment]:
    """Find items under a tombstone: they were erased, and are still there."""
    query = "SELECT ledger.id FROM ledger JOIN tombstone USING (space, id) WHERE space = ? ORDER BY ledger.id"
    buried = [item_id for (item_id,) in connection.execute(query, (number,))]
    for item_id in buried[:SHOWN]:
        text = f"item {item_id.hex()} was erased, and its content is still in the file"
        yield Ailment("not_scrubbed", text, item_id.hex(), space)
    if len(buried) > SHOWN:
        yield Ailment("not_scrubbed", f"and {len(buried) - SHOWN} more items", space, space)
    if connection.execute("SELECT 1 FROM cache WHERE space = ? AND name = ?", (number, SCRUB)).fetchone():
        text = f"something was erased from space {space!r}, and the file was not made anew since: bytes may be left"
        yield Ailment("not_scrubbed", text, space, space)


def _columns(connection: sqlite3.Connection, number: int, space: str) -> Iterator[Ailment]:
    """Check the checksums of checkpoints and caches."""
    for owner, label in (("checkpoint", "day"), ("cache", "name")):
        query = (
            f"SELECT {owner}.{label}, c.name, c.dtype, c.shape, c.crc, c.data, c.form FROM {owner} "  # noqa: S608  # fixed words
            f"JOIN {owner}_column AS c ON c.{owner} = {owner}.id WHERE {owner}.space = ? ORDER BY 1, 2"
        )
        damaged: dict[str, list[str]] = {}
        for name, column, dtype, shape, crc, data, form in connection.execute(query, (number,)):
            try:
                right = checksum(column, dtype, shape, data, form) == crc
            except (AttributeError, TypeError):
                right = False
            if not right:
                damaged.setdefault(str(name), []).append(str(column))
        for name, columns in damaged.items():
            text = f"{owner} {name} of space {space!r} is damaged in {', '.join(columns[:3])}"
            yield Ailment(f"damaged_{owner}", text, name, space)


def _vectors(connection: sqlite3.Connection, number: int, space: str) -> Iterator[Ailment]:
    """Check that every vector of the space's embedder is as long as the others, of finite numbers."""
    query = """SELECT vector_pack.texts, vector_pack.data FROM vector_pack
               JOIN embedder ON embedder.id = vector_pack.embedder
               JOIN space ON space.id = embedder.space AND space.embedder = embedder.identity
               WHERE space.id = ? ORDER BY vector_pack.id"""
    connection.text_factory = bytes  # what should be bytes may be text that is none
    packs = [(_bytes(texts), _bytes(data)) for texts, data in connection.execute(query, (number,))]
    connection.text_factory = str
    sizes = [len(data) // max(len(texts) // HASH, 1) for texts, data in packs]
    usual = max(set(sizes), key=sizes.count, default=0)
    wrong = sorted(name.hex() for texts, data in packs for name in _damaged(texts, data, usual))
    if not wrong and sqlite_head.recorded(connection, number).vectors != sqlite_head.vectors(connection, number):
        yield Ailment("damaged_vector", f"the vectors of space {space!r} are not those that were kept", space, space)
    for name in wrong[:SHOWN]:
        yield Ailment("damaged_vector", f"the vector of text {name} is damaged", name, space)
    if len(wrong) > SHOWN:
        yield Ailment("damaged_vector", f"and {len(wrong) - SHOWN} more vectors", space, space)


def _bytes(data: object) -> bytes:
    """Give bytes; nothing where something else stands in their place."""
    return data if isinstance(data, bytes) else b""


def _damaged(texts: bytes, data: bytes, usual: int) -> list[bytes]:
    """Name the vectors of a pack that are damaged: all of them, if they are not as long as those of other packs."""
    held = names(texts)
    if not held or len(texts) % HASH or len(data) != usual * len(held) or usual % 4 or not usual:
        return held or [b""]
    finite = np.isfinite(np.frombuffer(data, dtype="<f4").reshape(len(held), usual // 4)).all(axis=1)
    return [name for name, right in zip(held, finite.tolist(), strict=True) if not right]

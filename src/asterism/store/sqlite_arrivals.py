"""The order of arrival in a SQLite file: a position for everything that came to a space, and the name of this copy.

Positions are counted from 1 in each space, and none is given twice. An item has one, and so has every hash of an erased
one. An item that turns out to have been learnt earlier gets a new position; one that is erased takes its own along.
The last one given stands beside the head of the space, which every commit writes anyway.

The name of a copy is made of random letters that the file keeps, and of the number that the file system gave to the
file: who copies a file has another copy, and positions of one mean nothing in the other.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from asterism.core.ledger.head import Total
from asterism.store import sqlite_head
from asterism.store.port import Arrival
from asterism.store.sqlite_rows import COLUMNS, stored_of

LAST = "arrived"  # beside the parts of a head
NAME_BYTES = 8
COPY = "CREATE TABLE copy (name TEXT NOT NULL)"
PLACE_ITEMS = """WITH placed AS (SELECT seq, row_number() OVER (ORDER BY seq) AS place FROM ledger WHERE space = ?1)
    UPDATE ledger SET position = placed.place FROM placed WHERE placed.seq = ledger.seq"""
PLACE_ERASED = """WITH placed AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM tombstone WHERE space = ?1)
    UPDATE tombstone
    SET position = placed.place + (SELECT coalesce(max(ledger.position), 0) FROM ledger WHERE ledger.space = ?1)
    FROM placed WHERE tombstone.space = ?1 AND placed.id = tombstone.id"""
POSITIONS = (
    "ALTER TABLE ledger ADD COLUMN position INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE tombstone ADD COLUMN position INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX ledger_arrival ON ledger (space, position)",
    "CREATE INDEX tombstone_arrival ON tombstone (space, position)",
)
ITEMS = f"""SELECT position, {COLUMNS} FROM ledger INDEXED BY ledger_arrival
    WHERE space = ? AND position > ? AND position <= ? ORDER BY position LIMIT ?"""  # noqa: S608  # fixed words
ERASED = """SELECT position, id FROM tombstone INDEXED BY tombstone_arrival
    WHERE space = ? AND position > ? AND position <= ? ORDER BY position LIMIT ?"""
HIGHEST = """SELECT max((SELECT coalesce(max(position), 0) FROM ledger WHERE space = ?1),
    (SELECT coalesce(max(position), 0) FROM tombstone WHERE space = ?1))"""
IN_ORDER = "SELECT position FROM {0} INDEXED BY {0}_arrival WHERE space = ? ORDER BY position"
IN_TABLE = "SELECT count(*), total(position) FROM {0} WHERE +space = ?"


def name_anew(connection: sqlite3.Connection) -> None:
    """Give this copy a name that none had before."""
    connection.execute("DELETE FROM copy")
    connection.execute("INSERT INTO copy (name) VALUES (?)", (secrets.token_hex(NAME_BYTES),))


def name(connection: sqlite3.Connection, path: Path) -> str:
    """Give the name of this copy."""
    kept = "".join(each for (each,) in connection.execute("SELECT name FROM copy"))
    number = path.stat().st_ino if path.exists() else 0
    return blake2b(f"{kept}/{number}".encode(), digest_size=NAME_BYTES).hexdigest()


def last(connection: sqlite3.Connection, space: int) -> int:
    """Give the last position that was given in a space; 0 if none was."""
    row = connection.execute("SELECT count FROM head WHERE space = ? AND name = ?", (space, LAST)).fetchone()
    return int(row[0]) if row else int(connection.execute(HIGHEST, (space,)).fetchone()[0])


def record(connection: sqlite3.Connection, space: int, position: int) -> None:
    """Record the last position that was given."""
    sqlite_head.record(connection, space, {LAST: Total(position)})


def place_all(connection: sqlite3.Connection) -> None:
    """Give positions to all that is there: the items in the order in which they came, then what was erased."""
    for (space,) in connection.execute("SELECT id FROM space").fetchall():
        record(connection, space, _place(connection, space))


def _place(connection: sqlite3.Connection, space: int) -> int:
    connection.execute(PLACE_ITEMS, (space,))
    connection.execute(PLACE_ERASED, (space,))
    return int(connection.execute(HIGHEST, (space,)).fetchone()[0])


def place_anew(connection: sqlite3.Connection, space: int) -> int:
    """Give positions anew to all that is in a space, and another name to this copy; gives the last position."""
    connection.execute("REINDEX ledger_arrival")
    connection.execute("REINDEX tombstone_arrival")
    name_anew(connection)
    return _place(connection, space)


def read(
    connection: sqlite3.Connection, number: int, space: str, *, after: int, until: int, limit: int
) -> list[Arrival]:
    """Read what came to a space, by position."""
    asked = (number, after, until, limit)
    came = [Arrival(row[0], item=stored_of(space, row[1:]).item) for row in connection.execute(ITEMS, asked)]
    came += [Arrival(position, erased=item_id) for position, item_id in connection.execute(ERASED, asked)]
    return sorted(came, key=lambda each: each.position)[:limit]


def lost(connection: sqlite3.Connection, space: int) -> Iterator[str]:
    """Say what the order of arrival lacks, or has twice."""
    given = last(connection, space)
    for table, called in (("ledger", "items"), ("tombstone", "erasures")):
        count, together = connection.execute(IN_TABLE.format(table), (space,)).fetchone()
        before = found = added = 0
        for (position,) in connection.execute(IN_ORDER.format(table), (space,)):
            if type(position) is not int:
                yield f"{called}: {position!r:.60} is no position"
                break
            found, added = found + 1, added + position
            if not before < position <= given:
                yield f"{called}: position {position} is out of order, twice, or above the last given, {given}"
                break
            before = position
        else:
            if (found, added) != (count, int(together)):
                yield f"{called}: {count:,} are there, and {found:,} are found by their positions"

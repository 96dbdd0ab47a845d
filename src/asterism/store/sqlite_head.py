"""The heads of a SQLite file: what each space was said to hold with its last commit, and what is found there.

A page that lost its bytes, or has those of an older one, makes a database that reads well and holds less. So whoever
commits records the totals of a space (`core/ledger/head.py`); opening compares their counts, quickly, and looks for the
newest rows; `verify` and `doctor` read everything.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from shlex import quote

from asterism.core.ledger.head import MARK, NONE, PARTS, Head, Total, item_mark, mark, total
from asterism.errors import CorruptError
from asterism.store import sqlite_vectors

NEWEST = 16  # rows that opening reads
MAKE = """CREATE TABLE head (
    space INTEGER NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    marks BLOB NOT NULL,
    PRIMARY KEY (space, name)) WITHOUT ROWID"""
PUT = "INSERT OR REPLACE INTO head (space, name, count, marks) VALUES (?, ?, ?, ?)"
# The index alone, then the table alone: either may have lost what the other still has
THROUGH_INDEX = "SELECT count(*) FROM ledger INDEXED BY ledger_order WHERE space = ?"
THROUGH_TABLE = "SELECT count(*) FROM ledger NOT INDEXED"
NOT_IN_INDEX = """SELECT newest.id
    FROM (SELECT space, at, id FROM ledger NOT INDEXED ORDER BY seq DESC LIMIT ?) AS newest
    WHERE NOT EXISTS (SELECT 1 FROM ledger AS by_time INDEXED BY ledger_order
        WHERE by_time.space = newest.space AND by_time.at = newest.at AND by_time.id = newest.id)"""
# Spaces that the table and its index of names, or the table and the heads, do not agree about
SPACES = """SELECT id FROM space AS here NOT INDEXED
    WHERE NOT EXISTS (SELECT 1 FROM space AS by_name INDEXED BY sqlite_autoindex_space_1
        WHERE by_name.name = here.name AND by_name.id = here.id)
    OR NOT EXISTS (SELECT 1 FROM head WHERE head.space = here.id)
    UNION ALL SELECT space FROM head WHERE space NOT IN (SELECT id FROM space NOT INDEXED)"""


def recorded(connection: sqlite3.Connection, space: int) -> Head:
    """Give the head of a space as it was last recorded."""
    rows = connection.execute("SELECT name, count, marks FROM head WHERE space = ?", (space,))
    return Head(
        **{
            name: Total(count, int.from_bytes(marks, "big"))
            for name, count, marks in rows
            if name in PARTS and type(count) is int and type(marks) is bytes  # else it is damaged, and will differ
        }
    )


def record(connection: sqlite3.Connection, space: int, head: Mapping[str, Total]) -> None:
    """Record some totals of a space."""
    for name, each in head.items():
        connection.execute(PUT, (space, name, each.count, each.marks.to_bytes(MARK, "big")))


def change(connection: sqlite3.Connection, space: int, came: Mapping[str, Total], went: Mapping[str, Total]) -> None:
    """Add what came to the head of a space, and take away what went."""
    changed = sorted(came.keys() | went.keys())
    if changed:
        head = recorded(connection, space)._asdict()
        record(
            connection,
            space,
            {name: head[name].plus(came.get(name, NONE)).minus(went.get(name, NONE)) for name in changed},
        )


def counted(connection: sqlite3.Connection, space: int) -> Head:
    """Read everything of a space, and give the head that it should have."""
    query = "SELECT id, known_at, note FROM ledger NOT INDEXED WHERE space = ?"
    items = total(item_mark(*row) for row in connection.execute(query, (space,)))
    query = "SELECT id FROM tombstone WHERE space = ?"
    erased = total(mark(item_id) for (item_id,) in connection.execute(query, (space,)))
    return Head(items, erased, vectors(connection, space), settings(connection, space))


def settings(connection: sqlite3.Connection, space: int) -> Total:
    """Give the total of what is recorded of a space: its name, parameters and embedder."""
    row = connection.execute("SELECT name, parameters, embedder FROM space WHERE id = ?", (space,)).fetchone()
    return NONE if row is None else total([mark(*(json.dumps(each, default=repr) for each in row))])


def vectors(connection: sqlite3.Connection, space: int) -> Total:
    """Give the total of the vectors of a space, whichever embedder made them."""
    made = connection.execute("SELECT id, identity FROM embedder WHERE space = ?", (space,)).fetchall()
    return total(each for made_by, embedder in made for each in vector_marks(connection, made_by, embedder))


def vector_marks(connection: sqlite3.Connection, made_by: int, embedder: str) -> Iterator[int]:
    """Give the marks of every vector of an embedder."""
    for pack in sqlite_vectors.packs(connection, made_by):
        yield from (mark(embedder, *row) for row in sqlite_vectors.rows(pack))


def record_all(connection: sqlite3.Connection) -> None:
    """Record the head of every space from what is there: how a file of an older schema comes by its heads."""
    for (space,) in connection.execute("SELECT id FROM space").fetchall():
        record(connection, space, counted(connection, space)._asdict())


def check(connection: sqlite3.Connection, space: int, name: str, path: str) -> None:
    """Refuse a space that holds another number of items than it recorded, or whose newest are lost."""
    if astray := connection.execute(SPACES).fetchone():
        raise _lost(path, f"its space number {astray[0]} is not found by its name, or only its head is there")
    for number in [space] if space else [row[0] for row in connection.execute("SELECT id FROM space")]:
        if recorded(connection, number).settings != settings(connection, number):
            raise _lost(path, f"its space number {number} has not the name, parameters or embedder that it recorded")
    said = recorded(connection, space).items.count
    (through_index,) = connection.execute(THROUGH_INDEX, (space,)).fetchone()
    (all_said,) = connection.execute("SELECT coalesce(sum(count), 0) FROM head WHERE name = 'items'").fetchone()
    (through_table,) = connection.execute(THROUGH_TABLE).fetchone()
    if through_index != said:
        raise _lost(path, f"space {name!r} recorded {said:,} items, and {through_index:,} are found by their times")
    if through_table != all_said:
        raise _lost(path, f"its spaces recorded {all_said:,} items, and {through_table:,} are there")
    if missing := connection.execute(NOT_IN_INDEX, (NEWEST,)).fetchone():
        named = missing[0].hex() if isinstance(missing[0], bytes) else "without an id"
        raise _lost(path, f"item {named}, one of the newest, is not found by its time")


def _lost(path: str, what: str) -> CorruptError:
    return CorruptError(
        f"{path} is damaged: {what}",
        code="head_differs",
        item=path,
        hint=f"go back to a backup: asterism backup --restore FILE --db {quote(path)}; or merge a copy into a new "
        f"memory; to go on with what is left: asterism doctor --repair --db {quote(path)}",
    )

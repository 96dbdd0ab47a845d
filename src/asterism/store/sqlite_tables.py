"""The derived tables of a SQLite file: what capabilities show of their folds, for anyone to query.

Beside each stands a table of its parts, with the id of the item whose rows a part has; when that row goes, the rows go
with it. Another one is a migration that makes both, and a row here.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from asterism.core.dialogue.links import CausalLink
from asterism.core.ledger.capability import Cells
from asterism.errors import StoreError


class Layout(NamedTuple):
    """How a derived table is called and made."""

    name: str
    columns: tuple[str, ...]
    part: str  # the column that says to which part a row belongs
    parts: str  # the table of its parts: space, part, item
    key: str  # its column that names a part
    item: str  # and the one with the id of the item


CAUSAL_LINKS = Layout("causal_links", CausalLink._fields, "session_id", "causal_session", "session", "reading")
LAYOUTS = {each.name: each for each in (CAUSAL_LINKS,)}


def _layout(table: str) -> Layout:
    """Find how a table is made; whoever writes asks first, so that without one nothing is written."""
    if table not in LAYOUTS:
        raise StoreError(
            f"a SQLite file has no table {table!r} for what a capability shows",
            code="unknown_table",
            item=table,
            hint="give it a layout in store/sqlite_tables.py and a migration in store/schema.py, or leave it out",
        )
    return LAYOUTS[table]


def put(
    connection: sqlite3.Connection, space: int, table: str, part: str, item: bytes | None, rows: Sequence[Cells]
) -> None:
    """Put the rows that an item gives in place of those of a part; none if there is no item."""
    layout = _layout(table)
    connection.execute(f"DELETE FROM {layout.parts} WHERE space = ? AND {layout.key} = ?", (space, part))  # noqa: S608  # fixed words
    if item is not None:
        connection.execute(f"INSERT INTO {layout.parts} VALUES (?, ?, ?)", (space, part, item))  # noqa: S608
        names, marks = ", ".join(layout.columns), ", ".join("?" * (len(layout.columns) + 1))
        insert = f"INSERT INTO {layout.name} (space, {names}) VALUES ({marks})"  # noqa: S608
        connection.executemany(insert, [(space, *row) for row in rows])


def drop(connection: sqlite3.Connection, space: int, items: Iterable[bytes]) -> None:
    """Remove the rows that some items gave, from every table."""
    names = json.dumps([item.hex().upper() for item in items])
    for layout in LAYOUTS.values():
        given = f"hex({layout.item}) IN (SELECT value FROM json_each(?))"  # noqa: S608
        connection.execute(f"DELETE FROM {layout.parts} WHERE space = ? AND {given}", (space, names))  # noqa: S608


def parts(connection: sqlite3.Connection, space: int, table: str) -> dict[str, bytes]:
    """Give the parts of a table, and the items whose rows they have."""
    layout = _layout(table)
    query = f"SELECT {layout.key}, {layout.item} FROM {layout.parts} WHERE space = ? ORDER BY {layout.key}"  # noqa: S608
    return dict(connection.execute(query, (space,)))


def rows(connection: sqlite3.Connection, space: int, table: str, part: str) -> list[Cells]:
    """Give the rows of a part, in any order."""
    layout = _layout(table)
    query = f"SELECT {', '.join(layout.columns)} FROM {layout.name} WHERE space = ? AND {layout.part} = ?"  # noqa: S608
    return connection.execute(query, (space, part)).fetchall()

"""The table `causal_links` of a SQLite file: what the current readings of transcripts found, for anyone to query.

It is derived from the ledger. Beside it stands, for each session, the id of the reading whose links it holds; when that
row goes, the links go with it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from asterism.core.dialogue.links import CausalLink

COLUMNS = ", ".join(CausalLink._fields)
INSERT = f"INSERT INTO causal_links (space, {COLUMNS}) VALUES ({', '.join('?' * (len(CausalLink._fields) + 1))})"  # noqa: S608  # fixed words
SELECT = f"SELECT {COLUMNS} FROM causal_links WHERE space = ? AND session_id = ? ORDER BY intent_anchor_index, id"  # noqa: S608


def put(
    connection: sqlite3.Connection, space: int, session: str, reading: bytes | None, links: Sequence[CausalLink]
) -> None:
    """Put the links of a session's reading in place of those there are; none if it has no reading."""
    connection.execute("DELETE FROM causal_session WHERE space = ? AND session = ?", (space, session))
    if reading is not None:
        connection.execute("INSERT INTO causal_session VALUES (?, ?, ?)", (space, session, reading))
        connection.executemany(INSERT, [(space, *link) for link in links])


def drop(connection: sqlite3.Connection, space: int, readings: Iterable[bytes]) -> None:
    """Remove the links of some readings."""
    names = json.dumps([reading.hex().upper() for reading in readings])
    query = "DELETE FROM causal_session WHERE space = ? AND hex(reading) IN (SELECT value FROM json_each(?))"
    connection.execute(query, (space, names))


def sessions(connection: sqlite3.Connection, space: int) -> dict[str, bytes]:
    """Give the sessions in the table, and the readings whose links they have."""
    query = "SELECT session, reading FROM causal_session WHERE space = ? ORDER BY session"
    return dict(connection.execute(query, (space,)))


def links(connection: sqlite3.Connection, space: int, session: str) -> list[CausalLink]:
    """Give the links of a session, in the order of their lines."""
    found = (CausalLink(*row) for row in connection.execute(SELECT, (space, session)))
    return [link._replace(claimed=bool(link.claimed)) for link in found]

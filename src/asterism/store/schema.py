"""The SQLite schema as numbered, transactional migrations; a file of any earlier number is brought forward."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from itertools import groupby, islice

from asterism.errors import CorruptError, NewerSchemaError
from asterism.store import sqlite_arrivals, sqlite_head, sqlite_records

APPLICATION_ID = 0x41535452  # "ASTR"

Step = str | Callable[[sqlite3.Connection], object]  # what SQL cannot say is a function
VECTORS_IN_PACK = 128  # as the fourth schema was made with


def _pack_vectors(connection: sqlite3.Connection) -> None:
    """Put the vectors of every embedder into packs, those of one length together."""
    insert = "INSERT INTO vector_pack (embedder, texts, data) VALUES (?, ?, ?)"
    for (embedder,) in connection.execute("SELECT id FROM embedder ORDER BY id").fetchall():
        query = "SELECT text, data FROM vector WHERE embedder = ? ORDER BY length(data), text"
        every = connection.execute(query, (embedder,))
        for _, same in groupby(every, key=lambda row: len(row[1])):
            while pack := list(islice(same, VECTORS_IN_PACK)):
                joined = (b"".join(row[0] for row in pack), b"".join(row[1] for row in pack))
                connection.execute(insert, (embedder, *joined))


# Each entry brings a file from schema n to n + 1. Never edit one that was released: add the next.
MIGRATIONS: tuple[tuple[Step, ...], ...] = (
    (
        "CREATE TABLE space (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, parameters TEXT)",
        """CREATE TABLE ledger (
            seq INTEGER PRIMARY KEY,
            space INTEGER NOT NULL REFERENCES space (id),
            at INTEGER NOT NULL,
            id BLOB NOT NULL,
            known_at INTEGER NOT NULL,
            what TEXT NOT NULL,
            source TEXT NOT NULL,
            payload TEXT NOT NULL,
            note TEXT NOT NULL)""",
        "CREATE UNIQUE INDEX ledger_order ON ledger (space, at, id)",
        """CREATE TABLE tombstone (
            space INTEGER NOT NULL REFERENCES space (id),
            id BLOB NOT NULL,
            PRIMARY KEY (space, id)) WITHOUT ROWID""",
        """CREATE TABLE checkpoint (
            id INTEGER PRIMARY KEY,
            space INTEGER NOT NULL REFERENCES space (id),
            fingerprint TEXT NOT NULL,
            seq INTEGER NOT NULL,
            day INTEGER NOT NULL,
            latest_at INTEGER NOT NULL,
            UNIQUE (space, fingerprint, day))""",
        """CREATE TABLE checkpoint_column (
            checkpoint INTEGER NOT NULL REFERENCES checkpoint (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            dtype TEXT NOT NULL,
            shape TEXT NOT NULL,
            crc INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (checkpoint, name))""",
    ),
    (
        "ALTER TABLE space ADD COLUMN embedder TEXT",
        """CREATE TABLE embedder (
            id INTEGER PRIMARY KEY,
            space INTEGER NOT NULL REFERENCES space (id),
            identity TEXT NOT NULL,
            UNIQUE (space, identity))""",
        """CREATE TABLE vector (
            embedder INTEGER NOT NULL REFERENCES embedder (id) ON DELETE CASCADE,
            text BLOB NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (embedder, text)) WITHOUT ROWID""",
        """CREATE TABLE cache (
            id INTEGER PRIMARY KEY,
            space INTEGER NOT NULL REFERENCES space (id),
            name TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            UNIQUE (space, name))""",
        """CREATE TABLE cache_column (
            cache INTEGER NOT NULL REFERENCES cache (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            dtype TEXT NOT NULL,
            shape TEXT NOT NULL,
            crc INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (cache, name))""",
    ),
    (
        """CREATE TABLE causal_session (
            space INTEGER NOT NULL REFERENCES space (id),
            session TEXT NOT NULL,
            reading BLOB NOT NULL,
            PRIMARY KEY (space, session)) WITHOUT ROWID""",
        """CREATE TABLE causal_links (
            space INTEGER NOT NULL,
            id TEXT NOT NULL,
            session_id TEXT NOT NULL,
            actor TEXT NOT NULL,
            intent_text TEXT NOT NULL,
            intent_type TEXT NOT NULL,
            intent_strength TEXT NOT NULL,
            intent_anchor_index INTEGER NOT NULL,
            consequence_text TEXT,
            consequence_type TEXT NOT NULL,
            consequence_anchor_index INTEGER,
            distance INTEGER,
            score REAL,
            claimed INTEGER NOT NULL,
            created_at_ms INTEGER NOT NULL,
            rule TEXT NOT NULL,
            PRIMARY KEY (space, id),
            FOREIGN KEY (space, session_id) REFERENCES causal_session (space, session) ON DELETE CASCADE)""",
        "CREATE INDEX causal_links_session ON causal_links (space, session_id)",
        "CREATE INDEX causal_links_session_actor ON causal_links (space, session_id, actor)",
        "CREATE INDEX causal_links_session_strength ON causal_links (space, session_id, intent_strength)",
    ),
    (
        """CREATE TABLE vector_pack (
            id INTEGER PRIMARY KEY,
            embedder INTEGER NOT NULL REFERENCES embedder (id) ON DELETE CASCADE,
            texts BLOB NOT NULL,
            data BLOB NOT NULL)""",
        _pack_vectors,
        "DROP TABLE vector",
        "CREATE INDEX vector_pack_embedder ON vector_pack (embedder)",
        "ALTER TABLE checkpoint_column ADD COLUMN form TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE cache_column ADD COLUMN form TEXT NOT NULL DEFAULT ''",
        # The file is written anew once, which gives back what it does not need, and lets it do so from then on
        """INSERT OR IGNORE INTO cache (space, name, fingerprint) SELECT id, 'scrub due', '1' FROM space""",
    ),
    (sqlite_head.MAKE, sqlite_head.record_all),
    (
        *sqlite_arrivals.POSITIONS,
        sqlite_arrivals.place_all,
        sqlite_arrivals.COPY,
        sqlite_arrivals.name_anew,
    ),
    (sqlite_records.MAKE,),
)

NEWEST = len(MIGRATIONS)


def migrate(
    connection: sqlite3.Connection,
    *,
    path: str,
    migrations: Sequence[Sequence[Step]] = MIGRATIONS,
) -> None:
    """Bring a file to the newest schema in one transaction; refuse one that is newer, or not ours."""
    newest = len(migrations)
    if check_schema(connection, path=path, newest=newest) == newest:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(check_schema(connection, path=path, newest=newest), newest):
            for step in migrations[number]:
                if isinstance(step, str):
                    connection.execute(step)
                else:
                    step(connection)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check_schema(connection: sqlite3.Connection, *, path: str, newest: int = len(MIGRATIONS)) -> int:
    """Give the schema of a file, 0 for an empty one; refuse one that is newer, or not ours."""
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    ours = int(connection.execute("PRAGMA application_id").fetchone()[0]) == APPLICATION_ID
    empty = not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    if not ours and not empty:
        raise CorruptError(
            f"{path} is a database, but not an Asterism memory",
            code="not_a_memory",
            item=path,
            hint="name another file",
        )
    if found > newest:
        raise NewerSchemaError(
            f"{path} has schema {found}; this Asterism knows schemas up to {newest}",
            code="newer_schema",
            item=path,
            hint="upgrade Asterism: pip install --upgrade asterism",
        )
    return found

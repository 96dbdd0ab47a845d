"""A file that somebody else hands over as a copy of a memory: read, and never believed.

A database may hold more than tables: a view that has no end under the name of a table, triggers that wait for a
migration, a column that computes itself, pages that lead to one another for ever. So before anything of such a file is
asked for, it must be what our migrations make, and no more; its pages must be reached once each; and SQLite is told to
refuse what our own files never need, and to stop after so many steps as no memory of that size takes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from asterism.errors import CorruptError
from asterism.store.schema import MIGRATIONS, check_schema

LONGEST = 2**28  # bytes of a value or a row; a checkpoint's longest column of a million links has a thirtieth
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: LONGEST,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
PRAGMAS = ("trusted_schema = OFF", "cell_size_check = ON", "ignore_check_constraints = ON", "query_only = ON")
LEAST_STEPS, STEPS_A_BYTE = 20_000_000, 20  # measured: reading all of a memory takes 1 to 3 a byte
FAULTS = 1_000  # that a damaged file may have
EACH = 100_000  # steps between two looks at how many there were

READ = ("space", "ledger", "tombstone", "embedder", "vector_pack", "head")  # by whoever takes in a copy
ALSO = {("ledger", "payload"): ("blob",)}  # where it is deflated

Column = tuple[str, str, int, int, int]  # name, type, not null, place in the key, hidden
Tables = dict[str, tuple[Column, ...]]


def looked_at(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """Give a connection that is safe to look through, damaged as the file may be; or refuse the file and let go."""
    return _checked(connection, path, _restrict)


def received(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """Give a connection that is safe to take in from; or refuse the file and let go of it."""
    return _checked(connection, path, _restrict, _check_pages, _check_values)


def _checked(
    connection: sqlite3.Connection, path: Path, *checks: Callable[[sqlite3.Connection, Path], None]
) -> sqlite3.Connection:
    try:
        for check in checks:
            check(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _restrict(connection: sqlite3.Connection, path: Path) -> None:
    """Have SQLite refuse what no memory needs, and let only the tables through that our migrations make."""
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    for limit, value in LIMITS.items():
        connection.setlimit(limit, value)
    with suppress(AttributeError):  # from Python 3.12 on
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # type: ignore[attr-defined]
    bound_steps(connection, path.stat().st_size)
    if schema := check_schema(connection, path=str(path)):  # else there is nothing in it, as whoever opens it says
        _check_tables(connection, schema, path)


def _check_values(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse values of another type than their column has: SQLite keeps any in any."""
    tables = expected(check_schema(connection, path=str(path)))
    for table in [each for each in READ if each in tables]:
        _check_types(connection, table, tables[table], path)


def _check_types(connection: sqlite3.Connection, table: str, columns: tuple[Column, ...], path: Path) -> None:
    wrong = [
        f"typeof({name}) NOT IN ({', '.join(repr(each) for each in (*ALSO.get((table, name), ()), declared.lower()))})"
        + ("" if needed or key else f" AND {name} IS NOT NULL")
        for name, declared, needed, key, _ in columns
    ]
    query = f"SELECT 1 FROM {table} WHERE {' OR '.join(wrong)} LIMIT 1"  # noqa: S608  # our own names
    if connection.execute(query).fetchone():
        raise refused(path, f"its table {table!r} holds what is of another type than it must be")


def _check_pages(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse pages that are reached twice: ten can be rows without end. What is damaged otherwise may be salvaged."""
    found = [str(row[0]) for row in connection.execute(f"PRAGMA quick_check({FAULTS})")]
    if len(found) >= FAULTS or any("2nd reference" in each for each in found):
        raise refused(path, "its pages lead to one another, or most of them are damaged")


def bound_steps(connection: sqlite3.Connection, size: int) -> None:
    """Have a connection stop after as many steps as a database of so many bytes can need."""
    left = [(LEAST_STEPS + STEPS_A_BYTE * size) // EACH]

    def count() -> int:
        left[0] -= 1
        return left[0] < 0

    connection.set_progress_handler(count, EACH)


def _check_tables(connection: sqlite3.Connection, schema: int, path: Path) -> None:
    """Refuse what our migrations do not make: only ordinary tables with our columns are read."""
    made = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    for kind, name, sql in made:
        if kind in ("view", "trigger"):
            raise refused(path, f"it holds the {kind} {str(name)[:60]!r}, and a memory has none")
        if kind == "table" and str(sql).upper().lstrip().startswith("CREATE VIRTUAL"):
            raise refused(path, f"it holds the virtual table {str(name)[:60]!r}, and a memory has none")
    there = {name for kind, name, _ in made if kind == "table"}
    for name, columns in expected(schema).items():
        if name not in there or _columns(connection, name) != columns:
            raise refused(path, f"its table {name!r} is not there, or not the one that Asterism makes")


@cache
def expected(schema: int) -> Tables:
    """Give the tables of a schema by making them, with nothing in them."""
    with closing(sqlite3.connect(":memory:")) as empty:
        for step in (step for steps in MIGRATIONS[:schema] for step in steps):
            if isinstance(step, str):
                empty.execute(step)
        names = empty.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {name: _columns(empty, name) for (name,) in names.fetchall()}


def _columns(connection: sqlite3.Connection, table: str) -> tuple[Column, ...]:
    rows = connection.execute('SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?)', (table,))
    return tuple(rows.fetchall())


def refused(path: Path, why: str) -> CorruptError:
    """Say why a foreign file is not read."""
    return CorruptError(
        f"{path} is not taken for a copy of a memory: {why}",
        code="foreign_file",
        item=str(path),
        hint="ask whoever gave it for an export (asterism export memory.jsonl), and import that",
    )

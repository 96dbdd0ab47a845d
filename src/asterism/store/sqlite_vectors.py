"""The vectors of a SQLite file, in packs: so many to a row that pages are full, in the order in which they were kept.

A vector of 256 numbers is larger than what a page of an index holds of a row: kept one to a row, each took a page of
its own beside it. A pack has the hashes of its texts one after another, and their vectors in the same order, all of one
length. The last pack is filled up before another is begun, so many small writes leave no more rows than one large one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby

PACK = 128  # vectors: 1.5 % of its pages are empty, and filling it up rewrites no more than so many
HASH = 16  # bytes
SEARCHED = 16  # hashes, up to which each is searched for in a pack

Pack = tuple[bytes, bytes]  # the hashes of texts, and their vectors

INSERT = "INSERT INTO vector_pack (embedder, texts, data) VALUES (?, ?, ?)"
TEXTS, DATA = (
    "CAST(texts AS BLOB)",
    "CAST(data AS BLOB)",
)  # where something else stands in its place, so that it can be read, and seen to be damaged
OF_SPACE = f"""SELECT vector_pack.id, identity, {TEXTS}, {DATA} FROM vector_pack
    JOIN embedder ON embedder.id = vector_pack.embedder WHERE space = ?"""  # noqa: S608


def embedder(connection: sqlite3.Connection, space: int, identity: str) -> int | None:
    """Give the number of an embedder of a space; None if nothing of it was kept."""
    query = "SELECT id FROM embedder WHERE space = ? AND identity = ?"
    row = connection.execute(query, (space, identity)).fetchone()
    return None if row is None else int(row[0])


def packs(connection: sqlite3.Connection, made_by: int | None) -> Iterator[Pack]:
    """Give every pack of an embedder, in the order in which its vectors were kept."""
    return connection.execute(f"SELECT {TEXTS}, {DATA} FROM vector_pack WHERE embedder = ? ORDER BY id", (made_by,))  # noqa: S608


def read(connection: sqlite3.Connection, made_by: int | None, texts: Collection[bytes]) -> dict[bytes, bytes]:
    """Give the vectors of texts, where there are some; only the packs that hold one are read."""
    wanted, found = set(texts), dict[bytes, bytes]()
    every = connection.execute(f"SELECT id, {TEXTS} FROM vector_pack WHERE embedder = ? ORDER BY id", (made_by,))  # noqa: S608
    for pack, held in every.fetchall() if wanted else ():
        if not _among(wanted, held):
            continue
        (data,) = connection.execute(f"SELECT {DATA} FROM vector_pack WHERE id = ?", (pack,)).fetchone()  # noqa: S608
        found.update((name, vector) for name, vector in rows((held, data)) if name in wanted)
    return found


def texts(connection: sqlite3.Connection, space: int) -> set[bytes]:
    """Give the hashes of the texts that a space has vectors of."""
    query = f"SELECT {TEXTS} FROM vector_pack WHERE embedder IN (SELECT id FROM embedder WHERE space = ?)"  # noqa: S608
    return {name for (held,) in connection.execute(query, (space,)) for name in names(held)}


def put(connection: sqlite3.Connection, made_by: int, vectors: Mapping[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    """Keep vectors; what is there already stays. Give those that are new."""
    query = f"SELECT {TEXTS} FROM vector_pack WHERE embedder = ?"  # noqa: S608
    wanted = set(vectors)
    known = {name for (held,) in connection.execute(query, (made_by,)) for name in _among(wanted, held)}
    fresh = sorted((len(vector), name, vector) for name, vector in vectors.items() if name not in known)
    for size, same in groupby(fresh, key=lambda row: row[0]):
        rest = [*_taken_from_last(connection, made_by, size), *((name, vector) for _, name, vector in same)]
        for start in range(0, len(rest), PACK):
            pack = rest[start : start + PACK]
            joined = (b"".join(name for name, _ in pack), b"".join(vector for _, vector in pack))
            connection.execute(INSERT, (made_by, *joined))
    return [(name, vector) for _, name, vector in fresh]


def _taken_from_last(connection: sqlite3.Connection, made_by: int, size: int) -> list[tuple[bytes, bytes]]:
    """Take the last pack out, if it has room for more vectors of this length."""
    query = f"SELECT id, {TEXTS}, {DATA} FROM vector_pack WHERE embedder = ? ORDER BY id DESC LIMIT 1"  # noqa: S608
    last = connection.execute(query, (made_by,)).fetchone()
    if last is None or len(last[1]) >= PACK * HASH or len(last[2]) != size * (len(last[1]) // HASH):
        return []
    connection.execute("DELETE FROM vector_pack WHERE id = ?", last[:1])
    return rows(last[1:])


def drop(connection: sqlite3.Connection, space: int, gone: Iterable[bytes]) -> list[tuple[str, bytes, bytes]]:
    """Remove the vectors of texts from the packs of a space; give them, each with its embedder and its text's hash."""
    unwanted = set(gone)
    dropped = []
    for pack, embedder, held, data in connection.execute(OF_SPACE, (space,)).fetchall() if unwanted else ():
        if unwanted.isdisjoint(names(held)):
            continue
        left = []
        for row in rows((held, data)):
            if row[0] in unwanted:
                dropped.append((embedder, *row))
            else:
                left.append(row)
        if left:
            joined = (b"".join(name for name, _ in left), b"".join(vector for _, vector in left))
            connection.execute("UPDATE vector_pack SET texts = ?, data = ? WHERE id = ?", (*joined, pack))
        else:
            connection.execute("DELETE FROM vector_pack WHERE id = ?", (pack,))
    return dropped


def _among(wanted: set[bytes], held: bytes) -> set[bytes]:
    """Give the hashes of a pack that are wanted; few are searched for, which is quicker than to cut the pack up."""
    if len(wanted) > SEARCHED:
        return wanted.intersection(names(held))
    return {name for name in wanted if name in held and name in names(held)}


def names(held: bytes) -> list[bytes]:
    """Give the hashes of a pack, one by one."""
    return [held[start : start + HASH] for start in range(0, len(held), HASH)]


def rows(pack: Pack) -> list[tuple[bytes, bytes]]:
    """Give the vectors of a pack, one by one, each with the hash of its text; cut as they lie if it is damaged."""
    each = names(pack[0])
    size = len(pack[1]) // max(len(each), 1)
    return [(name, pack[1][place * size : (place + 1) * size]) for place, name in enumerate(each)]

"""The ledger of a SQLite file: what is asked of it, and a row of it as an item."""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import suppress

from asterism.core.ledger.items import Item, quoted
from asterism.errors import CorruptError
from asterism.store.port import Stored
from asterism.store.sqlite_payloads import unpacked

COLUMNS = "seq, id, what, at, source, payload, known_at, note"
DEFLATED = "typeof(payload) = 'blob'"
LAST_KNOWN = """SELECT max(known_at) FROM (
    SELECT * FROM (SELECT known_at, space FROM ledger ORDER BY seq DESC LIMIT ?3)
    UNION ALL
    SELECT * FROM (SELECT known_at, space FROM ledger WHERE space = ?1 ORDER BY at DESC, id DESC LIMIT 1)
    ) WHERE space = ?1 AND known_at <= ?2"""
Row = tuple[int, bytes, str, int, str, str | bytes, int, str]


def stored_of(space: str, row: Row) -> Stored:
    """Read a row; one that cannot be an item is refused."""
    seq, item_id, what, at, source, payload, known_at, note = row
    if type(payload) is bytes:
        with suppress(ValueError):
            payload = unpacked(payload)
    texts = {type(what), type(source), type(note)}
    if (
        type(payload) is not str
        or texts != {str}
        or not type(at) is type(known_at) is int
        or type(item_id) is not bytes
    ):
        raise CorruptError(
            f"the ledger row {seq} of space {space!r} is damaged",
            code="corrupt",
            item=str(seq),
            hint="restore the memory from a copy, or merge another copy of it into a new memory",
        )
    return Stored(seq, Item(item_id, space, what, at, source, json.loads(payload), payload, known_at, note))


def asked(
    number: int,
    after_seq: int,
    from_at: int | None,
    until_at: int | None,
    known_until: int | None,
    only: Collection[str] | None,
    without: Collection[str],
    naming: Collection[str] | None,
) -> tuple[str, tuple[int | str, ...]]:
    """Give the query for some items of a space, and its values."""
    filters: dict[str, int | str | None] = {
        "+space = ?" if after_seq else "space = ?": number,  # + : by place of arrival, not by the index
        "seq > ?": after_seq,
        "at >= ?": from_at,
        "at <= ?": until_at,
        "known_at <= ?": known_until,
        "what IN (SELECT value FROM json_each(?))": None if only is None else json.dumps(sorted(only)),
        "what NOT IN (SELECT value FROM json_each(?))": json.dumps(sorted(without)) if without else None,
    }
    given = {test: value for test, value in filters.items() if value is not None}
    tests, names = list(given), [quoted(name) for name in naming or ()]
    if naming is not None:  # what is deflated can only be looked through here
        tests.append(f"({' OR '.join(['instr(payload, ?)'] * len(names) + [DEFLATED])})")
    query = f"SELECT {COLUMNS} FROM ledger WHERE {' AND '.join(tests)} ORDER BY at, id"  # noqa: S608  # fixed words
    return query, (*given.values(), *names)

"""A row of the ledger of a SQLite file, as an item."""

from __future__ import annotations

import json
from contextlib import suppress

from asterism.core.ledger.items import Item
from asterism.errors import CorruptError
from asterism.store.port import Stored
from asterism.store.sqlite_payloads import unpacked

COLUMNS = "seq, id, what, at, source, payload, known_at, note"
Row = tuple[int, bytes, str, int, str, str | bytes, int, str]


def stored_of(space: str, row: Row) -> Stored:
    """Read a row; one that cannot be an item is refused."""
    seq, item_id, what, at, source, payload, known_at, note = row
    if type(payload) is bytes:
        with suppress(ValueError):
            payload = unpacked(payload)
    if type(at) is not int or type(known_at) is not int or type(item_id) is not bytes or type(payload) is not str:
        raise CorruptError(
            f"the ledger row {seq} of space {space!r} is damaged",
            code="corrupt",
            item=str(seq),
            hint="restore the memory from a copy, or merge another copy of it into a new memory",
        )
    return Stored(seq, Item(item_id, space, what, at, source, json.loads(payload), payload, known_at, note))

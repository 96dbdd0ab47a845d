"""The evidence of a transcript as items: they belong to its reading, and count while that is the current one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from asterism.core.dialogue.mentions import SESSION, EvidenceRow
from asterism.core.ledger.items import Item, Payload, make_item


class Evidence(NamedTuple):
    """An item of evidence, and as it was told before evidence belonged to a reading."""

    item: Item
    before: Item


def evidence_items(rows: Sequence[EvidenceRow], reading: Item, *, times: Sequence[int]) -> list[Evidence]:
    """Say the evidence of a reading: one item for a pair, a kind and a line, or for a pair and the session.

    `times` are those of the lines, in microseconds; lines that share one are kept apart by single microseconds. What
    is said of the whole session is said at its end.
    """
    apart = _apart(times)
    items: dict[bytes, Evidence] = {}
    for row in rows:
        a, b = sorted((row.a, row.b))
        payload: Payload = {"a": a, "b": b, "kind": row.kind}
        way = f": {row.a} to {row.b}" if row.direction == "a_to_b" else ""
        note = f"line {row.line}{way}"
        end = max(apart) if row.kind == SESSION else apart[row.line]
        item = _item(reading, end, {**payload, "reading": reading.id.hex()}, note)
        items.setdefault(item.id, Evidence(item, _item(reading, apart[row.line], payload, note)))
    return list(items.values())


def _item(reading: Item, at: int, payload: Payload, note: str) -> Item:
    return make_item(
        space=reading.space,
        what="evidence",
        at=at,
        payload=payload,
        known_at=reading.known_at,
        source=reading.source,
        note=note,
    )


def _apart(times: Sequence[int]) -> list[int]:
    """Give each line a time of its own: a microsecond more as long as a line before it has the same.

    >>> _apart([5, 5, 6, 5])
    [5, 6, 7, 8]
    """
    found: list[int] = []
    taken: set[int] = set()
    free: dict[int, int] = {}  # the first time to try, for lines of one time
    for time in times:
        at = free.get(time, time)
        while at in taken:
            at += 1
        taken.add(at)
        free[time] = at + 1
        found.append(at)
    return found

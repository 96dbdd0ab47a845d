"""The evidence of a transcript as items: each told once, however often and however corrected the session is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.mentions import SESSION, EvidenceRow, line_marks
from asterism.core.items import Item, Payload, make_item

SIGN = " #"  # before the mark of the line, at the end of a note


def evidence_items(
    reading: Reading,
    rows: Sequence[EvidenceRow],
    told: Iterable[Item],
    *,
    times: Sequence[int],
    space: str,
    known_at: int,
) -> tuple[list[Item], int]:
    """Say the evidence that the session did not give before, and count what it did.

    There is one item for a pair and a line, or a pair and the session. A line is known by its mark, not its number.
    `times` are those of the lines, in microseconds; lines that share one are kept apart by single microseconds.
    """
    marks, apart = line_marks(reading.lines), _apart(times)
    known: set[tuple[str, ...]] = set()
    taken: set[tuple[str, ...]] = set()
    for item in told:
        known.add(_key(item.payload, item.note.rpartition(SIGN)[2]))
        taken.add(_moment(item.payload, item.at))
    said, again, items = set(known), set(), []
    for row in rows:
        a, b = sorted((row.a, row.b))
        payload: Payload = {"a": a, "b": b, "kind": row.kind}
        key = _key(payload, marks[row.line])
        if key in known:
            again.add(key)
        if key in said:  # before, or the other way round in the same line
            continue
        said.add(key)
        at = apart[row.line]
        while _moment(payload, at) in taken:
            at += 1
        taken.add(_moment(payload, at))
        way = f": {row.a} to {row.b}" if row.direction == "a_to_b" else ""
        note = f"line {row.line}{way}{SIGN}{marks[row.line]}"
        items.append(
            make_item(
                space=space,
                what="evidence",
                at=at,
                payload=payload,
                known_at=known_at,
                source=reading.session,
                note=note,
            )
        )
    return items, len(again)


def _apart(times: Sequence[int]) -> list[int]:
    """Give each line a time of its own: a microsecond more for every line before it that has the same."""
    met: Counter[int] = Counter()
    found = []
    for time in times:
        found.append(time + met[time])
        met[time] += 1
    return found


def _key(payload: Payload, mark: str) -> tuple[str, ...]:
    """Name evidence by its pair, its kind and its line; of a whole session there is one for a pair."""
    return str(payload["a"]), str(payload["b"]), str(payload["kind"]), "" if payload["kind"] == SESSION else mark


def _moment(payload: Payload, at: int) -> tuple[str, ...]:
    """Name what may be told once at a time: the same again would be the same item."""
    return str(payload["a"]), str(payload["b"]), str(payload["kind"]), str(at)

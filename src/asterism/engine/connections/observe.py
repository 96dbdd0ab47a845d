"""Evidence, as a caller tells it: rows become items, items are written and folded, and each gets its receipt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from asterism.core.connections import read
from asterism.core.connections.fold import KINDS, Gain
from asterism.core.connections.model import Receipt
from asterism.core.connections.payloads import evidence_text
from asterism.core.connections.words import EvidenceKind, parse, word
from asterism.core.ledger.calendar import When, to_datetime
from asterism.core.ledger.items import Item, Payload, cut, make_item
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import Resolver
from asterism.engine.connections.tell import pair
from asterism.engine.space.collecting import without_collection
from asterism.engine.space.live import Live, Written
from asterism.engine.space.said import NamingTheRow, each_row, something_new, told_time
from asterism.errors import InputError

Result = TypeVar("Result")
LARGE_BATCH = 1_000


class Evidence(NamedTuple):
    """One item of evidence for `observe_many`."""

    a: str
    b: str
    kind: str
    at: When | None = None
    source: str | None = None
    note: str | None = None


EvidenceRow = Evidence | Mapping[str, str] | tuple[str, str, str]
EVIDENCE = frozenset(word(kind) for kind in EvidenceKind)


def evidence_rows(rows: Iterable[EvidenceRow]) -> list[Evidence]:
    """Read the rows of `observe_many`."""
    if not isinstance(rows, Iterable):
        raise _no_evidence(rows)
    return each_row(list(rows), as_evidence)


def as_evidence(row: EvidenceRow) -> Evidence:
    """Read a row of `observe_many`: an Evidence, a mapping with its fields, or (a, b, kind)."""
    if isinstance(row, Evidence):
        return row
    try:
        if isinstance(row, str):
            raise TypeError
        return Evidence(**row) if isinstance(row, Mapping) else Evidence(*row)
    except TypeError:
        raise _no_evidence(row) from None


def _no_evidence(told: object) -> InputError:
    return InputError(
        f"{cut(str(told))} is not evidence",
        code="bad_evidence",
        item=cut(str(told)),
        hint="give (a, b, kind), or a mapping with a, b, kind and maybe at, source, note",
    )


def observe(live: Live, rows: Sequence[Evidence], *, skip_erased: bool = False) -> list[Receipt]:
    """Write evidence: one transaction, all of it or none; give a receipt for each row."""

    def work() -> list[Receipt]:
        told = () if skip_erased else KINDS
        return [
            _receipt(live, each) for each in live.write(lambda folded: evidence_items(live, folded, rows), told=told)
        ]

    if len(rows) < LARGE_BATCH:
        return work()
    with without_collection():
        return work()


def evidence(resolver: Resolver, a: str, b: str, kind: str) -> dict[str, str]:
    """Say that something supports a link."""
    known = (
        kind if kind.__class__ is str and kind in EVIDENCE else word(parse(EvidenceKind, kind, what="evidence kind"))
    )
    first, second = pair(resolver, a, b)
    return {"a": first, "b": second, "kind": known}


def evidence_items(live: Live, projection: Projection, rows: Sequence[Evidence]) -> list[Item]:
    """Build the items of many rows; two alike without a time are two."""
    items: list[Item] = []
    taken: dict[bytes, int] = {}  # of rows alike without a time: when the last one came
    known_at, now, space, resolver = live.stamp(), live.now(), live.space, live.resolver(projection)
    with NamingTheRow(rows, items):
        for a, b, kind, told, source, note in rows:
            payload = evidence(resolver, a, b, kind)
            item = make_item(
                space=space,
                what="evidence",
                at=now if told is None else told_time(live, told, now=now),
                payload=payload,
                known_at=known_at,
                source=source or "",
                note=note or "",
                text=evidence_text(**payload),
            )
            items.append(something_new(live, item, taken=taken) if told is None else item)
    return items


def _receipt(live: Live, written: Written) -> Receipt:
    gain, item = written.done, written.item
    at = to_datetime(item.at)
    if not isinstance(gain, Gain):
        payload: Payload = item.payload
        folded = live.refresh().connections
        seen = read.link(folded, str(payload["a"]), str(payload["b"]))
        strength = seen.strength if seen else 0.0
        erased = written.outcome.buried
        return Receipt(item.id.hex(), at, not erased, 0.0, 0.0, 0.0, 0.0, None, strength, strength, erased)
    return Receipt(
        item.id.hex(),
        at,
        False,
        gain.gain,
        gain.raw_gain,
        gain.freshness,
        gain.day_total,
        gain.capped_by,
        gain.before,
        gain.after,
    )

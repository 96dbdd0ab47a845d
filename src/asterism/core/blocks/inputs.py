"""Which blocks the items of blocks are about; evidence that a block's text gave is about it too."""

from __future__ import annotations

from collections.abc import Collection

from asterism.core.blocks.payloads import FIELDS
from asterism.core.blocks.scoring import block_id
from asterism.core.ledger.about import NOTHING, Called, Declared, Says
from asterism.core.ledger.items import Item, Payload, Value
from asterism.core.ledger.payloads import texts
from asterism.core.text.names import block_of

LISTS = ("promoted", "duplicates", "superseded", "created", "displaced")  # of a dream: ids, pairs, edges
CONFLICTS = "conflicts"  # of a dream that found some
EVIDENCE = "evidence"


def says(item: Item) -> Says:
    """Say which blocks an item makes, needs, or says something of."""
    payload = item.payload
    match item.what:
        case "learned":
            return _learned(payload)
        case "edited":
            old, new = str(payload["block"]), block_id(str(payload["content"]))
            both = frozenset({old, new})
            return Says(makes=frozenset({new}), needs=frozenset({old}), same=both)
        case "forgotten" | "restored" | "pinned":
            return Says(needs=frozenset({str(payload["block"])}))
        case "dreamed":
            rows = (row for field in (*LISTS, CONFLICTS) if field in payload for row in texts(payload, field))
            return Says(parts=frozenset(name for row in rows for name in _ids(row)))
        case "used":
            return Says(parts=frozenset(texts(payload, "blocks")), sessions=frozenset({str(payload["session"])}))
        case "outcome":
            return Says(parts=frozenset(texts(payload, "blocks")))
        case "session":
            return Says(sessions=frozenset({str(payload["name"])}))
        case _:
            block = block_of(item.note)
            return NOTHING if block is None else Says(needs=frozenset({block}))


def _learned(payload: Payload) -> Says:
    block, name, conversation = (
        block_id(str(payload["content"])),
        str(payload["name"]),
        str(payload["conversation"]),
    )
    return Says(
        makes=frozenset({block}),
        parts=frozenset({str(payload["replaces"])} if "replaces" in payload else ()),
        sessions=frozenset({conversation} if conversation else ()),
        called=(Called(name, block),) if name else (),
    )


def without(payload: Payload, gone: Collection[str]) -> Payload | None:
    """Give what a dream, a use or an outcome says without some blocks; None if it says nothing then.

    A text that replaced one of them is told without saying so.

    >>> without({"blocks": ["7eb39c9b70ec4909", "e313e769951d8862"], "signal": 1.0}, {"e313e769951d8862"})
    {'blocks': ['7eb39c9b70ec4909'], 'signal': 1.0}
    """
    if "content" in payload:
        return {field: value for field, value in payload.items() if field != "replaces"}
    fields = [field for field in ("blocks", *LISTS, CONFLICTS) if field in payload]
    kept: dict[str, Value] = {
        field: [row for row in texts(payload, field) if not any(name in gone for name in _ids(row))] for field in fields
    }
    if not kept.get(CONFLICTS, True):
        payload = {field: value for field, value in payload.items() if field != CONFLICTS}
        del kept[CONFLICTS]
    return {**payload, **kept} if any(kept.values()) else None


def _ids(row: str) -> list[str]:
    """Give the blocks of a row: one id, two, or two and a score."""
    return row.split(" ")[:2]


DECLARED = Declared(frozenset({*FIELDS, EVIDENCE}), says, without)

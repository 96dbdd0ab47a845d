"""Late items: which of them can be folded where they come, and which make it necessary to fold all anew."""

from __future__ import annotations

from asterism.core.blocks.held import Held
from asterism.core.blocks.occurrences import at_once
from asterism.core.blocks.payloads import RETOLD
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.words import THERE
from asterism.core.ledger.items import Item
from asterism.core.ledger.payloads import texts

BEGINNING = ("content", "category", "conversation", "speaker")  # what the first telling of a block decides


def stands_alone(blocks: Held, item: Item) -> bool:
    """Say whether a late item can be folded where it comes: a text that none of the items here has to do with.

    Nobody told or named its block, and no active hour had passed by then that it could be older by; or its block
    was only ever told, and this is one more telling.
    """
    if item.what != "learned":
        return False
    name = block_id(str(item.payload["content"]))
    if name in blocks.blocks:
        return only_tells(blocks, name, item)
    return not blocks.clock.micros and name not in blocks.unmet


def only_tells(blocks: Held, name: str, item: Item) -> bool:
    """Say whether a late telling adds a time to a block, and nothing that depends on what was told when."""
    block, payload, rules = blocks.blocks[name], item.payload, blocks.parameters
    told = block.occurrences
    first = told[0]
    return (
        block.status in THERE
        and not (block.away or name in blocks.forebears or RETOLD in payload or payload["name"])
        and (item.at > first.at or begins_alike(blocks, name, item))
        and not at_once(told, item.at)
        and len(told) < rules.block_occurrences_max
        and len(block.sources) < rules.block_sources_max
        and (not payload["tags"] or len(block.tags) < rules.block_tags_max)
        and {*texts(payload, "tags")} <= {*block.tags}
        and all(not payload[field] or getattr(first, field) for field in ("conversation", "speaker"))
    )


def begins_alike(blocks: Held, name: str, item: Item) -> bool:
    """Say whether a block would be the same but for its time, had it begun with this item, before all others."""
    block, payload = blocks.blocks[name], item.payload
    return (
        name not in blocks.unmet
        and not blocks.clock.micros
        and all(payload[field] == getattr(block, field) for field in BEGINNING)
    )

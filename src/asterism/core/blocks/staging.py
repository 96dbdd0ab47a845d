"""From the fold to a dream's step: the active blocks and the inbox as columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import OUTCOME, SIMILAR
from asterism.core.blocks.records import Block
from asterism.core.blocks.state import Active, Edges, Inbox, Protected, Tags, Vectors
from asterism.core.blocks.words import ACTIVE, INBOX, THERE
from asterism.core.ledger.columns import Ints, Longs


def ids_of(blocks: Blocks, status: str) -> list[str]:
    """Give the ids of the blocks of a status, in order."""
    return sorted(name for name, block in blocks.blocks.items() if block.status == status)


def active_of(
    blocks: Blocks, vectors: Vectors, *, dream: str, now_hours: float, protected: Sequence[Protected] = ()
) -> Active:
    """Give the active blocks as a step of this dream sees them; `vectors` are theirs in the order of their ids.

    `protected` are the links of other capabilities; outcome links and those of pinned blocks are added here.
    """
    ids = ids_of(blocks, ACTIVE)
    row = {name: place for place, name in enumerate(ids)}
    faded = set(blocks.links.faded(now_hours, blocks.rate, blocks.parameters))
    links = [(key, link) for key, link in sorted(blocks.links.links.items()) if key not in faded]

    def there(*ends: str) -> bool:
        return all(blocks.blocks[end].status in THERE for end in ends)

    def pinned(*ends: str) -> bool:
        return any(blocks.blocks[end].pinned for end in ends)

    same = dream == blocks.dream
    lost = sorted(blocks.lost.items()) if same else []
    at, tags, category, facts = _columns(blocks, ids)
    return Active(
        ids=ids,
        at=at,
        tags=tags,
        category=category,
        facts=facts,
        hours=np.array([blocks.blocks[name].hours for name in ids], dtype=np.float64),
        vectors=vectors,
        fresh=np.array([same and name in blocks.fresh for name in ids], dtype=np.bool_),
        edges=Edges.of(
            [(row[a], row[b], link.anchor) for (kind, a, b), link in links if kind == SIMILAR and not pinned(a, b)]
        ),
        lost=Edges.of([(row[a], row[b], score) for (a, b), score in lost if a in row and b in row]),
        protected=[
            *protected,
            *(Protected(a, b, kind) for (kind, a, b), _ in links if kind == OUTCOME and there(a, b)),
            *(Protected(a, b, kind) for (kind, a, b), _ in links if kind == SIMILAR and pinned(a, b)),
        ],
    )


def inbox_of(blocks: Blocks) -> Inbox:
    """Give the inbox, in the order of the ids."""
    ids = ids_of(blocks, INBOX)
    at, tags, category, facts = _columns(blocks, ids)
    return Inbox(ids=ids, at=at, tags=tags, category=category, facts=facts)


def _columns(blocks: Blocks, ids: list[str]) -> tuple[Longs, Tags, Ints, Longs]:
    each = [blocks.blocks[name] for name in ids]
    there = blocks.blocks.values()
    tag = {name: code for code, name in enumerate(sorted({name for block in there for name in block.tags}))}
    category = {name: code for code, name in enumerate(sorted({block.category for block in there}))}
    return (
        np.array([block.at for block in each], dtype=np.int64),
        Tags.of([[tag[name] for name in block.tags] for block in each]),
        np.array([category[block.category] for block in each], dtype=np.int32),
        np.array([_facts(blocks, *pair) for pair in zip(ids, each, strict=True)], dtype=np.int64),
    )


def _facts(blocks: Blocks, name: str, block: Block) -> int:
    """Give the code that blocks share which may repeat or supersede each other; one with a slot or an end has its own.

    What ends is told, not guessed, and what has ended can still be asked for.
    """
    return int.from_bytes(bytes.fromhex(name), signed=True) if name in blocks.terms.timed else block.facts

"""The item of a dream, folded: what it promoted, retired, linked and found to be in conflict."""

from __future__ import annotations

from itertools import chain

from asterism.core.blocks.held import Held
from asterism.core.blocks.links import SIMILAR, Link, key_of
from asterism.core.blocks.payloads import said_of
from asterism.core.blocks.words import ACTIVE, DUPLICATE, INBOX, SUPERSEDED, THERE
from asterism.core.ledger.items import Item


def dreamed(blocks: Held, item: Item) -> None:
    """Do what a dream decided, where it can still be done."""
    said = said_of(item.payload)
    if said.dream != blocks.dream:
        blocks.begin_dream(said.dream)
    blocks.unfinished = said.remaining > 0
    blocks.meet(chain(said.promoted, *said.duplicates, *said.superseded))
    blocks.meet(end for edge in chain(said.displaced, said.created) for end in edge[:2])
    blocks.meet(end for mark in said.conflicts for end in mark[:2])
    for mark in said.conflicts:
        blocks.mark(mark)
    for key in list(blocks.links.faded(said.hours, blocks.rate, blocks.parameters)):
        blocks.links.drop(key)
    for name in said.promoted:
        if blocks.is_(name, INBOX):
            blocks.blocks[name].status, blocks.blocks[name].hours = ACTIVE, said.hours
            blocks.fresh.add(name)
            blocks.changed.add(name)
    for pairs, status in ((said.duplicates, DUPLICATE), (said.superseded, SUPERSEDED)):
        for name, heir in pairs:
            if blocks.is_(name, *THERE) and blocks.there(heir) not in (None, name):
                blocks.leave(name, status, heir)
    for edge in said.displaced:
        if blocks.is_pinned(edge.a) or blocks.is_pinned(edge.b):
            continue
        blocks.links.drop(key_of(SIMILAR, edge.a, edge.b))
        blocks.lost[edge.a, edge.b] = edge.score
    for edge in said.created:
        if blocks.is_(edge.a, ACTIVE) and blocks.is_(edge.b, ACTIVE):
            blocks.links.put(key_of(SIMILAR, edge.a, edge.b), Link(edge.score, said.hours))
            blocks.lost.pop((edge.a, edge.b), None)
    for end in sorted({end for edge in said.created for end in edge[:2]}):  # two merged memories may both have dreamed
        blocks.links.hold(
            end, blocks.parameters.edge_degree_cap, lambda other: blocks.is_(other, *THERE), blocks.is_pinned
        )

"""What the fold of blocks shows: blocks, their structural links, and what stands for what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from asterism.core.blocks.conflicting import conflicts_of, open_conflicts
from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import CONFLICT, Key
from asterism.core.blocks.model import BlockView, SlotValue, Telling
from asterism.core.blocks.records import Occurrence
from asterism.core.blocks.scoring import decay_tier, recency
from asterism.core.blocks.validity import Stay, history, holds, stays
from asterism.core.blocks.words import FORGOTTEN, STATUSES, THERE
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.model import Link, structural
from asterism.errors import InputError

ORIGINS = {"similar": "similarity", "co_occurs": "use", "outcome": "outcome", CONFLICT: "claims"}


def block(blocks: Blocks, name: str) -> BlockView | None:
    """Read one block, whatever became of it, or None."""
    found = blocks.blocks.get(name)
    if found is None:
        return None
    told = blocks.occurrences(name)
    held = _held(blocks, name)
    return BlockView(
        id=name,
        content=found.content,
        name=found.name,
        category=found.category,
        tags=found.tags,
        sources=found.sources,
        conversation=found.conversation,
        speaker=found.speaker,
        status=found.status,
        superseded_by=blocks.there(name) if found.status not in THERE else None,
        at=to_datetime(told[-1].at),
        tier=decay_tier(found.tags, found.category),
        recency=recency(max(0.0, blocks.hours_now - found.hours), decay_rate=blocks.rate(name)),
        confidence=found.confidence(blocks.parameters),
        outcomes=found.outcomes,
        first_at=to_datetime(told[0].at),
        times=len(told),
        occurrences=tuple(map(_telling, told)),
        away=tuple((to_datetime(left), _when(back)) for left, back in found.away),
        slot=held.slot if held is not None else "",
        valid_from=_when(None if held is None else held.begin),
        valid_until=_when(None if held is None else held.end),
        current=held is not None and holds(held, blocks.seen or blocks.clock.at),
        expires=_when(told[-1].expires),
        pinned=found.pinned,
        conflicts=conflicts_of(blocks, name, blocks.seen or blocks.clock.at),
    )


def _when(at: int | None) -> datetime | None:
    return None if at is None else to_datetime(at)


def _telling(told: Occurrence) -> Telling:
    return Telling(
        at=to_datetime(told.at),
        item=told.item,
        sources=told.sources,
        conversation=told.conversation,
        speaker=told.speaker,
        slot=told.slot,
        valid_from=_when(told.valid_from),
        valid_until=_when(told.valid_until),
        expires=_when(told.expires),
        replaces=told.replaces,
    )


def _held(blocks: Blocks, name: str) -> Stay | None:
    """Give the stay in which a block holds now, else the last that has begun, else the first to come."""
    each = stays(blocks, name)
    now = blocks.seen or blocks.clock.at
    if len(each) == 1:
        return each[0]
    begun = [stay for stay in each if stay.begin <= now] or list(each[:1])
    return next((stay for stay in begun if holds(stay, now)), begun[-1] if begun else None)


def slot_values(blocks: Blocks, slot: str | None = None) -> list[SlotValue]:
    """Read what a slot held, in the order of time; or every slot, in the order of their names."""
    return [
        SlotValue(
            slot=name,
            id=held.block,
            text=blocks.blocks[held.block].content,
            begin=to_datetime(held.stay.begin),
            end=_when(held.stay.end),
            ended_by=held.stay.ended_by,
            current=holds(held.stay, blocks.seen),
        )
        for name in (sorted(blocks.terms.slots) if slot is None else [slot])
        for held in history(blocks, name)
    ]


def last_values(blocks: Blocks) -> list[SlotValue]:
    """Read what each slot holds, or what it held last, in the order of their names."""
    last: dict[str, SlotValue] = {}
    for each in slot_values(blocks):
        if each.current or each.slot not in last or not last[each.slot].current:
            last[each.slot] = each
    return list(last.values())


def blocks_of(blocks: Blocks, statuses: Iterable[str] = THERE) -> list[BlockView]:
    """Read the blocks of some statuses, in the order they were learned."""
    wanted = (statuses,) if isinstance(statuses, str) or not isinstance(statuses, Iterable) else tuple(statuses)
    for status in wanted:
        if status not in STATUSES:
            hint = f"use {', '.join(STATUSES)}"
            raise InputError(f"{status!r} is no status of a block", code="bad_status", item=str(status), hint=hint)
    names = [name for name, each in blocks.blocks.items() if each.status in wanted]
    read = [block(blocks, name) for name in sorted(names, key=lambda name: (blocks.blocks[name].at, name))]
    return [each for each in read if each is not None]


def standing(blocks: Blocks, node: str) -> str:
    """Give the id that stands for a node now: its heir's if it is a block that has one, else its own."""
    return (blocks.there(node) or node) if node in blocks.blocks else node


def forgotten_heir(blocks: Blocks, name: str) -> str:
    """Follow a block to what took its place, as `forget` does."""
    for _ in range(len(blocks.blocks)):
        heir = blocks.blocks[name].heir
        if blocks.blocks[name].status == FORGOTTEN or heir not in blocks.blocks:
            return name
        name = heir
    return name


def links(blocks: Blocks, a: str | None = None, b: str | None = None) -> list[Link]:
    """Read structural links, strongest first: all, those of one block, or those of a pair."""
    ends = [standing(blocks, end) for end in (a, b) if end is not None]
    keys = blocks.links.of(ends[0]) if ends else sorted(blocks.links.links)
    there = {end for key in keys for end in key[1:] if blocks.blocks[end].status in THERE}
    shown = [key for key in keys if set(ends) <= set(key[1:]) <= there]
    found = [link_of(blocks, key, seen_from=ends[0] if ends else None) for key in shown]
    found += _conflicts(blocks, ends)
    return sorted(found, key=lambda link: (-link.strength, link.id))


def _conflicts(blocks: Blocks, ends: list[str]) -> Iterator[Link]:
    """Give the conflicts that are open: all, those of one block, or that of a pair."""
    for mark in open_conflicts(blocks, blocks.seen, of=ends[0] if ends else None):
        if {*ends} <= {*mark[:2]}:
            seen_from = ends[0] if ends else None
            yield structural(CONFLICT, mark.a, mark.b, mark.confidence, origin=ORIGINS[CONFLICT], seen_from=seen_from)


def link_of(blocks: Blocks, key: Key, *, seen_from: str | None = None) -> Link:
    """Read one structural link."""
    kind, a, b = key
    strength = blocks.strength(key, blocks.hours_now)
    return structural(kind, a, b, strength, origin=ORIGINS[kind], seen_from=seen_from)

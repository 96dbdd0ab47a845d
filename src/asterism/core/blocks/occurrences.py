"""The times at which words were told, and which of them begin or end something."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from asterism.core.blocks.payloads import TERMS, TIMES
from asterism.core.blocks.records import NO_TERMS, Away, Occurrence
from asterism.core.ledger.items import Item

TERM_NAMES = frozenset(TERMS)


def telling(item: Item, *, conversation: str = "", speaker: str = "") -> Occurrence:
    """Give the occurrence that an item tells."""
    payload, sources = item.payload, (item.source,) if item.source else ()
    if TERM_NAMES.isdisjoint(payload):  # almost always
        return Occurrence(item.at, item.id.hex(), sources, conversation, speaker)
    valid_from, valid_until, expires = (payload.get(name) for name in TIMES)
    return Occurrence(
        at=item.at,
        item=item.id.hex(),
        sources=sources,
        conversation=conversation,
        speaker=speaker,
        slot=str(payload.get("slot", "")),
        valid_from=valid_from if isinstance(valid_from, int) else None,
        valid_until=valid_until if isinstance(valid_until, int) else None,
        expires=expires if isinstance(expires, int) else None,
        replaces=str(payload.get("replaces", "")),
    )


def with_telling(known: tuple[Occurrence, ...], told: Occurrence) -> tuple[Occurrence, ...]:
    """Add a telling to those of a block; two sources of one time are one occurrence.

    >>> (both,) = with_telling((Occurrence(1, "01", ("ann",)),), Occurrence(1, "00", ("bob",)))
    >>> both.item, both.sources
    ('00', ('ann', 'bob'))
    """
    first, beyond = _span(known, told.at)
    for near in reversed(range(first, beyond)):
        if (one := _joined(known[near], told)) is not None:
            known, told = (*known[:near], *known[near + 1 :]), one
            break
    place = bisect_left(known, told[:2], key=lambda each: each[:2])
    return (*known[:place], told, *known[place:])


def _joined(known: Occurrence, told: Occurrence) -> Occurrence | None:
    """Give two tellings of one time as one, unless they say otherwise how long it holds, or of what."""
    if told.terms not in (NO_TERMS, known.terms) and known.terms != NO_TERMS:
        return None
    one = told if known.terms == NO_TERMS else known
    return one._replace(
        item=min(known.item, told.item),
        sources=tuple(sorted({*known.sources, *told.sources})),
        conversation=known.conversation or told.conversation,
        speaker=known.speaker or told.speaker,
    )


def at_once(occurrences: Sequence[Occurrence], at: int) -> Sequence[Occurrence]:
    """Give the occurrences of one time.

    >>> [each.item for each in at_once([Occurrence(1, "00"), Occurrence(2, "01"), Occurrence(2, "02")], 2)]
    ['01', '02']
    """
    first, beyond = _span(occurrences, at)
    return occurrences[first:beyond]


def _span(occurrences: Sequence[Occurrence], at: int) -> tuple[int, int]:
    first = bisect_left(occurrences, at, key=lambda each: each.at)
    return first, bisect_right(occurrences, at, lo=first, key=lambda each: each.at)


def bounded(occurrences: tuple[Occurrence, ...], most: int) -> tuple[tuple[Occurrence, ...], int]:
    """Keep the first and the last of too many plain tellings; give also how many were left out.

    >>> [each.at for each in bounded(tuple(Occurrence(at, "") for at in range(4)), 3)[0]]
    [0, 2, 3]
    """
    beyond = len(occurrences) - most
    if beyond <= 0:
        return occurrences, 0
    plain = [place for place, each in enumerate(occurrences) if place and each.terms == NO_TERMS][:beyond]
    gone = set(plain)
    return tuple(each for place, each in enumerate(occurrences) if place not in gone), len(gone)


def closed(away: Away, at: int) -> Away:
    """End the stretch that is open, if one is.

    >>> closed(((1, None),), 3), closed(((1, 2),), 3)
    (((1, 3),), ((1, 2),))
    """
    return (*away[:-1], (away[-1][0], at)) if away and away[-1][1] is None else away


class Entry(NamedTuple):
    """Where something begins: when, told by which item, of which block."""

    begin: int
    item: str
    block: str


@dataclass
class Terms:
    """What slots hold, what was replaced, and which blocks have a beginning or an end that was told."""

    slots: dict[str, list[Entry]] = field(default_factory=dict)  # in the order (begin, item)
    replaced: dict[str, list[Entry]] = field(default_factory=dict)  # by block: what ends it, in the same order
    timed: set[str] = field(default_factory=set)  # the few that may not hold for ever, or not yet

    def add(self, block: str, told: Occurrence) -> None:
        """Take note of a telling that says how long it holds, or of what."""
        entry = Entry(told.begin, told.item, block)
        self.timed.add(block)
        for name, known in ((told.slot, self.slots), (told.replaces, self.replaced)):
            entries = known.setdefault(name, []) if name else []
            place = bisect_left(entries, entry)
            if name and entries[place : place + 1] != [entry]:
                entries.insert(place, entry)
        if told.replaces:
            self.timed.add(told.replaces)

    def copy(self) -> Terms:
        """Copy what is noted."""
        slots, replaced = (
            {name: list(entries) for name, entries in known.items()} for known in (self.slots, self.replaced)
        )
        return Terms(slots, replaced, set(self.timed))

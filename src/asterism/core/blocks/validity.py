"""How long what was told holds: each telling begins something, and valid_until, another block or its slot ends it.

The value of a slot at a time is what was told of it with the latest (begin, item) up to then: other words end it, the
same words go on. What ended does not come back: once its last words are forgotten or have run out, a slot is empty.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.occurrences import Entry
from asterism.core.blocks.records import NO_TERMS, Occurrence

VALID_UNTIL, EXPIRED, PUT_AWAY = "valid_until", "expires", "put away"  # what ends a stay, if no block does


class Stay(NamedTuple):
    """A stretch of time in which a block holds."""

    begin: int
    end: int | None
    slot: str = ""
    ended_by: str = ""  # a block, or `valid_until`, `expires`, `put away`; empty if nothing ends it


class Held(NamedTuple):
    """What a slot held, and when."""

    block: str
    stay: Stay


def stays(blocks: Blocks, name: str) -> tuple[Stay, ...]:
    """Give the stretches in which a block holds, or what stands for it if a dream found it to repeat that.

    The same words told again go on, by what was told last of when and how long. Told without a slot while they are the
    value of one, they go on there.
    """
    name = blocks.standing(name)
    told = blocks.occurrences(name)
    if not blocks.blocks[name].away and name not in blocks.terms.timed and all(each.terms == NO_TERMS for each in told):
        return (Stay(told[0].at, None),)
    ends, pieces = Ends(blocks, name, told), dict[str, list[Stay]]()  # by slot, in the order of time
    for each in told:
        slots = [each.slot] if each.slot else _held_in(pieces, each.begin) or [""]
        for slot in {*slots, ""}:
            _cut(pieces.setdefault(slot, []), each.begin, name)
        for slot in slots:
            for stay in ends.pieces(each, slot):
                _join(pieces[slot], stay)
    return tuple(sorted(stay for each in pieces.values() for stay in each if stay.end != stay.begin))


def _held_in(pieces: dict[str, list[Stay]], at: int) -> list[str]:
    """Name the slots that are held at a time: the last stay that has begun by then covers it."""
    begun = {slot: bisect_right(each, at, key=lambda stay: stay.begin) for slot, each in pieces.items() if slot}
    return [slot for slot, count in begun.items() if count and holds(pieces[slot][count - 1], at)]


def holds(stay: Stay, at: int) -> bool:
    """Say whether a stay covers a time."""
    return stay.begin <= at and (stay.end is None or at < stay.end)


def _cut(pieces: list[Stay], at: int, name: str) -> None:
    """Keep what was before a time at which the same words were told again; stays are in order, and apart."""
    while pieces and pieces[-1].begin > at:
        pieces.pop()
    if pieces and (pieces[-1].end is None or pieces[-1].end > at):
        pieces[-1] = pieces[-1]._replace(end=at, ended_by=name)


def _join(pieces: list[Stay], stay: Stay) -> None:
    """Add a stay to those before it; what goes on without a gap is one."""
    if pieces and pieces[-1].end == stay.begin:
        stay = stay._replace(begin=pieces.pop().begin)
    pieces.append(stay)


class Ends:
    """What ends the tellings of a block."""

    def __init__(self, blocks: Blocks, name: str, told: tuple[Occurrence, ...]) -> None:
        self.blocks, self.name = blocks, name
        self.away = blocks.blocks[name].away
        self.anew = {each.at for each in told}
        replaced = blocks.terms.replaced
        self.replaced = sorted(entry for each in blocks.same(name) for entry in replaced.get(each, ()))
        self.runs: dict[str, range] = {}  # by slot: the last entries that were found to be of the same words

    def pieces(self, told: Occurrence, slot: str) -> Iterator[Stay]:
        """Give the stretches in which a telling holds: up to its end, but for those in which its block was put away.

        What is restored goes on; what had to be told anew has ended.
        """
        end, by = min(self._all(told, slot), default=(None, ""))
        begin = told.begin
        for left, back in self.away:
            if left < told.at or (end is not None and left >= end):
                continue
            if begin < left:
                yield Stay(begin, left, slot, PUT_AWAY)
            if back is None or back in self.anew or (end is not None and back >= end):
                return
            begin = max(begin, back)
        yield Stay(begin, end if end is None else max(begin, end), slot, by)

    def _all(self, told: Occurrence, slot: str) -> Iterator[tuple[int, str]]:
        """Give everything that ends a telling, and when."""
        if told.valid_until is not None:
            yield told.valid_until, VALID_UNTIL
        if told.expires is not None:
            yield told.expires, EXPIRED
        later = _behind(self.replaced, told)
        entries = self.blocks.terms.slots.get(slot, [])
        other = self._other(entries, _behind(entries, told), slot)
        for entry in (*self.replaced[later : later + 1], *entries[other : other + 1]):
            yield entry.begin, entry.block

    def _other(self, entries: list[Entry], place: int, slot: str) -> int:
        """Give the first place from this one on at which a slot was told to hold other words.

        A slot may be told the same words, or others, many thousand times: no entry is looked at twice in vain.
        """
        run = self.runs.get(slot, range(0))
        if place in run:
            return run.stop
        end = place
        while end < len(entries) and self.blocks.standing(entries[end].block) == self.name:
            end += 1
        self.runs[slot] = range(place, end)
        return end


def _behind(entries: list[Entry], told: Occurrence) -> int:
    """Give the place of the first entry that begins later than a telling."""
    return bisect_right(entries, (told.begin, told.item), key=lambda entry: entry[:2])


def is_current(blocks: Blocks, name: str, at: int) -> bool:
    """Say whether a block holds at a time."""
    return any(holds(stay, at) for stay in stays(blocks, name))


def valid_until(blocks: Blocks, name: str, at: int) -> int | None:
    """Give the end of what holds at a time, or of what held last before it; None if that is open, or not begun."""
    begun = [stay for stay in stays(blocks, name) if stay.begin <= at]
    now = [stay for stay in begun if holds(stay, at)] or begun
    ends = [stay.end for stay in now]
    return None if None in ends else max((end for end in ends if end is not None), default=None)


def ended_by(blocks: Blocks, name: str, at: int) -> str:
    """Name the block whose telling is that end (`valid_until`); empty if there is none, or something else is."""
    end = valid_until(blocks, name, at)
    found = {stay.ended_by for stay in stays(blocks, name) if stay.end == end}
    return min((blocks.standing(other) for other in found if other in blocks.blocks), default="")


def history(blocks: Blocks, slot: str) -> list[Held]:
    """Give what a slot held, in the order of time; and what it will hold, if that was told."""
    names = sorted({blocks.standing(entry.block) for entry in blocks.terms.slots.get(slot, [])})
    held = [Held(name, stay) for name in names for stay in stays(blocks, name) if stay.slot == slot]
    return sorted(held, key=lambda each: (each.stay.begin, each.block))


def value(blocks: Blocks, slot: str, at: int) -> str | None:
    """Give the block that a slot holds at a time, or None."""
    return next((held.block for held in history(blocks, slot) if holds(held.stay, at)), None)


def expired(blocks: Blocks, name: str, at: int) -> bool:
    """Say whether a block has left recall by a time: its last telling up to then said until when it stays."""
    if name not in blocks.terms.timed and name not in blocks.forebears:
        return False
    told = [each.expires for each in blocks.occurrences(name) if each.at <= at]
    return bool(told) and told[-1] is not None and told[-1] <= at


def timed(blocks: Blocks) -> set[str]:
    """Name the (few) blocks of which a beginning or an end was told, or that something replaced: all others hold."""
    return {blocks.standing(name) for name in blocks.terms.timed if name in blocks.blocks}

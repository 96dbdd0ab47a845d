"""When the blocks hold of which an end or a beginning is known, laid out for many questions.

They are few: whatever is not among them holds since it was told, and costs a question nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from asterism.core.blocks.conflicting import earlier_and_later
from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.validity import Stay, stays, timed
from asterism.core.ledger.columns import Bools, Longs
from asterism.core.recall.asked_time import asked_time
from asterism.core.recall.time_spans import Span
from asterism.core.recall.times import Moment

NO_END = np.iinfo(np.int64).max


class Holding:
    """The stays of these blocks, and when they leave recall, as columns; by rows of an index."""

    def __init__(self, blocks: Blocks, rows: Mapping[str, int]) -> None:
        stay_of = _stays(blocks)
        known = sorted((rows[name], name) for name in stay_of if name in rows)
        places = {name: place for place, (_, name) in enumerate(known)}
        self.names = frozenset(name for _, name in known)
        self.rows: Longs = np.array([row for row, _ in known], dtype=np.int64)
        held, leaves = list[tuple[int, int, int]](), list[tuple[int, int, int]]()
        for place, (_, name) in enumerate(known):
            held += [(place, stay.begin, NO_END if stay.end is None else stay.end) for stay in stay_of[name]]
            for each in blocks.occurrences(name):
                leaves.append((place, each.at, NO_END if each.expires is None else each.expires))
        self._place, self._begin, self._end = _columns(held)
        self._left, self._told, self._leaves = _columns(leaves)
        groups = _groups(blocks, stay_of)
        self._slots, self._values = _several(groups, places)
        in_slots = {blocks.standing(each.block) for told in blocks.terms.slots.values() for each in told}
        self._of_slot: Bools = np.array([name in in_slots for _, name in known], dtype=np.bool_)
        self._earlier = _earlier(blocks, rows, places)
        self._turns_of, self._turns = _turns(blocks, rows, stay_of, groups)

    def moment(self, question: str, now: int) -> Moment:
        """Say what a question that is asked at a time says of time, and what holds then."""
        asked = asked_time(question, now)
        at_present = self._holding([(now, now + 1)])
        outdated, later = self._outdated(at_present)
        if not len(self.rows):
            return Moment(now, asked, outdated=outdated, later=later, turns=self._turns, turns_of=self._turns_of)
        then = self._holding(asked.spans) if asked.spans else at_present
        if all((end if asked.ahead else begin) > now for begin, end in asked.spans):  # it looks ahead
            then &= ~self._followed(asked.spans)
        ended = self._marked(self._place[self._end <= now]) & ~at_present
        coming = self._marked(self._place[self._begin > now]) & ~at_present & ~ended
        return Moment(
            now,
            asked,
            coming=self.rows[coming],
            awaited=self.rows[coming & self._of_slot],
            held=self.rows[then] if asked.spans else self.rows[:0],
            former=self.rows[ended],
            not_valid=self.rows[~then],
            outdated=outdated,
            later=later,
            gone=self.rows[self.expired(now)],
            slots=self._slots,
            slot_rows=self.rows[self._values],
            slot_holds=then[self._values],
            turns=self._turns,
            turns_of=self._turns_of,
        )

    def _outdated(self, at_present: Bools) -> tuple[Longs, Longs]:
        """Give rows, and those that contradict them and were told later: both hold, nobody settled which is right."""
        row, later, one, other = self._earlier
        holds = np.append(at_present, True)  # the last is for what has no end
        open_still: Bools = holds[one] & holds[other]
        return row[open_still], later[open_still]

    def expired(self, now: int) -> Bools:
        """Mark the blocks that have left recall: their last telling up to now said until when they stay."""
        expired = np.zeros(len(self.rows), dtype=np.bool_)
        told = self._told <= now
        expired[self._left[told]] = self._leaves[told] <= now  # the last one of each counts
        return expired

    def _holding(self, spans: Sequence[Span]) -> Bools:
        found = np.zeros(len(self.rows), dtype=np.bool_)
        for begin, end in spans:
            found |= self._marked(self._place[(self._begin < end) & (self._end > begin)])
        return found

    def _followed(self, spans: Sequence[Span]) -> Bools:
        """Mark values of slots that another one follows within the stretches, without beginning there themselves."""
        begins = self._begins_in(spans)[self._values]
        followed = np.isin(self._slots, self._slots[begins]) & ~begins
        return self._marked(self._values[followed])

    def _begins_in(self, spans: Sequence[Span]) -> Bools:
        found = np.zeros(len(self.rows), dtype=np.bool_)
        for begin, end in spans:
            found |= self._marked(self._place[(self._begin >= begin) & (self._begin < end)])
        return found

    def _marked(self, places: Longs) -> Bools:
        found = np.zeros(len(self.rows), dtype=np.bool_)
        found[places] = True
        return found


def _earlier(blocks: Blocks, rows: Mapping[str, int], timed: Mapping[str, int]) -> Longs:
    """Give both sides of each conflict by their rows, the earlier first; and their places among those that may end."""
    found = []
    for earlier, later in earlier_and_later(blocks):
        if earlier in rows and later in rows:
            found.append((rows[earlier], rows[later], timed.get(earlier, -1), timed.get(later, -1)))
    return _columns(found, width=4)


def _stays(blocks: Blocks) -> dict[str, tuple[Stay, ...]]:
    """Give when the blocks hold of which an end or a beginning is known, and what took their place."""
    found = {name: stays(blocks, name) for name in timed(blocks)}
    by = {stay.ended_by for each in found.values() for stay in each}
    return found | {name: stays(blocks, name) for name in by - found.keys() if name in blocks.blocks}


def _groups(blocks: Blocks, stay_of: Mapping[str, tuple[Stay, ...]]) -> list[set[str]]:
    """Give the blocks of which one took the other's place: the values of each slot, and what replaced what."""
    slots = [{blocks.standing(each.block) for each in told} for told in blocks.terms.slots.values()]
    replaced = [(name, stay.ended_by) for name in sorted(stay_of) for stay in stay_of[name] if not stay.slot]
    return [*slots, *_joined((name, by) for name, by in replaced if by in stay_of and by != name)]


def _several(groups: Sequence[set[str]], places: Mapping[str, int]) -> tuple[Longs, Longs]:
    """Give the members of every group that has several: the group's number, and the place of the member."""
    found = []
    for number, names in enumerate(groups):
        members = sorted(places[name] for name in names if name in places)
        found += [(number, place, 0) for place in members] if len(members) > 1 else []
    numbers, members_of, _ = _columns(found)
    return numbers, members_of


def _turns(
    blocks: Blocks, rows: Mapping[str, int], stay_of: Mapping[str, tuple[Stay, ...]], groups: Sequence[set[str]]
) -> tuple[Longs, Longs]:
    """Give the rows that took turns, in the order of time: of groups, and of what contradicts each other."""
    found = list[tuple[int, int, int]]()
    for number, names in enumerate(groups):
        begun = [(stay.begin, rows[name]) for name in names if name in rows for stay in stay_of.get(name, ())]
        found += [(number, begin, row) for begin, row in begun]
    for number, names in enumerate(_joined(earlier_and_later(blocks)), len(groups)):
        found += [(number, blocks.occurrences(name)[-1].at, rows[name]) for name in names if name in rows]
    of, _, row = _columns(sorted(found))
    return of, row


def _joined(pairs: Iterable[tuple[str, str]]) -> list[set[str]]:
    """Put together all that are in a pair with one another, in the order in which they came."""
    group_of = dict[str, set[str]]()
    for one, other in pairs:
        both = group_of.get(one, {one}) | group_of.get(other, {other})
        group_of |= dict.fromkeys(both, both)
    return list({id(group): group for group in group_of.values()}.values())


def _columns(told: Sequence[tuple[int, ...]], *, width: int = 3) -> Longs:
    return np.array(told, dtype=np.int64).reshape(-1, width).T

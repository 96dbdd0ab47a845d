"""When the blocks hold of which an end or a beginning is known, laid out for many questions.

They are few: whatever is not among them holds since it was told, and costs a question nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.validity import stays, timed
from asterism.core.ledger.columns import Bools, Longs
from asterism.core.recall.asked_time import asked_time
from asterism.core.recall.time_phrases import Span
from asterism.core.recall.times import Moment

NO_END = np.iinfo(np.int64).max


class Holding:
    """The stays of these blocks, and when they leave recall, as columns; by rows of an index."""

    def __init__(self, blocks: Blocks, rows: Mapping[str, int]) -> None:
        known = sorted((rows[name], name) for name in timed(blocks) if name in rows)
        self.names = frozenset(name for _, name in known)
        self.rows: Longs = np.array([row for row, _ in known], dtype=np.int64)
        held, leaves = list[tuple[int, int, int]](), list[tuple[int, int, int]]()
        for place, (_, name) in enumerate(known):
            held += [(place, stay.begin, NO_END if stay.end is None else stay.end) for stay in stays(blocks, name)]
            for each in blocks.occurrences(name):
                leaves.append((place, each.at, NO_END if each.expires is None else each.expires))
        self._place, self._begin, self._end = _columns(held)
        self._left, self._told, self._leaves = _columns(leaves)

    def moment(self, question: str, now: int) -> Moment:
        """Say what a question that is asked at a time says of time, and what holds then."""
        asked = asked_time(question, now)
        if not len(self.rows):
            return Moment(now, asked)
        at_present = self._holding([(now, now + 1)])
        then = self._holding(asked.spans) if asked.spans else at_present
        ended = self._marked(self._place[self._end <= now]) & ~at_present
        return Moment(
            now,
            asked,
            held=self.rows[then] if asked.spans else self.rows[:0],
            former=self.rows[ended],
            not_valid=self.rows[~then],
            gone=self.rows[self.expired(now)],
        )

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

    def _marked(self, places: Longs) -> Bools:
        found = np.zeros(len(self.rows), dtype=np.bool_)
        found[places] = True
        return found


def _columns(told: list[tuple[int, int, int]]) -> Longs:
    return np.array(told, dtype=np.int64).reshape(-1, 3).T

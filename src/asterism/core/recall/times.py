"""When entries were told, and what that says of a question that asks about a time.

then       told, valid or spoken of in a stretch of time that the question names; or to come, where that is asked for
recent     how lately it was told, where now or the latest is asked for; or how early, where the first time is
former     it held once, where the question asks for that
often      it was told more than once, where the question asks how often
not_valid  it does not hold at the time asked about; or it does, where the question asks for what held once
outdated   something told later contradicts it, and nobody settled which is right
heir       it is the value, at the time asked about, of a slot of which another value answers better
instead    it was told later than what it contradicts: what the question has to do with that counts for it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.columns import Bools, Columns, Floats, Longs, Rows
from asterism.core.recall.asked_time import AskedTime
from asterism.core.recall.entries import NEVER

TIME_SIGNALS = ("then", "recent", "former", "often", "not_valid", "outdated", "heir", "instead")
WHATEVER = 3.0  # how much more a time counts where nothing else is asked for
_NONE: Longs = np.empty(0, dtype=np.int64)


class Times:
    """All times of the entries that were told more than once, by row."""

    def __init__(self) -> None:
        self._by_row: dict[int, tuple[int, ...]] = {}
        self._flat: tuple[Longs, Longs] | None = None

    def put(self, row: int, times: tuple[int, ...]) -> None:
        """Note the times of a row; none, if it was told once or is gone."""
        if times or row in self._by_row:
            self._by_row.pop(row, None)
            self._flat = None
            if times:
                self._by_row[row] = times

    def flat(self) -> tuple[Longs, Longs]:
        """Give rows and times, a pair for each time."""
        if self._flat is None:
            pairs = [(row, at) for row, times in sorted(self._by_row.items()) for at in times]
            rows, times = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
            self._flat = rows, times
        return self._flat

    def several(self, size: int) -> Floats | None:
        """Mark the rows that were told more than once; None if there are none.

        >>> times = Times()
        >>> times.put(1, (10, 20))
        >>> times.several(3).tolist()
        [0.0, 1.0, 0.0]
        """
        return _marked(np.array(sorted(self._by_row), dtype=np.int64), size)

    def dump(self, renumbered: Rows) -> Columns:
        """Copy them out with other numbers of rows."""
        rows, times = self.flat()
        rows = renumbered[rows].astype(np.int64)
        order = np.lexsort((times, rows))
        return {"rows": rows[order], "times": times[order]}

    @classmethod
    def load(cls, columns: Columns) -> Times:
        """Take what `dump` gave."""
        found, told = cls(), dict[int, list[int]]()
        for row, at in zip(columns["rows"].tolist(), columns["times"].tolist(), strict=True):
            told.setdefault(row, []).append(at)
        found._by_row = {row: tuple(times) for row, times in told.items()}
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """When a question is asked, what it says of time, and the rows of which it is known when they hold.

    Of all other rows it is not known that they begin or end; they hold.
    """

    now: int
    asked: AskedTime = field(default_factory=AskedTime)
    held: Longs = field(default_factory=_NONE.copy)  # in a stretch asked about
    named: Longs = field(default_factory=_NONE.copy)  # their words name a time in a stretch asked about
    named_else: Longs = field(default_factory=_NONE.copy)  # their words name times, and none of them is in one
    coming: Longs = field(default_factory=_NONE.copy)  # after now, and not before
    awaited: Longs = field(default_factory=_NONE.copy)  # of those, the values of slots
    former: Longs = field(default_factory=_NONE.copy)  # before now, and no longer
    not_valid: Longs = field(default_factory=_NONE.copy)  # at the time asked about
    outdated: Longs = field(default_factory=_NONE.copy)  # contradicted by what was told later
    later: Longs = field(default_factory=_NONE.copy)  # for each of those: what contradicts it
    gone: Longs = field(default_factory=_NONE.copy)  # told to leave recall by now
    slots: Longs = field(default_factory=_NONE.copy)  # the number of a slot for each row that is or was its value
    slot_rows: Longs = field(default_factory=_NONE.copy)  # these rows
    slot_holds: Bools = field(default_factory=lambda: _NONE.astype(np.bool_))  # whether each is so then
    turns: Longs = field(default_factory=_NONE.copy)  # rows of which one followed the other, in the order of time ..
    turns_of: Longs = field(default_factory=_NONE.copy)  # .. by what they are turns of: a slot, or a contradiction
    meant: Longs = field(default_factory=_NONE.copy)  # the turn before or after one that the question names


def time_signals(moment: Moment, last: Longs, times: Times) -> Mapping[str, Floats | None]:
    """Give the signals of time over all rows, by the latest time of each; None for one that is 0 everywhere.

    >>> last = np.array([0, 10]) * MICROS_PER_DAY
    >>> found = time_signals(Moment(10 * MICROS_PER_DAY, AskedTime(latest=True)), last, Times())
    >>> found["recent"].tolist(), found["then"]
    ([0.0, 1.0], None)
    """
    asked, size = moment.asked, len(last)
    return {
        "then": _then(moment, last, times) if asked.spans else _marked(_to_come(moment), size),
        "recent": _recent(last, moment) if asked.now or asked.latest else None,
        "former": _marked(moment.former, size) if asked.former or len(moment.meant) else None,
        "often": times.several(size) if asked.often else None,
        "not_valid": _marked(present(moment) if asked.former and not len(moment.meant) else _not_valid(moment), size),
        "outdated": None if asked.former or asked.spans or len(moment.meant) else _marked(moment.outdated, size),
    }


def heirs(moment: Moment, relevance: Floats, size: int) -> Floats | None:
    """Give the values of slots what another value of the slot has more of; `relevance` is that of `slot_rows`.

    Whatever value of a slot answers a question, the slot is what was asked about.

    >>> rows, holds = np.array([0, 2]), np.array([False, True])
    >>> moment = Moment(0, slots=np.array([0, 0]), slot_rows=rows, slot_holds=holds)
    >>> heirs(moment, np.array([5.0, 2.0]), 3).tolist()
    [0.0, 0.0, 3.0]
    """
    holds = moment.slot_holds
    if (moment.asked.former and not len(moment.meant)) or not holds.any():
        return None
    best = np.full(int(moment.slots.max()) + 1, -np.inf)
    np.maximum.at(best, moment.slots[~holds], relevance[~holds])
    found = np.zeros(size)
    np.maximum.at(found, moment.slot_rows[holds], best[moment.slots[holds]] - relevance[holds])
    return found


def in_order(at: Longs, matching: Bools) -> Floats:
    """Give 1 to the latest of some rows, and less than a half, by the days, to the others; to all else nothing.

    >>> in_order(np.array([0, 5, 10, 99]), np.array([True, True, True, False])).tolist()
    [0.0, 0.25, 1.0, 0.0]
    >>> in_order(np.array([7]), np.array([False])).tolist()
    [0.0]
    """
    found = np.zeros(len(at))
    rows = np.flatnonzero(matching)
    if len(rows):
        oldest, latest = at[rows].min(), at[rows].max()
        found[rows] = 0.5 * (at[rows] - oldest) / max(latest - oldest, 1)
        found[rows[at[rows] == latest]] = 1.0
    return found


def _to_come(moment: Moment) -> Longs:
    """Give what is to come, if that is asked for and no time is named."""
    return moment.coming if moment.asked.ahead and not moment.asked.spans else _NONE


def _not_valid(moment: Moment) -> Longs:
    return np.setdiff1d(moment.not_valid, _to_come(moment))


def present(moment: Moment) -> Longs:
    """Give the values of slots that have former ones: a question for what was is not answered by what is."""
    ended = np.isin(moment.slot_rows, moment.former)
    return np.asarray(moment.slot_rows[~ended & np.isin(moment.slots, moment.slots[ended])])


def _then(moment: Moment, last: Longs, times: Times) -> Floats:
    """Mark what is of a stretch that is asked about; where nothing else is asked, what was told then counts far more.

    What holds for long is no event of a day: "What did I do yesterday?" does not ask for where I live. Told then, it
    counts half.
    """
    found = np.zeros(len(last), dtype=bool)
    rows, told = times.flat()
    for begin, end in moment.asked.spans:
        found |= (last >= begin) & (last < end)
        found[rows[(told >= begin) & (told < end)]] = True
    if moment.asked.alone:
        found[moment.named] = True
        then = WHATEVER * found.astype(np.float64)
        then[moment.held] /= 2
        return then
    found[moment.held] = True
    found[moment.named] = True
    return found.astype(np.float64)


def _recent(last: Longs, moment: Moment) -> Floats:
    """Give 1 for what was told now and 0 for the oldest, between them by the days and by their logarithm, half each.

    By the days alone nothing would be told apart that came lately, in a memory of years; by the logarithm alone nothing
    that came long ago. What a slot holds is as of now, whenever it was told; what does not hold is not.
    """
    days = np.where(last == NEVER, np.inf, np.maximum(moment.now - last, 0) / MICROS_PER_DAY)
    oldest = float(days[np.isfinite(days)].max(initial=0.0)) or 1.0
    share = np.minimum(days / oldest, 1.0)
    found = np.asarray(1.0 - 0.5 * share - 0.5 * np.log1p(np.minimum(days, oldest)) / np.log1p(oldest))
    found[moment.not_valid] = 0.0  # it was told lately, and is not of now
    if moment.asked.now:
        found[moment.slot_rows[moment.slot_holds]] = 1.0
    return found


def _marked(rows: Longs, size: int) -> Floats | None:
    if not len(rows):
        return None
    found = np.zeros(size)
    found[rows] = 1.0
    return found

"""Which of several that took turns a question means: before York, after Leeds, or York itself, where it asks of then.

What holds now stands for what held before it, unless a question asks of what was and names that: "When did I move to
York?" is about York, wherever I live now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from asterism.core.ledger.columns import Bools, Longs, Rows
from asterism.core.recall.cues import Question
from asterism.core.recall.times import Moment, present
from asterism.core.text.terms import term_of

RowsOf = Callable[[str], Rows]  # the rows that hold a term


def as_meant(moment: Moment, question: Question, holding: RowsOf) -> Moment:
    """Say of a question what it means of turns that it names."""
    asked = moment.asked
    for beside, step in ((asked.before, -1), (asked.after, 1)):
        named = _most(moment, [holding(term_of(word)) for word in sorted(beside)])
        meant, turns = turned(moment, named, step)
        if len(meant):
            return _with_turn(moment, meant, turns)
    if not question.past or asked.spans or asked.now or asked.former or not len(moment.slots):
        return moment
    alone = by_themselves(moment, map(holding, question.terms))
    not_valid = np.setdiff1d(moment.not_valid, moment.slot_rows[alone])
    return replace(moment, slot_holds=moment.slot_holds | alone, not_valid=not_valid)


def _with_turn(moment: Moment, meant: Longs, turns: Longs) -> Moment:
    """Let the turn that is meant be what holds of its turns; of all else, what was is asked for as ever."""
    former, not_valid = (moment.former, present(moment)) if moment.asked.former else (meant, moment.not_valid)
    kept = moment.slot_holds & ~np.isin(moment.slot_rows, turns) & (not moment.asked.former)
    return replace(
        moment,
        meant=meant,
        former=np.union1d(np.setdiff1d(former, turns), meant),
        not_valid=np.setdiff1d(np.union1d(not_valid, turns), meant),
        slot_holds=np.isin(moment.slot_rows, meant) | kept,
    )


def _most(moment: Moment, holding: Iterable[Rows]) -> Longs:
    """Give the rows of turns that hold most of some words; none, if none holds any."""
    count = np.zeros(len(moment.turns), dtype=np.int64)
    for rows in holding:
        count += np.isin(moment.turns, rows)
    return np.asarray(moment.turns[(count > 0) & (count == count.max(initial=0))])


def turned(moment: Moment, named: Longs, step: int) -> tuple[Longs, Longs]:
    """Give what came before (-1) or after (1) rows that are named, by turns, and all rows of these turns.

    Home was Leeds, York and Bath: before York it was Leeds, before Bath it was York.

    >>> moment = Moment(0, turns=np.array([5, 7, 9, 4]), turns_of=np.array([0, 0, 0, 1]))
    >>> [rows.tolist() for rows in turned(moment, np.array([7]), -1)], turned(moment, np.array([4]), 1)[0].tolist()
    ([[5], [5, 7, 9]], [])
    """
    places = np.flatnonzero(np.isin(moment.turns, named))
    others = places + step
    inside = (others >= 0) & (others < len(moment.turns))
    places, others = places[inside], others[inside]
    same = (moment.turns_of[places] == moment.turns_of[others]) & ~np.isin(moment.turns[others], named)
    of = np.isin(moment.turns_of, moment.turns_of[others[same]])
    return np.unique(moment.turns[others[same]]), np.unique(moment.turns[of])


def by_themselves(moment: Moment, holding: Iterable[Rows]) -> Bools:
    """Mark former values of slots that a question about what was names: by a word that what holds now has not.

    `holding` has the rows that hold a word, for each word of the question.

    >>> moment = Moment(0, slots=np.array([0, 0]), slot_rows=np.array([3, 4]), slot_holds=np.array([False, True]))
    >>> by_themselves(moment, [np.array([3, 4]), np.array([3])]).tolist(), by_themselves(moment, []).tolist()
    ([True, False], [False, False])
    """
    named = np.zeros(len(moment.slots), dtype=np.bool_)
    for rows in holding:
        has = np.isin(moment.slot_rows, rows)
        named |= has & ~moment.slot_holds & ~np.isin(moment.slots, moment.slots[has & moment.slot_holds])
    return named

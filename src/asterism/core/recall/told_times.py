"""The times that a note speaks of, relative to when it was told: "Dentist on Friday" is of the Friday after that."""

from __future__ import annotations

from functools import lru_cache

from asterism.core.recall.asked_time import READ_WITHIN, spans_of
from asterism.core.recall.tense import Tense, tells_of_past
from asterism.core.recall.time_phrases import phrases
from asterism.core.recall.time_spans import Span
from asterism.core.text.words import fold


@lru_cache(maxsize=4096)
def told_times(text: str, at: int) -> tuple[Span, ...]:
    """Give the stretches of time that a text names which was told at a time; nothing, if it names none.

    What tells of the past means the last such day, all else the next; and what was put off to Friday is yet to come.

    >>> from asterism.core.ledger.calendar import to_datetime, to_micros
    >>> def days(text):
    ...     return [f"{to_datetime(begin):%Y-%m-%d}" for begin, _ in told_times(text, to_micros("2026-11-18"))]
    >>> days("Dentist on Friday at 3."), days("I met Tom on Friday."), days("We moved lunch to Friday.")
    (['2026-11-20'], ['2026-11-13'], ['2026-11-20'])
    >>> days("The bins are emptied on Fridays.")
    []
    """
    folded = fold(text[:READ_WITHIN])
    tense = Tense.PAST if tells_of_past(folded) else Tense.AHEAD
    return spans_of(folded, list(phrases(folded, at, tense=tense)), at)

"""The words of time in a question, each as a stretch of days relative to the time at which it is asked.

A phrase that leaves the year or the week out means the latest such time that has begun: in November, "in March" is this
year's, "in December" last year's; on a Wednesday, "on Friday" is last week's. In a question that looks ahead it is the
next one that is not over, and so it is in one that asks of what is ("What do I have on Friday?"). A week begins on
Monday; every day is one of UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from asterism.core.recall.tense import Tense
from asterism.core.recall.time_readers import IN_A_WHILE, Reader, readers_for
from asterism.core.recall.time_spans import InYear, Span, TimeMeaning, shifted, within

BEHIND = 40  # characters before a phrase that are looked through for words like "since"

_HOW_MUCH = re.compile(r"\bhow (?:much|many|often|far|long)\b")  # .. in a week
_COMING = re.compile(r"\b(?:in|for|during|until|till|by|on|at|over|around|mid|early|late)[\s-]+(?:the\s+)?$")
_PUT_OFF = re.compile(r"(?<!day )\b(?:to|for)\s+$")  # lunch was moved to Friday, not: from Monday to Friday
_GONE = re.compile(r"\b(?:since|of|my|our|your|his|her|their)\s+(?:the\s+)?$")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a text: where it stands, what it means, and what it would mean in a year that it leaves out."""

    start: int
    end: int
    span: Span
    in_year: InYear | None = None
    other: Span | None = None  # another reading


def phrases(folded: str, now: int, *, tense: Tense = Tense.NONE) -> Iterator[Phrase]:
    """Give the words of time in a folded text in the order in which they stand there.

    A day that no calendar has (31 February) is none, and its month is not meant either. Where a text looks ahead, what
    leaves the year or the week out is the next such time that is not over.

    >>> from asterism.core.ledger.calendar import day_of, to_date, to_micros
    >>> now = to_micros("2026-11-18")
    >>> [to_date(day_of(each.span[0])).isoformat() for each in phrases("in march, may i march on 3 november?", now)]
    ['2026-03-01', '2026-11-03']
    """
    found: list[Phrase] = []
    read_already: list[tuple[int, int]] = []
    for pattern, read in _readers(folded, tense):
        for match in pattern.finditer(folded):
            start, end = match.span("here" if "here" in pattern.groupindex else 0)
            if any(start < other_end and other_start < end for other_start, other_end in read_already):
                continue
            read_already.append((start, end))
            phrase = _phrase(start, end, read, match, now, tense)
            if phrase is not None:
                found.append(phrase)
    yield from sorted(found, key=lambda phrase: phrase.start)


def _readers(folded: str, tense: Tense) -> Iterator[tuple[re.Pattern[str], Reader]]:
    """Give the readers; "in two weeks" is a time only where what is to come is asked for, and no amount."""
    yield from readers_for(folded)
    if tense in (Tense.AHEAD, Tense.PRESENT) and _HOW_MUCH.search(folded) is None:
        yield IN_A_WHILE


def _phrase(start: int, end: int, read: Reader, match: re.Match[str], now: int, tense: Tense) -> Phrase | None:
    try:
        meaning = read(match, now)
    except (ValueError, OverflowError, StopIteration):  # no calendar has such a day
        return None
    if meaning is None:
        return None
    span = within(_meant(match.string, start, meaning, now, tense))
    other = None if meaning.other is None else within(meaning.other)
    return None if span is None else Phrase(start, end, span, meaning.in_year, other)


def _meant(folded: str, start: int, meaning: TimeMeaning, now: int, tense: Tense) -> Span:
    """Choose between the latest and the next: by the question's tense, and by the word before the phrase."""
    if meaning.coming is None:
        return meaning.span
    before = folded[max(0, start - BEHIND) : start]
    if tense is Tense.PAST:
        if meaning.in_year is None and _PUT_OFF.search(before) is not None:
            return meaning.coming
        return meaning.span if meaning.span[0] <= now else shifted(meaning.coming, -7)
    cue = meaning.in_year is None or _COMING.search(before) is not None
    is_ahead = tense is Tense.AHEAD or (tense is Tense.PRESENT and cue and _GONE.search(before) is None)
    return meaning.coming if is_ahead else meaning.span

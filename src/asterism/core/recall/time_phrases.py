"""The words of time in a question, each as a stretch of days relative to the time at which it is asked.

A phrase that leaves the year out means the latest such time that has begun: in November, "in March" is this year's,
"in December" last year's; in a question that looks ahead, the next one. A week begins on Monday; every day is one of
UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from asterism.core.ledger.calendar import EPOCH, FIRST_TIME, LATEST, MICROS_PER_DAY, MICROS_PER_HOUR, day_of, to_date
from asterism.core.recall.month_names import MONTHS, is_person

Span = tuple[int, int]  # microseconds, the second one not within
InYear = Callable[[int], Span]
DAY = timedelta(days=1)
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # by the month they begin in
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
COUNTS = {
    "a": (1, 1), "an": (1, 1), "one": (1, 1), "two": (2, 2), "three": (3, 3), "four": (4, 4), "five": (5, 5),
    "six": (6, 6), "seven": (7, 7), "eight": (8, 8), "nine": (9, 9), "ten": (10, 10), "eleven": (11, 11),
    "twelve": (12, 12), "couple": (2, 3), "few": (2, 5), "several": (3, 7), "some": (2, 7),
}  # fmt: skip
HOURS_OF = {"morning": (0, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (17, 30)}  # of a day
DAYS_IN = {"day": 1, "night": 1, "week": 7, "weekend": 7, "fortnight": 14, "month": 30, "year": 365, "decade": 3652}

_NAMED = "|".join([*MONTHS, *(month[:3] for month in MONTHS if month != "may"), "sept"])
_SURE = "|".join(name for name in _NAMED.split("|") if name not in ("may", "march", "mar", "jan", "sep", "dec"))
_YEAR = r"(?:19|20)\d\d"
_COUNT = r"\d{1,4}|" + "|".join(sorted(COUNTS, key=len, reverse=True))
_CUES = "in|of|during|since|until|till|by|before|after|from|between|early|mid|late"  # "may" alone is no month
_ORDINAL = r"(?:st|nd|rd|th)?"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a text: where it stands, what it means, and what it would mean in a year that it leaves out."""

    start: int
    end: int
    span: Span
    in_year: InYear | None = None


Meaning = tuple[Span, InYear | None]
Reader = Callable[["re.Match[str]", int], Meaning | None]


def days(first: date, after: date) -> Span:
    """Give the stretch from the beginning of one day to the beginning of another."""
    return micros(first), micros(after)


def micros(day: date) -> int:
    """Give the first microsecond of a day."""
    return (day.toordinal() - EPOCH.toordinal()) * MICROS_PER_DAY


def month_of(year: int, month: int, count: int = 1) -> Span:
    """Give some months of a year.

    >>> month_of(2024, 12) == days(date(2024, 12, 1), date(2025, 1, 1))
    True
    """
    ends = year * 12 + month - 1 + count
    return days(date(year, month, 1), date(ends // 12, ends % 12 + 1, 1))


def latest(in_year: InYear, now: int) -> Span | None:
    """Give the latest of such stretches that has begun; some years have none (29 February)."""
    this = to_date(day_of(now)).year
    for year in range(this, this - 9, -1):
        try:
            span = in_year(year)
        except ValueError:
            continue
        if span[0] <= now:
            return span
    return None


def soonest(in_year: InYear, now: int) -> Span | None:
    """Give the first of such stretches that is not over."""
    this = to_date(day_of(now)).year
    for year in range(this - 1, this + 9):  # a winter may have begun last year
        try:
            span = in_year(year)
        except ValueError:
            continue
        if span[1] > now:
            return span
    return None


def _dated(in_year: InYear, year: str | None, now: int) -> Meaning | None:
    if year:
        return in_year(int(year)), None
    span = latest(in_year, now)
    return None if span is None else (span, in_year)


def _number(month: str) -> int:
    return next(number for number, name in enumerate(MONTHS, 1) if name.startswith(month[:3]))


def _iso(found: re.Match[str], _: int) -> Meaning:
    year, month, day = found.groups()
    if day is None:
        return month_of(int(year), int(month)), None
    first = date(int(year), int(month), int(day))
    return days(first, first + DAY), None


def _numbers(found: re.Match[str], now: int) -> Meaning | None:
    """Give the day of a date in figures: the day first in 3.11.2026, the month first in 11/3/2026 if it can be one."""
    first, second, year = int(found["first"]), int(found["second"]), found["year"]
    day, month = (first, second) if found["point"] == "." or first > 12 else (second, first)

    def in_year(year: int) -> Span:
        return days(date(year, month, day), date(year, month, day) + DAY)

    return _dated(in_year, year, now)


def _day_of_month(found: re.Match[str], now: int) -> Meaning | None:
    told = found.groupdict()
    first, month = int(told["day"]), _number(told["month"])
    last = int(told.get("last") or first)

    def in_year(year: int) -> Span:
        return days(date(year, month, first), date(year, month, last) + DAY)

    return _dated(in_year, told["year"], now)


def _month(found: re.Match[str], now: int) -> Meaning | None:
    month = _number(found["month"])
    if is_person(found.string, *found.span("month")):
        return None
    return _which(lambda year: month_of(year, month), found.groupdict(), now)


def _season(found: re.Match[str], now: int) -> Meaning | None:
    begins = SEASONS[found["season"]]
    return _which(lambda year: month_of(year, begins, 3), found.groupdict(), now)


def _which(in_year: InYear, told: dict[str, str | None], now: int) -> Meaning | None:
    """Give the latest month or season, the last one that is over, the one of this year, or the next."""
    which = told.get("which")
    if which is None:
        return _dated(in_year, told.get("year"), now)
    this = to_date(day_of(now)).year
    if which == "this":
        before = in_year(this - 1)
        return (before if before[1] > now else in_year(this)), None  # in January it is still this winter
    spans = [in_year(each) for each in range(this - 2, this + 2)]
    if which == "next":
        return next(span for span in spans if span[0] > now), None
    return next(span for span in reversed(spans) if span[1] <= now), None


def _year(found: re.Match[str], _: int) -> Meaning:
    return month_of(int(found[1]), 1, 120 if found[2] else 12), None


def _weekday(found: re.Match[str], now: int) -> Meaning:
    today, which = to_date(day_of(now)), found["which"]
    back = (today.weekday() - WEEKDAYS.index(found["weekday"])) % 7
    if which == "this":
        back = today.weekday() - WEEKDAYS.index(found["weekday"])  # of this week
    elif which == "next":
        back -= 7
    elif which in ("last", "past") and back == 0:
        back = 7
    return _part(today - back * DAY, None), None


def _relative_day(found: re.Match[str], now: int) -> Meaning:
    shift = {"the day before yesterday": -2, "yesterday": -1, "last": -1, "tomorrow": 1, "the day after tomorrow": 2}
    word, part = found["word"], found["part"]
    day = to_date(day_of(now)) + shift.get(word, 0) * DAY
    return _part(day, "night" if word == "tonight" else part), None


def _part(day: date, part: str | None) -> Span:
    begin, end = HOURS_OF.get(part or "", (0, 24))
    return micros(day) + begin * MICROS_PER_HOUR, micros(day) + end * MICROS_PER_HOUR


def _unit(found: re.Match[str], now: int) -> Meaning:
    """Give the last, this or the next week, weekend, month or year.

    The past one is as long, and ends now; so does what was "in the last week", unlike what was "last week".
    """
    which, unit = found["which"], found["unit"]
    if which == "past" or which.endswith("the last"):
        return (now - DAYS_IN[unit] * MICROS_PER_DAY, now + 1), None
    step, today = {"last": -1, "previous": -1, "next": 1}.get(which, 0), to_date(day_of(now))
    monday = today - today.weekday() * DAY
    if unit == "week":
        return days(monday + step * 7 * DAY, monday + (step + 1) * 7 * DAY), None
    if unit == "weekend":
        here = monday if today.weekday() > 1 else monday - 7 * DAY  # this weekend, on a Monday, is the one before
        here = monday if step else here
        over = -7 * DAY if step < 0 else (7 * DAY if step and today.weekday() > 4 else 0 * DAY)
        return days(here + over + 5 * DAY, here + over + 7 * DAY), None
    if unit == "month":
        place = today.year * 12 + today.month - 1 + step
        return month_of(place // 12, place % 12 + 1), None
    return month_of(today.year + step, 1, 12), None


def _lately(found: re.Match[str], now: int) -> Meaning:
    """Give the last so many days, weeks, months or years, up to now."""
    most = _count(found["count"])[1]
    return (now - most * _length(found["unit"]), now + 1), None


def _ago(found: re.Match[str], now: int) -> Meaning:
    """Give the time so long ago, as exactly as such words mean it: the day, or half a unit to either side.

    Of seven or more, a seventh to either side is meant too.
    """
    (least, most), unit = _count(found["count"]), found["unit"]
    length = _length(unit) // (2 if found["half"] else 1)
    slack = most // 7 if least == most else 0
    if unit in ("day", "night") and not found["half"]:
        today = micros(to_date(day_of(now)))
        return (today - (most + slack) * MICROS_PER_DAY, today - (least - slack - 1) * MICROS_PER_DAY), None
    slack = slack * length + length // 2
    return (now - most * length - slack, now - least * length + slack + 1), None


def _count(word: str) -> tuple[int, int]:
    return COUNTS[word] if word in COUNTS else (int(word), int(word))


def _length(unit: str) -> int:
    if unit in ("hour", "minute"):
        return MICROS_PER_HOUR if unit == "hour" else MICROS_PER_HOUR // 60
    return DAYS_IN[unit] * MICROS_PER_DAY


_WITH_YEAR = rf"(?:\.?,?\s+(?:of\s+)?(?P<year>{_YEAR}))"
_TO = r"\s*(?:-|–|and|to|until|till|through)\s*"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH, _FIRST, _LAST = rf"(?P<month>{_NAMED})", rf"(?P<day>{_DAY}){_ORDINAL}", rf"(?P<last>{_DAY}){_ORDINAL}"
_SEASON = rf"(?P<season>{'|'.join(SEASONS)})"
_WHICH = r"(?:(?P<which>last|past|this|next)\s+)"
_UNITS = "|".join(sorted(DAYS_IN, key=len, reverse=True))
_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(rf"\b{pattern}\b"), reader)
    for pattern, reader in (
        (r"(\d{4})-(0[1-9]|1[0-2])(?:-(\d\d))?", _iso),
        (rf"(?P<first>\d\d?)(?P<point>\.)\s?(?P<second>\d\d?)\.\s?(?P<year>{_YEAR})", _numbers),
        (rf"(?P<first>\d\d?)(?P<point>/)(?P<second>\d\d?)/(?P<year>{_YEAR})", _numbers),
        (rf"{_FIRST}{_TO}{_LAST}\s+(?:of\s+)?{_MONTH}{_WITH_YEAR}?", _day_of_month),
        (rf"{_MONTH}\s+{_FIRST}{_TO}{_LAST}(?!\s*(?:{_NAMED}))\b{_WITH_YEAR}?", _day_of_month),
        (rf"{_FIRST}\s+(?:of\s+)?{_MONTH}{_WITH_YEAR}?", _day_of_month),
        (rf"{_MONTH}\.?\s+(?:the\s+)?{_FIRST}\b{_WITH_YEAR}?", _day_of_month),
        (rf"{_MONTH}{_WITH_YEAR}", _month),
        (rf"{_WHICH}{_MONTH}", _month),
        (rf"(?:{_CUES})\s+(?P<here>{_MONTH})", _month),
        (rf"(?:{_CUES})\s+(?:{_NAMED})\s+(?:and|or)\s+(?P<here>{_MONTH})", _month),
        (rf"(?:between|from)\s+(?:\w+\s+){{1,4}}(?:and|to|until|till)\s+(?P<here>{_MONTH})", _month),
        (rf"(?P<month>{_SURE})", _month),
        (rf"{_SEASON}{_WITH_YEAR}", _season),
        (rf"{_WHICH}{_SEASON}", _season),
        (rf"(?:{_CUES})\s+(?:the\s+)?(?P<here>{_SEASON})", _season),
        (rf"({_YEAR})(s)?", _year),
        (r"(?P<word>the day before yesterday|the day after tomorrow|yesterday|today|tonight|tomorrow)"
         r"(?:\s+(?P<part>morning|afternoon|evening|night))?", _relative_day),
        (r"(?P<word>last|this)\s+(?P<part>night|morning|afternoon|evening)", _relative_day),
        (r"(?P<which>(?:in|within|over|during) the last)\s+(?P<unit>week|month|year)", _unit),
        (r"(?P<which>last|previous|past|this|next)\s+(?P<unit>weekend|week|month|year)", _unit),
        (rf"(?:last|past)\s+(?P<count>{_COUNT})\s+(?:of\s+)?(?P<unit>{_UNITS}|hour|minute)s?", _lately),
        (rf"(?P<half>half\s+)?(?P<count>{_COUNT})\s+(?:of\s+)?(?P<unit>{_UNITS}|hour|minute)s?\s+ago", _ago),
        (rf"{_WHICH}?(?P<weekday>{'|'.join(WEEKDAYS)})", _weekday),
    )
)  # fmt: skip
_ANY = re.compile(rf"\d|\b(?:{_NAMED}|{'|'.join(SEASONS)}|\w+day|tonight|tomorrow|ago|last|past|this|next|previous)\b")


def phrases(folded: str, now: int, *, ahead: bool = False) -> Iterator[Phrase]:
    """Give the words of time in a folded text in the order in which they stand there.

    A day that no calendar has (31 February) is none, and its month is not meant either. Where a text looks ahead, what
    leaves the year or the week out is the next such time that is not over.

    >>> now = micros(date(2026, 11, 18))
    >>> [to_date(day_of(each.span[0])).isoformat() for each in phrases("in march, may i march on 3 november?", now)]
    ['2026-03-01', '2026-11-03']
    """
    if _ANY.search(folded) is None:
        return
    found: list[Phrase] = []
    read_already: list[tuple[int, int]] = []
    for pattern, read in _READERS:
        for match in pattern.finditer(folded):
            start, end = match.span("here" if "here" in pattern.groupindex else 0)
            if any(start < other_end and other_start < end for other_start, other_end in read_already):
                continue
            read_already.append((start, end))
            phrase = _phrase(start, end, read, match, now)
            if phrase is not None:
                found.append(_next(folded, phrase, now) if ahead else phrase)
    yield from sorted(found, key=lambda phrase: phrase.start)


def _next(folded: str, phrase: Phrase, now: int) -> Phrase:
    begin, end = phrase.span
    if phrase.in_year is not None:
        begin, end = soonest(phrase.in_year, now) or phrase.span
    elif folded[phrase.start : phrase.end] in WEEKDAYS and end <= now:
        begin, end = begin + 7 * MICROS_PER_DAY, end + 7 * MICROS_PER_DAY
    return replace(phrase, span=within((begin, end)) or phrase.span)


def _phrase(start: int, end: int, read: Reader, match: re.Match[str], now: int) -> Phrase | None:
    try:
        meaning = read(match, now)
    except (ValueError, OverflowError, StopIteration):  # no calendar has such a day
        return None
    span = None if meaning is None else within(meaning[0])
    return None if meaning is None or span is None else Phrase(start, end, span, meaning[1])


def within(span: Span) -> Span | None:
    """Cut a stretch to the times that the calendar has; None if nothing is left of it.

    >>> within((FIRST_TIME - 5, 0)) == (FIRST_TIME, 0), within((5, 5))
    (True, None)
    """
    begin, end = max(span[0], FIRST_TIME), min(span[1], LATEST)
    return (begin, end) if begin < end else None

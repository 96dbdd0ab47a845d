"""Words of time that count from the time of asking: yesterday, last week, three days ago, on Friday, in two weeks."""

from __future__ import annotations

import re
from datetime import date

from asterism.core.ledger.calendar import MICROS_PER_DAY, MICROS_PER_HOUR
from asterism.core.recall.time_spans import DAY, Span, TimeMeaning, days, micros, month_of, shifted, today

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
COUNTS = {
    "a": (1, 1), "an": (1, 1), "one": (1, 1), "two": (2, 2), "three": (3, 3), "four": (4, 4), "five": (5, 5),
    "six": (6, 6), "seven": (7, 7), "eight": (8, 8), "nine": (9, 9), "ten": (10, 10), "eleven": (11, 11),
    "twelve": (12, 12), "thirteen": (13, 13), "fourteen": (14, 14), "fifteen": (15, 15), "sixteen": (16, 16),
    "seventeen": (17, 17), "eighteen": (18, 18), "nineteen": (19, 19), "twenty": (20, 20), "thirty": (30, 30),
    "forty": (40, 40), "fifty": (50, 50), "sixty": (60, 60), "ninety": (90, 90), "hundred": (100, 100),
    "dozen": (12, 12), "couple": (2, 3), "few": (2, 5), "several": (3, 7), "some": (2, 7),
}  # fmt: skip
HOURS_OF = {"morning": (0, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (17, 30)}  # of a day
DAYS_IN = {"day": 1, "night": 1, "week": 7, "weekend": 7, "fortnight": 14, "month": 30, "year": 365, "decade": 3652}
OTHER_DAY, OTHER_WEEK = 10, 28  # how many days back "the other day" and "the other week" reach
ABOUT_THEN = {"year": 15, "month": 3, "week": 1}  # days to either side of "this time last year"


def weekday(found: re.Match[str], now: int) -> TimeMeaning:
    """Read on Friday, last Friday, next Friday; "this" is one of this week, unless the question says otherwise."""
    here, told = today(now), found.groupdict()
    of_week = here.weekday() - WEEKDAYS.index(found["weekday"])
    back, which = of_week % 7, told.get("which")
    latest = _part(here - back * DAY, told.get("part"))
    coming = latest if back == 0 else shifted(latest, 7)
    if which in ("next", "coming"):
        return TimeMeaning(shifted(latest, 7))
    if which in ("last", "past"):
        return TimeMeaning(latest if back else shifted(latest, -7))
    if which == "this":
        return TimeMeaning(shifted(latest, back - of_week), coming=coming)
    return TimeMeaning(latest, coming=coming)


def weekday_before_last(found: re.Match[str], now: int) -> TimeMeaning:
    """Read "the Monday before last"."""
    return TimeMeaning(shifted(weekday_of(found["weekday"], now), -7))


def weekday_of(name: str, now: int) -> Span:
    """Give the last such day before today."""
    here = today(now)
    back = (here.weekday() - WEEKDAYS.index(name) - 1) % 7 + 1
    return _part(here - back * DAY, None)


def weekdays_ago(found: re.Match[str], now: int) -> TimeMeaning:
    """Read "two Fridays ago", "a week ago on Friday" and "Friday a week ago"."""
    told = found.groupdict()
    weeks = _count(told["count"])[0] - 1 if told.get("count") else 1
    return TimeMeaning(shifted(weekday_of(found["weekday"], now), -7 * weeks))


def weekday_after_next(found: re.Match[str], now: int) -> TimeMeaning:
    """Read "Friday week" and "a week on Friday"."""
    return TimeMeaning(shifted(weekday_of(found["weekday"] or found["day"], now), 14))


def relative_day(found: re.Match[str], now: int) -> TimeMeaning:
    """Read yesterday evening, today, the day after tomorrow, last night."""
    word, part = found["word"].removeprefix("the "), found["part"]
    shift = {"day before yesterday": -2, "yesterday": -1, "last": -1, "tomorrow": 1, "day after tomorrow": 2}
    day = today(now) + shift.get(word, 0) * DAY
    return TimeMeaning(_part(day, "night" if word == "tonight" else part))


def night_before_last(_: re.Match[str], now: int) -> TimeMeaning:
    """Read "the night before last"."""
    return TimeMeaning(_part(today(now) - 2 * DAY, "night"))


def _part(day: date, part: str | None) -> Span:
    begin, end = HOURS_OF.get(part or "", (0, 24))
    return micros(day) + begin * MICROS_PER_HOUR, micros(day) + end * MICROS_PER_HOUR


def unit(found: re.Match[str], now: int) -> TimeMeaning:
    """Read the last, this or the next week, weekend, month or year.

    The past one is as long, and ends now; so does what was "in the last week", unlike what was "last week".
    """
    which, name = found["which"], found["unit"]
    if which == "past" or which.endswith("the last") or name == "fortnight":
        return TimeMeaning((now - DAYS_IN[name] * MICROS_PER_DAY, now + 1))
    step = {"last": -1, "previous": -1, "next": 1, "coming": 1, "following": 1}.get(which, 0)
    return TimeMeaning(_stepped(name, step, now))


def _stepped(name: str, step: int, now: int) -> Span:
    here = today(now)
    monday = here - here.weekday() * DAY
    if name == "week":
        return days(monday + step * 7 * DAY, monday + (step + 1) * 7 * DAY)
    if name == "weekend":
        first = monday if step or here.weekday() > 1 else monday - 7 * DAY  # this one, on a Monday, is the one before
        over = 7 * step * DAY if step < 0 else (7 * DAY if step and here.weekday() > 4 else 0 * DAY)
        return days(first + over + 5 * DAY, first + over + 7 * DAY)
    if name == "month":
        place = here.year * 12 + here.month - 1 + step
        return month_of(place // 12, place % 12 + 1)
    return month_of(here.year + step, 1, 12)


def unit_before_last(found: re.Match[str], now: int) -> TimeMeaning:
    """Read "the week before last"."""
    return TimeMeaning(_stepped(found["unit"], -2, now))


def about_then(found: re.Match[str], now: int) -> TimeMeaning:
    """Read "this time last year"."""
    name, here = found["unit"], micros(today(now))
    away = DAYS_IN[name] * (1 if found["which"] == "next" else -1)
    wide = ABOUT_THEN[name]
    return TimeMeaning(shifted((here - wide * MICROS_PER_DAY, here + (wide + 1) * MICROS_PER_DAY), away))


def the_other(found: re.Match[str], now: int) -> TimeMeaning:
    """Read "the other day" and "the other week": not long ago."""
    here = micros(today(now))
    far = OTHER_WEEK if found["unit"] == "week" else OTHER_DAY
    return TimeMeaning((here - far * MICROS_PER_DAY, here))


def lately(found: re.Match[str], now: int) -> TimeMeaning:
    """Give the last so many days, weeks, months or years, up to now."""
    most = _count(found["count"])[1]
    return TimeMeaning((now - most * _length(found["unit"]), now + 1))


def ago(found: re.Match[str], now: int) -> TimeMeaning:
    """Give the time so long ago, as exactly as such words mean it: the day, or half a unit to either side.

    Of seven or more, a seventh to either side is meant too.
    """
    return TimeMeaning(_away(found, now, -1))


def ahead(found: re.Match[str], now: int) -> TimeMeaning:
    """Give the time that is so far ahead, as exactly as `ago` does."""
    return TimeMeaning(_away(found, now, 1))


def _away(found: re.Match[str], now: int, sign: int) -> Span:
    (least, most), told = _count(found["count"]), found.groupdict()
    name = told["unit"]
    length = _length(name) // (2 if told.get("half") else 1)
    slack = most // 7 if least == most else 0
    if name in ("day", "night") and not told.get("half"):
        here = micros(today(now))
        near, far = sorted((sign * (least - slack), sign * (most + slack)))
        return here + near * MICROS_PER_DAY, here + (far + 1) * MICROS_PER_DAY
    more = length // 2 if told.get("and_half") else 0
    slack = slack * length + (length // 4 if more else length // 2)
    near, far = sorted((sign * (least * length + more), sign * (most * length + more)))
    return now + near - slack, now + far + slack + 1


def _count(word: str) -> tuple[int, int]:
    return COUNTS[word] if word in COUNTS else (int(word), int(word))


def _length(name: str) -> int:
    if name in ("hour", "minute"):
        return MICROS_PER_HOUR if name == "hour" else MICROS_PER_HOUR // 60
    return DAYS_IN[name] * MICROS_PER_DAY

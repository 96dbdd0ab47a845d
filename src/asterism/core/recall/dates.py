"""Words of time that name a place in the calendar: days in words and figures, months, seasons, years, holidays."""

from __future__ import annotations

import re
from datetime import date

from asterism.core.recall.month_names import MONTHS, is_person
from asterism.core.recall.time_spans import DAY, InYear, Span, TimeMeaning, dated, days, month_of, today, year_of

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # by the month they begin in
TENS = {"sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90}
NTH = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3}
EASTER = "easter"
HOLIDAYS = {  # month, day and how many days
    "christmas eve": (12, 24, 1), "christmas day": (12, 25, 1), "boxing day": (12, 26, 1), "christmas": (12, 24, 3),
    "new year's eve": (12, 31, 1), "new year's day": (1, 1, 1), "new year": (1, 1, 1), "halloween": (10, 31, 1),
    "valentine's day": (2, 14, 1),
}  # fmt: skip


def iso(found: re.Match[str], _: int) -> TimeMeaning:
    """Read 2026-11-03 and 2026-11."""
    year, month, day = found.groups()
    if day is None:
        return TimeMeaning(month_of(int(year), int(month)))
    return TimeMeaning(_one_day(int(year), int(month), int(day)))


def figures(found: re.Match[str], now: int) -> TimeMeaning | None:
    """Read a date in figures: the day first in 3.11.2026; in 3/11/2026 either may be, and both are meant."""
    first, second, year = int(found["first"]), int(found["second"]), found["year"]
    readings = [(first, second)] if found["point"] == "." else [(first, second), (second, first)]
    meanings = [
        meaning
        for day, month in dict.fromkeys(readings)
        if month <= 12 and (meaning := dated(_day_in(month, day), year, now)) is not None
    ]
    if not meanings:
        return None
    if len(meanings) == 1:
        return meanings[0]
    return TimeMeaning(meanings[0].span, other=meanings[1].span)


def _day_in(month: int, day: int) -> InYear:
    return lambda year: _one_day(year, month, day)


def _one_day(year: int, month: int, day: int) -> Span:
    first = date(year, month, day)
    return days(first, first + DAY)


def _number(month: str) -> int:
    return next(number for number, name in enumerate(MONTHS, 1) if name.startswith(month[:3]))


def day_of_month(found: re.Match[str], now: int) -> TimeMeaning | None:
    """Read 3 November, and 3 to 10 November."""
    told = found.groupdict()
    first, month = int(told["day"]), _number(told["month"])
    last = int(told.get("last") or first)
    return dated(lambda year: days(date(year, month, first), date(year, month, last) + DAY), told["year"], now)


def day_alone(found: re.Match[str], now: int) -> TimeMeaning:
    """Read "on the 3rd": of the latest month in which it has begun."""
    day, this = int(found["day"]), today(now)
    place = this.year * 12 + this.month - 1
    found_days = []
    for month in range(place - 2, place + 3):  # of two months on end one has a 31st
        try:
            found_days.append(_one_day(month // 12, month % 12 + 1, day))
        except ValueError:
            continue
    last = next(span for span in reversed(found_days) if span[0] <= now)
    return TimeMeaning(last, coming=next(span for span in found_days if span[1] > now))


def week_of_month(found: re.Match[str], now: int) -> TimeMeaning | None:
    """Read "the first week of March", "the last day of June"."""
    month, length = _number(found["month"]), 7 if found["unit"] == "week" else 1

    def in_year(year: int) -> Span:
        (begin, end), nth = month_of(year, month), NTH.get(found["nth"])
        day = days(date(year, month, 1), date(year, month, 1) + DAY)
        width = (day[1] - day[0]) * length
        return (end - width, end) if nth is None else (begin + nth * width, min(begin + (nth + 1) * width, end))

    return dated(in_year, found["year"], now)


def month(found: re.Match[str], now: int) -> TimeMeaning | None:
    """Read March, this March, March 2025; nothing, if it is somebody's name."""
    number = _number(found["month"])
    if is_person(found.string, *found.span("month")):
        return None
    return _which(lambda year: month_of(year, number), found.groupdict(), now)


def season(found: re.Match[str], now: int) -> TimeMeaning | None:
    """Read in summer, last summer, summer 2025."""
    begins = SEASONS[found["season"]]
    return _which(lambda year: month_of(year, begins, 3), found.groupdict(), now)


def holiday(found: re.Match[str], now: int) -> TimeMeaning | None:
    """Read at Christmas, last Easter, New Year's Eve 2025."""
    return _which(_holiday(found["holiday"]), found.groupdict(), now)


def _holiday(name: str) -> InYear:
    def in_year(year: int) -> Span:
        if name == EASTER:
            sunday = easter_sunday(year)
            return days(sunday - 2 * DAY, sunday + 2 * DAY)
        month, day, count = HOLIDAYS[name]
        return days(date(year, month, day), date(year, month, day) + count * DAY)

    return in_year


def easter_sunday(year: int) -> date:
    """Give the Sunday of Easter, by the rule of the Gregorian calendar (Meeus, Astronomical Algorithms, chapter 8).

    >>> easter_sunday(2026), easter_sunday(2000)
    (datetime.date(2026, 4, 5), datetime.date(2000, 4, 23))
    """
    century, in_century = divmod(year, 100)
    shift = (century - (century + 8) // 25 + 1) // 3
    moon = (19 * (year % 19) + century - century // 4 - shift + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (in_century // 4) - moon - in_century % 4) % 7
    late = (year % 19 + 11 * moon + 22 * weekday) // 451
    place = moon + weekday - 7 * late + 114
    return date(year, place // 31, place % 31 + 1)


def ago_by_year(found: re.Match[str], now: int) -> TimeMeaning | None:
    """Read "two summers ago": the last one is one summer ago."""
    begins = SEASONS[found["season"]]
    over = _which(lambda year: month_of(year, begins, 3), {"which": "last"}, now)
    assert over is not None
    count = {"one": 1, "two": 2, "three": 3, "four": 4}[found["count"]]
    year = today(over.span[0]).year - count + 1
    return TimeMeaning(month_of(year, begins, 3))


def _which(in_year: InYear, told: dict[str, str | None], now: int) -> TimeMeaning | None:
    """Give the latest month or season, the last one that is over, the one of this year, or the next."""
    which = told.get("which")
    if which is None:
        return dated(in_year, told.get("year"), now)
    this = today(now).year
    if which == "this":
        before = in_year(this - 1)
        return TimeMeaning(before if before[1] > now else in_year(this))  # in January it is still this winter
    spans = [in_year(each) for each in range(this - 2, this + 2)]
    if which in ("next", "coming"):
        return TimeMeaning(next(span for span in spans if span[0] > now))
    return TimeMeaning(next(span for span in reversed(spans) if span[1] <= now))


def year(found: re.Match[str], now: int) -> TimeMeaning:
    """Read 2024, '24 and the 1990s."""
    return TimeMeaning(month_of(year_of(found["year"], now), 1, 120 if found["tens"] else 12))


def tens(found: re.Match[str], now: int) -> TimeMeaning:
    """Read the nineties and the 90s: the last that have begun."""
    told = found["tens"]
    begins = TENS[told] if told in TENS else int(told.removeprefix("'").removesuffix("s"))
    this = today(now).year
    first = this - this % 100 + begins
    return TimeMeaning(month_of(first if first <= this else first - 100, 1, 120))

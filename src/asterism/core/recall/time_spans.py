"""Stretches of time, and what words of time mean: which stretch, and which other one if they were meant otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from asterism.core.ledger.calendar import EPOCH, FIRST_TIME, LATEST, MICROS_PER_DAY, day_of, to_date

Span = tuple[int, int]  # microseconds, the second one not within
InYear = Callable[[int], Span]
DAY = timedelta(days=1)
YEARS_AHEAD = 10  # of a year in two figures: further ahead it is one of the century before


@dataclass(frozen=True, slots=True)
class TimeMeaning:
    """What a phrase means: a stretch, and what it would be in another year, in a question that looks ahead, or else."""

    span: Span
    in_year: InYear | None = None  # of a phrase that leaves the year out
    coming: Span | None = None  # of a phrase that leaves out which one: the next that is not over
    other: Span | None = None  # another reading: 3/11/2026 may be a day of March or of November


def days(first: date, after: date) -> Span:
    """Give the stretch from the beginning of one day to the beginning of another."""
    return micros(first), micros(after)


def micros(day: date) -> int:
    """Give the first microsecond of a day."""
    return (day.toordinal() - EPOCH.toordinal()) * MICROS_PER_DAY


def today(now: int) -> date:
    """Give the day that a time is in."""
    return to_date(day_of(now))


def shifted(span: Span, by_days: int) -> Span:
    """Move a stretch by so many days.

    >>> shifted((0, MICROS_PER_DAY), 1) == (MICROS_PER_DAY, 2 * MICROS_PER_DAY)
    True
    """
    return span[0] + by_days * MICROS_PER_DAY, span[1] + by_days * MICROS_PER_DAY


def month_of(year: int, month: int, count: int = 1) -> Span:
    """Give some months of a year.

    >>> month_of(2024, 12) == days(date(2024, 12, 1), date(2025, 1, 1))
    True
    """
    ends = year * 12 + month - 1 + count
    return days(date(year, month, 1), date(ends // 12, ends % 12 + 1, 1))


def year_of(written: str, now: int) -> int:
    """Read a year in four figures or in two: then it is one of the last hundred years, or of the next ten.

    >>> at = micros(date(2026, 11, 18))
    >>> [year_of(year, at) for year in ("2024", "'24", "36", "37", "98")]
    [2024, 2024, 2036, 1937, 1998]
    """
    year, this = int(written.removeprefix("'")), today(now).year
    if len(written.removeprefix("'")) > 2:
        return year
    year += this - this % 100
    return year - 100 if year > this + YEARS_AHEAD else year


def latest(in_year: InYear, now: int) -> Span | None:
    """Give the latest of such stretches that has begun; some years have none (29 February)."""
    this = today(now).year
    return next((span for span in _in_years(in_year, range(this, this - 9, -1)) if span[0] <= now), None)


def soonest(in_year: InYear, now: int) -> Span | None:
    """Give the first of such stretches that is not over."""
    this = today(now).year
    years = range(this - 1, this + 9)  # a winter may have begun last year
    return next((span for span in _in_years(in_year, years) if span[1] > now), None)


def _in_years(in_year: InYear, years: Iterable[int]) -> Iterable[Span]:
    for year in years:
        try:
            yield in_year(year)
        except ValueError:
            continue


def dated(in_year: InYear, year: str | None, now: int) -> TimeMeaning | None:
    """Give a stretch of a year; where none is named, the latest that has begun, or the next that is not over."""
    if year:
        return TimeMeaning(in_year(year_of(year, now)))
    span = latest(in_year, now)
    return None if span is None else TimeMeaning(span, in_year, soonest(in_year, now))


def within(span: Span) -> Span | None:
    """Cut a stretch to the times that the calendar has; None if nothing is left of it.

    >>> within((FIRST_TIME - 5, 0)) == (FIRST_TIME, 0), within((5, 5))
    (True, None)
    """
    begin, end = max(span[0], FIRST_TIME), min(span[1], LATEST)
    return (begin, end) if begin < end else None

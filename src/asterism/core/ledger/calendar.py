"""Time as the core sees it: whole microseconds since 1970 in UTC, and calendar dates as day numbers.

The core never asks what time it is. Aware datetimes are turned into microseconds once, at the edge.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from asterism.errors import InputError
from asterism.hints import Hint, in_python

MICROS_PER_SECOND = 1_000_000
MICROS_PER_HOUR = 3_600 * MICROS_PER_SECOND
MICROS_PER_DAY = 24 * MICROS_PER_HOUR
NOON = 12 * MICROS_PER_HOUR
DAY_END = MICROS_PER_DAY - 1  # a day's last microsecond
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
FIRST_TIME = (datetime(2, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND  # a year from both ends of the calendar:
LATEST = (datetime(9999, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND - 1  # what is a lag or a zone away is in it too
EARLIEST = (datetime(1900, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND  # to be told: every day since is folded

When = datetime | date | str  # how callers tell a time


def day_of(at: int) -> int:
    """Give the UTC calendar date of a time, as days since 1970-01-01.

    >>> day_of(to_micros(datetime(1970, 1, 3, 23, 59, tzinfo=UTC)))
    2
    """
    return at // MICROS_PER_DAY


def to_micros(when: When, *, of_date: int = NOON, now: int | None = None) -> int:
    """Turn an aware datetime, a date or their ISO text into microseconds.

    A date means noon UTC, or the time of day `of_date`; of the day that `now` is in, at most now.

    >>> to_micros("1970-01-02T00:00:01Z"), to_micros(date(1970, 1, 1)) // MICROS_PER_HOUR
    (86401000000, 12)
    >>> to_micros("1970-01-01", of_date=DAY_END), to_micros("1970-01-01", of_date=DAY_END, now=5)
    (86399999999, 5)
    >>> to_micros("9999-12-31")
    Traceback (most recent call last):
    asterism.errors.InputError: '9999-12-31' is at the edge of the calendar (give a time in the years 2 to 9998)
    """
    if isinstance(when, str):
        when = _parsed(when)
    if not isinstance(when, date):
        raise _not_a_time(str(when))
    if not isinstance(when, datetime):
        day = when.toordinal() - EPOCH.toordinal()
        at = in_calendar(day * MICROS_PER_DAY + of_date, when)
        return at if now is None or day_of(now) != day else min(at, now)
    if when.tzinfo is None:
        raise InputError(
            f"the time {when.isoformat()} has no time zone",
            code="naive_time",
            item=when.isoformat(),
            hint=Hint(
                in_python(
                    "give an aware datetime, for example datetime.now(timezone.utc), or text ending in Z",
                    otherwise="write it with a zone, like 2026-01-31T18:30:00Z, or only the date, 2026-01-31",
                )
            ),
        )
    since = when - EPOCH
    return in_calendar((since.days * 86_400 + since.seconds) * MICROS_PER_SECOND + since.microseconds, when)


def in_calendar(at: int, told: date | str) -> int:
    """Let a time through that is not at the edge of the calendar, where no lag and no time zone fit any more.

    >>> in_calendar(LATEST, "now"), in_calendar(LATEST + 1, "a day on")
    Traceback (most recent call last):
    asterism.errors.InputError: 'a day on' is at the edge of the calendar (give a time in the years 2 to 9998)
    """
    if FIRST_TIME <= at <= LATEST:
        return at
    shown = told.isoformat() if isinstance(told, date) else told
    raise InputError(
        f"{shown!r} is at the edge of the calendar",
        code="bad_time",
        item=shown,
        hint="give a time in the years 2 to 9998",
    )


def written(at: int) -> str:
    """Write a time as ISO text; one that no calendar has, from a clock that was wrong, as its microseconds.

    >>> written(0), written(2**62)
    ('1970-01-01T00:00:00+00:00', 'microsecond 4611686018427387904')
    """
    try:
        return to_datetime(at).isoformat()
    except OverflowError:
        return f"microsecond {at}"


def to_datetime(at: int) -> datetime:
    """Turn microseconds back into an aware datetime.

    >>> to_datetime(86_401_000_000).isoformat()
    '1970-01-02T00:00:01+00:00'
    """
    return EPOCH + timedelta(microseconds=at)


def to_date(day: int) -> date:
    """Turn a day number back into a date.

    >>> to_date(2).isoformat()
    '1970-01-03'
    """
    return (EPOCH + timedelta(days=day)).date()


def _parsed(text: str) -> datetime | date:
    try:
        return date.fromisoformat(text) if len(text) == len("2026-01-31") else datetime.fromisoformat(text)
    except ValueError:
        raise _not_a_time(text) from None


def _not_a_time(text: str) -> InputError:
    shown = text if len(text) <= 60 else text[:60] + "…"
    return InputError(
        f"{shown!r} is not a time",
        code="bad_time",
        item=shown,
        hint=Hint(
            "write it like 2026-01-31 or 2026-01-31T18:30:00Z",
            in_python(", or give an aware datetime or a date"),
        ),
    )

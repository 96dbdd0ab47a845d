"""What was not told: of the stars that somebody keeps telling, the days without a value, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from asterism.core.ledger.calendar import to_date
from asterism.core.ledger.model import Model
from asterism.engine.diary.values import Values

WINDOW = 14  # days that are looked at, unless told otherwise
KEPT = 3  # days with a value that make a star one of the diary
LAPSED = 60  # days without a value after which nobody is reminded of it


@dataclass(frozen=True, slots=True)
class Gap(Model):
    """Days in a row without a value."""

    first: date
    last: date
    days: int


@dataclass(frozen=True, slots=True)
class MissingStar(Model):
    """What is missing of one star."""

    id: str
    name: str
    last: date  # the last day with a value
    today: bool  # whether the day itself has none
    streak: int  # days in a row without one, up to the day itself
    missing: int  # of the days looked at
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class Missing(Model):
    """What was not told up to a day."""

    day: date
    days: int  # that were looked at
    stars: tuple[MissingStar, ...]  # those of which something is missing
    complete: tuple[str, ...]  # those of which nothing is
    lapsed: tuple[str, ...]  # those that nobody has told for long
    names: dict[str, str] = field(default_factory=dict)  # of these and those, by their ids


def missing(values: Values, names: Mapping[str, str], *, day: int, days: int = WINDOW) -> Missing:
    """Look at the last days of every star that is told day by day."""
    found, complete, lapsed = [], [], []
    for star in sorted(names):
        told = [each for each in values.days(star) if each <= day]
        if len(told) < KEPT:
            continue
        if day - told[-1] > LAPSED:
            lapsed.append(star)
            continue
        there = set(told)
        absent = [each for each in range(max(day - days + 1, told[0]), day + 1) if each not in there]
        if not absent:
            complete.append(star)
            continue
        found.append(
            MissingStar(
                star,
                names[star],
                to_date(told[-1]),
                day not in there,
                day - told[-1],
                len(absent),
                tuple(Gap(to_date(first), to_date(last), last - first + 1) for first, last in runs(absent)),
            )
        )
    called = {star: names[star] for star in (*complete, *lapsed)}
    return Missing(to_date(day), days, tuple(found), tuple(complete), tuple(lapsed), called)


def runs(days: list[int]) -> list[tuple[int, int]]:
    """Join days that follow each other.

    >>> runs([3, 4, 5, 9])
    [(3, 5), (9, 9)]
    """
    found: list[tuple[int, int]] = []
    for day in days:
        if found and found[-1][1] == day - 1:
            found[-1] = (found[-1][0], day)
        else:
            found.append((day, day))
    return found

"""The values that were told of stars, as the ledger has them: the last of a day counts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from asterism.core.connections.inputs import VALUE
from asterism.core.connections.scales import Scale, scale_of
from asterism.core.ledger.calendar import MICROS_PER_DAY, MICROS_PER_SECOND, day_of, to_date
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Model
from asterism.core.ledger.payloads import number
from asterism.engine.space.live import Live

RECENT = 120  # days that are read where only the last ones are told of
FEW = 3  # days of a star, under which earlier ones are read too


class Told(NamedTuple):
    """One value: when, how bright, and on which scale, if on one."""

    at: int
    id: bytes
    brightness: float
    scale: Scale | None


class Values:
    """All that was told of each star, in the order of time."""

    def __init__(self) -> None:
        self.told: dict[str, list[Told]] = {}

    def add(self, item: Item) -> None:
        """Take in an item; they come in the order of time."""
        payload = item.payload
        value = number(payload["value"], "value")
        self.told.setdefault(str(payload["star"]), []).append(Told(item.at, item.id, value, scale_of(payload)))

    def scale(self, star: str) -> Scale | None:
        """Give the scale that a star's values were last told on; None if none was."""
        return next((each.scale for each in reversed(self.told.get(star, ())) if each.scale is not None), None)

    def days(self, star: str) -> dict[int, Told]:
        """Give the value that counts of each day on which one was told."""
        return {day_of(each.at): each for each in self.told.get(star, ())}

    def seconds(self, star: str) -> dict[int, Told]:
        """Give the value that counts of each second for which one was told: a later one corrects it."""
        return {each.at // MICROS_PER_SECOND: each for each in self.told.get(star, ())}


def values_of(live: Live, *, at: int | None = None, known_at: int | None = None) -> Values:
    """Read every value that was told, up to a time."""
    return _read(live, at=at, known_at=known_at)


def recent_values(
    live: Live, stars: Collection[str], *, day: int, days: int, at: int, known_at: int | None = None
) -> Values:
    """Read the values of the last days up to a time; all of a star that has few of them before the last `days`.

    What is missing of those days is judged by whether a star was told before them, however long before.
    """
    since = (day - RECENT) * MICROS_PER_DAY
    found = _read(live, at=at, known_at=known_at, since=since)
    seldom = {star for star in stars if sum(each <= day - days for each in found.days(star)) < FEW}
    earlier = _read(live, at=since - 1, known_at=known_at, naming=seldom) if seldom else Values()
    for star in seldom & earlier.told.keys():
        found.told[star] = [*earlier.told[star], *found.told.get(star, ())]
    return found


def _read(
    live: Live,
    *,
    at: int | None,
    known_at: int | None,
    since: int | None = None,
    naming: Collection[str] | None = None,
) -> Values:
    found = Values()
    items = live.store.items(live.space, only={VALUE}, from_at=since, until_at=at, known_until=known_at, naming=naming)
    for stored in items:
        found.add(stored.item)
    return found


def shown(told: Told, scale: Scale | None) -> float:
    """Give a value as people told it: on its own scale, or on the one that the star has by now."""
    on = told.scale or scale
    return told.brightness if on is None else on.value(told.brightness)


@dataclass(frozen=True, slots=True)
class DayValue(Model):
    """The value of one day, in the units it was told in."""

    day: date
    value: float
    brightness: float


@dataclass(frozen=True, slots=True)
class Series(Model):
    """What was told of one star; days without a value are missing, not zero."""

    id: str
    name: str
    low: float | None  # its scale; None if only brightness was told
    high: float | None
    values: tuple[DayValue, ...]

    def __iter__(self) -> Iterator[DayValue]:
        return iter(self.values)


def series(values: Values, star: str, name: str) -> Series:
    """Give the days of a star, the last value of each."""
    scale = values.scale(star)
    days = [DayValue(to_date(day), shown(told, scale), told.brightness) for day, told in values.days(star).items()]
    return Series(star, name, scale.low if scale else None, scale.high if scale else None, tuple(days))

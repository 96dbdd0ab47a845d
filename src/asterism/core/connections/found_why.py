"""What `why` shows of a found link: the finding's figures, and the days of both stars that it saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from asterism.core.connections.findings import Finding, finding_of
from asterism.core.connections.inputs import VALUE
from asterism.core.connections.scales import Scale, scale_of
from asterism.core.connections.words import Direction
from asterism.core.ledger.calendar import day_of, to_date
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Model
from asterism.core.ledger.payloads import number

ENDS = 3  # of the days seen: so many first and last


@dataclass(frozen=True, slots=True)
class DayPair(Model):
    """The value of the star that leads on a day, and that of the other one, `lag_days` later, in the units told."""

    on: date
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class FoundIn(Model):
    """The finding that speaks for a link, and the days it saw; `gone_on` says since when it no longer holds."""

    first: str  # leads, if there is a delay
    second: str
    names: tuple[str, str]  # of both, in this order
    drives: bool
    found_on: date
    detector: str
    lag_days: int
    r: float
    low: float
    high: float
    p: float
    days: int
    skill: float | None
    since: date
    until: date
    findings: int  # how many there are of the pair
    gone_on: date | None
    r_then: float | None  # when it no longer held
    pairs: tuple[DayPair, ...]

    def notes(self) -> list[str]:
        """Say it in lines: the sentence with its figures, and the first and last of the days."""
        one, other = self.names
        told = sentence(one, other, drives=self.drives, lag_days=self.lag_days, figures=figures(self), skill=self.skill)
        more = f", the latest of {self.findings} findings" if self.findings > 1 else ""
        lines = [f"found on {self.found_on} ({self.detector}{more}): {told}, p {self.p:.2g}"]
        if self.gone_on is not None:
            then = f"r {short(self.r_then or 0.0)} then"
            lines.append(f"no longer holds since {self.gone_on}: {then}; it fades as any other")
        shown = [f"{pair.on} {_written(pair.first)}, {_written(pair.second)}" for pair in self.pairs]
        if len(shown) > 2 * ENDS:
            shown = [*shown[:ENDS], "...", *shown[-ENDS:]]
        if shown:
            later = f" {days_in_words(self.lag_days)} later" if self.lag_days else ""
            lines.append(f"{many(len(self.pairs), 'day')} of {one} and of {other}{later}: {'; '.join(shown)}")
        return lines


def found_in(ends: tuple[str, str], items: Sequence[Item], names: Mapping[str, str]) -> FoundIn | None:
    """Gather what findings say of a pair, from the items that name its ends; None if it was never found.

    The days it saw are those that were told when it was found: what came or was corrected later is no part of it.
    """
    findings: list[tuple[Finding, Item]] = sorted(
        (finding_of(item), item) for item in items if "finding" in item.payload and _of(item, ends)
    )
    holding = [(finding, item) for finding, item in findings if finding.holds]
    if not holding:
        return None
    finding, item = holding[-1]
    told, a, b = item.payload, str(item.payload["a"]), str(item.payload["b"])
    leads_b = finding.direction == Direction.B_TO_A or told.get("leads") == "b"
    first, second = (b, a) if leads_b else (a, b)
    seen = [each for each in items if each.what == VALUE and each.known_at <= item.known_at]
    last = findings[-1][0]
    gone = None if last.holds else last
    since, until = date.fromisoformat(str(told["since"])), date.fromisoformat(str(told["until"]))
    return FoundIn(
        first=first,
        second=second,
        names=(names.get(first, first), names.get(second, second)),
        drives=finding.direction != Direction.NONE,
        found_on=to_date(day_of(finding.at)),
        detector=str(told["detector"]),
        lag_days=finding.lag_days,
        r=finding.r,
        low=number(told["low"], "low"),
        high=number(told["high"], "high"),
        p=number(told["p"], "p"),
        days=int(number(told["days"], "days")),
        skill=number(told["skill"], "skill") if "skill" in told else None,
        since=since,
        until=until,
        findings=len(holding),
        gone_on=None if gone is None else to_date(day_of(gone.at)),
        r_then=None if gone is None else gone.r,
        pairs=_pairs(first, second, seen, since=since, until=until, lag_days=finding.lag_days),
    )


def _of(item: Item, ends: tuple[str, str]) -> bool:
    return {item.payload["a"], item.payload["b"]} == set(ends)


def _pairs(
    first: str, second: str, items: Sequence[Item], *, since: date, until: date, lag_days: int
) -> tuple[DayPair, ...]:
    values: dict[str, dict[date, float]] = {
        star: _days(star, items, since=since, until=until) for star in (first, second)
    }
    later = timedelta(days=lag_days)
    days = sorted(on for on in values[first] if on + later in values[second])
    return tuple(DayPair(on, values[first][on], values[second][on + later]) for on in days)


def _days(star: str, items: Sequence[Item], *, since: date, until: date) -> dict[date, float]:
    """Give the last value of each day as it was told: on its own scale, or on the one that the star has by now."""
    told = [(item, scale_of(item.payload)) for item in items if item.payload["star"] == star]
    last = next((scale for _, scale in reversed(told) if scale is not None), None)
    days = ((to_date(day_of(item.at)), number(item.payload["value"], "value"), scale or last) for item, scale in told)
    return {on: _shown(value, scale) for on, value, scale in days if since <= on <= until}


def _shown(brightness: float, scale: Scale | None) -> float:
    return brightness if scale is None else scale.value(brightness)


# Words


def sentence(first: str, second: str, *, drives: bool, lag_days: int, figures: Figures, skill: float | None) -> str:
    """Say what goes with what, with its figures.

    >>> sentence("Sleep", "Mood", drives=False, lag_days=0, figures=Figures(0.88, 0.81, 0.93, 60), skill=None)
    'Sleep goes with Mood on the same day: r .88 (.81 to .93), 60 days'
    """
    later = "on the same day" if not lag_days else f"{days_in_words(lag_days)} later"
    falls = figures.r is not None and figures.r <= 0
    if drives:
        better = "" if skill is None else f", unseen days forecast {skill:.0%} better"
        told = f": {figures}{better}" if figures.r is not None else ""
        return f"{first} drives {second} {'the other way, ' if falls else ''}{later}{told}"
    return f"{first} goes {'against' if falls else 'with'} {second} {later}: {figures}"


@dataclass(frozen=True, slots=True)
class Figures:
    """How closely two go together, by how many days; what a detector does not give is None.

    >>> str(Figures(0.88, 0.81, 0.93, 60)), str(Figures(None, None, None, 0))
    ('r .88 (.81 to .93), 60 days', '')
    """

    r: float | None
    low: float | None
    high: float | None
    days: int

    def __str__(self) -> str:
        if self.r is None:
            return ""
        told = f"r {short(self.r)}"
        if self.low is not None and self.high is not None:
            told += f" ({short(self.low)} to {short(self.high)})"
        return f"{told}, {many(self.days, 'day')}" if self.days else told


def figures(found: FoundIn) -> Figures:
    """Give the figures of a finding."""
    return Figures(found.r, found.low, found.high, found.days)


def _written(value: float) -> str:
    return f"{round(value, 2) + 0.0:.12g}"


def short(value: float) -> str:
    """Write a share of one.

    >>> short(-0.5), short(1.0)
    ('-.50', '1.00')
    """
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.2f}"


def many(count: int, thing: str) -> str:
    """Write how many there are of a thing.

    >>> many(1, "pair"), many(2, "pair")
    ('1 pair', '2 pairs')
    """
    return f"{count} {thing}{'' if count == 1 else 's'}"


def days_in_words(count: int) -> str:
    """Write a number of days.

    >>> days_in_words(1), days_in_words(3)
    ('a day', '3 days')
    """
    return "a day" if count == 1 else f"{count} days"

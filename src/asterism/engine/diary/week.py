"""A week at a glance: what changed, what goes with what, what no longer does, what was expected, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from statistics import fmean

from asterism.core.connections import read
from asterism.core.connections.findings import Finding, finding_of
from asterism.core.connections.fold import Connections
from asterism.core.connections.model import Prediction, text
from asterism.core.connections.payloads import GONE, HOLDS
from asterism.core.connections.read_predictions import prediction_list
from asterism.core.connections.tables import NEVER
from asterism.core.connections.words import Direction, LinkState, word
from asterism.core.ledger.calendar import DAY_END, MICROS_PER_DAY, day_of, to_date, to_datetime
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Link, Model, link_id
from asterism.core.ledger.payloads import number
from asterism.core.space.discovered import Tested
from asterism.engine.diary.missing import Missing, missing
from asterism.engine.diary.values import Values, recent_values, series
from asterism.engine.space.live import Live

WEEK = 7
BEFORE = 28  # days before the week that it is compared with
LEAST = 3  # days with a value on both sides, to compare them
FADING = 0.05  # strength that a link must have lost in the week to be told as fading
ASLEEP = frozenset({LinkState.DISSOLVED.name, LinkState.DORMANT.name})


@dataclass(frozen=True, slots=True)
class StarWeek(Model):
    """One star's week against the four before, in the units it was told in."""

    id: str
    name: str
    days: int  # with a value, this week
    mean: float | None  # None: nothing was told
    before: float | None  # None: too little was told to compare with
    change: float | None
    share: float | None  # the change as a share of the scale: what makes stars comparable


@dataclass(frozen=True, slots=True)
class FoundPair(Model):
    """What the values show of a pair, with its figures, and since when it was found without a break."""

    id: str
    since: date
    pair: Tested


@dataclass(frozen=True, slots=True)
class Faded(Model):
    """A link that lost strength in the week, or fell asleep, or ended."""

    id: str
    before: float
    after: float
    state: str


@dataclass(frozen=True, slots=True)
class Week(Model):
    """Seven days up to a day."""

    first: date
    last: date
    stars: tuple[StarWeek, ...]  # the largest changes first
    together: tuple[FoundPair, ...]  # what holds now, of links that are awake
    new: tuple[str, ...]  # of these, what was first found this week
    gone: tuple[FoundPair, ...]  # what no longer holds, since this week
    linked: tuple[str, ...]  # other links that came this week
    fading: tuple[Faded, ...]
    expected: tuple[Prediction, ...]  # what was expected for this week
    missing: Missing

    def __str__(self) -> str:
        names = {star.id: star.name for star in self.stars}
        told = [
            f"{star.name}: {_figure(star.before)} -> {_figure(star.mean)}, {star.days} of {WEEK} days told"
            for star in self.stars
        ]
        told += [f"goes together: {each.pair.sentence(names)}" for each in self.together]
        told += [f"no longer holds: {each.pair.sentence(names)}" for each in self.gone]
        told += [f"new link: {each}" for each in self.linked]
        told += [f"fades: {each.id}, {each.before:.2f} -> {each.after:.2f}" for each in self.fading]
        told += [
            f"expected: {names.get(each.star, each.star)} {'rises' if each.sign > 0 else 'falls'} "
            f"about {each.expected_at:%Y-%m-%d}, {each.outcome}"
            for each in self.expected
        ]
        told += [f"missing: {star.name}, {star.missing} of {self.missing.days} days" for star in self.missing.stars]
        return text(f"The week {self.first} to {self.last}:", told or ["nothing was told"])


def _figure(mean: float | None) -> str:
    return "?" if mean is None else f"{mean:.3g}"


def week(live: Live, *, at: int | None, known_at: int | None = None) -> Week:
    """Look back on the seven days that end with a moment."""
    moment = live.moment(at)
    day = day_of(moment)
    start = (day - WEEK + 1) * MICROS_PER_DAY
    now = live.view(moment, known_at=known_at).connections
    names = {star.id: star.name for star in read.stars(now)}
    links = {link.id: link for link in read.links(now)}
    values = recent_values(live, names, day=day, days=WEEK, at=moment, known_at=known_at)
    items = [
        stored.item
        for stored in live.store.items(
            live.space, only={"evidence"}, until_at=moment, known_until=known_at, naming={HOLDS, GONE}
        )
        if "finding" in stored.item.payload
    ]
    earlier = _links_before(live, now, start, known_at=known_at)
    together, gone = found(items, start)
    together = [each for each in together if _awake(links.get(each.id))]
    gone = [each for each in gone if each.id in links or each.id in earlier]
    told = {each.id for each in (*together, *gone)}
    week_end = to_datetime(day * MICROS_PER_DAY + DAY_END)
    return Week(
        first=to_date(day - WEEK + 1),
        last=to_date(day),
        stars=tuple(stars(values, names, day)),
        together=tuple(together),
        new=tuple(each.id for each in together if each.since >= to_date(day - WEEK + 1)),
        gone=tuple(gone),
        linked=tuple(
            each for each, link in links.items() if _awake(link) and not _awake(earlier.get(each)) and each not in told
        ),
        fading=tuple(_fading(links, earlier, told)),
        expected=tuple(
            each for each in prediction_list(now) if each.told and to_datetime(start) <= each.expected_at <= week_end
        ),
        missing=missing(values, names, day=day, days=WEEK),
    )


def _links_before(live: Live, now: Connections, start: int, *, known_at: int | None) -> dict[str, Link]:
    """Give the links as a week began; where none is older than the week, nothing is folded to know that."""
    links = now.graph.links.trim()
    ended = (links.state == LinkState.DISSOLVED) & (links.last_day != NEVER)
    if not (ended | (links.formed_day < day_of(start))).any():
        return {}
    return {link.id: link for link in read.links(live.view(start - 1, known_at=known_at).connections)}


def stars(values: Values, names: Mapping[str, str], day: int) -> list[StarWeek]:
    """Compare each star's week with the four before it; the largest changes first."""
    told = []
    first = to_date(day - WEEK + 1)
    earliest = to_date(day - WEEK + 1 - BEFORE)
    for star, name in names.items():
        all_days = series(values, star, name)
        recent = [each.value for each in all_days if each.day >= first]
        before = [each.value for each in all_days if earliest <= each.day < first]
        if not recent and not before:
            continue
        mean = round(fmean(recent), 9) if recent else None
        usual = round(fmean(before), 9) if len(before) >= LEAST else None
        change = round(mean - usual, 9) if mean is not None and usual is not None and len(recent) >= LEAST else None
        span = 1.0 if all_days.low is None or all_days.high is None else all_days.high - all_days.low
        share = None if change is None else round(change / span, 9)
        told.append(StarWeek(star, name, len(recent), mean, usual, change, share))
    return sorted(told, key=lambda each: (-abs(each.share or 0.0), each.id))


def found(items: Iterable[Item], start: int) -> tuple[list[FoundPair], list[FoundPair]]:
    """Give the pairs whose last finding holds, and those whose findings held until this week; the closest first.

    Of several findings of a pair, the one that saw the newest values speaks, as it does in the fold.
    """
    pairs: dict[str, list[tuple[Finding, Item]]] = {}
    for item in items:
        name = link_id(str(item.payload["a"]), str(item.payload["b"]))
        pairs.setdefault(name, []).append((finding_of(item), item))
    holds, ended = [], []
    for name, told in pairs.items():
        told.sort(key=lambda each: each[0])
        last = max(place for place, (each, _) in enumerate(told) if each.holds or not place)
        first = last
        while first and told[first - 1][0].holds:
            first -= 1
        pair = FoundPair(name, to_date(day_of(told[first][0].at)), _tested(told[last][1]))
        if told[-1][0].holds:
            holds.append(pair)
        elif told[last][0].holds and told[-1][0].at >= start:
            ended.append(pair)
    return sorted(holds, key=_closeness), sorted(ended, key=_closeness)


def _tested(item: Item) -> Tested:
    """Read the finding that an item tells, as it was tested."""
    told = item.payload
    a, b, way = str(told["a"]), str(told["b"]), str(told["direction"])
    drives, lag_days = way != word(Direction.NONE), int(number(told["lag_days"], "lag_days"))
    leads = b if way == word(Direction.B_TO_A) or told.get("leads") == "b" else a
    return Tested(
        a,
        b,
        "drives" if drives else "together",
        "",
        way,
        lag_days,
        leads if lag_days or drives else None,
        int(number(told["days"], "days")),
        number(told["r"], "r"),
        number(told["low"], "low"),
        number(told["high"], "high"),
        number(told["p"], "p"),
        skill=number(told["skill"], "skill") if "skill" in told else None,
        written=True,
    )


def _closeness(each: FoundPair) -> tuple[float, str]:
    return -abs(each.pair.r or 0.0), each.id


def _awake(link: Link | None) -> bool:
    return link is not None and link.state not in ASLEEP


def _fading(links: Mapping[str, Link], earlier: Mapping[str, Link], told: set[str]) -> list[Faded]:
    faded = []
    for name, before in earlier.items():
        link = links.get(name)
        after = link.strength if link is not None else 0.0
        ended = _awake(before) and not _awake(link)
        if name not in told and (ended or (_awake(link) and before.strength - after >= FADING)):
            faded.append(Faded(name, before.strength, after, link.state if link is not None else "DISSOLVED"))
    return sorted(faded, key=lambda each: (each.after - each.before, each.id))

"""What looking through all told values comes to: every pair tested, what came of it, and the finding to be written.

The look itself is pure (`discovery.diary`), what findings make of links is the fold's (`connections.findings`); here
the two are put together, in the words that every surface shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from asterism.core.connections.day import Seen
from asterism.core.connections.findings import DAY_HOURS, Found
from asterism.core.connections.fold import Connections
from asterism.core.connections.found_why import days_in_words
from asterism.core.connections.payloads import GONE, HOLDS
from asterism.core.connections.scales import LOWEST, Scale, scale_of
from asterism.core.connections.tables import NEVER
from asterism.core.connections.words import Direction, LinkState
from asterism.core.discovery.diary import MIN_DAYS, Look, look_through_diary
from asterism.core.ledger.calendar import day_of, to_date
from asterism.core.ledger.columns import Floats
from asterism.core.ledger.items import Item, Payload, Value
from asterism.core.space.discovered import TELLING, Observed, Tested

SURE_DIGITS, P_DIGITS = 4, 3  # of figures in an item: enough to be told, too few to differ by a machine


@dataclass(frozen=True)
class Series:
    """The told values of one star: of each day the last, and the newest item."""

    star: str
    values: dict[int, float]
    newest: Item


def series_of(items: Sequence[Item]) -> list[Series]:
    """Gather values, given in the order (at, id), by star; of a day the last one told counts."""
    found: dict[str, Series] = {}
    scales: dict[str, Scale] = {}  # the first of each star: what was told on others is brought onto it
    for item in items:
        star, value, day = str(item.payload["star"]), float(str(item.payload["value"])), day_of(item.at)
        scale = scale_of(item.payload)
        if scale is not None and (one := scales.setdefault(star, scale)) != scale:
            share = (scale.value(value) - one.low) / (one.high - one.low)  # may lie beyond the ends
            value = LOWEST + (1.0 - LOWEST) * share
        known = found.get(star)
        values = {} if known is None else known.values
        values[day] = value
        found[star] = Series(star, values, item)
    return [found[star] for star in sorted(found)]


@dataclass(frozen=True)
class Looked:
    """A look through all told values: the stars, those of them that were compared, and every pair of those."""

    stars: tuple[Observed, ...]
    compared: tuple[Series, ...]
    looks: tuple[Look, ...]
    tests: int
    since: int


def look_through(series: Sequence[Series], names: Mapping[str, str], *, since: int, most: int) -> Looked:
    """Look through the values of many stars from a day on; stars with too few days are said to be left out."""
    enough = [each for each in series if len(each.values) >= MIN_DAYS]
    chosen = sorted(sorted(enough, key=lambda each: (-len(each.values), each.star))[:most], key=lambda each: each.star)
    compared = {each.star for each in chosen}
    stars = []
    for each in series:
        left_out = None
        if len(each.values) < MIN_DAYS:
            left_out = f"too few days: {len(each.values)} of at least {MIN_DAYS}"
        elif each.star not in compared:
            left_out = f"beyond the {most} stars with the most days"
        first, last = min(each.values), max(each.values)
        name = names.get(each.star, each.star)
        stars.append(Observed(each.star, name, len(each.values), to_date(first), to_date(last), left_out))
    found = look_through_diary(_matrix(chosen)) if len(chosen) > 1 else None
    looks, tests = (found.looks, found.tests) if found else ((), 0)
    return Looked(tuple(stars), tuple(chosen), looks, tests, since)


def _matrix(series: Sequence[Series]) -> Floats:
    first = min(min(each.values) for each in series)
    last = max(max(each.values) for each in series)
    matrix = np.full((len(series), last - first + 1), np.nan)
    for row, each in enumerate(series):
        for day, value in each.values.items():
            matrix[row, day - first] = value
    return matrix


@dataclass(frozen=True)
class Judged:
    """A pair that was tested, and what its finding says, if there is one to be written."""

    tested: Tested
    payload: Payload | None


def judged(looked: Looked, folded: Connections, *, day: int, detector: str) -> list[Judged]:
    """Say of every pair what came of it, and which finding to write now.

    What holds is found again once in a while, when there are new days of both; or when values that were corrected or
    told later say something else than the last finding. That it no longer holds is written at once. Nothing is
    written of a pair that a user denied.
    """
    interval = folded.parameters.finding_interval
    return [_judged(look, looked, folded, day=day, detector=detector, interval=interval) for look in looked.looks]


def _judged(look: Look, looked: Looked, folded: Connections, *, day: int, detector: str, interval: int) -> Judged:
    one, other = looked.compared[look.first], looked.compared[look.second]
    first, second = (one, other) if one.star < other.star else (other, one)
    tells = look.verdict in TELLING
    leads = one.star if look.lag else None
    direction = "none" if look.verdict != "drives" else "a_to_b" if one is first else "b_to_a"
    known = _known(folded, first.star, second.star)
    until = _both_until(first, second)
    note, gone = "", False
    if tells and known is not None:
        sort = (look.r > 0, direction, look.lag if direction != "none" else 0)
        new = until > known.until or (until == known.until and known.alive and known.sort != sort)
        note = "you denied it" if known.denied else _waits(day - known.day, new=new, interval=interval)
    elif known is not None and not known.denied and until >= known.until:
        gone = known.sort is not None and look.reason not in ("too few days", "does not vary")
    tested = Tested(
        a=first.star,
        b=second.star,
        verdict=look.verdict,
        reason=look.reason,
        direction=direction,
        lag_days=look.lag,
        leads=leads,
        days=look.days,
        r=_rounded(look.r),
        low=_rounded(look.low),
        high=_rounded(look.high),
        p=float(f"{look.p:.{P_DIGITS}g}"),
        limit=float(f"{look.limit:.{P_DIGITS}g}"),
        skill=None if look.skill is None else _rounded(look.skill),
        backward=None if look.backward is None else _rounded(look.backward),
        through=tuple(looked.compared[place].star for place in look.through),
        written=tells and not note,
        gone=gone,
        note=note,
    )
    writes = tested.written or gone
    return Judged(tested, _payload(tested, (first, second), looked, detector=detector) if writes else None)


@dataclass(frozen=True)
class Known:
    """What is known of a pair: the day a finding last counted, the last day one looked at, and what holds now."""

    day: int
    until: int
    alive: bool  # not dissolved
    denied: bool
    sort: tuple[bool, str, int] | None  # same sign, direction and delay; None while no finding holds


def _known(folded: Connections, a: str, b: str) -> Known | None:
    """Give what is known of a pair that somebody named together."""
    rows, links = folded.nodes.rows, folded.graph.links
    row = folded.pairs.get(rows[a], rows[b])
    if row is None:
        return None
    direction = Direction(links.lag_direction.item(row))
    delay = round(links.lag_hours.item(row) / DAY_HOURS) if direction else 0
    holds = links.found[row] == Found.HOLDS
    return Known(
        links.found_day.item(row),
        links.found_until.item(row),
        links.state[row] != LinkState.DISSOLVED,
        links.denied.item(row),
        (links.same_sign.item(row), direction.name.lower(), delay) if holds else None,
    )


def _both_until(first: Series, second: Series) -> int:
    """Give the last day up to which both were told."""
    return min(max(first.values), max(second.values))


def _waits(days: int, *, new: bool, interval: int) -> str:
    if not new:
        return "found before, and no new value of both since"
    return f"found {days_in_words(days)} ago: once in {interval} days" if days < interval else ""


def _payload(tested: Tested, series: tuple[Series, Series], looked: Looked, *, detector: str) -> Payload:
    """Say what was found of a pair, as an item of evidence does."""
    drives = tested.verdict == "drives"
    newest = max((each.newest for each in series), key=lambda item: item.position)
    payload: dict[str, Value] = {
        "a": tested.a,
        "b": tested.b,
        "kind": "causation_detected" if drives else "correlation_detected",
        "finding": GONE if tested.gone else HOLDS,
        "direction": tested.direction,
        "lag_days": tested.lag_days,
        "r": tested.r,
        "low": tested.low,
        "high": tested.high,
        "p": tested.p,
        "days": tested.days,
        "since": to_date(looked.since).isoformat(),
        "until": to_date(_both_until(*series)).isoformat(),
        "seen": newest.id.hex(),
        "detector": detector,
    }
    if tested.leads is not None:
        payload["leads"] = "a" if tested.leads == tested.a else "b"
    return payload | {"skill": tested.skill} if drives else payload


def seed_looks(folded: Connections, *, day: int) -> tuple[tuple[Observed, ...], tuple[Tested, ...]]:
    """Say which stars and pairs the seed's detection looks at on a day, the strongest first, and what it sees."""
    table, ids = folded.graph.stars.trim(), folded.nodes.ids
    a, b, seen, _ = folded.look_for_links(day)
    looked_at = {*a.tolist(), *b.tolist()}
    engaged = f"not engaged and told a value of in the last {folded.parameters.engagement_days} days"
    stars = []
    for row in np.flatnonzero(table.observed_day != NEVER).tolist():
        mask = table.observed_days.item(row)
        last = table.observed_day.item(row)
        first = min(last, day + 1 - mask.bit_length())  # of the days that are at hand
        left_out = None if row in looked_at else engaged
        name = folded.names[row]
        stars.append(Observed(ids[row], name, mask.bit_count(), to_date(first), to_date(last), left_out))
    pairs = [_seen(seen, place, (ids[a[place]], ids[b[place]])) for place in range(len(a))]
    pairs.sort(key=lambda pair: (pair.verdict == "nothing", -abs(pair.r or 0.0), pair.a, pair.b))
    return tuple(sorted(stars, key=lambda star: star.id)), tuple(pairs)


def _seen(seen: Seen, place: int, ends: tuple[str, str]) -> Tested:
    r = seen.correlation.item(place)
    known = None if r != r else _rounded(r)
    if seen.correlated[place]:
        return Tested(*ends, "together", "same day", r=known)
    if seen.caused[place]:
        way, lag = seen.causation.direction.item(place), seen.causation.lag_hours.item(place)
        direction, leads = ("a_to_b", ends[0]) if way == Direction.A_TO_B else ("b_to_a", ends[1])
        return Tested(*ends, "drives", "steady delay", direction, round(lag / DAY_HOURS), leads, r=known)
    return Tested(*ends, "nothing", "too few days" if r != r else "too weak", r=known)


def _rounded(value: float) -> float:
    return round(value, SURE_DIGITS) + 0.0

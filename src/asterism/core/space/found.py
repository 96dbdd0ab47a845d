"""What looking through all told values comes to: of every pair what came of it, and the finding to be written.

The look itself is pure (`discovery.diary`) and depends on values alone (`looked`), what findings make of links is the
fold's (`connections.findings`); here the two are put together, in the words that every surface shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from asterism.core.connections.day import Seen
from asterism.core.connections.findings import DAY_HOURS, Finding, Found, finding_of
from asterism.core.connections.fold import Connections
from asterism.core.connections.found_why import Figures, days_in_words
from asterism.core.connections.payloads import GONE, HOLDS
from asterism.core.connections.tables import NEVER
from asterism.core.connections.words import Direction, LinkState
from asterism.core.ledger.calendar import day_of, to_date
from asterism.core.ledger.items import Item, Payload, Value
from asterism.core.ledger.payloads import number
from asterism.core.space.discovered import TELLING, Observed, Tested
from asterism.core.space.looked import Looked, rounded

Pair = tuple[str, str]


@dataclass(frozen=True)
class Judged:
    """A pair that was tested, and what its finding says, if there is one to be written."""

    tested: Tested
    payload: Payload | None


class Said(NamedTuple):
    """What the last finding of a pair said, when, and its place of arrival: what arrived later it has not seen."""

    seq: int
    day: int
    figures: Figures


def said_before(items: Iterable[tuple[int, Item]]) -> dict[Pair, Said]:
    """Give the last of the findings of each pair, each with its place of arrival."""
    last: dict[Pair, tuple[Finding, Said]] = {}
    for seq, item in items:
        if "finding" in item.payload:
            told, pair = item.payload, (str(item.payload["a"]), str(item.payload["b"]))
            low, high, days = (number(told[name], name) for name in ("low", "high", "days"))
            finding = finding_of(item)
            said = Said(seq, day_of(item.at), Figures(finding.r, low, high, int(days)))
            if pair not in last or last[pair][0] < finding:
                last[pair] = finding, said
    return {pair: said for pair, (_, said) in last.items()}


def judged(
    looked: Looked, folded: Connections, *, day: int, detector: str, said: Mapping[Pair, Said] = MappingProxyType({})
) -> list[Judged]:
    """Say of every pair what came of it, and which finding to write now; `said` is what was written last.

    What holds is found again once in a while, when there are new days of both; or when values that were corrected or
    told later say something else than the last finding, be it only in figures. That it no longer holds is written at
    once. Nothing is written of a pair that a user denied.
    """
    rows, pairs, found = folded.nodes.rows, folded.pairs, []
    for tested in looked.pairs:
        row = pairs.get(rows[tested.a], rows[tested.b])
        if row is None and tested.verdict not in TELLING:  # nearly all pairs: nothing is known, and nothing is told
            found.append(Judged(tested, None))
            continue
        known = None if row is None else _known(folded, row)
        found.append(_judged(tested, looked, known, said, day=day, detector=detector))
    return found


def _judged(
    tested: Tested,
    looked: Looked,
    known: Known | None,
    said: Mapping[Pair, Said],
    *,
    day: int,
    detector: str,
) -> Judged:
    tells, note, gone = tested.verdict in TELLING, "", False
    until = both_until(looked, tested)
    if tells and known is not None:
        note = "you denied it" if known.denied else _waits(tested, looked, known, said, day=day)
    elif known is not None and not known.denied and until >= known.until:
        gone = known.sort is not None and tested.reason not in ("too few days", "does not vary")
    tested = replace(tested, written=tells and not note, gone=gone, note=note)
    writes = tested.written or gone
    return Judged(tested, _payload(tested, looked, detector=detector) if writes else None)


@dataclass(frozen=True)
class Known:
    """What is known of a pair: the day a finding last counted, the last day one looked at, and what holds now."""

    day: int
    until: int
    alive: bool  # not dissolved
    denied: bool
    sort: tuple[bool, str, int] | None  # same sign, direction and delay; None while no finding holds
    interval: int  # days in which findings count as one


def _known(folded: Connections, row: int) -> Known:
    """Give what is known of a pair that somebody named together."""
    links = folded.graph.links
    direction = Direction(links.lag_direction.item(row))
    delay = round(links.lag_hours.item(row) / DAY_HOURS) if direction else 0
    holds = links.found[row] == Found.HOLDS
    return Known(
        links.found_day.item(row),
        links.found_until.item(row),
        links.state[row] != LinkState.DISSOLVED,
        links.denied.item(row),
        (links.same_sign.item(row), direction.name.lower(), delay) if holds else None,
        folded.parameters.finding_interval,
    )


def both_until(looked: Looked, pair: Tested) -> int:
    """Give the last day up to which both stars of a pair were told."""
    return min(looked.compared[pair.a].until, looked.compared[pair.b].until)


def _waits(tested: Tested, looked: Looked, known: Known, said: Mapping[Pair, Said], *, day: int) -> str:
    """Say why what is found is not written, if it is not."""
    until, before = both_until(looked, tested), known.day
    new = until > known.until
    if until == known.until and known.alive:
        last = said.get((tested.a, tested.b))
        if known.sort != _sort(tested):
            new = True
        elif last is not None and last.seq < max(looked.compared[star].seq for star in (tested.a, tested.b)):
            new = last.figures != Figures(tested.r, tested.low, tested.high, tested.days)
            before = max(before, last.day)  # such a finding does not count as evidence, and waits all the same
    if not new:
        return "found before, and no new value of both since"
    days = day - before
    return f"found {days_in_words(days)} ago: once in {known.interval} days" if days < known.interval else ""


def _sort(tested: Tested) -> tuple[bool, str, int]:
    directed = tested.direction != "none"
    return (tested.r or 0.0) > 0.0, tested.direction, tested.lag_days if directed else 0


def _payload(tested: Tested, looked: Looked, *, detector: str) -> Payload:
    """Say what was found of a pair, as an item of evidence does."""
    drives = tested.verdict == "drives"
    _, newest = max(looked.compared[star].newest for star in (tested.a, tested.b))
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
        "until": to_date(both_until(looked, tested)).isoformat(),
        "seen": newest.hex(),
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
    known = None if r != r else rounded(r)
    if seen.correlated[place]:
        return Tested(*ends, "together", "same day", r=known)
    if seen.caused[place]:
        way, lag = seen.causation.direction.item(place), seen.causation.lag_hours.item(place)
        direction, leads = ("a_to_b", ends[0]) if way == Direction.A_TO_B else ("b_to_a", ends[1])
        return Tested(*ends, "drives", "steady delay", direction, round(lag / DAY_HOURS), leads, r=known)
    return Tested(*ends, "nothing", "too few days" if r != r else "too weak", r=known)

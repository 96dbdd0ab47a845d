"""Looking through all told values, at once: findings are written in one transaction, and no clock is moved."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from asterism.core.connections import read
from asterism.core.connections.inputs import VALUE
from asterism.core.connections.payloads import GONE, HOLDS
from asterism.core.connections.tables import NEVER, NOT_FORMED
from asterism.core.ledger.calendar import MICROS_PER_DAY, day_of
from asterism.core.ledger.items import Item, Payload, cut, make_item
from asterism.core.space.discovered import TELLING, Discovered, Observed, Tested
from asterism.core.space.found import Pair, Said, both_until, judged, said_before, seed_looks
from asterism.core.space.looked import FORM, Looked, look_through, packed, series_of, unpacked
from asterism.core.space.projection import Projection
from asterism.core.text.near import did_you_mean
from asterism.engine.space.live import Live
from asterism.errors import InputError
from asterism.store.port import Cache

BEST, SEED = "best", "seed"
DETECTORS = (BEST, SEED)
LOOK = "look"  # how the last look is kept for the next process
KEPT_FROM, KEPT_MOST = 100, 20_000  # pairs: fewer are looked through sooner than kept, more would fill the file
SEEN = frozenset({VALUE, "star_added"})  # what a look tells of


def discover(live: Live, *, detector: str = BEST) -> Discovered:
    """Look who goes with whom and who drives whom, write what was found, and say of the rest why nothing was."""
    if detector not in DETECTORS:
        near = did_you_mean(str(detector), DETECTORS)
        raise InputError(
            f"there is no detector {cut(str(detector))!r}",
            code="unknown_detector",
            item=cut(str(detector)),
            hint=f"{near} use one of {', '.join(DETECTORS)}".lstrip(),
        )
    return _by_seed(live) if detector == SEED else _by_values(live)


# The best detector measured


class Held(NamedTuple):
    """A look, what it was looked with, and the last item that it knows of: values that arrived later are new."""

    looked: Looked
    rules: str
    seq: int


def _by_values(live: Live) -> Discovered:
    """Look beside other writers, and write what was found.

    What somebody tells in between is for the next look; only if something was erased, others are held and all is
    looked through again: what was erased must not be found.
    """
    erased = live.store.buried(live.space)
    looked = _looked(live, live.refresh())
    if not looked.pairs:
        return Discovered(BEST, looked.stars, (), 0, 0)

    def build(now: Projection) -> tuple[list[Item], Discovered]:
        latest = looked if live.store.buried(live.space) == erased else _look(live, now)
        day, said = day_of(live.now()), _said(live, latest)
        told = judged(latest, live.view().connections, day=day, detector=BEST, said=said)
        items = [_item(live, each.payload) for each in told if each.payload is not None]
        pairs = tuple(each.tested for each in told)
        return items, Discovered(BEST, latest.stars, pairs, latest.tests, len(items))

    return live.transact(build)[1]


def _looked(live: Live, folded: Projection) -> Looked:
    """Look through the values of the last days; without new ones, what is held or was kept says it all."""
    rules = live.parameters.connections
    wanted = f"{FORM}-{rules.discovery_days}-{rules.discovery_stars}"
    held = live.of_values if isinstance(live.of_values, Held) else _kept(live)
    there = held is not None and held.rules == wanted and held.looked.compared.keys() <= folded.nodes.rows.keys()
    if held is None or not there or live.store.items(live.space, after_seq=held.seq, only=SEEN):
        held = Held(_look(live, folded), wanted, live.seq)
        if KEPT_FROM <= len(held.looked.pairs) <= KEPT_MOST:
            columns = packed(held.looked) | {"seq": np.array([held.seq])}
            live.keep(LOOK, Cache(wanted, columns))
    live.of_values = held._replace(seq=live.seq)
    return held.looked


def _kept(live: Live) -> Held | None:
    cached = live.store.cache(live.space, LOOK)
    if cached is not None:
        with suppress(LookupError, ValueError):  # changed in a way that no checksum sees
            return Held(unpacked(cached.columns), cached.fingerprint, int(cached.columns["seq"][0]))
    return None


def _look(live: Live, folded: Projection) -> Looked:
    connections, rules = folded.connections, live.parameters.connections
    stars = connections.graph.stars.trim()
    told = stars.observed_day[stars.born_day != NOT_FORMED]
    last = int(told.max(initial=0))
    since = last + 1 - rules.discovery_days
    values = live.store.items(live.space, from_at=since * MICROS_PER_DAY, only={VALUE})
    names = {star.id: star.name for star in read.stars(connections)}
    series = [each for each in series_of(values) if each.star in names]
    first = min((min(each.values) for each in series), default=since)
    days = {star: stars.observed_day.item(connections.nodes.rows[star]) for star in names}
    before = {star: day for star, day in days.items() if NEVER < day < since}
    return look_through(series, names, since=max(since, first), most=rules.discovery_stars, before=before)


def _said(live: Live, looked: Looked) -> dict[Pair, Said]:
    """Give what was last said of the pairs that are told now: a finding is never older than what it saw."""
    days = [both_until(looked, pair) for pair in looked.pairs if pair.verdict in TELLING]
    if not days:
        return {}
    since = min(days) * MICROS_PER_DAY
    return said_before(live.store.items(live.space, from_at=since, only={"evidence"}, naming={HOLDS, GONE}))


def _item(live: Live, payload: Payload) -> Item:
    item = make_item(space=live.space, what="evidence", at=live.now(), payload=payload, known_at=live.stamp())
    return live.anew(item)


# The seed's


def _by_seed(live: Live) -> Discovered:
    """Let the seed's detection test unlinked pairs of engaged stars by the days before today (01 D5)."""

    def build(_: Projection) -> tuple[list[Item], tuple[tuple[Observed, ...], tuple[Tested, ...]]]:
        now = live.now()
        item = make_item(space=live.space, what="discovery", at=now, payload={}, known_at=live.stamp())
        return [live.anew(item)], seed_looks(live.view().connections, day=day_of(now))

    before = {link.id for link in read.links(live.view().connections)}
    _, (stars, pairs) = live.transact(build)
    made = {link.id for link in read.links(live.view().connections)} - before
    tested = tuple(replace(pair, written=pair.link in made) for pair in pairs)
    return Discovered(SEED, stars, tested, len(tested), len(made))

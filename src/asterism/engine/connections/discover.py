"""Looking through all told values, at once: findings are written in one transaction, and no clock is moved."""

from __future__ import annotations

from dataclasses import replace

from asterism.core.connections import read
from asterism.core.connections.inputs import VALUE
from asterism.core.connections.tables import NOT_FORMED
from asterism.core.ledger.calendar import MICROS_PER_DAY, day_of
from asterism.core.ledger.items import Item, Payload, cut, make_item
from asterism.core.space.discovered import Discovered, Observed, Tested
from asterism.core.space.found import Looked, judged, look_through, seed_looks, series_of
from asterism.core.space.projection import Projection
from asterism.core.text.near import did_you_mean
from asterism.engine.space.live import Live
from asterism.errors import InputError

BEST, SEED = "best", "seed"
DETECTORS = (BEST, SEED)


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


def _by_values(live: Live) -> Discovered:
    """Look beside other writers, and write what was found; if somebody wrote in between, hold them and look again."""
    folded = live.refresh()
    seen, looked = (folded, folded.dated), _looked(live, folded)
    if not looked.looks:
        return Discovered(BEST, looked.stars, (), 0, 0)

    def build(now: Projection) -> tuple[list[Item], Discovered]:
        latest = looked if (now, now.dated) == seen else _looked(live, now)
        told = judged(latest, live.view().connections, day=day_of(live.now()), detector=BEST)
        items = [_item(live, each.payload) for each in told if each.payload is not None]
        pairs = tuple(each.tested for each in told)
        return items, Discovered(BEST, latest.stars, pairs, latest.tests, len(items))

    return live.transact(build)[1]


def _looked(live: Live, folded: Projection) -> Looked:
    """Read the values of the last days, and look through them."""
    connections, rules = folded.connections, live.parameters.connections
    stars = connections.graph.stars.trim()
    told = stars.observed_day[stars.born_day != NOT_FORMED]
    last = int(told.max(initial=0))
    since = last + 1 - rules.discovery_days
    values = live.store.items(live.space, from_at=since * MICROS_PER_DAY, only={VALUE})
    names = {star.id: star.name for star in read.stars(connections)}
    series = [each for each in series_of([stored.item for stored in values]) if each.star in names]
    first = min((min(each.values) for each in series), default=since)
    return look_through(series, names, since=max(since, first), most=rules.discovery_stars)


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

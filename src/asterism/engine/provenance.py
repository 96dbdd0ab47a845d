"""Looking behind and ahead: why, project, verify, curves, stats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from asterism.core.blocks.read import standing
from asterism.core.calendar import day_of, to_date, to_datetime
from asterism.core.connections import read
from asterism.core.connections.day import Graph
from asterism.core.connections.explain import LinkWatch, StarWatch, why_link, why_star
from asterism.core.connections.fold import Connections, Gain
from asterism.core.connections.model import Fading, Outlook, StarOutlook, Stats, Verify
from asterism.core.connections.words import LinkState
from asterism.core.items import Item, cut, identity
from asterism.core.model import Line, Why, link_id
from asterism.core.nodes import slug
from asterism.core.projection import Projection, differences, digest
from asterism.core.recall.model import AnswerHit
from asterism.core.walkers.crystals import WALK
from asterism.engine import market
from asterism.engine.advancing import refuse_far_future
from asterism.engine.live import Live
from asterism.engine.telling import known_node, node_name, told_pair, whole
from asterism.engine.why_blocks import no_structural, why_block, why_hit, why_structural
from asterism.engine.why_named import KINDS as NAMED
from asterism.engine.why_named import why_named
from asterism.engine.why_told import why_narrative, why_told
from asterism.errors import InputError, UnknownError

Watcher = TypeVar("Watcher", LinkWatch, StarWatch)
CURVE_POINTS = 30


def why(live: Live, ids: tuple[str | AnswerHit, ...], *, at: int | None = None, known_at: int | None = None) -> Why:
    """Explain a link (two ends, or its id), a star's brightness, a block, a level, a hit, or one item of the ledger."""
    if len(ids) == 1 and isinstance(ids[0], AnswerHit):
        return why_hit(ids[0])
    projection = live.view(at, known_at=known_at)
    moment = live.moment(at)
    names = [node_name(name.id if isinstance(name, AnswerHit) else name) for name in ids]
    kind = ""
    if len(names) == 1 and "~" in names[0]:
        whole_name, _, kind = names[0].partition("#")
        names = whole_name.split("~")
    if len(names) not in (1, 2):
        raise InputError("why takes one id, or the two ends of a link", code="bad_ids", hint="why(a, b) or why(star)")
    if len(names) == 1 and "@" in names[0] and slug(names[0]) not in projection.nodes.rows:
        return market.why(live, names[0], at=at, known_at=known_at)
    if len(names) == 1 and names[0] in projection.blocks.blocks:
        return why_block(projection.blocks, names[0])
    if len(names) == 1 and (narrative := why_narrative(projection, names[0])) is not None:
        return narrative
    if len(names) == 1 and slug(names[0] or "-") not in projection.nodes.rows:
        return _why_item(live, names[0])
    nodes = [known_node(projection, name) for name in names]
    if len(nodes) == 2:
        if kind:
            structural = why_structural(live, projection.blocks, nodes[0], nodes[1], kind) or why_told(
                projection, nodes[0], nodes[1], kind
            )
            if structural is None and kind in NAMED:
                index = live.recaller().index
                structural = why_named(index, live.parameters.recall, nodes[0], nodes[1], kind)
            if structural is None:
                raise no_structural(nodes[0], nodes[1], kind)
            return structural
        ends = told_pair(projection, nodes[0], nodes[1])
        told = why_link(_watched(live, moment, known_at, lambda folded: LinkWatch(folded, *ends)), day=day_of(moment))
        told = told or why_structural(live, projection.blocks, nodes[0], nodes[1], None)
        told = told or why_told(projection, nodes[0], nodes[1], None)
        if told is None:
            raise UnknownError(
                f"there is no link between {nodes[0]} and {nodes[1]}",
                code="unknown_link",
                item=link_id(nodes[0], nodes[1]),
                hint="nothing was ever said of this pair; observe(a, b, kind) makes a link",
            )
        return told
    story = why_star(_watched(live, moment, known_at, lambda folded: StarWatch(folded, nodes[0])), day=day_of(moment))
    if story is None:
        raise UnknownError(f"{nodes[0]} has no brightness", code="not_a_star", item=nodes[0], hint="name a star")
    return story


def _watched(live: Live, moment: int, known_at: int | None, make: Callable[[Connections], Watcher]) -> Watcher:
    made: list[Watcher] = []

    def watch(projection: Projection) -> Watcher:
        made.append(make(projection.connections))
        return made[0]

    live.replay(moment, known_at=known_at, watch=watch)
    return made[0]


def _why_item(live: Live, name: str) -> Why:
    item = find_item(live, name)
    projection = live.replay(item.at - 1)
    projection.close_days(day_of(item.at))
    earlier = [stored.item for stored in live.store.items(live.space, until_at=item.at) if stored.item.at == item.at]
    projection.apply_all(other for other in earlier if other.id < item.id)
    gain = projection.apply(item)
    when = to_datetime(item.at).isoformat()
    said = ", ".join(f"{key} {cut(str(value))}" for key, value in item.payload.items())
    notes: tuple[str, ...] = (
        f"{item.what} at {when}: {said}",
        f"source {item.source or 'not given'}; known since {to_datetime(item.known_at).isoformat()}",
    )
    if item.note:
        notes += (f"note: {item.note}",)
    if not isinstance(gain, Gain):
        return Why(item.id.hex(), "gain", (), 0.0, notes)
    lines = [Line(f"{item.payload['kind']}, freshness {gain.freshness:g} and other factors", gain.raw_gain)]
    if abs(gain.gain - gain.raw_gain) > 1e-12:
        reason = {"daily_cap": "daily cap", "ceiling": "ceiling"}.get(
            gain.capped_by or "", "diminishing returns of the day"
        )
        lines.append(Line(reason, gain.gain - gain.raw_gain))
    return Why(item.id.hex(), "gain", tuple(lines), gain.gain, notes)


def find_item(live: Live, name: str) -> Item:
    """Find an item by its id in hex."""
    try:
        item = live.store.item(live.space, bytes.fromhex(name)) if len(name) == 32 else None
    except ValueError:
        item = None
    if item is None:
        raise UnknownError(
            f"there is nothing called {name!r} in this space",
            code="unknown_id",
            item=name,
            hint="give a star, the two ends of a link, or an item id of 32 hex digits",
        )
    return item


def project(live: Live, to: int, *, limit: int) -> Outlook:
    """Say what will fade, and when, if nothing happens."""
    whole(limit, name="limit", least=1)
    now = live.now()
    refuse_far_future(to, now)
    if to <= now:
        raise InputError(
            f"{to_datetime(to).isoformat()} is not in the future",
            code="not_the_future",
            item=to_datetime(to).isoformat(),
            hint="as_of shows the past",
        )
    start = live.view()
    watched = read.links(start.connections)[:limit]
    ahead = start.ahead()
    folded = ahead.connections
    table = folded.graph.links
    rows = [read.row_of(folded, each.a, each.b) for each in watched]
    seen = [[each.strength] for each in watched]
    days = [day_of(now)]
    firsts: dict[tuple[int, str], int] = {}
    for day in range(day_of(now), day_of(to)):
        ahead.close_days(day + 1)
        days.append(day + 1)
        for place, row in enumerate(rows):
            seen[place].append(table.strength.item(row))
            state = LinkState(table.state.item(row)).name
            firsts.setdefault((place, state), day)
            if table.strength[row] <= watched[place].strength / 2:
                firsts.setdefault((place, "half"), day)
    fading = []
    for place, (each, row) in enumerate(zip(watched, rows, strict=True)):
        then = LinkState(table.state.item(row)).name
        dates = [firsts.get((place, key)) for key in ("DORMANT", "DISSOLVED", "half")]
        dormant, dissolved, half = (None if day is None else to_date(day) for day in dates)
        dormant = None if each.state == "DORMANT" else dormant
        curve = sampled(seen[place], CURVE_POINTS)
        fading.append(Fading(each, table.strength.item(row), then, dormant, dissolved, half, curve))
    stars = []
    for before in read.stars(start.connections)[:limit]:
        after = read.star(folded, before.id)
        assert after is not None
        stars.append(StarOutlook(before, after.brightness, after.state))
    return Outlook(to_datetime(now), to_datetime(to), tuple(fading), tuple(stars))


def sampled(values: list[float], points: int) -> tuple[float, ...]:
    """Thin a curve out to so many points, ends kept.

    >>> sampled([0.0, 1.0, 2.0, 3.0, 4.0], 3)
    (0.0, 2.0, 4.0)
    """
    if len(values) <= points:
        return tuple(values)
    places = np.linspace(0, len(values) - 1, points).round().astype(int)
    return tuple(values[place] for place in places.tolist())


class CurveWatch:
    """Notes the strength of every link at every day's end."""

    def __init__(self, folded: Connections) -> None:
        self.folded = folded
        self.days: list[int] = []
        self.strengths: list[list[float]] = []

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Note the day's end."""
        if stage == "state":
            self.days.append(day)
            self.strengths.append(graph.links.trim().strength.tolist())


def curves(live: Live, *, at: int | None, known_at: int | None, points: int) -> dict[str, tuple[float, ...]]:
    """Give the strength of every link through time, thinned out to so many points."""
    whole(points, name="points", least=2)
    watches: list[CurveWatch] = []

    def watch(projection: Projection) -> CurveWatch:
        watches.append(CurveWatch(projection.connections))
        return watches[0]

    projection = live.replay(live.moment(at), known_at=known_at, watch=watch)
    folded, told = projection.connections, watches[0]
    table, ids = folded.graph.links.trim(), folded.nodes.ids
    found = {}
    for row in np.flatnonzero(table.visible()).tolist():
        series = [day[row] if row < len(day) else 0.0 for day in told.strengths] + [table.strength.item(row)]
        ends = (standing(projection.blocks, ids[end]) for end in (table.a[row], table.b[row]))
        found[link_id(*ends)] = sampled(series, points)
    return found


def verify(live: Live) -> Verify:
    """Replay the ledger from nothing and compare with what is held and stored, bit for bit."""
    with live.store.one_moment():
        held = live.refresh().dump()
        checkpoints = live.store.checkpoints(live.space, live.fingerprint)
        stored = live.store.items(live.space)
    wrong = [
        f"item {item.id.hex()}: its content does not give its id"
        for item in (each.item for each in stored)
        if identity(space=item.space, what=item.what, at=item.at, source=item.source, payload=item.payload) != item.id
    ]
    replayed = Projection(live.parameters)
    replayed.apply_all(each.item for each in stored)
    columns = replayed.dump()
    wrong += [f"projection: {name}" for name in differences(columns, held)]
    for checkpoint in checkpoints:
        again = Projection(live.parameters)
        again.apply_all(each.item for each in stored if each.seq <= checkpoint.seq)
        again.close_days(checkpoint.day)
        found = differences(again.dump(), checkpoint.columns)
        wrong += [f"checkpoint of {to_date(checkpoint.day)}: {name}" for name in found]
    return Verify(not wrong, tuple(wrong), len(stored), len(checkpoints), digest(columns))


def _structural(projection: Projection) -> dict[str, int]:
    """Count structural links by kind."""
    counted = Counter(key[0] for key in projection.blocks.links.links)
    counted.update(link.kind for link in projection.transcripts.structural())
    counted.update({WALK: len(projection.walks.ties)} if projection.walks.ties else {})
    return dict(counted)


def stats(live: Live) -> Stats:
    """Count what there is, and what was dropped."""
    projection = live.view()
    counts = live.store.counts(live.space, live.fingerprint)
    links, kinds, stars, latent = read.counts(projection.connections)
    graph = projection.connections.graph
    return Stats(
        space=live.space,
        spaces=len(live.store.spaces()),
        items=counts.items,
        stars=stars,
        links=links,
        kinds=kinds,
        latent_pairs=latent,
        predictions=graph.predictions.size,
        predictions_dropped=graph.predictions_dropped,
        discoveries_cut=graph.pairs_not_tested,
        blocks=dict(Counter(block.status for block in projection.blocks.blocks.values())),
        structural=_structural(projection),
        used_pairs_dropped=projection.blocks.dropped,
        names_cut=projection.blocks.cut,
        colours_dropped=projection.walks.dropped,
        injections_capped=projection.walks.capped,
        embedder=live.store.embedder(live.space),
        levels={each.symbol: each.levels for each in market.symbols(live, at=None, known_at=None)},
        tombstones=counts.tombstones,
        checkpoints=counts.checkpoints,
        size_bytes=live.store.size_bytes(),
        clock=None if projection.latest_at is None else to_datetime(live.now()),
        preset=live.preset,
        parameters=live.parameters.digest(),
    )

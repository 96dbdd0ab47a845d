"""What one item of the ledger added, as lines: strength, brightness, energy, hours, or events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from asterism.core.blocks.fold import KINDS as BLOCK_KINDS
from asterism.core.connections import read
from asterism.core.connections.fold import KINDS as CONNECTION_KINDS
from asterism.core.connections.fold import Gain
from asterism.core.dialogue.payloads import KINDS as TRANSCRIPT_KINDS
from asterism.core.ledger.calendar import MICROS_PER_HOUR, to_datetime, written
from asterism.core.ledger.items import Item, cut
from asterism.core.ledger.model import Line, Why, link_id
from asterism.core.levels.events import KINDS as EVENT_KINDS
from asterism.core.levels.fold import KINDS as LEVEL_KINDS
from asterism.core.levels.fold import MarketBatch
from asterism.core.space.projection import Projection
from asterism.core.walkers.effects import KINDS as WALK_KINDS
from asterism.core.walkers.effects import injections, narrative_rows, rows
from asterism.engine.space.live import Live
from asterism.errors import UnknownError
from asterism.hints import Hint, elsewhere, step

SHOWN = 20  # links that an item changed; the others are one line
STAR_KINDS = frozenset(
    {
        "star_added",
        "acknowledged",
        "engaged",
        "brightness_observed",
        "contradicted",
        "dark_marked",
        "dark_disputed",
    }
)


def why_item(live: Live, name: str, *, at: int | None = None, known_at: int | None = None) -> Why:
    """Explain what an item added, where it stands in the order of the ledger."""
    item = find_item(live, name, at=at, known_at=known_at)
    when = written(item.at)
    said = ", ".join(f"{key} {cut(str(value))}" for key, value in item.payload.items())
    notes: tuple[str, ...] = (
        f"{item.what} at {when}: {said}",
        f"source {item.source or 'not given'}; known since {written(item.known_at)}",
    )
    if item.note:
        notes += (f"note: {item.note}",)
    number, lines, told = _added(live, item, known_at)
    return Why(item.id.hex(), number, tuple(lines), sum(line.value for line in lines), (*notes, *told))


Added = tuple[str, list[Line], list[str]]  # which number, what was added to it, and what else there is to say


def _added(live: Live, item: Item, known_at: int | None) -> Added:
    if item.what in LEVEL_KINDS:
        return _market(item)
    if item.what in WALK_KINDS:
        return _walk(item)
    before = live.replay(item.at, known_at=known_at, before=item)
    if item.what in BLOCK_KINDS:
        return _blocks(before, item)
    if item.what in TRANSCRIPT_KINDS:
        return _transcript(before, item)
    return _connections(before, item) if item.what in CONNECTION_KINDS else ("gain", [], [])


def _connections(projection: Projection, item: Item) -> Added:
    folded = projection.connections
    if item.what in STAR_KINDS:
        star = str(item.payload["star"])
        before = read.star(folded, star)
        projection.apply(item)
        after = read.star(folded, star)
        if after is None:
            return "brightness", [], ["nobody has added this star yet"]
        change = after.brightness - (before.brightness if before else 0.0)
        moved = [f"state {before.state if before else 'none'} -> {after.state}"]
        return "brightness", [Line(f"{star}: {item.what.replace('_', ' ')}", change)], moved
    old = _connected(projection)
    done = projection.apply(item)
    if isinstance(done, Gain):
        return "gain", _gain(item, done), []
    if item.what == "evidence":
        return "gain", [], ["its reading is not the current one of its session: it does not count"]
    return "strength", _changed(old, _connected(projection)), []


def _gain(item: Item, gain: Gain) -> list[Line]:
    lines = [Line(f"{item.payload['kind']}, freshness {gain.freshness:g} and other factors", gain.raw_gain)]
    if abs(gain.gain - gain.raw_gain) > 1e-12:
        reason = {"daily_cap": "daily cap", "ceiling": "ceiling"}.get(
            gain.capped_by or "", "diminishing returns of the day"
        )
        lines.append(Line(reason, gain.gain - gain.raw_gain))
    return lines


def _connected(projection: Projection) -> dict[str, float]:
    table, ids = projection.connections.graph.links.trim(), projection.nodes.ids
    ends = zip(table.a.tolist(), table.b.tolist(), table.strength.tolist(), strict=True)
    return {link_id(ids[a], ids[b]): strength for a, b, strength in ends}


def _blocks(projection: Projection, item: Item) -> Added:
    blocks = projection.blocks
    if item.what == "session":
        return _session(projection, item)
    status = {name: block.status for name, block in blocks.blocks.items()}
    sure = {name: block.confidence(blocks.parameters) for name, block in blocks.blocks.items()}
    hours = blocks.clock.advance(item.at)
    old = {link_id(a, b, kind): blocks.strength((kind, a, b), hours) for kind, a, b in blocks.links.links}
    projection.apply(item)
    new = {link_id(a, b, kind): blocks.strength((kind, a, b), hours) for kind, a, b in blocks.links.links}
    notes = []
    for name, block in sorted(blocks.blocks.items()):
        if block.status != status.get(name):
            notes.append(f"{name}: {status.get(name, 'new')} -> {block.status}")
        elif (now := block.confidence(blocks.parameters)) != sure[name]:
            notes.append(f"{name}: confidence {sure[name]:.4f} -> {now:.4f}")
    if len(notes) > SHOWN:
        notes = [*notes[:SHOWN], f"and {len(notes) - SHOWN} more blocks"]
    return "strength", _changed(old, new), notes


def _session(projection: Projection, item: Item) -> Added:
    """Tell how long a session was open that an item ends; sessions side by side count once."""
    clock, name = projection.blocks.clock, str(item.payload["name"])
    if item.payload["act"] == "start" or name not in clock.open:
        return "active hours", [], ["a session begins" if item.payload["act"] == "start" else "none was open"]
    until = clock.open[name]
    begun = until - round(clock.most_hours * MICROS_PER_HOUR)
    hours = (min(item.at, until) - begun) / MICROS_PER_HOUR
    return "active hours", [Line(f"session {cut(name)}, open since {to_datetime(begun):%Y-%m-%d %H:%M}", hours)], []


def _transcript(projection: Projection, item: Item) -> Added:
    old = {link_id(each.a, each.b, each.kind): each.strength for each in projection.transcripts.structural()}
    projection.transcripts.apply(item)
    new = {link_id(each.a, each.b, each.kind): each.strength for each in projection.transcripts.structural()}
    said = projection.transcripts.said(str(item.payload["session"]))
    notes = [] if said is None else [f"{said.lines} lines, {len(said.moments)} moments, scorer {said.scorer}"]
    return "strength", _changed(old, new), notes


def _changed(old: Mapping[str, float], new: Mapping[str, float]) -> list[Line]:
    """Tell the links that changed, the largest change first; the smallest are one line."""
    changes = {name: new.get(name, 0.0) - old.get(name, 0.0) for name in {*old, *new}}
    moved = sorted((name for name, change in changes.items() if change), key=lambda name: (-abs(changes[name]), name))
    lines = [Line(name, changes[name]) for name in moved[:SHOWN]]
    if len(moved) > SHOWN:
        lines.append(Line(f"and {len(moved) - SHOWN} more links", sum(changes[name] for name in moved[SHOWN:])))
    return lines


def _walk(item: Item) -> Added:
    lines = [Line(f"energy for {node}", energy) for node, energy, _ in injections(item.payload) if energy]
    notes = [f"crystallised {row.id}: {cut(row.name)}" for row in narrative_rows(item.payload)]
    notes.append(f"{len(rows(item.payload, 'coloured'))} links coloured")
    return "energy", lines, notes


def _market(item: Item) -> Added:
    batch = MarketBatch.of(item)
    counts = Counter(EVENT_KINDS[kind] for kind in batch.events.kind.tolist())
    lines = [Line(f"{kind} events of {batch.symbol}", float(count)) for kind, count in sorted(counts.items())]
    return "events", lines, [f"{batch.malformed} malformed rows were left out"] if batch.malformed else []


def find_item(live: Live, name: str, *, at: int | None = None, known_at: int | None = None) -> Item:
    """Find an item by its id in hex, among those of a time if one is given."""
    try:
        item = live.store.item(live.space, bytes.fromhex(name)) if len(name) == 32 else None
    except ValueError:
        item = None
    hidden = item is not None and (
        (at is not None and item.at > at) or (known_at is not None and item.known_at > known_at)
    )
    if item is None or hidden:
        raise UnknownError(
            f"there is nothing called {cut(name)!r} in this space",
            code="unknown_id",
            item=cut(name),
            hint=Hint(
                "give a node's id or name, the two ends of a link, SESSION:LINE, or an item's id of 32 hex digits",
                elsewhere("; ", step("nodes"), " gives ids"),
            ),
        )
    return item

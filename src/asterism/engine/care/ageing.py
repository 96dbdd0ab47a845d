"""What else ages, by other clocks than days: structural links and blocks by active hours, levels by seconds."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import CONFLICT
from asterism.core.blocks.read import blocks_of, links
from asterism.core.connections.model import Ageing
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.nodes import level_id
from asterism.core.levels.read import strengths
from asterism.core.space.projection import Projection
from asterism.engine.market import feed as market
from asterism.engine.space.live import Live

ACTIVE_HOURS, HOURS = "active hours", "hours"


class Aged(NamedTuple):
    """What ages beside connections and stars, and what there is to say of that."""

    structural: tuple[Ageing, ...]
    blocks: tuple[Ageing, ...]
    levels: tuple[Ageing, ...]
    notes: tuple[str, ...]


def aged(live: Live, folded: Projection, *, now: int, to: int, limit: int) -> Aged:
    """Look ahead: the strongest of each, with how long until half is left, and until the end."""
    blocks = folded.blocks
    passing = blocks.clock.hours_at(to) - blocks.clock.hours_at(now)
    structural, aging = _structural(blocks, passing)[:limit], _blocks(blocks, passing)[:limit]
    levels = _levels(live, now, to)[:limit]
    return Aged(structural, aging, levels, tuple(_notes(folded, to, passing)))


def _structural(blocks: Blocks, passing: float) -> tuple[Ageing, ...]:
    least = blocks.parameters.edge_prune_threshold
    found = []
    for link in links(blocks):
        if link.kind == CONFLICT:
            continue  # it stands until it is settled
        rate = min(blocks.rate(link.a), blocks.rate(link.b))
        a, b = sorted((link.a, link.b))
        pruned = not blocks.links.links[link.kind, a, b].reinforced
        ends = _until(link.strength, least, rate) if pruned else None
        then = link.strength * math.exp(-rate * passing)
        end = "pruned" if pruned else ""  # by the next dream
        found.append(Ageing(link.id, link.kind, link.strength, then, ACTIVE_HOURS, _half(rate), ends, end))
    return tuple(found)


def _blocks(blocks: Blocks, passing: float) -> tuple[Ageing, ...]:
    found = []
    for block in blocks_of(blocks):
        rate = blocks.rate(block.id)
        then = block.recency * math.exp(-rate * passing)
        found.append(Ageing(block.id, "block", block.recency, then, ACTIVE_HOURS, _half(rate), None, ""))
    return tuple(sorted(found, key=lambda each: (-each.now, each.id)))


def _half(rate: float) -> float | None:
    return math.log(2) / rate if rate > 0 else None


def _until(value: float, least: float, rate: float) -> float | None:
    """Give the hours until exp(-rate h) has brought a value down to a least one."""
    if value <= least:
        return 0.0
    return math.log(value / least) / rate if rate > 0 else None


def _levels(live: Live, now: int, to: int) -> tuple[Ageing, ...]:
    """Levels lose an equal part of their anchor every second, whoever looks (02, D8)."""
    p = live.parameters.levels
    found = []
    for symbol in market.symbols(live, at=None, known_at=None):
        columns = market.look(live, symbol.symbol, at=None).columns
        stands, falls = strengths(columns, now, p), strengths(columns, to, p)
        for row in np.flatnonzero((columns["level"] == 1) & (stands >= p.archive_threshold)).tolist():
            value, pace = stands.item(row), columns["anchor"][row].item() * p.decay_rate_default * 3600  # an hour
            ends = (value - p.archive_threshold) / pace if pace else None
            name = level_id(symbol.symbol, float(columns["centre"][row].item()))
            half = value / 2 / pace if pace else None
            found.append(Ageing(name, "level", value, falls.item(row), HOURS, half, ends, "archived"))
    return tuple(sorted(found, key=lambda each: (-each.now, each.id)))


def _notes(folded: Projection, to: int, passing: float) -> list[str]:
    blocks, clock = folded.blocks, folded.blocks.clock
    notes = []
    if blocks.blocks:
        told = "no session runs: blocks and their links do not fade until one does"
        if passing > 0:
            until = min(to, clock.until)
            told = (
                f"a session runs: {passing:.1f} active hours pass until {to_datetime(until):%Y-%m-%d %H:%M}, "
                "if nobody ends it"
            )
        notes.append(told)
    lasting = sum(1 for _ in folded.transcripts.structural()) + len(folded.walks.ties)
    if lasting:
        notes.append(f"{lasting:,} links of transcripts and explorations do not fade")
    return notes

"""Every node of a memory, whatever its kind: stars, blocks, levels, actors, moments, narratives."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from asterism.core.blocks import read as read_blocks
from asterism.core.blocks.model import BlockView
from asterism.core.connections import read as read_stars
from asterism.core.connections.model import Star
from asterism.core.ledger.arguments import check_kinds
from asterism.core.ledger.model import Node
from asterism.core.levels.model import Level
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.resolve import known
from asterism.engine.market import feed as market
from asterism.engine.space.face import Held
from asterism.engine.space.live import Live

OWN_VALUES = {"star", "block", "level"}  # kinds that are shown as values of their own
AnyNode = Star | BlockView | Level | Node


def nodes(live: Live, kinds: Collection[str], *, at: int | None, known_at: int | None) -> list[AnyNode]:
    """Give the nodes of some kinds (none named: of all), in the order of kinds, then of ids."""
    every = live.capabilities.node_kinds
    wanted = check_kinds(kinds, every) or every
    folded = live.view(at, known_at=known_at)
    found: list[AnyNode] = []
    if "star" in wanted:
        found += read_stars.stars(folded.connections)
    if "block" in wanted:
        found += sorted(read_blocks.blocks_of(folded.blocks), key=lambda block: block.id)
    if "level" in wanted:
        found += sorted(_levels(live, at, known_at), key=lambda level: level.id)
    others = [
        entry.node()
        for entry in SpaceGraph(folded).entries()
        if entry.kind not in OWN_VALUES and (entry.kind in wanted or not kinds)  # a row may leave a kind unnamed
    ]
    place = {kind: number for number, kind in enumerate(every)}
    found += sorted(others, key=lambda node: (place.get(node.kind, len(place)), node.kind, node.id))
    return found


async def known_node(memory: Held, name: str) -> Node:
    """Give the node that is meant; if there is none, the error says what may be."""
    return await memory._read(None, lambda folded: known(SpaceGraph(folded), name).node())


def _levels(live: Live, at: int | None, known_at: int | None) -> Iterator[Level]:
    for symbol in market.symbols(live, at=at, known_at=known_at):
        yield from market.look(live, symbol.symbol, at=at, known_at=known_at).levels()

"""Putting away and bringing back, whatever it is: a block, or a narrative that walkers left behind."""

from __future__ import annotations

from collections.abc import Sequence

from asterism.core.blocks.fold import KINDS
from asterism.core.blocks.model import BlockView
from asterism.core.blocks.read import block as read_block
from asterism.core.blocks.read import blocks_of
from asterism.core.blocks.words import FORGOTTEN as GONE
from asterism.core.ledger.calendar import When, to_datetime
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Node
from asterism.core.recall.model import AnswerHit
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import find
from asterism.core.walkers.effects import FORGOTTEN, RESTORED
from asterism.core.walkers.fold import Walks
from asterism.engine.blocks import acts
from asterism.engine.blocks.acts import known_block, next_item, to_restore
from asterism.engine.space.face import Held
from asterism.engine.space.live import Live
from asterism.engine.space.said import Said, after, item_of

KEPT = ("block", "narrative")  # kinds that can be put away


def forget(live: Live, node: object, at: When | None, source: str | None) -> BlockView | Node:
    """Say that a block or a narrative is to be forgotten."""
    name = _narrative(live.refresh(), node)
    return acts.forget(live, node, at, source) if name is None else _said(live, FORGOTTEN, name, at, source)


def restore(live: Live, node: object, at: When | None, source: str | None) -> BlockView | Node:
    """Say that what was forgotten is to come back."""
    name = _narrative(live.refresh(), node)
    return acts.restore(live, node, at, source) if name is None else _said(live, RESTORED, name, at, source)


async def forget_all(
    memory: Held, nodes: Sequence[str], *, back: bool = False, source: str | None = None
) -> list[BlockView | Node]:
    """Forget blocks and narratives of a memory, or bring them `back`: all of them or none."""
    return await memory._runner.run(lambda: _change(memory._open(), nodes, back=back, source=source))


async def forgotten(memory: Held) -> list[BlockView | Node]:
    """Give what was forgotten and can be brought back: blocks, then narratives, each in the order they came."""
    return await memory._runner.run(lambda: _put_away(memory._open()))


def _change(live: Live, nodes: Sequence[str], *, back: bool, source: str | None = None) -> list[BlockView | Node]:
    def build(folded: Projection) -> tuple[list[Item], dict[str, None]]:
        blocks, walks, items, names = folded.blocks, folded.walks, list[Item](), dict[str, None]()
        for node in nodes:
            narrative = _narrative(folded, node)
            name = narrative or (to_restore(folded, node) if back else known_block(folded, node))
            if name in names:
                continue
            names[name] = None
            if narrative is None:
                item = next_item(live, blocks, Said("restored" if back else "forgotten", {"block": name}, None, source))
            elif (name in walks.away) == back:
                item = _next(live, walks, Said(RESTORED if back else FORGOTTEN, {"narrative": name}, None, source))
            else:
                continue  # it is so already
            items.append(after(live, item, items[-1].at if items else None))
        return items, names

    _, names = live.transact(build, told=KINDS)
    folded = live.refresh()
    return [read_block(folded.blocks, name) or _shown(folded.walks, name) for name in names]


def _put_away(live: Live) -> list[BlockView | Node]:
    folded = live.refresh()
    walks = folded.walks
    names = sorted(walks.away, key=lambda name: (walks.away[name].at, name))
    return [*blocks_of(folded.blocks, [GONE]), *(_shown(walks, name) for name in names)]


def _narrative(folded: Projection, node: object) -> str | None:
    """Give the id of a narrative that is meant, or None; what is called like one and like a block is an error."""
    name = node.id if isinstance(node, AnswerHit) else node
    found = find(SpaceGraph(folded), name, KEPT, gone=True) if isinstance(name, str) else None
    return found.id if found is not None and found.kind == "narrative" else None


def _said(live: Live, what: str, name: str, at: When | None, source: str | None) -> Node:
    """Write it, unless it is so already."""

    def build(folded: Projection) -> tuple[list[Item], None]:
        if (name in folded.walks.away) == (what == FORGOTTEN):
            return [], None
        return [_next(live, folded.walks, Said(what, {"narrative": name}, at, source))], None

    live.transact(build)
    return _shown(live.refresh().walks, name)


def _next(live: Live, walks: Walks, said: Said) -> Item:
    """Build an item that comes after all that walkers left, unless another time was told."""
    item = item_of(live, said)
    return item if said.at is not None or walks.position is None else after(live, item, walks.position.at)


def _shown(walks: Walks, name: str) -> Node:
    gone = name in walks.away
    crystal = walks.away[name] if gone else walks.narratives[name]
    state = "forgotten" if gone else ""
    return Node(name, "narrative", crystal.name, crystal.content, state, None, to_datetime(crystal.at))

"""Putting away and bringing back, whatever it is: a block, or a narrative that walkers left behind."""

from __future__ import annotations

from asterism.core.blocks.model import BlockView
from asterism.core.calendar import Moment, to_datetime
from asterism.core.items import Item
from asterism.core.model import Node
from asterism.core.projection import Projection
from asterism.core.recall.model import AnswerHit
from asterism.core.walkers.effects import FORGOTTEN, RESTORED
from asterism.core.walkers.fold import Walks
from asterism.engine import learning
from asterism.engine.learning import after
from asterism.engine.live import Live
from asterism.engine.telling import Said, item_of


def forget(live: Live, node: object, at: Moment | None, source: str | None) -> BlockView | Node:
    """Say that a block or a narrative is to be forgotten."""
    name = _narrative(live, node)
    return learning.forget(live, node, at, source) if name is None else _said(live, FORGOTTEN, name, at, source)


def restore(live: Live, node: object, at: Moment | None, source: str | None) -> BlockView | Node:
    """Say that what was forgotten is to come back."""
    name = _narrative(live, node)
    return learning.restore(live, node, at, source) if name is None else _said(live, RESTORED, name, at, source)


def _narrative(live: Live, node: object) -> str | None:
    """Give the id of a narrative that is meant, or None."""
    name, walks = node.id if isinstance(node, AnswerHit) else node, live.refresh().walks
    return name if isinstance(name, str) and (name in walks.narratives or name in walks.away) else None


def _said(live: Live, what: str, name: str, at: Moment | None, source: str | None) -> Node:
    """Write it, unless it is so already."""

    def build(_: Projection) -> list[Item]:
        walks = live.refresh().walks
        if (name in walks.away) == (what == FORGOTTEN):
            return []
        item = item_of(live, Said(what, {"narrative": name}, at, source))
        late = at is None and walks.position is not None
        return [after(item, walks.position.at) if late and walks.position is not None else item]

    live.write(build)
    return _shown(live.refresh().walks, name)


def _shown(walks: Walks, name: str) -> Node:
    gone = name in walks.away
    crystal = walks.away[name] if gone else walks.narratives[name]
    state = "forgotten" if gone else ""
    return Node(name, "narrative", crystal.name, crystal.content, state, None, to_datetime(crystal.at))

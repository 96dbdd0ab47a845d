"""A memory as one graph: nodes of every kind and links of both families, now or as it was."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from asterism.core.ledger.arguments import check_kinds, number, whole
from asterism.core.ledger.calendar import to_datetime
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.view import GraphView, view_of
from asterism.engine.graph.nodes import nodes as every_node
from asterism.engine.space.live import Live


@dataclass(frozen=True)
class Thinning:
    """What to leave out of a graph: nodes of other kinds, weak links, nodes with few links."""

    kinds: Collection[str] = ()
    min_strength: float = 0.0
    limit: int | None = None

    @property
    def asked(self) -> bool:
        """Whether anything is to be left out."""
        return bool(self.kinds) or self.min_strength != 0 or self.limit is not None


def checked(live: Live, thinning: Thinning) -> Thinning:
    """Let through what makes sense."""
    kinds = check_kinds(thinning.kinds, live.capabilities.node_kinds)
    strength = number(thinning.min_strength, name="min_strength", low=0, high=1)
    limit = None if thinning.limit is None else whole(thinning.limit, name="limit", least=1)
    return Thinning(kinds, strength, limit)


def view(live: Live, thinning: Thinning, *, at: int | None = None, known_at: int | None = None) -> GraphView:
    """Gather nodes and links as they stand at one moment."""
    thinning = checked(live, thinning)
    with live.store.one_moment():
        folded = live.view(at, known_at=known_at)
        moment = live.moment(at)
        nodes = every_node(live, (), at=at, known_at=known_at)
    return view_of(
        [node.node() for node in nodes],
        SpaceGraph(folded).links(),
        space=live.space,
        at=to_datetime(moment),
        kinds=thinning.kinds,
        min_strength=thinning.min_strength,
        limit=thinning.limit,
    )

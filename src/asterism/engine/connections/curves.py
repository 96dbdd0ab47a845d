"""How strong every link was through time."""

from __future__ import annotations

import numpy as np

from asterism.core.blocks.read import standing
from asterism.core.connections.day import Graph
from asterism.core.connections.fold import Connections
from asterism.core.ledger.arguments import whole
from asterism.core.ledger.model import link_id
from asterism.core.space.projection import Projection
from asterism.engine.space.live import Live


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

    def slept(self, day: int, until: int, graph: Graph) -> None:
        """Note many days at once, which are all alike."""
        self.days.extend(range(day, until))
        self.strengths.extend([graph.links.trim().strength.tolist()] * (until - day))


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

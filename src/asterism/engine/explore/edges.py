"""Links as walkers see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.columns import Rows
from asterism.core.ledger.graph import Edge
from asterism.core.ledger.model import link_id
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import EMOTIONS, Shares

TICKS = 2_048  # names or links between two looks at a clock
STILL = (0.0,) * EMOTIONS

Tick = Callable[[], None]


class Edges(NamedTuple):
    """Links as a walker sees them, as columns in the order of their ids: so many small objects would keep the
    collector busy.
    """

    ids: list[str]
    a: Rows
    b: Rows
    polarity: Shares  # two columns
    hierarchy: Shares
    permanence: Shares
    emotions: Shares | None

    @classmethod
    def of(
        cls, edges: list[Edge], rows: Mapping[str, int], p: ExplorationParameters, *, tick: Tick | None = None
    ) -> Edges:
        """Gather links, of two with one id the stronger; against its direction a link carries less."""
        places: dict[str, int] = {}
        numbers: list[float] = []  # six of each link
        felt: list[tuple[float, ...]] = []
        for count, edge in enumerate(edges):
            name = link_id(edge.a, edge.b, edge.kind)
            weaker = edge.strength * p.directed_back
            forth = weaker if edge.way < 0 else edge.strength
            back = edge.back if edge.back is not None else weaker if edge.way > 0 else edge.strength
            stays = p.link_permanence if edge.permanence is None else edge.permanence
            row = (rows[edge.a], rows[edge.b], forth, back, edge.hierarchy, stays)
            place = places.setdefault(name, len(places))
            if place == len(felt):
                numbers += row
                felt.append(edge.emotions or STILL)
            elif forth > numbers[6 * place + 2]:
                numbers[6 * place : 6 * place + 6] = row
                felt[place] = edge.emotions or STILL
            if tick is not None and count % TICKS == 0:
                tick()
        ids = sorted(places)
        order = np.fromiter((places[name] for name in ids), dtype=np.intp, count=len(ids))
        table = np.array(numbers).reshape(-1, 6)[order]
        shares = table[:, 2:].astype(np.float32)
        return cls(
            ids,
            table[:, 0].astype(np.intp),
            table[:, 1].astype(np.intp),
            shares[:, :2],
            shares[:, 2],
            shares[:, 3],
            np.array(felt, dtype=np.float32)[order] if any(map(any, felt)) else None,
        )

"""The columns of connections with the notes of the open day: what is touched is settled from how the day began.

Why this is so, and how a day works, says `today`; `fold` turns items into notes here, and ends days.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from asterism.core.connections.day import Graph, Rules
from asterism.core.connections.first_items import LinkDays
from asterism.core.connections.link_type import Ring
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.tables import (
    NOT_FORMED,
    Events,
    LinkRow,
    Links,
    PairIndex,
    Predictions,
    Stars,
    Window,
)
from asterism.core.connections.today import LinkDay, Settled, StarDay, StarStart, settle_link, settle_star
from asterism.core.connections.turns import Turns
from asterism.core.connections.words import StarState
from asterism.core.ledger.columns import Rows, order_by, ranks
from asterism.core.ledger.items import Item
from asterism.core.ledger.nodes import Nodes


class OpenDay:
    """Stars and links, their rows, and what was said of each today."""

    def __init__(self, nodes: Nodes, parameters: ConnectionParameters) -> None:
        self.nodes = nodes
        self.rules = Rules.of(parameters)
        self.graph = Graph(Links(), Stars(), Ring(), Events(), Window(), Predictions(), Turns())
        self.names: list[str] = []
        self.pairs = PairIndex()
        self.day: int | None = None
        self.link_days = LinkDays()
        self.star_days: dict[int, StarDay] = {}
        self.discovered: set[int] = set()
        self._ended = 0  # days of links that were ended here

    @property
    def parameters(self) -> ConnectionParameters:
        """The parameters this was folded with."""
        return self.rules.parameters

    def _node_row(self, row: int) -> int:
        if row >= self.graph.stars.size:
            self.graph.stars.extend_to(row + 1)
            self.names.extend([""] * (row + 1 - len(self.names)))
        return row

    def _ends(self, item: Item) -> tuple[int, int]:
        intern, payload = self.nodes.intern, item.payload
        a, b = intern(str(payload["a"])), intern(str(payload["b"]))
        self._node_row(max(a, b))
        return a, b

    def _all_ends(self, items: Sequence[Item]) -> list[tuple[int, int]]:
        intern, payloads = self.nodes.intern, [item.payload for item in items]
        ends = [(intern(str(payload["a"])), intern(str(payload["b"]))) for payload in payloads]
        self._node_row(len(self.nodes) - 1)
        return ends

    def _link_rows(self, ends: Sequence[tuple[int, int]]) -> list[int]:
        find = self.pairs.get
        found = [find(a, b) for a, b in ends]
        return [self._link_row(*ends[place]) if row is None else row for place, row in enumerate(found)]

    def _link_row(self, a: int, b: int) -> int:
        row = self.pairs.get(a, b)
        if row is None:
            if self.nodes.ids[a] > self.nodes.ids[b]:
                a, b = b, a
            links = self.graph.links
            row = links.add()
            links.a[row], links.b[row] = a, b
            self.pairs.put(a, b, row)
        return row

    def _row(self, row: int) -> LinkRow:
        return LinkRow._make(self.graph.links.row(row))

    def _link_day(self, row: int) -> LinkDay:
        today = self.link_days.get(row)
        if today is None:
            today = self.link_days[row] = LinkDay(self._row(row))
        return today

    def resettle_link(self, row: int, day: int) -> None:
        """Fold one link's open day again from how it began."""
        self._settle_link(row, self.link_days[row], day)

    def _settle_link(self, row: int, today: LinkDay, day: int) -> Settled:
        links, connections = self.graph.links, self.graph.stars.connections
        settled = settle_link(
            today,
            day=day,
            excavating=self.rules.excavating(day, self.graph.first_star_day),
            connections=max(connections.item(today.start.a), connections.item(today.start.b)),
            rungs=self.rules.rungs,
            parameters=self.parameters,
        )
        links.put_row(row, settled.row)
        self.graph.degrees_changed |= settled.row.alive != today.start.alive
        return settled

    def _engage_by_evidence(self, row: int, day: int) -> None:
        stars = self.graph.stars
        if stars.last_engaged.item(row) != day:
            if stars.state[row] == StarState.DORMANT:
                self._star_day(row)  # how it began, before it wakes
            stars.last_engaged[row] = stars.last_seen[row] = day
            stars.engaged_days[row] |= np.uint64(1)
            stars.archived[row] = False
            if stars.state[row] == StarState.DORMANT:
                stars.state[row] = StarState.FLICKERING

    def _engage_all_by_evidence(self, rows: NDArray[np.intp], day: int) -> None:
        stars = self.graph.stars
        rows = rows[stars.last_engaged[rows] != day]
        for row in rows[stars.state[rows] == StarState.DORMANT].tolist():
            self._star_day(row)  # how it began, before it wakes
        stars.last_engaged[rows] = stars.last_seen[rows] = day
        stars.engaged_days[rows] |= np.uint64(1)
        stars.archived[rows] = False
        stars.state[rows[stars.state[rows] == StarState.DORMANT]] = StarState.FLICKERING

    def _star_day(self, row: int) -> StarDay:
        today = self.star_days.get(row)
        if today is None:
            stars = self.graph.stars
            start = StarStart(
                stars.born_day.item(row) != NOT_FORMED,
                stars.state.item(row),
                stars.brightness.item(row),
                stars.last_observed.item(row),
                stars.contradictions.item(row),
                stars.dark_marked.item(row),
                stars.boost.item(row),
            )
            today = self.star_days[row] = StarDay(start)
        return today

    def _settle_star(self, row: int, day: int) -> None:
        stars, today = self.graph.stars, self.star_days[row]
        if stars.born_day[row] == NOT_FORMED:
            return  # acts on a star nobody has added yet: they wait in the open day for its item
        settled = settle_star(
            today, engaged_by_evidence=stars.last_engaged.item(row) == day, parameters=self.parameters
        )
        stars.state[row] = settled.state
        stars.brightness[row] = settled.brightness
        stars.last_observed[row] = settled.last_observed
        stars.contradictions[row] = settled.contradictions
        stars.dark_marked[row] = settled.dark_marked
        if today.acts:
            stars.last_seen[row] = day
            stars.archived[row] = False
        if settled.engaged:
            stars.last_engaged[row] = day
            stars.engaged_days[row] |= np.uint64(1)
        if settled.observed:
            stars.observed_day[row] = day
            stars.observed_days[row] |= np.uint64(1)
        if settled.engaged or settled.observed:
            stars.valued_days[row] |= np.uint64(1)

    def _link_ranks(self) -> Rows:
        """Give every link's place in the order of its ends' ids."""
        node_rank = ranks(self.nodes.order())
        links = self.graph.links.trim()
        return ranks(order_by(node_rank[links.a], node_rank[links.b]))

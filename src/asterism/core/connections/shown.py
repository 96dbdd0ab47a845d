"""What stars and connections show of the graph."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

import numpy as np

from asterism.core.connections import read
from asterism.core.connections.fold import Connections
from asterism.core.connections.tables import NOT_FORMED
from asterism.core.connections.words import Direction, LinkState
from asterism.core.ledger.about import Called
from asterism.core.ledger.graph import Edge, Entry, Followed, Shown
from asterism.core.ledger.nodes import symbol_of

WAYS = {Direction.A_TO_B: 1, Direction.B_TO_A: -1}


def entries(folded: Connections) -> Iterator[Entry]:
    """Give every star, by id, and the levels that evidence was told of: these do not come and go with every feed."""
    for row in sorted(_born(folded), key=folded.nodes.ids.__getitem__):
        yield _star(folded, row)
    yield from map(_level, folded.nodes.levels)


def entry(folded: Connections, node: str) -> Entry | None:
    """Give a star, or a level that evidence was told of."""
    row = folded.nodes.rows.get(node)
    if row is None:
        return None
    if row < folded.graph.stars.size and folded.graph.stars.born_day[row] != NOT_FORMED:
        return _star(folded, row)
    return _level(node) if symbol_of(node) else None


def names(folded: Connections) -> Iterator[Called]:
    """Give the names of stars."""
    return (Called(folded.names[row], folded.nodes.ids[row]) for row in _born(folded))


def _born(folded: Connections) -> list[int]:
    """Give the rows of nodes that are stars."""
    rows: list[int] = np.flatnonzero(folded.graph.stars.trim().born_day != NOT_FORMED).tolist()
    return rows


def _star(folded: Connections, row: int) -> Entry:
    return Entry(id=folded.nodes.ids[row], text=folded.names[row], name=folded.names[row], kind="star")


def _level(node: str) -> Entry:
    title = node.replace("@", " ")
    return Entry(id=node, text=title, name=title, kind="level")


def edges(folded: Connections) -> Iterator[Edge]:
    """Give the connections that are neither dormant nor dissolved."""
    table, ids = folded.graph.links.trim(), folded.nodes.ids
    awake = table.visible() & (table.state != LinkState.DISSOLVED) & (table.state != LinkState.DORMANT)
    rows = np.flatnonzero(awake)
    columns = (table.a, table.b, table.strength, table.direction)
    for a, b, strength, way in zip(*(column[rows].tolist() for column in columns), strict=True):
        yield Edge("", ids[a], ids[b], strength, WAYS.get(Direction(way), 0))


def followed(folded: Connections, node: str) -> Iterator[Followed]:
    """Give the connections of a node that are neither dormant nor dissolved."""
    row, table = folded.nodes.rows.get(node), folded.graph.links.trim()
    if row is None:
        return
    rows = np.flatnonzero((table.a == row) | (table.b == row))
    shown = (table.raw[rows] > 0) & ~table.latent[rows]
    rows = rows[shown & (table.state[rows] != LinkState.DISSOLVED) & (table.state[rows] != LinkState.DORMANT)]
    if len(rows):
        ids, ends = folded.nodes.ids, np.where(table.a[rows] == row, table.b[rows], table.a[rows])
        yield Followed("", [ids[end] for end in ends.tolist()], table.strength[rows])


SHOWN: Shown[Connections] = Shown(
    kinds=("star", "level"),
    revision=attrgetter("nodes.revision"),
    entries=entries,
    ids=lambda folded: folded.nodes.ids,
    entry=entry,
    names={"star": names},
    links=lambda folded, node: read.links(folded, node),
    edges=edges,
    followed=followed,
)

"""The graph as arrays: what a node's links are is a slice, what their vectors are a gather.

A link stands in the arrays twice, once for each end, by the number of the node it is seen from (CSR). A link's vector
is the mean of its ends unless it has one of its own; those of the ends are never made, for products with the ends'
vectors give the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from asterism.core.ledger.columns import Bytes, Floats, Ints, Longs
from asterism.core.walkers.changing import Change, Longer, Vectors, recoloured, seen_from, with_links
from asterism.core.walkers.nearest import Narratives
from asterism.core.walkers.places import (
    EMOTIONS,
    KINDS,
    NARRATIVE,
    Answer,
    Links,
    Look,
    Named,
    Near,
    Nearest,
    Own,
    Place,
    Request,
    Shares,
    Texts,
)
from asterism.core.walkers.vectors import Matrix, unit_rows
from asterism.errors import InputError

NARRATIVE_CODE = KINDS.index(NARRATIVE)


@dataclass(frozen=True, eq=False)
class WalkGraph:
    """Nodes and walkable links; nothing in it changes, and asking costs no copy of it."""

    ids: Sequence[str]
    kinds: Bytes  # places in KINDS
    vectors: Matrix
    names: Texts
    contents: Texts
    weight: Floats
    energy: Floats
    permanence: Floats  # of nodes
    starts: Longs  # links of node n: rows starts[n] to starts[n + 1] of the columns below
    links: Ints
    ends: Ints
    polarity: Shares
    hierarchy: Shares
    link_permanence: Shares
    link_ids: Texts
    count: int  # of links
    own: Own | None = None
    emotions: Shares | None = None
    fresh: Mapping[int, Links] = field(default_factory=dict)  # links of nodes that changed since it was built
    room: Vectors | None = None  # what `vectors` is the beginning of
    _rows: dict[str, int] = field(default_factory=dict, repr=False)

    @classmethod
    def build(
        cls,
        *,
        ids: Sequence[str],
        kinds: Sequence[str] | Bytes,
        vectors: ArrayLike,
        a: ArrayLike,
        b: ArrayLike,
        link_ids: Texts | None = None,
        polarity: ArrayLike = 0.5,
        hierarchy: ArrayLike = 0.0,
        permanence: ArrayLike = 0.5,
        walkable: ArrayLike = True,
        link_vectors: Mapping[int, ArrayLike] | None = None,
        colours: Mapping[int, ArrayLike] | None = None,
        emotions: ArrayLike | None = None,
        names: Texts | None = None,
        contents: Texts | None = None,
        weight: ArrayLike = 1.0,
        energy: ArrayLike = 0.0,
        node_permanence: ArrayLike | None = None,
        tick: Callable[[], None] | None = None,
    ) -> WalkGraph:
        """Build the graph from columns of nodes and of links.

        Links are numbered by their row, which must follow their ids. `polarity` is one number for both ways or two
        columns, a to b and b to a; `hierarchy` is read from a to b. Vectors may have any length; zeros: there is none.
        `link_vectors` are vectors that links have of their own, `colours` means of their ends that were coloured.
        `tick` is called between portions of work, which it may end.
        """
        size, first, second = len(ids), _ends(a, len(ids)), _ends(b, len(ids))
        count = len(first)
        ways = np.asarray(polarity, dtype=np.float32)
        ways = np.broadcast_to(ways if ways.ndim == 2 else ways.reshape(-1, 1), (count, 2))
        up = np.broadcast_to(np.asarray(hierarchy, dtype=np.float32), (count,))
        keep = np.broadcast_to(np.asarray(walkable, dtype=np.bool_), (count,))
        kept = np.stack([keep, keep & (first != second)], axis=1).ravel()  # a link to itself has one end
        here = np.stack([first, second], axis=1).ravel()
        order = np.argsort(here, kind="stable")
        order = order[kept[order]]
        link = (order >> 1).astype(np.int32)
        starts = np.zeros(size + 1, dtype=np.int64)
        np.cumsum(np.bincount(here[order], minlength=size), out=starts[1:])
        whole = np.asarray(vectors)
        room = Vectors.of(whole if whole.ndim == 2 else whole.reshape(size, 0), tick=tick)
        heavy = np.array(np.broadcast_to(np.asarray(weight, dtype=np.float64), (size,)))
        stays = heavy / (heavy + 1.0) if node_permanence is None else np.asarray(node_permanence, dtype=np.float64)
        named = tuple(ids)  # the collector walks through long lists again and again, and through such tuples once
        return cls(
            ids=named,
            kinds=_codes(kinds),
            vectors=room.matrix,
            room=room,
            names=named if names is None else _still(names),
            contents=("",) * size if contents is None else _still(contents),
            weight=heavy,
            energy=np.array(np.broadcast_to(np.asarray(energy, dtype=np.float64), (size,))),
            permanence=stays,
            starts=starts,
            links=link,
            ends=np.stack([second, first], axis=1).ravel()[order].astype(np.int32),
            polarity=np.clip(ways.ravel()[order], 0.0, 1.0),
            hierarchy=np.stack([up, -up], axis=1).ravel()[order].astype(np.float32),
            link_permanence=np.clip(
                np.broadcast_to(np.asarray(permanence, dtype=np.float32), (count,))[link], 0.0, 1.0
            ),
            link_ids=tuple(map(str, range(count))) if link_ids is None else _still(link_ids),
            count=count,
            own=_own(link_vectors or {}, colours or {}, link, count),
            emotions=None
            if emotions is None
            else np.asarray(emotions, dtype=np.float32).reshape(count, EMOTIONS)[link],
        )

    def recoloured(
        self,
        *,
        permanence: ArrayLike,
        link_vectors: Mapping[int, ArrayLike] | None = None,
        colours: Mapping[int, ArrayLike] | None = None,
    ) -> WalkGraph:
        """Give the same graph with other permanences and colours of its links; nothing else is built again."""
        stays = np.asarray(permanence, dtype=np.float32)
        return replace(
            self,
            link_permanence=np.clip(stays[self.links], 0.0, 1.0),
            own=_own(link_vectors or {}, colours or {}, self.links, len(stays)),
        )

    def changed(self, change: Change) -> WalkGraph:
        """Give the graph as it is after a change; what it costs depends on what changed, and on copies of columns."""
        assert self.room is not None
        assert self.emotions is None
        size = len(self.ids)
        added = np.array([node.vector for node in change.nodes], dtype=np.float64).reshape(-1, self.dimension)
        room = self.room.and_also(added.astype(np.float32), behind=size)
        vectors = room.matrix[: size + len(change.nodes)]
        ids = (*self.ids, *(node.id for node in change.nodes))
        link_ids = Longer.of(self.link_ids, [link.id for link in change.links], behind=self.count)
        fresh = dict(self.fresh)
        for number in range(size, len(ids)):
            fresh[number] = _no_links(vectors, ids)
        for node, seen in seen_from(change.links, first=self.count).items():
            was = fresh[node] if node >= size else self._links(node)
            fresh[node] = with_links(was, seen, ids=link_ids, end_ids=ids, vectors=vectors)
        for node, now in change.recoloured_at().items():
            fresh[node] = recoloured(fresh[node] if node in fresh else self._links(node), now)
        weight, energy = (
            _set(np.append(column, np.zeros(len(change.nodes))), values)
            for column, values in ((self.weight, change.weight), (self.energy, change.energy))
        )
        return replace(
            self,
            ids=ids,
            kinds=np.append(self.kinds, np.array([node.kind for node in change.nodes], dtype=np.uint8)),
            vectors=vectors,
            room=room,
            names=Longer.of(self.names, [node.name for node in change.nodes], behind=size),
            contents=Longer.of(self.contents, [node.content for node in change.nodes], behind=size),
            weight=weight,
            energy=energy,
            permanence=weight / (weight + 1.0),
            link_ids=link_ids,
            count=self.count + len(change.links),
            fresh=fresh,
            _rows=self._rows if room is self.room else {},  # another graph may have gone on from here with its own
        )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def dimension(self) -> int:
        """Give the length of the vectors."""
        return int(self.vectors.shape[1])

    def number(self, node: str) -> int | None:
        """Give the number of a node, or None."""
        for row in range(len(self._rows), len(self.ids)):
            self._rows[self.ids[row]] = row
        row = self._rows.get(node, len(self.ids))
        return row if row < len(self.ids) else None  # one that came later is known to a later graph

    def answer(self, request: Request) -> Answer:
        """Answer what a walker asks."""
        return self.look(request.node) if isinstance(request, Look) else self.nearest(request)

    def look(self, node: int) -> Place:
        """Give a node and its links."""
        return Place(
            node,
            self.ids[node],
            KINDS[self.kinds[node]],
            self.names[node],
            self.contents[node],
            self.permanence.item(node),
            self.vectors[node].astype(np.float64),
            self._links(node),
        )

    def _links(self, node: int) -> Links:
        if node in self.fresh:
            return self.fresh[node]
        at = slice(self.starts[node], self.starts[node + 1])
        numbers, ends = self.links[at], self.ends[at]
        return Links(
            numbers,
            ends,
            self.polarity[at],
            self.hierarchy[at],
            self.link_permanence[at],
            self.vectors,
            ends,
            Named(self.link_ids, numbers),
            Named(self.ids, ends),
            None if self.own is None else self.own._replace(rows=self.own.rows[at]),
            None if self.emotions is None else self.emotions[at],
        )

    @cached_property
    def narratives(self) -> Narratives:
        """Give the narratives that have a vector."""
        rows = np.flatnonzero(self.kinds == NARRATIVE_CODE).astype(np.int32)
        rows = rows[self.vectors[rows].any(axis=1)]
        return Narratives(self.ids, rows, self.vectors[rows])

    def nearest(self, asked: Near) -> Nearest | None:
        """Give the narrative nearest to a vector, if it is near enough."""
        return self.narratives.nearest(asked)


def _no_links(vectors: Matrix, ids: Sequence[str]) -> Links:
    none, nothing = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32)
    return Links(none, none, nothing, nothing, nothing, vectors, none, Named((), none), Named(ids, none))


def _set(column: Floats, values: Mapping[int, float]) -> Floats:
    for row, value in values.items():
        column[row] = value
    return column


def _still(texts: Texts) -> Texts:
    return tuple(texts) if isinstance(texts, list) else texts


def _ends(given: ArrayLike, size: int) -> Longs:
    ends = np.asarray(given, dtype=np.int64)
    if len(ends) and not 0 <= ends.min() <= ends.max() < size:
        raise InputError(
            "a link's end is no node", code="unknown_node", hint="give the ends of links as rows of the nodes"
        )
    return ends


def _codes(kinds: Sequence[str] | Bytes) -> Bytes:
    if isinstance(kinds, np.ndarray):
        return kinds.astype(np.uint8)
    return np.array([KINDS.index(kind) for kind in kinds], dtype=np.uint8)


def _own(vectors: Mapping[int, ArrayLike], colours: Mapping[int, ArrayLike], links: Ints, count: int) -> Own | None:
    given = {**colours, **vectors}
    if not given:
        return None
    numbers = sorted(given)
    rows = np.full(count, -1, dtype=np.int32)
    rows[numbers] = np.arange(len(numbers), dtype=np.int32)
    coloured = np.array([number not in vectors for number in numbers], dtype=np.bool_)
    return Own(rows[links], unit_rows(np.array([given[number] for number in numbers])), coloured)

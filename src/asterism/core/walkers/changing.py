"""Changing a graph where an exploration changed it: some nodes more, and the links of those that it touched.

What was handed out does not change: the new graph has its own lists where they differ, and shares the rest.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.columns import Bools, Floats, Ints
from asterism.core.walkers.places import Links, Named, Own, Shares, Texts
from asterism.core.walkers.vectors import Matrix, Vector, unit_rows

SPARE = 8  # a graph has room for one more node for every so many
PORTION = 4096  # vectors between two looks at a clock
ROOM = 64  # and for so many at least


class NewNode(NamedTuple):
    """A node that comes."""

    id: str
    kind: int  # a place in KINDS
    name: str
    content: str
    vector: Sequence[float] | Vector | Matrix


class NewLink(NamedTuple):
    """A link that comes, as `WalkGraph.build` takes it."""

    id: str
    a: int
    b: int
    forth: float
    back: float
    hierarchy: float
    permanence: float


class Recoloured(NamedTuple):
    """What a link is now: how permanent, and its coloured mean of ends, if it was ever coloured."""

    permanence: float
    colour: Vector | None


@dataclass(frozen=True, kw_only=True)
class Change:
    """What becomes of a graph; nodes and links are named by their numbers, new ones come behind all others."""

    nodes: Sequence[NewNode] = ()
    links: Sequence[NewLink] = ()
    recoloured: Mapping[int, Recoloured] = field(default_factory=dict)
    ends: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # of the recoloured
    weight: Mapping[int, float] = field(default_factory=dict)
    energy: Mapping[int, float] = field(default_factory=dict)

    def recoloured_at(self) -> dict[int, dict[int, Recoloured]]:
        """Give the recoloured links by the nodes that have them."""
        found: dict[int, dict[int, Recoloured]] = {}
        for number, now in self.recoloured.items():
            for end in self.ends[number]:
                found.setdefault(end, {})[number] = now
        return found


class Vectors:
    """The vectors of a graph's nodes, with room for more; rows that somebody may look at are never written again."""

    def __init__(self, rows: Matrix, *, size: int) -> None:
        self._rows = rows
        self._size = size

    @classmethod
    def of(cls, vectors: Matrix, *, tick: Callable[[], None] | None = None) -> Vectors:
        """Bring vectors to length 1, and leave room; `tick` is called between portions."""
        rows = np.zeros((len(vectors) + len(vectors) // SPARE + ROOM, vectors.shape[1]), dtype=np.float32)
        for start in range(0, len(vectors), PORTION):
            some = slice(start, min(start + PORTION, len(vectors)))
            unit_rows(vectors[some], out=rows[some])
            if tick is not None:
                tick()
        return cls(rows, size=len(vectors))

    @property
    def matrix(self) -> Matrix:
        """Give a row for each node."""
        return self._rows[: self._size]

    def and_also(self, vectors: Matrix, *, behind: int) -> Vectors:
        """Give room for more vectors behind so many, which must be all there are for the room to be shared."""
        size = behind + len(vectors)
        rows = self._rows
        if behind < self._size or size > len(rows):  # somebody else went on from there, or it is full
            rows = np.zeros((size + size // SPARE + ROOM, rows.shape[1]), dtype=np.float32)
            rows[:behind] = self._rows[:behind]
        unit_rows(vectors, out=rows[behind:size])
        self._size = max(self._size, size) if rows is self._rows else self._size
        return self if rows is self._rows else Vectors(rows, size=size)


@dataclass(frozen=True, slots=True)
class Longer:
    """Texts with some behind them."""

    first: Texts
    behind: int
    more: tuple[str, ...]

    @classmethod
    def of(cls, texts: Texts, more: Sequence[str], *, behind: int) -> Texts:
        """Put texts behind the first so many."""
        if not more:
            return texts
        if isinstance(texts, Longer):
            return cls(texts.first, texts.behind, (*texts.more[: behind - texts.behind], *more))
        return cls(texts, behind, tuple(more))

    def __getitem__(self, place: int, /) -> str:
        return self.first[place] if place < self.behind else self.more[place - self.behind]


class Seen(NamedTuple):
    """A new link as it is seen from one end."""

    id: str
    number: int
    end: int
    polarity: float
    hierarchy: float
    permanence: float


def seen_from(links: Sequence[NewLink], *, first: int) -> dict[int, list[Seen]]:
    """Give the new links by the nodes they are seen from, in the order of their ids; the first has this number."""
    found: dict[int, list[Seen]] = {}
    for number, each in enumerate(links, first):
        found.setdefault(each.a, []).append(Seen(each.id, number, each.b, each.forth, each.hierarchy, each.permanence))
        if each.a != each.b:  # a link to itself has one end
            found.setdefault(each.b, []).append(
                Seen(each.id, number, each.a, each.back, -each.hierarchy, each.permanence)
            )
    return {node: sorted(seen) for node, seen in found.items()}


def with_links(was: Links, added: Sequence[Seen], *, ids: Texts, end_ids: Texts, vectors: Matrix) -> Links:
    """Put links in their places among those of a node."""
    places = [bisect_left(range(len(was)), each.id, key=was.ids.__getitem__) for each in added]

    def put(column: Ints | Shares, field: str) -> Floats:
        return np.insert(column, places, [getattr(each, field) for each in added])

    numbers, ends = put(was.numbers, "number").astype(np.int32), put(was.ends, "end").astype(np.int32)
    own = None if was.own is None else was.own._replace(rows=np.insert(was.own.rows, places, -1))
    return Links(
        numbers,
        ends,
        np.clip(put(was.polarity, "polarity"), 0.0, 1.0).astype(np.float32),
        put(was.hierarchy, "hierarchy").astype(np.float32),
        np.clip(put(was.permanence, "permanence"), 0.0, 1.0).astype(np.float32),
        vectors,
        ends,
        Named(ids, numbers),
        Named(end_ids, ends),
        own,
    )


def recoloured(was: Links, now: Mapping[int, Recoloured]) -> Links:
    """Give the links of a node with other permanences and colours of some; these have no vectors of their own."""
    permanence = was.permanence.copy()
    rows = np.full(len(was), -1, dtype=np.int32) if was.own is None else was.own.rows.copy()
    places = {int(np.flatnonzero(was.numbers == number)[0]): each for number, each in sorted(now.items())}
    fresh: list[Vector] = []
    for place, each in places.items():
        permanence[place] = np.float32(min(max(each.permanence, 0.0), 1.0))
        rows[place] = -1
    kept = np.flatnonzero(rows >= 0)
    vectors = [] if was.own is None else list(was.own.vectors[rows[kept]])
    coloured: list[bool] = [] if was.own is None else was.own.coloured[rows[kept]].tolist()
    rows[kept] = np.arange(len(kept))
    for place, each in places.items():
        if each.colour is not None:
            rows[place] = len(vectors) + len(fresh)
            fresh.append(each.colour)
    if len(vectors) + len(fresh) == 0:
        return _with(was, permanence, None)
    width = was.vectors.shape[1]
    matrix = np.concatenate(
        [np.array(vectors, dtype=np.float32).reshape(-1, width), unit_rows(np.array(fresh).reshape(-1, width))]
    )
    marks: Bools = np.array([*coloured, *(True for _ in fresh)], dtype=np.bool_)
    return _with(was, permanence, Own(rows, matrix, marks))


def _with(was: Links, permanence: Shares, own: Own | None) -> Links:
    return Links(
        was.numbers,
        was.ends,
        was.polarity,
        was.hierarchy,
        permanence,
        was.vectors,
        was.rows,
        was.ids,
        was.end_ids,
        own,
        was.emotions,
    )

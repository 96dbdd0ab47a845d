"""What a walker asks for, and what it is answered: values, whatever graph they come from.

Nodes and links are numbers that the graph chose. The links of a place are listed in the order of their ids, which
settles ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Bools, Ints
from asterism.core.walkers.vectors import Matrix, Vector

Shares = NDArray[np.float32]

ACTOR, MOMENT, NARRATIVE, PLACE, THING = "actor", "moment", "narrative", "place", "thing"
KINDS = (ACTOR, MOMENT, NARRATIVE, PLACE, THING)
EMOTIONS = 4  # axes of a link's emotion


class Texts(Protocol):
    """Texts by place; a list is one."""

    def __getitem__(self, place: int, /) -> str: ...


class Own(NamedTuple):
    """Vectors of links that are not just the mean of their ends."""

    rows: Ints  # of each link, -1: its vector is the mean of its ends
    vectors: Matrix
    coloured: Bools  # of each vector: it is a mean of ends that was coloured, not the link's own


class Links(NamedTuple):
    """The links of one node as a walker standing on it sees them, in the order of their ids."""

    numbers: Ints
    ends: Ints  # the nodes at their other ends
    polarity: Shares  # from here to there, within [0, 1]
    hierarchy: Shares  # from here to there
    permanence: Shares  # within [0, 1]
    vectors: Matrix  # unit vectors; row `rows[place]` is that of the other end, zero if it has none
    rows: Ints
    ids: Texts
    end_ids: Texts
    own: Own | None = None
    emotions: Shares | None = None

    def __len__(self) -> int:
        """Count the links, not the columns."""
        return int(self.numbers.shape[0])


class Place(NamedTuple):
    """A node and its links."""

    number: int
    id: str
    kind: str
    name: str
    content: str
    permanence: float
    vector: Vector  # unit length, zero if it has none
    links: Links


class Nearest(NamedTuple):
    """The existing narrative nearest to a vector."""

    id: str
    likeness: float


class Look(NamedTuple):
    """A request: the node of this number with its links; answered by a `Place`."""

    node: int


class Near(NamedTuple):
    """A request: the narrative nearest to a vector, if it is near enough; answered by a `Nearest`, or None."""

    vector: Vector
    least: float  # likeness from which it is near enough
    query: Vector  # what the vector was made from: it lies near these two, which helps to rule narratives out
    intention: Vector


Request = Look | Near
Answer = Place | Nearest | None


class Named:
    """Texts of chosen rows of a longer list, looked up when asked for."""

    __slots__ = ("rows", "texts")

    def __init__(self, texts: Texts, rows: Ints | Sequence[int]) -> None:
        self.texts = texts
        self.rows = rows

    def __getitem__(self, place: int, /) -> str:
        return self.texts[int(self.rows[place])]

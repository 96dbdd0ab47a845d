"""What a capability shows of the graph: nodes as entries, links as edges, and what a node is called and stands for.

The graph of a space is put together from these by `core/space/graph.py`; nobody else asks which nodes, links and names
there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from asterism.core.ledger.about import Called
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.columns import Floats
from asterism.core.ledger.model import Link, Node

Fold = TypeVar("Fold")


class Stale(Exception):  # noqa: N818  # not an error: the caller folds the part anew and asks again
    """A question about something that came out of order, and has to be folded anew first."""


GONE = ""  # what stands for a node that is not there any more


class Entry(NamedTuple):
    """A node as it can be named and recalled: a text, and where it stands."""

    id: str
    text: str
    name: str = ""  # a title
    group: str = ""  # a session or conversation; entries without one have no neighbours
    position: int = 0  # the place in the group
    speaker: str = ""
    at: int | None = None  # microseconds
    kind: str = "block"
    called: str = ""  # a name that is no title: nothing that is recalled is measured by it
    times: tuple[int, ...] = ()  # every time it was told, ascending, if more than once
    about: str = ""  # words that say what the text is about, beside it

    def node(self) -> Node:
        """Give what every node has."""
        at = None if self.at is None else to_datetime(self.at)
        return Node(self.id, self.kind, self.name or self.called, self.text, "", None, at)


class Edge(NamedTuple):
    """A link that carries something now: what recall and walkers follow."""

    kind: str  # "" for a connection
    a: str
    b: str
    strength: float
    way: int = 0  # 1: it leads from a to b, -1: from b to a, 0: both ways
    back: float | None = None  # its strength from b to a, where that is told apart
    hierarchy: float = 0.0
    permanence: float | None = None  # None: that of any link
    emotions: tuple[float, ...] = ()


class Followed(NamedTuple):
    """The links of one kind that a node has: the other ends, and how strong each is."""

    kind: str  # "" for connections
    others: Sequence[str]
    strengths: Sequence[float] | Floats


@dataclass(frozen=True, kw_only=True)
class Shown(Generic[Fold]):
    """How a capability answers which nodes, names and links there are; None where it has nothing to answer."""

    kinds: tuple[str, ...] = ()  # of the nodes that are its own
    revision: Callable[[Fold], object] | None = None  # another one whenever a node or a name is; compare by `is`
    entries: Callable[[Fold], Iterable[Entry]] | None = None  # every node that can be recalled; not without a revision
    ids: Callable[[Fold], Iterable[str]] | None = None  # what else can be erased as a node, there or not
    entry: Callable[[Fold, str], Entry | None] | None = None  # one of them by its id, quickly
    names: Mapping[str, Callable[[Fold], Iterable[Called]]] = field(default_factory=dict)  # by kind, all ever given
    called: Callable[[Fold, str], Iterable[str]] | None = None  # the ids of nodes of a name, as `flattened` writes it
    stands: Callable[[Fold, str], str | None] | None = None  # what stands for a node now, or GONE; None: not its own
    family: Callable[[Fold, str], Iterable[str]] | None = None  # a node with all whose place it took
    links: Callable[[Fold, str | None], Iterable[Link]] | None = None  # all, or those of a node, seen from it
    edges: Callable[[Fold], Iterable[Edge]] | None = None  # those that are awake
    followed: Callable[[Fold, str], Iterable[Followed]] | None = None  # those of a node, quickly, that recall follows

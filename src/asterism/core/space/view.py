"""A memory as one plain graph: nodes of every kind and the links between them, thinned out on demand.

What every drawing and every graph file is made from. The order and the sides of links depend on what is there alone,
so that two copies of a memory give the same picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from asterism.core.ledger.items import cut
from asterism.core.ledger.model import Link, Model, Node

UNKNOWN = "unknown"  # the kind of a node that links name and nothing describes
LABEL = 60


@dataclass(frozen=True, slots=True)
class LeftOut(Model):
    """What thinning took away."""

    nodes: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True)
class GraphView(Model):
    """The nodes and links of a space at a moment."""

    space: str
    at: datetime
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    left_out: LeftOut = LeftOut()


def label(node: Node, *, most: int = LABEL) -> str:
    """Give a short name for a drawing: its name, else the start of what it says, on one line.

    >>> label(Node("b", "block", "", "Warm the cache\\nbefore each deploy", "active", 0.5, None), most=14)
    'Warm the cache…'
    """
    return cut(" ".join((node.name or node.text or node.id).split()), most=most)


def is_directed(link: Link) -> bool:
    """Say whether a link leads from `a` to `b`; one that led back was turned round."""
    return link.direction == "a_to_b"


def view_of(
    nodes: Iterable[Node],
    links: Iterable[Link],
    *,
    space: str,
    at: datetime,
    kinds: Collection[str] = (),
    min_strength: float = 0.0,
    limit: int | None = None,
) -> GraphView:
    """Make a graph of nodes (given in order) and links: of some kinds, strong links only, the most linked nodes only.

    A node that links name and nothing describes is there too, unless kinds were asked for.
    """
    turned = sorted(map(_turned, links), key=lambda link: link.id)
    told = {node.id: node for node in nodes}
    if not kinds:
        ends = {end for link in turned for end in (link.a, link.b)} - told.keys()
        told |= {end: Node(end, UNKNOWN, "", end, "", None, None) for end in sorted(ends)}
    wanted = [node for node in told.values() if not kinds or node.kind in kinds]
    strong = [link for link in turned if link.strength >= min_strength]
    kept = _most_linked(wanted, strong, limit)
    names = {node.id for node in kept}
    between = [link for link in strong if link.a in names and link.b in names]
    left_out = LeftOut(len(told) - len(kept), len(turned) - len(between))
    return GraphView(space, at, tuple(kept), tuple(between), left_out)


def _turned(link: Link) -> Link:
    """Give a link its one orientation: from cause to effect, else by the order of its ends."""
    backwards = link.a > link.b if link.direction is None else link.direction == "b_to_a"
    if not backwards or (link.direction is None and link.family == "structural"):
        return link
    return replace(link, a=link.b, b=link.a, direction=None if link.direction is None else "a_to_b")


def _most_linked(nodes: Sequence[Node], links: Sequence[Link], limit: int | None) -> Sequence[Node]:
    """Keep so many nodes: those with most links among each other first, then the stronger; their order stays."""
    if limit is None or len(nodes) <= limit:
        return nodes
    names = {node.id for node in nodes}
    degree = Counter(end for link in links if {link.a, link.b} <= names for end in (link.a, link.b))
    ranked = sorted(nodes, key=lambda node: (-degree[node.id], -(node.strength or 0.0), node.id))
    kept = {node.id for node in ranked[:limit]}
    return [node for node in nodes if node.id in kept]

"""What explorations show of the graph: narratives, and the links between them and what they were made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter

from asterism.core.ledger.about import Called
from asterism.core.ledger.graph import GONE, Edge, Entry, Shown
from asterism.core.ledger.model import Link, structural
from asterism.core.text.names import flattened
from asterism.core.walkers.fold import Crystal, Walks
from asterism.core.walkers.ties import WALK, Tie


def entries(walks: Walks) -> Iterator[Entry]:
    """Give the narratives that are there, by id."""
    for name, crystal in sorted(walks.narratives.items()):
        yield _entry(name, crystal)


def entry(walks: Walks, node: str) -> Entry | None:
    """Give a narrative, put away or not."""
    crystal = walks.narratives.get(node) or walks.away.get(node)
    return None if crystal is None else _entry(node, crystal)


def _entry(name: str, crystal: Crystal) -> Entry:
    return Entry(id=name, text=crystal.content, at=crystal.at, kind="narrative", called=crystal.name)


def names(walks: Walks) -> Iterator[Called]:
    """Give the names of narratives, put away or not."""
    for some in (walks.narratives, walks.away):
        yield from (Called(crystal.name, node) for node, crystal in some.items())


def called(walks: Walks, name: str) -> Iterable[str]:
    """Give the narratives of a name."""
    return (each.node for each in names(walks) if flattened(each.name) == name)


def stands(walks: Walks, node: str) -> str | None:
    """Say whether a narrative is there."""
    return node if node in walks.narratives else GONE if node in walks.away else None


def links(walks: Walks, node: str | None) -> Iterator[Link]:
    """Give the links of narratives: all, or those of a node, seen from it."""
    for tie in walks.ties.values():
        if node in (None, tie.a, tie.b):
            yield structural(WALK, tie.a, tie.b, tie.polarity, origin="exploration", seen_from=node)


def edges(walks: Walks) -> list[Edge]:
    """Give the links of narratives as they were crystallised."""
    return [edge_of(tie) for _, tie in sorted(walks.ties.items())]


def edge_of(tie: Tie) -> Edge:
    """Give one of them."""
    return Edge(
        WALK,
        tie.a,
        tie.b,
        tie.polarity,
        back=tie.back,
        hierarchy=tie.hierarchy,
        permanence=tie.permanence,
        emotions=tie.emotions,
    )


SHOWN: Shown[Walks] = Shown(
    kinds=("narrative",),
    revision=attrgetter("revision"),
    entries=entries,
    ids=lambda walks: walks.away,
    entry=entry,
    names={"narrative": names},
    called=called,
    stands=stands,
    links=links,
    edges=edges,
)

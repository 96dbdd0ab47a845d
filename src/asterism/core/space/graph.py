"""One graph: which nodes, names and links a projection has, whatever capability they come from.

It is a way of reading, not a copy: each capability answers for its own (`Shown`), and keeps what it needs to answer
quickly. What stands in the place of something else (a block that was edited, merged or superseded) is followed here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

from asterism.core.connections import read
from asterism.core.ledger.graph import GONE, Edge, Entry, Followed
from asterism.core.ledger.model import Link, link_id
from asterism.core.space.projection import Projection

ORDER = "order"  # the kind of links that merely say what followed: the last to be shown
LEVEL = "level"
KIND_ORDER = ("star", "actor", "moment", "narrative", LEVEL)  # in which entries are given


class Name(NamedTuple):
    """A name that a node was given."""

    name: str
    node: str
    stands: str  # what stands for the node now, itself or another; GONE if nothing does


class SpaceGraph:
    """The nodes and links of a projection."""

    def __init__(self, folded: Projection) -> None:
        self.folded = folded
        self._parts = [(name, shown, folded.parts[name]) for name, shown in folded.capabilities.shown]

    # Nodes

    def entry(self, node: str, kinds: Collection[str] = ()) -> Entry | None:
        """Give the node of an id, whatever became of it; if kinds are given, only as one of these.

        An actor that is a star too is the star, unless only actors are meant. What looks like a level by its id alone
        is one only if it is nothing else.
        """
        level = None
        for _, shown, fold in self._parts:
            if shown.entry is not None and (found := shown.entry(fold, node)) is not None:
                if kinds and found.kind not in kinds:
                    continue
                if found.kind != LEVEL:
                    return found
                level = level or found
        return level

    def entries(self, *, without: str = "") -> list[Entry]:
        """Give every node that can be recalled, each once; without those of a capability, by its name."""
        found: dict[str, Entry] = {}
        for name, shown, fold in self._parts:
            if shown.entries is not None and name != without:
                for entry in shown.entries(fold):
                    if entry.id not in found or found[entry.id].kind == LEVEL:
                        found[entry.id] = entry
        place = {kind: number for number, kind in enumerate(KIND_ORDER)}
        return sorted(found.values(), key=lambda entry: place.get(entry.kind, len(place)))

    def ids(self) -> set[str]:
        """Name everything that can be erased as a node: what was told or derived, whatever became of it."""
        found: set[str] = set()
        for _, shown, fold in self._parts:
            if shown.ids is not None:
                found.update(shown.ids(fold))
        return found | {entry.id for entry in self.entries()}

    def listing(self, *, without: str) -> Iterator[tuple[str, object, Callable[[], Iterable[Entry]]]]:
        """Give the capabilities that list nodes, but for one: the name of each, its revision, and how to list them."""
        for name, shown, fold in self._parts:
            if shown.entries is not None and shown.revision is not None and name != without:
                yield name, shown.revision(fold), partial(shown.entries, fold)

    def revision(self, *, without: str = "") -> tuple[object, ...]:
        """Give what is another one, compared by `is`, whenever a node or a name may be another."""
        return tuple(
            shown.revision(fold) for name, shown, fold in self._parts if shown.revision is not None and name != without
        )

    def now(self, entry: Entry) -> Entry | None:
        """Give what stands for a node now: itself, or what took its place; None if it is not there any more."""
        name, stands = self.folded.capabilities.stand_ins.get(entry.kind, ("", None))
        if stands is None or (heir := stands(self.folded.parts[name], entry.id)) in (None, entry.id):
            return entry
        return self.entry(heir) if heir else None

    def standing(self, node: str) -> str:
        """Give the id of what stands for a node now: its own if nothing does."""
        return self._stands(node) or node

    def is_there(self, node: str) -> bool:
        """Say whether a node stands for itself."""
        return self._stands(node) in (None, node)

    def is_gone(self, node: str) -> bool:
        """Say whether a node is not there any more, and nothing stands for it."""
        return self._stands(node) == GONE

    def _stands(self, node: str) -> str | None:
        for _, shown, fold in self._parts:
            if shown.stands is not None and (found := shown.stands(fold, node)) is not None:
                return found
        return None

    def family(self, node: str) -> list[str]:
        """Give a node with all whose place it took, in the order of their ids."""
        found = {node}
        for _, shown, fold in self._parts:
            if shown.family is not None:
                found.update(shown.family(fold, node))
        return sorted(found)

    def names(self, kinds: Collection[str]) -> Iterator[Name]:
        """Give every name that nodes of some kinds were given, whatever became of them."""
        for _, shown, fold in self._parts:
            for given in (shown.names[kind] for kind in shown.names if kind in kinds):
                for name, node in given(fold):
                    stands = None if shown.stands is None else shown.stands(fold, node)
                    yield Name(name, node, node if stands is None else stands)

    def called(self, name: str) -> set[str]:
        """Give the ids of the nodes of a name, as `flattened` writes it, whatever became of them."""
        found: set[str] = set()
        for _, shown, fold in self._parts:
            if shown.called is not None:
                found.update(shown.called(fold, name))
        return found

    # Links

    def pair(self, first: str, second: str) -> tuple[str, str]:
        """Give the ids under which a pair is linked: those of nodes whose place these took, if evidence named them."""
        ones, others = self.family(first), self.family(second)
        if len(ones) == len(others) == 1:
            return first, second
        return read.told_as(self.folded.connections, ones, others) or (first, second)

    def link(self, a: str, b: str) -> Link | None:
        """Give the connection between two nodes as seen from `a`, or None; a dissolved one is shown as DISSOLVED."""
        if self.is_gone(a) or self.is_gone(b):
            return None
        ends = self.pair(self.standing(a), self.standing(b))
        found = read.link(self.folded.connections, *ends)
        return None if found is None else self._now(found)

    def links(self, a: str | None = None, b: str | None = None, *, without: str = "") -> list[Link]:
        """Give links, strongest first: all, those of one node, or those of a pair; what merely followed comes last.

        Those of a capability can be left out, by its name.
        """
        seen_from = a if a is not None else b
        nodes = [None] if seen_from is None else self.family(self.standing(seen_from))
        other = self.standing(b) if a is not None and b is not None else None
        found = [self._now(link) for node in nodes for link in self.told_links(node, without=without)]
        by_id: dict[str, Link] = {}
        for link in sorted(found, key=lambda link: (link.kind == ORDER, -link.strength, link.id)):
            if other in (None, link.b) and not (self.is_gone(link.a) or self.is_gone(link.b)):
                by_id.setdefault(link.id, link)  # of two that became one, the stronger
        return list(by_id.values())

    def told_links(self, node: str | None, *, without: str = "") -> list[Link]:
        """Give all links as they were made, or those of a node under this very id, whatever stands for it now."""
        parts = [(shown.links, fold) for name, shown, fold in self._parts if shown.links and name != without]
        return [link for links, fold in parts for link in links(fold, node)]

    def _now(self, link: Link) -> Link:
        """Give a link under the ids of what stands for its ends now."""
        a, b = self.standing(link.a), self.standing(link.b)
        if (a, b) == (link.a, link.b):
            return link
        return replace(link, a=a, b=b, id=link_id(a, b, link.kind if link.family == "structural" else ""))

    def followed(self, node: str, among: Collection[str]) -> Iterator[Followed]:
        """Give the links of a node that recall follows to some nodes that are there, as `edges` gives them."""
        for member in self.family(node):
            for _, shown, fold in self._parts:
                for kind, others, strengths in () if shown.followed is None else shown.followed(fold, member):
                    ends = [other if other in among else self.standing(other) for other in others]
                    yield Followed(kind, ends, strengths)

    def edges(self, among: Collection[str]) -> Iterator[Edge]:
        """Give the links that are awake between some nodes that are there, under the ids that their ends have now."""
        standing = cache(self.standing)
        for _, shown, fold in self._parts:
            for edge in () if shown.edges is None else shown.edges(fold):
                a = edge.a if edge.a in among else standing(edge.a)
                b = edge.b if edge.b in among else standing(edge.b)
                if a in among and b in among and a != b:
                    yield edge if (a, b) == (edge.a, edge.b) else edge._replace(a=a, b=b)

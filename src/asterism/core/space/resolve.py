"""From what somebody calls a node to the one node that is meant.

The one way in which a name or an id becomes a node, for every call:

1. An id is that node, whatever signs are in it.
2. Else all that go by the name are meant: the node whose id the name stands for, and those that were given it.
3. One: that one. Several: the caller has to say which, whatever kinds the call could mean. None: there is no such node.
4. Where a call can mean nodes of some kinds only, and this is none of them, there is no such node either.

A block that was edited, merged or superseded is the block that stands for it now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from operator import is_

from asterism.core.ledger.graph import Entry
from asterism.core.ledger.items import cut
from asterism.core.ledger.nodes import slug
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.text.names import flattened
from asterism.core.text.near import did_you_mean
from asterism.errors import InputError, UnknownError
from asterism.hints import Blank, Hint, elsewhere, step

SHOWN = 5  # of several that go by a name
NEAR = 3  # of several that somebody may have meant
NAMES_KEPT = 100_000  # that were looked up before


def meant(text: str, *, there: Callable[[str], bool], called: Callable[[str], Iterable[str]]) -> set[str]:
    """Give the ids that a name may mean: the node of this id, else all that go by the name.

    >>> ids, names = {"ferry", "84727e0bf7d54a2c"}, {"ferry": ["84727e0bf7d54a2c"]}
    >>> sorted(meant("Ferry", there=ids.__contains__, called=lambda name: names.get(name, ())))
    ['84727e0bf7d54a2c', 'ferry']
    >>> meant("ferry", there=ids.__contains__, called=lambda name: names.get(name, ()))
    {'ferry'}
    """
    if there(text):
        return {text}
    slugged = slug(text)
    return {*called(flattened(text)), *([slugged] if there(slugged) else [])}


def node_name(node: object) -> str:
    """Let a name or id of a node through."""
    if not isinstance(node, str):
        raise InputError("a node is named by text", code="bad_text", item="node", hint="give its id or its name")
    return node


def find(graph: SpaceGraph, name: object, kinds: Collection[str] = (), *, gone: bool = False) -> Entry | None:
    """Find the one node that is meant, or None if it is of no kind that can be; several are an error that says which.

    With `gone`, those that are not there any more are meant too.
    """
    text = node_name(name)
    if (entry := graph.entry(text)) is not None:
        meant_now = entry if gone else graph.now(entry)
    else:
        found = candidates(graph, text, gone=gone)
        if len(found) > 1:
            raise which_of(text, [f"{entry.id} ({entry.kind})" for entry in found])
        meant_now = found[0] if found else None
    if meant_now is None or not kinds or meant_now.kind in kinds:
        return meant_now
    return graph.entry(meant_now.id, kinds)  # an actor that is a star too is either


def candidates(graph: SpaceGraph, name: str, *, gone: bool = False) -> list[Entry]:
    """Give the nodes that a name may mean, by id."""
    found: dict[str, Entry] = {}
    for node in meant(name, there=lambda node: graph.entry(node) is not None, called=graph.called):
        entry = graph.entry(node)
        stands = entry if gone or entry is None else graph.now(entry)
        if stands is not None:
            found[stands.id] = stands
    if gone and len(found) > 1:  # of those that go by one name, what is there goes before what is not
        found = {node: found[node] for node in found if graph.is_there(node)} or found
        earlier = {each for node in found for each in graph.family(node) if each != node}
        found = {node: found[node] for node in found if node not in earlier} or found  # wordings of one thing
    return [found[node] for node in sorted(found)]


def known(graph: SpaceGraph, name: object, kinds: Collection[str] = (), *, gone: bool = False) -> Entry:
    """Give the one node that is meant; none of that name is an error too."""
    found = find(graph, name, kinds, gone=gone)
    if found is not None:
        return found
    hint = may_mean(graph, node_name(name), kinds) or Hint(
        elsewhere(step("nodes"), " gives ids; or "),
        "add it first: ",
        step("add_star", Blank("name")),
        " or ",
        step("learn", Blank("content")),
    )
    if len(kinds) == 1:
        raise _none(cut(node_name(name)), kind=next(iter(kinds)), hint=hint)
    raise _none(cut(node_name(name)), kind="node", hint=hint)


def _none(name: str, *, kind: str, hint: str) -> UnknownError:
    return UnknownError(f"there is no {kind} {name!r} in this space", code=f"unknown_{kind}", item=name, hint=hint)


def may_mean(graph: SpaceGraph, name: str, kinds: Collection[str] = ()) -> str:
    """Say which node somebody may have meant, of some kinds or of any: forgotten, cut short, or nearly so called."""
    away = find(graph, name, kinds, gone=True)
    if away is not None and graph.is_gone(away.id):
        return was_forgotten(away.id)
    there = [entry for entry in graph.entries() if not kinds or entry.kind in kinds]
    ids = {entry.id for entry in there} | ({*graph.folded.nodes.ids} if not kinds else set())
    begun = sorted(node for node in ids if name and node.lower().startswith(name.lower()))
    if begun:
        more = f" (or {len(begun) - NEAR:,} others)" if len(begun) > NEAR else ""
        return f"did you mean {' or '.join(begun[:NEAR])}{more}? An id is given whole"
    names = {entry.name for entry in there if entry.name and slug(entry.name) not in ids}
    return did_you_mean(cut(name), sorted(ids | names))


def was_forgotten(node: str) -> Hint:
    """Say how a node that was forgotten comes back."""
    return Hint("it was forgotten: ", step("restore", node), " brings it back")


def link_ends(graph: SpaceGraph, text: str) -> tuple[str, str, str] | None:
    """Read the id of a link as its two ends and its kind; None if it is none.

    An end may have the signs in its own id that join an id of a link: where both ends are nodes, it is read so.
    """
    ends, _, kind = text.rpartition("#") if "#" in text else (text, "", "")
    for told, of_kind in ((text, ""), (ends, kind)):
        for place in (place for place, sign in enumerate(told) if sign == "~"):
            a, b = told[:place], told[place + 1 :]
            if graph.entry(a) is not None and graph.entry(b) is not None:
                return a, b, of_kind
    a, joined, b = ends.partition("~")
    return (a, b, kind) if joined else None


def node_id(folded: Projection, name: str) -> str:
    """Read a name as an id: an id stays as it is, a name becomes the id of what it names, or the one it stands for."""
    if node_name(name) in folded.nodes.rows:
        return name
    found = find(SpaceGraph(folded), name, gone=True)
    return slug(name) if found is None else found.id


class Resolver:
    """Names that are asked for again and again, while a space stays as it is: each is looked up once."""

    def __init__(self, folded: Projection, *, most: int = NAMES_KEPT) -> None:
        self.graph = SpaceGraph(folded)
        self._revision = self.graph.revision()
        self._most = most
        self._ids: dict[object, str] = {}  # of nodes that never took another's place

    def holds(self, folded: Projection) -> bool:
        """Say whether what was looked up is still so: in this very projection, no node and no name is another."""
        return folded is self.graph.folded and all(map(is_, self._revision, self.graph.revision()))

    def pair(self, a: object, b: object) -> tuple[str, str]:
        """Give the ids under which the two nodes that are meant are linked."""
        try:
            return self._ids[a], self._ids[b]
        except (KeyError, TypeError):  # not asked for yet, or no name at all
            first, second = self._known(a), self._known(b)
            return self.graph.pair(first, second)

    def _known(self, name: object) -> str:
        found = known(self.graph, name)
        if found.kind not in self.graph.folded.capabilities.stand_ins:
            if len(self._ids) >= self._most:
                self._ids.clear()
            self._ids[name] = found.id
        return found.id


def which_of(name: str, found: Sequence[str]) -> InputError:
    """Say that several nodes go by a name, and which, in words by which the caller can be told."""
    more = len(found) - SHOWN
    return InputError(
        f"{len(found)} nodes are called {cut(name)!r}",
        code="ambiguous_node",
        item=cut(name),
        hint=f"say which by its id: {' or '.join(found[:SHOWN])}{f', or one of {more} more' if more > 0 else ''}",
    )

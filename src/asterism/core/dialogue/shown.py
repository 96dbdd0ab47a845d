"""What transcripts show of the graph: who speaks, what they say, and what links it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import attrgetter

from asterism.core.dialogue.fold import CAUSED, ORDER, Structural, Transcripts
from asterism.core.ledger.about import Called
from asterism.core.ledger.graph import Edge, Entry, Followed, Shown
from asterism.core.ledger.model import Link, structural
from asterism.core.text.names import flattened

MICROS_PER_MS = 1000
SAID = "said"  # leads from an actor to what they said; not back, or every moment would be two steps from any other
FROM_ACTOR = 0.5  # the strength of a link that nobody measured


@dataclass(frozen=True)
class Index:
    """The actors and moments of some readings: looked through once, until there is another reading."""

    actors: dict[str, Entry]
    moments: dict[str, Entry]
    called: dict[str, list[str]]  # actors by name
    links: dict[str, list[Structural]] = field(default_factory=dict)  # causes and what they caused, by either end


def _linked(transcripts: Transcripts) -> dict[str, list[Structural]]:
    links: dict[str, list[Structural]] = {}
    for each in transcripts.structural():
        if each.kind == CAUSED:
            links.setdefault(each.a, []).append(each)
            links.setdefault(each.b, []).append(each)
    return links


def index_of(transcripts: Transcripts) -> Index:
    """Give the actors and moments there are."""
    known = transcripts.index
    if not isinstance(known, Index):
        actors = {
            actor.id: Entry(id=actor.id, text=actor.name, name=actor.name, kind="actor")
            for actor in transcripts.actors()
        }
        called: dict[str, list[str]] = {}
        for actor in actors.values():
            called.setdefault(flattened(actor.name), []).append(actor.id)
        moments = {each.id: each for each in _moments(transcripts, actors)}
        known = transcripts.index = Index(actors, moments, called, _linked(transcripts))
    return known


def _moments(transcripts: Transcripts, actors: dict[str, Entry]) -> Iterator[Entry]:
    for moment in transcripts.moments():
        yield Entry(
            id=moment.id,
            text=moment.content,
            group=moment.session,
            position=moment.line_index,
            speaker=actors[moment.actor].name if moment.actor in actors else moment.actor,
            at=moment.at_ms * MICROS_PER_MS,
            kind="moment",
        )


def entries(transcripts: Transcripts) -> Iterator[Entry]:
    """Give everybody who speaks, then the lines."""
    index = index_of(transcripts)
    yield from index.actors.values()
    yield from index.moments.values()


def entry(transcripts: Transcripts, node: str) -> Entry | None:
    """Give an actor or a moment."""
    if not transcripts.readings:
        return None
    index = index_of(transcripts)
    return index.actors.get(node) or index.moments.get(node)


def names(transcripts: Transcripts) -> Iterator[Called]:
    """Give the names of actors."""
    return (Called(actor.name, actor.id) for actor in transcripts.actors())


def called(transcripts: Transcripts, name: str) -> Iterable[str]:
    """Give the actors of a name."""
    return index_of(transcripts).called.get(name, ()) if transcripts.readings else ()


def links(transcripts: Transcripts, node: str | None) -> Iterator[Link]:
    """Give what links moments: all, or those of one, seen from it."""
    for each in transcripts.structural():
        if node in (None, each.a, each.b):
            directed = each.kind != ORDER
            yield structural(
                each.kind, each.a, each.b, each.strength, origin="transcript", directed=directed, seen_from=node
            )


def edges(transcripts: Transcripts) -> Iterator[Edge]:
    """Give what links moments, a cause to what it caused, a line to its reply; and actors to their moments."""
    for each in transcripts.structural():
        yield Edge(each.kind, each.a, each.b, each.strength, int(each.kind != ORDER))
    for moment in transcripts.moments():
        if moment.actor:
            yield Edge(SAID, moment.actor, moment.id, FROM_ACTOR, back=0.0)


def followed(transcripts: Transcripts, node: str) -> Iterator[Followed]:
    """Give what a moment caused, and what caused it."""
    links = index_of(transcripts).links.get(node, ()) if transcripts.readings else ()
    if links:
        yield Followed(
            CAUSED, [each.b if each.a == node else each.a for each in links], [each.strength for each in links]
        )


SHOWN: Shown[Transcripts] = Shown(
    kinds=("actor", "moment"),
    revision=attrgetter("revision"),
    entries=entries,
    entry=entry,
    names={"actor": names},
    called=called,
    links=links,
    edges=edges,
    followed=followed,
)

"""What can be recalled besides blocks: stars, actors, moments, narratives and levels, as entries of the index.

Of levels those are entries that evidence was told of: they do not come and go with every feed. The others are looked
up when a question names their symbol (`level_hits`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from asterism.core.connections import read
from asterism.core.ledger.nodes import Nodes
from asterism.core.recall.entries import Entry
from asterism.core.space.projection import Projection

MICROS_PER_MS = 1000


def others_key(folded: Projection) -> tuple[object, ...]:
    """Give a value that changes whenever one of them comes or goes."""
    readings = folded.transcripts.readings
    positions = tuple(sorted(kept.position for kept in readings.values()))
    narratives = tuple(sorted((name, crystal.at) for name, crystal in folded.walks.narratives.items()))
    return (len(folded.nodes.declared), positions, narratives, len(levels_of(folded.nodes)))


def others_of(folded: Projection) -> Iterator[Entry]:
    """Give each once: an actor that is a star too is the star."""
    seen: set[str] = set()
    for entry in (*_stars(folded), *_actors(folded), *_moments(folded), *_narratives(folded), *_levels(folded)):
        if entry.id not in seen:
            seen.add(entry.id)
            yield entry


def entries_of(folded: Projection, ids: Iterable[str]) -> dict[str, Entry]:
    """Give what some ids stand for: blocks (whatever became of them), stars, actors, moments, narratives, levels."""
    wanted, blocks = set(ids), folded.blocks.blocks
    found = {}
    for name in wanted & blocks.keys():
        block = blocks[name]
        found[name] = Entry(id=name, text=block.content, name=block.name, speaker=block.speaker, at=block.at)
    if wanted - found.keys():
        found |= {entry.id: entry for entry in others_of(folded) if entry.id in wanted}
    return {name: found[name] for name in sorted(found)}


def _stars(folded: Projection) -> Iterator[Entry]:
    for star in read.stars(folded.connections):
        yield Entry(id=star.id, text=star.name, name=star.name, kind="star")


def _actors(folded: Projection) -> Iterator[Entry]:
    for actor in folded.transcripts.actors():
        yield Entry(id=actor.id, text=actor.name, name=actor.name, kind="actor")


def _moments(folded: Projection) -> Iterator[Entry]:
    names = {actor.id: actor.name for actor in folded.transcripts.actors()}
    for moment in folded.transcripts.moments():
        yield Entry(
            id=moment.id,
            text=moment.content,
            group=moment.session,
            position=moment.line_index,
            speaker=names.get(moment.actor, moment.actor),
            at=moment.at_ms * MICROS_PER_MS,
            kind="moment",
        )


def _narratives(folded: Projection) -> Iterator[Entry]:
    for name, crystal in sorted(folded.walks.narratives.items()):
        yield Entry(id=name, text=crystal.content, at=crystal.at, kind="narrative")


def _levels(folded: Projection) -> Iterator[Entry]:
    for name in levels_of(folded.nodes):
        title = name.replace("@", " ")
        yield Entry(id=name, text=title, name=title, kind="level")


_SEEN: WeakKeyDictionary[Nodes, tuple[int, list[str]]] = WeakKeyDictionary()  # how many nodes were looked through


def levels_of(nodes: Nodes) -> list[str]:
    """Give the levels that evidence was told of, in the order they came; only nodes that are new are looked at."""
    looked, found = _SEEN.get(nodes, (0, []))
    if looked < len(nodes):
        found += [name for name in nodes.ids[looked:] if "@" in name]
        _SEEN[nodes] = (len(nodes), found)
    return found

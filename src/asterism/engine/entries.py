"""What can be recalled besides blocks: stars, actors, moments and narratives, as entries of the index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from asterism.core.connections import read
from asterism.core.projection import Projection
from asterism.core.recall.entries import Entry

MICROS_PER_MS = 1000


def others_key(folded: Projection) -> tuple[object, ...]:
    """Give a value that changes whenever one of them comes or goes."""
    readings = folded.transcripts.readings
    positions = tuple(sorted(kept.position for kept in readings.values()))
    narratives = tuple(sorted((name, crystal.at) for name, crystal in folded.walks.narratives.items()))
    return (len(folded.nodes.declared), positions, narratives)


def others_of(folded: Projection) -> Iterator[Entry]:
    """Give each once: an actor that is a star too is the star."""
    seen: set[str] = set()
    for entry in (*_stars(folded), *_actors(folded), *_moments(folded), *_narratives(folded)):
        if entry.id not in seen:
            seen.add(entry.id)
            yield entry


def entries_of(folded: Projection, ids: Iterable[str]) -> dict[str, Entry]:
    """Give what some ids stand for: blocks (whatever became of them), stars, actors, moments, narratives."""
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

"""What is to be read: the lines of a transcript with what is known of them, from a file or from a caller."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from asterism.core.dialogue.answering import RESPONDERS
from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.lines import Actor, Line, Mask, renumbered
from asterism.core.dialogue.links import Chunk
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.rows import (
    ActorRow,
    ChunkRow,
    LineRow,
    MaskRow,
    actors_of,
    chunks_of,
    lines_of,
    masks_of,
    names_of,
    spoken_rows,
)
from asterism.core.dialogue.scoring import Scorer
from asterism.core.ledger.calendar import When, to_micros
from asterism.core.ledger.parameters import Preset
from asterism.errors import InputError
from asterism.hints import Hint, option
from asterism.weights.links import causal_links

MICROS_PER_MS = 1000
Lines = Iterable[LineRow | str]


@dataclass(frozen=True)
class Scene:
    """A transcript to read: its lines and what is known of them."""

    lines: tuple[Line, ...]
    session: str
    responders: tuple[str, ...] | None
    actors: tuple[Actor, ...] | None
    masks: tuple[Mask, ...]
    chunks: tuple[Chunk, ...] | None
    started_at_ms: int | None
    answering: str | None = None  # None: by responders, or by the reply model that fits the lines
    told: bool = False  # by a caller, and not by a file, of which nobody knows how old it is
    notes: tuple[str, ...] = ()  # what had to be settled


def scene_of(
    told: Lines | str | Path,
    *,
    session: str | None,
    responders: Iterable[str] | str | None,
    actors: Iterable[ActorRow] | None,
    masks: Iterable[MaskRow],
    chunks: Iterable[ChunkRow] | None,
    started_at: When | None,
    file_format: str | None,
    encoding: str | None,
    renumber: bool,
    answering: str | None = None,
    now_ms: int | None = None,
    max_bytes: int | None = None,
) -> Scene:
    """Read what is to be read: a file, or lines; what the caller says goes before what the file says."""
    start = None if started_at is None else to_micros(started_at, of_date=0) // MICROS_PER_MS
    if isinstance(told, str | Path):
        from asterism.transcripts import read_transcript  # readers load when a file is read

        file = read_transcript(
            told,
            file_format=file_format,
            encoding=encoding,
            renumber=renumber,
            started_at_ms=start,
            now_ms=now_ms,
            max_bytes=max_bytes,
        )
        scene = Scene(file.lines, session or file.session, file.responders, file.actors, file.masks, file.chunks, start)
        scene = replace(scene, notes=file.notes)
    elif session is None:
        hint = Hint("name it: ", option("session", "2026-03-01"))
        raise InputError("the session has no name", code="no_session", hint=hint)
    else:
        lines = lines_of(spoken_rows(told))
        scene = Scene(tuple(renumbered(lines)) if renumber else lines, session, None, None, (), None, start, told=True)
    given = scene.responders if answering in (None, RESPONDERS) else None  # a model needs none of the file's
    return replace(
        scene,
        answering=answering,
        responders=given if responders is None else names_of(responders),
        actors=scene.actors if actors is None else actors_of(actors),
        masks=scene.masks + masks_of(masks),
        chunks=scene.chunks if chunks is None else chunks_of(chunks),
    )


def reading_of(
    scene: Scene,
    *,
    preset: Preset | None = None,
    scorer: Scorer | str | None = None,
    traces: bool = False,
    parameters: DialogueParameters | None = None,
) -> Reading:
    """Find the causal links of a transcript; a preset that is named goes before the parameters."""
    return causal_links(
        scene.lines,
        session=scene.session,
        responders=scene.responders,
        actors=scene.actors,
        masks=scene.masks,
        chunks=scene.chunks,
        preset="seed" if preset is None else preset,
        parameters=parameters if preset is None else None,
        scorer=scorer,
        traces=traces,
        answering=scene.answering,
    )

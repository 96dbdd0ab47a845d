"""What is to be read: the lines of a transcript with what is known of them, from a file or from a caller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from asterism.core.calendar import Moment, to_micros
from asterism.core.dialogue.kernel import Reading, causal_links
from asterism.core.dialogue.lines import Actor, Line, Mask, renumbered
from asterism.core.dialogue.links import Chunk
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.scoring import Scorer
from asterism.core.items import cut
from asterism.core.nodes import slug
from asterism.core.parameters import Preset
from asterism.errors import InputError

MICROS_PER_MS = 1000
Lines = Iterable[Line | Mapping[str, object] | Sequence[object]]
ActorRow = Actor | Mapping[str, object] | Sequence[object] | str
Row = TypeVar("Row", Line, Mask, Actor, Chunk)


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


def scene_of(
    told: Lines | str | Path,
    *,
    session: str | None,
    responders: Iterable[str] | str | None,
    actors: Iterable[ActorRow] | None,
    masks: Iterable[Mask | Sequence[object]],
    chunks: Iterable[Chunk | Sequence[object]] | None,
    started_at: Moment | None,
    file_format: str | None,
    encoding: str | None,
    renumber: bool,
) -> Scene:
    """Read what is to be read: a file, or lines; what the caller says goes before what the file says."""
    start = None if started_at is None else to_micros(started_at, of_date=0) // MICROS_PER_MS
    if isinstance(told, str | Path):
        from asterism.transcripts import read_transcript  # readers load when a file is read

        file = read_transcript(told, file_format=file_format, encoding=encoding, renumber=renumber, started_at_ms=start)
        scene = Scene(file.lines, session or file.session, file.responders, file.actors, file.masks, file.chunks, start)
    elif session is None:
        raise InputError("the session has no name", code="no_session", hint="name it: session='2026-03-01'")
    else:
        lines = _rows(Line, told, "line")
        scene = Scene(tuple(renumbered(lines)) if renumber else lines, session, None, None, (), None, start)
    return replace(
        scene,
        responders=scene.responders if responders is None else _names(responders),
        actors=scene.actors if actors is None else _actors(actors),
        masks=scene.masks + _rows(Mask, masks, "mask"),
        chunks=scene.chunks if chunks is None else _rows(Chunk, chunks, "chunk"),
    )


def _names(told: Iterable[str] | str) -> tuple[str, ...]:
    return (told,) if isinstance(told, str) else tuple(told)


def _rows(kind: type[Row], told: Iterable[object], what: str) -> tuple[Row, ...]:
    """Read rows: each is one already, a mapping with its fields, or its fields in their order."""
    if isinstance(told, str | Mapping) or not isinstance(told, Iterable):
        raise _bad(what, cut(repr(told)), f"there are no {what}s", kind)
    found = []
    for place, each in enumerate(told):
        try:
            if isinstance(each, str) or not isinstance(each, Iterable):
                raise TypeError
            found.append(each if isinstance(each, kind) else kind(**each) if isinstance(each, Mapping) else kind(*each))
        except TypeError:
            raise _bad(what, str(place), f"{what} {place} cannot be used: it is no {what}", kind) from None
    return tuple(found)


def _bad(what: str, item: str, problem: str, kind: type[Line | Mask | Actor | Chunk]) -> InputError:
    return InputError(problem, code=f"bad_{what}", item=item, hint=f"give each as {', '.join(kind._fields)}")


def _actors(told: Iterable[ActorRow]) -> tuple[Actor, ...]:
    """Read actors; a name alone is one."""
    return _rows(Actor, [(slug(each), each) if isinstance(each, str) else each for each in told], "actor")


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
    )

"""What a memory says of transcripts: the calls, thin over `read`, `scene` and `link_files`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from asterism.engine.space.face import Held

if TYPE_CHECKING:  # a call loads what does its work
    from pathlib import Path

    from asterism.core.dialogue.answering import Reply
    from asterism.core.dialogue.links import CausalLink
    from asterism.core.dialogue.rows import ActorRow, ChunkRow, MaskRow
    from asterism.core.dialogue.scoring import Scorer
    from asterism.core.ledger.calendar import When
    from asterism.core.ledger.graph import Entry
    from asterism.core.ledger.parameters import Preset
    from asterism.core.recall.model import Answer
    from asterism.core.space.projection import Projection
    from asterism.engine.transcripts.link_files import LinkFiles
    from asterism.engine.transcripts.read import TranscriptReport
    from asterism.engine.transcripts.scene import Lines


class TranscriptReads(Held):
    """What can be asked of transcripts, now or as it was."""

    async def sessions(self, *, at: When | None = None) -> list[str]:
        """Name the sessions whose transcripts were read."""
        from asterism.engine.transcripts.read import sessions

        return await self._read(at, sessions)

    async def causal_links(
        self,
        session: str | None = None,
        *,
        actor: str | None = None,
        types: Iterable[str] | str = (),
        event: str | ChunkRow | None = None,
        after: str | None = None,
        limit: int | None = None,
        at: When | None = None,
    ) -> list[CausalLink]:
        """Give what was intended and what came of it: in a session, by an actor, of some types, in an event.

        An event is a chunk that was given when the session was read, by its id, or a stretch of lines (id, start, end).
        `limit` gives a page, `after` the one behind the link of that id.
        """
        from asterism.core.dialogue.rows import names_of
        from asterism.engine.transcripts.read import links_of

        wanted = names_of(types, "type")

        def look(folded: Projection) -> list[CausalLink]:
            return links_of(folded, session=session, actor=actor, types=wanted, event=event, after=after, limit=limit)

        return await self._read(at, look)

    async def recall_story(
        self, parts: Iterable[str], *, session: str, k: int = 10, at: When | None = None
    ) -> list[Answer]:
        """Find the lines of a session that each part of its summary tells of, best first: an answer for each part.

        A summary is told in the order of what happened, so its parts help to place each other; `recall` asks for one
        thing by itself.
        """
        from asterism.engine.transcripts.story import parts_of, recall_story

        wanted = parts_of(parts)
        return await self._read(at, lambda folded: recall_story(folded, wanted, session, k))

    async def replies(self, session: str, *, at: When | None = None) -> list[Reply]:
        """Give what each line of a session answers, where a reply model read it; none where responders were named."""
        from asterism.engine.transcripts.read import replies_of

        return await self._read(at, lambda folded: replies_of(folded, session))

    async def write_causal_links(
        self,
        target: str | Path,
        session: str | None = None,
        *,
        actor: str | None = None,
        types: Iterable[str] | str = (),
        event: str | ChunkRow | None = None,
        file_format: str | None = None,
        per_file: int | None = None,
        force: bool = False,
        at: When | None = None,
    ) -> LinkFiles:
        """Write causal links to a file of JSON Lines or CSV, each with the event it belongs to.

        `per_file` makes several of so many links: links-0001.jsonl, links-0002.jsonl, ..; all appear, or none.
        """
        from asterism.core.dialogue.rows import names_of
        from asterism.core.ledger.arguments import whole
        from asterism.engine.transcripts.link_files import write_links
        from asterism.engine.transcripts.read import links_of

        wanted = names_of(types, "type")
        if per_file is not None:
            whole(per_file, name="per_file", least=1)

        def look(folded: Projection) -> LinkFiles:
            links = links_of(folded, session=session, actor=actor, types=wanted, event=event)
            return write_links(folded, links, target, file_format=file_format, per_file=per_file, force=force)

        return await self._read(at, look)

    async def entries(self, *ids: str, at: When | None = None) -> dict[str, Entry]:
        """Say what some ids or names stand for: blocks, stars, actors, moments, narratives; what is none is left out.

        A block that is not there any more is given too; a name of several nodes is an error that says which.
        """
        return await self._read(at, lambda folded: _entries(folded, ids))


class TranscriptCalls(Held):
    """What can be told of transcripts."""

    async def read_transcript(
        self,
        lines_or_path: Lines | str | Path,
        *,
        session: str | None = None,
        responders: Iterable[str] | str | None = None,
        actors: Iterable[ActorRow] | None = None,
        masks: Iterable[MaskRow] = (),
        chunks: Iterable[ChunkRow] | None = None,
        started_at: When | None = None,
        preset: Preset | None = None,
        scorer: Scorer | str | None = None,
        traces: bool = False,
        file_format: str | None = None,
        encoding: str | None = None,
        renumber: bool = False,
        answering: str | None = None,
        max_bytes: int | None = None,
    ) -> TranscriptReport:
        """Read a transcript: who intended what, what came of it, and what that says of what the memory knows.

        Every line can be recalled. Lines are a file, texts "Name: text", chats' role and content, or rows.
        `responders` answer or decide (else whoever has dm or gm in the name), the others intend. Without any, a reply
        model says who answers whom: `answering` is channel, instruction, reply or responders (None: what fits the
        lines). `started_at` is needed unless the lines bear times. A file names its own session; read twice, nothing
        changes. `preset` is seed, tuned or tabletop (else the memory's own parameters), `scorer` seed, dialogue or one
        of your own. A file may have 128 MiB unpacked, or `max_bytes`.
        """

        def work() -> TranscriptReport:
            from asterism.engine.transcripts.read import read_transcript
            from asterism.engine.transcripts.scene import MICROS_PER_MS, reading_of, scene_of

            live = self._open()
            scene = scene_of(
                lines_or_path,
                session=session,
                responders=responders,
                actors=actors,
                masks=masks,
                chunks=chunks,
                started_at=started_at,
                file_format=file_format,
                encoding=encoding,
                renumber=renumber,
                answering=answering,
                now_ms=live.now() // MICROS_PER_MS,
                max_bytes=max_bytes,
            )
            live.refresh()  # its parameters may have been changed elsewhere
            own = live.parameters.dialogue
            reading = reading_of(scene, preset=preset, scorer=scorer, traces=traces, parameters=own)
            return read_transcript(live, scene, reading)

        return await self._runner.run(work)


def _entries(folded: Projection, ids: Iterable[str]) -> dict[str, Entry]:
    from asterism.core.space.graph import SpaceGraph
    from asterism.core.space.resolve import find

    graph = SpaceGraph(folded)
    asked: Iterable[object] = ids  # a caller may have passed anything
    found = {name: find(graph, name, gone=True) for name in sorted({each for each in asked if isinstance(each, str)})}
    return {
        name: entry
        for name, entry in found.items()
        if entry is not None and (entry.kind == "block" or not graph.is_gone(entry.id))
    }

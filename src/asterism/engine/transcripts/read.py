"""Reading a transcript into the memory: its causal links as one item, what it says of known nodes as evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from asterism.core.dialogue.answering import Answering, Reply
from asterism.core.dialogue.fold import Kept
from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.links import CausalLink, Chunk, by_actor, check_chunks, in_event, of_type
from asterism.core.dialogue.mentions import evidence_of
from asterism.core.dialogue.metrics import Metrics
from asterism.core.dialogue.payloads import (
    KINDS,
    MS_PER_LINE,
    TRANSCRIPT,
    Said,
    actors_of,
    line_times,
    payload_of,
    said_of,
    session_key,
)
from asterism.core.dialogue.rows import ChunkRow, chunks_of
from asterism.core.dialogue.traces import Trace
from asterism.core.dialogue.words import CONSEQUENCE_TYPES, INTENT_TYPES
from asterism.core.ledger.arguments import whole
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.items import Item, Payload, check_text, cut, make_item
from asterism.core.ledger.model import Model, Plain, plain
from asterism.core.ledger.payloads import texts
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import find
from asterism.core.text.names import NAMED
from asterism.core.text.near import did_you_mean
from asterism.engine.recall.keeping import keep_what_was_read
from asterism.engine.space.live import Live
from asterism.engine.space.looking import future_time
from asterism.engine.space.said import told_time
from asterism.engine.transcripts.evidence import evidence_items
from asterism.engine.transcripts.scene import MICROS_PER_MS, Scene
from asterism.errors import InputError, UnknownError
from asterism.hints import Hint, in_python, mention, option

if TYPE_CHECKING:
    from asterism.core.dialogue.beats import Beat


TOLD = (
    "session",
    "new",
    "lines",
    "remembered",
    "skipped",
    "cleaned",
    "evidence",
    "evidence_known",
    "evidence_set_aside",
    "names_dropped",
    "replaced",
    "moved_from",
    "silent",
    "notes",
)


@dataclass(frozen=True)
class TranscriptReport(Model):
    """What a transcript was found to say, and what of it is new to the memory."""

    session: str
    new: bool  # False: this very reading was current already
    lines: int
    remembered: int  # lines that can be recalled: all that count and say something
    links: tuple[CausalLink, ...]
    metrics: Metrics
    traces: tuple[Trace, ...]
    excluded: tuple[object, ...]
    skipped: dict[str, int]
    cleaned: int  # lines that had control characters, which became spaces
    evidence: int  # items of evidence that were new
    evidence_known: int
    evidence_set_aside: int  # of the reading that this one replaced: it counts no more
    names_dropped: int  # nodes named beyond the limit of a session
    replaced: int | None  # lines of another transcript that was current under this name
    moved_from: datetime | None  # when the reading began that this one replaces, if only its times were others
    answering: Answering  # how it was found who answers whom, and why so if nobody said
    replies: tuple[Reply, ...]  # what each line answers, where a reply model said so
    silent: tuple[str, ...]  # responders and actors who were named, and say nothing
    notes: tuple[str, ...]  # what had to be settled, because neither the caller nor the file said it
    reading: Reading

    @property
    def events(self) -> dict[str, list[CausalLink]]:
        """The links by the chunk they belong to, those of none under ""; empty without chunks."""
        return self.reading.events

    def beats(self) -> tuple[Beat, ...]:
        """Give the parts of the story: claimed links, and links that joined."""
        from asterism.core.dialogue.beats import beats  # only when they are asked for

        return beats(self.reading)

    def to_dict(self) -> dict[str, Plain]:
        """Give the value as plain JSON-able parts; links by the names of their columns."""
        told: dict[str, Plain] = {
            "links": [link.to_dict() for link in self.links],
            "excluded": [{name: plain(value) for name, value in span._asdict().items()} for span in self.excluded],  # type: ignore[attr-defined]  # named tuples
        }
        for name in TOLD:
            told[name] = plain(getattr(self, name))
        told["answering"] = plain(self.answering._asdict())
        told["replies"] = [plain(reply._asdict()) for reply in self.replies]
        told["events"] = {name: [link.id for link in links] for name, links in self.events.items()}
        return told | {"metrics": plain(self.metrics), "traces": plain(self.traces)}


class _Written(NamedTuple):
    """What a reading came to, once it was compared with what is known."""

    before: Said | None  # what was current under this name
    at: int  # when the reading that is current now was made
    aside: int  # evidence that did not count before
    old: int  # evidence that was told before evidence belonged to a reading
    names_dropped: int


def read_transcript(live: Live, scene: Scene, reading: Reading) -> TranscriptReport:
    """Write what was read of a transcript: one transaction; read twice, it changes nothing.

    Of a session without lines nothing is written.
    """
    if not reading.lines:
        return _report(reading, new=False, remembered=0)
    scene = _started(live, scene)
    payload = payload_of(reading, started_at_ms=scene.started_at_ms)
    times = [at * MICROS_PER_MS for at in line_times(scene.lines, scene.started_at_ms)]

    def build(folded: Projection) -> tuple[list[Item], _Written]:
        transcripts = folded.transcripts
        known = transcripts.find(reading.session)
        _check_times(live, times)
        _check_name(known, reading.session)
        found = evidence_of(reading, names_of(folded, reading), started_at_ms=scene.started_at_ms)
        item = _item(live, known, payload, max(times))
        again = known is not None and transcripts.says(payload)
        if known is not None and again:
            item = item._replace(id=known.position.id, at=known.position.at)
        told = evidence_items(found.rows, item, times=times)
        fresh = [each.item for each in told if known is None or not live.has(each.before)]
        was = _Written(
            before=None if known is None else known.said,
            at=item.at,
            aside=transcripts.set_aside,
            old=len(told) - len(fresh),
            names_dropped=found.dropped,
        )
        return fresh if again else [item, *fresh], was

    written, was = live.transact(build, told=KINDS)
    keep_what_was_read(live, len(reading.lines) if written else 0)
    made = _made_at(reading, was.at // MICROS_PER_MS)
    evidence = [each.outcome for each in written if each.item.what != TRANSCRIPT]
    replaced = was.before if was.before is not None and was.before.content_hash != payload["content_hash"] else None
    return _report(
        made,
        notes=scene.notes,
        moved_from=_moved_from(was.before, payload),
        new=len(evidence) < len(written),
        remembered=len(texts(payload, "moments")),
        evidence=sum(outcome.seq is not None for outcome in evidence),
        evidence_known=was.old + sum(outcome.duplicate for outcome in evidence),
        evidence_set_aside=live.refresh().transcripts.set_aside - was.aside,
        names_dropped=was.names_dropped,
        replaced=None if replaced is None else replaced.lines,
    )


def _report(
    reading: Reading,
    *,
    new: bool,
    remembered: int,
    evidence: int = 0,
    evidence_known: int = 0,
    evidence_set_aside: int = 0,
    names_dropped: int = 0,
    replaced: int | None = None,
    moved_from: datetime | None = None,
    notes: tuple[str, ...] = (),
) -> TranscriptReport:
    return TranscriptReport(
        session=reading.session,
        new=new,
        lines=len(reading.lines),
        remembered=remembered,
        links=reading.links,
        metrics=reading.metrics,
        traces=reading.traces,
        excluded=reading.excluded,
        skipped=reading.skipped,
        cleaned=reading.cleaned,
        evidence=evidence,
        evidence_known=evidence_known,
        evidence_set_aside=evidence_set_aside,
        names_dropped=names_dropped,
        replaced=replaced,
        moved_from=moved_from,
        notes=notes,
        answering=reading.answering,
        replies=reading.replies,
        silent=reading.silent,
        reading=reading,
    )


def _started(live: Live, scene: Scene) -> Scene:
    """Say when a talk began that bears no times, if nobody said it: as it was told before, else so that it ends now.

    A file is not told now, and needs to be told of.
    """
    untimed = [line for line in scene.lines if line.timestamp_ms is None]
    if scene.started_at_ms is not None or not scene.told or not untimed:
        return scene
    now, whole = live.now() // MICROS_PER_MS, len(scene.lines) * MS_PER_LINE
    said = live.refresh().transcripts.said(scene.session)
    words = {(line.line_index, line.content) for line in untimed}
    kept = (each for each in (said.moments if said else ()) if (each.line_index, each.content) in words)
    starts = (each.at_ms - each.line_index * MS_PER_LINE for each in kept)
    start = next(starts, now)
    if start + whole <= now:
        note = "nobody said when it began: it keeps the time it had"
    else:
        note, start = "nobody said when it began: it is taken to end now", now - now % MS_PER_LINE - whole
    told = Hint(note, " (", in_python("started_at", otherwise=Hint(option("started_at"))), " says otherwise)")
    return replace(scene, started_at_ms=start, notes=(*scene.notes, told))


def _moved_from(before: Said | None, payload: Payload) -> datetime | None:
    """Say when a reading began whose words are the same and whose times are others; None if it is no such thing."""
    if before is None:
        return None
    now = said_of(payload).moments
    same = [each._replace(at_ms=0) for each in before.moments] == [each._replace(at_ms=0) for each in now]
    return to_datetime(before.moments[0].at_ms * MICROS_PER_MS) if same and before.moments != now else None


def _made_at(reading: Reading, created_at_ms: int) -> Reading:
    """Give the reading with the time it has in the memory."""
    links = {link.id: link._replace(created_at_ms=created_at_ms) for link in reading.links}
    events = {name: [links[link.id] for link in held] for name, held in reading.events.items()}
    return replace(reading, links=tuple(links.values()), events=events)


def _check_name(known: Kept | None, session: str) -> None:
    """Refuse a name that would replace a session of another name; case and spaces make none."""
    if known is not None and session_key(known.said.session) != session_key(session):
        other = known.said.session
        raise InputError(
            f"the session {cut(session)!r} has the id of {cut(other)!r}, which is another name",
            code="session_taken",
            item=cut(other),
            hint=f"name it otherwise, or {cut(other)!r} to read that session again",
        )


def _check_times(live: Live, times: Sequence[int]) -> None:
    """Refuse a session that is not over yet, or before all times."""
    if max(times) > live.now():
        live.stamp()  # which says so if the clock is to blame
        started = in_python("started_at", otherwise=Hint(option("started_at")))
        hint = Hint("say when it began (", started, "), or advance the memory to then")
        raise future_time(max(times), live.now(), hint=hint)
    told_time(live, to_datetime(min(times)))


def names_of(folded: Projection, reading: Reading) -> list[tuple[str, str]]:
    """Give every name that a line may call a known node by, with those of who speaks here.

    Other than in learned texts, what took the place of a block does not go by that one's name.
    """
    found = [(each.name, each.node) for each in SpaceGraph(folded).names(NAMED) if each.stands == each.node]
    for actor in actors_of(reading).values():
        if actor.id:
            found += [(name, actor.id) for name in (actor.name, *actor.aliases)]
    return sorted(dict.fromkeys(found))


def _item(live: Live, known: Kept | None, payload: Payload, at: int) -> Item:
    """Say the reading, at the time of its last line; another reading of the session comes after the one there is."""
    return make_item(
        space=live.space,
        what=TRANSCRIPT,
        at=at if known is None else max(at, known.position.at + 1),
        payload=payload,
        known_at=live.stamp(),
        source=str(payload["session"]),
    )


def sessions(folded: Projection) -> list[str]:
    """Name the sessions that were read."""
    return folded.transcripts.sessions


def replies_of(folded: Projection, session: str) -> list[Reply]:
    """Give what each line of a session answers, where a reply model said so."""
    said = folded.transcripts.said(check_text(session, field="session"))
    if said is None:
        raise _unknown("session", session, folded.transcripts.sessions)
    return list(said.replies)


def links_of(
    folded: Projection,
    *,
    session: str | None,
    actor: str | None,
    types: Sequence[str],
    event: str | ChunkRow | None,
    after: str | None = None,
    limit: int | None = None,
) -> list[CausalLink]:
    """Give the causal links of a session, an actor, some types, an event; a page of them if a limit is given."""
    if session is not None and folded.transcripts.said(check_text(session, field="session")) is None:
        raise _unknown("session", session, folded.transcripts.sessions)
    for each in types:
        if check_text(each, field="type") not in (*INTENT_TYPES, *CONSEQUENCE_TYPES):
            raise _unknown("type", each, (*INTENT_TYPES, *CONSEQUENCE_TYPES))
    if event is not None and session is None:
        which = Hint("say which: ", option("session"))
        raise InputError("an event is a stretch of one session", code="no_session", hint=which)
    found = list(folded.transcripts.causal_links(session))
    if actor is not None:
        found = by_actor(found, _actor(folded, check_text(actor, field="actor")))
    if types:
        found = of_type(found, *types)
    if session is not None and event is not None:
        found = in_event(found, _event(folded, session, event))
    return _page(found, after, limit)


def _page(links: list[CausalLink], after: str | None, limit: int | None) -> list[CausalLink]:
    """Give so many links behind one that was given before."""
    if limit is not None:
        whole(limit, name="limit", least=1)
    start = 0
    if after is not None:
        ids = [link.id for link in links]
        if check_text(after, field="link") not in ids:
            hint = "give the id of the last link of the page before, and ask for the same links"
            raise _unknown("link", after, (), hint=hint)
        start = ids.index(after) + 1
    return links[start:] if limit is None else links[start : start + limit]


def _event(folded: Projection, session: str, told: str | ChunkRow) -> Chunk:
    """Give a stretch of a session: as told, or the chunk of this id that was given when it was read."""
    if not isinstance(told, str):
        return check_chunks(chunks_of([told]))[0]
    said = folded.transcripts.said(session)
    chunks = {chunk.id: chunk for chunk in said.chunks} if said is not None else {}
    if told not in chunks:
        hint = (
            None if chunks else "the session was read without chunks: read it again with them, or give (id, start, end)"
        )
        raise _unknown("event", told, list(chunks), hint=hint)
    return chunks[told]


def _actor(folded: Projection, told: str) -> str:
    """Give the id of an actor, named by id or by name; who is a star too is an actor all the same."""
    found = find(SpaceGraph(folded), told, ("actor",))
    if found is None:
        raise _unknown("actor", told, [actor.id for actor in folded.transcripts.actors()])
    return found.id


def _unknown(what: str, told: str, known: Sequence[str], *, hint: str | None = None) -> UnknownError:
    shown = ", ".join(known[:12]) + (", .." if len(known) > 12 else "")
    return UnknownError(
        f"there is no {what} {cut(told)!r} here",
        code=f"unknown_{what}",
        item=cut(told),
        hint=hint
        or did_you_mean(told, known)
        or (f"there is {shown}" if known else Hint(mention("read_transcript"), " reads a session first")),
    )

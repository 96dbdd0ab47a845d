"""Reading a transcript into the memory: its causal links as one item, what it says of known nodes as evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from asterism.core.blocks.records import THERE
from asterism.core.calendar import to_datetime
from asterism.core.connections import read
from asterism.core.connections.words import did_you_mean
from asterism.core.dialogue.actors import UNKNOWN
from asterism.core.dialogue.consequences import CONSEQUENCE_TYPES
from asterism.core.dialogue.intents import INTENT_TYPES
from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.links import CausalLink, Chunk, by_actor, check_chunks, in_event, of_type
from asterism.core.dialogue.mentions import SESSION, EvidenceRow, Gathered, evidence_of
from asterism.core.dialogue.metrics import Metrics
from asterism.core.dialogue.payloads import TRANSCRIPT, Said, line_times, payload_of
from asterism.core.dialogue.traces import Trace
from asterism.core.items import Item, Payload, cut, make_item
from asterism.core.model import Model, Plain, plain
from asterism.core.nodes import slug
from asterism.core.projection import Projection
from asterism.engine.live import Live, future_time
from asterism.engine.scenes import MICROS_PER_MS, Scene
from asterism.engine.telling import told_time
from asterism.errors import InputError, UnknownError


@dataclass(frozen=True)
class TranscriptReport(Model):
    """What a transcript was found to say, and what of it is new to the memory."""

    session: str
    new: bool  # False: this very reading was current already
    lines: int
    links: tuple[CausalLink, ...]
    metrics: Metrics
    traces: tuple[Trace, ...]
    excluded: tuple[object, ...]
    skipped: dict[str, int]
    evidence: int  # items of evidence that were new
    evidence_known: int
    names_dropped: int  # nodes named beyond the limit of a session
    replaced: int | None  # lines of another transcript that was current under this name
    reading: Reading

    def to_dict(self) -> dict[str, Plain]:
        """Give the value as plain JSON-able parts; links by the names of their columns."""
        told: dict[str, Plain] = {
            "links": [{name: plain(value) for name, value in link._asdict().items()} for link in self.links],
            "excluded": [{name: plain(value) for name, value in span._asdict().items()} for span in self.excluded],  # type: ignore[attr-defined]  # named tuples
        }
        for name in ("session", "new", "lines", "skipped", "evidence", "evidence_known", "names_dropped", "replaced"):
            told[name] = plain(getattr(self, name))
        return told | {"metrics": plain(self.metrics), "traces": plain(self.traces)}


def read_transcript(live: Live, scene: Scene, reading: Reading) -> TranscriptReport:
    """Write what was read of a transcript: one transaction; read twice, it changes nothing."""
    payload = payload_of(reading, started_at_ms=scene.started_at_ms)
    times = [at * MICROS_PER_MS for at in line_times(scene.lines, scene.started_at_ms)]
    gathered: list[Gathered] = []
    before: list[Said | None] = []

    def build(_: Projection) -> list[Item]:
        folded = live.refresh()
        before[:] = [folded.transcripts.said(reading.session)]
        _check_times(live, times)
        gathered[:] = [evidence_of(reading, names_of(folded, reading), started_at_ms=scene.started_at_ms)]
        items = _evidence_items(live, folded, reading.session, gathered[0].rows)
        return items if folded.transcripts.says(payload) else [_item(live, folded, payload, max(times)), *items]

    written = live.write(build)
    fresh = [each.item.what for each in written if each.outcome.seq is not None]
    found = sum(what != TRANSCRIPT for what in fresh)
    other = before[0] is not None and before[0].content_hash != payload["content_hash"]
    return TranscriptReport(
        session=reading.session,
        new=TRANSCRIPT in fresh,
        lines=len(reading.lines),
        links=reading.links,
        metrics=reading.metrics,
        traces=reading.traces,
        excluded=reading.excluded,
        skipped=reading.skipped,
        evidence=found,
        evidence_known=len(gathered[0].rows) - found,
        names_dropped=gathered[0].dropped,
        replaced=before[0].lines if other and before[0] is not None else None,
        reading=reading,
    )


def _check_times(live: Live, times: Sequence[int]) -> None:
    """Refuse a session that is not over yet, or before all times."""
    if max(times) > live.now():
        hint = "say when it began (started_at), or advance the memory to then"
        raise future_time(max(times), live.now(), hint=hint)
    told_time(live, to_datetime(min(times)))


def names_of(folded: Projection, reading: Reading) -> list[tuple[str, str]]:
    """Give every name that a line may call a known node by: stars, named blocks, actors of this and other sessions."""
    found = [(star.name, star.id) for star in read.stars(folded.connections)]
    found += [
        (block.name, name) for name, block in folded.blocks.blocks.items() if block.name and block.status in THERE
    ]
    found += [(actor.name, actor.id) for actor in folded.transcripts.actors()]
    for speaker in reading.speakers.values():
        if speaker.role != UNKNOWN:
            found += [(name, speaker.actor.id) for name in (speaker.actor.name, *speaker.actor.aliases)]
    return sorted(dict.fromkeys(found))


def _item(live: Live, folded: Projection, payload: Payload, at: int) -> Item:
    """Say the reading, at the time of its last line; another reading of the session comes after the one there is."""
    session = str(payload["session"])
    known = folded.transcripts.readings.get(slug(session))
    return make_item(
        space=live.space,
        what=TRANSCRIPT,
        at=at if known is None else max(at, known.position.at + 1),
        payload=payload,
        known_at=live.clock(),
        source=session,
    )


def _evidence_items(live: Live, folded: Projection, session: str, rows: Sequence[EvidenceRow]) -> list[Item]:
    """Say the evidence that this session did not give before: once for a pair and a line, or a pair and the session.

    Lines that share a millisecond are kept apart by microseconds.
    """
    told = _told(live, session) if folded.transcripts.said(session) is not None else set()
    known_at, items = live.clock(), []
    taken: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        a, b = sorted((row.a, row.b))
        payload: Payload = {"a": a, "b": b, "kind": row.kind}
        said = f"line {row.line}"
        key = _evidence_key(payload, said)
        if key in told:
            continue
        told.add(key)
        moment = (row.kind, a, b, str(row.at_ms))
        at = row.at_ms * MICROS_PER_MS + taken[moment]
        taken[moment] += 1
        note = f"{said}: {row.a} to {row.b}" if row.direction == "a_to_b" else said
        items.append(
            make_item(
                space=live.space, what="evidence", at=at, payload=payload, known_at=known_at, source=session, note=note
            )
        )
    return items


def _told(live: Live, session: str) -> set[tuple[str, ...]]:
    """Name the evidence that earlier readings of a session gave, whatever times they were told."""
    stored = live.store.items(live.space, only=("evidence",))
    same = {source for source in {item.source for _, item in stored} if slug(source) == slug(session)}
    return {_evidence_key(item.payload, item.note.partition(":")[0]) for _, item in stored if item.source in same}


def _evidence_key(payload: Payload, said: str) -> tuple[str, ...]:
    """Name evidence by its pair, its kind and its line; of a whole session there is one for a pair."""
    return str(payload["a"]), str(payload["b"]), str(payload["kind"]), "" if payload["kind"] == SESSION else said


def sessions(folded: Projection) -> list[str]:
    """Name the sessions that were read."""
    return folded.transcripts.sessions


def links_of(
    folded: Projection,
    *,
    session: str | None,
    actor: str | None,
    types: Sequence[str],
    event: Chunk | None,
) -> list[CausalLink]:
    """Give the causal links of a session, an actor, some types, an event."""
    if session is not None and folded.transcripts.said(session) is None:
        raise _unknown("session", session, folded.transcripts.sessions)
    for each in types:
        if each not in (*INTENT_TYPES, *CONSEQUENCE_TYPES):
            raise _unknown("type", each, (*INTENT_TYPES, *CONSEQUENCE_TYPES))
    if event is not None and session is None:
        raise InputError("an event is a stretch of one session", code="no_session", hint="say which: session=")
    found = list(folded.transcripts.causal_links(session))
    if actor is not None:
        found = by_actor(found, _actor(folded, actor))
    if types:
        found = of_type(found, *types)
    return found if event is None else in_event(found, check_chunks([event])[0])


def _actor(folded: Projection, told: str) -> str:
    """Give the id of an actor, named by id or by name."""
    actors = folded.transcripts.actors()
    found = [actor.id for actor in actors if told == actor.id or told.casefold() == actor.name.casefold()]
    if not found:
        raise _unknown("actor", told, [actor.id for actor in actors])
    return found[0]


def _unknown(what: str, told: str, known: Sequence[str]) -> UnknownError:
    shown = ", ".join(known[:12]) + (", .." if len(known) > 12 else "")
    return UnknownError(
        f"there is no {what} {cut(told)!r} here",
        code=f"unknown_{what}",
        item=cut(told),
        hint=did_you_mean(told, known) or (f"there is {shown}" if known else "read_transcript reads a session first"),
    )

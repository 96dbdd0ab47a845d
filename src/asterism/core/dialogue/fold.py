"""The fold of transcripts: the latest reading of a session is what counts, older ones fold to nothing.

Latest is by the order (at, lines kept, id), whatever the order of arrival, so that copies of a memory agree, and of two
readings of one time the one that kept more lines stays: readings of old versions kept fewer. Evidence that a
reading gave belongs to it, and counts as long as the reading is the current one: here is noted how much there is of
each reading, and when it begins, for a reading that comes or goes opens those days again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from asterism.core.dialogue.ids import link_id
from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.payloads import Moment, Said, SaidActor, said_of, session_key
from asterism.core.dialogue.words import STRENGTH
from asterism.core.ledger.columns import Columns, text_column, texts_of
from asterism.core.ledger.items import Item, Payload, Position, canonical
from asterism.core.ledger.nodes import slug
from asterism.core.ledger.payloads import texts

CAUSED, ANSWERED, ORDER = "caused", "answered", "order"
ORDER_STRENGTH = 1.0  # one moment follows another for certain
COLUMNS = CausalLink._fields  # of the table `causal_links`: the seed's, and the rule
INDEXES = (("session_id",), ("session_id", "actor"), ("session_id", "intent_strength"))


class Structural(NamedTuple):
    """A structural link between two moments, the earlier first."""

    kind: str
    a: str
    b: str
    strength: float


Rank = tuple[int, int, bytes]  # the later reading counts; of one time, as copies may have them, that with more lines


def _rank(item: Item) -> Rank:
    return item.at, len(texts(item.payload, "moments")), item.id


@dataclass(frozen=True)
class Kept:
    """The current reading of a session."""

    position: Position
    text: str  # the payload, as the item wrote it

    @cached_property
    def said(self) -> Said:
        """What it says."""
        return said_of(json.loads(self.text))

    @property
    def rank(self) -> Rank:
        """Its place among readings of its session."""
        return self.position.at, len(self.said.moments), self.position.id


class Given(NamedTuple):
    """The evidence that a reading gave, as far as it is here."""

    first_at: int
    items: int


class Transcripts:
    """What the transcripts of a space left in it."""

    name = "transcripts"

    def __init__(self) -> None:
        self.readings: dict[str, Kept] = {}  # by what a session is known by
        self.given: dict[bytes, Given] = {}  # by the id of a reading, current or not, here or not
        self._current: set[bytes] = set()
        self.revision = object()  # another one whenever a reading is another
        self.index: object | None = None  # what a reader made of the readings, until there is another

    def apply(self, item: Item) -> bool:
        """Fold one item; say whether its reading is now the current one of its session."""
        session = str(item.payload["session"])
        key = session_key(session)
        known = self.readings.get(key)
        if known is not None and _rank(item) <= known.rank:
            return False
        kept = Kept(item.position, item.text)
        kept.said  # noqa: B018  # a payload that cannot be read is found here, not later
        self._put(key, kept)
        return True

    def _put(self, key: str, kept: Kept) -> None:
        if key in self.readings:
            self._current.discard(self.readings[key].position.id)
        self.readings[key] = kept
        self._current.add(kept.position.id)
        self.revision, self.index = object(), None

    # Evidence of readings

    def note(self, evidence: Item) -> None:
        """Take note of an item of evidence that a reading gave."""
        reading = _reading(evidence)
        given = self.given.get(reading, Given(evidence.at, 0))
        self.given[reading] = Given(min(given.first_at, evidence.at), given.items + 1)

    def admits(self, evidence: Item) -> bool:
        """Say whether an item of evidence counts: its reading must be current."""
        return _reading(evidence) in self._current

    def opens(self, item: Item) -> int | None:
        """Give the time from which evidence must be folded anew when this reading comes; None if none must.

        That is the first evidence which is here already of this reading, or of the one that it replaces.
        """
        known = self.readings.get(session_key(str(item.payload["session"])))
        touched = {item.id}
        if known is not None:
            if item.position == known.position:
                return None
            if _rank(item) > known.rank:
                touched.add(known.position.id)
        return min((self.given[each].first_at for each in touched & self.given.keys()), default=None)

    @property
    def set_aside(self) -> int:
        """How much evidence does not count, because its reading was replaced or is not here."""
        return sum(given.items for reading, given in self.given.items() if reading not in self._current)

    # What is told

    def find(self, session: str) -> Kept | None:
        """Give the current reading of a session, by its name or by the id that the name stands for."""
        known = self.readings.get(session_key(session))
        if known is not None:
            return known
        named = (self.readings[key] for key in sorted(self.readings))
        return next((kept for kept in named if slug(kept.said.session) == slug(session)), None)

    def says(self, payload: Payload) -> bool:
        """Say whether this is what the current reading of its session says: then it need not be told again."""
        known = self.readings.get(session_key(str(payload["session"])))
        return known is not None and known.text == canonical(payload)

    @property
    def sessions(self) -> list[str]:
        """The sessions that were read, in the order of their names."""
        return [self.readings[key].said.session for key in sorted(self.readings)]

    def said(self, session: str) -> Said | None:
        """Give what the current reading of a session says, or None."""
        known = self.find(session)
        return known.said if known is not None else None

    def each(self) -> Iterator[Said]:
        """Give what each session says, with the moments as they are called here."""
        return self._chosen(None)

    def moments(self, session: str | None = None) -> Iterator[Moment]:
        """Give the lines that are kept as nodes, in the order of sessions and lines."""
        for said in self._chosen(session):
            yield from said.moments

    def prefixes(self) -> dict[str, str]:
        """Say what the moments of each session are called by: where names share an id, all but the first add a mark."""
        found: dict[str, str] = {}
        taken: set[str] = set()
        for key in sorted(self.readings):
            name = slug(self.readings[key].said.session)
            found[key] = f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:8]}" if name in taken else name
            taken.add(name)
        return found

    def actors(self) -> list[SaidActor]:
        """Give everybody who speaks, by id; a name is that of the latest reading."""
        named: dict[str, SaidActor] = {}
        for kept in sorted(self.readings.values(), key=lambda kept: kept.position):
            named.update((actor.id, actor) for actor in kept.said.actors)
        return [named[name] for name in sorted(named)]

    def structural(self, session: str | None = None) -> Iterator[Structural]:
        """Give what links the moments: `caused` with strength min(1, score), `answered`, `order` from one to the next.

        What caused a line was answered by it too, and is told once.
        """
        for said in self._chosen(session):
            ids = {moment.line_index: moment.id for moment in said.moments}
            for link in said.links:
                if link.consequence is not None and link.score is not None:
                    yield Structural(CAUSED, ids[link.intent], ids[link.consequence], min(1.0, link.score))
            caused = {(link.intent, link.consequence) for link in said.links}
            for line, head, p in said.replies:
                if (head, line) not in caused:
                    yield Structural(ANSWERED, ids[head], ids[line], p)
            for one, other in zip(said.moments, said.moments[1:], strict=False):
                yield Structural(ORDER, one.id, other.id, ORDER_STRENGTH)

    def causal_links(self, session: str | None = None) -> Iterator[CausalLink]:
        """Give the table of causal links; `created_at_ms` is the time of the reading."""
        for said in self._chosen(session):
            created = self.readings[session_key(said.session)].position.at // 1000
            lines = {moment.line_index: moment for moment in said.moments}
            for link in said.links:
                intent = lines[link.intent]
                yield CausalLink(
                    id=link_id(said.session, intent.actor, link.intent),
                    session_id=said.session,
                    actor=intent.actor,
                    intent_text=intent.content,
                    intent_type=link.intent_type,
                    intent_strength=STRENGTH[link.intent_type],
                    intent_anchor_index=link.intent,
                    consequence_text=None if link.consequence is None else lines[link.consequence].content,
                    consequence_type=link.consequence_type,
                    consequence_anchor_index=link.consequence,
                    distance=link.distance,
                    score=link.score,
                    claimed=link.consequence is not None,
                    created_at_ms=created,
                    rule=link.rule,
                )

    def _chosen(self, session: str | None) -> Iterator[Said]:
        """Give what one session or all of them say, with the moments as they are called here."""
        chosen = self.find(session) if session is not None else None
        if session is not None and chosen is None:
            return
        for key, prefix in self.prefixes().items():
            said = self.readings[key].said
            if chosen is not None and chosen is not self.readings[key]:
                continue
            if prefix != slug(said.session):
                called = (moment._replace(id=f"{prefix}/{moment.line_index}") for moment in said.moments)
                said = said._replace(moments=tuple(called))
            yield said

    # Whole

    def copy(self) -> Transcripts:
        """Copy the transcripts."""
        copied = Transcripts()
        copied.readings, copied.given, copied._current = dict(self.readings), dict(self.given), set(self._current)
        copied.revision, copied.index = self.revision, self.index
        return copied

    def dump(self) -> Columns:
        """Pack the current readings, in the order of sessions, and what evidence there is; nothing if there is none."""
        columns: Columns = {}
        if self.readings:
            kept = [self.readings[key] for key in sorted(self.readings)]
            columns["readings"] = text_column([each.text for each in kept])
            columns["at"] = np.array([each.position.at for each in kept], dtype=np.int64)
            columns["ids"] = np.frombuffer(b"".join(each.position.id for each in kept), dtype=np.uint8)
        if self.given:
            order = sorted(self.given)
            columns["given_by"] = np.frombuffer(b"".join(order), dtype=np.uint8)
            columns["given"] = np.array([self.given[reading] for reading in order], dtype=np.int64)
        return columns

    @classmethod
    def load(cls, columns: Columns) -> Transcripts:
        """Unpack what `dump` packed."""
        loaded = cls()
        if "readings" in columns:
            ids = _split(columns["ids"].tobytes())
            for text, at, name in zip(texts_of(columns["readings"]), columns["at"].tolist(), ids, strict=True):
                kept = Kept(Position(at, name), text)
                loaded._put(session_key(kept.said.session), kept)
        if "given" in columns:
            readings = _split(columns["given_by"].tobytes())
            loaded.given = {name: Given(*row) for name, row in zip(readings, columns["given"].tolist(), strict=True)}
        return loaded


def _reading(evidence: Item) -> bytes:
    return bytes.fromhex(str(evidence.payload["reading"]))


def _split(ids: bytes) -> list[bytes]:
    return [ids[place : place + 16] for place in range(0, len(ids), 16)]


def folded(items: Iterable[Item]) -> Transcripts:
    """Fold the items of transcripts of a space, in any order."""
    transcripts = Transcripts()
    for item in items:
        transcripts.apply(item)
    return transcripts

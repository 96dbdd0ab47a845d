"""The fold of transcripts: the latest reading of a session is what counts, older ones fold to nothing.

Latest is by the order (at, id), whatever the order of arrival, so that copies of a memory agree.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from asterism.core.columns import Columns, text_column, texts_of
from asterism.core.dialogue.ids import link_id
from asterism.core.dialogue.intents import STRENGTH
from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.payloads import Moment, Said, SaidActor, said_of
from asterism.core.items import Item, Payload, Position, canonical
from asterism.core.nodes import slug

CAUSED, ORDER = "caused", "order"
ORDER_STRENGTH = 1.0  # one moment follows another for certain
COLUMNS = CausalLink._fields  # of the table `causal_links`: the seed's, and the rule
INDEXES = (("session_id",), ("session_id", "actor"), ("session_id", "intent_strength"))


class Structural(NamedTuple):
    """A structural link between two moments, the earlier first."""

    kind: str
    a: str
    b: str
    strength: float


@dataclass(frozen=True)
class Kept:
    """The current reading of a session."""

    position: Position
    text: str  # the payload, as the item wrote it

    @cached_property
    def said(self) -> Said:
        """What it says."""
        return said_of(json.loads(self.text))


class Transcripts:
    """What the transcripts of a space left in it."""

    name = "transcripts"

    def __init__(self) -> None:
        self.readings: dict[str, Kept] = {}  # by the id that a session's name stands for

    def apply(self, item: Item) -> bool:
        """Fold one item; say whether its reading is now the current one of its session."""
        session = str(item.payload["session"])
        known = self.readings.get(slug(session))
        if known is not None and item.position <= known.position:
            return False
        kept = Kept(item.position, item.text)
        assert kept.said.session == session  # a payload that cannot be read is found here, not later
        self.readings[slug(session)] = kept
        return True

    def says(self, payload: Payload) -> bool:
        """Say whether this is what the current reading of its session says: then it need not be told again."""
        known = self.readings.get(slug(str(payload["session"])))
        return known is not None and known.text == canonical(payload)

    @property
    def sessions(self) -> list[str]:
        """The sessions that were read, in the order of their ids."""
        return [self.readings[key].said.session for key in sorted(self.readings)]

    def said(self, session: str) -> Said | None:
        """Give what the current reading of a session says, or None."""
        known = self.readings.get(slug(session))
        return known.said if known is not None else None

    def moments(self, session: str | None = None) -> Iterator[Moment]:
        """Give the lines of links as nodes, in the order of sessions and lines."""
        for said in self._chosen(session):
            yield from said.moments

    def actors(self) -> list[SaidActor]:
        """Give everybody who speaks in a link, by id; a name is that of the latest reading."""
        named: dict[str, SaidActor] = {}
        for kept in sorted(self.readings.values(), key=lambda kept: kept.position):
            named.update((actor.id, actor) for actor in kept.said.actors)
        return [named[name] for name in sorted(named)]

    def structural(self, session: str | None = None) -> Iterator[Structural]:
        """Give what links the moments: `caused` with strength min(1, score), and `order` from one to the next."""
        for said in self._chosen(session):
            ids = {moment.line_index: moment.id for moment in said.moments}
            for link in said.links:
                if link.consequence is not None and link.score is not None:
                    yield Structural(CAUSED, ids[link.intent], ids[link.consequence], min(1.0, link.score))
            for one, other in zip(said.moments, said.moments[1:], strict=False):
                yield Structural(ORDER, one.id, other.id, ORDER_STRENGTH)

    def causal_links(self, session: str | None = None) -> Iterator[CausalLink]:
        """Give the table of causal links; `created_at_ms` is the time of the reading."""
        for said in self._chosen(session):
            created = self.readings[slug(said.session)].position.at // 1000
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
        for key in sorted(self.readings) if session is None else self.readings.keys() & {slug(session)}:
            yield self.readings[key].said

    # Whole

    def copy(self) -> Transcripts:
        """Copy the transcripts."""
        copied = Transcripts()
        copied.readings = dict(self.readings)
        return copied

    def dump(self) -> Columns:
        """Pack the current readings, in the order of sessions; nothing if there is none."""
        if not self.readings:
            return {}
        kept = [self.readings[key] for key in sorted(self.readings)]
        return {
            "readings": text_column([each.text for each in kept]),
            "at": np.array([each.position.at for each in kept], dtype=np.int64),
            "ids": np.frombuffer(b"".join(each.position.id for each in kept), dtype=np.uint8),
        }

    @classmethod
    def load(cls, columns: Columns) -> Transcripts:
        """Unpack what `dump` packed."""
        loaded = cls()
        if columns:
            ids = columns["ids"].tobytes()
            texts, times = texts_of(columns["readings"]), columns["at"].tolist()
            for place, (text, at) in enumerate(zip(texts, times, strict=True)):
                kept = Kept(Position(at, ids[16 * place : 16 * place + 16]), text)
                loaded.readings[slug(kept.said.session)] = kept
        return loaded


def folded(items: Iterable[Item]) -> Transcripts:
    """Fold the items of transcripts of a space, in any order."""
    transcripts = Transcripts()
    for item in items:
        transcripts.apply(item)
    return transcripts

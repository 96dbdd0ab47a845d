"""Which actors and moments the readings of transcripts are about, and which evidence a reading gave."""

from __future__ import annotations

import hashlib
import re

from asterism.core.dialogue.payloads import KINDS, said_of, session_key
from asterism.core.ledger.about import NOTHING, Called, Declared, Says
from asterism.core.ledger.items import Item
from asterism.core.ledger.nodes import slug

EVIDENCE = "evidence"
NOTED = re.compile(r"line \d+(: .*)? #[0-9a-f]{12}")  # of evidence that does not say which reading gave it


def says(item: Item) -> Says:
    """Say whom a reading makes, and that evidence which a reading gave needs it.

    Another reading of a session stands behind each: all of them go with somebody who speaks in one.
    """
    if item.what == EVIDENCE:
        return _given(item)
    said = said_of(item.payload)
    key = session_key(said.session)
    called = f"{slug(said.session)}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"  # where sessions share an id
    moments = [each for moment in said.moments for each in (moment.id, f"{called}/{moment.line_index}")]
    return Says(
        makes=frozenset({item.id.hex(), _session(key), *moments, *(actor.id for actor in said.actors)}),
        sessions=frozenset({said.session}),
        whole=_session(key),
        called=tuple(Called(actor.name, actor.id) for actor in said.actors),
    )


def _given(item: Item) -> Says:
    if "reading" in item.payload:
        return Says(needs=frozenset({str(item.payload["reading"])}), sessions=frozenset({item.source}))
    if item.note and NOTED.fullmatch(item.note):
        return Says(needs=frozenset({_session(session_key(item.source))}), sessions=frozenset({item.source}))
    return NOTHING


def _session(key: str) -> str:
    return f"session {key}"


DECLARED = Declared(KINDS | {EVIDENCE}, says)

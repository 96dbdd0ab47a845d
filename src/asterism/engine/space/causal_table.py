"""The table of causal links that a store shows beside the ledger: kept to what the current readings say."""

from __future__ import annotations

from collections.abc import Sequence

from asterism.core.dialogue.fold import Transcripts, folded
from asterism.core.dialogue.payloads import KINDS
from asterism.core.ledger.items import Item, cut
from asterism.store.port import Store, Writing


def tend(store: Store, space: str, writing: Writing, transcripts: Transcripts) -> None:
    """Put the links of every current reading into the table, where they are not, and take the others out."""
    held = store.causal_sessions(space)
    current = {kept.said.session: kept.position.id for kept in transcripts.readings.values()}
    for session in sorted(held.keys() - current.keys()):
        writing.put_causal_links(session, None, ())
    for session, reading in sorted(current.items()):
        if held.get(session) != reading:
            writing.put_causal_links(session, reading, list(transcripts.causal_links(session)))


def transcripts_after(
    store: Store, space: str, before: Transcripts, added: Sequence[Item], erased: set[bytes]
) -> Transcripts:
    """Give the transcripts as they are once some items have come and others are gone."""
    readings = [item for item in added if item.what in KINDS]
    if erased:  # an older reading may be current again
        readings += [stored.item for stored in store.items(space, only=KINDS)]
        return folded(item for item in readings if item.id not in erased)
    after = before.copy()
    for item in readings:
        after.apply(item)
    return after


def causal_table_differences(store: Store, space: str) -> list[str]:
    """Compare the table with what the ledger says, and name the sessions that differ.

    A table without any session is one that nobody has written yet: a file of an earlier schema has it until the next
    write.
    """
    with store.one_moment():
        held = store.causal_sessions(space)
        replayed = folded(stored.item for stored in store.items(space, only=KINDS))
        links = {session: store.causal_links(space, session) for session in held}
    if not held:
        return []
    current = {kept.said.session: kept.position.id for kept in replayed.readings.values()}
    wrong = []
    for session in sorted(held.keys() | current.keys()):
        if session not in held:
            wrong.append(f"causal_links: session {cut(session)!r} is not in the table")
        elif held[session] != current.get(session):
            wrong.append(f"causal_links: session {cut(session)!r} is of a reading that is not current")
        elif links[session] != list(replayed.causal_links(session)):
            wrong.append(f"causal_links: the links of session {cut(session)!r}")
    return wrong

"""Causal links: the seed's fourteen fields and the rule that fired, and how to find the right ones among many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from asterism.core.ledger.items import check_text, cut
from asterism.core.ledger.model import Plain
from asterism.errors import InputError


class CausalLink(NamedTuple):
    """What somebody intended, and what came of it (004 §2)."""

    id: str
    session_id: str
    actor: str
    intent_text: str
    intent_type: str
    intent_strength: str
    intent_anchor_index: int
    consequence_text: str | None
    consequence_type: str
    consequence_anchor_index: int | None
    distance: int | None
    score: float | None
    claimed: bool
    created_at_ms: int
    rule: str

    def to_dict(self) -> dict[str, Plain]:
        """Give the link as plain JSON-able parts, by the names of its columns."""
        return self._asdict()


class Chunk(NamedTuple):
    """A stretch of a session that somebody gave a name: a scene, an event; both ends included."""

    id: str
    start: int
    end: int


def in_session(links: Iterable[CausalLink], session: str) -> list[CausalLink]:
    """Give the links of a session."""
    return [link for link in links if link.session_id == session]


def by_actor(links: Iterable[CausalLink], actor: str) -> list[CausalLink]:
    """Give the links of what one actor intended."""
    return [link for link in links if link.actor == actor]


def of_type(links: Iterable[CausalLink], *types: str) -> list[CausalLink]:
    """Give the links whose intent or consequence is of one of these types."""
    return [link for link in links if link.intent_type in types or link.consequence_type in types]


def in_event(links: Iterable[CausalLink], chunk: Chunk) -> list[CausalLink]:
    """Give the links that belong to an event: by the line of their consequence, or else of their intent."""
    return [link for link in links if chunk.start <= _home(link) <= chunk.end]


def by_event(links: Iterable[CausalLink], chunks: Iterable[Chunk]) -> dict[str, list[CausalLink]]:
    """Group links by the event they belong to; "" holds those that belong to none."""
    checked = check_chunks(chunks)
    found: dict[str, list[CausalLink]] = {chunk.id: [] for chunk in checked}
    place = 0
    for link in sorted(links, key=lambda link: (_home(link), link.intent_anchor_index)):
        while place < len(checked) and checked[place].end < _home(link):
            place += 1
        inside = place < len(checked) and checked[place].start <= _home(link)
        found.setdefault(checked[place].id if inside else "", []).append(link)
    return found


def check_chunks(chunks: Iterable[Chunk]) -> Sequence[Chunk]:
    """Let through chunks that do not overlap, in the order of their lines, each with an id of its own."""
    given = tuple(chunks)
    for chunk in given:
        if chunk.start.__class__ is not int or chunk.end.__class__ is not int:
            raise _bad_chunk(chunk, "has ends that are not whole numbers")
        if not isinstance(chunk.id, str):
            raise _bad_chunk(chunk, "has an id that is not text")
    checked = sorted(given, key=lambda chunk: (chunk.start, chunk.end))
    ids: set[str] = set()
    last = -1
    for chunk in checked:
        if chunk.start > chunk.end:
            raise _bad_chunk(chunk, f"starts at line {chunk.start} and ends at line {chunk.end}")
        if chunk.start < 0:
            raise _bad_chunk(chunk, f"starts at line {chunk.start}, before the first")
        if chunk.start <= last:
            raise _bad_chunk(chunk, f"begins at line {chunk.start}, inside the one before it")
        if not chunk.id or chunk.id in ids:
            raise _bad_chunk(chunk, "has no id of its own")
        check_text(chunk.id, field="chunk's id")
        ids.add(chunk.id)
        last = chunk.end
    return checked


def _bad_chunk(chunk: Chunk, problem: str) -> InputError:
    return InputError(
        f"the chunk {cut(repr(chunk.id))} {problem}",
        code="bad_chunk",
        item=cut(str(chunk.id)),
        hint="give chunks as (id, first line, last line), each line in one of them at most",
    )


def _home(link: CausalLink) -> int:
    return link.intent_anchor_index if link.consequence_anchor_index is None else link.consequence_anchor_index

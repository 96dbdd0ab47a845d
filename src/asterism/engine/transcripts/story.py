"""A summary and the lines it tells of: each part of the summary helps to place the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from asterism.core.dialogue.shown import index_of
from asterism.core.dialogue.story import in_story_order, word_scores
from asterism.core.ledger.arguments import lines, whole
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.columns import Floats
from asterism.core.ledger.graph import Entry
from asterism.core.ledger.items import check_text, cut
from asterism.core.recall.model import Answer, AnswerHit
from asterism.core.recall.rank import CHARACTERS_PER_TOKEN
from asterism.core.space.projection import Projection
from asterism.core.text.near import did_you_mean
from asterism.errors import InputError, UnknownError
from asterism.hints import Hint, mention

STORY = "story"
PLACES = 9  # digits to which shares are compared


def parts_of(told: Iterable[str]) -> list[str]:
    """Check the parts of a summary."""
    if isinstance(told, str) or not isinstance(told, Iterable):
        raise InputError(
            "the parts of a story are not a list",
            code="bad_text",
            item="parts",
            hint='give them in their order: ["They met the ferryman.", "He asked for a coin."]',
        )
    return [check_text(lines(part), field="part", many_lines=True) for part in told]


def recall_story(folded: Projection, parts: Sequence[str], session: str, k: int) -> list[Answer]:
    """Give for each part of a summary, told in order, the lines of a session that it probably tells of."""
    whole(k, name="k", least=1)
    said = folded.transcripts.said(check_text(session, field="session"))
    if said is None:
        known = folded.transcripts.sessions
        raise UnknownError(
            f"there is no session {cut(session)!r} here",
            code="unknown_session",
            item=cut(session),
            hint=did_you_mean(session, known) or Hint(mention("read_transcript"), " reads a session first"),
        )
    entries = [each for each in index_of(folded.transcripts).moments.values() if each.group == said.session]
    if not parts or not entries:
        return [Answer(part, (), took_ms=0.0, searched=len(entries), unsure=True) for part in parts]
    shares = np.exp(in_story_order(word_scores([f"{each.speaker} {each.text}" for each in entries], parts)))
    return [_answer(part, row, entries, k) for part, row in zip(parts, shares, strict=True)]


def _answer(part: str, shares: Floats, entries: Sequence[Entry], k: int) -> Answer:
    best = np.argsort(-np.round(shares, PLACES), kind="stable")[:k].tolist()
    hits = tuple(_hit(entries[row], float(shares[row])) for row in best)
    return Answer(part, hits, took_ms=0.0, searched=len(entries))


def _hit(entry: Entry, share: float) -> AnswerHit:
    at = None if entry.at is None else to_datetime(entry.at)
    return AnswerHit(
        id=entry.id,
        kind=entry.kind,
        text=entry.text,
        name="",
        score=share,
        signals={STORY: share},
        via=(),
        links=(),
        tokens=-(-len(entry.text) // CHARACTERS_PER_TOKEN),
        probability=min(share, 1.0),
        at=at,
        first_at=at,
        speaker=entry.speaker,
        session=entry.group,
    )

"""One answer from several spaces: each is ranked by itself, and their hits are joined by how probable they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asterism.core.recall.model import Answer, Often
from asterism.engine.recall.answer import Question, within


def joined(asked: Question, answers: Sequence[tuple[str, Answer]]) -> Answer:
    """Join the answers of spaces, each hit with the space it is from; k and the budget hold for all of them."""
    hits = [replace(hit, space=space) for space, answer in answers for hit in answer.hits]
    hits.sort(key=lambda hit: (-hit.probability, hit.space, -hit.score, hit.id))
    hits = hits[: asked.k]
    if asked.budget_tokens is not None:
        hits = list(within(hits, asked.budget_tokens))
    notes = dict.fromkeys(note for _, answer in answers for note in answer.notes)
    return Answer(
        asked.query,
        tuple(hits),
        took_ms=0.0,
        searched=sum(answer.searched for _, answer in answers),
        notes=tuple(notes),
        unsure=all(answer.unsure for _, answer in answers),
        faint=min((answer.faint for _, answer in answers), default=0.0),
        often=_often([answer.often for _, answer in answers if answer.often is not None]),
    )


def _often(told: Sequence[Often]) -> Often | None:
    """Count what several spaces tell, each by itself."""
    tellings = tuple(telling for each in told for telling in each.tellings)
    return Often(sum(each.times for each in told), tellings) if told else None

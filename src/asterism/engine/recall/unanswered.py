"""Questions to which there was no sure answer: written down, and those listed that still have none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.items import check_text
from asterism.core.ledger.model import Model
from asterism.core.recall.capability import RECALL
from asterism.core.recall.cues import question_of
from asterism.core.recall.unanswered import QUERY, UNANSWERED
from asterism.core.text.paraphrases import joined
from asterism.core.text.stems import STOP_WORDS
from asterism.core.text.terms import term_of
from asterism.core.text.words import words
from asterism.engine.recall.answer import Sight, question
from asterism.engine.recall.levels import answer
from asterism.engine.space.live import Live
from asterism.engine.space.said import Said, item_of


@dataclass(frozen=True, slots=True)
class OpenQuestion(Model):
    """A question without a sure answer: since when, how often it was left open, how near anything comes to one."""

    query: str
    first_at: datetime
    at: datetime
    times: int
    probability: float  # of the best hit
    nearest: str  # what it says
    missing: tuple[str, ...]  # words of the question that nothing here holds: what would have to be told

    def __str__(self) -> str:
        told = f" ({', '.join(self.missing)})" if self.missing else ""
        return f"{self.query} - nobody told{told}"


def keep(live: Live, query: object) -> str:
    """Write down that a question has no sure answer, and give the id of the item."""
    text = check_text(query, field=QUERY, many_lines=True)
    said = Said(UNANSWERED, {QUERY: check_text(" ".join(text.split()), field=QUERY)})
    (written,) = live.write(lambda _: [item_of(live, said)])
    return written.item.id.hex()


def still_open(live: Live, seen: Sight, *, at: int | None, known_at: int | None) -> list[OpenQuestion]:
    """List the questions that were written down and still have no sure answer, the latest first."""
    found = []
    for query, times in seen.folded.of(RECALL).items():
        asked = question(query, k=1, floor=0.0)
        told = answer(live, seen, asked, at=at, known_at=known_at)
        if told.unsure:
            best = told.hits[0] if told.hits else None
            found.append(
                OpenQuestion(
                    query=query,
                    first_at=to_datetime(times.first),
                    at=to_datetime(times.last),
                    times=times.times,
                    probability=best.probability if best else 0.0,
                    nearest=best.text if best else "",
                    missing=missing(seen, query),
                )
            )
    return sorted(found, key=lambda each: (each.at, each.query), reverse=True)


def missing(seen: Sight, query: str) -> tuple[str, ...]:
    """Give the words of a question that no entry holds, in their order."""
    index, asked = seen.recaller.index, question_of(query).terms
    told = dict.fromkeys(word for word in joined(words(query)) if word not in STOP_WORDS and term_of(word) in asked)
    return tuple(word for word in told if not len(index.holding(term_of(word))[0]))

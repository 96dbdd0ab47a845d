"""What a reader gets of a recall: an answer whose every score is the sum of its signals."""

from __future__ import annotations

from dataclasses import dataclass

from asterism.core.ledger.arguments import whole
from asterism.core.ledger.model import Model
from asterism.core.recall.hits import AnswerHit, HitVia, Often, WayTold
from asterism.core.recall.prompt import as_prompt
from asterism.core.recall.scored import WALK

__all__ = ["Answer", "AnswerHit", "HitVia", "Often", "WayTold"]

SHOWN = 100  # characters of a hit's text


@dataclass(frozen=True, slots=True)
class Answer(Model):
    """What was recalled, best first."""

    query: str
    hits: tuple[AnswerHit, ...]
    took_ms: float
    searched: int  # things that could have been recalled
    notes: tuple[str, ...] = ()
    unsure: bool = False  # no hit is probable enough
    faint: float = 0.0  # the probability below which a hit is told for completeness alone
    often: Often | None = None  # where it is asked how often: by all that tells of it

    @property
    def clear_hits(self) -> tuple[AnswerHit, ...]:
        """The hits for a reader of few: without the faint ones, but for what a better one contradicts or followed.

        >>> hits = [
        ...     AnswerHit(id, "block", id, "", 0.0, {}, (), (), 1, probability=p) for id, p in (("1", 0.7), ("2", 0.02))
        ... ]
        >>> [hit.id for hit in Answer("Tea?", tuple(hits), 0.0, 2, faint=0.05).clear_hits]
        ['1']
        """
        clear = [hit for hit in self.hits if hit.probability >= self.faint or WALK in hit.signals]
        followed = {(hit.space, hit.id) for hit in clear}
        named = followed | {(hit.space, each.id) for hit in clear for each in hit.conflicts}
        return tuple(hit for hit in self.hits if (hit.space, hit.id) in named or (hit.space, hit.ended_by) in followed)

    def as_prompt(self, budget: int = 800) -> str:
        """Write it for a prompt, in at most so many tokens of 4 characters: dated lines, and whether they are unsure.

        >>> from datetime import UTC, datetime
        >>> hit = AnswerHit("1", "block", "Tea at 4.", "", 0.0, {}, (), (), 1, at=datetime(2026, 11, 3, tzinfo=UTC))
        >>> Answer("When is tea?", (hit,), 0.0, 1).as_prompt()
        '- 2026-11-03: Tea at 4.'
        """
        often = "" if self.often is None else str(self.often)
        return as_prompt(self.hits, whole(budget, name="budget", least=1), unsure=self.unsure, often=often)

    def __str__(self) -> str:
        lines = []
        for place, hit in enumerate(self.hits, 1):
            text = " ".join(hit.text.split())
            lines.append(f"{place}. {text[:SHOWN] + '…' if len(text) > SHOWN else text}")
            lines.append(f"   {hit.score:.2f}  {hit.reason}  [{hit.id}]")
        if self.unsure and lines:
            lines.append("(unsure: none of this is probable enough)")
        if self.often is not None and str(self.often):
            lines.append(f"({self.often})")
        return "\n".join(lines or ["Nothing was recalled."]) + "".join(f"\n({note})" for note in self.notes)

"""What a reader gets of a recall: an answer whose every score is the sum of its signals."""

from __future__ import annotations

from dataclasses import dataclass

from asterism.core.ledger.model import Model

SHOWN = 100  # characters of a hit's text, and signals of its reason
SIGNALS = 3
OF_ITSELF = ("length", "asks", "answers")  # what an entry is like, whatever was asked: no reason to tell first


@dataclass(frozen=True, slots=True)
class HitVia(Model):
    """A link that led to a hit: its id, its kind, where it came from, the name it runs over, what it brought."""

    link: str
    kind: str
    source: str
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class AnswerHit(Model):
    """Something recalled: its score is the sum of its signals."""

    id: str
    kind: str
    text: str
    name: str
    score: float
    signals: dict[str, float]
    via: tuple[str, ...]  # ids of the links that led here
    links: tuple[HitVia, ...]
    tokens: int

    @property
    def reason(self) -> str:
        """Say what brought it here, the strongest first."""
        best = sorted(self.signals.items(), key=lambda each: (each[0] in OF_ITSELF, -abs(each[1]), each[0]))[:SIGNALS]
        told = ", ".join(f"{name} {value:+.2f}" for name, value in best)
        named = [f"{each.kind} from {each.source}" + (f" ({each.name})" if each.name else "") for each in self.links]
        return "; ".join([told, *named[:1]])


@dataclass(frozen=True, slots=True)
class Answer(Model):
    """What was recalled, best first."""

    query: str
    hits: tuple[AnswerHit, ...]
    took_ms: float
    searched: int  # things that could have been recalled
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = []
        for place, hit in enumerate(self.hits, 1):
            text = " ".join(hit.text.split())
            lines.append(f"{place}. {text[:SHOWN] + '…' if len(text) > SHOWN else text}")
            lines.append(f"   {hit.score:.2f}  {hit.reason}  [{hit.id}]")
        return "\n".join(lines or ["Nothing was recalled."]) + "".join(f"\n({note})" for note in self.notes)

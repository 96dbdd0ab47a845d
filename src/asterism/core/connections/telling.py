"""The lines of a story: what each stage of each day added to one number, runs of equal days as one line.

A link's story is told to `LinkTelling`, stage after stage, by whoever knows them: a watch on a fold that runs again
(`explain.py`), or a fold of this one link (`story.py`). Both tell the same stages, so both give the same lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from asterism.core.connections.day import Rules
from asterism.core.connections.evidence import diminished
from asterism.core.connections.today import LinkDay
from asterism.core.connections.words import EvidenceKind, LinkKind, word
from asterism.core.ledger.calendar import to_date
from asterism.core.ledger.model import Line

TINY = 5e-13


@dataclass
class Telling:
    """Lines so far; runs of the same text on consecutive days become one line."""

    lines: list[Line] = field(default_factory=list)
    value: float = 0.0
    _run: tuple[str, int, int, float] | None = None  # text, first day, last day, sum

    def say(self, text: str, change: float) -> None:
        """Add one line."""
        self.rest()
        self.lines.append(Line(text, change))

    def repeat(self, text: str, day: int, change: float) -> None:
        """Add to a run of days."""
        if self._run and self._run[0] == text and self._run[2] == day - 1:
            self._run = (text, self._run[1], day, self._run[3] + change)
        else:
            self.rest()
            self._run = (text, day, day, change)

    def rest(self) -> None:
        """Write down the run that has ended."""
        if self._run:
            text, first, last, change = self._run
            days = last - first + 1
            when = to_date(first).isoformat() if days == 1 else f"{to_date(first)} .. {to_date(last)}, {days} days"
            self.lines.append(Line(f"{when}: {text}", change))
            self._run = None


class LinkTelling(Telling):
    """Lines of a link's strength."""

    def items(self, day: int, strength: float, today: LinkDay | None, rules: Rules) -> None:
        """Tell a day's evidence and denials, largest gain first."""
        change, self.value = strength - self.value, strength
        if today is None:
            return
        told = 0.0
        for text, gain in _gain_lines(today, rules):
            self.say(f"{to_date(day)}: {text}", gain)
            told += gain
        p = rules.parameters
        left = change - told
        total = min(told, p.max_daily_strength_gain)
        if told - total > TINY:
            self.say(f"{to_date(day)}: above the daily cap of {p.max_daily_strength_gain:g}", total - told)
            left -= total - told
        if today.denials and abs(left) > TINY:
            self.say(f"{to_date(day)}: denied", left)
        elif abs(left) > TINY:
            self.say(f"{to_date(day)}: ceiling of {p.max_strength:g}", left)

    def decay(self, day: int, strength: float, text: Callable[[], str]) -> None:
        """Tell what a day's decay took."""
        if self._moved(strength):
            self.repeat(text(), day, self._move(strength))

    def stage(self, stage: str, day: int, strength: float) -> None:
        """Tell what another stage of a day's end did."""
        if self._moved(strength):
            self.say(f"{to_date(day)}: {STAGES[stage]}", self._move(strength))

    def _moved(self, strength: float) -> bool:
        return abs(strength - self.value) > TINY

    def _move(self, strength: float) -> float:
        change, self.value = strength - self.value, strength
        return change


STAGES = {
    "prediction": "prediction verified",
    "detected": "detected by comparing brightness",
    "state": "dissolved, dormant without a second item",
}


def decay_text(kind: int, *, idle_days: int, excavating: bool, rules: Rules) -> str:
    """Say by which numbers a link fades.

    >>> from asterism.core.connections.parameters import ConnectionParameters
    >>> decay_text(0, idle_days=8, excavating=False, rules=Rules.of(ConnectionParameters()))
    'decay, resonance half-life 30 d, activity 1'
    """
    p, name = rules.parameters, word(LinkKind(kind))
    activity = p.activity_week if idle_days <= p.activity_days else 1.0
    half_life: float = getattr(p, f"half_life_{name}")
    slowed = f" x {p.excavation_decay_rate:g} excavation" if excavating else ""
    return f"decay, {name} half-life {half_life:g} d, activity {activity:g}{slowed}"


def _gain_lines(today: LinkDay, rules: Rules) -> list[tuple[str, float]]:
    gains = rules.gains
    kinds = sorted(today.kinds, key=lambda kind: (-gains[kind], kind))
    lines = []
    for place, kind in enumerate(kinds):
        weight = diminished(place, rules.parameters)
        text = f"{word(EvidenceKind(kind))} {gains[kind]:g}"
        text += f" x {today.factor:g}" if today.factor != 1 else ""
        text += f" x {weight:g} ({_ordinal(place + 1)} of the day)" if place else ""
        lines.append((text, gains[kind] * today.factor * weight))
    return lines


def _ordinal(n: int) -> str:
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(n if n < 20 else n % 10, 'th') }"

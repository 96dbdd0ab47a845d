"""What a reader gets: frozen values, each with `to_dict()`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime

Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]


def plain(value: object) -> Plain:
    """Turn a value into what JSON can say: times as ISO text, values as objects.

    >>> plain(Line("decay", -0.01))
    {'text': 'decay', 'value': -0.01}
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    assert isinstance(value, Sequence), value
    return [plain(entry) for entry in value]


class Model:
    """Base of the values a reader gets."""

    def to_dict(self) -> dict[str, Plain]:
        """Give the value as plain JSON-able parts."""
        told = plain(self)
        assert isinstance(told, dict)
        return told


@dataclass(frozen=True, slots=True)
class Star(Model):
    """A star as it stands."""

    id: str
    name: str
    domain: str
    state: str
    brightness: float
    variance: float
    last_engaged: date | None
    days_stable: int
    contradictions: int
    archived: bool
    boost: float
    cap: float
    connections: int


@dataclass(frozen=True, slots=True)
class EvidenceCount(Model):
    """How much evidence a link has: every item, and what of it still counts."""

    raw: int
    effective: float


@dataclass(frozen=True, slots=True)
class Link(Model):
    """A connection as it stands, seen from `a`."""

    id: str
    a: str
    b: str
    kind: str
    family: str
    direction: str | None
    strength: float
    confidence: float
    state: str
    evidence: EvidenceCount
    last_engaged: datetime
    origin: str
    assigned: bool


@dataclass(frozen=True, slots=True)
class Receipt(Model):
    """What one item of evidence did."""

    item_id: str
    duplicate: bool
    gain: float
    raw_gain: float
    freshness: float
    day_total: float
    capped_by: str | None
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Line(Model):
    """One line of an explanation: what it was, and what it added."""

    text: str
    value: float


@dataclass(frozen=True, slots=True)
class Why(Model):
    """An explanation whose lines add up to the number it explains."""

    subject: str
    number: str
    lines: tuple[Line, ...]
    total: float
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        width = max([len(line.text) for line in self.lines] + [len(self.number) + 2, 24])
        rows = [f"{self.subject}: {self.number} {self.total:.6f}"]
        rows += [f"  {line.text:<{width}}  {line.value:+.6f}" for line in self.lines]
        rows += [f"  {'= ' + self.number:<{width}}  {self.total:+.6f}"]
        rows += [f"  {note}" for note in self.notes]
        return "\n".join(rows)


@dataclass(frozen=True, slots=True)
class StateChange(Model):
    """A link or star that moved from one word to another."""

    id: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class StarInfluence(Model):
    """What links did to a star while time passed."""

    id: str
    change: float


@dataclass(frozen=True, slots=True)
class Prediction(Model):
    """What a causal link expects, and what became of it."""

    link: str
    star: str
    made_at: datetime
    expected_at: datetime
    sign: int
    confidence: float
    outcome: str
    resolved_at: datetime | None


@dataclass(frozen=True, slots=True)
class CalibrationBin(Model):
    """Of the resolved predictions with confidence in [low, high): how sure they were, how often they came true."""

    low: float
    high: float
    n: int
    mean_confidence: float
    hit_rate: float


@dataclass(frozen=True, slots=True)
class Predictions(Model):
    """Every prediction kept, with how good they are."""

    items: tuple[Prediction, ...]
    hit_rate: float | None
    calibration: tuple[CalibrationBin, ...]
    brier: float | None
    dropped: int


@dataclass(frozen=True, slots=True)
class Changes(Model):
    """What happened while time passed."""

    clock: datetime
    states: tuple[StateChange, ...]
    types: tuple[StateChange, ...]
    dormant: tuple[str, ...]
    dissolved: tuple[str, ...]
    stars: tuple[StateChange, ...]
    influence: tuple[StarInfluence, ...]
    predictions: tuple[Prediction, ...]


@dataclass(frozen=True, slots=True)
class Fading(Model):
    """What becomes of a link if nothing happens."""

    link: Link
    strength_then: float
    state_then: str
    dormant_on: date | None
    dissolved_on: date | None
    half_on: date | None
    curve: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Outlook(Model):
    """What will fade, and when, if nothing happens."""

    now: datetime
    to: datetime
    links: tuple[Fading, ...]
    stars: tuple[StarOutlook, ...]


@dataclass(frozen=True, slots=True)
class StarOutlook(Model):
    """What becomes of a star if nothing happens."""

    star: Star
    brightness_then: float
    state_then: str


@dataclass(frozen=True, slots=True)
class Verify(Model):
    """Whether a replay of the ledger gives what is stored, bit for bit."""

    ok: bool
    differences: tuple[str, ...]
    items: int
    checkpoints: int
    digest: str


@dataclass(frozen=True, slots=True)
class Merged(Model):
    """What a merge brought."""

    added: int
    duplicates: int
    buried: int
    erased: int


@dataclass(frozen=True, slots=True)
class Settings(Model):
    """The parameters a space is folded with."""

    preset: tuple[str, ...]
    overrides: dict[str, float | int | str]
    values: dict[str, float | int | str]
    digest: str


@dataclass(frozen=True, slots=True)
class Stats(Model):
    """How much there is, and what was dropped."""

    space: str
    spaces: int
    items: dict[str, int]
    stars: dict[str, int]
    links: dict[str, int]
    kinds: dict[str, int]
    latent_pairs: int
    predictions: int
    predictions_dropped: int
    discoveries_cut: int
    tombstones: int
    checkpoints: int
    size_bytes: int
    clock: datetime | None
    preset: tuple[str, ...]
    parameters: str

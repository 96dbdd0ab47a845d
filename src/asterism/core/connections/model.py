"""What a reader gets: frozen values, each with `to_dict()`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import ClassVar

from asterism.core.ledger.model import Link, Model, Noded

LINES = 20  # of a value as text; the rest is counted


def text(head: str, lines: list[str]) -> str:
    """Write a head and the lines under it, not too many.

    >>> print(text("Now:", ["nothing new"]))
    Now:
      nothing new
    """
    rest = [f"and {len(lines) - LINES} more"] if len(lines) > LINES else []
    return "\n  ".join([head, *lines[:LINES], *rest])


@dataclass(frozen=True, slots=True)
class Star(Noded):
    """A star as it stands."""

    kind: ClassVar[str] = "star"
    id: str
    name: str
    domain: str | None  # None: nobody told it
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

    @property
    def text(self) -> str:
        """What it says: its name."""
        return self.name

    @property
    def strength(self) -> float:
        """Its own number: how bright it is."""
        return self.brightness

    @property
    def at(self) -> datetime | None:
        """When it was last engaged."""
        return None if self.last_engaged is None else datetime.combine(self.last_engaged, time(), UTC)


@dataclass(frozen=True, slots=True)
class Receipt(Model):
    """What one item of evidence did: `before` and `after` are strengths of the day of `at`, which may be long ago.

    Something known already did nothing: both are then the strength as last folded.
    """

    item_id: str
    at: datetime
    duplicate: bool
    gain: float
    raw_gain: float
    freshness: float
    day_total: float
    capped_by: str | None
    before: float
    after: float
    erased: bool = False  # it was erased, and did not come back


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
    """What a causal link expects, and what became of it; `told` once a record speaks for it (docs/expectations.md)."""

    link: str
    star: str
    made_at: datetime
    expected_at: datetime
    sign: int
    confidence: float
    probability: float  # that it comes true, by how earlier ones did
    base_rate: float  # that it comes true by chance
    told: bool  # as an expectation; if not, it is settled silently
    outcome: str
    resolved_at: datetime | None

    @property
    def id(self) -> str:
        """Name it by its link and when it was made."""
        return f"{self.link}!{self.made_at.isoformat()}"


@dataclass(frozen=True, slots=True)
class CalibrationBin(Model):
    """Of the resolved predictions with confidence in [low, high): how sure they were, how often they came true."""

    low: float
    high: float
    n: int
    mean_confidence: float
    hit_rate: float


@dataclass(frozen=True, slots=True)
class ReliabilityBin(Model):
    """Of the resolved predictions with a probability in [low, high): what they said, how often they came true."""

    low: float
    high: float
    n: int
    mean_probability: float
    hit_rate: float


@dataclass(frozen=True, slots=True)
class Record(Model):
    """How settled predictions did, dropped ones too, against the base rate; rates are None while there are none."""

    of: str  # all, told, silent, rises, falls, or the id of a link
    settled: int
    verified: int
    hit_rate: float | None
    base_rate: float | None  # how many would have come true by chance
    brier: float | None  # of the probability
    brier_base: float | None  # of the base rate
    skill: float | None  # 1 - brier / brier_base


@dataclass(frozen=True, slots=True)
class Standing(Model):
    """A record that may earn trust: what bets on it would have made of one, and whether it beats the base rate."""

    record: Record
    odds: float
    beats_base_rate: bool


@dataclass(frozen=True, slots=True)
class Predictions(Model):
    """Every prediction kept, with how good they are; the records also know of those no longer kept."""

    items: tuple[Prediction, ...]
    hit_rate: float | None
    calibration: tuple[CalibrationBin, ...]
    brier: float | None
    dropped: int
    reliability: tuple[ReliabilityBin, ...]
    record: Record  # of all
    told: Record  # of those told as expectations
    silent: Record
    signs: tuple[Standing, ...]
    links: tuple[Standing, ...]

    @property
    def expectations(self) -> tuple[Prediction, ...]:
        """Give what is expected now: told, and still open."""
        return tuple(each for each in self.items if each.told and each.outcome == "open")

    def __str__(self) -> str:
        record = self.record
        settled = (
            "none is settled yet" if record.hit_rate is None else f"{record.verified} of {record.settled} came true"
        )
        chance = "" if record.base_rate is None else f", by chance {record.base_rate:.0%} would have"
        waiting = sum(each.outcome == "open" for each in self.items)
        expected = [_expected(each) for each in self.expectations]
        return text(
            f"{record.settled + waiting} predictions: {settled}{chance}; {waiting} open. Expected now:",
            expected or ["nothing: no record beats chance yet"],
        )


def _expected(each: Prediction) -> str:
    return (
        f"{each.link}: {each.star} {'rises' if each.sign > 0 else 'falls'} "
        f"about {each.expected_at:%Y-%m-%d %H:%M}, probability {each.probability:.2f}"
    )


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

    def __str__(self) -> str:
        moved = [f"{each.id}: {each.before} -> {each.after}" for each in self.states + self.types + self.stars]
        moved += [f"{each.id}: {each.change:+.3f} by its links" for each in self.influence]
        moved += [f"{_expected(each)}, {each.outcome}" for each in self.predictions if each.told]
        return text(f"The clock stands at {self.clock:%Y-%m-%d %H:%M}:", moved or ["nothing changed"])


@dataclass(frozen=True, slots=True)
class Rise(Model):
    """What raises a link on a day on which nobody tells anything."""

    on: date
    gain: float
    reasons: tuple[str, ...]  # prediction_verified, correlation_detected, causation_detected


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
    rises: tuple[Rise, ...] = ()  # evidence that the fold finds by itself in what was told before


@dataclass(frozen=True, slots=True)
class Ageing(Model):
    """What becomes of something that ages by another clock than days; spans are in hours of that clock."""

    id: str
    kind: str  # of the link, or block, level
    now: float  # strength; of a block its recency
    then: float
    clock: str  # active hours (of sessions), or hours
    half_after: float | None  # until half is left; None: never
    ends_after: float | None
    end: str  # what happens then: pruned, archived; "" if nothing does


@dataclass(frozen=True, slots=True)
class Outlook(Model):
    """What will fade, and when, if nothing happens."""

    now: datetime
    to: datetime
    links: tuple[Fading, ...]
    stars: tuple[StarOutlook, ...]
    structural: tuple[Ageing, ...] = ()
    blocks: tuple[Ageing, ...] = ()
    levels: tuple[Ageing, ...] = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        fading = [
            f"{each.link.id}: {each.link.strength:.2f} {each.link.state} -> {each.strength_then:.2f} {each.state_then}"
            + (f", dissolved on {each.dissolved_on}" if each.dissolved_on else "")
            + (f", asleep on {each.dormant_on}" if each.dormant_on else "")
            + "".join(f", {rise.gain:+.3f} on {rise.on} ({' and '.join(rise.reasons)})" for rise in each.rises)
            for each in self.links
        ]
        fading += [
            f"{each.star.id}: {each.star.state} -> {each.state_then}"
            for each in self.stars
            if each.state_then != each.star.state
        ]
        fading += [
            f"{each.id}: {each.now:.2f} -> {each.then:.2f}"
            for each in (*self.structural, *self.blocks, *self.levels)
            if each.then != each.now
        ]
        fading += self.notes
        head = f"From {self.now:%Y-%m-%d %H:%M} to {self.to:%Y-%m-%d %H:%M}, if nothing happens:"
        return text(head, fading or ["there is nothing that could fade"])


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
    digest: str  # of the replay; empty if there is none, for items are damaged


@dataclass(frozen=True, slots=True)
class Merged(Model):
    """What a merge brought."""

    added: int
    duplicates: int
    buried: int
    erased: int
    scrubbed: bool = True  # no byte of what was erased here too is left
    note: str = ""  # what kept some, and how it ends
    lost: tuple[str, ...] = ()  # what the other copy recorded and does not have: it is damaged
    left_out: int = 0  # vectors of the other copy that cannot be used: they are made anew when they are needed


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
    blocks: dict[str, int]
    structural: dict[str, int]
    used_pairs_dropped: int
    names_cut: int
    texts_cut: int  # lines so long that recall and walkers know their beginning only
    sessions_dropped: int  # open ones beyond the limit: ended later, they count no more than a day
    evidence_set_aside: int  # of readings that were read again
    colours_dropped: int
    injections_capped: int
    embedder: str | None
    levels: dict[str, int]
    tombstones: int
    checkpoints: int
    size_bytes: int
    clock: datetime | None
    clock_note: str  # why the system's clock is not believed; else empty
    preset: tuple[str, ...]
    parameters: str
    cancelled_calls: int = 0  # since this memory was opened: calls that nobody heard the end of
    cancelled_writes: int = 0  # of those, what may have been written all the same

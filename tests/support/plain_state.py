"""What the plain fold keeps: stars, links and predictions, each with the plain numbers of the page."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import EvidenceKind, LinkKind, LinkState, StarState
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.items import Item

Pair = tuple[str, str]
CONSTANT = 1e-12  # a sum of squares below it is that of a constant series
STAR_ACTS = (
    "acknowledged",
    "engaged",
    "brightness_observed",
    "contradicted",
    "dark_marked",
    "dark_disputed",
)


@dataclass
class PlainStar:
    """A star; days are numbers."""

    id: str
    domain: str
    born: int
    brightness: float
    began: float
    variance: float
    state: StarState = StarState.NASCENT
    state_began: StarState = StarState.NASCENT
    days_stable: int = 0
    seen: int = 0
    contradictions: int = 0
    marked: bool = False
    archived: bool = False
    observed: float | None = None
    gained: float = 0.0  # by engagements of the open day
    boost: float = 0.0
    cap: float = 1.0
    values: dict[int, float] = field(default_factory=dict)  # the day's value, every day
    valued: set[int] = field(default_factory=set)  # days observed or engaged by its own items
    observed_days: set[int] = field(default_factory=set)
    stuck: set[int] = field(default_factory=set)
    events: list[tuple[int, float]] = field(default_factory=list)  # (at, change)


@dataclass
class Causation:
    """What the lags from one star's events to another's say."""

    confidence: float = 0.0
    lag: float | None = None  # mean, in hours
    same_sign: bool = False


@dataclass
class Detected:
    """What detection sees in a pair."""

    correlation: float | None = None
    causation: Causation = field(default_factory=Causation)
    lag_direction: str = "a_to_b"
    evidence: list[EvidenceKind] = field(default_factory=list)
    kind: LinkKind = LinkKind.RESONANCE
    direction: str = "none"


@dataclass
class PlainLink:
    """The present life of a pair; `times` are its items of evidence, detected ones too."""

    a: str
    b: str
    strength: float = 0.0
    kind: LinkKind = LinkKind.RESONANCE
    direction: str = "none"
    state: LinkState = LinkState.NASCENT
    state_began: LinkState = LinkState.DISSOLVED
    held: LinkState = LinkState.NASCENT
    assigned: bool = False
    latent: bool = False
    times: list[int] = field(default_factory=list)
    effective: float = 0.0
    evaluated: int | None = None
    raw_evaluated: int = 0
    blocking: bool = False
    causation: Causation = field(default_factory=Causation)  # what the last evaluation found
    lag_direction: str = "none"
    found: str = ""  # what findings say of the pair: "", holds, gone
    found_day: int | None = None  # of the last finding that counted
    found_until: str = ""  # the last day that a finding looked at
    fed: int = 0  # the last day with evidence, or with values that renewed what was found
    denied: bool = False  # by a user, who did not confirm it on a later day

    @property
    def raw(self) -> int:
        """Every item of this life."""
        return len(self.times)

    @property
    def exists(self) -> bool:
        """A connection, dissolved or not; a lone co-mention is none."""
        return self.raw > 0 and not self.latent

    @property
    def alive(self) -> bool:
        """A connection that was not dissolved."""
        return self.exists and self.state is not LinkState.DISSOLVED

    @property
    def cause_and_effect(self) -> Pair:
        """The ends, in the link's direction."""
        return (self.b, self.a) if self.direction == "b_to_a" else (self.a, self.b)


@dataclass
class PlainPrediction:
    """What a CAUSATION link expects of its effect."""

    pair: Pair
    star: str
    made_at: int
    expected_at: int
    from_at: int
    until_at: int
    sign: int
    confidence: float
    base_rate: float = 0.0
    probability: float = 0.0
    told: bool = False
    outcome: str = "open"
    resolved_at: int | None = None
    settled_on: int = 0  # the day

    @property
    def won(self) -> float:
        """What a bet by the probability against the base rate won, as a logarithm."""
        p, b = self.probability, self.base_rate
        return round(math.log(p / b if self.outcome == "verified" else (1 - p) / (1 - b)), 6)


class PlainState:
    """A space on a day."""

    def __init__(self, parameters: ConnectionParameters) -> None:
        self.p = parameters
        self.day: int | None = None
        self.items: list[Item] = []  # of the open day
        self.stars: dict[str, PlainStar] = {}
        self.links: dict[Pair, PlainLink] = {}
        self.predictions: list[PlainPrediction] = []
        self.engaged: dict[str, set[int]] = {}  # the days each node was engaged
        self.connections: dict[str, int] = {}  # of each node as the day began
        self.todays: dict[Pair, list[EvidenceKind]] = {}
        self.first_star: int | None = None
        self.settled: list[PlainPrediction] = []  # all that ever were
        self.dropped = 0  # predictions that were not kept
        self.readings: dict[str, Item] = {}  # the latest of each session

    @property
    def today(self) -> int:
        """The open day."""
        assert self.day is not None
        return self.day

    @property
    def day_end(self) -> int:
        """The last microsecond of the open day: the time of detected evidence."""
        return (self.today + 1) * MICROS_PER_DAY - 1

    def decay(self, value: float, half_life: float, floor: float, activity: float = 1.0) -> float:
        """What a day takes."""
        lost = float(value * (1 - 0.5 ** (1 / half_life)) * activity)
        if self.p.decay_shape == "exponential":
            return min(lost, max(0.0, value - floor))
        return max(0.0, lost * (value - floor) / (1 - floor))

    def degree(self, node: str) -> int:
        """Connections of a node, dissolved ones left out."""
        return sum(link.alive for link in self.links.values() if node in (link.a, link.b))

    def confidence(self, link: PlainLink) -> float:
        """Seed 1.3."""
        p = self.p
        base: float = getattr(p, "base_confidence_" + ("user_assigned" if link.assigned else link.kind.name.lower()))
        variance = 0.0
        if link.raw >= 3:
            gaps = [(late - early) / MICROS_PER_DAY for early, late in zip(link.times, link.times[1:], strict=False)]
            mean = math.fsum(gaps) / len(gaps)
            if mean > 0:
                variance = math.fsum((gap - mean) ** 2 for gap in gaps) / len(gaps) / mean**2
        return base * min(link.effective / p.evidence_saturation, 1.0) * (1 - min(1.0, variance))


def at_least(value: float, threshold: float) -> bool:
    """Whether a number reaches a threshold; what decimal fractions lose in binary does not count."""
    return round(value - threshold, 9) >= 0


def below(value: float, threshold: float) -> bool:
    """Whether a number stays below a threshold, likewise."""
    return not at_least(value, threshold)


def above(value: float, threshold: float) -> bool:
    """Whether a number is more than a threshold, likewise."""
    return round(value - threshold, 9) > 0

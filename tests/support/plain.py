"""The plain fold: connections and stars by dicts and loops, to be read beside docs/connections.md.

It shares no arithmetic with the package, only the names of constants and words. A day's items are kept until the
day ends and then walked as a set; `now` shows what the open day already shows. It is slow on purpose: each formula
stands where the page has it.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import CO_MENTIONS, CONFIRMING, EvidenceKind, LinkKind, LinkState, StarState
from asterism.core.ledger.calendar import MICROS_PER_DAY, MICROS_PER_HOUR, day_of
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


class PlainFold:
    """A space folded day by day."""

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

    def apply(self, item: Item) -> None:
        """Take one item, in the order (at, id); days that ended before it are ended."""
        if self.day is None:
            self.day = day_of(item.at)
        self.close_days(day_of(item.at))
        self.items.append(item)

    def read(self, item: Item) -> None:
        """Take the reading of a transcript, before any of its evidence; the latest of a session counts."""
        session = " ".join(str(item.payload["session"]).lower().split())
        known = self.readings.get(session)
        if known is None or item.position > known.position:
            self.readings[session] = item

    def counts(self, item: Item) -> bool:
        """Say whether evidence counts: that of a reading only while it is the latest of its session."""
        reading = item.payload.get("reading")
        return reading is None or reading in [each.id.hex() for each in self.readings.values()]

    def close_days(self, until: int) -> None:
        """End every day before the given one."""
        while self.day is not None and self.day < until:
            self.end_day()

    def now(self) -> PlainFold:
        """What the open day shows before it ends."""
        shown = copy.deepcopy(self)
        shown.walk_items()
        return shown

    # --- inside a day ----------------------------------------------------------------------------------------

    @property
    def today(self) -> int:
        """The open day."""
        assert self.day is not None
        return self.day

    @property
    def day_end(self) -> int:
        """The last microsecond of the open day: the time of detected evidence."""
        return (self.today + 1) * MICROS_PER_DAY - 1

    def walk_items(self) -> None:
        """Do what the day's items say: stars in order, then each pair as a set."""
        items = sorted((item for item in self.items if self.counts(item)), key=lambda item: item.position)
        added = [day_of(item.at) for item in items if item.what == "star_added"]
        if self.first_star is None and added:
            self.first_star = min(added)
        for item in items:  # a star is there for the whole of its first day
            if item.what == "star_added":
                self.act(item)
        discovered = self.discovered() if any(item.what == "discovery" for item in items) else {}
        evidence: dict[Pair, list[tuple[int, EvidenceKind]]] = {}
        findings: dict[Pair, list[Item]] = {}
        for pair, seen in discovered.items():  # by the days before today, so as the day begins, and once
            evidence[pair] = [(self.today * MICROS_PER_DAY, kind) for kind in seen.evidence]
            link = self.links.setdefault(pair, PlainLink(*pair))
            if not link.assigned:
                link.kind, link.direction = seen.kind, seen.direction
            link.causation, link.lag_direction = seen.causation, seen.lag_direction
            link.evaluated, link.raw_evaluated = self.today, link.raw + len(seen.evidence)
        denials: dict[Pair, int] = {}
        types: dict[Pair, tuple[LinkKind, str]] = {}
        for item in items:
            told = item.payload
            if item.what in ("evidence", "denied", "type_assigned"):
                pair = (str(told["a"]), str(told["b"]))
                if "finding" in told:
                    findings.setdefault(pair, []).append(item)
                elif item.what == "evidence":
                    kind = EvidenceKind[str(told["kind"]).upper()]
                    evidence.setdefault(pair, []).append((item.at, kind))
                    for end in pair:
                        self.engaged.setdefault(end, set()).add(self.today)
                        if end in self.stars:
                            self.see(self.stars[end], wake=True)
                elif item.what == "denied":
                    denials[pair] = denials.get(pair, 0) + 1
                else:
                    types[pair] = (LinkKind[str(told["kind"]).upper()], str(told["direction"]))
            elif item.what in STAR_ACTS:
                self.act(item)
        self.todays = {}
        for pair in sorted(evidence.keys() | denials.keys() | types.keys() | findings.keys()):
            found = sorted(findings.get(pair, []), key=lambda item: (str(item.payload["until"]), item.position))
            self.fold_pair(pair, evidence.get(pair, []), denials.get(pair, 0), types.get(pair), found)

    def see(self, star: PlainStar, *, wake: bool) -> None:
        """Note an item about a star."""
        star.seen, star.archived = self.today, False
        if wake and star.state is StarState.DORMANT:
            star.state = StarState.FLICKERING

    def act(self, item: Item) -> None:
        """Do what one item says of one star."""
        p, told = self.p, item.payload
        name = str(told["star"])
        if item.what == "star_added":
            if name not in self.stars:
                new = p.new_star_brightness
                domain = str(told.get("domain", "no_domain"))
                self.stars[name] = PlainStar(name, domain, self.today, new, new, p.initial_variance, seen=self.today)
            return
        if name not in self.stars:
            return
        star = self.stars[name]
        first = star.state is StarState.NASCENT
        self.see(star, wake=item.what in ("engaged", "brightness_observed"))
        if item.what in ("engaged", "acknowledged") and first:
            star.brightness, star.state = p.acknowledged_brightness, StarState.FLICKERING
        elif item.what == "engaged":
            gain = float(str(told["impact"])) * (1 + star.boost)
            gain = min(gain, p.max_daily_brightness_gain - star.gained, 1 - star.brightness)
            star.gained += gain
            star.brightness += gain
        elif item.what == "brightness_observed":
            value = float(str(told["value"]))
            if star.observed is not None and at_least(abs(value - star.observed), p.event_threshold):
                star.events.append((item.at, value - star.observed))
            star.brightness = star.observed = value
            star.observed_days.add(self.today)
            if first:
                star.state = StarState.FLICKERING
        elif item.what == "contradicted":
            star.contradictions += 1
            if star.contradictions >= p.dark_contradictions:
                star.state = StarState.DARK
        elif item.what == "dark_marked":
            star.marked, star.state = True, StarState.DARK
        elif item.what == "dark_disputed":
            star.marked, star.contradictions = False, 0
            if star.state is StarState.DARK:
                star.state = StarState.DIM
        if item.what == "engaged":
            self.engaged.setdefault(name, set()).add(self.today)
        if item.what in ("engaged", "brightness_observed"):
            star.valued.add(self.today)

    def fold_pair(
        self,
        pair: Pair,
        evidence: list[tuple[int, EvidenceKind]],
        denials: int,
        assigned: tuple[LinkKind, str] | None,
        findings: list[Item],
    ) -> None:
        """Fold a day's items of one pair: gains, then the assigned type, what was found, then denials."""
        p = self.p
        link = self.links.setdefault(pair, PlainLink(*pair))
        counting = self.counting(link, findings)
        if counting:
            evidence = [*evidence, (counting.at, EvidenceKind[str(counting.payload["kind"]).upper()])]
        if evidence:
            if link.state is LinkState.DISSOLVED:
                link = self.links[pair] = self.new_life(link)
            kinds = [kind for _, kind in evidence]
            link.strength = min(p.max_strength, link.strength + self.day_total(kinds, self.factor(link)))
            link.times = sorted([*link.times, *(at for at, _ in evidence)])
            link.latent = link.raw == 1 and kinds[0] in CO_MENTIONS and not self.excavating
            link.effective += len(evidence)
            link.fed = self.today
            link.state = link.held = self.rung(link)
            self.todays[pair] = kinds
        if assigned and link.state is not LinkState.DISSOLVED:
            link.kind, link.direction = assigned
            link.assigned = True
        if link.state is not LinkState.DISSOLVED:
            self.speak(link, findings)
            link.found_day = self.today if counting else link.found_day
        else:  # of an ended link, only that it no longer holds
            self.speak(link, [item for item in findings if item.payload["finding"] == "gone"])
        link.denied = denials > 0 or (link.denied and not {kind for _, kind in evidence} & CONFIRMING)
        for _ in range(denials if link.raw else 0):
            if link.state >= LinkState.WEAK and link.strength > p.denial_cost:
                link.strength -= p.denial_cost
                link.state = self.rung(link)
            else:
                self.dissolve(link)

    def counting(self, link: PlainLink, findings: list[Item]) -> Item | None:
        """Give the finding of the day that counts as evidence: one in a week, and it must have seen newer values."""
        if link.found_day is not None and self.today - link.found_day < self.p.finding_interval:
            return None
        new = [item for item in findings if item.payload["finding"] == "holds"]
        new = [item for item in new if str(item.payload["until"]) > link.found_until]
        return new[-1] if new else None

    def speak(self, link: PlainLink, findings: list[Item]) -> None:
        """Let findings say what a link is; who saw older values than the last one says nothing."""
        for item in findings:
            told = item.payload
            if str(told["until"]) < link.found_until:
                continue
            link.found_until = str(told["until"])
            if told["finding"] == "gone":
                link.found = "gone" if link.found else ""
                continue
            r, direction = float(str(told["r"])), str(told["direction"])
            link.found, link.evaluated, link.lag_direction = "holds", None, direction
            link.causation = Causation(0.0, None, r > 0)
            if direction != "none":
                link.causation = Causation(abs(r), 24.0 * int(str(told["lag_days"])), r > 0)
            if not link.assigned:
                link.kind, link.direction = self.found_kind(link), direction

    def found_kind(self, link: PlainLink) -> LinkKind:
        """The kind that findings give a link."""
        if link.lag_direction != "none":
            return LinkKind.CAUSATION
        return LinkKind.RESONANCE if link.causation.same_sign else LinkKind.TENSION

    def new_life(self, link: PlainLink) -> PlainLink:
        """Begin again from nothing; what was counted of findings is not forgotten."""
        return PlainLink(link.a, link.b, found_day=link.found_day, found_until=link.found_until, denied=link.denied)

    def dissolve(self, link: PlainLink) -> None:
        """End a life; its evidence is shown but counts no more."""
        link.state, link.strength, link.effective = LinkState.DISSOLVED, 0.0, 0.0

    @property
    def excavating(self) -> bool:
        """Whether today is one of the space's first dates."""
        first = self.first_star
        return first is not None and first <= self.today < first + self.p.excavation_days

    def factor(self, link: PlainLink) -> float:
        """What multiplies each gain of the day."""
        p = self.p
        ages = [self.today - day_of(at) for at in link.times]
        stale = any(1 <= age <= p.freshness_days for age in ages)
        factor = p.freshness_stale if stale else p.freshness_fresh
        if self.excavating:
            factor *= p.excavation_evidence_impact
        busy = max(self.connections.get(link.a, 0), self.connections.get(link.b, 0))
        if busy > p.soft_cap and link.state_began < LinkState.WEAK:
            factor *= p.soft_cap / busy
        return factor

    def day_total(self, kinds: list[EvidenceKind], factor: float) -> float:
        """Diminishing returns and the daily cap over a day's items."""
        p = self.p
        gains = []
        for kind in kinds:
            name = kind.name.lower()
            impact: float = getattr(p, f"impact_{name}")
            multiplier: float = getattr(p, f"multiplier_{name}")
            confidence: float = getattr(p, f"confidence_{name}")
            gains.append(impact * multiplier * confidence * factor)
        total = 0.0
        weights = (1.0, p.diminishing_second, p.diminishing_third)
        for place, gain in enumerate(sorted(gains, reverse=True)):
            total += gain * (weights[place] if place < len(weights) else p.diminishing_rest)
        return min(total, p.max_daily_strength_gain)

    def rung(self, link: PlainLink) -> LinkState:
        """Seed 2.1 without dormancy."""
        p, s, e = self.p, link.strength, link.effective
        if at_least(s, p.strength_moderate_max) and e >= p.evidence_for_strong:
            return LinkState.STRONG
        if at_least(s, p.strength_weak_max) and e >= p.evidence_for_moderate:
            return LinkState.MODERATE
        if at_least(s, p.strength_forming_max) and e >= p.evidence_for_weak:
            return LinkState.WEAK
        if at_least(s, p.strength_nascent_max) and e >= p.evidence_for_forming:
            return LinkState.FORMING
        return LinkState.NASCENT

    def discovered(self) -> dict[Pair, Detected]:
        """Test the unlinked pairs of recently engaged stars, by the days before today."""
        yesterday = self.today - 1
        window = range(self.today - self.p.engagement_days, self.today)
        told = [name for name in sorted(self.stars) if self.stars[name].observed_days & set(window)]
        recent = [name for name in told if self.engaged.get(name, set()) & set(window)]
        recent = recent[: self.p.discover_max_stars]
        found = {}
        for place, a in enumerate(recent):
            for b in recent[place + 1 :]:
                link = self.links.get((a, b), PlainLink(a, b))
                if not link.exists and link.state is not LinkState.DISSOLVED:
                    seen = self.detect(a, b, yesterday)
                    if seen.evidence:
                        found[a, b] = seen
        return found

    # --- the day's end ---------------------------------------------------------------------------------------

    def end_day(self) -> None:
        """End the open day, in the page's order."""
        self.walk_items()
        self.items = []
        own = {name: self.fade_star(star) for name, star in sorted(self.stars.items())}
        self.predict()
        for _, link in sorted(self.links.items()):
            self.fade_link(link)
        for _, link in sorted(self.links.items()):
            if link.alive and self.due(link):
                self.evaluate(link)
        for _, link in sorted(self.links.items()):
            self.settle_link(link)
        self.influence(own)
        for star in self.stars.values():
            self.settle_star(star)
        self.prepare_tomorrow()
        self.day = self.today + 1

    def fade_star(self, star: PlainStar) -> float:
        """Step 1: own decay, the day's value, stuck or not; gives the own change."""
        p, today = self.p, self.today
        engaged = today in self.engaged.get(star.id, set())
        asleep = star.state is StarState.DORMANT or star.archived
        if not engaged and today not in star.observed_days and not asleep:
            half_life: float = getattr(p, f"star_half_life_{star.domain}")
            star.brightness -= self.decay(star.brightness, half_life, p.brightness_floor)
        star.values[today] = star.brightness
        if engaged and today - star.born >= p.stuck_days:
            change = star.brightness - star.values[today - p.stuck_days]
            if below(change, p.low_progress):
                star.stuck.add(today)
        return star.brightness - star.began

    def decay(self, value: float, half_life: float, floor: float, activity: float = 1.0) -> float:
        """What a day takes."""
        lost = float(value * (1 - 0.5 ** (1 / half_life)) * activity)
        if self.p.decay_shape == "exponential":
            return min(lost, max(0.0, value - floor))
        return max(0.0, lost * (value - floor) / (1 - floor))

    def predict(self) -> None:
        """Step 2: raise, verify, expire."""
        p, today = self.p, self.today
        for pair, link in sorted(self.links.items()):
            least = LinkState[p.influence_min_state]
            if link.kind is not LinkKind.CAUSATION or not link.alive or link.found == "gone":
                continue
            if link.state < (LinkState.NASCENT if link.found else least):
                continue
            if link.causation.lag is None or link.lag_direction != link.direction:
                continue
            cause, effect = link.cause_and_effect
            if cause not in self.stars or effect not in self.stars:
                continue
            lag = round(link.causation.lag * MICROS_PER_HOUR)
            slack = round(lag * p.prediction_tolerance)
            for at, change in self.stars[cause].events:
                if day_of(at) == today:
                    sign = 1 if (change > 0) == link.causation.same_sign else -1
                    times = (at + lag, at + lag - slack, at + lag + slack)
                    sure = link.strength * link.causation.confidence
                    made = PlainPrediction(pair, effect, at, *times, sign, sure)
                    self.appraise(made)
                    self.predictions.append(made)
        waiting = [each for each in self.predictions if each.outcome == "open"]
        for each in waiting:
            for at, change in sorted(self.stars[each.star].events):
                inside = max(each.from_at, each.made_at + 1) <= at <= each.until_at
                if day_of(at) == today and inside and (change > 0) == (each.sign > 0):
                    each.outcome, each.resolved_at = "verified", at
                    link = self.links[each.pair]
                    if link.alive and not (link.found and link.state < LinkState[p.influence_min_state]):
                        link.strength = min(p.max_strength, link.strength + p.prediction_verified_bonus)
                    break
            if each.outcome == "open" and each.until_at <= self.day_end:
                each.outcome, each.resolved_at = "missed", each.until_at
            if each.outcome != "open":
                each.settled_on = today
                self.settled.append(each)
        resolved = [each for each in self.predictions if each.outcome != "open"]
        resolved.sort(key=lambda each: (each.made_at, each.pair, each.sign))
        for each in resolved[: max(0, len(resolved) - p.predictions_kept)]:
            self.predictions.remove(each)
            self.dropped += 1

    def appraise(self, made: PlainPrediction) -> None:
        """Say how probable a prediction is, and whether it is told, by what was settled before today."""
        made.base_rate = self.base_rate(made)
        of_link = [each for each in self.settled if each.pair == made.pair]
        of_sign = [each for each in self.settled if each.sign == made.sign]
        lift = self.lift(of_link, self.lift(of_sign, 0.0))
        made.probability = round(min(0.99, max(0.01, made.base_rate + lift)), 6)
        enough = len(of_link) >= self.p.expectation_min_settled
        made.told = self.beats_chance(of_link if enough else of_sign)

    def base_rate(self, made: PlainPrediction) -> float:
        """How often the same window held an event of the same sign on the days before."""
        star = self.stars[made.star]
        trials = hits = 0
        for back in range(1, 100):
            first, last = made.from_at - back * MICROS_PER_DAY, made.until_at - back * MICROS_PER_DAY
            if day_of(first) < self.today - self.p.correlation_window or day_of(last) >= self.today:
                continue
            if star.observed_days & set(range(day_of(first), day_of(last) + 1)):
                trials += 1
                hits += any(first <= at <= last and (change > 0) == (made.sign > 0) for at, change in star.events)
        return round((hits + 0.5) / (trials + 1), 6)

    def lift(self, settled: list[PlainPrediction], toward: float) -> float:
        """By how much more often than by chance they came true, shrunken."""
        excess = sum((each.outcome == "verified") - each.base_rate for each in settled)
        return (excess + self.p.expectation_prior * toward) / (len(settled) + self.p.expectation_prior)

    def beats_chance(self, settled: list[PlainPrediction]) -> bool:
        """Whether there are enough, more came true than by chance, and bets on them won enough."""
        verified = sum(each.outcome == "verified" for each in settled)
        days: dict[int, list[float]] = {}
        for each in settled:
            days.setdefault(each.settled_on, []).append(each.won)
        won = sum(round(sum(of_day) / len(of_day), 6) for of_day in days.values())
        return (
            len(settled) >= self.p.expectation_min_settled
            and verified > round(sum(each.base_rate for each in settled), 6)
            and won >= math.log(self.p.expectation_odds)
        )

    def fade_link(self, link: PlainLink) -> None:
        """Step 3."""
        p = self.p
        ends = [self.stars[end] for end in (link.a, link.b) if end in self.stars]
        told = len(ends) == 2 and all(self.today in end.observed_days for end in ends)
        awake = link.alive and link.state is not LinkState.DORMANT
        if told and link.found == "holds" and awake and not link.denied:
            link.fed = self.today  # renewed: it does not fade
        elif link.state not in (LinkState.DORMANT, LinkState.DISSOLVED):
            days = self.engaged.get(link.a, set()) | self.engaged.get(link.b, set())
            ages = [self.today - day for day in days]
            activity = 1.0
            if any(age <= p.activity_days for age in ages):
                activity = p.activity_week
            if 0 in ages:
                activity = 0.0
            if self.excavating:
                activity *= p.excavation_decay_rate
            half_life: float = getattr(p, f"half_life_{link.kind.name.lower()}")
            link.strength -= self.decay(link.strength, half_life, p.floor, activity)
        link.strength = round(link.strength, 12)

    def due(self, link: PlainLink) -> bool:
        """Whether a link's type is looked at today."""
        if link.evaluated is None or self.today - link.evaluated >= self.p.type_reevaluation_interval:
            return True
        return link.raw - link.raw_evaluated >= self.p.type_reevaluation_evidence

    def evaluate(self, link: PlainLink) -> None:
        """Step 4: derived evidence, the lag found, and the kind; what was found has its kind from there."""
        if link.found:
            ends = [self.stars[end] for end in (link.a, link.b) if end in self.stars]
            if not link.assigned and any(end.state is StarState.DARK for end in ends):
                link.kind, link.direction = LinkKind.SHADOW_MIRROR, "none"
            elif not link.assigned:
                link.kind, link.direction = self.found_kind(link), link.lag_direction
            link.evaluated, link.raw_evaluated = self.today, link.raw
            return
        seen = self.detect(link.a, link.b, self.today)
        factor = self.factor(link)
        before = self.todays.get((link.a, link.b), [])
        gain = self.day_total(before + seen.evidence, factor) - self.day_total(before, factor)
        link.strength = round(min(self.p.max_strength, link.strength + gain), 12)
        link.times += [self.day_end] * len(seen.evidence)
        link.fed = self.today if seen.evidence else link.fed
        link.effective += len(seen.evidence)
        link.causation, link.lag_direction = seen.causation, seen.lag_direction
        link.evaluated, link.raw_evaluated = self.today, link.raw
        if not link.assigned:
            link.kind, link.direction = seen.kind, seen.direction

    def detect(self, a: str, b: str, day: int) -> Detected:
        """Correlation and causation over the days up to `day`, the evidence they are and the kind they make."""
        p, seen = self.p, Detected()
        ends = [self.stars[end] for end in (a, b) if end in self.stars]
        dark = any(StarState.DARK is (s.state if day == self.today else s.state_began) for s in ends)
        blocked = ""
        if len(ends) == 2:
            one, two = ends
            seen.correlation = self.correlation(one, two, day)
            seen.causation, back = self.causation(one, two, day), self.causation(two, one, day)
            if back.confidence > seen.causation.confidence:
                seen.causation, seen.lag_direction = back, "b_to_a"
            for blocker, star, direction in ((b, a, "b_to_a"), (a, b, "a_to_b")):
                blocked = direction if self.blocks(blocker, star, day) >= p.blocking_threshold else blocked
        together = seen.correlation is not None and seen.correlation > p.resonance_threshold
        against = seen.correlation is not None and seen.correlation < p.tension_threshold
        caused = seen.causation.confidence > p.causation_threshold
        if together or against:
            seen.evidence.append(EvidenceKind.CORRELATION_DETECTED)
        if caused:
            seen.evidence.append(EvidenceKind.CAUSATION_DETECTED)
        if dark:
            seen.kind = LinkKind.SHADOW_MIRROR
        elif blocked:
            seen.kind, seen.direction = LinkKind.BLOCKS, blocked
        elif together:
            seen.kind = LinkKind.RESONANCE
        elif against:
            seen.kind = LinkKind.TENSION
        elif caused:
            seen.kind = LinkKind.GROWTH_EDGE if seen.causation.same_sign else LinkKind.CAUSATION
            seen.direction = seen.lag_direction
        return seen

    def correlation(self, one: PlainStar, two: PlainStar, day: int) -> float | None:
        """Pearson over the days on which both stars have a value."""
        window = range(day - self.p.correlation_window + 1, day + 1)
        days = [each for each in window if each in one.valued and each in two.valued]
        if len(days) < self.p.min_observations:
            return None
        x, y = [one.values[each] for each in days], [two.values[each] for each in days]
        mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
        together = math.fsum((i - mean_x) * (j - mean_y) for i, j in zip(x, y, strict=True))
        square_x = math.fsum((i - mean_x) ** 2 for i in x)
        square_y = math.fsum((j - mean_y) ** 2 for j in y)
        if square_x < CONSTANT or square_y < CONSTANT:
            return None
        return round(together / math.sqrt(square_x * square_y), 9)

    def causation(self, cause: PlainStar, effect: PlainStar, day: int) -> Causation:
        """Seed 5.3 over the events of the window."""
        p = self.p
        first = day - p.correlation_window + 1
        causes = [(at, change) for at, change in cause.events if first <= day_of(at) <= day]
        effects = sorted((at, change) for at, change in effect.events if first <= day_of(at) <= day)
        lags, same = [], 0
        for at, change in causes:
            later = [event for event in effects if event[0] > at]
            for then, answer in later[:1] if p.causation_pairing == "next" else later:
                if (then - at) / MICROS_PER_HOUR < p.max_causation_lag:
                    lags.append((then - at) / MICROS_PER_HOUR)
                    same += (change > 0) == (answer > 0)
        if len(lags) < p.min_causation_observations:
            return Causation()
        mean = math.fsum(lags) / len(lags)
        spread = math.fsum((lag - mean) ** 2 for lag in lags) / len(lags)
        if p.causation_spread == "stdev":
            spread = math.sqrt(spread)
        consistency = min(1.0, max(0.0, 1 - spread / mean))
        confidence = min(1.0, len(lags) / p.saturation_count * consistency)
        return Causation(round(confidence, 9), mean, same > len(lags) / 2)

    def blocks(self, blocker: str, blocked: str, day: int) -> float:
        """Seed 5.4: how sure it is that one star holds the other back."""
        p, star = self.p, self.stars[blocked]
        window = set(range(day - p.engagement_days + 1, day + 1))
        engagement = len(self.engaged.get(blocked, set()) & window) / p.engagement_days
        since = max(star.born, day - p.engagement_days)
        progress = star.values.get(day, 0.0) - star.values.get(since, 0.0)
        stuck = star.stuck & window
        if engagement > p.high_engagement and below(progress, p.low_progress) and stuck:
            activity = len(self.engaged.get(blocker, set()) & stuck) / len(stuck)
            if activity > p.activity_threshold:
                return 0.7
        return 0.0

    def settle_link(self, link: PlainLink) -> None:
        """Step 5: the rung, dormancy."""
        p = self.p
        if not link.raw or link.state is LinkState.DISSOLVED:
            return
        link.state = self.rung(link)
        idle = self.today - link.fed
        if link.times[-1] == self.day_end:
            link.held = link.state  # detected evidence
        basis = link.held if p.dormancy_basis == "held" else link.state
        threshold: int = getattr(p, f"dormancy_{basis.name.lower()}")
        if idle >= threshold:
            if link.state is LinkState.NASCENT and link.raw == 1 and not link.latent:
                self.dissolve(link)
            else:
                link.state = LinkState.DORMANT

    def influence(self, own: dict[str, float]) -> None:
        """Step 6: one synchronous step."""
        p = self.p
        spill = dict.fromkeys(self.stars, 0.0)
        drain = dict.fromkeys(self.stars, 0.0)
        for (a, b), link in sorted(self.links.items()):
            if not link.alive or link.state < LinkState[p.influence_min_state]:
                continue
            if a not in self.stars or b not in self.stars:
                continue
            for source, target in ((a, b), (b, a)):
                change, star = own[source], self.stars[source]
                if link.kind is LinkKind.RESONANCE:
                    falling = 1.0 if change > 0 else p.resonance_falling
                    spill[target] += change * p.resonance_spillover * link.strength * falling
                elif link.kind is LinkKind.TENSION and above(change, p.tension_activation_threshold):
                    drain[target] += change * p.tension_drain * link.strength
                elif link.kind is LinkKind.SHADOW_MIRROR and star.state_began is StarState.DARK:
                    intensity = min(1 - star.began, p.dark_intensity_cap)
                    drain[target] += p.shadow_drain_rate * link.strength * intensity
        for name, star in self.stars.items():
            gain = min(p.max_spillover_per_day, max(-p.max_spillover_per_day, spill[name]))
            if gain > 0:
                gain = min(gain, max(0.0, p.max_daily_brightness_gain - star.gained))
            star.brightness += gain
            lost = min(drain[name], p.max_drain_per_day)
            star.brightness -= min(lost, max(0.0, star.brightness - p.hope_floor))
            if star.brightness > star.cap:
                star.brightness = max(star.cap, star.brightness - p.cap_step)
            star.brightness = round(min(1.0, max(p.brightness_floor, star.brightness)), 12)

    def settle_star(self, star: PlainStar) -> None:
        """Step 7: variance, stable days, the priority list."""
        p = self.p
        change = abs(star.brightness - star.began)
        star.variance = round(p.variance_weight * change + (1 - p.variance_weight) * star.variance, 12)
        star.days_stable = star.days_stable + 1 if star.variance < p.stable_variance else 0
        idle = self.today - star.seen
        if star.state is StarState.NASCENT:
            star.archived = idle >= p.nascent_archive_days
            return
        if star.state is StarState.DORMANT:
            return
        threshold: int = getattr(p, f"star_dormancy_{star.state.name.lower()}")
        stable = star.days_stable >= p.stable_days
        if idle >= threshold:
            star.state = StarState.DORMANT
        elif star.marked or star.contradictions >= p.dark_contradictions:
            star.state = StarState.DARK
        elif star.variance > p.flickering_variance:
            star.state = StarState.FLICKERING
        elif star.brightness >= p.bright_threshold and stable:
            star.state = StarState.BRIGHT
        elif star.brightness < p.dim_threshold and stable:
            star.state = StarState.DIM
        else:
            star.state = StarState.FLICKERING

    def prepare_tomorrow(self) -> None:
        """Step 8: block switches, boosts, caps and counts; and the values as tomorrow begins."""
        p = self.p
        for star in self.stars.values():
            star.began, star.state_began, star.gained = star.brightness, star.state, 0.0
            star.boost, star.cap = 0.0, 1.0
        self.connections = {end: self.degree(end) for pair in self.links for end in pair}
        for link in self.links.values():
            link.state_began = link.state
            self.age_evidence(link)
            cause, effect = link.cause_and_effect
            if not link.alive or cause not in self.stars or effect not in self.stars:
                link.blocking = False
                continue
            source, target = self.stars[cause], self.stars[effect]
            on = link.kind is LinkKind.BLOCKS and (link.blocking or link.state >= LinkState.WEAK)
            off = link.strength < p.block_release_threshold or source.state is StarState.DORMANT
            link.blocking = on and not off and link.state > LinkState.DORMANT
            if link.blocking:
                target.cap = min(target.cap, 1 - p.block_factor * link.strength)
            helps = link.kind is LinkKind.GROWTH_EDGE and link.state >= LinkState[p.influence_min_state]
            if helps and source.state is StarState.BRIGHT:
                target.boost = max(target.boost, p.growth_edge_boost * link.strength)

    def age_evidence(self, link: PlainLink) -> None:
        """Take effective evidence at tomorrow's date."""
        if link.state is not LinkState.DISSOLVED:
            link.effective = 0.0
            for at in link.times:
                age, half_life = self.today + 1 - day_of(at), self.p.evidence_half_life
                link.effective += 1.0 if age <= half_life else 0.5 if age <= 2 * half_life else 0.0

    def degree(self, node: str) -> int:
        """Connections of a node, dissolved ones left out."""
        return sum(link.alive for link in self.links.values() if node in (link.a, link.b))

    # --- what a reader sees ----------------------------------------------------------------------------------

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

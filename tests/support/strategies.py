"""Random ledgers and parameters, shared by the property tests.

A ledger is a few stars, loose items of every kind, and *stories*: runs of items that move brightness together, against
each other, after each other, not at all, or that build a link day by day. Loose items alone hardly ever reach a
detected type, a prediction or a block.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import DIRECTED, Domain, EvidenceKind, LinkKind, word
from asterism.core.ledger.calendar import MICROS_PER_DAY, MICROS_PER_HOUR, to_date
from asterism.core.ledger.items import Item, Payload, Value, make_item
from asterism.core.ledger.parameters import Setting

FIRST_DAY = 20_000
SPACE = "me"
EVIDENCE = tuple(word(kind) for kind in EvidenceKind)
STAR_ACTS = (
    "acknowledged",
    "engaged",
    "brightness_observed",
    "contradicted",
    "dark_marked",
    "dark_disputed",
)


@dataclass(frozen=True)
class Told:
    """An item before it has an absolute time: day and hour from the ledger's start."""

    what: str
    day: int
    hour: float
    payload: Payload

    def item(self) -> Item:
        """Make the item."""
        at = (FIRST_DAY + self.day) * MICROS_PER_DAY + round(self.hour * MICROS_PER_HOUR)
        return make_item(space=SPACE, what=self.what, at=at, payload=self.payload, known_at=0)


def ledger_of(told: Iterable[Told]) -> list[Item]:
    """Make a ledger: each item once, in the order of the fold."""
    items = {item.id: item for item in (each.item() for each in told)}
    return sorted(items.values(), key=lambda item: item.position)


# --- single items --------------------------------------------------------------------------------------------


def star_added(star: str, day: int = 0, hour: float = 0.0, domain: str | None = "health") -> Told:
    told: dict[str, Value] = {"star": star, "name": star}
    return Told("star_added", day, hour, told if domain is None else {**told, "domain": domain})


def about(star: str, what: str, day: int, hour: float = 12.0) -> Told:
    return Told(what, day, hour, {"star": star})


def engaged(star: str, day: int, hour: float = 12.0, impact: float = 0.03) -> Told:
    return Told("engaged", day, hour, {"star": star, "impact": impact})


def observed(star: str, value: float, day: int, hour: float = 12.0) -> Told:
    return Told("brightness_observed", day, hour, {"star": star, "value": value})


def evidence(a: str, b: str, kind: str, day: int, hour: float = 12.0) -> Told:
    a, b = sorted((a, b))
    return Told("evidence", day, hour, {"a": a, "b": b, "kind": kind})


def found(
    a: str, b: str, day: int, hour: float = 12.0, *, r: float = 0.8, lag: int = 0, ago: int = 0, gone: bool = False
) -> Told:
    """A finding by the values up to some days ago: together, or with a lag the first drives the second."""
    direction = "none" if not lag else "a_to_b" if a < b else "b_to_a"
    a, b = sorted((a, b))
    until = to_date(FIRST_DAY + day - ago)
    payload: dict[str, Value] = {
        "a": a,
        "b": b,
        "kind": "causation_detected" if lag else "correlation_detected",
        "finding": "gone" if gone else "holds",
        "direction": direction,
        "lag_days": lag,
        "r": r,
        "low": max(-1.0, r - 0.1),
        "high": min(1.0, r + 0.1),
        "p": 0.001,
        "days": 60,
        "since": to_date(FIRST_DAY + day - ago - 60).isoformat(),
        "until": until.isoformat(),
        "seen": f"{FIRST_DAY + day - ago:032x}",
        "detector": "best",
    }
    if lag:
        payload["skill"] = 0.2
    return Told("evidence", day, hour, payload)


def denied(a: str, b: str, day: int, hour: float = 12.0) -> Told:
    a, b = sorted((a, b))
    return Told("denied", day, hour, {"a": a, "b": b})


def type_assigned(a: str, b: str, kind: LinkKind, day: int, hour: float = 12.0, to: str = "a_to_b") -> Told:
    a, b = sorted((a, b))
    direction = to if kind in DIRECTED else "none"
    return Told("type_assigned", day, hour, {"a": a, "b": b, "kind": word(kind), "direction": direction})


def mark(what: str, day: int, hour: float = 12.0) -> Told:
    """A discovery or a clock mark."""
    return Told(what, day, hour, {})


# --- stories -------------------------------------------------------------------------------------------------

Story = Callable[[str, str, int, int, int], Iterator[Told]]


def wave(step: int, variant: int) -> float:
    """A bounded series without a trend that differs by variant."""
    return round(0.5 + 0.35 * math.sin(step * (1.1 + 0.37 * variant)), 3)


def together(a: str, b: str, day: int, days: int, variant: int) -> Iterator[Told]:
    """Both brighten and fade on the same days."""
    for step in range(days):
        yield observed(a, wave(step, variant), day + step, 9)
        yield observed(b, round(0.1 + 0.8 * wave(step, variant), 3), day + step, 10 + variant)


def against(a: str, b: str, day: int, days: int, variant: int) -> Iterator[Told]:
    """One brightens while the other fades."""
    for step in range(days):
        yield observed(a, wave(step, variant), day + step, 9)
        yield observed(b, round(1 - wave(step, variant), 3), day + step, 20)


def after(a: str, b: str, day: int, days: int, variant: int) -> Iterator[Told]:
    """Each jump of one is followed by a jump of the other, the same or the opposite way, hours later."""
    lag, opposite = (24, 30, 36, 47)[variant % 4], variant % 3 != 0
    for turn, step in enumerate(range(0, days, 4)):
        high = turn % 2 == 0
        late = (0, 1, 0, -1)[turn % 4] if variant % 2 else 0
        answer = 0.3 if high == opposite else 0.6
        if variant < 6 or turn % 5 != 4:  # some causes stay without their effect
            hours = 12 + lag + late
            yield observed(b, answer, day + step + hours // 24, hours % 24)
        yield observed(a, 0.8 if high else 0.4, day + step, 12)


def stuck(a: str, b: str, day: int, days: int, variant: int) -> Iterator[Told]:
    """One works every day and gets nowhere while the other is at work too."""
    for step in range(days):
        yield engaged(a, day + step, 8, impact=0.01 * (variant % 3))
        yield engaged(b, day + step, 9, impact=0.0)
        if step % 3 == variant % 3:
            yield evidence(a, b, "co_mention_session", day + step, 20)


def steady(a: str, b: str, day: int, days: int, variant: int) -> Iterator[Told]:
    """One is bright for long, the other dim."""
    for step in range(days):
        yield observed(a, 0.85, day + step, 7)
        if step % 2 == 0:
            yield observed(b, (0.35, 0.45, 0.2)[variant % 3], day + step, 7)


def building(a: str, b: str, day: int, days: int, variant: int) -> Iterator[Told]:
    """Strong evidence, day by day."""
    kinds = ("user_creates", "user_confirms", "tars_confirmed", "causation_detected")
    for step in range(min(days, 12)):
        yield evidence(a, b, kinds[(step + variant) % 4], day + step * (1 + variant % 3), 15 + variant % 4)


def burst(a: str, b: str, day: int, days: int, variant: int) -> Iterator[Told]:
    """Much in one day."""
    for step in range(min(days, 9)):
        yield evidence(a, b, EVIDENCE[(step * 3 + variant) % 7], day, 6 + step)
    yield engaged(a, day, 5, impact=0.05)
    yield engaged(a, day, 6.5, impact=0.04)
    if variant % 3 == 0:
        yield denied(a, b, day, 3)


def darkness(a: str, b: str, day: int, days: int, variant: int) -> Iterator[Told]:
    """One turns dark, and is disputed later."""
    if variant % 2:
        yield about(a, "dark_marked", day)
    else:
        for step in range(3):
            yield about(a, "contradicted", day + step)
    for step in range(0, days, 3):
        yield evidence(a, b, "user_confirms", day + step)
    if variant % 3:
        yield about(a, "dark_disputed", day + days)


def keeping_a_diary(a: str, b: str, day: int, days: int, variant: int) -> Iterator[Told]:
    """Values of both on most days, what was found in them week by week, and perhaps that it no longer holds."""
    for step in range(days):
        yield observed(a, wave(step, variant), day + step, 9)
        if step % 9 != variant % 9:
            yield observed(b, wave(step + 1, variant), day + step, 10)
    lag, r = variant % 3, 0.7 if variant % 4 else -0.7
    for step in range(3, days, (7, 5, 8)[variant % 3]):
        yield found(a, b, day + step, 21, r=r, lag=lag, ago=step % 3)
        if variant % 2:  # another copy found it too
            yield found(a, b, day + step + variant % 4, 22, r=r, lag=lag, ago=step % 3 + variant % 4)
    if variant > 5:
        yield found(a, b, day + days // 2, 23, r=r / 10, gone=True)


STORIES: tuple[Story, ...] = (
    together,
    against,
    after,
    stuck,
    steady,
    building,
    burst,
    darkness,
    keeping_a_diary,
)


@dataclass(frozen=True)
class Chosen:
    """Parameters by their difference to the seed's, so that a failure can be read."""

    preset: tuple[str, ...]
    overrides: Mapping[str, Setting]

    def build(self) -> ConnectionParameters:
        """Build the parameters."""
        return ConnectionParameters.build(self.preset, self.overrides)


# --- Hypothesis ----------------------------------------------------------------------------------------------

HOURS = st.integers(0, 23) | st.floats(0, 23.999, allow_nan=False).map(lambda hour: round(hour, 4))
TENTHS = st.integers(0, 20).map(lambda step: step / 20)
UNIT = TENTHS | st.floats(0, 1)
BRIGHT = UNIT.map(lambda value: max(0.05, value))


def stars_of(names: Sequence[str]) -> st.SearchStrategy[list[Told]]:
    """Every star is added; most at the start, some later than the first items about it."""
    return st.tuples(
        *[
            st.builds(
                star_added,
                st.just(name),
                st.sampled_from((0, 0, 0, 0, 3)),
                st.sampled_from((0.0, 0.0, 13.0)),
                st.sampled_from([None, *(word(domain) for domain in Domain)]),
            )
            for name in names
        ]
    ).map(list)


def loose_items(names: Sequence[str], span: int) -> st.SearchStrategy[Told]:
    """One item of any kind."""
    day, star = st.integers(0, span), st.sampled_from(names)
    pair = st.lists(star, min_size=2, max_size=2, unique=True)
    kind, way = st.sampled_from(list(LinkKind)), st.sampled_from(("a_to_b", "b_to_a"))
    return st.one_of(
        st.builds(about, star, st.sampled_from(STAR_ACTS[0:1] + STAR_ACTS[3:]), day, HOURS),
        st.builds(engaged, star, day, HOURS, UNIT),
        st.builds(observed, star, BRIGHT, day, HOURS),
        st.builds(lambda ends, *rest: evidence(*ends, *rest), pair, st.sampled_from(EVIDENCE), day, HOURS),
        st.builds(lambda ends, *rest: evidence(*ends, *rest), pair, st.sampled_from(EVIDENCE), day, HOURS),
        st.builds(
            lambda ends, *rest, **more: found(*ends, *rest, **more),
            pair,
            day,
            HOURS,
            r=st.sampled_from((0.9, 0.4, -0.5)),
            lag=st.integers(0, 2),
            ago=st.integers(0, 9),
            gone=st.booleans(),
        ),
        st.builds(lambda ends, *rest: denied(*ends, *rest), pair, day, HOURS),
        st.builds(lambda ends, *rest: type_assigned(*ends, *rest), pair, kind, day, HOURS, way),
        st.builds(mark, st.sampled_from(("discovery", "clock")), day, HOURS),
    )


def stories(names: Sequence[str], span: int) -> st.SearchStrategy[list[Told]]:
    """One run of items about two stars."""
    return st.builds(
        lambda story, ends, day, days, variant: list(story(*ends, day, days, variant)),
        st.sampled_from(STORIES),
        st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True),
        st.integers(0, max(0, span - 10)),
        st.integers(1, 45),
        st.integers(0, 9),
    )


@st.composite
def tellings(draw: st.DrawFn, *, most_days: int = 120, most_stories: int = 6) -> list[Told]:
    """Draw what is told of 2 to 7 nodes, one of which may be no star, over 1 to `most_days` days."""
    names = [f"n{number}" for number in range(draw(st.integers(2, 7)))]
    span = draw(st.sampled_from([each for each in (1, 2, 8, 30, 75, 120) if each <= most_days]))
    told = draw(stars_of(names[: draw(st.sampled_from((len(names), len(names), len(names) - 1)))]))
    for story in draw(st.lists(stories(names, span), max_size=most_stories)):
        told += story
    told += draw(st.lists(loose_items(names, span), max_size=40))
    told += [mark("clock", span)]
    return [each for each in told if each.day <= most_days]


def ledgers(*, most_days: int = 120, most_stories: int = 6) -> st.SearchStrategy[list[Item]]:
    """Draw a ledger, in the order of the fold."""
    return tellings(most_days=most_days, most_stories=most_stories).map(ledger_of)


@st.composite
def parameter_sets(draw: st.DrawFn) -> Chosen:
    """Draw the seed's numbers, the tuned ones, or either with a handful of others."""
    choices: dict[str, Sequence[Setting]] = {
        "excavation_days": (0, 1, 30),
        "influence_min_state": ("NASCENT", "FORMING", "STRONG"),
        "soft_cap": (1, 2),
        "freshness_days": (1, 20),
        "max_daily_strength_gain": (0.03, 0.6, 1.0),
        "evidence_half_life": (1, 5),
        "floor": (0.0, 0.3),
        "activity_days": (1, 30),
        "evidence_for_weak": (2,),
        "dormancy_nascent": (1, 2, 30),
        "dormancy_weak": (3,),
        "dormancy_basis": ("held",),
        "decay_shape": ("exponential",),
        "causation_spread": ("stdev",),
        "causation_pairing": ("next",),
        "denial_cost": (0.0, 0.5),
        "correlation_window": (10, 33),
        "engagement_days": (10, 33),
        "stuck_days": (1, 5),
        "high_engagement": (0.2,),
        "event_threshold": (0.05, 0.3),
        "min_causation_observations": (1,),
        "expectation_min_settled": (1, 3),
        "expectation_odds": (1.0,),
        "expectation_prior": (1.0,),
        "type_reevaluation_interval": (1,),
        "type_reevaluation_evidence": (1,),
        "prediction_tolerance": (0.0, 1.0),
        "predictions_kept": (1, 2),
        "discover_max_stars": (2,),
        "dark_intensity_cap": (1.0,),
        "hope_floor": (0.0,),
        "cap_step": (1.0,),
        "max_spillover_per_day": (0.005,),
        "max_drain_per_day": (0.002,),
        "resonance_spillover": (1.0,),
        "tension_drain": (1.0,),
        "shadow_drain_rate": (0.2,),
        "stable_days": (1,),
        "variance_weight": (1.0, 0.05),
        "star_dormancy_flickering": (2,),
        "nascent_archive_days": (2,),
    }
    preset = draw(st.sampled_from((("seed",), ("seed", "tuned"))))
    names = draw(st.lists(st.sampled_from(sorted(choices)), max_size=6, unique=True))
    overrides = {name: draw(st.sampled_from(choices[name])) for name in names}
    return Chosen(preset, overrides)


# --- fixed large ledgers -------------------------------------------------------------------------------------


def large_ledger(number: int, *, stars: int = 25, days: int = 400, items: int = 3000) -> list[Item]:
    """Make a ledger by chance of a given number: stories until there are enough items, and loose items between."""
    chance = random.Random(number)
    names = [f"n{each:02}" for each in range(stars)]
    told = [star_added(name, domain=word(Domain(place % len(Domain)))) for place, name in enumerate(names)]
    while len(told) < items:
        a, b = chance.sample(names, 2)
        day, variant = chance.randrange(days), chance.randrange(10)
        story = chance.choice((*STORIES, after, after))
        told += story(a, b, day, 50 if story is after else chance.randint(5, 45), variant)
        if variant % 2 or story is after:
            told += building(a, b, day + chance.randrange(12), 12, variant)
        for _ in range(3):
            told.append(_by_chance(chance, names, days))
    return ledger_of(each for each in told if each.day <= days)


def _by_chance(chance: random.Random, names: Sequence[str], days: int) -> Told:
    (a, b), day, hour = chance.sample(names, 2), chance.randrange(days), round(chance.uniform(0, 23.9), 3)
    kind = chance.randrange(12)
    if kind < 3:
        return evidence(a, b, chance.choice(EVIDENCE), day, hour)
    if kind < 5:
        return engaged(a, day, hour, impact=round(chance.uniform(0, 0.1), 3))
    if kind < 7:
        return observed(a, round(chance.uniform(0.05, 1), 2), day, hour)
    if kind == 7:
        return denied(a, b, day, hour)
    if kind == 8:
        return type_assigned(a, b, chance.choice(list(LinkKind)), day, hour, chance.choice(("a_to_b", "b_to_a")))
    if kind == 9:
        return mark("discovery", day, hour)
    return about(a, chance.choice(STAR_ACTS[0:1] + STAR_ACTS[3:]), day, hour)

"""The fold in arrays agrees with the plain fold, at the end of every day of any ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

import pytest
from hypothesis import given, settings

from asterism.core.connections import read
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.read_predictions import predictions
from asterism.core.connections.words import LinkKind, LinkState, StarState, word
from asterism.core.ledger.calendar import day_of, to_datetime
from asterism.core.ledger.items import Item
from asterism.core.ledger.parameters import Setting
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from tests.support.plain import PlainFold
from tests.support.strategies import (
    Chosen,
    Told,
    about,
    after,
    denied,
    engaged,
    evidence,
    large_ledger,
    ledger_of,
    mark,
    observed,
    parameter_sets,
    star_added,
    tellings,
    together,
    type_assigned,
)

NEAR = 1e-9
NEAR_ROUNDED = 2e-6  # of what is rounded to millionths: both may round a half their own way
SEED = ConnectionParameters.build()
TUNED = ConnectionParameters.build(("seed", "tuned"))
Facts = dict[str, object]
Numbers = tuple[float, float, float]  # confidence, base rate, probability
Prediction = tuple[datetime, str, str, int, Numbers, datetime, str, datetime | None, bool]


def facts_of_projection(projection: Projection) -> Facts:
    """Everything a reader can see, by name."""
    folded = projection.connections
    facts: Facts = {"dropped": predictions(folded).dropped}
    for star in read.stars(folded):
        facts[star.id] = (star.state, star.archived, star.days_stable, star.contradictions, star.connections)
        facts[f"{star.id}.numbers"] = [star.brightness, star.variance, star.boost, star.cap]
    ids = folded.nodes.ids
    for row in range(folded.graph.links.size):
        a, b = (ids[end] for end in (folded.graph.links.a[row], folded.graph.links.b[row]))
        link = read.link(folded, min(a, b), max(a, b))
        if link:
            counted = (link.evidence.raw, link.evidence.effective)
            facts[link.id] = (link.state, link.kind, link.direction, link.assigned, *counted)
            facts[f"{link.id}.numbers"] = [link.strength, link.confidence]
            facts[f"{link.id}.last"] = link.last_engaged
    told = [
        (p.made_at, p.link, p.star, p.sign, numbers, p.expected_at, p.outcome, p.resolved_at, p.told)
        for p in predictions(folded).items
        for numbers in [(p.confidence, p.base_rate, p.probability)]
    ]
    return facts | facts_of_predictions(told)


def facts_of_plain(plain: PlainFold) -> Facts:
    """The same, of the plain fold."""
    facts: Facts = {"dropped": plain.dropped}
    for name, star in plain.stars.items():
        count = plain.degree(name)
        facts[name] = (star.state.name, star.archived, star.days_stable, star.contradictions, count)
        facts[f"{name}.numbers"] = [star.brightness, star.variance, star.boost, star.cap]
    for (a, b), link in plain.links.items():
        if link.exists:
            direction = None if link.direction == "none" else link.direction
            counted = (link.raw, link.effective)
            facts[f"{a}~{b}"] = (link.state.name, word(link.kind), direction, link.assigned, *counted)
            facts[f"{a}~{b}.numbers"] = [link.strength, plain.confidence(link)]
            facts[f"{a}~{b}.last"] = to_datetime(link.times[-1])
    told = [
        (
            to_datetime(p.made_at),
            "~".join(p.pair),
            p.star,
            p.sign,
            (p.confidence, p.base_rate, p.probability),
            to_datetime(p.expected_at),
            p.outcome,
            None if p.resolved_at is None else to_datetime(p.resolved_at),
            p.told,
        )
        for p in plain.predictions
    ]
    return facts | facts_of_predictions(told)


def facts_of_predictions(told: Sequence[Prediction]) -> Facts:
    """Each prediction by its link, time and place among equals."""
    facts: Facts = {}
    places: Counter[str] = Counter()
    for made_at, link, star, sign, numbers, *rest in sorted(told, key=lambda each: each[:6]):
        name = f"prediction of {link} at {made_at:%m-%d %H:%M:%S.%f}"
        places[name] += 1
        facts[f"{name} {places[name]}"] = (star, sign, *rest)
        facts[f"{name} {places[name]}.numbers"] = list(numbers[:1])
        facts[f"{name} {places[name]}.rounded numbers"] = list(numbers[1:])
    return facts


def disagreements(projection: Projection, plain: PlainFold) -> list[str]:
    """What the two say differently."""
    of_arrays, of_plain = facts_of_projection(projection), facts_of_plain(plain)
    told = []
    for name in sorted(of_arrays.keys() | of_plain.keys()):
        one, two = of_arrays.get(name), of_plain.get(name)
        if name.endswith("numbers") and isinstance(one, list) and isinstance(two, list):
            near = NEAR_ROUNDED if name.endswith("rounded numbers") else NEAR
            same = all(abs(mine - other) <= near for mine, other in zip(one, two, strict=True))
        else:
            same = one == two
        if not same:
            told.append(f"{name}: arrays {one}, plain {two}")
    return told


def assert_agree(
    items: list[Item],
    parameters: ConnectionParameters,
    *,
    within_days: bool = False,
    reached: Counter[str] | None = None,
) -> None:
    """Fold both ways and compare at the end of every day, and inside the days if asked; count what was reached."""
    projection, plain = Projection(SpaceParameters(parameters)), PlainFold(parameters)
    first, last = day_of(items[0].at), day_of(items[-1].at)
    by_day: dict[int, list[Item]] = {}
    for item in items:
        by_day.setdefault(day_of(item.at), []).append(item)
    for day in range(first, last + 1):
        for item in by_day.get(day, []):
            projection.apply(item)
            plain.apply(item)
        if within_days and day in by_day:
            told = disagreements(projection, plain.now())
            assert told == [], f"within day {day - first}: " + "\n".join(told)
        projection.close_days(day + 1)
        plain.close_days(day + 1)
        told = disagreements(projection, plain)
        assert told == [], f"at the end of day {day - first}:\n" + "\n".join(told)
        if reached is not None:
            reached.update(what_is_there(plain))


def what_is_there(plain: PlainFold) -> Iterator[str]:
    """Name the states, kinds, outcomes and effects a fold shows."""
    for link in plain.links.values():
        if link.exists:
            yield f"link {link.state.name}"
        if link.alive:
            yield f"kind {link.kind.name}"
    for star in plain.stars.values():
        yield f"star {star.state.name}"
        if star.boost:
            yield "boost"
        if star.cap < 1:
            yield "cap"
    for prediction in plain.predictions:
        yield prediction.outcome
        if prediction.told:
            yield "told"


@settings(max_examples=25)
@given(tellings())
def test_the_seed_fold_agrees_with_the_plain_fold_at_the_end_of_every_day(told: list[Told]) -> None:
    assert_agree(ledger_of(told), SEED)


@settings(max_examples=35)
@given(tellings(), parameter_sets())
def test_the_fold_agrees_with_the_plain_fold_for_any_parameters(told: list[Told], chosen: Chosen) -> None:
    assert_agree(ledger_of(told), chosen.build())


@settings(max_examples=20)
@given(tellings(most_days=30), parameter_sets())
def test_the_open_day_shows_what_the_plain_fold_shows(told: list[Told], chosen: Chosen) -> None:
    assert_agree(ledger_of(told), chosen.build(), within_days=True)


STARS = [star_added("a"), star_added("b")]
LINKED = [*STARS, evidence("a", "b", "user_creates", 0)]
CORRELATED = [*STARS, *together("a", "b", 0, 8, 0), engaged("a", 5, 1), engaged("b", 5, 1)]
DENIED_TWICE = [denied("a", "b", 1), denied("a", "b", 2)]
BUILT = [evidence("a", "b", "user_creates", day) for day in range(4)]
BUSY = [star_added("c"), *(evidence("a", "c", "user_creates", day) for day in range(2))]
LOUD: dict[str, Setting] = {"influence_min_state": "NASCENT"}
NARROW: dict[str, tuple[list[Told], dict[str, Setting]]] = {
    "a star marked dark today drains from tomorrow on": (
        [*LINKED, observed("b", 0.8, 0), about("a", "dark_marked", 0)],
        LOUD,
    ),
    "a star disputed today still drains today": (
        [
            *LINKED,
            type_assigned("a", "b", LinkKind.SHADOW_MIRROR, 0),
            about("a", "dark_marked", 0),
            observed("b", 0.8, 0),
            about("a", "dark_disputed", 1),
        ],
        LOUD,
    ),
    "a second denial leaves the archive as it is": ([*LINKED, *DENIED_TWICE], {}),
    "a type of a dissolved link is not that of its next life": (
        [
            *LINKED,
            denied("a", "b", 1),
            type_assigned("a", "b", LinkKind.TENSION, 2),
            evidence("a", "b", "user_creates", 3),
        ],
        {},
    ),
    "a pair denied twice is not discovered": (
        [*CORRELATED, evidence("a", "b", "user_creates", 0), *DENIED_TWICE, mark("discovery", 9)],
        {},
    ),
    "a discovered link is looked at again a week later": (
        [*CORRELATED, mark("discovery", 9), *together("a", "b", 10, 12, 1)],
        {},
    ),
    "a discovered link with three more items is looked at that evening": (
        [
            *CORRELATED,
            *(evidence("a", "b", "co_mention_session", 9, hour) for hour in (1, 5, 20)),
            mark("discovery", 9),
        ],
        {},
    ),
    "a lone co-mention may be discovered": (
        [*CORRELATED, evidence("a", "b", "co_mention_session", 8), mark("discovery", 9)],
        {"excavation_days": 0},
    ),
    "a lone co-mention that was denied is not discovered": (
        [*CORRELATED, evidence("a", "b", "co_mention_session", 7), denied("a", "b", 8), mark("discovery", 9)],
        {"excavation_days": 0},
    ),
    "a discovered cause predicts from its first day": (
        [
            *STARS,
            *after("a", "b", 0, 28, 4),
            engaged("a", 20),
            engaged("b", 20),
            mark("discovery", 28),
            observed("a", 0.8, 28, 18),
        ],
        {**LOUD, "resonance_threshold": 1.0, "tension_threshold": -1.0},
    ),
    "a discovery leaves an assigned type alone": (
        [*CORRELATED, type_assigned("a", "b", LinkKind.TENSION, 8), mark("discovery", 9)],
        {},
    ),
    "a record that beats the base rate is told": (
        [
            *LINKED,
            type_assigned("a", "b", LinkKind.CAUSATION, 0),
            *after("a", "b", 0, 60, 7),
            *(evidence("a", "b", "user_creates", day) for day in range(7, 60, 7)),
        ],
        {**LOUD, "causation_pairing": "next", "expectation_min_settled": 3, "expectation_odds": 2.0},
    ),
    "the lag of the other direction predicts nothing": (
        [
            *LINKED,
            type_assigned("a", "b", LinkKind.CAUSATION, 0, to="b_to_a"),
            *after("a", "b", 0, 20, 4),
            evidence("a", "b", "user_creates", 7),
        ],
        {**LOUD, "causation_pairing": "next"},
    ),
    "a node that is no star blocks nothing": (
        [star_added("a"), *(engaged("a", day, 9, impact=0.0) for day in range(8))]
        + [evidence("a", "node", "user_creates", day) for day in range(8)],
        {"high_engagement": 0.2, "type_reevaluation_evidence": 1},
    ),
    "a node that is no star caps nothing": (
        [star_added("a"), observed("a", 0.9, 0), type_assigned("a", "node", LinkKind.BLOCKS, 0, to="b_to_a")]
        + [evidence("a", "node", "user_creates", day) for day in range(5)],
        {},
    ),
    "an acknowledgement does not wake a dormant star that was dark": (
        [star_added("a"), about("a", "dark_marked", 0), about("a", "acknowledged", 40)],
        {},
    ),
    "progress of exactly .05 is progress": (
        [*STARS, *(observed("b", 0.3 if day < 15 else 0.35, day, 1) for day in range(22))]
        + [engaged(star, day, 0.5, impact=0.0) for star in "ab" for day in range(22)]
        + [evidence("a", "b", "user_creates", 21)],
        {},
    ),
    "a denial today does not change how the day began for the soft cap": (
        [*CORRELATED, *BUSY, *BUILT, *(denied("a", "b", 9, hour) for hour in range(3))],
        {"soft_cap": 1, "type_reevaluation_interval": 1},
    ),
}


@pytest.mark.parametrize("fact", NARROW)
def test_the_narrow_places_agree(fact: str) -> None:
    told, overrides = NARROW[fact]
    assert_agree(ledger_of(told), ConnectionParameters.build("seed", overrides))


@pytest.mark.parametrize("parameters", [SEED, TUNED], ids=["seed", "tuned"])
def test_large_ledgers_agree_and_reach_every_state_kind_and_effect(parameters: ConnectionParameters) -> None:
    reached: Counter[str] = Counter()
    expected = {f"link {state.name}" for state in LinkState} | {f"kind {kind.name}" for kind in LinkKind}
    expected |= {f"star {state.name}" for state in StarState} | {"verified", "missed", "boost", "cap"}
    for number in range(3, 13):  # what one does not reach the next may: no formula is held to one lucky ledger
        assert_agree(large_ledger(number, stars=15, days=200, items=1_200), parameters, reached=reached)
        if expected <= reached.keys():
            return
    assert expected - reached.keys() == set()

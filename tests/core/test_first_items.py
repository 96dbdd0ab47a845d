"""A day's evidence folded together gives what it gives item by item, to the bit."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.connections.first_items import LinkDays
from asterism.core.connections.fold import Gain
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import EvidenceKind, word
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.items import Item, make_item
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, differences

STARS = [f"s{number:02d}" for number in range(12)]
KINDS = [word(kind) for kind in EvidenceKind]


def crowded(chance: random.Random, *, days: int) -> list[Item]:
    """A ledger with days of dozens of items on different pairs, some pairs twice, some denied, one star a hub."""
    told: list[tuple[str, int, dict[str, str | float]]] = [
        ("star_added", 0, {"star": star, "name": star, "domain": "soul"}) for star in STARS[:-1]
    ]
    for day in range(days):
        for _ in range(chance.choice([0, 3, 25, 60])):
            a, b = (
                sorted(chance.sample(STARS, 2))
                if chance.random() < 0.8
                else sorted((STARS[0], chance.choice(STARS[1:])))
            )
            at = day * MICROS_PER_DAY + chance.randrange(MICROS_PER_DAY)
            what = "denied" if chance.random() < 0.05 else "evidence"
            said: dict[str, str | float] = {"a": a, "b": b}
            if what == "evidence":
                said["kind"] = chance.choice(KINDS)
            told.append((what, at, said))
        if chance.random() < 0.5:
            told.append(("engaged", day * MICROS_PER_DAY + 5, {"star": chance.choice(STARS), "impact": 0.03}))
    items = [make_item(space="s", what=what, at=at, payload=payload, known_at=0) for what, at, payload in told]
    return sorted({item.id: item for item in items}.values(), key=lambda item: item.position)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from([{}, {"excavation_days": 0, "soft_cap": 3}, {"max_strength": 0.3}]))
def test_together_is_as_one_by_one(seed: int, overrides: dict[str, float]) -> None:
    chance = random.Random(seed)
    parameters = ConnectionParameters.build("seed", overrides)
    items = crowded(chance, days=chance.randrange(1, 40))
    alone, together = Projection(SpaceParameters(parameters)), Projection(SpaceParameters(parameters))
    gains = {item.id: gain for item in items if isinstance(gain := alone.apply(item), Gain)}
    cut = chance.randrange(len(items) + 1)
    found = together.apply_all(items[:cut])
    if chance.random() < 0.5:
        together = (
            together.copy() if chance.random() < 0.5 else Projection.load(together.dump(), SpaceParameters(parameters))
        )
    found |= together.apply_all(items[cut:])
    if chance.random() < 0.5:
        for projection in (alone, together):
            assert projection.day is not None
            projection.close_days(projection.day + 9)
    assert differences(alone.dump(), together.dump()) == []
    told = {item_id: done for item_id, done in found.items() if isinstance(done, Gain)}
    same = {item_id for item_id, gain in gains.items() if told[item_id][1:] == gain[1:]}
    assert same == gains.keys()


def test_a_day_that_was_never_touched_is_not_there() -> None:
    days = LinkDays()
    assert days.get(3) is None
    assert not days
    with pytest.raises(KeyError):
        days[3]


def test_a_star_woken_by_evidence_began_the_day_dormant_however_it_was_told() -> None:
    first = [
        make_item(
            space="s", what="star_added", at=0, payload={"star": star, "name": star, "domain": "soul"}, known_at=0
        )
        for star in STARS
    ]
    first += [
        make_item(space="s", what="brightness_observed", at=9, payload={"star": star, "value": 0.6}, known_at=0)
        for star in STARS
    ]
    noon = 15 * MICROS_PER_DAY + MICROS_PER_DAY // 2
    pairs = [(STARS[0], other) for other in STARS[1:]] + [(STARS[1], other) for other in STARS[2:]]
    told = [
        make_item(space="s", what="evidence", at=noon, payload={"a": a, "b": b, "kind": "user_creates"}, known_at=0)
        for a, b in pairs
    ]
    earlier = make_item(space="s", what="contradicted", at=noon - 9, payload={"star": STARS[0]}, known_at=0)
    columns = []
    for order in ([*told, earlier], [earlier, *told]):
        projection = Projection(SpaceParameters(ConnectionParameters()))
        projection.apply_all(sorted(first, key=lambda item: item.position))
        projection.apply_all(order)
        columns.append(projection.dump())
    alone = Projection(SpaceParameters(ConnectionParameters()))
    for item in [*sorted(first, key=lambda item: item.position), *told, earlier]:
        alone.apply(item)
    assert differences(columns[0], columns[1]) == []
    assert differences(columns[0], alone.dump()) == []

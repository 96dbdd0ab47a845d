"""A day's evidence folded together gives what it gives item by item, to the bit."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.connections.first_items import LinkDays
from asterism.core.connections.fold import Gain
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.items import make_item
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, differences
from tests.support.crowded import STARS, crowded


@settings(max_examples=15)
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

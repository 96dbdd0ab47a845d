"""The projection is a function of the set of items: order, batches, copies and readers leave no trace."""

from __future__ import annotations

import random
from itertools import groupby

from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.connections import read
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.read_predictions import predictions
from asterism.core.connections.words import LinkKind
from asterism.core.ledger.calendar import day_of
from asterism.core.ledger.columns import Columns
from asterism.core.ledger.items import Item
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, differences
from tests.support.strategies import (
    Chosen,
    Told,
    about,
    after,
    engaged,
    evidence,
    ledger_of,
    mark,
    parameter_sets,
    star_added,
    tellings,
    together,
    type_assigned,
)

SEED = ConnectionParameters.build()


def folded(items: list[Item], parameters: ConnectionParameters) -> Columns:
    """Fold in order, in one go."""
    projection = Projection(SpaceParameters(parameters))
    projection.apply_all(items)
    return projection.dump()


@settings(max_examples=15)
@given(tellings(most_days=75), parameter_sets(), st.randoms(use_true_random=False))
def test_any_order_of_arrival_within_a_day_gives_the_same_columns(
    told: list[Told], chosen: Chosen, chance: random.Random
) -> None:
    items, parameters = ledger_of(told), chosen.build()
    projection = Projection(SpaceParameters(parameters))
    for _, group in groupby(items, key=lambda item: day_of(item.at)):
        arrived = list(group)
        chance.shuffle(arrived)
        projection.apply_all(arrived)
    assert differences(projection.dump(), folded(items, parameters)) == []


def test_a_discovery_sees_nothing_of_its_own_day() -> None:
    before = ledger_of([star_added("a"), star_added("b"), *together("a", "b", 0, 8, 0)])
    before += ledger_of([engaged("a", 8), engaged("b", 8)])
    dark, discovery = about("a", "dark_marked", 9, 10).item(), mark("discovery", 9, 12).item()
    late = [*before, discovery, dark]
    assert differences(folded(late, SEED), folded([*before, dark, discovery], SEED)) == []


def test_the_predictions_that_are_dropped_do_not_depend_on_arrival() -> None:
    parameters = ConnectionParameters.build("seed", {"influence_min_state": "NASCENT", "predictions_kept": 1})
    stars = ledger_of(star_added(name) for name in "abc")
    first, second = (evidence("a", effect, "user_creates", 0).item() for effect in "bc")
    told = [type_assigned("a", effect, LinkKind.CAUSATION, 0, 13) for effect in "bc"]
    told += [evidence("a", effect, "user_creates", day) for effect in "bc" for day in (7, 14)]
    told += [each for effect in "bc" for each in after("a", effect, 0, 40, 4)]
    rest = ledger_of([*told, mark("clock", 50)])
    one, other = folded([*stars, first, second, *rest], parameters), folded([*stars, second, first, *rest], parameters)
    assert differences(one, other) == []


@settings(max_examples=15)
@given(tellings(most_days=75), parameter_sets(), st.randoms(use_true_random=False))
def test_a_projection_stored_or_copied_at_any_moment_goes_on_as_if_nothing_had_happened(
    told: list[Told], chosen: Chosen, chance: random.Random
) -> None:
    items, parameters = ledger_of(told), chosen.build()
    projection = Projection(SpaceParameters(parameters))
    for item in items:
        what = chance.randrange(6)
        if what == 0:
            dumped = projection.dump()
            projection = Projection.load(dumped, SpaceParameters(parameters))
            assert differences(projection.dump(), dumped) == []
        elif what == 1:
            projection = projection.copy()
        projection.apply(item)
    assert differences(projection.dump(), folded(items, parameters)) == []


@settings(max_examples=10)
@given(tellings(most_days=75), st.randoms(use_true_random=False))
def test_days_ended_one_by_one_or_by_the_next_item_are_the_same(told: list[Told], chance: random.Random) -> None:
    items = ledger_of(told)
    projection = Projection(SpaceParameters(SEED))
    for item in items:
        if projection.day is not None:
            projection.close_days(chance.randint(projection.day, day_of(item.at)))
        projection.apply(item)
    assert differences(projection.dump(), folded(items, SEED)) == []


@settings(max_examples=10)
@given(tellings(most_days=75), st.integers(0, 200), parameter_sets())
def test_a_copy_that_goes_on_leaves_the_original_as_it_was(told: list[Told], cut: int, chosen: Chosen) -> None:
    items, parameters = ledger_of(told), chosen.build()
    cut = min(cut, len(items))
    projection = Projection(SpaceParameters(parameters))
    projection.apply_all(items[:cut])
    before = projection.dump()
    ahead = projection.copy()
    ahead.apply_all(items[cut:])
    ahead.close_days(day_of(items[-1].at) + 40)
    assert differences(projection.dump(), before) == []
    projection.apply_all(items[cut:])
    assert differences(projection.dump(), folded(items, parameters)) == []


@settings(max_examples=10)
@given(tellings(most_days=30), parameter_sets())
def test_reading_changes_nothing(told: list[Told], chosen: Chosen) -> None:
    items, parameters = ledger_of(told), chosen.build()
    projection = Projection(SpaceParameters(parameters))
    for item in items:
        projection.apply(item)
        read_all(projection)
    assert differences(projection.dump(), folded(items, parameters)) == []


def read_all(projection: Projection) -> None:
    """Look at everything there is to see."""
    connections = projection.connections
    ids = connections.nodes.ids
    for name in ids:
        read.star(connections, name)
        read.links(connections, name)
    read.stars(connections)
    read.links(connections)
    if ids:
        read.link(connections, ids[0], ids[-1])
    predictions(connections)
    read.counts(connections)
    read.Look(connections)

"""Days on which nothing is said give the bits of ending each of them for every row, and cost what is awake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.connections.day import Graph
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.quiet import awake_in, take_out
from asterism.core.connections.words import LinkState
from asterism.core.ledger.calendar import day_of
from asterism.core.ledger.items import Item
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, differences
from tests.support.strategies import (
    Chosen,
    Told,
    after,
    evidence,
    large_ledger,
    ledger_of,
    observed,
    parameter_sets,
    star_added,
    tellings,
)
from tests.support.work import lines_run

YEAR = 365
SEED = ConnectionParameters.build()


def quick(items: Sequence[Item], parameters: ConnectionParameters = SEED) -> Projection:
    projection = Projection(SpaceParameters(parameters))
    projection.apply_all(items)
    return projection


def day_by_day(items: Sequence[Item], parameters: ConnectionParameters, until: int) -> Projection:
    """Fold items, ending one day after the other for every row: the plain twin."""
    plain = Projection(SpaceParameters(parameters))

    def end_days(until: int) -> None:
        while plain.day is not None and plain.day < until:
            plain.connections.close_day()
            plain.day += 1

    for day, same in groupby(items, key=lambda item: day_of(item.at)):
        end_days(day)
        plain.apply_all(list(same))
    end_days(until)
    return plain


def assert_equal(items: Sequence[Item], parameters: ConnectionParameters, *, idle: int) -> None:
    until = day_of(items[-1].at) + idle
    projection = quick(items, parameters)
    projection.close_days(until)
    assert differences(projection.dump(), day_by_day(items, parameters, until).dump()) == []


@st.composite
def gapped(draw: st.DrawFn) -> list[Told]:
    """Draw a ledger whose days lie apart: some by a day, some by weeks, some by months."""
    told = draw(tellings(most_days=30, most_stories=4))
    gaps = st.sampled_from((0, 0, 0, 0, 0, 0, 1, 3, 6, 7, 8, 13, 29, 30, 31, 40, 61, 64, 90, 200))
    later, moved = 0, {}
    for day in sorted({each.day for each in told}):
        later += draw(gaps)
        moved[day] = day + later
    return [replace(each, day=moved[each.day]) for each in told]


IDLE = st.sampled_from((1, 2, 7, 30, 45, 100, 400))


@settings(max_examples=25)
@given(gapped(), IDLE)
def test_gaps_give_the_bits_of_ending_every_day(told: list[Told], idle: int) -> None:
    assert_equal(ledger_of(told), SEED, idle=idle)


@settings(max_examples=40)
@given(gapped(), parameter_sets(), st.sampled_from(("seed", "granger")), IDLE)
def test_gaps_give_the_bits_of_ending_every_day_for_any_parameters(
    told: list[Told], chosen: Chosen, causality: str, idle: int
) -> None:
    chosen = replace(chosen, overrides={**chosen.overrides, "causality": causality})
    assert_equal(ledger_of(told), chosen.build(), idle=idle)


def test_a_busy_memory_gives_the_bits_of_ending_every_day_while_it_falls_asleep() -> None:
    assert_equal(large_ledger(3, stars=40, days=120, items=600), SEED, idle=2 * YEAR)


def test_predictions_are_missed_on_their_day_though_all_sleeps() -> None:
    told = [star_added("a"), star_added("b"), *after("a", "b", 0, 30, 0)]
    told += [evidence("a", "b", "user_creates", day) for day in range(25)]
    parameters = ConnectionParameters.build(
        ("seed", "tuned"), {"star_dormancy_flickering": 1, "dormancy_strong": 1, "dormancy_moderate": 1}
    )
    assert_equal(ledger_of(told), parameters, idle=30)


TWO_AND_A_LINK = [star_added("a"), star_added("b"), *(evidence("a", "b", "user_creates", day) for day in range(3))]


def test_a_century_costs_what_a_year_does() -> None:
    items = ledger_of(TWO_AND_A_LINK)
    year, century = quick(items), quick(items)
    last = day_of(items[-1].at)
    of_a_year = lines_run(lambda: year.close_days(last + YEAR))
    assert lines_run(lambda: century.close_days(last + 126 * YEAR)) < 1.1 * of_a_year


def test_what_sleeps_costs_nothing_while_something_is_awake() -> None:
    """A day's end runs over what is awake: links that sleep beside it are looked at once, however many days pass."""
    crowd = [evidence(f"n{place}", f"n{place + 1}", "user_creates", day) for day in range(2) for place in range(60)]
    awake = [star_added("a", 200), observed("a", 0.9, 200)]
    projection = quick(ledger_of([*crowd, *awake]))
    projection.close_days((projection.day or 0) + 1)
    folded = projection.connections
    assert set(folded.graph.links.trim().state.tolist()) == {LinkState.DORMANT}
    part = take_out(folded.graph, awake_in(folded.graph, folded.rules))
    assert (part.links.size, part.stars.size) == (0, 1)


class Seen:
    """Notes the strength of every link at every day's end."""

    def __init__(self) -> None:
        self.strengths: dict[int, list[float]] = {}
        self.ended = 0

    def after(self, stage: str, day: int, graph: Graph) -> None:
        if stage == "state":
            self.ended += 1
            self.strengths[day] = graph.links.trim().strength.tolist()

    def slept(self, day: int, until: int, graph: Graph) -> None:
        self.strengths |= dict.fromkeys(range(day, until), graph.links.trim().strength.tolist())


@pytest.mark.parametrize("idle", [5, 300])
def test_who_watches_sees_every_day_and_is_told_of_days_that_change_nothing_at_once(idle: int) -> None:
    items = ledger_of(TWO_AND_A_LINK)
    until = day_of(items[-1].at) + idle
    watched, seen = quick(items), Seen()
    watched.close_days(until, watch=seen)
    plain = day_by_day(items, SEED, day_of(items[-1].at))
    for day in range(day_of(items[-1].at), until):
        plain.connections.close_day()
        plain.day = day + 1
        assert seen.strengths[day] == plain.connections.graph.links.trim().strength.tolist()
    assert seen.ended <= 100
    assert differences(watched.dump(), plain.dump()) == []

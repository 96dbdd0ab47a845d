"""Days on which nothing is said give the bits of ending each of them for every row, and cost what is awake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.connections import read
from asterism.core.connections.day import Graph
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.quiet import awake_in, take_out
from asterism.core.connections.read_predictions import predictions
from asterism.core.connections.words import LinkState
from asterism.core.ledger.calendar import day_of
from asterism.core.ledger.items import Item
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, differences
from tests.support.story import followed
from tests.support.strategies import (
    Chosen,
    Told,
    about,
    after,
    evidence,
    large_ledger,
    ledger_of,
    observed,
    parameter_sets,
    star_added,
    tellings,
    together,
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


CROWD = [evidence(f"n{place}", f"n{place + 1}", "user_creates", day) for day in (0, 1) for place in range(40)]
SLEEPING_PAIR = [star_added("a"), star_added("b"), *(evidence("a", "b", "user_creates", day) for day in (0, 1))]
SEEN_WHILE_ASLEEP: dict[str, list[Told]] = {
    "correlated": [*together("a", "b", 20, 24, 0)],
    "caused": [*after("a", "b", 20, 24, 2)],
    "blocked": [evidence(star, "c", "user_confirms", day) for day in range(5, 44) for star in ("a", "b")],
    "dark": [about("a", "dark_marked", 43)],
}


@pytest.mark.parametrize("due_in", [44, 45, 50, 75])
@pytest.mark.parametrize("seen", SEEN_WHILE_ASLEEP)
def test_detection_looks_at_links_that_sleep_on_its_day_though_it_is_quiet(seen: str, due_in: int) -> None:
    changes = {"type_reevaluation_interval": due_in, "type_reevaluation_evidence": 1000}
    parameters = ConnectionParameters.build("seed", changes)
    items = ledger_of([*CROWD, *SLEEPING_PAIR, *SEEN_WHILE_ASLEEP[seen]])  # so many sleep that they are set aside
    assert_equal(items, parameters, idle=due_in)
    found = quick(items, parameters)
    found.close_days(day_of(items[0].at) + due_in + 1)
    link = read.link(found.connections, "a", "b")
    assert link is not None
    assert due_in > 50 or (link.kind, link.evidence.raw) != ("resonance", 2), "something was seen"


def test_a_prediction_is_missed_on_its_day_though_its_link_is_gone_and_all_sleeps() -> None:
    soon = {"star_dormancy_flickering": 1, "star_dormancy_dim": 1, "star_dormancy_bright": 1}
    story = followed(-1, influence_min_state="NASCENT", prediction_tolerance=1.0, **soon)
    story.end(28)
    story.observe("a", 0.7, 29, 12)
    story.end(29)
    story.set_link(state=3, strength=0.3)
    story.say("denied", 30, 5, a="a", b="b")
    story.end(30)
    folded = story.projection.connections
    assert [len(rows) for rows in awake_in(folded.graph, folded.rules)] == [0, 0]
    assert [each.outcome for each in predictions(folded).items if each.outcome == "open"] == ["open"]
    plain = story.projection.copy()
    story.projection.close_days(60)
    for day in range(31, 60):
        plain.connections.close_day()
        plain.day = day + 1
    assert differences(story.projection.dump(), plain.dump()) == []
    assert "open" not in [each.outcome for each in predictions(folded).items]


def test_links_that_are_set_aside_still_count_as_connections_of_their_ends() -> None:
    """A link that dissolves among awake ones has the connections of its ends counted, with those that sleep."""
    crowd = [evidence("a", f"n{place}", "user_creates", day) for day in (0, 1) for place in range(40)]
    items = ledger_of([star_added("a"), *crowd, evidence("a", "x", "user_creates", 60)])
    assert_equal(items, SEED, idle=30)
    projection = quick(items)
    projection.close_days(day_of(items[-1].at) + 30)
    star = read.star(projection.connections, "a")
    assert star is not None
    assert star.connections == 40


TWO_AND_A_LINK = [star_added("a"), star_added("b"), *(evidence("a", "b", "user_creates", day) for day in range(3))]


def test_a_century_costs_what_a_year_does() -> None:
    items = ledger_of(TWO_AND_A_LINK)
    year, century = quick(items), quick(items)
    last = day_of(items[-1].at)
    of_a_year = lines_run(lambda: year.close_days(last + YEAR))
    assert lines_run(lambda: century.close_days(last + 126 * YEAR)) < 1.1 * of_a_year


def test_what_sleeps_costs_nothing_while_something_is_awake() -> None:
    """A day's end runs over what is awake: links that sleep beside it are looked at once, however many days pass."""
    awake = [star_added("a", 200), observed("a", 0.9, 200)]
    projection = quick(ledger_of([*CROWD, *awake]))
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

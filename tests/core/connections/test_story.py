"""A link's story, told from what happened to it, is the one that a fold of everything shows who watches it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.connections.explain import LinkWatch, why_link, why_told
from asterism.core.connections.fold import Connections
from asterism.core.connections.story import KINDS, link_story
from asterism.core.connections.tables import NEVER
from asterism.core.connections.telling import LinkTelling
from asterism.core.connections.turns import MOST, Turn, Turns, let_go
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Why
from asterism.core.ledger.parameters import Setting
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from tests.support.strategies import (
    FIRST_DAY,
    Chosen,
    building,
    denied,
    evidence,
    large_ledger,
    ledger_of,
    ledgers,
    mark,
    parameter_sets,
    star_added,
)

EVENTFUL: dict[str, Setting] = {
    "soft_cap": 3,
    "min_causation_observations": 1,
    "prediction_tolerance": 1.0,
    "causation_spread": "stdev",
}
Ends = tuple[str, str]


class Watching:
    """Watches every pair of a ledger at once."""

    def __init__(self, folded: Connections, pairs: list[Ends]) -> None:
        self.each = {ends: LinkWatch(folded, *ends) for ends in pairs}

    def after(self, *seen: object) -> None:
        for watch in self.each.values():
            watch.after(*seen)  # type: ignore[arg-type]  # as it was called

    def slept(self, *seen: object) -> None:
        for watch in self.each.values():
            watch.slept(*seen)  # type: ignore[arg-type]  # as it was called


def pairs_of(folded: Connections) -> list[Ends]:
    links, ids = folded.graph.links.trim(), folded.nodes.ids
    return [(ids[a], ids[b]) for a, b in zip(links.a.tolist(), links.b.tolist(), strict=True)]


def watched(items: list[Item], rules: SpaceParameters) -> tuple[Connections, dict[Ends, Why | None]]:
    """Fold everything, and again with every pair watched."""
    plain = Projection(rules)
    plain.apply_all(items)
    pairs = pairs_of(plain.connections)
    again = Projection(rules)
    watch = Watching(again.connections, pairs)
    again.apply_all(items, watch=watch)
    assert again.day is not None
    return plain.connections, {ends: why_link(each, day=again.day) for ends, each in watch.each.items()}


def story_of(folded: Connections, ends: Ends, items: list[Item]) -> LinkTelling | None:
    return link_story(folded, ends, [item for item in items if item.what in KINDS])


def told(folded: Connections, ends: Ends, items: list[Item]) -> Why | None:
    telling = story_of(folded, ends, items)
    assert telling is not None, "the story did not arrive at the strength of the fold"
    assert folded.day is not None
    return why_told(folded, ends, telling, day=folded.day)


@settings(max_examples=25)
@given(ledgers(most_days=75), parameter_sets())
def test_every_story_is_the_one_that_is_watched(items: list[Item], chosen: Chosen) -> None:
    rules = SpaceParameters.build(chosen.preset, chosen.overrides)
    folded, seen = watched(items, rules)
    assert {ends: told(folded, ends, items) for ends in seen} == seen


@pytest.mark.parametrize("preset", ["seed", "tuned"])
def test_stories_of_a_year_with_everything_in_it_are_those_that_are_watched(preset: str) -> None:
    items = large_ledger(2, stars=10, days=200, items=800)
    rules = SpaceParameters.build(preset, EVENTFUL)
    folded, seen = watched(items, rules)
    assert set(folded.graph.turns.trim().turn.tolist()) == set(Turn)
    assert {ends: told(folded, ends, items) for ends in seen} == seen


def test_a_story_goes_on_after_a_checkpoint() -> None:
    items = large_ledger(5, stars=8, days=90, items=300)
    rules = SpaceParameters.build("seed")
    half = Projection(rules)
    half.apply_all(items[:150])
    loaded = Projection.load(half.dump(), rules)
    loaded.apply_all(items[150:])
    _, seen = watched(items, rules)
    assert {ends: told(loaded.connections, ends, items) for ends in seen} == seen


def test_years_of_sleep_are_passed_over() -> None:
    """A link that is dormant, and one that has dissolved, wake a year later."""
    items = ledger_of(
        [
            star_added("a"),
            star_added("b"),
            star_added("c"),
            *building("a", "b", 1, 12, 0),
            evidence("b", "c", "user_creates", 1),
            denied("a", "c", 2),
            *(each for day in (150, 350) for each in building("a", "b", day, 3, 1)),
            evidence("b", "c", "user_creates", 350),
            mark("clock", 355),
        ]
    )
    folded, seen = watched(items, SpaceParameters.build("seed"))
    assert {ends: told(folded, ends, items) for ends in seen} == seen


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9), st.integers(4, 30))
def test_of_too_many_turns_the_last_days_stay_and_how_a_link_was_found(a_day: list[int], most: int) -> None:
    turns = Turns()
    found = [(0, Turn.FOUND, 1.0), (0, Turn.FOUND_KIND, 3.0)]
    for day, turn, value in found:
        turns.note(np.array([0]), day, turn, value)
    for day, count in enumerate(a_day, start=1):
        turns.note(np.zeros(count, dtype=np.int32), day, Turn.CROWDED, np.full(count, 11.0))
    kept, since = let_go(turns, since=NEVER, most=most)
    assert kept.size <= most + len(found)
    assert (since == NEVER) == (turns.size <= most)
    assert kept.of(0) == [*found, *(each for each in turns.of(0)[len(found) :] if each[0] >= since)]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9), st.integers(4, 30))
def test_turns_that_are_let_go_of_day_by_day_are_those_let_go_of_at_once(a_day: list[int], most: int) -> None:
    once, daily, since = Turns(), Turns(), NEVER
    for day, count in enumerate(a_day, start=1):
        for turns in (once, daily):
            turns.note(np.zeros(count, dtype=np.int32), day, Turn.FOUND if day % 3 == 0 else Turn.KIND, float(day))
        daily, since = let_go(daily, since=since, most=most)
    kept, kept_since = let_go(once, since=NEVER, most=most)
    assert (daily.of(0), since) == (kept.of(0), kept_since)


def test_few_turns_all_stay() -> None:
    turns = Turns()
    turns.note(np.array([4]), 7, Turn.VERIFIED, 0.0)
    assert let_go(turns, since=3, most=1) == (turns, 3)
    assert turns.of(4) == [(7, Turn.VERIFIED, 0.0)]
    assert turns.of(5) == []


def test_a_memory_lets_go_of_turns_beyond_their_bound_as_days_end() -> None:
    projection = Projection(SpaceParameters.build("seed"))
    projection.apply_all(ledger_of([star_added("a"), star_added("b"), evidence("a", "b", "user_creates", 0)]))
    folded = projection.connections
    for day, count in ((FIRST_DAY - 9, MOST // 4 + 1), (FIRST_DAY - 8, MOST)):
        folded.graph.turns.note(np.zeros(count, dtype=np.int32), day, Turn.KIND, 0.0)
    projection.close_days(FIRST_DAY + 1)
    assert (folded.graph.turns.size, folded.graph.turns_from) == (MOST, FIRST_DAY - 8)


def test_a_story_that_begins_before_the_turns_that_are_kept_is_left_to_a_watch() -> None:
    items = ledger_of([star_added("a"), star_added("b"), *building("a", "b", 1, 5, 0), mark("clock", 9)])
    folded, seen = watched(items, SpaceParameters.build("seed"))
    folded.graph.turns_from = FIRST_DAY + 2
    assert [story_of(folded, ends, items) for ends in seen] == [None]


def test_a_story_that_does_not_arrive_at_the_strength_of_the_fold_is_left_to_a_watch() -> None:
    items = ledger_of([star_added("a"), star_added("b"), *building("a", "b", 1, 5, 0), mark("clock", 9)])
    folded, seen = watched(items, SpaceParameters.build("seed"))
    assert [story_of(folded, ends, items[:3]) for ends in seen] == [None]


def test_turns_are_kept_in_the_order_of_days() -> None:
    rules = SpaceParameters.build("seed")
    projection = Projection(rules)
    projection.apply_all(large_ledger(4, stars=10, days=60, items=200))
    days = projection.connections.graph.turns.trim().day.tolist()
    assert all(before <= after for before, after in pairwise(days))

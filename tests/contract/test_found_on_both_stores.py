"""What was found in told values, on both stores: erased with what it saw, merged in either order, seen as it was."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.support.memories import DAY, NOON, AnyMemory, HandClock, remembering
from tests.support.stores import STORES, Place, place_of

DAYS = 40


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


@pytest.fixture
def other_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Give another place of the same kind."""
    return place_of(request.node.callspec.params["place"], tmp_path, "other.db")


def keep_diary(memory: AnyMemory, *, days: int = DAYS, source: str = "phone") -> None:
    """Tell two stars that go together, up to today."""
    rows = []
    for day in range(days):
        sleep = 0.5 + 0.3 * math.sin(3.7 * day * day)
        mood = sleep + 0.1 * math.cos(1.3 * day * day)
        on = (NOON - (days - day) * DAY).date().isoformat()
        rows.append({"date": on, "sleep": round(sleep, 4), "mood": round(mood, 4)})
    memory.read_diary(rows, scales={"sleep": "0..1", "mood": "0..1"}, source=source)


def test_a_finding_goes_with_the_values_it_saw(place: Place) -> None:
    with remembering(place) as memory:
        keep_diary(memory)
        assert memory.discover().written == 1
        manifest = memory.erase("source:phone")
        assert manifest.items["evidence"] == 1
        assert {lost.what for lost in manifest.lost} >= {"evidence"}
        assert memory.links() == []
        assert memory.verify().ok
        assert memory.discover().stars == ()


def test_one_erased_value_takes_the_finding_and_the_next_look_finds_anew(place: Place) -> None:
    with remembering(place) as memory:
        keep_diary(memory)
        memory.set_brightness("sleep", 0.5, at=NOON - 5 * DAY, source="slip")
        memory.discover()
        assert memory.what_if(without="source:slip").items == {"brightness_observed": 1, "evidence": 1}
        memory.erase("source:slip")
        assert memory.links("sleep", "mood") == []
        assert memory.discover().written == 1
        assert memory.verify().ok


def test_a_finding_goes_with_either_star(place: Place) -> None:
    with remembering(place) as memory:
        keep_diary(memory)
        memory.discover()
        memory.erase("node:mood")
        assert memory.links() == []
        assert memory.verify().ok


@pytest.mark.parametrize("turned", [False, True])
def test_copies_that_both_found_it_are_equal_whoever_takes_in_whom(
    place: Place, other_place: Place, turned: bool
) -> None:
    clock = HandClock()
    with remembering(place) as one, remembering(other_place, clock=clock) as other:
        keep_diary(one)
        other.merge(one)
        clock.now += 2 * DAY
        for memory in (one, other):
            assert memory.discover().written == 1
        first, second = (other, one) if turned else (one, other)
        second.merge(first)
        first.merge(second)
        assert first.verify().digest == second.verify().digest
        (link,) = other.links("sleep", "mood")
        assert (link.evidence.raw, link.holds) == (1, True)


def test_before_it_was_found_it_was_not_there(place: Place) -> None:
    clock = HandClock()
    with remembering(place, clock=clock) as memory:
        keep_diary(memory)
        clock.now += DAY
        memory.discover()
        assert memory.links("sleep", "mood") != []
        assert memory.as_of(NOON).links() == []
        assert memory.as_of(clock.now).why("sleep", "mood").found is not None

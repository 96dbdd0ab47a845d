"""Getting ready in time: a deadline holds before walkers set out, and what was read once is not read again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from asterism import Memory
from asterism.core.dialogue.lines import Line
from asterism.embed import open_embedder
from asterism.engine.explore.ready import SECONDS_PER_TEXT
from asterism.engine.explore.run import Countdown, ExplorationTimeout
from asterism.engine.recall.recaller import recaller_of
from asterism.engine.space.vectors import AT_ONCE, VectorTable
from asterism.errors import AsterismError
from asterism.store.in_memory import InMemoryStore
from tests.support.exploring import Ticking, timed
from tests.support.memories import DAY, NOON, AnyMemory, is_told_well, remembering
from tests.support.stores import STORES, Place, place_of

TALK = 1_200
QUERY = "where did the water run?"


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A memory of some blocks and a long session."""
    place, chance = place_of(request.param, tmp_path), random.Random(5)
    words = ["water", "garden", "river", "well", "bucket", "gate", "lamp", "road", "stone", "bell"]
    with remembering(place, embedder=open_embedder("hashed")) as memory:  # told so, a reading keeps no vectors
        memory.learn_many([{"content": f"{number}: {' '.join(chance.choices(words, k=5))}"} for number in range(50)])
        said = [
            ("Ann", f"Why does the {chance.choice(words)} need the {chance.choice(words)} number {number}?")
            if number % 2
            else ("DM", f"Because the {chance.choice(words)} runs into the {chance.choice(words)}.")
            for number in range(TALK)
        ]
        memory.read_transcript(
            [Line(number, *each) for number, each in enumerate(said)], session="Dry", started_at=NOON - DAY
        )
    return place


def table(memory: AnyMemory) -> VectorTable:
    texts: VectorTable = memory._async._open().texts()  # how many texts were embedded here
    return texts


def test_vectors_that_a_walk_needed_are_kept_with_what_it_learnt(place: Place) -> None:
    with remembering(place) as memory:
        memory.explore(QUERY, learn=False)
        assert table(memory).embedded > TALK / 2
    with remembering(place) as memory:
        memory.explore(QUERY)
        assert table(memory).embedded > TALK / 2  # nothing was written before
        assert table(memory).made() == {}
    with remembering(place) as memory:
        memory.explore(QUERY, learn=False)
        recaller = recaller_of(memory._async._open())
        assert table(memory).embedded < 10  # the narratives it made
        assert recaller.indexed < 100  # the index was kept, too


def test_a_memory_that_was_just_opened_ends_in_time_and_says_where_it_went(place: Place) -> None:
    with remembering(place) as memory:
        timed(memory, Ticking())
        with pytest.raises(ExplorationTimeout) as late:
            memory.explore(QUERY, deadline=3)
        told = late.value
        assert is_told_well(told)
        assert (told.exploration.stop, told.exploration.steps, told.exploration.found) == ("deadline", 0, ())
        assert told.exploration.effects == {}
        assert "still being got ready (the ledger 1.00" in str(told)
        assert told.spent == {"the ledger": 1.0}
        assert table(memory).tick is None
        assert memory.explore(QUERY, deadline=86_400, learn=False).steps > 0  # with time, it is got ready


@pytest.mark.parametrize("looks", [2, 4, 6, 9, 12, 16])
def test_wherever_the_time_ends_nothing_is_written_and_it_goes_on_from_there(place: Place, looks: int) -> None:
    with remembering(place) as memory:
        version = memory._async._open().store.version("me")
        timed(memory, Ticking())
        with pytest.raises(ExplorationTimeout) as late:
            memory.explore(QUERY, deadline=looks)
        assert late.value.exploration.steps == 0
        assert memory._async._open().store.version("me") == version
        known = len(table(memory))
        found = memory.explore(QUERY, learn=False, deadline=86_400)
        assert table(memory).embedded <= len(table(memory))  # what was done is not done twice
        assert len(table(memory)) >= known
    with remembering(place) as memory:
        assert memory.explore(QUERY, learn=False, deadline=86_400).text() == found.text()


def test_portions_of_vectors_are_the_same_as_all_at_once() -> None:
    texts = [f"text {number}" for number in range(3 * AT_ONCE)]
    store, looks = InMemoryStore(), list[int]()
    at_once, portions = (VectorTable(store, "me", open_embedder("hashed")) for _ in range(2))
    portions.tick = lambda: looks.append(1)
    assert (at_once.of(texts) == portions.of(texts)).all()
    assert len(looks) >= 3
    assert at_once.made() == portions.made()


def test_a_text_that_is_embedded_anew_does_not_take_the_row_of_another() -> None:
    vectors = VectorTable(InMemoryStore(), "me", open_embedder("hashed"))
    fresh = VectorTable(InMemoryStore(), "me", open_embedder("hashed"))
    vectors.make_anew(["a", "b"])
    vectors.make_anew(["b", "c"])
    vectors.make_anew(["d"])
    assert (vectors.of(["a", "b", "c", "d"]) == fresh.of(["a", "b", "c", "d"])).all()


def test_the_clock_counts_what_each_part_took() -> None:
    clock = Countdown(60.0, clock=Ticking())
    for what in ("one", "two", "one"):
        with clock.spend(what):
            pass
    assert clock.spent == {"one": 2.0, "two": 1.0}
    with pytest.raises(AsterismError) as late, clock.spend("three"):
        clock.check(needed=100.0)
    assert "another 1e+02 at least" in str(late.value)
    assert set(clock.spent) == {"one", "two", "three"}


def test_what_would_take_longer_than_what_is_left_is_not_begun(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory.open_sync(path, space="me", clock=NOON, embedder="hashed") as memory:
        memory.learn_many([{"content": f"deploy {each} fails when cache {each % 31} is cold"} for each in range(200)])
    with Memory.open_sync(path, space="me", clock=NOON, embedder="hashed") as memory:
        timed(memory, lambda: 0.0)
        before = memory.stats().items
        with pytest.raises(ExplorationTimeout, match="still being got ready") as late:
            memory.explore("why do deploys fail?", deadline=199 * SECONDS_PER_TEXT)
        assert late.value.code == "deadline"
        assert table(memory).embedded == 0
        assert memory.stats().items == before
        assert memory.explore("why do deploys fail?", deadline=201 * SECONDS_PER_TEXT).steps > 0

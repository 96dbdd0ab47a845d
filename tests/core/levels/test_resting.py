"""Resting orders: episodes out of book events, the same however the events are cut into batches."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.levels.events import BOOK, PERSISTENCE, PRICE, Events
from asterism.core.levels.resting import SPARE, Resting, episode_number

FLOOR, EVERY = 100.0, 10.0
SECOND = 1_000_000

Told = tuple[float, int, float, float, int]  # seconds, side, price, usd, snapshot


def book(*told: Told) -> Events:
    """Make book events; a price of 0 makes a price event, which only moves time."""
    at, side, price, usd, snapshot = (np.array([each[field] for each in told]) for field in range(5))
    return Events.of(
        len(told),
        kind=np.where(price == 0, PRICE, BOOK),
        at=np.rint(at * SECOND).astype(np.int64),
        price=np.where(price == 0, 1.0, price),
        usd=usd,
        side=side,
        episode=snapshot,
    )


def tell(events: Events) -> list[tuple[float, int, float, float]]:
    """Give time, side, price and seconds of each persistence event."""
    assert (events.kind == PERSISTENCE).all()
    at = (events.at / SECOND).tolist()
    return list(zip(at, events.side.tolist(), events.price.tolist(), events.seconds.tolist(), strict=True))


def same(one: Events, other: Events) -> bool:
    return [column.tobytes() for column in one] == [column.tobytes() for column in other]


def test_an_episode_is_reported_each_period_and_at_its_end() -> None:
    resting = Resting(FLOOR, EVERY)
    assert tell(resting.take(book((0, 1, 50, 100, 0), (25, 1, 50, 99.9, 0)))) == [
        (10, 1, 50, 10),
        (20, 1, 50, 20),
        (25, 1, 50, 25),
    ]
    assert resting.open == 0


def test_an_end_at_the_time_of_a_report_is_reported_once() -> None:
    assert tell(Resting(FLOOR, EVERY).take(book((0, 1, 50, 500, 0), (20, 1, 50, 0, 0)))) == [
        (10, 1, 50, 10),
        (20, 1, 50, 20),
    ]


def test_a_change_above_the_floor_goes_on_and_one_below_begins_anew() -> None:
    events = Resting(FLOOR, EVERY).take(
        book((0, 2, 50, 500, 0), (5, 2, 50, 100, 0), (6, 2, 50, 0, 0), (7, 2, 50, 200, 0), (9, 2, 50, 0, 0))
    )
    assert tell(events) == [(6, 2, 50, 6), (9, 2, 50, 2)]
    assert events.episode.tolist() == [episode_number(2, 50.0, 0), episode_number(2, 50.0, 7 * SECOND)]
    assert (events.episode > 0).all()


def test_sides_and_prices_are_episodes_of_their_own() -> None:
    events = Resting(FLOOR, EVERY).take(
        book((0, 1, 50, 100, 0), (1, 2, 50, 100, 0), (2, 1, 51, 100, 0), (30, 1, 0, 0, 0))
    )
    assert [(at, side, price) for at, side, price, seconds in tell(events) if seconds == 10] == [
        (10, 1, 50),
        (11, 2, 50),
        (12, 1, 51),
    ]


def test_with_a_floor_of_nothing_a_removed_price_still_ends() -> None:
    assert tell(Resting(0.0, EVERY).take(book((0, 1, 50, 0.01, 0), (3, 1, 50, 0, 0)))) == [(3, 1, 50, 3)]


def test_time_passes_without_events() -> None:
    resting = Resting(FLOOR, EVERY)
    assert tell(resting.take(book((0, 1, 50, 500, 0)))) == []
    assert tell(resting.until(10 * SECOND)) == [(10, 1, 50, 10)]
    assert tell(resting.until(5 * SECOND)) == []
    assert tell(resting.take(Events.none())) == []


def test_a_snapshot_ends_what_it_does_not_have() -> None:
    resting = Resting(FLOOR, EVERY)
    resting.take(book((0, 1, 50, 500, 0), (0, 1, 49, 500, 0), (0, 2, 51, 500, 0), (0, 2, 52, 500, 0)))
    snapshot = book((4, 1, 50, 500, 7), (4, 2, 52, 50, 7), (4, 2, 53, 500, 7))
    assert tell(resting.take(snapshot)) == [(4, 2, 52, 4)]
    assert tell(resting.until(4 * SECOND)) == []  # more of it may come
    assert tell(resting.until(5 * SECOND)) == [(4, 1, 49, 4), (4, 2, 51, 4)]
    assert resting.open == 2


def test_a_change_at_the_time_of_a_snapshot_belongs_to_the_book() -> None:
    resting = Resting(FLOOR, EVERY)
    resting.take(book((0, 1, 50, 500, 0), (0, 1, 49, 500, 0), (4, 1, 48, 500, 7), (4, 1, 49, 300, 0)))
    assert tell(resting.until(5 * SECOND)) == [(4, 1, 50, 4)]


def test_a_snapshot_follows_another_at_the_same_time() -> None:
    told = Resting(FLOOR, EVERY).take(
        book((0, 1, 50, 500, 0), (4, 1, 49, 500, 7), (4, 1, 48, 500, 8), (6, 1, 48, 0, 0), (6, 1, 49, 0, 0))
    )
    assert tell(told) == [(4, 1, 50, 4), (6, 1, 48, 2)]


def test_a_silent_book_is_unknown() -> None:
    resting = Resting(FLOOR, EVERY, silence_seconds=25)
    assert [seconds for *_, seconds in tell(resting.take(book((0, 1, 50, 500, 0), (100, 1, 50, 500, 0))))] == [10, 20]
    assert (resting.open, resting.silences) == (1, 1)
    assert [seconds for *_, seconds in tell(resting.take(book((1000, 1, 0, 0, 0))))] == [10, 20]
    assert (resting.open, resting.silences) == (0, 2)


def test_what_is_too_much_is_counted() -> None:
    resting = Resting(FLOOR, EVERY, open_max=1)
    assert tell(resting.take(book((0, 1, 50, 500, 0), (1, 1, 51, 500, 0), (2, 1, 50, 0, 0), (3, 1, 51, 0, 0)))) == [
        (2, 1, 50, 2)
    ]
    assert (resting.open, resting.dropped) == (0, 1)


def test_a_late_change_is_taken_as_of_the_latest_time() -> None:
    resting = Resting(FLOOR, EVERY)
    assert tell(resting.take(book((0, 1, 50, 500, 0), (8, 1, 0, 0, 0), (3, 1, 50, 0, 0)))) == [(8, 1, 50, 8)]
    assert resting.late == 1


def test_flickering_prices_do_not_pile_up() -> None:
    resting = Resting(FLOOR, 86_400.0)
    on_off = [(step / 1000, 1, 50.0, 500.0 * (step % 2 == 0), 0) for step in range(6 * SPARE)]
    assert len(tell(resting.take(book(*on_off)))) == 3 * SPARE
    assert len(resting._queue) <= SPARE + 2


def test_events_of_other_kinds_stay_in_place() -> None:
    through = Resting(FLOOR, EVERY).through(
        book((0, 1, 50, 500, 0), (10, 1, 0, 0, 0), (12, 1, 0, 0, 0), (12, 1, 50, 0, 0), (12, 1, 0, 0, 0))
    )
    assert (through.at / SECOND).tolist() == [10, 10, 12, 12, 12]
    assert through.kind.tolist() == [PERSISTENCE, PRICE, PRICE, PERSISTENCE, PRICE]
    assert Resting(FLOOR, EVERY).through(book((0, 1, 50, 500, 0), (1, 1, 0, 0, 0))).kind.tolist() == [PRICE]


TOLD = st.lists(
    st.tuples(
        st.sampled_from((0.0, 0.0, 0.5, 3.0, 7.0, 10.0, 35.0)),  # seconds since the event before
        st.integers(0, 3),
        st.sampled_from((0.0, 50.0, 50.0, 51.0, 52.5)),
        st.sampled_from((0.0, 99.0, 100.0, 300.0, 300.0)),
        st.sampled_from((0, 0, 0, 5, 6)),
    ),
    max_size=60,
)


def in_time(told: list[Told]) -> Events:
    at = np.cumsum([step for step, *_ in told]).tolist()
    return book(*[(when, *rest) for when, (_, *rest) in zip(at, told, strict=True)])


def batches(events: Events, cuts: Iterable[int]) -> list[Events]:
    edges = [0, *sorted(cut % (events.size + 1) for cut in cuts), events.size]
    return [events.take(slice(first, last)) for first, last in pairwise(edges)]


@given(TOLD, st.lists(st.integers(0, 60), max_size=6), st.booleans())
def test_batches_do_not_matter(told: list[Told], cuts: list[int], saved: bool) -> None:
    events = in_time(told)
    whole = Resting(FLOOR, EVERY, silence_seconds=30, open_max=4)
    expected = whole.through(events)
    assert (np.diff(expected.at) >= 0).all()
    resting = Resting(FLOOR, EVERY, silence_seconds=30, open_max=4)
    parts = []
    for batch in batches(events, cuts):
        parts.append(resting.through(batch))
        if saved:
            resting = Resting(FLOOR, EVERY, silence_seconds=30, open_max=4).load(resting.dump())
    assert same(Events.join(parts), expected)
    assert {name: column.tolist() for name, column in resting.dump().items()} == {
        name: column.tolist() for name, column in whole.dump().items()
    }
    taken = Resting(FLOOR, EVERY, silence_seconds=30, open_max=4).take(events)
    assert same(taken, expected.take(expected.kind == PERSISTENCE))


def plain(events: Events, side: int, price: float) -> list[tuple[int, int, float, int]]:
    """Spell out what one price gives: time, side, price, microseconds."""
    rows = np.flatnonzero((events.side == side) & (events.price == price)).tolist()
    expected: list[tuple[int, int, float, int]] = []
    start: int | None = None
    for row in [*rows, None]:
        at = int(events.at[-1 if row is None else row])
        rests = row is not None and events.usd[row] >= FLOOR
        if start is not None and not rests:
            due = range(start + 10 * SECOND, at + 1, 10 * SECOND)
            expected += [(when, side, price, when - start) for when in due]
            if row is not None and at > start and at not in due:
                expected.append((at, side, price, at - start))
            start = None
        elif start is None and rests:
            start = at
    return expected


@given(TOLD.filter(bool))
def test_episodes_are_those_of_the_plain_rule(told: list[Told]) -> None:
    events = in_time([(step, side, price or 50.0, usd, 0) for step, side, price, usd, _ in told])
    expected = [each for side in range(4) for price in (50.0, 51.0, 52.5) for each in plain(events, side, price)]
    found = Resting(FLOOR, EVERY, silence_seconds=1e6).take(events)
    micros = np.rint(found.seconds * SECOND).astype(np.int64).tolist()
    got = zip(found.at.tolist(), found.side.tolist(), found.price.tolist(), micros, strict=True)
    assert sorted(got) == sorted(expected)


@pytest.mark.parametrize("start", [0, -5, 2**55])
def test_an_episode_is_numbered_by_what_it_is(start: int) -> None:
    numbers = {episode_number(side, price, start) for side in range(4) for price in (0.1, 50_000.0)}
    assert len(numbers) == 8
    assert all(0 < number < 2**63 for number in numbers)

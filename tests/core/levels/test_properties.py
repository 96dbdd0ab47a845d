"""What holds for every feed: numbers stay in bounds, reading changes nothing, batches and order do not matter."""

from __future__ import annotations

import random
from functools import reduce
from operator import add

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism import LevelBook
from asterism.core.ledger.columns import Columns
from asterism.core.levels.events import LIQUIDATION, PRICE, Events
from asterism.core.levels.model import FeedReport
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.plain import PlainBook
from asterism.core.levels.state import EVICTED, EXPIRED, HOUR, UNARCHIVED
from asterism.core.space.projection import differences
from tests.support.levels import SECOND, START, STEP, Chosen, Feed, Step, feed_of, parameter_sets

STEPS = st.lists(STEP, min_size=1, max_size=50)
CUTS = st.lists(st.integers(0, 10_000), max_size=5)
CHANCE = st.integers(0, 2**32)


def in_time(steps: list[Step], parameters: LevelParameters) -> Feed:
    """A feed of which nothing is late."""
    return feed_of([step._replace(late=False) for step in steps], parameters)


def book_of(chosen: Chosen, *, lateness: float) -> LevelBook:
    return LevelBook("X", preset=("seed", chosen.preset), parameters=chosen.overrides, lateness=lateness)


def dump(book: LevelBook) -> Columns:
    return book._ordered.dump()


def flushed(book: LevelBook) -> Columns:
    """The book with everything taken in; what is kept of the waiting left out."""
    return book._ordered.settled()


def columns_of(events: Events) -> dict[str, object]:
    """Events as a user would give them: columns, times in microseconds."""
    return dict(events._asdict())


@settings(max_examples=20)
@given(STEPS, parameter_sets())
def test_strength_and_confidence_stay_between_0_and_1(steps: list[Step], chosen: Chosen) -> None:
    parameters = chosen.build()
    book, feed = book_of(chosen, lateness=0), feed_of(steps, parameters)
    book.feed(feed.events)
    for seconds in (-1e6, 0, 1, 3_600, 1e6):
        for level in book.levels(at=book._ordered.latest / 1e6 + seconds, archived=True):
            assert 0.0 <= level.strength <= 1.0
            assert 0.0 <= level.confidence <= 1.0
            assert level.importance == level.strength * level.confidence
            assert level.active == (level.strength >= parameters.archive_threshold)
            assert level.side in ("bid", "ask", "both")


@settings(max_examples=20)
@given(STEPS, parameter_sets(), CUTS, st.sampled_from((0.0, 2.0)))
def test_reading_never_changes_anything(steps: list[Step], chosen: Chosen, cuts: list[int], lateness: float) -> None:
    feed = feed_of(steps, chosen.build())
    looked, unseen = book_of(chosen, lateness=lateness), book_of(chosen, lateness=lateness)
    for piece in feed.cut(cuts):
        looked.feed(piece.events)
        unseen.feed(piece.events)
        before = dump(looked)
        looked.levels(archived=True)
        looked.levels(at="2024-01-01", near=100.0, side="bid", min_strength=0.2)
        looked.nearest(100.0)
        looked.clusters()
        looked.gaps()
        looked.density()
        assert differences(dump(looked), before) == []
    assert differences(dump(looked), dump(unseen)) == []


@settings(max_examples=20)
@given(STEPS, parameter_sets(), CUTS, st.sampled_from((0.0, 2.0)))
def test_one_batch_or_many_give_the_same(steps: list[Step], chosen: Chosen, cuts: list[int], lateness: float) -> None:
    feed = feed_of(steps, chosen.build())
    whole, parts = book_of(chosen, lateness=lateness), book_of(chosen, lateness=lateness)
    whole.feed(feed.events)
    for piece in feed.cut(cuts):
        parts.feed(columns_of(piece.events), unit="us")
    assert differences(dump(whole), dump(parts)) == []


def shuffled(events: Events, within: int, number: int) -> Events:
    """Let each event arrive up to so many microseconds after its time."""
    chance = random.Random(number)
    arrival = events.at + np.array([chance.randrange(within) for _ in range(events.size)], dtype=np.int64)
    ties = np.array([chance.random() for _ in range(events.size)])
    return events.take(np.lexsort((ties, arrival)))


@settings(max_examples=20)
@given(STEPS, parameter_sets(), CHANCE)
def test_inside_lateness_the_order_of_arrival_does_not_matter(steps: list[Step], chosen: Chosen, number: int) -> None:
    feed = in_time(steps, chosen.build())
    ordered, mixed = book_of(chosen, lateness=2), book_of(chosen, lateness=2)
    first = ordered.feed(feed.events)
    second = mixed.feed(shuffled(feed.events, 2 * SECOND, number))
    assert (first.late, second.late) == (0, 0)
    assert differences(flushed(ordered), flushed(mixed)) == []


@settings(max_examples=20)
@given(STEPS, parameter_sets(), CHANCE, st.sampled_from((0.0, 2.0)))
def test_what_comes_later_than_lateness_is_late(
    steps: list[Step], chosen: Chosen, number: int, lateness: float
) -> None:
    events = shuffled(in_time(steps, chosen.build()).events, 20 * SECOND, number)
    report = book_of(chosen, lateness=lateness).feed(events)
    latest, late = int(events.at[0]), 0
    for at in events.at.tolist():
        late += at < latest - lateness * SECOND
        latest = max(latest, at)
    assert report.late == late


@settings(max_examples=20)
@given(STEPS, parameter_sets(), CUTS, CHANCE, st.sampled_from((0.0, 2.0)))
def test_every_row_is_used_late_malformed_or_waiting(
    steps: list[Step], chosen: Chosen, cuts: list[int], number: int, lateness: float
) -> None:
    feed = in_time(steps, chosen.build())
    events = shuffled(feed.events, 5 * SECOND, number)
    price = np.where(np.arange(events.size) % 5 == 3, -1.0, events.price)
    book, reports = book_of(chosen, lateness=lateness), list[FeedReport]()
    for piece in Feed(events._replace(price=price), feed.late).cut(cuts):
        reports.append(book.feed(piece.events))
    total = reduce(add, reports)
    assert total.used + total.late + total.malformed + total.waiting == events.size
    assert total.malformed == (price < 0).sum()


@settings(max_examples=20)
@given(STEPS, parameter_sets())
def test_every_place_is_kept_or_counted_as_dropped(steps: list[Step], chosen: Chosen) -> None:
    parameters = chosen.build()
    book, feed = PlainBook(parameters), feed_of(steps, parameters)
    for piece in feed.cut(range(0, 50, 5)):
        book.feed(*piece)
        assert len(book.pending) <= parameters.pending_max
        assert len(book.episodes) <= parameters.episodes_max
        assert book.levels <= parameters.levels_max
        gone = sum(book.drops[drop] for drop in (EXPIRED, EVICTED, UNARCHIVED))
        assert book.next_number == len(book.places) + gone
        assert book.levels + len(book.pending) == len(book.places)
        assert [(place.centre, place.number) for place in book.inside] == [
            (place.centre, place.number)
            for place in book.places.values()
            if abs(book.path - place.centre) <= place.centre * parameters.reach
        ]


@settings(max_examples=25)
@given(STEPS, parameter_sets())
def test_the_archive_is_bounded_on_the_hour(steps: list[Step], chosen: Chosen) -> None:
    parameters = chosen.build()
    book, feed = PlainBook(parameters), in_time(steps, parameters)
    book.feed(*feed)
    hour = (book.clock // HOUR + 1) * HOUR
    book.feed(Events.of(1, kind=PRICE, at=hour, price=1e50), np.zeros(1, dtype=np.bool_))
    archived = [
        place
        for place in book.places.values()
        if place.level and book._strength(place, hour) < parameters.archive_threshold
    ]
    assert len(archived) <= parameters.archive_max_levels


def test_what_is_dropped_is_reported_with_the_batch_that_dropped_it() -> None:
    bounds = {"pending_max": 2, "archive_max_levels": 1, "episodes_max": 1}
    book = LevelBook("X", parameters=bounds, lateness=0)
    small = [{"kind": "trade", "at": 0, "price": 10.0 + step, "usd": 1} for step in range(5)]
    assert book.feed(small).dropped == {"pending_dropped": 3}
    assert book.feed([{"kind": "price", "at": 4_000, "price": 1.0}]).dropped == {"pending_expired": 2}
    liquidated = [{"kind": "liquidation", "at": 4_000, "price": 20.0 + step} for step in range(4)]
    assert book.feed(liquidated).dropped == {}
    walls = [{"kind": "persistence", "at": 4_000, "price": 20.0, "seconds": 1, "episode": name} for name in "abc"]
    assert book.feed(walls).dropped == {"episodes_dropped": 2}
    report = book.feed([{"kind": "price", "at": 100_000, "price": 1.0}])
    assert report.dropped == {"archive_dropped": 3}
    assert str(report) == "X: 1 events used; archive dropped 3"
    assert [level.price for level in book.levels(archived=True)] == [20.0]  # archived last: the walls added to it


def test_a_late_fill_does_not_hide_that_the_price_has_left_since() -> None:
    book = LevelBook("X", parameters={"revisit": "left", "path": "all"}, lateness=0)
    book.feed([{"kind": "liquidation", "at": 0, "price": 100.0}, {"kind": "price", "at": 10, "price": 101.0}])
    assert book.feed([{"kind": "trade", "at": 5, "price": 100.0, "usd": 1}]).late == 1
    assert book.feed([{"kind": "trade", "at": 30, "price": 100.0, "usd": 1}]).held == 0
    assert book.feed([{"kind": "trade", "at": 31, "price": 100.0, "usd": 1}]).held == 1


def test_reports_of_several_batches_add_up() -> None:
    book = LevelBook("X", lateness=2)
    reports = [book.feed([{"kind": "liquidation", "at": at, "price": 5.0}, {"kind": "sale"}]) for at in (0, 10, 5, 11)]
    total = reduce(add, reports)
    assert (total.used, total.created, total.late, total.malformed, total.waiting) == (1, 1, 1, 4, 2)
    assert [bad.row for bad in total.bad_rows] == [1] * 4


def test_levels_beyond_the_most_are_refused_and_held_as_pending() -> None:
    book = LevelBook("X", parameters={"levels_max": 2}, lateness=0)
    report = book.feed([{"kind": "liquidation", "at": 0, "price": 20.0 + step} for step in range(5)])
    assert (report.created, report.refused) == (2, 3)
    assert len(book.levels(at=0)) == 2


def test_decay_in_one_look_is_decay_in_a_thousand() -> None:
    looked, unseen = (LevelBook("X", lateness=0) for _ in range(2))
    for book in (looked, unseen):
        book.feed(Events.of(1, kind=LIQUIDATION, at=START, price=5.0))
    for second in range(1_000):
        looked.levels(at=START / 1e6 + second)
    assert looked.levels(at=START / 1e6 + 1_000) == unseen.levels(at=START / 1e6 + 1_000)

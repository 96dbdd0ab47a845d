"""The reorder buffer, the book behind it, and the parameters it is built with."""

from __future__ import annotations

import random
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import asterism.core.levels
from asterism.core.levels.events import LIQUIDATION, PRICE, TRADE, Events
from asterism.core.levels.kernel_book import KernelBook
from asterism.core.levels.ordered import OrderedBook, compiled, expect_many
from asterism.core.levels.ordering import Ready, Waiting
from asterism.core.levels.parameters import TOLERANCE, LevelParameters
from asterism.core.levels.plain import PlainBook
from asterism.core.levels.state import NEVER
from asterism.core.space.projection import differences
from tests.support.levels import START, feed_of, steps_by_chance

SEED = LevelParameters()
TWO_SECONDS = 2_000_000


def at(*seconds: float) -> Events:
    """Prices at some seconds; each price is its place in the call, from 1."""
    times = np.array([round(each * 1e6) for each in seconds], dtype=np.int64)
    return Events.of(len(seconds), kind=PRICE, at=times, price=np.arange(1.0, len(seconds) + 1))


def said(ready: Ready) -> list[tuple[float, bool]]:
    return list(zip((ready.events.at / 1e6).tolist(), ready.late.tolist(), strict=True))


# The buffer


def test_an_event_waits_until_time_is_more_than_lateness_ahead() -> None:
    waiting = Waiting()
    assert said(waiting.take(at(10, 9, 11.9), TWO_SECONDS)) == [(9, False)]
    assert said(waiting.take(at(12.1), TWO_SECONDS)) == [(10, False)]
    assert waiting.events.size == 2
    assert said(waiting.flush()) == [(11.9, False), (12.1, False)]
    assert waiting.events.size == 0


def test_what_comes_after_its_time_has_gone_by_is_late_and_taken_at_once() -> None:
    waiting = Waiting()
    assert said(waiting.take(at(10, 20, 7, 18, 17.9), TWO_SECONDS)) == [(10, False), (7, True), (17.9, True)]
    assert said(waiting.take(at(8), TWO_SECONDS)) == [(8, True)]


def test_after_a_flush_what_is_before_the_latest_is_late() -> None:
    waiting = Waiting()
    waiting.take(at(10), TWO_SECONDS)
    waiting.flush()
    assert said(waiting.take(at(9.5, 10), TWO_SECONDS)) == [(9.5, True)]


def test_without_lateness_nothing_waits_and_nothing_is_moved() -> None:
    waiting = Waiting()
    assert said(waiting.take(at(1, 3, 2, 3, 4), 0)) == [(1, False), (3, False), (2, True), (3, False), (4, False)]
    waiting.take(at(6), TWO_SECONDS)
    assert said(waiting.take(at(5, 7), 0)) == [(6, False), (5, True), (7, False)]  # what waited comes first


def test_nothing_arriving_changes_nothing() -> None:
    waiting = Waiting()
    waiting.take(at(5), TWO_SECONDS)
    assert said(waiting.take(Events.none(), 0)) == []
    assert (waiting.events.size, waiting.latest, waiting.passed) == (1, 5_000_000, 3_000_000)
    assert Waiting().passed == NEVER


def test_ties_are_broken_by_id_and_then_by_content() -> None:
    events = Events.of(4, kind=PRICE, at=5, price=np.array([4.0, 3.0, 2.0, 1.0]), id=np.array([2, 1, 2, 0]))
    waiting = Waiting()
    waiting.take(events, TWO_SECONDS)
    assert waiting.flush().events.price.tolist() == [1.0, 3.0, 2.0, 4.0]


def test_when_too_many_wait_the_first_half_goes_before_its_turn() -> None:
    waiting = Waiting(most=4)
    ready = waiting.take(at(3, 1, 4, 2, 1.5, 5), 60 * TWO_SECONDS)
    assert said(ready) == [(1, False), (2, False), (1.5, True)]
    assert (waiting.hurried, waiting.passed, waiting.events.size) == (2, 2_000_000, 3)


@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from((0, 1, 3, 100)), st.lists(st.integers(0, 40)))
def test_one_batch_or_many_come_out_alike_however_few_may_wait(
    number: int, most: int, lateness: int, cuts: list[int]
) -> None:
    chance = random.Random(number)
    times = np.array([second + chance.randrange(6) for second in range(40)])
    events = Events.of(
        40, kind=PRICE, at=times, price=np.arange(1.0, 41.0), id=np.array(chance.choices(range(3), k=40))
    )
    whole, parts = Waiting(most=most), Waiting(most=most)
    expected = whole.take(events, lateness)
    ends = sorted({0, 40, *cuts})
    got = [parts.take(events.take(slice(start, end)), lateness) for start, end in pairwise(ends)]
    assert differences(Events.join([each.events for each in got])._asdict(), expected.events._asdict()) == []
    assert np.concatenate([each.late for each in got]).tolist() == expected.late.tolist()
    assert differences(whole.events._asdict(), parts.events._asdict()) == []
    assert (whole.latest, whole.passed, whole.hurried) == (parts.latest, parts.passed, parts.hurried)


# The book behind it


def trades(size: int, *, gap: int = 100_000) -> Events:
    """Fills on a slow wave of prices."""
    steps = np.arange(size)
    return Events.of(
        size,
        kind=np.where(steps % 7, TRADE, PRICE),
        at=START + gap * steps,
        price=np.round(100 + 3 * np.sin(steps / 40), 2),
        usd=np.round(900 * np.abs(np.cos(steps)), 2),
        side=1 + steps % 2,
    )


def test_many_events_are_fed_to_the_compiled_book_with_the_same_result() -> None:
    events = trades(2_500)
    few, many = OrderedBook(SEED), OrderedBook(SEED)
    for start in range(0, 1_500, 100):
        few.take(events.take(slice(start, start + 100)), lateness=0)
    assert isinstance(few._book, PlainBook)
    few = OrderedBook.load(few.dump(), SEED)
    few.take(events.take(slice(1_500, None)), lateness=0)
    many.take(events, lateness=0)
    assert isinstance(few._book, PlainBook)
    assert isinstance(many._book, KernelBook)
    assert differences(few.dump(), many.dump()) == []


def test_without_the_compiler_the_plain_book_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    events, expected = trades(2_500), OrderedBook(SEED)
    expected.take(events, lateness=0)
    monkeypatch.setitem(sys.modules, "numba", None)
    for name in ("kernel", "kernel_tables", "kernel_places", "kernel_path", "kernel_book"):
        monkeypatch.delitem(sys.modules, f"asterism.core.levels.{name}")
        monkeypatch.delattr(asterism.core.levels, name)
    monkeypatch.delitem(sys.modules, "asterism.core.ledger.compiling")
    book = OrderedBook(SEED)
    book.take(events, lateness=0)
    assert isinstance(book._book, PlainBook)
    assert compiled(book._book) is book._book
    assert differences(book.dump(), expected.dump()) == []


def test_without_the_compiler_loaded_a_small_batch_does_not_load_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numba")
    book = OrderedBook(SEED)
    book.take(trades(2_500), lateness=0)
    assert isinstance(book._book, PlainBook)


@pytest.mark.parametrize("number", range(6))
def test_a_loaded_book_goes_on_as_if_nothing_had_happened(number: int) -> None:
    feed = feed_of(steps_by_chance(number, 300, late=False), SEED)
    parts = [piece.events for piece in feed.cut((50, 51, 120))]
    whole, loaded = OrderedBook(SEED), OrderedBook(SEED)
    for part in parts:
        whole.take(part, lateness=TWO_SECONDS)
        loaded = OrderedBook.load(loaded.dump(), SEED)
        assert loaded.drops() == OrderedBook.load(loaded.dump(), SEED).drops()
        loaded.take(part, lateness=TWO_SECONDS)
    assert differences(loaded.dump(), whole.dump()) == []
    assert (loaded.latest, loaded.drops()) == (whole.latest, whole.drops())


def test_a_copy_goes_its_own_way() -> None:
    book = OrderedBook(SEED)
    book.take(trades(50), lateness=TWO_SECONDS)
    before = book.dump()
    copied = book.copy()
    copied.take(trades(90), lateness=0)
    assert differences(book.dump(), before) == []
    assert differences(copied.dump(), before) != []


def test_settled_shows_what_waits_and_leaves_it_waiting() -> None:
    book = OrderedBook(SEED)
    book.take(Events.of(1, kind=LIQUIDATION, at=0, price=5.0), lateness=TWO_SECONDS)
    before = book.dump()
    assert (len(book.columns["number"]), book.waiting.events.size) == (0, 1)
    assert book.settled()["centre"].tolist() == [5.0]
    assert differences(book.dump(), before) == []
    book.flush()
    assert book.settled() is book.columns
    assert book.flush(log=True).fed.log is None  # nothing waited


def test_a_batch_says_how_many_were_late() -> None:
    taken = OrderedBook(SEED).take(at(5, 1, 2, 6), lateness=0, log=True)
    assert (taken.late, taken.ready.events.size) == (2, 4)


def test_what_could_not_wait_is_counted_among_the_drops() -> None:
    book = OrderedBook(SEED)
    book.waiting.most = 4
    book.take(at(1, 2, 3, 4), lateness=60 * TWO_SECONDS)
    assert book.drops() == {
        "pending_expired": 0,
        "pending_dropped": 0,
        "episodes_dropped": 0,
        "archive_dropped": 0,
        "hurried": 2,
    }


# Parameters


def test_a_band_reaches_half_its_width_and_liquidations_reach_further() -> None:
    assert SEED.reach == pytest.approx(5e-4 + TOLERANCE)
    assert SEED.liquidation_reach == pytest.approx(5e-4 + TOLERANCE)
    near = LevelParameters.build(overrides={"liquidation_proximity_bps": 30})
    assert [near.reach, near.liquidation_reach] == pytest.approx([5e-4 + TOLERANCE, 3e-3 + TOLERANCE])
    wide = LevelParameters.build(overrides={"band_bps": 1000})
    assert wide.reach == wide.liquidation_reach == pytest.approx(0.05 + TOLERANCE)


def test_presets_differ_from_the_seed_in_what_they_say() -> None:
    for preset, changed in LevelParameters.presets.items():
        built, seed = LevelParameters.build(preset).to_dict(), SEED.to_dict()
        assert {name: value for name, value in built.items() if value != seed[name]} == dict(changed)


def test_the_compiler_can_be_asked_for_ahead_of_many_events(monkeypatch: pytest.MonkeyPatch) -> None:
    assert expect_many()
    monkeypatch.setitem(sys.modules, "asterism.core.levels.kernel_book", None)
    assert not expect_many()

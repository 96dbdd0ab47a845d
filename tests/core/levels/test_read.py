"""Reading a book whose every number was worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from asterism import LevelBook
from asterism.core.levels import read
from asterism.core.levels.model import Level
from asterism.errors import InputError

FIVE_TENTHS_GONE = 9_801  # seconds after which .5 is below .01


@pytest.fixture(scope="module")
def book() -> LevelBook:
    """Four levels at once: 100 and 100.2 are 20 bps apart, the others further."""
    made = LevelBook("X", lateness=0)
    made.feed(
        [
            {"kind": "trade", "at": 0, "price": 100.0, "usd": 2_000, "side": "bid"},  # .4 + .05 x 2
            {"kind": "liquidation", "at": 0, "price": 100.2, "side": "ask"},  # .3 + .05
            {"kind": "persistence", "at": 0, "price": 101.0, "seconds": 30},  # .3 + .01 x 30
            {"kind": "liquidation", "at": 0, "price": 99.0, "n": 4},  # .3 + .05 x 4
            {"kind": "trade", "at": 0, "price": 98.0, "usd": 10},  # pending: no level
        ]
    )
    return made


def prices(found: list[Level]) -> list[float]:
    return [level.price for level in found]


def test_levels_come_strongest_first_and_the_older_of_equals_before_the_younger(book: LevelBook) -> None:
    assert [(level.price, level.strength) for level in book.levels(at=0)] == [
        (101.0, pytest.approx(0.6)),
        (100.0, 0.5),
        (99.0, 0.5),
        (100.2, pytest.approx(0.35)),
    ]


def test_a_level_says_all_about_itself(book: LevelBook) -> None:
    level = next(each for each in book.levels(at=1_000) if each.price == 100.0)
    assert (level.id, level.symbol, level.side, level.reason, level.active) == (
        "X@100.0",
        "X",
        "bid",
        "execution",
        True,
    )
    assert (level.interactions, level.visits, level.rejections, level.breaks, level.volume) == (1, 0, 0, 0, 2_000.0)
    numbers = [level.band, level.strength, level.confidence, level.importance]
    assert numbers == pytest.approx([0.1, 0.45, 0.7, 0.315])
    assert level.first_seen == level.last_seen == datetime(1970, 1, 1, tzinfo=UTC)
    assert level.to_dict()["last_seen"] == "1970-01-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("near", "within_bps", "found"),
    [
        (100.0, 20, [100.0, 100.2]),  # both ends included
        (100.0, 19.9, [100.0]),
        (100.0, None, [100.0]),  # a band's width
        (100.1, None, [100.0, 100.2]),
        (100.0, 0, [100.0]),
        (100, 150, [101.0, 100.0, 99.0, 100.2]),
        (50.0, 20, []),
    ],
)
def test_levels_near_a_price(book: LevelBook, near: float, within_bps: float | None, found: list[float]) -> None:
    assert prices(book.levels(at=0, near=near, within_bps=within_bps)) == found


def test_levels_of_some_strength(book: LevelBook) -> None:
    assert prices(book.levels(at=0, min_strength=0.5)) == [101.0, 100.0, 99.0]
    assert prices(book.levels(at=1, min_strength=0.5)) == [101.0]


def test_levels_of_a_side_include_those_of_both(book: LevelBook) -> None:
    assert prices(book.levels(at=0, side="bid")) == [101.0, 100.0, 99.0]
    assert prices(book.levels(at=0, side="ask")) == [101.0, 99.0, 100.2]
    assert prices(book.levels(at=0, side="both")) == [101.0, 99.0]


def test_archived_levels_are_given_when_asked_for(book: LevelBook) -> None:
    assert prices(book.levels(at=FIVE_TENTHS_GONE)) == [101.0]
    found = book.levels(at=FIVE_TENTHS_GONE, archived=True)
    assert [(level.price, level.active) for level in found] == [
        (101.0, True),
        (100.0, False),
        (99.0, False),
        (100.2, False),
    ]
    assert book.levels(at=10_001, archived=True)[0].strength == 0.0


def test_before_it_was_seen_a_level_is_not_there(book: LevelBook) -> None:
    assert book.levels(at=0) == book.levels() != []
    assert book.levels(at=-500) == []


@pytest.mark.parametrize("at", [1_000, 1_000.0, "1970-01-01T00:16:40Z", datetime(1970, 1, 1, 0, 16, 40, tzinfo=UTC)])
def test_a_time_may_be_seconds_or_a_moment(book: LevelBook, at: float | str | datetime) -> None:
    assert book.levels(at=at)[0].strength == pytest.approx(0.54)


def test_an_empty_book_remembers_nothing() -> None:
    book = LevelBook("X")
    assert (book.levels(), book.clusters(), book.gaps(), book.density()) == ([], [], [], [])
    assert (book.nearest(5.0).below, book.nearest(5.0).above) == ((), ())


def test_the_nearest_are_given_below_and_above(book: LevelBook) -> None:
    near = book.nearest(100.1, at=0)
    assert prices(list(near.below)) == [100.0, 99.0]
    assert prices(list(near.above)) == [100.2, 101.0]
    one = book.nearest(100.0, 1, at=0)
    assert (prices(list(one.below)), prices(list(one.above))) == ([100.0], [100.2])  # at the price itself: below


def test_clusters_join_neighbours_up_to_the_gap(book: LevelBook) -> None:
    first, middle, last = book.clusters(at=0)
    assert (first.low, first.high, first.levels, first.price) == (99.0, 99.0, 1, 99.0)
    assert (middle.low, middle.high, middle.levels, middle.strongest) == (100.0, 100.2, 2, "X@100.0")
    assert middle.strength == pytest.approx(0.85)
    assert middle.price == pytest.approx((100.0 * 0.5 + 100.2 * 0.35) / 0.85)
    assert last.price == 101.0
    assert len(book.clusters(at=0, gap_bps=19.9)) == 4
    (whole,) = book.clusters(at=0, gap_bps=102)
    assert (whole.levels, whole.strongest) == (4, "X@101.0")


def test_a_cluster_of_no_strength_lies_at_its_lowest_price(book: LevelBook) -> None:
    faded = book.levels(at=20_000, archived=True)
    (cluster,) = read.clusters(faded, 102)
    assert (cluster.price, cluster.strength) == (99.0, 0.0)


def test_gaps_lie_between_clusters(book: LevelBook) -> None:
    lower, upper = book.gaps(at=0)
    assert (lower.low, lower.high, upper.low, upper.high) == (99.0, 100.0, 100.2, 101.0)
    assert [lower.bps, upper.bps] == pytest.approx([1e4 / 99, 8e3 / 100.2])
    assert book.gaps(at=0, gap_bps=102) == []


def test_density_adds_up_levels_and_strength_in_equal_steps(book: LevelBook) -> None:
    assert [(part.low, part.high, part.levels, part.strength) for part in book.density(bins=2, at=0)] == [
        (99.0, 100.0, 1, 0.5),
        (100.0, 101.0, 3, pytest.approx(1.45)),
    ]
    assert sum(part.levels for part in book.density(at=0)) == 4


def test_the_density_of_a_single_level_is_one_step_of_its_bands_width(book: LevelBook) -> None:
    (level,) = book.levels(at=FIVE_TENTHS_GONE)
    (part,) = book.density(bins=3, at=FIVE_TENTHS_GONE)
    assert (part.low, part.high) == pytest.approx((101.0 - 0.0505, 101.0 + 0.0505))  # 10 bps of 101
    assert (part.levels, part.strength) == (1, level.strength)


BAD: dict[str, tuple[str, Callable[[LevelBook], object]]] = {
    "near is no number": ("bad_price", lambda book: book.levels(near="x")),  # type: ignore[arg-type]
    "near is not above 0": ("bad_price", lambda book: book.levels(near=0.0)),
    "near is NaN": ("bad_price", lambda book: book.levels(near=math.nan)),
    "near is True": ("bad_price", lambda book: book.levels(near=True)),
    "near is too large to compute with": ("bad_price", lambda book: book.levels(near=10**400)),
    "within_bps without near": ("bad_price", lambda book: book.levels(within_bps=5)),
    "within_bps is no number": ("bad_number", lambda book: book.levels(near=1.0, within_bps="x")),  # type: ignore[arg-type]
    "within_bps is below 0": ("bad_number", lambda book: book.levels(near=1.0, within_bps=-1)),
    "min_strength is no number": ("bad_number", lambda book: book.levels(min_strength=None)),  # type: ignore[arg-type]
    "min_strength is NaN": ("bad_number", lambda book: book.levels(min_strength=math.nan)),
    "side is unknown": ("bad_side", lambda book: book.levels(side="buy")),
    "side is empty": ("bad_side", lambda book: book.levels(side="")),
    "side is a list": ("bad_side", lambda book: book.levels(side=["bid"])),  # type: ignore[arg-type]
    "at is no time": ("bad_time", lambda book: book.levels(at="soon")),
    "at is NaN": ("bad_time", lambda book: book.levels(at=math.nan)),
    "at is of another unit": ("bad_time", lambda book: book.levels(at=1.7e12)),
    "at has no time zone": ("naive_time", lambda book: book.levels(at="2024-02-12T12:00:00")),
    "nearest to nothing": ("bad_price", lambda book: book.nearest(-1.0)),
    "n is 0": ("bad_count", lambda book: book.nearest(1.0, 0)),
    "n is no whole number": ("bad_count", lambda book: book.nearest(1.0, 2.5)),  # type: ignore[arg-type]
    "gap_bps is below 0": ("bad_number", lambda book: book.clusters(gap_bps=-1)),
    "gap_bps is no number": ("bad_number", lambda book: book.gaps(gap_bps="x")),  # type: ignore[arg-type]
    "bins is 0": ("bad_count", lambda book: book.density(bins=0)),
    "bins is True": ("bad_count", lambda book: book.density(bins=True)),
    "no symbol": ("bad_text", lambda _: LevelBook("")),
    "no parameters": ("bad_parameters", lambda _: LevelBook("X", parameters=5)),  # type: ignore[arg-type]
    "an unknown parameter": ("bad_parameters", lambda _: LevelBook("X", parameters={"bands": 5})),
    "lateness is below 0": ("bad_parameters", lambda _: LevelBook("X", lateness=-1)),
    "an unknown preset": ("unknown_preset", lambda _: LevelBook("X", preset="best")),
}


@pytest.mark.parametrize("fact", BAD)
def test_bad_arguments_are_input_errors(book: LevelBook, fact: str) -> None:
    code, call = BAD[fact]
    with pytest.raises(InputError) as caught:
        call(book)
    assert caught.value.code == code
    assert caught.value.hint

"""Every worked number of spec 02, and the examples of seed 001."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from asterism import LevelBook
from asterism.core.levels.events import Event
from asterism.core.levels.model import Level

PRICE = 50_000.0
D6 = {"revisit": "left", "path": "all"}  # a fill counts once a visit, and moves the price path


def event(kind: str, at: float, *, price: float = PRICE, **details: object) -> dict[str, object]:
    return {"kind": kind, "at": at, "price": price} | details


def fed(
    events: Iterable[Event], *, preset: str | tuple[str, ...] = "seed", parameters: dict[str, str] | None = None
) -> LevelBook:
    book = LevelBook("BTC", preset=preset, parameters=parameters, lateness=0.0)
    book.feed(list(events))
    return book


def only(book: LevelBook, at: float, *, archived: bool = False) -> Level:
    (level,) = book.levels(at=at, archived=archived)
    return level


@pytest.mark.parametrize(
    ("evidence", "strength", "confidence", "reason"),
    [
        (event("persistence", 0, seconds=30), 0.6, 0.6, "persistence"),
        (event("trade", 0, usd=5_000), 0.65, 0.7, "execution"),
        (event("liquidation", 0, n=4), 0.5, 0.5, "liquidation"),
        (event("liquidation", 0), 0.35, 0.5, "liquidation"),
        (event("rejection", 0, n=6), 0.4, 0.8, "rejection"),
        (event("persistence", 0, seconds=10), 0.4, 0.6, "persistence"),
        (event("trade", 0, usd=1_000), 0.45, 0.7, "execution"),
        (event("persistence", 0, seconds=1_000), 1.0, 0.6, "persistence"),
        (event("trade", 0, usd=1e6), 1.0, 0.7, "execution"),
        (event("liquidation", 0, n=99), 1.0, 0.5, "liquidation"),
        (event("rejection", 0, n=99), 0.4, 1.0, "rejection"),
    ],
)
def test_what_each_kind_makes(evidence: Event, strength: float, confidence: float, reason: str) -> None:
    level = only(fed([evidence]), 0)
    assert (level.strength, level.confidence) == pytest.approx((strength, confidence))
    assert level.reason == reason
    assert level.importance == pytest.approx(strength * confidence)


@pytest.mark.parametrize(
    "evidence",
    [event("persistence", 0, seconds=9.99), event("trade", 0, usd=999), event("rejection", 0, n=2)],
)
def test_too_little_makes_no_level_but_is_held(evidence: Event) -> None:
    book = LevelBook("BTC", lateness=0)
    report = book.feed([evidence])
    assert (report.pending, report.created, book.levels(at=0)) == (1, 0, [])


def test_a_thousand_seconds_take_a_tenth() -> None:
    book = fed([event("persistence", 0, seconds=20)])
    assert only(book, 0).strength == pytest.approx(0.5)
    assert only(book, 1_000).strength == pytest.approx(0.45)


def test_the_worked_sequence_settles_before_each_boost() -> None:
    book = LevelBook("BTC", lateness=0)
    steps = [
        (event("persistence", 0, seconds=10), 0.4),
        (event("trade", 15, usd=3_000), 0.4994),
        (event("liquidation", 30), 0.598651),
    ]
    for evidence, strength in steps:
        book.feed([evidence])
        assert only(book, float(str(evidence["at"]))).strength == pytest.approx(strength, abs=5e-7)
    assert only(book, 100).strength == pytest.approx(0.594460, abs=5e-7)
    book.feed([event("trade", 120, usd=2_000)])
    level = only(book, 120)
    assert level.strength == pytest.approx(0.693263, abs=5e-7)
    assert (level.confidence, level.interactions, level.volume) == (0.6, 4, 5_000.0)


def test_the_second_worked_sequence() -> None:
    book = fed([event("persistence", 30, seconds=30)])
    assert only(book, 100).strength == pytest.approx(0.5958)
    book.feed([event("trade", 120, usd=500)])
    assert only(book, 120).strength == pytest.approx(0.6946)


def test_four_single_liquidations_are_worth_more_than_one_item_of_four() -> None:
    book = fed(event("liquidation", second) for second in range(4))
    assert only(book, 3).strength == pytest.approx(0.35 + 3 * 0.1, abs=2e-4)
    assert only(book, 3).strength < 0.65
    rule3 = fed((event("liquidation", second) for second in range(4)), preset=("seed", "rule3"))
    assert only(rule3, 3).strength == pytest.approx(0.35 + 3 * 0.05, abs=2e-4)


def test_an_archived_level_is_resurrected_by_two_tenths() -> None:
    book = fed([event("liquidation", 0, n=4)])
    assert only(book, 9_799).active
    assert book.levels(at=9_801) == []
    assert not only(book, 9_801, archived=True).active
    report = book.feed([event("trade", 9_900, usd=10)])
    level = only(book, 9_900)
    assert report.resurrected == 1
    assert level.strength == pytest.approx(0.5 * 0.01 + 0.2)
    assert level.reason == "liquidation"


def test_resurrection_after_full_decay_starts_from_nothing() -> None:
    book = fed([event("liquidation", 0), event("liquidation", 20_000)])
    assert only(book, 20_000).strength == pytest.approx(0.2)


def test_ten_small_fills_make_what_one_large_one_makes() -> None:
    book = fed(event("trade", second, usd=100) for second in range(10))
    level = only(book, 9)
    assert (level.strength, level.volume, level.interactions) == pytest.approx((0.45, 1_000.0, 10))
    assert level.first_seen.timestamp() == 0


def test_a_growing_episode_is_one_item() -> None:
    growing = [event("persistence", at, seconds=at, episode="wall") for at in (5, 10, 20, 40)]
    book = fed(growing)
    level = only(book, 40)
    assert (level.strength, level.interactions) == pytest.approx((0.7, 1))
    book.feed([event("persistence", 50, seconds=2, episode="another")])
    assert only(book, 50).strength == pytest.approx(0.7 * (1 - 1e-4 * 10) + 0.1)


def test_six_visits_turned_back_give_confidence_of_eight_tenths() -> None:
    path = [49_900.0, *([50_000.0, 49_900.0] * 6)]
    book = fed(event("price", at, price=price) for at, price in enumerate(path))
    found = {level.price: level for level in book.levels()}
    level = found[50_000.0]
    assert (level.visits, level.rejections, level.breaks) == (6, 6, 0)
    assert level.confidence == pytest.approx(0.8)
    assert (level.reason, level.side) == ("rejection", "ask")


def test_a_break_starts_the_count_again() -> None:
    path = [49_900.0, 50_000.0, 49_900.0, 50_000.0, 49_900.0, 50_000.0, 49_900.0, 50_000.0, 50_100.0]
    book = fed(event("price", at, price=price) for at, price in enumerate(path))
    level = next(level for level in book.levels() if level.price == 50_000.0)
    assert (level.visits, level.rejections, level.breaks) == (0, 3, 1)


def test_matching_takes_the_band_both_ends_included_then_the_nearest_then_the_older() -> None:
    book = fed([event("liquidation", 0, price=3.0)])
    assert (
        book.feed([event("trade", 1, price=3.0015, usd=5_000), event("trade", 1, price=2.9985, usd=5_000)]).boosted == 2
    )
    assert book.feed([event("trade", 2, price=3.0016, usd=5_000)]).created == 1
    assert book.feed([event("trade", 3, price=3.0007, usd=1)]).boosted == 1  # 3.0 is nearer than 3.0016
    found = {level.price: level.interactions for level in book.levels()}
    assert found == {3.0: 4, 3.0016: 1}


def test_side_is_of_the_creating_evidence_and_both_after_the_other() -> None:
    book = fed([event("trade", 0, usd=5_000, side="bid")])
    assert only(book, 0).side == "bid"
    book.feed([event("trade", 1, usd=5, side="ask")])
    assert only(book, 1).side == "both"


def test_once_a_visit_counts_a_burst_inside_one_visit_once_and_all_its_volume() -> None:
    burst = [event("trade", 0, usd=5_000), *(event("trade", 1, usd=700) for _ in range(5))]
    level = only(fed(burst, parameters=D6), 1)
    assert (level.strength, level.volume) == pytest.approx((0.65 * (1 - 1e-4), 8_500.0))
    back = [*burst, event("price", 2, price=51_000.0), event("trade", 3, usd=700)]
    levels = {each.price: each.strength for each in fed(back, parameters=D6).levels(at=3)}
    assert levels[PRICE] == pytest.approx(0.65 * (1 - 3e-4) + 0.1)


def test_one_look_or_a_thousand_give_the_same_number() -> None:
    looked, unseen = fed([event("liquidation", 0)]), fed([event("liquidation", 0)])
    for second in range(1_000):
        looked.levels(at=second)
    assert looked.levels(at=3_600) == unseen.levels(at=3_600)
    assert only(unseen, 3_600).strength == pytest.approx(0.35 * (1 - 0.36))


def test_what_is_later_than_lateness_adds_at_the_anchor_and_is_counted() -> None:
    book = LevelBook("BTC")  # a stream: two seconds
    book.feed([event("liquidation", 0, n=4), event("trade", 100, price=60_000.0, usd=5_000)])
    report = book.feed([event("trade", 50, usd=250)])
    assert (report.late, report.boosted) == (1, 1)
    level = next(level for level in book.levels(at=0) if level.price == PRICE)
    assert (level.strength, level.volume) == pytest.approx((0.6, 250.0))
    assert level.last_seen.timestamp() == 0
    assert book.feed([event("trade", 50, price=70_000.0, usd=9_999)]).unmatched == 1

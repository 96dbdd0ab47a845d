"""The fold of market batches: the books are a function of the set of batches, whatever the order they came in."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.calendar import LATEST
from asterism.core.ledger.columns import Columns
from asterism.core.ledger.graph import Stale
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.core.levels.events import BOOK
from asterism.core.levels.fold import (
    MOST_COUNTED,
    MOST_LATE,
    Levels,
    MarketBatch,
    check_batch,
    check_symbol,
    folded,
    of_symbol,
)
from asterism.core.levels.parameters import LevelParameters
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, differences
from asterism.errors import CorruptError, InputError
from tests.support.batches import (
    PRICES,
    START,
    Row,
    Sent,
    events,
    files,
    item_of,
    items_of,
    lanes,
    price,
    trade,
    turns,
    when,
)

SEED = LevelParameters()
MICROS = 1_000_000


def taken(items: Sequence[Item], *, all_of_them: Sequence[Item] | None = None) -> Levels:
    """Apply items as they come, and fold anew what that makes stale."""
    levels = Levels(SEED)
    for item in items:
        levels.apply(item)
    settle(levels, all_of_them or items)
    return levels


def settle(levels: Levels, items: Sequence[Item]) -> None:
    for name in sorted(levels.stale):
        levels.refold(name, in_order(items))


def in_order(items: Sequence[Item]) -> list[Item]:
    return sorted(items, key=lambda item: item.position)


@st.composite
def arrivals(draw: st.DrawFn) -> list[Item]:
    """Draw the items of some lanes, as they come in."""
    waiting = [items_of(lane) for lane in draw(lanes())]
    return [waiting[lane].pop(0) for lane in draw(turns(map(len, waiting)))]


@settings(max_examples=100)
@given(arrivals(), st.data())
def test_the_books_are_a_function_of_the_set_of_batches(items: list[Item], data: st.DataObject) -> None:
    """Whether they are dumped and loaded, or folded anew, on the way or not."""
    levels = Levels(SEED)
    for number, item in enumerate(items):
        levels.apply(item)
        pause = data.draw(st.sampled_from(("", "", "settle", "copy", "load")))
        if pause:
            settle(levels, items[: number + 1])
        if pause in ("copy", "load"):
            levels = levels.copy() if pause == "copy" else Levels.load(levels.dump(), SEED)
    settle(levels, items)
    assert differences(levels.dump(), taken(in_order(items)).dump()) == []


NEAR = st.lists(st.builds(trade, st.integers(0, 16).map(lambda half: half / 2), PRICES), min_size=1, max_size=3)


@settings(max_examples=60)
@given(
    st.lists(
        st.builds(Sent, NEAR, st.just("X"), st.none(), st.sampled_from((2, 2, 2, 2, 1, 0))), min_size=2, max_size=8
    )
)
def test_batches_of_streams_that_overlap_may_come_in_any_order(told: list[Sent]) -> None:
    items = list({item.id: item for item in map(item_of, told)}.values())
    assert differences(taken(items).dump(), taken(in_order(items)).dump()) == []


@settings(max_examples=25)
@given(files(), st.lists(st.integers(0, 8), max_size=3))
def test_a_file_gives_the_same_levels_in_one_batch_or_many(lane: list[Sent], places: list[int]) -> None:
    """Also where many of its events have one time, or go back in time."""
    rows = [row for sent in lane for row in sent.rows]
    whole = [Sent(rows, lane[0].symbol, "file", 0)]
    (one,), (many,) = (list(taken(items_of(each)).symbols.values()) for each in (whole, lane))
    assert differences(one.book.dump(), many.book.dump()) == []
    assert (one.events, one.late, one.reached("file").offset) == (many.events, many.late, many.reached("file").offset)


def book_of(levels: Levels) -> Columns:
    return levels.symbols["X"].book.dump()


def test_disorder_inside_the_lateness_needs_no_new_fold() -> None:
    chance = random.Random(1)
    rows = [trade(second / 4, 100 + second % 7) for second in range(400)]
    jittered = sorted(rows, key=lambda row: when(row) + chance.uniform(0, 1.9))
    items = [item_of(Sent([row])) for row in jittered]
    levels = Levels(SEED)
    assert all(levels.apply(item) is not None for item in items)
    assert levels.symbols["X"].late == 0
    assert differences(levels.dump(), taken(in_order(items)).dump()) == []


NOT_IN_TURN: dict[str, tuple[Sent, Sent]] = {
    "its events are late": (Sent([trade(100)]), Sent([trade(97)])),
    "it makes late what came before it": (Sent([trade(95), trade(100)]), Sent([trade(99)])),
    "it waits longer": (Sent([trade(100)]), Sent([trade(99)], lateness=5)),
    "it does not wait": (Sent([trade(100)]), Sent([trade(99)], lateness=0)),
    "the other did not wait": (Sent([trade(100)], lateness=0), Sent([trade(99.9), trade(100)])),
    "nothing waits": (Sent([trade(90)], lateness=0), Sent([trade(90, 101.0)], lateness=0)),
    "it has a source": (Sent([trade(100), trade(100)], source="file"), Sent([trade(99)], source="file")),
}


@pytest.mark.parametrize("why", NOT_IN_TURN)
def test_a_batch_whose_place_matters_makes_its_symbol_stale(why: str) -> None:
    later, earlier = NOT_IN_TURN[why]
    before = item_of(Sent([trade(80, 110.0)], lateness=0 if why == "nothing waits" else 2))
    items = [before, item_of(later, first=1), item_of(earlier)]
    if items[1].position < items[2].position:  # of one time: the id decides
        items[1:] = reversed(items[1:])
    levels = Levels(SEED)
    assert levels.apply(items[0]) is not None
    assert levels.apply(items[1]) is not None
    assert levels.apply(items[2]) is None
    assert levels.stale == {"X"}
    settle(levels, items)
    assert levels.stale == set()
    assert differences(levels.dump(), taken(in_order(items)).dump()) == []


def test_what_a_loaded_book_does_not_know_of_its_batches_makes_it_stale() -> None:
    levels = Levels.load(taken([item_of(Sent([trade(100)]))]).dump(), SEED)
    assert levels.apply(item_of(Sent([trade(99)]))) is None


def test_where_so_many_wait_that_they_may_have_to_hurry_the_place_matters() -> None:
    levels = Levels(SEED)
    levels.apply(item_of(Sent([trade(90)])))
    levels.symbols["X"].book.waiting.most = 7
    levels.apply(item_of(Sent([trade(100), trade(100, 101.0)])))
    assert levels.apply(item_of(Sent([trade(99)]))) is None


def test_a_stale_symbol_stays_so_until_it_is_folded_anew_and_knows_its_sources() -> None:
    lane = [Sent([trade(1)], source="old", lateness=0), Sent([trade(2), trade(3)], source="old", lateness=0)]
    old = items_of(lane)
    new = item_of(Sent([trade(100)], source="new", lateness=0))
    levels = Levels(SEED)
    for item in (new, *old):
        levels.apply(item)
    assert levels.symbols["X"].events == 1
    assert levels.symbols["X"].reached("old").offset == 3
    with pytest.raises(AssertionError):
        levels.dump()
    settle(levels, [new, *old])
    assert levels.symbols["X"].events == 4
    assert levels.symbols["X"].reached("old") == (3, old[-1].at)


def test_what_a_source_gave_is_not_taken_twice() -> None:
    rows = [trade(second, 100 + second) for second in range(6)]
    first = item_of(Sent(rows[:4], source="file", lateness=0))
    overlapping = item_of(Sent(rows[2:], source="file", lateness=0), first=2)
    within = item_of(Sent(rows[1:3], source="file", lateness=0), first=1, after=overlapping.at)
    symbol = folded([first, overlapping, within], "X", SEED)
    assert symbol.events == 6
    assert differences(symbol.book.dump(), book_of(taken([item_of(Sent(rows, source="file", lateness=0))]))) == []


def test_a_copy_goes_its_own_way() -> None:
    levels = taken([item_of(Sent([trade(0)], source="file", lateness=0))])
    before = levels.dump()
    levels.copy().apply(item_of(Sent([trade(1)], source="file", lateness=0), first=1))
    assert differences(levels.dump(), before) == []


def test_no_symbols_pack_into_nothing() -> None:
    assert Levels(SEED).dump() == {}
    assert Levels.load({}, SEED).symbols == {}


# As of a time


@settings(max_examples=50)
@given(lanes(), lanes(), st.integers(-1, 60))
def test_nothing_after_a_time_shows_in_the_book_of_that_time(
    past: list[list[Sent]], future: list[list[Sent]], second: int
) -> None:
    """Cut off or added to: what comes later changes no bit."""
    until = (START + second) * MICROS
    past = [in_time(lane, 1_000 * number) for number, lane in enumerate(past, start=1)]
    cut_off = [until_then(lane, second) for lane in past]
    more = [[after(sent, second, lane) for sent in each] for lane, each in enumerate(future)]
    books = [
        folded(in_order([item for lane in told for item in items_of(lane)]), "X", SEED, until=until)
        for told in (past, cut_off, [*past, *more])
    ]
    for other in books[1:]:
        assert differences(books[0].book.dump(), other.book.dump()) == []
        assert (books[0].events, books[0].late) == (other.events, other.late)


def in_time(lane: list[Sent], number: int) -> list[Sent]:
    """Sort a lane's rows, and make each unlike every other: batches that said the same by then would be one."""
    rows = sorted((row for sent in lane for row in sent.rows), key=when)
    numbered = iter([row | {"id": number + place} for place, row in enumerate(rows)])
    return [sent._replace(rows=[next(numbered) for _ in sent.rows]) for sent in lane]


def until_then(lane: list[Sent], second: float) -> list[Sent]:
    kept = [sent._replace(rows=[row for row in sent.rows if when(row) <= START + second]) for sent in lane]
    return [sent for sent in kept if sent.rows]


def after(sent: Sent, second: float, lane: int) -> Sent:
    rows = [row | {"at": when(row) + second + 0.5} for row in sent.rows]
    return sent._replace(rows=rows, source=sent.source and f"later-{lane}")


def test_without_a_time_batches_stay_as_they_are() -> None:
    items = items_of([Sent([trade(1)]), Sent([trade(2)], symbol="Y")])
    assert list(of_symbol(items, "X")) == items[:1]


# Levels by id


def test_a_level_is_known_by_its_id_as_it_is_written() -> None:
    levels = taken([item_of(Sent([trade(0), trade(0, 101.5, 10.0)]))])
    assert levels.has("X@100.0")  # though its event still waits
    for other in ("X@100", "X@1e2", "X@101.5", "X@7.0", "Y@100.0", "X@", "X@high", "100.0", "X@nan", "X@inf"):
        assert not levels.has(other), other


def test_a_stale_symbol_must_be_folded_anew_before_it_is_asked_for_levels() -> None:
    items = [item_of(Sent([trade(100)], source=name, lateness=0)) for name in ("a", "b")]
    levels = Levels(SEED)
    for item in reversed(in_order(items)):
        levels.apply(item)
    with pytest.raises(Stale):
        levels.has("X@100.0")
    assert not levels.has("Y@100.0")


# Items of another ledger


def told(rows: Sequence[Row] = (trade(1), trade(2)), source: str = "", at: int | None = None, **other: object) -> Item:
    item = item_of(Sent(list(rows), source=source))
    payload = cast(Payload, {**item.payload, **other})
    return make_item(
        space="me", what="market", at=item.at if at is None else at, payload=payload, known_at=0, source=source
    )


def test_what_a_feed_writes_may_come_from_another_ledger() -> None:
    CAPABILITIES.check(told())
    CAPABILITIES.check(told(source="file", at=(START + 2) * MICROS + 5))  # after an earlier batch of its source


def packed_book() -> object:
    book = events({"kind": "book", "at": START, "price": 1.0, "usd": 1.0})
    assert book.kind.tolist() == [BOOK]
    return MarketBatch("X", 0, 1, 0, 0, book).payload()["events"]


def packed_nothing() -> object:
    return MarketBatch("X", 0, 0, 0, 0, events()).payload()["events"]


def packed_nonsense() -> object:
    fine = events(trade(2))
    return MarketBatch("X", 0, 1, 0, 0, fine._replace(price=-fine.price)).payload()["events"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"symbol": ""},
        {"symbol": "X@1"},
        {"symbol": "X~Y"},
        {"symbol": 7},
        {"events": 7},
        {"events": "no base64!"},
        {"events": ""},
        {"events": packed_book()},
        {"events": packed_nothing()},
        {"events": packed_nonsense()},
        {"first": -1},
        {"first": True},
        {"first": "0"},
        {"last": MOST_COUNTED + 1},
        {"first": 3},
        {"malformed": 0.5},
        {"lateness": MOST_LATE + 1},
        {"more": 1},
        {"at": (START + 1) * MICROS},
        {"at": (START + 3) * MICROS},
        {"at": (START + 1) * MICROS, "source": "file"},
        {"at": LATEST + 1, "source": "file"},
    ],
    ids=str,
)
def test_a_batch_that_no_feed_can_have_written_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(CorruptError):
        CAPABILITIES.check(told(**wrong))  # type: ignore[arg-type]  # that is the point


def test_a_batch_that_lacks_a_field_is_refused() -> None:
    item = told()
    lacking = {name: value for name, value in item.payload.items() if name != "lateness"}
    with pytest.raises(ValueError, match="should say"):
        check_batch(make_item(space="me", what="market", at=item.at, payload=lacking, known_at=0))


@pytest.mark.parametrize("symbol", ["", " ", "A@B", "A~B", "A\nB", None, 5])
def test_a_symbol_is_a_line_of_text_that_fits_into_ids(symbol: object) -> None:
    with pytest.raises(InputError, match="the symbol"):
        check_symbol(symbol)


def test_the_price_path_alone_makes_no_level() -> None:
    assert not taken([item_of(Sent([price(0, 100.0)]))]).has("X@100.0")


def test_a_damaged_batch_in_the_ledger_is_named() -> None:
    damaged = told(events="")
    with pytest.raises(CorruptError) as refused:
        Projection(SpaceParameters()).apply(damaged)
    assert (refused.value.code, refused.value.item) == ("damaged_item", damaged.id.hex())

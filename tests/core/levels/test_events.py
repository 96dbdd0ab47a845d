"""Reading events from dicts and columns, and naming bad rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime

import numpy as np
import pytest

from asterism import LevelBook
from asterism.core.levels.events import (
    ASK,
    BID,
    BOTH,
    DTYPES,
    FIELDS,
    KINDS,
    LIQUIDATION,
    PRICE,
    TRADE,
    Events,
    events_of,
    micros_of,
)
from asterism.core.space.projection import differences
from asterism.errors import InputError

Row = Mapping[str, object]
NOON = datetime(2024, 2, 12, 12, tzinfo=UTC)
NOON_MICROS = 1_707_739_200_000_000


def row(**details: object) -> dict[str, object]:
    return {"kind": "trade", "at": 10, "price": 100.0, "usd": 50.0} | details


def only(event: Row, *, unit: str = "s") -> dict[str, object]:
    """Read one event as the fields it holds."""
    parsed = events_of([event], unit=unit)
    assert parsed.malformed == ()
    return {name: column.item() for name, column in parsed.events._asdict().items()}


def reason_of(event: object) -> str:
    parsed = events_of([event])  # type: ignore[list-item]  # what is wrong is the point
    ((number, reason),) = parsed.malformed
    assert (number, parsed.events.size) == (0, 0)
    return reason


# Rows


def test_an_event_says_what_it_says_and_the_rest_by_default() -> None:
    assert only(row()) == {
        "kind": TRADE, "at": 10_000_000, "price": 100.0, "usd": 50.0, "seconds": 0.0, "n": 1, "side": 0, "episode": 0,
        "id": 0,
    }  # fmt: skip
    full = only(row(kind="liquidation", n=4, side="ask", episode=7, id=-3, seconds=2))
    assert [full[name] for name in ("kind", "n", "side", "episode", "id", "seconds")] == [LIQUIDATION, 4, ASK, 7, -3, 2]


def test_execution_is_another_word_for_trade() -> None:
    assert only(row(kind="execution"))["kind"] == TRADE
    assert events_of({"kind": "execution", "at": [1], "price": 1.0, "usd": 1.0}).events.kind.tolist() == [TRADE]


@pytest.mark.parametrize(
    ("at", "unit", "micros"),
    [
        (NOON, "s", NOON_MICROS),
        ("2024-02-12T12:00:00Z", "ms", NOON_MICROS),
        ("2024-02-12T14:00:00.000001+02:00", "s", NOON_MICROS + 1),
        ("2024-02-12", "s", NOON_MICROS),
        (date(2024, 2, 12), "s", NOON_MICROS),
        (1_707_739_200, "s", NOON_MICROS),
        (1_707_739_200.25, "s", NOON_MICROS + 250_000),
        (1_707_739_200_001, "ms", NOON_MICROS + 1_000),
        (NOON_MICROS + 3, "us", NOON_MICROS + 3),
        (NOON_MICROS * 1000 + 499, "ns", NOON_MICROS),
        (NOON_MICROS * 1000 + 500, "ns", NOON_MICROS + 1),
        (np.int64(NOON_MICROS * 1000 + 499), "ns", NOON_MICROS),
        (np.float32(1024.5), "s", 1_024_500_000),
        (-1.5, "ms", -1_500),
    ],
)
def test_times_are_moments_or_numbers_of_a_declared_unit(at: object, unit: str, micros: int) -> None:
    assert only(row(at=at), unit=unit)["at"] == micros_of(at, unit) == micros


@pytest.mark.parametrize("unit", ["minutes", "", None, ["s"]])
def test_another_unit_is_refused(unit: str) -> None:
    with pytest.raises(InputError) as caught:
        events_of([row()], unit=unit)
    assert caught.value.code == "bad_unit"


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (5, "5 is not an event"),
        (row(colour="red", size=3), "colour, size is no field of an event"),
        (row() | {1: 2, "x": 3}, "1, x is no field of an event"),
        ({"at": 1, "price": 1.0}, "kind None is not one of trade, "),
        (row(kind="sale"), "kind 'sale' is not one of trade, "),
        (row(kind=3), "kind 3 is not one of trade, "),
        ({"kind": "price", "price": 1.0}, "at None is not a time"),
        (row(at=True), "at True is not a time"),
        (row(at=math.nan), "at nan is not a time"),
        (row(at=10**400), "at 1000"),
        (row(at="soon"), "'soon' is not a time"),
        (row(at="2024-02-12T12:00:00"), "the time 2024-02-12T12:00:00 has no time zone"),
        (row(at=NOON_MICROS), "at is not in the years 1900 to 9998 if it counts s: declare its unit"),
        (row(at=1e305), "at is not in the years 1900 to 9998 if it counts s"),
        (row(at=-1e10), "at is not in the years 1900 to 9998 if it counts s"),
        (row(at="1899-12-31T23:59:59Z"), "at is not in the years 1900 to 9998"),
        (row(price="hundred"), "price 'hundred' is not a finite number"),
        (row(price=math.inf), "price inf is not a finite number"),
        (row(price=10**400), "price 1000"),
        (row(price=0), "price 0.0 is not above 0"),
        (row(price=-1), "price -1.0 is not above 0"),
        (row(price=1e-200), "price is beyond any market"),
        (row(price=1e200), "price is beyond any market"),
        (row(usd=1e200), "usd is beyond any market"),
        (row(usd=math.nan), "usd nan is not a finite number"),
        (row(usd=None), "usd None is not a finite number"),
        (row(usd=-0.01), "usd is below 0"),
        (row(seconds=-1), "seconds is below 0"),
        (row(n=0), "n 0 is below 1"),
        (row(n=2**31), "n is beyond any market"),
        (row(n=2.5), "n 2.5 is not a whole number"),
        (row(n=math.inf), "n inf is not a whole number"),
        (row(n=True), "n True is not a whole number"),
        (row(id=2**63), "id 9223372036854775808 is not a whole number"),
        (row(id="a"), "id 'a' is not a whole number"),
        (row(episode=1.5), "episode 1.5 is not a whole number"),
        (row(side="buy"), "side 'buy' is not bid, ask or both"),
        (row(side=1), "side 1 is not bid, ask or both"),
        ({"kind": "trade", "at": 1, "price": 1.0}, "a trade needs usd"),
        ({"kind": "book", "at": 1, "price": 1.0}, "a book needs usd"),
        ({"kind": "persistence", "at": 1, "price": 1.0, "usd": 1.0}, "a persistence needs seconds"),
    ],
)
def test_a_bad_row_says_what_is_wrong(event: object, reason: str) -> None:
    assert reason_of(event).startswith(reason)


def test_bad_rows_are_named_by_their_number_and_the_others_are_read() -> None:
    parsed = events_of([row(), row(price=-1), row(at=11), row(n=0)])
    assert parsed.events.at.tolist() == [10_000_000, 11_000_000]
    assert [bad.row for bad in parsed.malformed] == [1, 3]


def test_a_whole_number_may_be_written_with_a_point() -> None:
    assert only(row(n=2.0, episode=np.float64(3.0), id=np.int32(4))) == only(row(n=2, episode=3, id=4))


def test_a_text_names_an_episode() -> None:
    first, again, other = (only(row(episode=name))["episode"] for name in ("wall", "wall", "\ud800"))
    assert first == again != other
    assert isinstance(first, int)
    assert 0 < first < 2**63
    assert only(row(episode=None))["episode"] == 0


def test_events_may_come_from_any_iterable() -> None:
    assert events_of(iter([row(), row()])).events.size == 2
    assert events_of([]).events.size == 0
    assert differences(events_of([]).events._asdict(), Events.none()._asdict()) == []


@pytest.mark.parametrize("batch", [5, None])
def test_what_is_no_batch_is_refused(batch: list[Row]) -> None:
    with pytest.raises(InputError) as caught:
        events_of(batch)
    assert caught.value.code == "bad_events"


def test_an_error_inside_a_callers_iterator_is_the_callers() -> None:
    def broken() -> Iterator[Row]:
        yield row()
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        events_of(broken())


# Columns


def test_columns_read_as_rows_do() -> None:
    rows = [
        row(at=1.5, side="bid", n=2, episode=3, id=4),
        row(at=2, kind="liquidation", price=101.5, side="both"),
        row(at=2, kind="persistence", seconds=12.5, usd=0.0),
        row(at=3, kind="price", usd=0.0),
    ]
    whole = [{"side": "", "n": 1, "episode": 0, "id": 0, "seconds": 0.0} | each for each in rows]
    columns = {name: np.array([each[name] for each in whole]) for name in FIELDS}
    by_rows, by_columns = events_of(rows), events_of(columns)
    assert differences(by_rows.events._asdict(), by_columns.events._asdict()) == []
    assert [column.dtype.str[1:] for column in by_columns.events] == list(DTYPES)
    assert by_columns.events.side.tolist() == [BID, BOTH, 0, 0]


def test_a_single_value_stands_for_a_column() -> None:
    events = events_of({"kind": "price", "at": [1, 2], "price": 5.0, "side": "ask"}).events
    assert (events.kind.tolist(), events.price.tolist(), events.side.tolist()) == ([PRICE] * 2, [5.0] * 2, [ASK] * 2)
    assert events_of({"kind": PRICE, "at": 7, "price": [1.0, 2.0]}).events.at.tolist() == [7_000_000] * 2


@pytest.mark.parametrize(
    ("at", "unit", "micros"),
    [
        (np.array([1_707_739_200]), "s", NOON_MICROS),
        (np.array([1_707_739_200_250], dtype=np.uint64), "ms", NOON_MICROS + 250_000),
        (np.array([1_707_739_200.25]), "s", NOON_MICROS + 250_000),
        (np.array([NOON_MICROS * 1000 + 499]), "ns", NOON_MICROS),
        (np.array([NOON_MICROS * 1000 + 500]), "ns", NOON_MICROS + 1),
        (np.array([2**63 - 1]), "ns", 9_223_372_036_854_776),
        (np.array([float(NOON_MICROS) * 1000]), "ns", NOON_MICROS),
        (np.array([4.5], dtype=np.float32), "s", 4_500_000),
        (["2024-02-12T12:00:00Z"], "s", NOON_MICROS),
        ([NOON], "s", NOON_MICROS),
    ],
)
def test_columns_of_times_are_read_exactly(at: object, unit: str, micros: int) -> None:
    assert events_of({"kind": "price", "at": at, "price": 1.0}, unit=unit).events.at.tolist() == [micros]


@pytest.mark.parametrize(
    ("at", "unit"),
    [
        ([math.nan], "s"),
        ([math.inf], "s"),
        ([1e305], "s"),
        ([NOON_MICROS], "s"),
        (np.array([2**63 + 5], dtype=np.uint64), "ns"),
        (np.array([-(2**63)]), "us"),
        ([-3e9], "s"),
    ],
)
def test_columns_of_times_beyond_the_calendar_are_malformed(at: object, unit: str) -> None:
    (bad,) = events_of({"kind": "price", "at": at, "price": 1.0}, unit=unit).malformed
    assert bad.reason == "at is not in the years 1900 to 9998: declare its unit"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"kind": ["sale"]}, "the kind is not one of trade, "),
        ({"kind": [256]}, "the kind is not one of trade, "),
        ({"kind": [len(KINDS)]}, "the kind is not one of trade, "),
        ({"kind": [-1]}, "the kind is not one of trade, "),
        ({"side": ["buy"]}, "the side is not bid, ask or both"),
        ({"side": [4]}, "the side is not bid, ask or both"),
        ({"price": [math.nan]}, "a number is not finite"),
        ({"price": [0.0]}, "price 0.0 is not above 0"),
        ({"price": [1e-200]}, "price is beyond any market"),
        ({"usd": [math.inf]}, "a number is not finite"),
        ({"usd": [1e200]}, "usd is beyond any market"),
        ({"seconds": [-1.0]}, "seconds is below 0"),
        ({"seconds": [math.inf]}, "a number is not finite"),
        ({"n": [0]}, "n 0 is below 1"),
        ({"n": [2**31]}, "n is beyond any market"),
        ({"n": [2.5]}, "n 2.5 is not a whole number"),
        ({"n": [math.nan]}, "n nan is not a whole number"),
        ({"id": np.array([2**63], dtype=np.uint64)}, "id 9223372036854775808 is not a whole number"),
        ({"price": ["hundred"]}, "price 'hundred' is not a finite number"),
        ({"usd": [None]}, "usd None is not a finite number"),
        ({"at": [None]}, "at None is not a time"),
    ],
)
def test_a_bad_value_in_a_column_says_what_is_wrong(changed: Row, reason: str) -> None:
    columns = {name: [value] for name, value in row().items()}
    parsed = events_of({**columns, **changed})
    assert parsed.events.size == 0
    assert parsed.malformed[0].reason.startswith(reason)


def test_words_among_columns_are_read_row_by_row() -> None:
    parsed = events_of({"kind": "persistence", "at": [1, 2], "price": 5.0, "seconds": 9.0, "episode": ["a", "b"]})
    assert parsed.events.episode.tolist() == [only(row(episode=name))["episode"] for name in "ab"]


def test_a_kind_that_lacks_its_column_is_malformed() -> None:
    parsed = events_of({"kind": ["trade", "persistence", "price"], "at": [1, 2, 3], "price": 1.0})
    assert [bad.reason for bad in parsed.malformed] == ["a trade needs usd", "a persistence needs seconds"]
    assert parsed.events.kind.tolist() == [PRICE]


def test_no_words_and_none_mean_that_the_side_is_not_said() -> None:
    columns = {"kind": "price", "at": [1, 2, 3], "price": 1.0, "side": np.array(["", None, "bid"], dtype=object)}
    assert events_of(columns).events.side.tolist() == [0, 0, BID]


@pytest.mark.parametrize(
    ("columns", "item"),
    [
        ({"kind": "price", "at": [1], "price": [1.0], "colour": ["red"]}, "colour"),
        ({"kind": "price", "at": [1]}, "price"),
        ({"kind": "price", "at": [1, 2], "price": [1.0]}, "events"),
        ({"kind": "price", "at": [1], "price": [[1.0]]}, "events"),
        ({"kind": "price", "at": [1], "price": [[1.0], [1.0, 2.0]]}, "price"),
    ],
)
def test_bad_columns_are_refused(columns: Row, item: str) -> None:
    with pytest.raises(InputError) as caught:
        events_of(columns)
    assert (caught.value.code, caught.value.item) == ("bad_events", item)


def test_ready_events_are_checked_too() -> None:
    at, price = np.array([5, -(2**63), 7]), np.array([1.0, 1.0, -1.0])
    parsed = events_of(Events.of(3, kind=PRICE, at=at, price=price))
    assert (parsed.events.at.tolist(), [bad.row for bad in parsed.malformed]) == ([5], [1, 2])
    assert events_of(parsed.events) == (parsed.events, ())


def test_events_are_joined_taken_and_sorted_by_time_id_and_content() -> None:
    one = Events.of(3, kind=PRICE, at=np.array([2, 1, 1]), price=np.array([1.0, 3.0, 2.0]), id=np.array([0, 0, 0]))
    two = Events.of(1, kind=PRICE, at=1, price=9.0, id=-1)
    assert Events.join([one, two]).sorted().price.tolist() == [9.0, 2.0, 3.0, 1.0]
    assert Events.join([]).size == 0


def test_one_dict_is_one_event_and_numbers_may_be_text() -> None:
    parsed = events_of({"kind": "trade", "at": "2026-01-31T00:00:00Z", "price": "100.5", "usd": "2.5e3"})
    assert (parsed.events.price.tolist(), parsed.events.usd.tolist(), parsed.malformed) == ([100.5], [2_500.0], ())
    assert events_of({"kind": "trade", "at": 1}).malformed


# Strict


def test_strict_refuses_the_batch_and_takes_nothing_in() -> None:
    book = LevelBook("BTC", lateness=0)
    with pytest.raises(InputError) as caught:
        book.feed([row(usd=5_000), row(price=-1)], strict=True)
    assert (caught.value.code, caught.value.item) == ("malformed_row", "1")
    assert "price -1.0 is not above 0" in str(caught.value)
    assert book.levels() == []
    assert book.feed([row(usd=5_000)], strict=True).created == 1


def test_a_report_names_the_first_bad_rows_and_counts_all() -> None:
    report = LevelBook("BTC", lateness=0).feed([row(price=-1)] * 30 + [row()])
    assert (report.malformed, report.used, len(report.bad_rows)) == (30, 1, 20)
    assert str(report) == "BTC: 1 events used; pending 1, malformed 30"
    assert str(LevelBook("BTC").feed([])) == "BTC: 0 events used"

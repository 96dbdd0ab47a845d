"""Websocket recordings: the book as it was known, trades and the price between best bid and ask."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from asterism.core.levels.events import BOOK
from asterism.feeds import Feed, open_feed
from asterism.feeds.recording import MOST_HELD
from tests.support.feed_files import bits, everything, told, write

START = 1_700_000_000_000_000_000
Levels = list[list[str]]


def depth(
    first: int, last: int, before: int | None, bids: Levels, asks: Levels | None = None, symbol: str = "BTCUSDT"
) -> object:
    numbers = {"U": first, "u": last} | ({} if before is None else {"pu": before})
    return {"stream": "x@depth", "data": {"e": "depthUpdate", "s": symbol, **numbers, "b": bids, "a": asks or []}}


def snapshot(number: int, bids: Levels, asks: Levels | None = None) -> object:
    return {"lastUpdateId": number, "bids": bids, "asks": asks or []}


def trade(price: str, size: str, *, maker: bool, symbol: str = "BTCUSDT", **more: str) -> object:
    return {"data": {"e": "trade", "s": symbol, "p": price, "q": size, "m": maker, **more}}


def recording(folder: Path, *messages: object, **options: str | int) -> Feed:
    """Record messages one second apart."""
    lines = [
        message if isinstance(message, str) else f"{START + place * 10**9} {json.dumps(message)}"
        for place, message in enumerate(messages)
    ]
    return open_feed(write(folder, "\n".join(lines) + "\n", "tape.jsonl.gz"), **options)  # type: ignore[arg-type]


def book_of(feed: Feed) -> list[tuple[int, float, float, str, int]]:
    """Give seconds, price, dollars, side and snapshot of each book event."""
    events, _ = everything(feed)
    events = events.take(events.kind == BOOK)
    return [
        ((at - START // 1000) // 10**6, price, usd, side, snapshot)
        for (_, at, price, usd, side), snapshot in zip(told(events), events.episode.tolist(), strict=True)
    ]


def test_trades_and_tickers_become_events(tmp_path: Path) -> None:
    feed = recording(
        tmp_path,
        trade("100.5", "2", maker=True),
        trade("100.5", "2", maker=False, X="MARKET"),
        {"stream": "x@bookTicker", "data": {"u": 1, "s": "BTCUSDT", "b": "100", "B": "1", "a": "101", "A": "1"}},
        {"data": {"e": "bookTicker", "u": 1, "s": "BTCUSDT", "b": "100", "B": "1", "a": "102", "A": "1"}},
        trade("100.5", "2", maker=True, X="INSURANCE_FUND"),
        {"result": None, "id": 1},
    )
    events, malformed = everything(feed)
    assert [(*event[:1], *event[2:]) for event in told(events)] == [
        ("trade", 100.5, 201.0, "bid"),
        ("trade", 100.5, 201.0, "ask"),
        ("price", 100.5, 0.0, ""),
        ("price", 101.0, 0.0, ""),
    ]
    assert events.at.tolist() == [START // 1000 + step * 10**6 for step in range(4)]
    assert events.id.tolist() == [1, 2, 3, 4]
    assert malformed == []
    assert (feed.counts["not_market"], feed.counts["other_message"], feed.counts["rows"]) == (1, 1, 6)
    assert str(feed.mapping).startswith("binance_recording: at=received [ns]")


@pytest.mark.parametrize(
    ("symbol", "usd"), [("BTCUSD_PERP", 200.0), ("ETHUSD_240927", 20.0), ("BTCUSDT_240927", 100.0)]
)
def test_coin_margined_sizes_are_contracts(tmp_path: Path, symbol: str, usd: float) -> None:
    feed = recording(
        tmp_path,
        trade("50", "2", maker=True, symbol=symbol),
        snapshot(5, [["50", "2"]]),
        depth(6, 6, 5, [["49", "0"]], symbol=symbol),
    )
    assert everything(feed)[0].usd.tolist() == [usd, usd, 0.0]


def test_the_book_begins_with_the_snapshot_and_what_it_does_not_cover(tmp_path: Path) -> None:
    feed = recording(
        tmp_path,
        depth(1, 3, 0, [["99", "1"]]),
        depth(4, 8, 3, [["98", "1"]]),  # the snapshot, number 6, is inside this one
        snapshot(6, [["98", "5"], ["97", "1"]], [["101", "1"]]),
        depth(9, 9, 8, [["97", "0"]], [["101", "2"]]),
    )
    assert book_of(feed) == [
        (2, 98, 490, "bid", 6),
        (2, 97, 97, "bid", 6),
        (2, 101, 101, "ask", 6),
        (2, 98, 98, "bid", 0),
        (3, 97, 0, "bid", 0),
        (3, 101, 202, "ask", 0),
    ]
    assert (feed.counts["before_snapshot"], feed.counts["gaps"], feed.counts["snapshots"]) == (1, 0, 1)


def test_a_gap_leaves_only_what_is_told_after_it(tmp_path: Path) -> None:
    feed = recording(
        tmp_path,
        snapshot(6, [["98", "5"]]),
        depth(7, 7, 6, [["97", "1"]]),
        depth(10, 12, 9, []),  # 8 and 9 were lost
        depth(13, 13, 12, [["96", "1"]]),
        depth(14, 14, 13, [["95", "1"]]),
    )
    assert book_of(feed) == [
        (0, 98, 490, "bid", 6),
        (1, 97, 97, "bid", 0),
        (3, 96, 96, "bid", 13),
        (4, 95, 95, "bid", 0),
    ]
    assert feed.counts["gaps"] == 1


def test_a_snapshot_mends_a_gap(tmp_path: Path) -> None:
    feed = recording(
        tmp_path,
        snapshot(6, [["98", "5"]]),
        depth(10, 12, 9, [["97", "1"]]),
        depth(13, 15, 12, [["96", "1"]]),
        snapshot(14, [["90", "1"]]),
        snapshot(15, [["91", "1"]]),  # the book is there already
        depth(16, 16, 15, [["89", "1"]]),
    )
    assert book_of(feed)[2:] == [
        (2, 96, 96, "bid", 0),
        (3, 90, 90, "bid", 14),
        (3, 96, 96, "bid", 0),
        (5, 89, 89, "bid", 0),
    ]
    assert (feed.counts["gaps"], feed.counts["snapshots"], feed.counts["old_snapshots"]) == (1, 2, 1)


def test_spot_updates_follow_by_their_first_number(tmp_path: Path) -> None:
    feed = recording(
        tmp_path,
        snapshot(6, [["98", "5"]]),
        depth(5, 6, None, [["1", "1"]]),
        depth(5, 8, None, [["97", "1"]]),
        depth(9, 9, None, [["96", "1"]]),
        depth(11, 11, None, [["95", "1"]]),
    )
    assert [event[1:] for event in book_of(feed)[1:]] == [(97, 97, "bid", 0), (96, 96, "bid", 0), (95, 95, "bid", 11)]
    assert (feed.counts["old_updates"], feed.counts["gaps"]) == (1, 1)


def test_updates_that_wait_are_bounded(tmp_path: Path) -> None:
    updates = [depth(step, step, step - 1, [["98", "1"]]) for step in range(1, MOST_HELD + 11)]
    feed = recording(tmp_path, *updates, snapshot(MOST_HELD + 9, [["50", "1"]]))
    assert len(book_of(feed)) == 2
    assert feed.counts["before_snapshot"] == MOST_HELD + 9


def test_bad_lines_are_named(tmp_path: Path) -> None:
    feed = recording(
        tmp_path,
        snapshot(6, [["98", "5"], ["-1", "1"]]),
        "rubbish",
        f"{START} {{nothing}}",
        f"{START} {{}}",
        "",
        {"data": {"e": "trade", "s": "BTCUSDT", "p": "1"}},
        {"data": [1]},
        depth(7, 7, 6, [["97"]]),
        {"data": {"e": "depthUpdate", "U": "x", "u": 1, "b": [], "a": []}},
        {"data": {"e": "depthUpdate", "U": 7, "u": 7, "b": None, "a": []}},
        {"data": {"e": "bookTicker", "b": "0", "B": "0", "a": "5", "A": "1"}},
        trade("1", "1", maker=True),
        trade("1", "1", maker=True, symbol="ETHUSDT"),
    )
    events, malformed = everything(feed)
    assert events.size == 2
    assert [bad.row for bad in malformed] == [1, 2, 3, 6, 7, 8, 9, 10, 11, 13]
    assert malformed[-1].reason == "the message is about 'ETHUSDT', the first about 'BTCUSDT'"
    assert feed.counts["malformed"] == 10


def test_one_symbol_may_be_asked_for(tmp_path: Path) -> None:
    feed = recording(
        tmp_path, trade("1", "1", maker=True, symbol="ETHUSDT"), trade("2", "1", maker=True), symbol="BTCUSDT"
    )
    assert everything(feed)[0].price.tolist() == [2]
    assert feed.counts["other_symbol"] == 1


def test_cutting_changes_nothing(tmp_path: Path) -> None:
    messages = [
        depth(1, 3, 0, [["99", "1"]]),
        snapshot(2, [["98", "5"]]),
        *(depth(step, step, step - 1 - (step == 9), [[str(step), "1"]], [["200", str(step)]]) for step in range(4, 20)),
        trade("1", "1", maker=True),
    ]
    whole, _ = everything(recording(tmp_path, *messages))
    for block_bytes in (1, 50, 333):
        feed = recording(tmp_path, *messages, block_bytes=block_bytes, rows=3, mapping="binance_recording")
        assert bits(everything(feed)[0]) == bits(whole)
        assert bits(everything(feed, 7)[0]) == bits(whole.take(slice(7, None)))

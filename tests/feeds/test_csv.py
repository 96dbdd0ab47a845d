"""CSV files: every row becomes an event or is named, the same however the file is cut."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.levels.events import BOOK, LIQUIDATION, PERSISTENCE, Events, Malformed
from asterism.errors import InputError
from asterism.feeds import open_feed
from tests.support.feed_files import MS, bits, everything, told, write

TRADES = f"at_ms,price,usd,side\n{MS},100.5,250,buy\n{MS + 1},100.25,1e3,Sell\n"
HEAD = "at_ms,price,usd,side"
BAR = "timestamp,open,high,low,close,volume\n"


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.txt"])
def test_trades_are_read_by_their_column_names(tmp_path: Path, name: str) -> None:
    feed = open_feed(write(tmp_path, TRADES, name))
    events, malformed = everything(feed)
    assert told(events) == [
        ("trade", MS * 1000, 100.5, 250.0, "ask"),
        ("trade", MS * 1000 + 1000, 100.25, 1000.0, "bid"),
    ]
    assert malformed == []
    assert feed.name == name
    assert str(feed.mapping).startswith(
        "trades: kind=trade at=at_ms [ms] price=price usd=usd side=side/sell:bid/buy:ask"
    )
    assert feed.counts == {"rows": 2, "events": 2, "malformed": 0, "other_symbol": 0}
    assert feed.bytes_read == feed.total_bytes == (tmp_path / name).stat().st_size


def test_an_archive_of_one_file_is_read(tmp_path: Path) -> None:
    for count in (1, 2):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(count):
                archive.writestr(f"{number}.csv", TRADES)
        path = write(tmp_path, data.getvalue(), "t.zip")
        if count == 1:
            assert everything(open_feed(path))[0].size == 2
        else:
            with pytest.raises(InputError, match="holds 2 files"):
                open_feed(path)


def test_liquidations_are_sorted_by_the_time_of_the_update(tmp_path: Path) -> None:
    head = "t_logged_ms,t_update_ms,symbol,side,size,price\n"
    rows = f"{MS + 9},{MS + 5},BTCUSDT,Buy,2,100.0\n{MS + 9},{MS + 4},BTCUSDT,Sell,3,101.0\n"
    feed = open_feed(write(tmp_path, head + rows))
    events, _ = everything(feed)
    assert told(events) == [
        ("liquidation", (MS + 4) * 1000, 101.0, 303.0, "ask"),  # a short is bought back from the asks
        ("liquidation", (MS + 5) * 1000, 100.0, 200.0, "bid"),  # a long is sold into the bids
    ]
    assert str(feed.mapping) == (
        "bybit_liquidations: kind=liquidation at=t_update_ms [ms] price=price usd=size*price symbol=symbol "
        "side=side/Buy:bid/Sell:ask sorted"
    )
    assert everything(open_feed(write(tmp_path, head + rows), sort=False))[0].side.tolist() == [1, 2]


def test_tickers_are_the_path_of_the_last_price(tmp_path: Path) -> None:
    head = "t_ms,last,bid1,bid1_size,ask1,ask1_size,mark,open_interest,volume24h,funding_rate\n"
    events, _ = everything(
        open_feed(write(tmp_path, head + f"{MS},49710.40,49710.40,2.015,49710.50,5.395,1,1,1,0.0001\n"))
    )
    assert told(events) == [("price", MS * 1000, 49710.40, 0.0, "")]


def test_a_bar_is_a_path_inside_its_time(tmp_path: Path) -> None:
    rows = "2022-01-01 00:00:00.000000,100,104,99,103,7\n2022-01-01 00:01:00,103,104,98,99,5\n"
    start = 1_640_995_200_000_000
    events, _ = everything(open_feed(write(tmp_path, BAR + rows)))
    assert events.price.tolist() == [100, 99, 104, 103, 103, 104, 98, 99]
    assert (events.at[:4] - start).tolist() == [0, 20_000_000, 40_000_000, 59_999_999]
    assert (np.diff(events.at) > 0).all()
    for name, usd in (("bars_usd", 7.0), ("bars_coins", 7.0 * 103)):
        events, _ = everything(open_feed(write(tmp_path, BAR + rows), mapping=name))
        assert told(events)[4] == ("trade", start + 59_999_999, 103.0, usd, "")


def test_bars_of_another_length_are_refused_until_it_is_declared(tmp_path: Path) -> None:
    path = write(tmp_path, BAR + "2022-01-01 00:00:00,1,1,1,1,7\n2022-01-01 01:00:00,1,1,1,1,7\n")
    with pytest.raises(InputError, match="3600 seconds apart") as caught:
        open_feed(path)
    assert "bar=3600" in str(caught.value)
    events, _ = everything(open_feed(path, mapping="bars,bar=3600"))
    assert events.at[3] - events.at[0] == 3_599_999_999


def test_a_bar_that_does_not_hold_its_prices_is_malformed(tmp_path: Path) -> None:
    rows = "2022-01-01 00:00:00,100,99,99,100,7\n2022-01-01 00:01:00,100,101,99,100,\n2022-01-01 00:02:00,1,x,1,1,1\n"
    events, malformed = everything(open_feed(write(tmp_path, BAR + rows), mapping="bars_usd"))
    assert events.size == 0
    assert malformed == [
        Malformed(2, "low '99' to high do not hold open and close"),
        Malformed(3, "the volume is missing"),
        Malformed(4, "high 'x' is not a number"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"id,price,qty,quoteQty,time,isBuyerMaker,isBestMatch\n7,100,2,200,{MS},True,True\n",
        f"id,price,qty,quote_qty,time,is_buyer_maker\n7,100,2,200,{MS},true\n",
        f"id,price,qty,base_qty,time,is_buyer_maker\n7,100,5,2,{MS},true\n",
        f"7,100,2,200,{MS},True,True\n",
        f"7,100.0,2,200.0,{MS}000,true\n",
    ],
)
def test_public_binance_trades_are_read_with_and_without_a_header(tmp_path: Path, text: str) -> None:
    feed = open_feed(write(tmp_path, text))
    assert told(everything(feed)[0]) == [("trade", MS * 1000, 100.0, 200.0, "bid")]
    assert str(feed.mapping).startswith("binance_trades")
    assert told(everything(open_feed(write(tmp_path, text), mapping="binance_trades"))[0])[0][3] == 200.0


def test_aggregated_trades_are_read_by_name_only(tmp_path: Path) -> None:
    named = "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker\n"
    row = f"7,100,2,1,1,{MS},false"
    for text in (named + row + "\n", row + ",true\n"):
        path = write(tmp_path, text)
        with pytest.raises(InputError, match="no ready layout"):
            open_feed(path)
        assert told(everything(open_feed(path, mapping="binance_agg_trades"))[0])[0][3:] == (200.0, "ask")
    path = write(tmp_path, named + row + "\n")
    contracts = open_feed(path, mapping="binance_agg_trades,usd=quantity*100")
    assert everything(contracts)[0].usd.tolist() == [200.0]
    assert "usd=quantity*100" in str(contracts.mapping)


def test_columns_named_as_the_fields_of_an_event_are_read(tmp_path: Path) -> None:
    text = (
        "kind,at,price,usd,seconds,n,side,episode,id\n"
        "persistence,1700000000,100,,12.5,,bid,77,\n"
        "liquidation,1700000001,100,,,4,,,5\n"
        "book,1700000002,100,0,,,ask,9,\n"
        "trade,1700000003,100,,,,,,\n"
        "persistence,1700000004,100,1,,,,,\n"
        "rumour,1700000005,100,1,,,,,\n"
    )
    events, malformed = everything(open_feed(write(tmp_path, text)))
    assert events.kind.tolist() == [PERSISTENCE, LIQUIDATION, BOOK]
    assert events.seconds.tolist() == [12.5, 0, 0]
    assert events.n.tolist() == [1, 4, 1]
    assert events.side.tolist() == [1, 0, 2]
    assert events.episode.tolist() == [77, 0, 9]
    assert events.id.tolist() == [0, 5, 0]
    assert [bad.reason.split(":")[0] for bad in malformed] == [
        "a trade and a book event need usd",
        "a persistence needs seconds",
        "kind 'rumour' is not one of trade, persistence, liquidation, price, book, rejection, execution",
    ]


def test_bad_rows_are_named_and_left_out(tmp_path: Path) -> None:
    good = [f"{MS + row},100,5,buy" for row in range(9)]
    text = "\r\n".join(
        [
            "at_ms,price,usd,side",
            good[0],
            "never,100,5,buy",
            f'"{MS + 1}", 1_00 ,5,buy',
            good[2],
            "",
            f"{MS + 3},100",
            f'{MS + 3},"1e2",5,buy',
            f"{MS + 3},-1,5,buy",
            f"{MS + 4},100,5,up",
            f"{MS + 4},100,nan,buy",
            f'"{MS + 4}","100.5", 5 ,"BUY"',
            good[5],
        ]
    )
    feed = open_feed(write(tmp_path, "\ufeff" + text))
    events, malformed = everything(feed)
    assert ((events.at - MS * 1000) // 1000).tolist() == [0, 2, 3, 4, 5]
    assert events.price.tolist() == [100, 100, 100, 100.5, 100]
    assert malformed == [
        Malformed(3, "at_ms 'never' is not a time"),
        Malformed(4, "price '1_00' is not a number"),
        Malformed(7, "the row has 2 columns and not 4"),
        Malformed(9, "price -1.0 is not above 0"),
        Malformed(
            10,
            "side 'up' is not one of sell, buy, bid, ask, both, Sell, Buy, Bid, Ask, Both, SELL, BUY, BID, "
            "ASK, BOTH: declare what it means",
        ),
        Malformed(11, "usd 'nan' is not a number"),
    ]
    assert feed.counts == {"rows": 11, "events": 5, "malformed": 6, "other_symbol": 0}
    with pytest.raises(InputError, match=r"rows\.csv, line 3: at_ms 'never'") as caught:
        everything(open_feed(tmp_path / "rows.csv", strict=True))
    assert (caught.value.code, caught.value.item) == ("malformed_row", "3")


def test_a_file_is_about_one_symbol(tmp_path: Path) -> None:
    text = "t_logged_ms,t_update_ms,symbol,side,size,price\n" + "".join(
        f"{MS},{MS + row},{symbol},Buy,1,100\n" for row, symbol in enumerate(("A", "B", " A", "A"))
    )
    path = write(tmp_path, text)
    events, malformed = everything(open_feed(path))
    assert (events.size, [bad.row for bad in malformed]) == (3, [3])
    assert "say which symbol to read" in malformed[0].reason
    feed = open_feed(path, symbol="B")
    events, malformed = everything(feed)
    assert (events.size, malformed, feed.counts["other_symbol"]) == (1, [], 3)


def test_unsorted_rows_stay_in_place_unless_sorting_is_asked_for(tmp_path: Path) -> None:
    text = "at_ms,price,usd\n" + "".join(f"{MS + step},{price},1\n" for step, price in ((5, 1), (3, 2), (5, 3), (3, 4)))
    path = write(tmp_path, text)
    assert everything(open_feed(path))[0].price.tolist() == [1, 2, 3, 4]
    assert everything(open_feed(path, sort=True))[0].price.tolist() == [2, 4, 1, 3]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not_rows"),
        ("\n\n", "not_rows"),
        ("a,b,c\n1,2,3\n", "unknown_layout"),
        (f"1,2,3,6,{MS},maybe\n", "unknown_layout"),
        (f"1,2,x,6,{MS},true\n", "unknown_layout"),
        (f"1,2,3,7,{MS},true\n", "unknown_layout"),
        ("at_ms,price,usd,usd\n", "unknown_layout"),
    ],
)
def test_a_file_that_is_not_known_is_refused(tmp_path: Path, text: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        open_feed(write(tmp_path, text))
    assert caught.value.code == code


def test_the_refusal_lists_the_layouts_and_shows_how_to_declare_one(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        open_feed(write(tmp_path, "a,b\n1,2\n"))
    assert "bybit_liquidations" in str(caught.value)
    assert "mapping='at=ts,price=px,usd=px*qty,kind=trade,side=side'" in str(caught.value)


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.csv", "\0"):
        with pytest.raises(InputError) as caught:
            open_feed(path)
        assert caught.value.code == "no_file"


def test_a_table_without_rows_gives_nothing(tmp_path: Path) -> None:
    assert list(open_feed(write(tmp_path, "at,price,usd")).batches()) == []


def test_a_file_that_was_cut_short_gives_what_came_before(tmp_path: Path) -> None:
    path = write(
        tmp_path, "at_ms,price,usd\n" + "".join(f"{MS + row},{row % 97 + 1},5\n" for row in range(200_000)), "t.gz"
    )
    path.write_bytes(path.read_bytes()[:-1000])
    feed = open_feed(path, block_bytes=10_000, rows=1000)
    batches = feed.batches()
    assert next(batches).events.size == 1000
    with pytest.raises(InputError, match="cut short or damaged"):
        list(batches)


def test_numbers_without_end_are_malformed(tmp_path: Path) -> None:
    text = f"at_ms,price,size\n{MS},1e999,0\n{MS},1,1e999\n{MS},2,{'9' * 30}\n" + f'{MS},1,"{"9" * 200_000}"\n'
    events, malformed = everything(open_feed(write(tmp_path, text)))
    assert (events.price.tolist(), events.usd.tolist()) == ([2], [2e30])
    assert [bad.row for bad in malformed] == [2, 3, 5]


def test_every_event_may_have_its_number(tmp_path: Path) -> None:
    events, _ = everything(open_feed(write(tmp_path, f"kind,at,price,id\nprice,{MS},1,7\nprice,{MS},1,-8\n")))
    assert events.id.tolist() == [7, -8]


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="damaged"):
        open_feed(write(tmp_path, b"PK\x03\x04 and nothing else", "t.zip"))


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a line of more than 16 MiB"):
        open_feed(write(tmp_path, b"x" * (2**24 + 2**22)))


NUMBERS = st.sampled_from(("100", "100.5", "1e2", " 7", "0.001", "x", "", "-3", "1234567890.123456789", "007", "nan"))
ROWS = st.lists(
    st.one_of(
        st.tuples(
            st.integers(MS, MS + 10**6).map(str) | st.sampled_from(("", "x", f'"{MS}"', f"{MS}.5")),
            NUMBERS,
            NUMBERS,
            st.sampled_from(("buy", "sell", "", "up", '"sell"', "Ask")),
        ).map(",".join),
        st.sampled_from(("", "   ", "1,2", '"', "1,2,3,4,5", "\0", "ü,1,1,buy")),
    ),
    max_size=30,
)


@settings(max_examples=25)
@given(ROWS, st.integers(1, 7), st.integers(30, 400), st.sampled_from(("\n", "\r\n")))
def test_cutting_changes_nothing(rows: list[str], size: int, block_bytes: int, end: str) -> None:
    with TemporaryDirectory() as folder:
        path = write(Path(folder), end.join([HEAD, *rows]))
        whole = open_feed(path)
        events, malformed = everything(whole)
        feed = open_feed(path, rows=size, block_bytes=block_bytes)
        batches = list(feed.batches())
        assert bits(Events.join([batch.events for batch in batches])) == bits(events)
        assert [row for batch in batches for row in batch.malformed] == malformed
        assert feed.counts == whole.counts
        assert whole.counts["rows"] == events.size + len(malformed)
        assert [*(batch.first for batch in batches), events.size] == [0, *(batch.last for batch in batches)]
        assert all(batch.last % size == 0 for batch in batches[:-1])
        alone = [everything(open_feed(write(Path(folder), f"{HEAD}\n{row}\n", "one.csv")))[0] for row in rows]
        assert bits(Events.join(alone)) == bits(events)


@settings(max_examples=25)
@given(ROWS, st.integers(1, 7), st.integers(0, 40))
def test_a_feed_goes_on_at_any_place(rows: list[str], size: int, start: int) -> None:
    with TemporaryDirectory() as folder:
        feed = open_feed(write(Path(folder), "\n".join([HEAD, *rows])), rows=size, block_bytes=100)
        events, malformed = everything(feed)
        batches = list(feed.batches())
        assert bits(everything(feed, start)[0]) == bits(events.take(slice(start, None)))
        assert [batch.first for batch in feed.batches(start)][1:] == [
            each.first for each in batches if each.first > start
        ]
        for batch in batches if events.size else []:
            done = [row for before in batches if before.last <= batch.last for row in before.malformed]
            assert done + everything(feed, batch.last)[1] == malformed


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.decimals(0, 10**6, places=3), st.booleans()), max_size=40))
def test_a_quoted_file_gives_the_same_as_a_plain_one(rows: list[tuple[int, object, bool]]) -> None:
    with TemporaryDirectory() as folder:
        cells = [(str(MS + step), str(price), "5.5", "buy" if buys else "sell") for step, price, buys in rows]
        head = "at_ms,price,usd,side\n"
        plain = head + "".join(",".join(row) + "\n" for row in cells)
        quoted = head + "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in cells)
        assert bits(everything(open_feed(write(Path(folder), plain)))[0]) == bits(
            everything(open_feed(write(Path(folder), quoted)))[0]
        )

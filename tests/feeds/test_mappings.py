"""Declared mappings: any column may be any field."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from asterism.errors import InputError
from asterism.feeds import open_feed
from asterism.feeds.mappings import declared, pairs_of
from asterism.feeds.ready import READY
from tests.support.feed_files import MS, everything, told, write

TEXT = f"ts;px;qty;what;who\n{MS};100.5;2;T;B\n{MS + 1};99;3;L;S\n"


@pytest.mark.parametrize(
    "mapping",
    [
        "at=ts,price=px,usd=px*qty,kind=what/T:trade/L:liquidation,side=who/B:ask/S:bid,delimiter=semicolon",
        {
            "at": "ts",
            "price": "px",
            "usd": "qty*px",
            "kind": "what/T:trade/L:liquidation",
            "side": "who/B:ask/S:bid",
            "delimiter": ";",
            "unit": "ms",
        },
    ],
)
def test_a_mapping_is_declared_part_by_part(tmp_path: Path, mapping: str | Mapping[str, str]) -> None:
    feed = open_feed(write(tmp_path, TEXT), mapping=mapping)
    assert told(everything(feed)[0]) == [
        ("trade", MS * 1000, 100.5, 201.0, "ask"),
        ("liquidation", MS * 1000 + 1000, 99.0, 297.0, "bid"),
    ]
    assert str(feed.mapping).startswith("declared: kind=what/T:trade/L:liquidation at=ts [ms] price=px usd=")
    assert str(feed.mapping).endswith("side=who/B:ask/S:bid")


def test_columns_without_names_are_numbered(tmp_path: Path) -> None:
    path = write(tmp_path, f"{MS},100,3\n{MS + 1},101,x\n")
    feed = open_feed(path, mapping="kind=persistence,at=#1,price=#2,seconds=#3,unit=ms,sort=yes")
    events, malformed = everything(feed)
    assert (events.seconds.tolist(), events.at.tolist()) == ([3.0], [MS * 1000])
    assert [bad.row for bad in malformed] == [2]
    assert str(feed.mapping) == "declared: kind=persistence at=#1 [ms] price=#2 seconds=#3 sorted"


def test_bars_are_declared_by_their_four_prices(tmp_path: Path) -> None:
    path = write(tmp_path, f"t,o,h,l,c,v\n{MS},1,3,1,2,9\n{MS + 1000},2,2,1,1,9\n")
    feed = open_feed(path, mapping="at=t,open=o,high=h,low=l,close=c,bar=1,usd=v")
    assert everything(feed)[0].price.tolist() == [1, 1, 3, 2, 2, 2, 2, 1, 1, 1]
    assert str(feed.mapping) == "declared: at=t [ms] open=o high=h low=l close=c bar=1 usd=v"


def test_a_ready_layout_may_be_changed(tmp_path: Path) -> None:
    text = f"t_logged_ms,t_update_ms,symbol,side,size,price\n{MS + 7},{MS},A,Buy,1,100\n"
    feed = open_feed(
        write(tmp_path, text), mapping="bybit_liquidations,at=t_logged_ms,side=side/Buy:ask/Sell:bid,sort=no"
    )
    assert told(everything(feed)[0]) == [("liquidation", (MS + 7) * 1000, 100.0, 100.0, "ask")]
    assert open_feed(tmp_path / "rows.csv", mapping={"layout": "bybit_liquidations"}).mapping != feed.mapping


def test_a_number_may_be_a_factor(tmp_path: Path) -> None:
    feed = open_feed(write(tmp_path, TEXT), mapping="at=ts,price=px,usd=0.5*qty*px,kind=trade,delimiter=;")
    assert everything(feed)[0].usd.tolist() == [100.5, 148.5]


@pytest.mark.parametrize(
    ("mapping", "problem"),
    [
        ("at=ts,price=px,kind=trade", "a trade needs usd"),
        ("at=ts,price=px,kind=persistence", "a persistence needs seconds"),
        ("at=ts,price=px", "does not say which column is kind"),
        ("price=px,kind=price", "does not say which column is at"),
        ("at=ts,kind=price", "does not say which column is price"),
        ("at=ts,at=px", "twice"),
        ("at=", "no part of a mapping"),
        ("at=ts,price=px,kind=price,colour=red", "'colour' is no field"),
        ("at=ts,open=px,kind=price", "there is no high"),
        ("at=ts,price=px,kind=price,bar=60", "bar is the length"),
        ("at=ts,open=a,high=b,low=c,close=d,bar=long", "bar is the length"),
        ("at=ts,price=px,kind=price,side=who/B:left", "'left' is not one of bid, ask, both"),
        ("at=ts,price=px,kind=price,sort=maybe", "sort is yes or no"),
        ("at=ts,price=px,kind=price,delimiter=::", "is not one character"),
        ("at=ts,price=#1,kind=price", "some columns have names"),
        ("at=#0,price=#1,kind=price", "its number from 1"),
    ],
)
def test_a_mapping_that_says_too_little_is_refused(mapping: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as caught:
        declared(pairs_of(mapping))
    assert caught.value.code == "bad_mapping"
    assert "mapping='at=ts" in str(caught.value)


@pytest.mark.parametrize(
    ("mapping", "code", "item"),
    [
        ("at=ts,price=px,kind=price,unit=hours", "bad_unit", "hours"),
        ("at=when,price=px,kind=price,delimiter=;", "no_column", "when"),
        ("at=ts,price=px,kind=kinds,usd=qty,delimiter=;", "no_column", "kinds"),
        ("bybit_tickers", "no_column", "t_ms"),
        ("trades", "no_column", "at"),
        ("events", "no_column", "at"),
        ("bitmex", "unknown_layout", "bitmex"),
    ],
)
def test_a_mapping_that_does_not_fit_the_file_is_refused(tmp_path: Path, mapping: str, code: str, item: str) -> None:
    with pytest.raises(InputError) as caught:
        open_feed(write(tmp_path, TEXT), mapping=mapping)
    assert (caught.value.code, caught.value.item) == (code, item)


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two columns are called 'px'"):
        open_feed(write(tmp_path, "ts,px,px\n1,1,1\n"), mapping="at=ts,price=px,kind=price")
    assert (
        open_feed(write(tmp_path, f"ts,px,x,x\n{MS},1,1,1\n"), mapping="at=ts,price=px,kind=price").name == "rows.csv"
    )


def test_ready_layouts_are_told_apart_by_their_columns() -> None:
    known = [frozenset(each.columns) for variants in READY.values() for each in variants if each.columns]
    assert len(set(known)) == len(known)
    for variants in READY.values():
        for each in variants:
            assert set(each.needs()) <= set(each.columns) or not each.columns
            assert str(each).startswith(each.name)

"""Ready layouts: public files that are known by their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from asterism.core.ledger.items import cut
from asterism.core.levels.events import ASK, BID, FIELDS, LIQUIDATION, NUMBER, PRICE
from asterism.errors import InputError
from asterism.feeds.cells import WHOLE
from asterism.feeds.mappings import (
    EXAMPLE,
    KIND_WORDS,
    MAKER_SIDES,
    NO_KIND,
    PLAIN_SIDES,
    TAKER_SIDES,
    Bars,
    Coded,
    Layout,
    declared,
    missing_columns,
    pairs_of,
)
from asterism.feeds.times import RANGES, UTC
from asterism.hints import Hint

RECORDING = Layout(
    name="binance_recording",
    at="received",
    unit="ns",
    kind=NO_KIND,
    note="depth and snapshot: book, usd=size*price; trade: usd=q*p, m true:bid false:ask; bookTicker: "
    "price=(b+a)/2; COIN-M contracts are $100 for BTC, else $10",
)

# Bybit says Buy when a long was liquidated. The exchange then sells for its holder, into the bids, so the level that
# took the blow is a bid; Sell is a short, bought back from the asks.
BYBIT_LIQUIDATIONS = Layout(
    name="bybit_liquidations",
    at="t_update_ms",
    unit="ms",
    kind=LIQUIDATION,
    price="price",
    usd=("size", "price"),
    side=Coded("side", (("Buy", BID), ("Sell", ASK))),
    symbol="symbol",
    sort=True,  # the rows are in the order of logging
    columns=("t_logged_ms", "t_update_ms", "symbol", "side", "size", "price"),
)

# Only the path of the last price: volume24h is a rolling sum, its differences are no executions.
BYBIT_TICKERS = Layout(
    name="bybit_tickers",
    at="t_ms",
    unit="ms",
    kind=PRICE,
    price="last",
    columns=(
        *("t_ms", "last", "bid1", "bid1_size", "ask1", "ask1_size"),
        *("mark", "open_interest", "volume24h", "funding_rate"),
    ),
)

# The columns do not say whether volume counts coins or dollars, and a bar does not say at which price it was filled:
# `bars` is the price path alone; `bars_usd` and `bars_coins` put the volume at the close, for those who want it.
BARS = Layout(
    name="bars",
    at="timestamp",
    unit=UTC,
    kind=PRICE,
    bars=Bars("open", "high", "low", "close"),
    columns=("timestamp", "open", "high", "low", "close", "volume"),
)


def _binance(*names: str, usd: tuple[str, ...]) -> Layout:
    """Name the columns of Binance's public trade files: id, price, size, value, time, buyer is maker."""
    return Layout(
        name="binance_trades",
        at=names[4],
        price=names[1],
        usd=usd,
        side=Coded(names[5], MAKER_SIDES),
        columns=names,
    )


def _binance_trades() -> tuple[Layout, ...]:
    camel = ("id", "price", "qty", "quoteQty", "time", "isBuyerMaker")
    snake = ("id", "price", "qty", "quote_qty", "time", "is_buyer_maker")
    numbers = ("#1", "#2", "#3", "#4", "#5", "#6", "#7")
    return (
        _binance(*camel, "isBestMatch", usd=("quoteQty",)),
        _binance(*camel, usd=("quoteQty",)),
        _binance(*snake, "is_best_match", usd=("quote_qty",)),
        _binance(*snake, usd=("quote_qty",)),
        _binance("id", "price", "qty", "base_qty", "time", "is_buyer_maker", usd=("base_qty", "price")),  # COIN-M
        _binance(*numbers, usd=("#4",)),
        _binance(*numbers[:6], usd=("#4",)),
    )


def _agg_trades() -> tuple[Layout, ...]:
    """Sizes in coins, as in spot and USD-M files; COIN-M files look the same and count contracts: never detected."""
    named = Layout(
        name="binance_agg_trades",
        at="transact_time",
        price="price",
        usd=("quantity", "price"),
        side=Coded("is_buyer_maker", MAKER_SIDES),
    )
    return named, replace(named, at="#6", price="#2", usd=("#3", "#2"), side=Coded("#7", MAKER_SIDES))


def _trades() -> tuple[Layout, ...]:
    """Say by the name of each column what it is."""
    return tuple(
        Layout(
            name="trades",
            at=at,
            unit=at.partition("_")[2] or None,
            price="price",
            usd=usd,
            side=Coded("side", TAKER_SIDES) if side else None,
            columns=(at, "price", usd[0], *side),
        )
        for at in ("at", "at_s", "at_ms", "at_us", "at_ns")
        for usd in (("usd",), ("size", "price"))
        for side in ((), ("side",))
    )


READY: Mapping[str, tuple[Layout, ...]] = {
    "bybit_liquidations": (BYBIT_LIQUIDATIONS,),
    "bybit_tickers": (BYBIT_TICKERS,),
    "bars": (BARS,),
    "bars_usd": (replace(BARS, name="bars_usd", usd=("volume",), columns=()),),
    "bars_coins": (replace(BARS, name="bars_coins", usd=("volume", "close"), columns=()),),
    "binance_recording": (RECORDING,),
    "binance_trades": _binance_trades(),
    "binance_agg_trades": _agg_trades(),
    "trades": _trades(),
    "events": (),  # columns named as the fields of an event; made for the columns there are
}


def choose(mapping: str | Mapping[str, str], names: Sequence[str]) -> Layout:
    """Give the layout that was asked for, by name or part by part, for a file with these columns."""
    pairs = pairs_of(mapping)
    name = pairs.pop("layout", None)
    start = None if name is None else _by_name(name, names)
    layout = declared(pairs, start) if pairs or start is None else start
    if missing := missing_columns(layout, names if layout.header else numbered(names)):
        raise InputError(
            f"there is no column {cut(missing[0])!r}",
            code="no_column",
            item=cut(missing[0]),
            hint=f"the file has {cut(', '.join(names), most=300)}",
        )
    return layout


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """Name as many columns by their number."""
    return tuple(f"#{place}" for place in range(1, len(names) + 1))


def _by_name(name: str, names: Sequence[str]) -> Layout:
    if name not in READY:
        raise InputError(
            f"there is no ready layout {cut(name)!r}", code="unknown_layout", item=cut(name), hint=_ready_hint()
        )
    variants = (events_layout(names),) if name == "events" else READY[name]
    for each in variants:
        if not missing_columns(each, names if each.header else numbered(names)) and (each.header or _is_data(names)):
            return each
    return variants[0]


def _is_data(cells: Sequence[str]) -> bool:
    return bool(cells) and bool(NUMBER.fullmatch(cells[0]))


def recognise(names: Sequence[str]) -> Layout:
    """Find the one layout with exactly these columns; a first row of data is known by what its numbers are."""
    for variants in READY.values():
        for each in variants:
            if each.columns and each.header and sorted(each.columns) == sorted(names):
                return each
    if {"kind", "at", "price"} <= set(names) <= set(FIELDS) and len(set(names)) == len(names):
        return events_layout(names)
    if _is_binance_row(names):
        return next(each for each in READY["binance_trades"] if each.columns == numbered(names))
    raise InputError(
        f"no ready layout has exactly the columns {cut(', '.join(names), most=300)}",
        code="unknown_layout",
        item=cut(", ".join(names)),
        hint=_ready_hint(),
    )


def events_layout(names: Sequence[str]) -> Layout:
    """Read columns that are named as the fields of an event."""
    seconds, n, episode, number = (name if name in names else "" for name in ("seconds", "n", "episode", "id"))
    return Layout(
        name="events",
        at="at",
        kind=Coded("kind", KIND_WORDS),
        price="price",
        usd=("usd",) if "usd" in names else (),
        side=Coded("side", PLAIN_SIDES) if "side" in names else None,
        seconds=seconds,
        n=n,
        episode=episode,
        id=number,
    )


def _is_binance_row(cells: Sequence[str]) -> bool:
    """Say whether a row is id, price, size, price x size, time, buyer is maker: no other file looks like it."""
    if len(cells) not in (6, 7) or not all(cell.lower() in ("true", "false") for cell in cells[5:]):
        return False
    if not all(WHOLE.fullmatch(cells[place]) for place in (0, 4)) or not all(map(NUMBER.fullmatch, cells[1:4])):
        return False
    price, size, value = (float(cell) for cell in cells[1:4])
    is_time = any(low <= float(cells[4]) < high for low, high in RANGES.values())
    return is_time and price > 0 and size > 0 and abs(price * size - value) <= 0.01 + 1e-6 * value


def _ready_hint() -> str:
    return Hint(f"ready layouts are {', '.join(READY)}; or declare the columns: ", EXAMPLE)

"""Reading market files: a coin-day of prices, one a second, and the liquidations up to its end."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from asterism.core.ledger.columns import Floats, Longs
from asterism.errors import InputError

TICKER_COLUMNS = ("t_ms", "last", "volume24h")
LIQUIDATION_COLUMNS = ("t_update_ms", "side", "size", "price")


@dataclass(frozen=True, slots=True)
class Ticker:
    """What a market shows, about once a second: the last price, and roughly what was traded since the row before."""

    at_ms: Longs
    last: Floats
    usd: Floats

    def rows(self, start: int, stop: int) -> Ticker:
        """Give some rows: copies, so that whoever gets them has no way to the others."""
        part = slice(start, stop)
        return Ticker(self.at_ms[part].copy(), self.last[part].copy(), self.usd[part].copy())


def traded_usd(last: Floats, volume_24h: Floats) -> Floats:
    """Give roughly what was traded since the row before: the 24-hour volume's rise, 0 where it fell.

    >>> traded_usd(np.array([50.0, 50.0, 50.0]), np.array([7.0, 9.0, 8.5])).tolist()
    [0.0, 100.0, 0.0]
    """
    rise = np.diff(volume_24h, prepend=volume_24h[:1])
    return np.asarray(np.maximum(rise, 0.0) * last)


@dataclass(frozen=True, slots=True)
class Liquidations:
    """Forced closings in order of time; `long` is 1 where a long position was closed, else 0."""

    at_ms: Longs
    price: Floats
    usd: Floats
    long: Longs

    def rows(self, start: int, stop: int) -> Liquidations:
        """Give some rows: copies, so that whoever gets them has no way to the others."""
        part = slice(start, stop)
        return Liquidations(
            self.at_ms[part].copy(), self.price[part].copy(), self.usd[part].copy(), self.long[part].copy()
        )

    def before(self, at_ms: int) -> int:
        """Say how many happened before a time."""
        return int(np.searchsorted(self.at_ms, at_ms))


@dataclass(frozen=True, slots=True)
class CoinDay:
    """One symbol on one day, with all its liquidations from before the day's end."""

    symbol: str
    day: str
    ticker: Ticker
    liquidations: Liquidations

    @property
    def name(self) -> str:
        """Symbol and day."""
        return f"{self.symbol} {self.day}"


def load_market(data: Path) -> list[CoinDay]:
    """Read `tickers_1s/*_SYMBOL_DAY.csv.gz` and `liquidations/*_SYMBOL_liquidations.csv.gz`, oldest name first."""
    if not data.is_dir():
        raise _unusable(data, "there is no such folder")
    paths = sorted((data / "tickers_1s").glob("*_*_*.csv*"))
    if not paths:
        raise _unusable(data, "it holds no tickers_1s/*_SYMBOL_DAY.csv.gz")
    known: dict[str, Liquidations] = {}
    days = []
    for path in paths:
        symbol, day = path.name.split(".")[0].split("_")[-2:]
        if symbol not in known:
            known[symbol] = all_liquidations(data, symbol)
        ticker, forced = read_ticker(path), known[symbol]
        days.append(CoinDay(symbol, day, ticker, forced.rows(0, forced.before(int(ticker.at_ms[-1])))))
    return days


def load_liquidations(data: Path) -> dict[str, Liquidations]:
    """Read all of `liquidations/*_SYMBOL_liquidations.csv.gz`, by symbol."""
    symbols = {path.name.split("_")[-2] for path in (data / "liquidations").glob("*_*_liquidations.csv*")}
    return {symbol: all_liquidations(data, symbol) for symbol in sorted(symbols)}


def read_ticker(path: Path) -> Ticker:
    """Read one file of ticker rows; times must rise."""
    cells = _columns(path, TICKER_COLUMNS)
    at_ms = _numbers(cells[0], path).astype(np.int64)
    if (np.diff(at_ms) <= 0).any():
        raise _unusable(path, "its times do not rise")
    last, volume_24h = (_numbers(column, path) for column in cells[1:])
    if not (last > 0.0).all():
        raise _unusable(path, "a last price is not above 0")
    return Ticker(at_ms, last, traded_usd(last, volume_24h))


def read_liquidations(path: Path) -> Liquidations:
    """Read one file of liquidations and sort them by the time the exchange gives them."""
    at, side, size, price = _columns(path, LIQUIDATION_COLUMNS)
    at_ms = _numbers(at, path).astype(np.int64)
    prices = _numbers(price, path)
    order = np.argsort(at_ms, kind="stable")
    usd = _numbers(size, path) * prices
    return Liquidations(at_ms[order], prices[order], usd[order], (np.array(side) == "Buy").astype(np.int64)[order])


def all_liquidations(data: Path, symbol: str) -> Liquidations:
    """Read every file of one symbol's liquidations."""
    parts = [read_liquidations(path) for path in sorted((data / "liquidations").glob(f"*_{symbol}_*.csv*"))]
    if not parts:
        raise _unusable(data, f"it holds no liquidations/*_{symbol}_liquidations.csv.gz")
    at_ms = np.concatenate([part.at_ms for part in parts])
    order = np.argsort(at_ms, kind="stable")
    price, usd = (np.concatenate([getattr(part, name) for part in parts])[order] for name in ("price", "usd"))
    return Liquidations(at_ms[order], price, usd, np.concatenate([part.long for part in parts])[order])


def _columns(path: Path, needed: Sequence[str]) -> list[list[str]]:
    """Read the columns that are needed, by the names in the first line."""
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        lines = io.StringIO(raw.decode("utf-8")).read().splitlines()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as problem:
        raise _unusable(path, f"it is damaged ({problem})") from problem
    header = lines[0].split(",") if lines else []
    missing = [name for name in needed if name not in header]
    if missing or len(lines) < 2:
        raise _unusable(path, f"it has no {', '.join(missing) or 'rows'}")
    rows = [line.split(",") for line in lines[1:]]
    places = [header.index(name) for name in needed]
    short = next((number for number, row in enumerate(rows, start=2) if len(row) != len(header)), None)
    if short is not None:
        raise _unusable(path, f"line {short} does not have {len(header)} cells")
    return [[row[place] for row in rows] for place in places]


def _numbers(cells: Sequence[str], path: Path) -> Floats:
    try:
        values = np.array(cells, dtype=np.float64)
    except ValueError as problem:
        raise _unusable(path, str(problem)) from problem
    if not np.isfinite(values).all():
        raise _unusable(path, "a number is not finite")
    return values


def _unusable(path: Path, problem: str) -> InputError:
    return InputError(
        f"{path} cannot be evaluated: {problem}",
        code="bad_data",
        item=str(path),
        hint="expected tickers_1s/*_SYMBOL_DAY.csv.gz (t_ms, last, volume24h) and "
        "liquidations/*_SYMBOL_liquidations.csv.gz (t_update_ms, side, size, price)",
    )

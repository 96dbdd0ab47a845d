"""A market of one coin and a few thousand seconds, in the public layout; shared by the tests of its evaluation."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

from asterism.core.ledger.columns import Floats
from asterism.evals.market_data import CoinDay, Liquidations, Ticker

START_MS = 1_709_078_400_000
HEADER = "t_ms,last,bid1,bid1_size,ask1,ask1_size,mark,open_interest,volume24h,funding_rate"


def wander(*, seconds: int, number: int = 3) -> Floats:
    """A price that wanders around 100, wilder in the second half."""
    rng = np.random.default_rng(number)
    steps = rng.normal(scale=np.where(np.arange(seconds) < seconds // 2, 2e-4, 4e-4))
    return np.asarray(100.0 * np.exp(np.cumsum(steps)))


def coin_day(last: Floats, *, liquidations: Liquidations | None = None) -> CoinDay:
    at_ms = START_MS + 1_000 * np.arange(len(last))
    none = Liquidations(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))
    return CoinDay("XUSDT", "2024-02-28", Ticker(at_ms, last, np.full(len(last), 500.0)), liquidations or none)


def write_market(folder: Path, last: Floats) -> None:
    for name in ("tickers_1s", "liquidations"):
        (folder / name).mkdir(exist_ok=True)
    lines = [
        f"{START_MS + 1_000 * row},{price:.4f},1,1,1,1,1,1,{1_000 + 5 * row},0.0001"
        for row, price in enumerate(last.tolist())
    ]
    path = folder / "tickers_1s" / "bybit_XUSDT_2024-02-28.csv.gz"
    path.write_bytes(gzip.compress("\n".join([HEADER, *lines]).encode()))
    forced = [
        f"{START_MS + 90_000},{START_MS + 60_000},XUSDT,Sell,2,{last[60]:.4f}",
        f"{START_MS - 5_000},{START_MS - 9_000},XUSDT,Buy,3,{last[0]:.4f}",
    ]
    path = folder / "liquidations" / "bybit_XUSDT_liquidations.csv.gz"
    path.write_bytes(gzip.compress("\n".join(["t_logged_ms,t_update_ms,symbol,side,size,price", *forced]).encode()))


class Notebook:
    """A memory that writes down what it is fed and asked."""

    def __init__(self) -> None:
        self.at_ms: list[int] = []
        self.forced_ms: list[int] = []
        self.newest_ms: list[tuple[float, int]] = []

    def feed(self, ticker: Ticker, liquidations: Liquidations) -> None:
        self.at_ms += ticker.at_ms.tolist()
        self.forced_ms += liquidations.at_ms.tolist()

    def strength(self, prices: Floats, *, at: float) -> Floats:
        self.newest_ms.append((at * 1e3, max([*self.at_ms, *self.forced_ms])))
        return prices

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


def forced_by_chance(*, hours: int, number: int = 3) -> Liquidations:
    """Liquidations of a price that wanders around 100, about ten an hour, none in every seventh hour."""
    rng = np.random.default_rng(number)
    at_ms = START_MS + np.sort(rng.integers(0, hours * 3_600_000, size=hours * 10))
    at_ms = at_ms[at_ms // 3_600_000 % 7 != 0]
    price = 100.0 * np.exp(np.cumsum(rng.normal(scale=2e-3, size=len(at_ms))))
    return Liquidations(at_ms, price, rng.uniform(1e3, 1e5, size=len(at_ms)), rng.integers(0, 2, size=len(at_ms)))


def write_liquidations(folder: Path, forced: Liquidations) -> None:
    (folder / "liquidations").mkdir(exist_ok=True)
    columns = zip(forced.at_ms.tolist(), forced.price.tolist(), forced.usd.tolist(), forced.long.tolist(), strict=True)
    rows = [f"{at},{at},XUSDT,{'Buy' if long else 'Sell'},{usd / price},{price}" for at, price, usd, long in columns]
    path = folder / "liquidations" / "bybit_XUSDT_liquidations.csv.gz"
    path.write_bytes(gzip.compress("\n".join(["t_logged_ms,t_update_ms,symbol,side,size,price", *rows]).encode()))


def write_recording(folder: Path, *, seconds: int = 120) -> None:
    """A recording of a few prices that keep their size, lose it and get it back."""
    (folder / "l2").mkdir(exist_ok=True)
    start, lines = START_MS * 1_000_000, []

    def say(second: float, message: str) -> None:
        lines.append(f"{start + round(second * 1e9)} {message}")

    say(0, '{"lastUpdateId":1,"bids":[["99.0","9000"],["98.0","9000"],["97.0","1"]],"asks":[["101.0","9000"]]}')
    for number in range(1, seconds):
        size = 9_000 if number // 15 % 2 else 0
        told = (
            f'"U":{number + 1},"u":{number + 1},"pu":{number},"b":[["98.0","{size}"],["97.0","{9_000 - size}"]],"a":[]'
        )
        say(number, f'{{"e":"depthUpdate","s":"XUSDT",{told}}}')
        say(number + 0.5, '{"e":"bookTicker","s":"XUSDT","u":1,"b":"99.9","B":"1","a":"100.1","A":"1"}')
    (folder / "l2" / "x_20240808.jsonl.gz").write_bytes(gzip.compress("\n".join([*lines, ""]).encode()))


class Notebook:
    """A memory that writes down what it is fed and asked."""

    def __init__(self) -> None:
        self.at_ms: list[int] = []
        self.forced_ms: list[int] = []
        self.newest_ms: list[tuple[int, int]] = []

    def feed(self, ticker: Ticker, liquidations: Liquidations) -> None:
        self.at_ms += ticker.at_ms.tolist()
        self.forced_ms += liquidations.at_ms.tolist()

    def strength(self, prices: Floats, *, at_ms: int) -> Floats:
        self.newest_ms.append((at_ms, max([*self.at_ms, *self.forced_ms])))
        return prices

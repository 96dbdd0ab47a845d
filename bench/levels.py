"""The level book: events a second from arrays, against loops over the same events; flat in the number of levels."""

from __future__ import annotations

import tempfile
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from asterism import Memory
from asterism.core.ledger.columns import Floats
from asterism.core.ledger.parameters import Setting
from asterism.core.levels.events import LIQUIDATION, PRICE, TRADE, Events
from asterism.core.levels.kernel_book import KernelBook
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.plain import PlainBook
from asterism.feeds import open_feed
from bench.timing import Figure, Goal, Timing, interleaved, rate, timed

NAME = "levels"
RULES: dict[str, dict[str, Setting]] = {"seed": {}, "once a visit": {"revisit": "left", "path": "all"}}
NARROW = {"band_bps": 0.02, "liquidation_proximity_bps": 0.01, "levels_max": 10_000_000}


def run(*, quick: bool) -> Iterator[Figure]:
    size = 200_000 if quick else 2_000_000
    few = size // 20
    KernelBook(LevelParameters()).feed(trades(10), np.zeros(10, dtype=np.bool_))  # compile, or load what was compiled
    for rules, settings in RULES.items():
        for name, events in (("trades", trades(size)), ("prices", prices(size)), ("a mix", mixed(size))):
            parameters = LevelParameters.build("seed", settings)
            some = events.take(slice(0, few))
            jobs = {
                "ours": lambda p=parameters, e=events: feed(KernelBook(p), e),
                "plain": lambda p=parameters, e=some: feed(PlainBook(p), e),
                "lean": lambda e=some: lean_loop(e),
            }
            taken = interleaved(jobs, repeat=3)  # type: ignore[arg-type]
            goal = Goal("ours", ">=", 5e6) if rules == "seed" else None
            yield rate(
                f"batch path, {name}, {rules}",
                taken["ours"],
                "events/s",
                units=size,
                other="the readable book, same bits",
                theirs=taken["plain"],
                their_units=few,
                goal=goal,
            )
            if name == "trades" and rules == "seed":
                yield rate(
                    "batch path, trades, against a lean loop",
                    taken["ours"],
                    "events/s",
                    units=size,
                    other="a dozen lines: bisect, boost, decay",
                    theirs=taken["lean"],
                    their_units=few,
                )
    yield from by_levels(size, most=100_000 if quick else 1_000_000)
    yield from from_files(quick=quick)


def by_levels(size: int, *, most: int) -> Iterator[Figure]:
    """Feed trades to books of ever more live levels: along a path, as markets move, and all over the place."""
    chance = np.random.default_rng(3)
    for name in ("along a path", "anywhere"):
        first: Timing | None = None
        count = 100
        while count <= most:
            book, centres = stocked(count)
            steps = np.abs(np.cumsum(chance.integers(-3, 4, size))) % count
            where = steps if name == "along a path" else chance.integers(0, count, size)
            at = count + np.arange(size) * 1_000
            events = Events.of(size, kind=TRADE, at=at, price=centres[where], usd=500.0)
            taken = interleaved({"ours": lambda b=book, e=events: feed(b, e)}, repeat=3)["ours"]  # type: ignore[misc]
            first = first or taken
            yield rate(
                f"{count:,} live levels, {name}",
                taken,
                "events/s",
                units=size,
                other="100 live levels",
                theirs=first,
                goal=Goal("ratio", ">=", 1 / 1.5) if name == "along a path" and count <= 100_000 else None,
                note=f"{book.bytes_per_level():.0f} bytes a level" if count >= 10_000 else "",
            )
            count *= 10


def from_files(*, quick: bool) -> Iterator[Figure]:
    """From a file to levels: reading alone, and the whole way into a durable memory."""
    with tempfile.TemporaryDirectory() as folder:
        day, many = Path(folder) / "tickers.csv", Path(folder) / "trades.csv"
        write_csv(day, trades(86_400), columns=("at", "price"))
        write_csv(many, trades(300_000 if quick else 3_000_000), columns=("at", "price", "usd"))
        mapping = {day: "at=at,price=price,kind=price", many: "at=at,price=price,usd=usd,kind=trade"}
        for path, size in ((day, 86_400), (many, 300_000 if quick else 3_000_000)):
            reading = timed(lambda p=path: read_all(p, mapping[p]))  # type: ignore[misc]
            whole = timed(lambda p=path: remember(p, mapping[p]))  # type: ignore[misc]
            yield rate(
                f"{size:,} rows of CSV into a durable memory",
                whole,
                "rows/s",
                units=size,
                other="reading the file alone",
                theirs=reading,
                note=f"{whole.wall:.1f} s in all, of which reading {reading.wall:.1f} s",
            )


def write_csv(path: Path, events: Events, *, columns: Sequence[str]) -> None:
    table = [events.at // 1_000 + 1_700_000_000_000, events.price, events.usd][: len(columns)]
    np.savetxt(
        path,
        np.column_stack(table),
        fmt=["%d", "%.1f", "%.2f"][: len(columns)],
        delimiter=",",
        header=",".join(columns),
        comments="",
    )


def read_all(path: Path, mapping: str) -> None:
    for _ in open_feed(path, mapping=mapping, unit="ms").batches():
        pass


def remember(path: Path, mapping: str) -> None:
    file = path.with_suffix(".db")
    with Memory.open_sync(file, space="bench") as memory:
        memory.feed_file("X", path, mapping=mapping, unit="ms")


def stocked(count: int) -> tuple[KernelBook, Floats]:
    """Make a book of so many levels, side by side."""
    centres = 50_000.0 * np.exp(np.arange(count) * 2.2e-6)
    book = KernelBook(LevelParameters.build("seed", NARROW))
    feed(book, Events.of(count, kind=LIQUIDATION, at=np.arange(count), price=centres))
    return book, centres


def feed(book: KernelBook | PlainBook, events: Events) -> None:
    book.feed(events, np.zeros(events.size, dtype=np.bool_))


def path(size: int, seed: int) -> Floats:
    """Walk between two prices, reflected at both."""
    steps = np.cumsum(np.random.default_rng(seed).normal(0.0, 1e-5, size))
    low, high = np.log(40_000.0), np.log(60_000.0)
    width = high - low
    folded = np.abs((steps + np.log(50_000.0) - low) % (2 * width) - width)
    prices: Floats = np.round(np.exp(high - folded), 1)
    return prices


def trades(size: int) -> Events:
    chance = np.random.default_rng(1)
    at = np.sort(chance.integers(0, 86_400_000_000, size))
    return Events.of(size, kind=TRADE, at=at, price=path(size, 2), usd=np.round(chance.exponential(1_400.0, size), 2))


def prices(size: int) -> Events:
    return trades(size)._replace(kind=np.full(size, PRICE, dtype=np.uint8))


def mixed(size: int) -> Events:
    chance = np.random.default_rng(4)
    kind = chance.choice(4, size, p=[0.6, 0.05, 0.05, 0.3]).astype(np.uint8)
    return trades(size)._replace(
        kind=kind, seconds=np.round(chance.exponential(20.0, size), 1), episode=chance.integers(0, 3_000, size)
    )


def lean_loop(events: Events) -> int:
    """What one would write by hand: no pending, no sides, no path, no archive, no bounds."""
    centres: list[float] = []
    strengths: dict[float, list[float]] = {}
    reach, rate_ = 5e-4, 1e-4
    for at, price, usd in zip(events.at.tolist(), events.price.tolist(), events.usd.tolist(), strict=True):
        place = bisect_left(centres, price)
        best = None
        for near in centres[max(0, place - 1) : place + 1]:
            if abs(price - near) <= near * reach and (best is None or abs(price - near) < abs(price - best)):
                best = near
        if best is not None:
            level = strengths[best]
            level[0] = min(1.0, level[0] * max(0.0, 1.0 - rate_ * ((at - level[1]) / 1e6)) + 0.1)
            level[1] = at
        elif usd >= 1_000.0:
            insort(centres, price)
            strengths[price] = [min(1.0, 0.4 + 0.05 * usd / 1_000.0), at]
    return len(centres)

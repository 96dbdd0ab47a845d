"""Small market batches: what is sent, by whom, and in which lanes it keeps its order; shared by the tests of feeds.

A *lane* is what one sender sends, in order: the parts of a file, or a single batch of a stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from hypothesis import strategies as st

from asterism.core.ledger.items import Item, make_item
from asterism.core.levels.events import Events, events_of
from asterism.core.levels.fold import MarketBatch
from asterism.core.levels.state import NEVER

START = 1_750_000_000  # seconds: June 2025
Row = dict[str, object]


class Sent(NamedTuple):
    """One call of `feed`."""

    rows: list[Row]
    symbol: str = "X"
    source: str | None = None
    lateness: float = 2


def trade(at: float, price: float = 100.0, usd: float = 2_000.0) -> Row:
    """A fill, so many seconds after the start; by default one that makes a level."""
    return {"kind": "trade", "at": START + at, "price": price, "usd": usd}


def price(at: float, price: float) -> Row:
    """A point of the price path."""
    return {"kind": "price", "at": START + at, "price": price}


def persistence(at: float, seconds: float, episode: int, price: float = 100.0) -> Row:
    """A report of a resting order."""
    return {"kind": "persistence", "at": START + at, "price": price, "seconds": seconds, "episode": episode}


def liquidation(at: float, price: float = 100.0, n: int = 1) -> Row:
    """A liquidation, which always makes a level."""
    return {"kind": "liquidation", "at": START + at, "price": price, "n": n}


TIMES = st.integers(0, 120).map(lambda half: half / 2)
PRICES = st.sampled_from((100.0, 100.03, 100.06, 100.2, 101.0, 103.0))
ROW = st.one_of(
    st.builds(trade, TIMES, PRICES, st.sampled_from((99.0, 600.0, 2_000.0, 40_000.0))),
    st.builds(price, TIMES, PRICES),
    st.builds(persistence, TIMES, st.sampled_from((4, 12, 30)), st.integers(0, 2), PRICES),
    st.builds(liquidation, TIMES, PRICES, st.integers(1, 3)),
)
SYMBOLS = st.sampled_from(("X", "X", "Y"))


@st.composite
def files(draw: st.DrawFn, source: str = "file") -> list[Sent]:
    """Draw the parts of a file, more or less in order of time."""
    rows = draw(st.lists(ROW, min_size=1, max_size=8))
    if draw(st.booleans()):
        rows.sort(key=when)
    symbol, cuts = draw(SYMBOLS), draw(st.lists(st.integers(0, len(rows)), max_size=3))
    return [Sent(part, symbol, source, 0) for part in cut(rows, cuts)]


@st.composite
def lanes(draw: st.DrawFn) -> list[list[Sent]]:
    """Draw files and batches of streams."""
    rows = st.lists(ROW, min_size=1, max_size=4)
    stream = st.builds(Sent, rows, SYMBOLS, st.none(), st.sampled_from((2, 2, 2, 5, 0)))
    drawn = [[sent] for sent in draw(st.lists(stream, max_size=6))]
    return drawn + [draw(files(f"file-{number}")) for number in range(draw(st.integers(0, 2)))]


def turns(sizes: Iterable[int]) -> st.SearchStrategy[list[int]]:
    """Draw in which order lanes of so many calls are served."""
    return st.permutations([lane for lane, size in enumerate(sizes) for _ in range(size)])


def when(row: Row) -> float:
    """Give the time of a row."""
    return float(str(row["at"]))


def cut(rows: Sequence[Row], places: Iterable[int]) -> list[list[Row]]:
    """Cut rows at some places; no part is empty."""
    ends = sorted({0, len(rows), *places})
    return [list(rows[start:end]) for start, end in pairwise(ends)]


def events(*rows: Row) -> Events:
    """Read rows."""
    return events_of(rows).events


def item_of(sent: Sent, *, first: int = 0, last: int | None = None, after: int = NEVER) -> Item:
    """Give the item that a feed writes for a batch, after an earlier one of its source."""
    read = events(*sent.rows)
    batch = MarketBatch(
        sent.symbol, first, first + read.size if last is None else last, round(sent.lateness * 1e6), 0, read
    )
    at = int(read.at.max())
    return make_item(
        space="me",
        what="market",
        at=max(at, after + 1) if sent.source else at,
        payload=batch.payload(),
        known_at=0,
        source=sent.source or "",
    )


def items_of(lane: Iterable[Sent]) -> list[Item]:
    """Give the items of a lane, one after the other."""
    items: list[Item] = []
    first, after = 0, NEVER
    for sent in lane:
        items.append(item_of(sent, first=first, after=after))
        first, after = first + len(sent.rows), items[-1].at
    return items

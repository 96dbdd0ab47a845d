"""The fold of market batches: one ordered book for each symbol.

Symbols are independent, and levels count seconds, not days: a batch concerns its symbol alone. A batch that comes
after a later one and holds events whose time has gone by makes its symbol *stale*: it is folded anew, in order, by
whoever holds the ledger, before it is read. So the books are a function of the set of batches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from asterism.core.columns import Columns, prefixed, text_column, texts_of, under
from asterism.core.items import Item, Position, Value
from asterism.core.levels.events import BOOK, Events, events_of
from asterism.core.levels.ordered import OrderedBook, Taken
from asterism.core.levels.packing import pack, unpack
from asterism.core.levels.parameters import LevelParameters
from asterism.core.payloads import check_fields, text

KINDS = frozenset({"market"})


class MarketBatch(NamedTuple):
    """What a market item says: events of one symbol, where they stand in their source, how late they may come."""

    symbol: str
    first: int
    last: int
    lateness: int  # microseconds
    malformed: int  # rows of the source that were left out
    events: Events

    @classmethod
    def of(cls, item: Item) -> MarketBatch:
        """Read a market item."""
        said = item.payload
        first, last, lateness, malformed = (int(str(said[name])) for name in cls._fields[1:5])
        return cls(str(said["symbol"]), first, last, lateness, malformed, unpack(str(said["events"])))

    def payload(self) -> dict[str, str | int]:
        """Say this batch as a market item's payload."""
        return {name: value for name, value in self._asdict().items() if name != "events"} | {
            "events": pack(self.events)
        }


@dataclass
class Symbol:
    """One symbol's book, and how far its sources have been read."""

    book: OrderedBook
    position: Position | None = None  # of the last batch in order
    offsets: dict[str, int] = field(default_factory=dict)
    events: int = 0
    late: int = 0
    malformed: int = 0

    def take(self, item: Item, batch: MarketBatch, *, until: int | None = None, log: bool = False) -> Taken:
        """Take in a batch, up to a time; what its source gave before is not taken twice."""
        events = batch.events
        if item.source:
            known = self.offsets.get(item.source, 0)
            if events.size == batch.last - batch.first:  # else they were derived, and count otherwise than their source
                events = events.take(slice(max(0, known - batch.first), None))
            self.offsets[item.source] = max(known, batch.last)
        if until is not None:
            events = events.take(events.at <= until)
        self.position = max(self.position or item.position, item.position)
        taken = self.book.take(events, lateness=batch.lateness, log=log)
        self.events += events.size
        self.late += taken.late
        self.malformed += batch.malformed
        return taken

    def in_turn(self, item: Item, batch: MarketBatch) -> bool:
        """Say whether a batch may be taken in now: it is the next in order, or none of its events is late."""
        if self.position is None or item.position > self.position:
            return True
        return batch.lateness > 0 and not item.source and int(batch.events.at.min()) >= self.book.waiting.passed


class Levels:
    """The level books of a space."""

    name = "levels"

    def __init__(self, parameters: LevelParameters) -> None:
        self.parameters = parameters
        self.symbols: dict[str, Symbol] = {}
        self.stale: set[str] = set()

    def apply(self, item: Item) -> Taken | None:
        """Fold one batch; None if its symbol must be folded anew."""
        batch = MarketBatch.of(item)
        symbol = self.symbols.get(batch.symbol)
        if symbol is None:
            symbol = self.symbols[batch.symbol] = Symbol(OrderedBook(self.parameters))
        if batch.symbol in self.stale or not symbol.in_turn(item, batch):
            self.stale.add(batch.symbol)
            return None
        return symbol.take(item, batch)

    def refold(self, name: str, items: Iterable[Item]) -> None:
        """Fold a stale symbol anew, from all its batches in the order (at, id)."""
        self.symbols[name] = folded(items, name, self.parameters)
        self.stale.discard(name)

    def has(self, level: str) -> bool:
        """Say whether there is a level of this id, active or archived."""
        name, _, price = level.rpartition("@")
        symbol = self.symbols.get(name)
        if symbol is None or not is_price(price):
            return False
        columns = symbol.book.settled()
        return bool(((columns["centre"] == float(price)) & (columns["level"] == 1)).any())

    def copy(self) -> Levels:
        """Copy the books."""
        copied = Levels(self.parameters)
        copied.stale = set(self.stale)
        for name, symbol in self.symbols.items():
            copied.symbols[name] = Symbol(
                symbol.book.copy(), symbol.position, dict(symbol.offsets), symbol.events, symbol.late, symbol.malformed
            )
        return copied

    def dump(self) -> Columns:
        """Pack the books, by symbol."""
        assert not self.stale, "stale symbols are folded anew before they are packed"
        columns: Columns = {}
        for number, name in enumerate(sorted(self.symbols)):
            columns |= prefixed(str(number), _dump(self.symbols[name]))
        return columns | ({"symbols": text_column(sorted(self.symbols))} if self.symbols else {})

    @classmethod
    def load(cls, columns: Columns, parameters: LevelParameters) -> Levels:
        """Unpack what `dump` packed."""
        loaded = cls(parameters)
        for number, name in enumerate(texts_of(columns["symbols"]) if "symbols" in columns else ()):
            loaded.symbols[name] = _load(under(str(number), columns), parameters)
        return loaded


def is_price(text: str) -> bool:
    """Say whether a text names a price.

    >>> is_price("50000.5"), is_price("high")
    (True, False)
    """
    try:
        return float(text) > 0
    except ValueError:
        return False


def check_batch(item: Item) -> None:
    """Refuse a market item that no feed can have written."""
    check_fields(item.payload, FIELDS)
    batch = MarketBatch.of(item)
    events = batch.events
    if not events.size or events_of(events).malformed or (events.kind == BOOK).any():
        raise ValueError("its events are none that can be fed")
    if int(events.at.max()) != item.at:
        raise ValueError("its time is not that of its latest event")


def _packed(value: Value, field: str) -> None:
    if not isinstance(value, str):
        raise ValueError(f"its {field} are not packed")  # found in a ledger, not passed by a caller


def _count(value: Value, field: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"its {field} is no count")


FIELDS = {"symbol": text, "events": _packed} | dict.fromkeys(MarketBatch._fields[1:5], _count)


def folded(items: Iterable[Item], name: str, parameters: LevelParameters, *, until: int | None = None) -> Symbol:
    """Fold one symbol from the market items of a space, given in the order (at, id), up to a time."""
    symbol = Symbol(OrderedBook(parameters))
    for item in items:
        if item.payload["symbol"] == name:
            symbol.take(item, MarketBatch.of(item), until=until)
    return symbol


def _dump(symbol: Symbol) -> Columns:
    assert symbol.position is not None
    counts = [symbol.position.at, symbol.events, symbol.late, symbol.malformed]
    sources = sorted(symbol.offsets)
    return prefixed("book", symbol.book.dump()) | {
        "counts": np.array(counts, dtype=np.int64),
        "position": np.frombuffer(symbol.position.id, dtype=np.uint8),
        "sources": text_column(sources),
        "offsets": np.array([symbol.offsets[source] for source in sources], dtype=np.int64),
    }


def _load(columns: Columns, parameters: LevelParameters) -> Symbol:
    at, events, late, malformed = columns["counts"].tolist()
    return Symbol(
        book=OrderedBook.load(under("book", columns), parameters),
        position=Position(at, columns["position"].tobytes()),
        offsets=dict(zip(texts_of(columns["sources"]), columns["offsets"].tolist(), strict=True)),
        events=events,
        late=late,
        malformed=malformed,
    )

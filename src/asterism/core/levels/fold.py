"""The fold of market batches: one ordered book for each symbol.

Symbols are independent, and levels count seconds, not days: a batch concerns its symbol alone. A batch that comes
after a later one, where that can make a difference, makes its symbol *stale*: it is folded anew, in order, by
whoever holds the ledger, before it is read. So the books are a function of the set of batches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.columns import Columns, prefixed, text_column, texts_of, under
from asterism.core.ledger.graph import Stale
from asterism.core.ledger.items import Item, Position, Value, check_text, cut, make_item
from asterism.core.ledger.nodes import is_price, level_id
from asterism.core.ledger.payloads import Fields, check_fields
from asterism.core.levels.events import BOOK, Events, events_of
from asterism.core.levels.ordered import OrderedBook, Taken
from asterism.core.levels.packing import pack, unpack
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.state import NEVER
from asterism.errors import InputError

KINDS = frozenset({"market"})
MOST_COUNTED = 2**53  # events of a source


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


class Reached(NamedTuple):
    """How far a source has been read."""

    offset: int = 0
    at: int = NEVER  # the time of its last batch: the next one comes later, so that they stay in order


@dataclass
class Symbol:
    """One symbol's book, and how far its sources have been read."""

    book: OrderedBook
    position: Position | None = None  # of the last batch in order
    sources: dict[str, Reached] = field(default_factory=dict)
    events: int = 0
    late: int = 0
    malformed: int = 0
    since: Position | None = None  # all batches after this one wait as long as each other, and span no more than that
    lateness: int = -1  # how long they wait, microseconds

    def take(self, item: Item, batch: MarketBatch, *, until: int | None = None, log: bool = False) -> Taken:
        """Take in a batch, up to a time; what its source gave before is not taken twice."""
        events = batch.events
        if item.source:
            events = events.take(slice(max(0, self.reached(item.source).offset - batch.first), None))
        self.read(item, batch)
        if until is not None:
            events = events.take(events.at <= until)
        taken = self.book.take(events, lateness=batch.lateness, log=log)
        self.position = max(self.position or item.position, item.position)
        self._settle(batch)
        self.events += events.size
        self.late += taken.late
        self.malformed += batch.malformed
        return taken

    def reached(self, source: str) -> Reached:
        """Say how far a source has been read."""
        return self.sources.get(source, Reached())

    def read(self, item: Item, batch: MarketBatch) -> None:
        """Note how far the source of a batch has been read."""
        if item.source:
            offset, at = self.reached(item.source)
            self.sources[item.source] = Reached(max(offset, batch.last), max(at, item.at))

    def in_turn(self, item: Item, batch: MarketBatch) -> bool:
        """Say whether a batch may be taken in now: it is the next in order, or its place makes no difference.

        That is so if none of its events is late here, and it would make none late of the batches after it.
        """
        if self.position is None or item.position > self.position:
            return True
        return (
            not item.source
            and 0 < batch.lateness == self.lateness
            and self.since is not None
            and item.position > self.since
            and int(batch.events.at.min()) >= self.book.waiting.passed
        )

    def _settle(self, batch: MarketBatch) -> None:
        waiting, span = self.book.waiting, int(np.ptp(batch.events.at))
        if batch.lateness != self.lateness or span > batch.lateness or waiting.events.size > waiting.most // 4:
            self.since, self.lateness = self.position, batch.lateness


class Levels:
    """The level books of a space."""

    name = "levels"

    def __init__(self, parameters: LevelParameters) -> None:
        self.parameters = parameters
        self.symbols: dict[str, Symbol] = {}
        self.stale: set[str] = set()
        self.revision = object()  # another one whenever there is another symbol

    def apply(self, item: Item) -> Taken | None:
        """Fold one batch; None if its symbol must be folded anew."""
        batch = MarketBatch.of(item)
        symbol = self.symbols.get(batch.symbol)
        if symbol is None:
            symbol = self.symbols[batch.symbol] = Symbol(OrderedBook(self.parameters))
            self.revision = object()
        if batch.symbol in self.stale or not symbol.in_turn(item, batch):
            self.stale.add(batch.symbol)
            symbol.read(item, batch)
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
        if symbol is None or not is_price(price) or level != level_id(name, float(price)):
            return False
        if name in self.stale:
            raise Stale
        columns = symbol.book.settled()
        return bool(((columns["centre"] == float(price)) & (columns["level"] == 1)).any())

    def copy(self) -> Levels:
        """Copy the books."""
        copied = Levels(self.parameters)
        copied.stale = set(self.stale)
        for name, symbol in self.symbols.items():
            copied.symbols[name] = replace(symbol, book=symbol.book.copy(), sources=dict(symbol.sources))
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


def check_symbol(value: object, field: str = "symbol") -> None:
    """Let through the name of a symbol; ids are symbol@price, and a~b for a link."""
    if found := [sign for sign in "@~" if sign in check_text(value, field=field)]:
        raise InputError(
            f"the {field} {cut(str(value))!r} has {found[0]} in it",
            code="bad_text",
            item=field,
            hint="write it without @ and ~: a level's id is symbol@price, a link's a~b",
        )


def check_batch(item: Item) -> None:
    """Refuse a market item that no feed can have written."""
    check_fields(item.payload, FIELDS)
    batch = MarketBatch.of(item)
    events = batch.events
    if not events.size or events_of(events).malformed or (events.kind == BOOK).any():
        raise ValueError("its events are none that can be fed")
    if batch.last - batch.first != events.size or batch.lateness > MOST_LATE:
        raise ValueError("it holds not as many events as it says, or waits too long")
    latest = int(events.at.max())
    if item.at < latest or (item.at > latest and not item.source):
        raise ValueError("its time is not that of its latest event")


def _packed(value: Value, field: str) -> None:
    if not isinstance(value, str):
        raise ValueError(f"its {field} are not packed")  # found in a ledger, not passed by a caller


def _count(value: Value, field: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_COUNTED:
        raise ValueError(f"its {field} is no count")


FIELDS: Fields = {"symbol": check_symbol, "events": _packed, **dict.fromkeys(MarketBatch._fields[1:5], _count)}
MOST_LATE = round(dict(LevelParameters.table())["lateness"].high * 1e6)


def folded(items: Iterable[Item], name: str, parameters: LevelParameters, *, until: int | None = None) -> Symbol:
    """Fold one symbol from the market items of a space, given in the order (at, id), up to a time."""
    symbol = Symbol(OrderedBook(parameters))
    for item in of_symbol(items, name, until=until):
        symbol.take(item, MarketBatch.of(item), until=until)
    return symbol


def of_symbol(items: Iterable[Item], name: str, *, until: int | None = None) -> Iterable[Item]:
    """Give the batches of one symbol in order: that which they would have if nothing had come after a time."""
    mine = (item for item in items if item.payload["symbol"] == name)
    if until is None:
        return mine
    kept: list[tuple[Position, Item]] = []
    reached: dict[str, int] = {}
    for item in mine:
        then = item if item.at <= until else _until(item, until, after=reached.get(item.source, NEVER))
        if then is not None:
            kept.append((then.position, item))
            if item.source:
                reached[item.source] = then.at
    return [item for _, item in sorted(kept, key=itemgetter(0))]


def _until(item: Item, until: int, *, after: int) -> Item | None:
    """Give the batch as it would have been written at a time."""
    batch = MarketBatch.of(item)
    events = batch.events.take(batch.events.at <= until)
    if not events.size:
        return None
    at = int(events.at.max())
    told = batch._replace(last=max(batch.first, batch.last - batch.events.size + events.size), events=events)
    return make_item(
        space=item.space,
        what=item.what,
        at=max(at, after + 1) if item.source else at,
        payload=told.payload(),
        known_at=item.known_at,
        source=item.source,
    )


def _dump(symbol: Symbol) -> Columns:
    assert symbol.position is not None
    counts = [symbol.position.at, symbol.events, symbol.late, symbol.malformed]
    sources = sorted(symbol.sources)
    reached = [symbol.sources[source] for source in sources]
    return prefixed("book", symbol.book.dump()) | {
        "counts": np.array(counts, dtype=np.int64),
        "position": np.frombuffer(symbol.position.id, dtype=np.uint8),
        "sources": text_column(sources),
        "reached": np.array(reached, dtype=np.int64).reshape(-1, 2),
    }


def _load(columns: Columns, parameters: LevelParameters) -> Symbol:
    at, events, late, malformed = columns["counts"].tolist()
    reached = [Reached(*row) for row in columns["reached"].tolist()]
    return Symbol(
        book=OrderedBook.load(under("book", columns), parameters),
        position=Position(at, columns["position"].tobytes()),
        sources=dict(zip(texts_of(columns["sources"]), reached, strict=True)),
        events=events,
        late=late,
        malformed=malformed,
    )

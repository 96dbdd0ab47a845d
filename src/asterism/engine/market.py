"""Market feeds in the memory: batches become items, books are read, a level can say why it is what it is."""

from __future__ import annotations

import difflib
from typing import NamedTuple

import numpy as np

from asterism.core.calendar import EARLIEST, to_datetime
from asterism.core.columns import Columns
from asterism.core.items import Item, check_text, make_item
from asterism.core.levels import read
from asterism.core.levels.book import malformed, report
from asterism.core.levels.events import BOOK, Batch, Events, Parsed, events_of
from asterism.core.levels.fold import MarketBatch, Symbol, folded, is_price
from asterism.core.levels.history import History, Replay, history
from asterism.core.levels.history import replay as replayed
from asterism.core.levels.history import why as why_level
from asterism.core.levels.model import FeedReport, Level, SymbolInfo
from asterism.core.levels.ordered import Taken
from asterism.core.levels.ordering import Ready
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.resting import Resting
from asterism.core.levels.state import EFFECTS, Fed
from asterism.core.model import Why
from asterism.core.projection import Projection
from asterism.engine.live import Live, future_time
from asterism.errors import InputError, UnknownError

BATCH = 65_536  # events in one item


class Feeding(NamedTuple):
    """How a batch is to be taken: whose it is, where it stands, how late it may come."""

    symbol: str
    unit: str = "s"
    source: str | None = None
    offset: int | None = None
    lateness: float | None = None
    strict: bool = False


def feed(live: Live, how: Feeding, events: Batch | Events, *, resting: dict[str, Resting]) -> FeedReport:
    """Write events of one symbol durably, fold them, and say what became of them."""
    check_text(how.symbol, field="symbol")
    if "@" in how.symbol:
        raise InputError(
            f"the symbol {how.symbol!r} has an @ in it",
            code="bad_text",
            item="symbol",
            hint="level ids are symbol@price",
        )
    parsed = events_of(events, unit=how.unit)
    if how.strict and parsed.malformed:
        raise malformed(parsed.malformed[0])
    before: dict[str, int] = {}

    def build(projection: Projection) -> list[Item]:
        symbol = projection.levels.symbols.get(how.symbol)
        before.update(symbol.book.drops() if symbol else {})
        return _items(live, how, parsed, symbol, resting)

    written = live.write(build)
    after = live.held.levels.symbols.get(how.symbol)
    dropped = {} if after is None else {name: count - before.get(name, 0) for name, count in after.book.drops().items()}
    return report(
        how.symbol,
        _together([each.done for each in written if isinstance(each.done, Taken)]),
        parsed.malformed,
        {name: count for name, count in dropped.items() if count},
        waiting=after.book.waiting.events.size if after else 0,
        stale=how.symbol in live.held.levels.stale,
        duplicates=sum(each.outcome.duplicate for each in written),
    )


def _items(live: Live, how: Feeding, parsed: Parsed, symbol: Symbol | None, resting: dict[str, Resting]) -> list[Item]:
    """Cut a batch into items; what its source gave before is left out."""
    known = symbol.offsets.get(how.source, 0) if symbol and how.source else 0
    first = known if how.offset is None else how.offset
    events = parsed.events.take(slice(max(0, known - first), None)) if how.source else parsed.events
    first = max(first, known)
    last, p = first + events.size, live.parameters.levels
    derived = how.symbol in resting or bool((events.kind == BOOK).any())
    if derived:
        rests = resting.setdefault(how.symbol, Resting(p.book_floor_usd, p.book_report_seconds))
        events = rests.through(events)
    _check_times(live, events)
    lateness = round((p.lateness if how.lateness is None else how.lateness) * 1e6)
    known_at = live.clock()
    items = []
    for start in range(0, events.size, BATCH):
        part = events.take(slice(start, start + BATCH))
        begins, ends = (first, first) if derived else (first + start, first + start + part.size)
        if derived and start + BATCH >= events.size:
            ends = last  # the offset moves on with the last item of what was derived
        bad = 0 if start else len(parsed.malformed)
        payload = MarketBatch(how.symbol, begins, ends, lateness, bad, part).payload()
        at = int(part.at.max())
        items.append(
            make_item(
                space=live.space, what="market", at=at, payload=payload, known_at=known_at, source=how.source or ""
            )
        )
    return items


def _check_times(live: Live, events: Events) -> None:
    """Refuse a batch with a time that is none: the future, or before 1900."""
    if not events.size:
        return
    first, last, now = int(events.at.min()), int(events.at.max()), live.now()
    if last > now:
        raise future_time(last, now, hint="declare the unit of `at`; a batch holds what has happened")
    if first < EARLIEST:
        raise InputError(
            f"{to_datetime(first).isoformat()} is before 1900",
            code="bad_time",
            item=to_datetime(first).isoformat(),
            hint="times begin at 1900-01-01; declare the unit of `at`",
        )


def _together(folds: list[Taken]) -> Taken:
    """Add up what became of several items."""
    ready = Ready(
        Events.join([each.ready.events for each in folds]),
        np.concatenate([[], *(each.ready.late for each in folds)]).astype(np.bool_),
    )
    counts = sum((each.fed.counts for each in folds), start=np.zeros(len(EFFECTS), dtype=np.int64))
    return Taken(ready, Fed(counts, None))


# Reading


class Seen(NamedTuple):
    """A symbol's book as it is, or was, at a time."""

    symbol: str
    columns: Columns
    at: int
    parameters: LevelParameters

    def levels(self) -> list[Level]:
        """Give the levels that stand, strongest first."""
        return read.levels(self.columns, self.symbol, self.parameters, at=self.at)

    def gap(self, bps: float | None) -> float:
        """Give the widest gap inside a cluster: the one asked for, or the parameter."""
        return self.parameters.cluster_gap_bps if bps is None else bps


def look(live: Live, name: str, *, at: int | None, known_at: int | None = None) -> Seen:
    """Give a symbol's book at a time; None is the time of its latest event."""
    symbol, parameters = known_symbol(live, name), live.parameters.levels
    until = symbol.book.latest if at is None else at
    if known_at is not None or until < symbol.book.latest:
        symbol = folded(market_items(live, known_at), name, parameters, until=until)
    return Seen(name, symbol.book.settled(), until, parameters)


def symbols(live: Live) -> list[SymbolInfo]:
    """Give the symbols of a space, with how much of each was fed."""
    return [
        SymbolInfo(
            name,
            symbol.events,
            symbol.late,
            symbol.malformed,
            int((symbol.book.columns["level"] == 1).sum()),
            to_datetime(symbol.book.latest),
            dict(sorted(symbol.offsets.items())),
            symbol.book.drops(),
        )
        for name, symbol in sorted(live.refresh().levels.symbols.items())
    ]


def fed(live: Live, name: str, source: str) -> int:
    """Say how many events of a source have been recorded."""
    symbol = live.refresh().levels.symbols.get(name)
    return symbol.offsets.get(source, 0) if symbol else 0


def known_symbol(live: Live, name: str) -> Symbol:
    """Give what is kept of a symbol."""
    symbols = live.refresh().levels.symbols
    if name not in symbols:
        near = difflib.get_close_matches(str(name), symbols, n=3, cutoff=0.4)
        raise UnknownError(
            f"there is no symbol {name!r} in this space",
            code="unknown_symbol",
            item=str(name),
            hint=f"did you mean {' or '.join(near)}?" if near else "feed it first: feed(symbol, events)",
        )
    return symbols[name]


def market_items(live: Live, known_at: int | None = None) -> list[Item]:
    """Give the market items of a space, in order."""
    return [stored.item for stored in live.store.items(live.space, known_until=known_at, only="market")]


def _history(live: Live, name: str, *, at: int | None, known_at: int | None) -> tuple[History, int]:
    symbol = known_symbol(live, name)
    until = symbol.book.latest if at is None else at
    return history(market_items(live, known_at), name, live.parameters.levels, until=until), until


def why(live: Live, level: str, *, at: int | None, known_at: int | None = None) -> Why:
    """Explain a level: its items in order with what each added, and what decay took."""
    name, _, price = level.rpartition("@")
    told, until = _history(live, name, at=at, known_at=known_at)
    explained = why_level(told, float(price), until) if is_price(price) else None
    if explained is None:
        raise UnknownError(
            f"there is no level {level}",
            code="unknown_level",
            item=level,
            hint=f"levels({name!r}) lists those there are",
        )
    return explained


def replay(
    live: Live, name: str, *, start: int | None, end: int | None, known_at: int | None, steps: int, most: int
) -> Replay:
    """Give strength through time: at equal steps between two times, or between the first and the latest event."""
    for field, value in (("steps", steps), ("most", most)):
        if value < 1:
            raise InputError(
                f"{field} {value!r} is below 1", code="bad_count", item=field, hint="give a number above 0"
            )
    told, until = _history(live, name, at=end, known_at=known_at)
    begins = start if start is not None else int(told.path_at[0]) if len(told.path_at) else until
    return replayed(told, start=min(begins, until), end=until, steps=steps, most=most)

"""Market feeds in the memory: batches become items, and books are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.arguments import number, whole
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.columns import Columns
from asterism.core.ledger.items import Item, check_text, make_item
from asterism.core.levels import read
from asterism.core.levels.book import malformed, report
from asterism.core.levels.book import resting as resting_of
from asterism.core.levels.events import BOOK, Batch, Events, Malformed, Parsed, events_of
from asterism.core.levels.explain import unknown_symbol
from asterism.core.levels.fold import KINDS as LEVEL_KINDS
from asterism.core.levels.fold import (
    MOST_COUNTED,
    MOST_LATE,
    MarketBatch,
    Reached,
    Symbol,
    check_symbol,
    folded,
)
from asterism.core.levels.history import History, Replay, history
from asterism.core.levels.history import replay as replayed
from asterism.core.levels.model import FeedReport, Level, SymbolInfo
from asterism.core.levels.ordered import Taken
from asterism.core.levels.ordering import Ready
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.resting import Resting
from asterism.core.levels.state import EFFECTS, NEVER, Fed
from asterism.core.space.projection import Projection
from asterism.engine.space.live import Live, Written
from asterism.engine.space.looking import future_time
from asterism.errors import InputError
from asterism.hints import Blank, Hint, step

BATCH = 65_536  # events in one item


class Feeding(NamedTuple):
    """How a batch is to be taken: whose it is, where it stands, how late it may come."""

    symbol: str
    unit: str = "s"
    source: str | None = None
    offset: int | None = None
    lateness: float | None = None
    strict: bool = False


def feed(
    live: Live,
    how: Feeding,
    events: Batch | Events,
    *,
    resting: dict[str, Resting],
    bad: tuple[Malformed, ...] = (),
) -> FeedReport:
    """Write events of one symbol durably, fold them, and say what became of them.

    `bad` are rows that whoever read the events had to leave out.
    """
    _check(how)
    parsed = events_of(events, unit=how.unit)
    parsed = parsed._replace(malformed=(*bad, *parsed.malformed))
    if how.strict and parsed.malformed:
        raise malformed(parsed.malformed[0])
    before: dict[str, int] = {}
    rests = dict(resting)
    if how.symbol in resting:  # a copy: what is not written has not been
        rests[how.symbol] = resting_of(live.parameters.levels).load(resting[how.symbol].dump())

    def build(projection: Projection) -> list[Item]:
        symbol = projection.levels.symbols.get(how.symbol)
        before.update(symbol.book.drops() if symbol else {})
        return _items(live, how, parsed, symbol, rests)

    written = live.write(build, told=LEVEL_KINDS)
    resting.update(rests)
    after = live.held.levels.symbols.get(how.symbol)
    dropped = {} if after is None else {name: count - before.get(name, 0) for name, count in after.book.drops().items()}
    return report(
        how.symbol,
        _together([each.done for each in written if isinstance(each.done, Taken)]),
        parsed.malformed,
        {name: count for name, count in dropped.items() if count},
        waiting=after.book.waiting.events.size if after else 0,
        later=_put_off(written),
        duplicates=sum(each.outcome.duplicate for each in written),
        skipped=_repeated(parsed, written) if how.source else 0,
    )


def _repeated(parsed: Parsed, written: Sequence[Written]) -> int:
    """Count the events of a source that were recorded before."""
    return parsed.events.size - sum(_size(each.item) for each in written)


def _size(item: Item) -> int:
    return int(str(item.payload["last"])) - int(str(item.payload["first"]))


def _put_off(written: Sequence[Written]) -> int:
    """Count the events that will be taken in when their symbol is folded anew."""
    off = [each.item for each in written if each.done is None and each.outcome.seq is not None]
    return sum(_size(item) for item in off)


def _check(how: Feeding) -> None:
    """Refuse what is no way to feed."""
    check_symbol(how.symbol)
    if how.source is not None:
        check_text(how.source, field="source")
    if how.offset is not None:
        number(whole(how.offset, name="offset", least=0), name="offset", low=0, high=MOST_COUNTED // 2)
        if how.source is None:
            raise InputError(
                "an offset without a source", code="bad_offset", item="offset", hint="name the source it counts"
            )
    if how.lateness is not None:
        number(how.lateness, name="lateness", low=0, high=MOST_LATE / 1e6)


def _items(live: Live, how: Feeding, parsed: Parsed, symbol: Symbol | None, resting: dict[str, Resting]) -> list[Item]:
    """Cut a batch into items; what its source gave before is left out."""
    known, latest = symbol.reached(how.source) if symbol and how.source else Reached()
    first = known if how.offset is None else how.offset
    events = parsed.events.take(slice(max(0, known - first), None)) if how.source else parsed.events
    first, p = max(first, known), live.parameters.levels
    _check_times(live, events)
    has_book = bool((events.kind == BOOK).any())
    if how.source and has_book:
        raise InputError(
            "order-book events cannot be counted by an offset: what they become is another number of events",
            code="bad_offset",
            item=how.source,
            hint="feed a stream with book events without a source, or a file of them with feed_file",
        )
    if has_book or (how.symbol in resting and not how.source):
        events = resting.setdefault(how.symbol, resting_of(p)).through(events)
    if how.source and first > known:
        raise InputError(
            f"offset {first} of {how.source} leaves a gap: {known} events are recorded",
            code="bad_offset",
            item=str(first),
            hint=Hint(
                "feed what is missing first: ", step("fed", Blank("symbol"), Blank("source")), " says where to go on"
            ),
        )
    lateness = round((p.lateness if how.lateness is None else how.lateness) * 1e6)
    known_at, bad = live.stamp(), len(parsed.malformed)
    items: list[Item] = []
    for part in _parts(events, waits=0 if how.source else lateness):
        last = first + part.size
        payload = MarketBatch(how.symbol, first, last, lateness, 0 if items else bad, part).payload()
        first, at = last, int(part.at.max())
        if how.source:
            at = latest = max(at, latest + 1)  # whatever their times: batches of one source stay in order
        items.append(
            make_item(
                space=live.space, what="market", at=at, payload=payload, known_at=known_at, source=how.source or ""
            )
        )
    return items


def _parts(events: Events, *, waits: int) -> list[Events]:
    """Cut events for items; the end of a stream, as long as others may still come before it, is apart."""
    if not events.size:
        return []
    end = events.at >= events.at.max() - waits if waits else np.ones(events.size, dtype=np.bool_)
    return [
        part.take(slice(start, start + BATCH))
        for part in (events.take(~end), events.take(end))
        for start in range(0, part.size, BATCH)
    ]


def _check_times(live: Live, events: Events) -> None:
    """Refuse a batch from the future; what is before 1900 was malformed."""
    latest, now = int(events.at.max(initial=NEVER)), live.now()
    if latest > now:
        live.stamp()  # which says so if the clock is to blame
        raise future_time(latest, now, hint="declare the unit of `at`; a batch holds what has happened")


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


def symbols(live: Live, *, at: int | None, known_at: int | None) -> list[SymbolInfo]:
    """Give the symbols of a space, with how much of each was fed, up to a time."""
    found = live.refresh().levels.symbols
    if at is not None:
        items, parameters = market_items(live, known_at), live.parameters.levels
        found = {name: folded(items, name, parameters, until=at) for name in found}
    return [_info(name, symbol) for name, symbol in sorted(found.items()) if symbol.events]


def _info(name: str, symbol: Symbol) -> SymbolInfo:
    return SymbolInfo(
        name,
        symbol.events,
        symbol.late,
        symbol.malformed,
        int((symbol.book.settled()["level"] == 1).sum()),
        to_datetime(symbol.book.latest),
        {source: reached.offset for source, reached in sorted(symbol.sources.items())},
        symbol.book.drops(),
    )


def sources(live: Live, name: str) -> list[str]:
    """Name the sources that a symbol was fed from."""
    symbol = live.refresh().levels.symbols.get(name)
    return sorted(symbol.sources) if symbol else []


def fed(live: Live, name: str, source: str) -> int:
    """Say how many events of a source have been recorded."""
    symbol = live.refresh().levels.symbols.get(check_text(name, field="symbol"))
    return symbol.reached(check_text(source, field="source")).offset if symbol else 0


def known_symbol(live: Live, name: object) -> Symbol:
    """Give what is kept of a symbol."""
    symbols = live.refresh().levels.symbols
    if not isinstance(name, str) or name not in symbols:
        raise unknown_symbol(name, symbols)
    return symbols[name]


def market_items(live: Live, known_at: int | None = None) -> list[Item]:
    """Give the market items of a space, in order."""
    return [stored.item for stored in live.store.items(live.space, known_until=known_at, only=LEVEL_KINDS)]


def _history(live: Live, name: str, *, at: int | None, known_at: int | None) -> tuple[History, int]:
    symbol = known_symbol(live, name)
    until = symbol.book.latest if at is None else at
    return history(market_items(live, known_at), name, live.parameters.levels, until=until), until


def replay(
    live: Live, name: str, *, start: int | None, end: int | None, known_at: int | None, steps: int, most: int
) -> Replay:
    """Give strength through time: at equal steps between two times, or between the first and the latest event."""
    read.check_count(steps, field="steps")
    read.check_count(most, field="most")
    told, until = _history(live, name, at=end, known_at=known_at)
    begins = start if start is not None else int(told.path_at[0]) if len(told.path_at) else until
    return replayed(told, start=min(begins, until), end=until, steps=steps, most=most)

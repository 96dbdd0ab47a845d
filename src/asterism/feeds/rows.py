"""Rows become events, by a layout, a block at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from asterism.core.ledger.columns import Bools, Bytes, Floats, Longs
from asterism.core.ledger.items import cut
from asterism.core.levels.events import BOOK, PERSISTENCE, PRICE, TRADE, Events, Malformed, events_of
from asterism.feeds.cells import Cells
from asterism.feeds.mappings import Coded, Layout
from asterism.feeds.times import Clock

UNKNOWN = 255  # a word that stands for nothing; no kind and no side


@dataclass(frozen=True)
class Block:
    """What came of a block of rows: events, the row of each, and what was wrong with the others."""

    events: Events
    rows: Longs
    bad: Bools
    other_symbol: int
    problems: Problems

    def malformed(self) -> list[Malformed]:
        """Name the rows that cannot be used."""
        return [self.problems.named(row) for row in np.flatnonzero(self.bad).tolist()]


@dataclass(frozen=True)
class Reader:
    """Reads rows by a layout."""

    layout: Layout
    clock: Clock
    symbol: str = ""  # what the rows must be about, if the layout has a column for it
    asked: bool = False  # then rows about another symbol are left out, else they are malformed

    def read(self, cells: Cells) -> Block:
        """Turn a block of rows into events; what cannot be used is named."""
        problems = Problems(cells)
        other = self._other_symbol(cells, problems)
        micros = self.clock.micros(cells, self.layout.at)
        problems.add(~micros.good, self.layout.at, "is not a time")
        make = _bar_events if self.layout.bars else _row_events
        with np.errstate(invalid="ignore", over="ignore"):  # numbers without end are refused below
            events, rows = make(self.layout, cells, micros.values, problems)
        for row, reason in events_of(events).malformed:
            problems.name(int(rows[row]), reason)
        bad = problems.bad & ~other
        used = ~(bad | other)[rows]
        if not used.all():
            events, rows = events.take(used), rows[used]
        return Block(events, rows, bad, int(other.sum()), problems)

    def _other_symbol(self, cells: Cells, problems: Problems) -> Bools:
        """Find the rows to leave out because they are about another symbol than the one asked for."""
        column = self.layout.symbol
        if not column:
            return np.zeros(len(cells.lines), dtype=np.bool_)
        words = cells.words(column)
        other = np.asarray(words != self.symbol.encode())
        if other.any():
            other = np.asarray(np.strings.strip(words) != self.symbol.encode())
        if self.asked:
            return other
        problems.add(other, column, f"is not {self.symbol!r} as in the first row: say which symbol to read")
        return np.zeros(len(other), dtype=np.bool_)


class Problems:
    """Why rows cannot be used: for each the first reason that was found."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._found: list[tuple[Bools, str, str]] = []
        self._reasons: dict[int, str] = {}
        self.bad: Bools = np.zeros(len(cells.lines), dtype=np.bool_)

    def add(self, rows: Bools, column: str, what: str) -> None:
        """Say of some rows what is wrong with the cell of a column, or with the row."""
        if rows.any():
            self.bad = self.bad | rows
            self._found.append((rows, column, what))

    def name(self, row: int, reason: str) -> None:
        """Say of one row what is wrong."""
        self.bad[row] = True
        self._reasons.setdefault(row, reason)

    def named(self, row: int) -> Malformed:
        """Give a row by its line, with the reason."""
        line = int(self._cells.lines[row])
        for rows, column, what in self._found:
            if rows[row]:
                return Malformed(line, f"{column} {cut(self._cells.shown(column, row))!r} {what}" if column else what)
        return Malformed(line, self._reasons[row])


def _row_events(layout: Layout, cells: Cells, at: Longs, problems: Problems) -> tuple[Events, Longs]:
    """Make one event of each row."""
    size = len(at)
    kind = _kinds(layout.kind, cells, problems)
    side = _codes(layout.side, cells, problems) if layout.side else np.zeros(size, dtype=np.uint8)
    usd, no_usd = _usd(layout, cells, problems)
    seconds, no_seconds = _numbers(layout.seconds, cells, problems)
    problems.add(((kind == TRADE) | (kind == BOOK)) & no_usd, "", "a trade and a book event need usd")
    problems.add((kind == PERSISTENCE) & no_seconds, "", "a persistence needs seconds")
    price = cells.numbers(layout.price)
    problems.add(np.isnan(price), layout.price, "is not a number")
    events = Events.of(
        size,
        kind=kind,
        at=at,
        price=price,
        usd=usd,
        seconds=seconds,
        n=_wholes(layout.n, cells, problems, 1),
        side=side,
        episode=_wholes(layout.episode, cells, problems, 0),
        id=_wholes(layout.id, cells, problems, 0),
    )
    return events, np.arange(size, dtype=np.int64)


def _bar_events(layout: Layout, cells: Cells, at: Longs, problems: Problems) -> tuple[Events, Longs]:
    """Make a path of each bar: open, the nearer of low and high, the other, close; and its volume at the close.

    They come at the start, a third, two thirds and the last microsecond of the bar, so that nothing is known early.
    """
    bars = layout.bars
    assert bars is not None
    first, high, low, last = (_prices(column, cells, problems) for column in bars.columns)
    problems.add(
        (low > np.minimum(first, last)) | (high < np.maximum(first, last)),
        bars.low,
        "to high do not hold open and close",
    )
    usd, no_usd = _usd(layout, cells, problems)
    problems.add(no_usd & bool(layout.usd), "", "the volume is missing")
    low_first = first - low <= high - first
    path = [first, np.where(low_first, low, high), np.where(low_first, high, low), last]
    length = round(bars.seconds * 1e6)
    steps = [0, length // 3, 2 * length // 3, length - 1]
    if layout.usd:
        path, steps = [*path, last], [*steps, length - 1]
    size = len(at) * len(steps)
    kind = np.full((len(at), len(steps)), PRICE, dtype=np.uint8)
    spent = np.zeros((len(at), len(steps)))
    if layout.usd:
        kind[:, -1], spent[:, -1] = TRADE, usd
    times = at[:, None] + np.array(steps, dtype=np.int64)
    events = Events.of(
        size, kind=kind.ravel(), at=times.ravel(), price=np.stack(path, axis=1).ravel(), usd=spent.ravel()
    )
    return events, np.repeat(np.arange(len(at), dtype=np.int64), len(steps))


def _prices(column: str, cells: Cells, problems: Problems) -> Floats:
    values = cells.numbers(column)
    problems.add(np.isnan(values), column, "is not a number")
    return values


def _numbers(column: str, cells: Cells, problems: Problems) -> tuple[Floats, Bools]:
    """Read a column that may be absent or have empty cells: 0 there, and where that is."""
    if not column:
        return np.zeros(len(cells.lines)), np.ones(len(cells.lines), dtype=np.bool_)
    values = cells.numbers(column)
    unknown = np.isnan(values)
    if not unknown.any():
        return values, unknown
    empty = np.asarray(cells.words(column) == b"")
    problems.add(unknown & ~empty, column, "is not a number")
    return np.where(unknown, 0.0, values), empty


def _usd(layout: Layout, cells: Cells, problems: Problems) -> tuple[Floats, Bools]:
    """Multiply the factors; nothing is said where one of them is empty."""
    values, absent = _numbers("", cells, problems)
    for place, factor in enumerate(layout.usd):
        if isinstance(factor, float):
            more, empty = np.full(len(values), factor), np.zeros(len(values), dtype=np.bool_)
        else:
            more, empty = _numbers(factor, cells, problems)
        values, absent = (values * more, absent | empty) if place else (more, empty)
    return values, absent


def _wholes(column: str, cells: Cells, problems: Problems, default: int) -> Longs:
    if not column:
        return np.full(len(cells.lines), default, dtype=np.int64)
    read = cells.wholes(column)
    if read.good.all():
        return read.values
    empty = np.asarray(cells.words(column) == b"")
    problems.add(~read.good & ~empty, column, "is not a whole number")
    return np.where(read.good, read.values, default)


def _kinds(kind: int | Coded, cells: Cells, problems: Problems) -> Bytes:
    if isinstance(kind, Coded):
        return _codes(kind, cells, problems)
    return np.full(len(cells.lines), kind, dtype=np.uint8)


def _codes(coded: Coded, cells: Cells, problems: Problems) -> Bytes:
    """Number words by what they stand for."""
    words = cells.words(coded.column)
    codes = np.full(len(words), UNKNOWN, dtype=np.uint8)
    for word, code in coded.words:
        codes[words == word.encode()] = code
        if (codes != UNKNOWN).all():
            break
    known = ", ".join(dict.fromkeys(word for word, _ in coded.words if word))
    problems.add(codes == UNKNOWN, coded.column, f"is not one of {known}: declare what it means")
    return codes

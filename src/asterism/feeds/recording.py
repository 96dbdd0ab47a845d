"""Binance websocket recordings: each line is the time of receipt in nanoseconds, a space, and a JSON message.

Depth updates and the snapshot become `book` events, trades `trade` events, best bid and ask the `price` half-way.
All are timed by their receipt: it is on every line, never runs back, and is when the recorder could know.
Updates from before the snapshot are held, and those that the snapshot does not cover follow it. A gap in the sequence
numbers means that nobody knows the book: the update after it is told as a snapshot, all there is.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Mapping
from contextlib import closing
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.items import cut
from asterism.core.levels.events import ASK, BID, BOOK, PRICE, TRADE, Events, Malformed, events_of
from asterism.feeds.opened import OfFile, Opened
from asterism.feeds.ready import RECORDING
from asterism.feeds.stream import Piece, Pieces, Placed

LINE = re.compile(rb"(\d{16,19}) (\{.*\})\s*")
COIN_MARGINED = re.compile(r"(\w+)USD_(PERP|\d{6})")
MOST_HELD = 1_000  # updates that wait for a snapshot; older ones are let go
COUNTS = (
    *("rows", "events", "malformed", "other_symbol", "other_message", "not_market"),
    *("snapshots", "old_snapshots", "before_snapshot", "old_updates", "gaps"),
)

Message = Mapping[str, object]


class _Update(NamedTuple):
    """One message of the depth stream."""

    first: int  # U
    last: int  # u
    before: int | None  # pu: the last number of the update before; spot has none
    rows: list[tuple[int, float, float]]  # side, price, size


class RecordingSource(OfFile):
    """The messages of a recording."""

    def __init__(self, file: Opened, *, symbol: str | None = None) -> None:
        super().__init__(file)
        self._symbol = symbol
        self.mapping = RECORDING

    def pieces(self) -> Pieces:
        """Read the recording from the start."""
        self.counts = dict.fromkeys(COUNTS, 0)
        tape = _Tape(self.counts, self._symbol)
        line = 0
        with closing(self._file.blocks()) as blocks:
            for block in blocks:
                malformed: list[Malformed] = []
                for text in block.split(b"\n")[:-1]:
                    line += 1
                    if problem := tape.take(text, line):
                        malformed.append(Malformed(line, problem))
                yield self._piece(tape.events(), malformed)

    def _piece(self, events: Events, malformed: list[Malformed]) -> Piece:
        checked = events_of(events)
        malformed = sorted(malformed + [Malformed(int(events.id[row]), why) for row, why in checked.malformed])
        self.counts["events"] += checked.events.size
        self.counts["malformed"] += len(malformed)
        where = np.searchsorted(checked.events.id, [bad.row for bad in malformed])
        return Piece(checked.events, [Placed(*each) for each in zip(where.tolist(), malformed, strict=True)])


class _Tape:
    """What the messages so far have said."""

    def __init__(self, counts: dict[str, int], symbol: str | None) -> None:
        self._counts = counts
        self._symbol = symbol
        self._asked = symbol is not None
        self._contract = _contract(symbol or "")
        self._rows: list[tuple[int, int, float, float, int, int, int]] = []
        self._held: deque[_Update] = deque()
        self._last: int | None = None  # the number that the book is at
        self._fresh = False  # nothing has followed the snapshot yet
        self._whole = False  # a snapshot was told and no gap since
        self._replaces = False  # the next update is all that is known

    def events(self) -> Events:
        """Give the events since the last time."""
        columns = zip(*self._rows, strict=True) if self._rows else ([] for _ in range(7))
        names = ("kind", "at", "price", "usd", "side", "episode", "id")
        events = Events.of(len(self._rows), **dict(zip(names, map(np.array, columns), strict=True)))
        self._rows = []
        return events

    def take(self, text: bytes, line: int) -> str:
        """Read one line; give what is wrong with it."""
        if not text.strip():
            return ""
        self._counts["rows"] += 1
        parts = LINE.fullmatch(text)
        if parts is None:
            return "the line is not a time in nanoseconds, a space and a JSON message"
        try:
            told = json.loads(parts[2])
            return self._message((int(parts[1]) + 500) // 1000, told.get("data", told), line)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            return cut(f"the message cannot be read: {type(error).__name__} {error}", most=120)

    def _message(self, at: int, data: Message, line: int) -> str:
        symbol = data.get("s", data.get("symbol"))
        if isinstance(symbol, str):
            if self._symbol is None:
                self._symbol, self._contract = symbol, _contract(symbol)
            if symbol != self._symbol and self._asked:
                self._counts["other_symbol"] += 1
                return ""
            if symbol != self._symbol:
                return f"the message is about {cut(symbol)!r}, the first about {self._symbol!r}"
        kind = data.get("e")
        if "lastUpdateId" in data:
            rows = _levels(BID, data["bids"]) + _levels(ASK, data["asks"])
            self._snapshot(_whole(data["lastUpdateId"]), rows, at, line)
        elif kind == "depthUpdate":
            before = _whole(data["pu"]) if "pu" in data else None
            rows = _levels(BID, data["b"]) + _levels(ASK, data["a"])
            self._depth(_Update(_whole(data["U"]), _whole(data["u"]), before, rows), at, line)
        elif kind == "trade":
            self._trade(data, at, line)
        elif kind == "bookTicker" or (kind is None and {"u", "b", "B", "a", "A"} <= data.keys()):
            bid, ask = _number(data["b"]), _number(data["a"])
            if not (bid > 0 and ask > 0):
                return "the best bid or ask is missing"
            self._rows.append((PRICE, at, (bid + ask) / 2, 0.0, 0, 0, line))
        else:
            self._counts["other_message"] += 1
        return ""

    def _trade(self, data: Message, at: int, line: int) -> None:
        if data.get("X", "MARKET") != "MARKET":  # an insurance fund or a forced deleveraging, not a trade on the book
            self._counts["not_market"] += 1
            return
        price = _number(data["p"])
        usd = _number(data["q"]) * (self._contract or price)
        self._rows.append((TRADE, at, price, usd, BID if data["m"] else ASK, 0, line))

    def _snapshot(self, number: int, rows: list[tuple[int, float, float]], at: int, line: int) -> None:
        if self._whole and self._last is not None and number <= self._last:
            self._counts["old_snapshots"] += 1
            return
        held, first = list(self._held), self._last is None
        self._counts["snapshots"] += 1
        self._held.clear()
        self._last, self._whole, self._fresh, self._replaces = number, True, True, True
        self._tell(rows, number, at, line)
        later = [update for update in held if update.last > number]
        self._counts["before_snapshot"] += (len(held) - len(later)) * first
        for update in later:
            self._depth(update, at, line)

    def _depth(self, update: _Update, at: int, line: int) -> None:
        if self._last is None:
            self._hold(update)
            return
        if update.last <= self._last:
            self._counts["old_updates"] += 1
            return
        if update.before is None:
            follows = update.first <= self._last + 1
        else:
            follows = update.before <= self._last if self._fresh else update.before == self._last
        if not follows:
            self._counts["gaps"] += 1
            self._whole, self._replaces = False, True
        if not self._whole:
            self._hold(update)
        self._last, self._fresh = update.last, False
        self._tell(update.rows, update.last, at, line)

    def _hold(self, update: _Update) -> None:
        self._held.append(update)
        if len(self._held) > MOST_HELD:
            self._held.popleft()
            self._counts["before_snapshot"] += self._last is None

    def _tell(self, rows: list[tuple[int, float, float]], number: int, at: int, line: int) -> None:
        """Give book events; those that replace the book carry the number as their snapshot's."""
        snapshot = max(1, number) if self._replaces else 0
        contract = self._contract
        self._rows += [
            (BOOK, at, price, size * (contract or price), side, snapshot, line) for side, price, size in rows
        ]
        self._replaces = self._replaces and not rows


def _levels(side: int, levels: object) -> list[tuple[int, float, float]]:
    if not isinstance(levels, list):
        raise TypeError("the levels are no list")
    return [(side, float(price), float(size)) for price, size in levels]


def _whole(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 2**63:
        raise ValueError(f"{cut(repr(value))} is not a sequence number")
    return value


def _number(value: object) -> float:
    return float(str(value))


def _contract(symbol: str) -> float:
    """Give the dollars in one contract of a coin-margined symbol; 0: sizes are coins.

    >>> _contract("BTCUSD_PERP"), _contract("ETHUSD_240927"), _contract("BTCUSDT")
    (100.0, 10.0, 0.0)
    """
    parts = COIN_MARGINED.fullmatch(symbol)
    return 0.0 if parts is None else 100.0 if parts[1] == "BTC" else 10.0

"""A book behind its reorder buffer: what the fold keeps for each symbol.

The state is columns; a book over them is built when events come, the compiled one when they are many.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.columns import Columns
from asterism.core.levels.events import Events
from asterism.core.levels.ordering import Ready, Waiting
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.plain import PlainBook
from asterism.core.levels.state import DROPS, EFFECTS, Book, Fed

COMPILED_FROM = 200_000  # events: for fewer, loading the compiler costs more than it saves
COMPILED_AGAIN = 2_000  # once it is loaded
LARGE_BOOK = 20_000  # places: as objects, they would take longer to make than the compiler to load


class Taken(NamedTuple):
    """What became of a batch: the events whose turn came, and what they did."""

    ready: Ready
    fed: Fed

    @property
    def late(self) -> int:
        """How many were late."""
        return int(self.ready.late.sum())


class OrderedBook:
    """One symbol's places and the events that wait to reach them."""

    def __init__(self, parameters: LevelParameters) -> None:
        self.parameters = parameters
        self.waiting = Waiting()
        self._book: Book | None = PlainBook(parameters)
        self._columns: Columns | None = None
        self._settled: Columns | None = None
        self._fed = 0

    def take(self, events: Events, *, lateness: int, log: bool = False) -> Taken:
        """Take events as they arrive."""
        self._settled = None
        return self._feed(self.waiting.take(events, lateness), log=log)

    def flush(self, *, log: bool = False) -> Taken:
        """Take in what waits, as if time had passed."""
        return self._feed(self.waiting.flush(), log=log)

    def _feed(self, ready: Ready, *, log: bool) -> Taken:
        if not ready.events.size:
            return Taken(ready, Fed(np.zeros(len(EFFECTS), dtype=np.int64), None))
        fed = self._fitting(ready.events.size).feed(ready.events, ready.late, log=log)
        self._columns = None
        return Taken(ready, fed)

    def _fitting(self, size: int) -> Book:
        """Give the book to feed so many events to."""
        if self._book is None:
            assert self._columns is not None
            large = len(self._columns["number"]) >= LARGE_BOOK and expect_many()
            self._book = (
                _compiled(self._columns, self.parameters) if large else PlainBook.load(self._columns, self.parameters)
            )
        self._fed += size
        if isinstance(self._book, PlainBook) and self._fed >= (
            COMPILED_AGAIN if "numba" in sys.modules else COMPILED_FROM
        ):
            self._book = compiled(self._book)
        return self._book

    @property
    def latest(self) -> int:
        """The latest time seen."""
        return self.waiting.latest

    @property
    def columns(self) -> Columns:
        """The book's columns, without what waits."""
        if self._columns is None:
            assert self._book is not None
            self._columns = self._book.dump()
        return self._columns

    def settled(self) -> Columns:
        """Give the columns as they are with everything taken in that waits; nothing changes here."""
        if not self.waiting.events.size:
            return self.columns
        if self._settled is None:
            ahead = self.copy()
            ahead.flush()
            self._settled = ahead.columns
        return self._settled

    def drops(self) -> dict[str, int]:
        """Count what was dropped to stay within bounds."""
        counts = self.columns["counters"][-len(DROPS) :].tolist() if self._book is None else self._book.drops
        return dict(zip(DROPS, counts, strict=True)) | {"hurried": self.waiting.hurried}

    def copy(self) -> OrderedBook:
        """Copy the book, for a look ahead that leaves this as it is."""
        return OrderedBook.load(self.dump(), self.parameters)

    def dump(self) -> Columns:
        """Pack the book and what waits."""
        waiting = self.waiting
        columns = {f"waiting.{name}": column for name, column in waiting.events._asdict().items()}
        columns["waiting"] = np.array([waiting.latest, waiting.passed, waiting.hurried], dtype=np.int64)
        return self.columns | columns

    @classmethod
    def load(cls, columns: Columns, parameters: LevelParameters) -> OrderedBook:
        """Unpack what `dump` packed."""
        loaded = cls(parameters)
        loaded._book = None
        loaded._columns = {name: column for name, column in columns.items() if not name.startswith("waiting")}
        events = Events._make(columns[f"waiting.{name}"] for name in Events._fields)
        loaded.waiting = Waiting(events, *columns["waiting"].tolist())
        return loaded


def expect_many() -> bool:
    """Load the compiler now, because many events will come; say whether there is one."""
    try:
        import asterism.core.levels.kernel_book  # noqa: F401  # for its effect
    except ImportError:
        return False
    return True


def compiled(book: PlainBook) -> Book:
    """Give the same book compiled, or this one where the compiler is not installed."""
    return _compiled(book.dump(), book.parameters) if expect_many() else book


def _compiled(columns: Columns, parameters: LevelParameters) -> Book:
    from asterism.core.levels.kernel_book import KernelBook

    return KernelBook.load(columns, parameters)

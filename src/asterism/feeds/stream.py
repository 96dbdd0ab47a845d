"""A feed: the events of a file, batch by batch, each event with its place in the whole.

What a file gives, and in which order, does not depend on how it is cut into batches. A feed that was interrupted goes
on at any place: the file is read again and what came before is passed over.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from typing import NamedTuple, Protocol

import numpy as np

from asterism.core.levels.events import Events, Malformed
from asterism.errors import InputError

MOST_NAMED = 1_000  # malformed rows that one batch names; all are counted


class Placed(NamedTuple):
    """A malformed row, and how many events of its piece come before it."""

    place: int
    row: Malformed


class Piece(NamedTuple):
    """Some events of a file in order, and the rows between them that gave none."""

    events: Events
    malformed: list[Placed]


Pieces = Generator[Piece, None, None]  # closing it closes the file


class FeedBatch(NamedTuple):
    """Events from place `first` up to place `last`, where the next batch begins, and the malformed rows among them."""

    events: Events
    first: int
    last: int
    malformed: tuple[Malformed, ...]


class Source(Protocol):
    """What a feed reads."""

    @property
    def name(self) -> str:
        """What the source is called, the same in every run."""
        ...

    @property
    def mapping(self) -> object:
        """How it is read; `str` states it."""
        ...

    @property
    def counts(self) -> dict[str, int]:
        """What became of its rows."""
        ...

    @property
    def total_bytes(self) -> int:
        """The size of what is read."""
        ...

    @property
    def bytes_read(self) -> int:
        """How much of it was read."""
        ...

    def pieces(self) -> Pieces:
        """Read it from the start."""
        ...


class Feed:
    """The events of one source: `for batch in feed.batches(): ...`."""

    def __init__(self, source: Source, *, rows: int, strict: bool = False) -> None:
        if rows < 1:
            raise InputError(f"a batch of {rows} events", code="bad_count", item="rows", hint="give 1 or more")
        self._source = source
        self._rows = rows
        self._strict = strict
        self.name = source.name
        self.mapping = source.mapping

    @property
    def counts(self) -> dict[str, int]:
        """Rows and what became of them, by name: of the run that goes on, or of the last."""
        return dict(self._source.counts)

    @property
    def total_bytes(self) -> int:
        """The size of the file."""
        return self._source.total_bytes

    @property
    def bytes_read(self) -> int:
        """How much of the file was read."""
        return self._source.bytes_read

    @property
    def rows(self) -> int:
        """How many events a batch has."""
        return self._rows

    def batches(self, start: int = 0) -> Generator[FeedBatch, None, None]:
        """Give the events from place `start` on; a batch ends where the place is a multiple of its size.

        A feed goes on where it was left with `start=batch.last`. The file is closed when the generator is.
        """
        if start < 0:
            raise InputError(
                f"the place {start} is before the first event", code="bad_count", item="start", hint="give 0 or more"
            )
        cutter = _Cutter(start, self._rows)
        with closing(self.pieces()) as pieces:
            for piece in pieces:
                yield from cutter.take(piece)
        yield from cutter.finish()

    def pieces(self) -> Pieces:
        """Read the source; with `strict` the first malformed row is an error."""
        with closing(self._source.pieces()) as pieces:
            for piece in pieces:
                if self._strict and piece.malformed:
                    raise _refused(self.name, piece.malformed[0].row)
                yield piece


class _Cutter:
    """Cuts pieces into batches. A batch waits until one more event is there, so that the last has the last rows."""

    def __init__(self, start: int, rows: int) -> None:
        self._start = start
        self._rows = rows
        self._first = 0  # the place of the first event that waits
        self._waiting: list[Events] = []
        self._size = 0
        self._malformed: list[Placed] = []  # by place in the whole

    def take(self, piece: Piece) -> Iterator[FeedBatch]:
        """Take a piece, give the batches that are full."""
        here = self._first + self._size
        named = [Placed(here + place, row) for place, row in piece.malformed if here + place >= self._start]
        self._malformed += named[: max(0, MOST_NAMED * (1 + piece.events.size // self._rows) - len(self._malformed))]
        if here + piece.events.size <= self._start:  # all before the start
            self._first = here + piece.events.size
            return
        skipped = max(0, self._start - here)
        self._first += skipped
        if piece.events.size > skipped:
            self._waiting.append(piece.events.take(slice(skipped, None)))
            self._size += piece.events.size - skipped
        if self._size > self._full():
            events, place = Events.join(self._waiting), 0
            while self._size > (full := self._full()):
                yield self._batch(events.take(slice(place, place + full)))
                place += full
            self._waiting = [events.take(slice(place, None))]

    def finish(self) -> Iterator[FeedBatch]:
        """Give what still waits."""
        if self._size or (self._malformed and self._first == 0):
            named, self._malformed = self._malformed, []
            events = Events.join(self._waiting)
            yield FeedBatch(events, self._first, self._first + events.size, _rows(named))

    def _full(self) -> int:
        return self._rows - self._first % self._rows

    def _batch(self, events: Events) -> FeedBatch:
        first, last = self._first, self._first + events.size
        among = [each for each in self._malformed if each.place < last]
        self._malformed = self._malformed[len(among) :]
        self._first, self._size = last, self._size - events.size
        return FeedBatch(events, first, last, _rows(among))


def _rows(placed: list[Placed]) -> tuple[Malformed, ...]:
    return tuple(each.row for each in placed[:MOST_NAMED])


def _refused(name: str, bad: Malformed) -> InputError:
    return InputError(
        f"{name}, line {bad.row}: {bad.reason}",
        code="malformed_row",
        item=str(bad.row),
        hint="mend the row, or feed without strict to leave it out",
    )


def in_order(pieces: Pieces) -> Pieces:
    """Read everything, then give it by time; events of one time stay in the order of the file."""
    events: list[Events] = []
    malformed: list[Placed] = []
    with closing(pieces) as all_pieces:
        for piece in all_pieces:
            events.append(piece.events)
            malformed += [Placed(0, row) for _, row in piece.malformed[: MOST_NAMED - len(malformed)]]
    joined = Events.join(events)
    yield Piece(joined.take(np.argsort(joined.at, kind="stable")), malformed)

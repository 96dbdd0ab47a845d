"""Several files of one symbol as one feed, by time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing

import numpy as np

from asterism.core.ledger.columns import Longs
from asterism.core.levels.events import Events, Malformed
from asterism.errors import InputError
from asterism.feeds.stream import Feed, Piece, Pieces, Placed

NEVER = np.iinfo(np.int64).min


def merge_feeds(feeds: Sequence[Feed]) -> Feed:
    """Merge feeds by time; at one time the earlier feed of the list comes first, and no feed is put in another order.

    Places count the events of the whole. The same files in the same order give the same events.
    """
    if not feeds:
        raise InputError("there is no feed to merge", code="no_file", item="feeds", hint="give one or more")
    return feeds[0] if len(feeds) == 1 else Feed(_Merged(feeds), rows=feeds[0].rows)


class _Merged:
    """The pieces of several feeds, merged as far as all of them are known."""

    def __init__(self, feeds: Sequence[Feed]) -> None:
        self._feeds = feeds
        self.name = "+".join(feed.name for feed in feeds)
        self.mapping = "; ".join(f"{feed.name}: {feed.mapping}" for feed in feeds)

    @property
    def counts(self) -> dict[str, int]:
        """What became of the rows of all files."""
        total: dict[str, int] = {}
        for feed in self._feeds:
            for name, count in feed.counts.items():
                total[name] = total.get(name, 0) + count
        return total

    @property
    def total_bytes(self) -> int:
        """The size of all files."""
        return sum(feed.total_bytes for feed in self._feeds)

    @property
    def bytes_read(self) -> int:
        """How much of them was read."""
        return sum(feed.bytes_read for feed in self._feeds)

    def pieces(self) -> Pieces:
        """Read all of them, each from its start."""
        with ExitStack() as stack:
            heads = [_Head(feed.name, stack.enter_context(closing(feed.pieces()))) for feed in self._feeds]
            while waiting := [head for head in heads if not head.done]:
                horizon = min(head.latest for head in waiting)
                for head in waiting:
                    if head.latest == horizon:
                        head.load()
                going = [head.latest for head in heads if not head.done]
                if piece := _merge([head.before(min(going) if going else None) for head in heads]):
                    yield piece


class _Head:
    """What is known of one feed and not yet merged."""

    def __init__(self, name: str, pieces: Pieces) -> None:
        self._name = name
        self._pieces = pieces
        self._events = Events.none()
        self._times: Longs = np.zeros(0, dtype=np.int64)  # the latest time up to each event
        self._malformed: list[Placed] = []
        self.latest = NEVER
        self.done = False

    def load(self) -> None:
        """Read one more piece."""
        piece = next(self._pieces, None)
        if piece is None:
            self.done = True
            return
        here = self._events.size
        for place, row in piece.malformed:
            self._malformed.append(Placed(here + place, Malformed(row.row, f"{self._name}: {row.reason}")))
        if piece.events.size:
            times = np.maximum(np.maximum.accumulate(piece.events.at), self.latest)
            self._events = Events.join([self._events, piece.events])
            self._times = np.concatenate([self._times, times])
            self.latest = int(times[-1])

    def before(self, horizon: int | None) -> tuple[Longs, Events, list[Placed]]:
        """Take out the events before a time, or all; and the rows among them."""
        size = self._events.size if horizon is None else int(np.searchsorted(self._times, horizon))
        events, times = self._events.take(slice(0, size)), self._times[:size]
        among = [each for each in self._malformed if each.place < size or horizon is None]
        self._malformed = [Placed(place - size, row) for place, row in self._malformed[len(among) :]]
        self._events, self._times = self._events.take(slice(size, None)), self._times[size:]
        return times, events, among


def _merge(parts: list[tuple[Longs, Events, list[Placed]]]) -> Piece | None:
    times = np.concatenate([part[0] for part in parts])
    order = np.argsort(times, kind="stable")
    places = np.empty(len(order) + 1, dtype=np.int64)
    places[order] = np.arange(len(order))
    places[-1] = len(order)
    malformed: list[Placed] = []
    start = 0
    for own, _, among in parts:
        malformed += [Placed(int(places[start + place if place < len(own) else -1]), row) for place, row in among]
        start += len(own)
    if not len(order) and not malformed:
        return None
    return Piece(Events.join([part[1] for part in parts]).take(order), sorted(malformed))

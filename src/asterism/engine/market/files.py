"""Feeding files: which they are, whether they can be what they are said to be, and where they go on.

A file is known by its first event, whatever it is called: a copy is not fed twice, another file of the same name is
another source, and a file that grew goes on where the record ends.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from asterism.core.levels.book import resting
from asterism.core.levels.events import Events, Malformed
from asterism.core.levels.fold import check_symbol
from asterism.core.levels.model import FeedReport
from asterism.core.levels.ordered import expect_many
from asterism.core.levels.packing import pack
from asterism.engine.market.feed import Feeding, fed, feed, sources
from asterism.engine.space.live import Live
from asterism.errors import InputError, StoreError
from asterism.feeds import Feed, FeedBatch, merge_feeds, open_feed
from asterism.hints import Hint, option

LARGE_FILE = 4_000_000  # bytes: enough events that the compiled book pays from the first batch on
CHECKPOINT_WORK = 1_000  # a file is fed once and read often: even a small one is worth a checkpoint
MARKED = re.compile(r"(.*?) #([0-9a-f]{8})(?: \+ |$)")  # the files of a source, and what each is known by
MOST_LATE = 0.05  # of a file's first batch; more, and it was not written in order of time


class Files(NamedTuple):
    """Files of one symbol, and how they are read; several are merged by time."""

    paths: tuple[Path, ...]
    mapping: str | Mapping[str, str] | None = None
    unit: str | None = None
    sort: bool | None = None
    strict: bool = False
    only: str | None = None  # the symbol whose rows are taken from a file of several
    max_bytes: int | None = None  # that a file may have, unpacked

    def open(self) -> Feed:
        """Open them as one feed."""
        feeds = [
            open_feed(
                path,
                mapping=self.mapping,
                unit=self.unit,
                symbol=self.only,
                sort=self.sort,
                strict=self.strict,
                max_bytes=self.max_bytes,
            )
            for path in self.paths
        ]
        return feeds[0] if len(feeds) == 1 else merge_feeds(feeds)


class Part(NamedTuple):
    """Events as they come out of a file, where they stand in it, and the rows that were left out."""

    events: Events
    first: int
    bad: tuple[Malformed, ...]


def feed_files(live: Live, symbol: str, files: Files, *, progress: Callable[[float, int], None]) -> FeedReport:
    """Feed files batch by batch, each durable on its own; what was interrupted goes on where the record ends."""
    check_symbol(symbol)
    if not files.paths:
        raise InputError("no file is named", code="no_file", item="paths", hint="name at least one file to feed")
    feed_ = files.open()
    if feed_.total_bytes > LARGE_FILE:
        expect_many()
    told, place = FeedReport(symbol), 0
    with closing(feed_.batches()) as batches:
        begun = tuple(islice(batches, 1))
        source = _source(live, symbol, _marks(files, begun))
        start = fed(live, symbol, source) if source else 0
        for part in _parts(chain(begun, batches), live):
            if not part.first:
                _check_order(part.events, files)
            place = part.first + part.events.size
            if place > start:
                how = Feeding(symbol, source=source, offset=part.first, lateness=0.0)
                told += feed(live, how, part.events, resting={}, bad=part.bad)
            progress(feed_.bytes_read / max(1, feed_.total_bytes), place)
    if not place and feed_.counts.get("malformed"):
        for _ in files._replace(strict=True).open().batches():  # it says which row, and why
            pass
    live.refresh()
    with suppress(StoreError):  # what was fed is durable; a checkpoint is a cache
        live.checkpoint_if_due(at_least=CHECKPOINT_WORK)
    return replace(
        told,
        symbol=symbol,
        mapping=str(feed_.mapping),
        rows=dict(feed_.counts),
        skipped=min(start, place),
        source=source,
        waiting=0,
    )


def _parts(batches: Iterable[FeedBatch], live: Live) -> Iterator[Part]:
    """Turn the order-book rows of a feed, from its beginning, into persistence: the same in every run."""
    rests, place = resting(live.parameters.levels), 0
    for batch in batches:
        events = rests.through(batch.events)
        yield Part(events, place, batch.malformed)
        place += events.size


def _source(live: Live, symbol: str, marks: Mapping[str, str]) -> str:
    """Name what is fed by the first event of each file; what was fed under another name keeps that name."""
    for known in sources(live, symbol):
        there = {mark for _, mark in MARKED.findall(known)} & marks.keys()
        if there and len(there) == len(marks) == len(MARKED.findall(known)):
            return known
        if there:
            name = marks[min(there)]
            raise InputError(
                f"{name} was fed already, as {known}",
                code="fed_already",
                item=name,
                hint="feed only what is new, or the same files together again",
            )
    return " + ".join(sorted(f"{name} #{mark}" for mark, name in marks.items()))


def _marks(files: Files, begun: Sequence[FeedBatch]) -> dict[str, str]:
    """Give the files by what each is known by; one that holds no event is not there."""
    if len(files.paths) == 1:
        return dict.fromkeys(_mark(begun), files.paths[0].name)
    marks: dict[str, str] = {}
    for path in files.paths:  # where they are merged, a file's first event may stand anywhere
        with closing(files._replace(paths=(path,)).open().batches()) as batches:
            marks |= dict.fromkeys(_mark(islice(batches, 1)), path.name)
    return marks


def _mark(begun: Iterable[FeedBatch]) -> list[str]:
    """Give what the file that begins so is known by; nothing if it holds no event."""
    firsts = [batch.events.take(slice(0, 1)) for batch in begun if batch.events.size]
    return [hashlib.sha256(pack(first).encode()).hexdigest()[:8] for first in firsts]


def _check_order(events: Events, files: Files) -> None:
    """Refuse a file whose rows are in no order of time, unless that is meant."""
    late = events.at[1:] < np.maximum.accumulate(events.at)[:-1]
    if files.sort is None and int(late.sum()) > MOST_LATE * events.size:
        raise InputError(
            f"the rows are not in order of time: {int(late.sum()):,} of {events.size:,} come after a later one",
            code="unsorted_file",
            item=files.paths[0].name,
            hint=Hint(
                "sort them as they are read (",
                option("sort", True),
                "), or take them as they are (",
                option("sort", False),
                ")",
            ),
        )

"""Small files for the tests of feeds, and what they give."""

from __future__ import annotations

import gzip
from pathlib import Path

from asterism.core.levels.events import KINDS, SIDES, Events, Malformed
from asterism.feeds import Feed

MS = 1_700_000_000_000  # a time in milliseconds


def write(folder: Path, text: str | bytes, name: str = "rows.csv") -> Path:
    """Write a file, compressed if its name says so."""
    data = text.encode() if isinstance(text, str) else text
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def everything(feed: Feed, start: int = 0) -> tuple[Events, list[Malformed]]:
    """Read a feed to its end."""
    batches = list(feed.batches(start))
    return Events.join([batch.events for batch in batches]), [row for batch in batches for row in batch.malformed]


def told(events: Events) -> list[tuple[str, int, float, float, str]]:
    """Give kind, time, price, dollars and side of each event."""
    return [
        (KINDS[kind], at, price, usd, SIDES[side])
        for kind, at, price, usd, side in zip(
            events.kind.tolist(),
            events.at.tolist(),
            events.price.tolist(),
            events.usd.tolist(),
            events.side.tolist(),
            strict=True,
        )
    ]


def bits(events: Events) -> list[bytes]:
    """Give the events to the bit."""
    return [column.tobytes() for column in events]

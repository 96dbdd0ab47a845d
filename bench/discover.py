"""Looking through told values: 200 stars with one driver; again without new values; and by the next process."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from asterism.core.discovery.diary import look_through_diary
from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.columns import Floats
from asterism.engine.connections.discover import discover
from asterism.engine.diary.look import read_file
from asterism.engine.diary.week import week
from asterism.engine.space.live import Live
from asterism.store.sqlite import SQLiteStore
from bench.timing import Figure, Goal, duration, timed

NAME = "discover"
EVENING = datetime(2026, 3, 1, 21, tzinfo=UTC)


def run(*, quick: bool) -> Iterator[Figure]:
    stars, days = (40, 60) if quick else (200, 120)
    values = driven(stars, days)
    look = timed(lambda: look_through_diary(values))
    size = f"{stars} stars, {days} days"
    yield duration(f"a look through {size}", look, "s", goal=Goal("ours", "<=", 5.0))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with closing(SQLiteStore(path)) as store:
            live = opened(store)
            told = timed(lambda: read_file(live, rows(values), {}, (), None, None, skip_erased=False, max_bytes=None))
            yield duration(f"read_diary of {size}", told, "s", note=f"{np.isfinite(values).sum():,} values")
            first = timed(lambda: discover(live))
            yield duration("discover, the first", first, "s")
            again = timed(lambda: discover(live))
            yield duration("discover again, no new values", again, "s", other="the first", theirs=first)
            yield duration("week", timed(lambda: week(live, at=None)), "s")
        with closing(SQLiteStore(path)) as store:
            live = opened(store)
            live.refresh()
            taken_up = timed(lambda: discover(live))
            yield duration("discover in the next process", taken_up, "s", other="the first", theirs=first)


def driven(stars: int, days: int) -> Floats:
    """Give values of which the first star moves all others, a tenth of them missing."""
    draw = np.random.default_rng(1)
    first = draw.normal(size=days)
    values = 0.6 * first + 0.8 * draw.normal(size=(stars, days))
    values[0] = first
    return np.where(draw.random(values.shape) < 0.1, np.nan, np.round(5.0 + values, 3))


def rows(values: Floats) -> list[dict[str, object]]:
    begin = EVENING.date() - timedelta(days=values.shape[1] - 1)
    return [
        {
            "date": begin + timedelta(days=day),
            **{f"star{star}": None if np.isnan(value) else value for star, value in enumerate(told)},
        }
        for day, told in enumerate(values.T.tolist())
    ]


def opened(store: SQLiteStore) -> Live:
    return Live(store, "me", clock=lambda: to_micros(EVENING), embedder="hashed")

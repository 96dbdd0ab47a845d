"""From nothing to the first answer: a fresh process opens a memory and asks it something."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from asterism import Evidence, Memory
from asterism.core.ledger.calendar import MICROS_PER_SECOND, to_datetime
from asterism.core.ledger.items import Item, make_item
from asterism.core.space.projection import FOLD_VERSION, Projection
from asterism.engine.space.parameters import recorded
from asterism.store.port import Checkpoint
from asterism.store.sqlite import SQLiteStore
from bench import processes, synthetic
from bench.timing import Figure, Goal, Timing, duration, median, total

NAME = "opening"
SPACE = "bench"
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
SCRIPT = """
import json, sys, time
from datetime import datetime
path, clock, a, b = sys.argv[1:]
marks = [(time.process_time(), time.perf_counter())]
def mark():
    marks.append((time.process_time(), time.perf_counter()))
from asterism import Memory
import asterism.sync
mark()
with Memory.open_sync(path, space="bench", clock=datetime.fromisoformat(clock)) as memory:
    mark()
    found = memory.links(a)
    mark()
    link = memory.link(a, b)
    mark()
assert found and link is not None
print(json.dumps(marks))
"""
STEPS = ("import", "open", "links", "link")


def run(*, quick: bool) -> Iterator[Figure]:
    scale, repeat = (10, 3) if quick else (1, 5)
    with tempfile.TemporaryDirectory() as folder:
        yield from _large(Path(folder) / "large.db", 100_000 // scale, 1_000_000 // scale, repeat)
    with tempfile.TemporaryDirectory() as folder:
        yield from _told(Path(folder) / "told.db", 2_000 // scale, 20_000 // scale, repeat)


def _large(path: Path, stars: int, links: int, repeat: int) -> Iterator[Figure]:
    projection = synthetic.space(stars=stars, links=links)
    clock = _store(path, projection, tail=300)
    drawn = projection.connections.graph.links
    ends = synthetic.star_id(int(drawn.a[0])), synthetic.star_id(int(drawn.b[0]))
    label = f"{stars:,} nodes, {links:,} links"
    today = _opened(path, clock, ends, repeat)
    size = path.stat().st_size / 1e6
    yield duration(
        f"open {label}, first answers",
        total(today),
        "s",
        judged="wall",
        goal=Goal("ours", "<=", 1.0),
        note=f"{size:.0f} MB, import included, file in the page cache; {_told_steps(today)}",
    )
    tomorrow = _opened(path, clock + timedelta(days=1), ends, repeat)
    yield duration("- the same on the next day", total(tomorrow), "s", judged="wall", note=_told_steps(tomorrow))


def _told(path: Path, stars: int, links: int, repeat: int) -> Iterator[Figure]:
    """Make a memory through its own methods only, then open it again."""
    days = 60
    items = 3 * links
    step = timedelta(days=days) / items
    with Memory.open_sync(path, space=SPACE, clock=BEGIN + timedelta(days=days)) as memory:
        names = [f"star-{number:04d}" for number in range(stars)]
        for name in names:
            memory.add_star(name, domain="health", at=BEGIN)
        rows = []
        for number in range(items):
            place = number % links
            first = place % stars
            rows.append(
                Evidence(
                    names[first],
                    names[(first + 1 + place // stars) % stars],
                    "co_mention_session",
                    BEGIN + number * step,
                )
            )
        for first in range(0, items, 10_000):
            memory.observe_many(rows[first : first + 10_000])
    taken = _opened(path, BEGIN + timedelta(days=days), (names[0], names[1]), repeat)
    yield duration(
        f"open {stars:,} stars, {links:,} links, told by observe_many",
        total(taken),
        "s",
        judged="wall",
        goal=Goal("ours", "<=", 1.0),
        note=f"{items:,} items over {days} days; {_told_steps(taken)}",
    )


def _store(path: Path, projection: Projection, *, tail: int) -> datetime:
    """Write the checkpoint of a projection, and some items that came after it; give the time of the last."""
    store = SQLiteStore(path)
    assert projection.day is not None
    assert projection.latest_at is not None
    fingerprint = f"{projection.parameters.fold_digest()}-{FOLD_VERSION}"
    began = projection.latest_at
    links = projection.connections.graph.links
    with store.writing(SPACE) as writing:
        writing.set_parameters(recorded(("seed",), {}))
        known = writing.append([_item(projection, 0, 0, began)])[0].seq
        assert known is not None
        kept = Checkpoint(fingerprint, known, projection.day, began, projection.dump())
        writing.put_checkpoint(kept, keep=4)
        step = links.size // tail
        writing.append(
            [
                _item(projection, int(links.a[row]), int(links.b[row]), began + row * MICROS_PER_SECOND // step)
                for row in range(0, links.size, step)
            ]
        )
    store.close()
    return to_datetime(began + 3600 * MICROS_PER_SECOND)


def _item(projection: Projection, a: int, b: int, at: int) -> Item:
    if a == b:
        return make_item(space=SPACE, what="clock", at=at, payload={}, known_at=at)
    ids = projection.nodes.ids
    payload = {"a": ids[a], "b": ids[b], "kind": "co_mention_session"}
    return make_item(space=SPACE, what="evidence", at=at, payload=payload, known_at=at)


def _opened(path: Path, clock: datetime, ends: tuple[str, str], repeat: int) -> list[Timing]:
    """Open in fresh processes; give the median of every step."""
    taken: list[list[Timing]] = []
    with processes.compiled() as environment:
        for turn in range(repeat + 1):
            _, printed = processes.run(SCRIPT, path, clock.isoformat(), *ends, environment=environment)
            if not turn:
                continue  # the first one compiles
            marks = [Timing(*mark) for mark in json.loads(printed)]
            taken.append([after - before for before, after in pairwise(marks)])
    return [median(step) for step in zip(*taken, strict=True)]


def _told_steps(steps: list[Timing]) -> str:
    return ", ".join(f"{name} {step.wall * 1e3:.1f} ms" for name, step in zip(STEPS, steps, strict=True))

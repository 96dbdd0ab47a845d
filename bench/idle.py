"""Memories that nobody told anything for years: what the days in between cost."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from asterism import Memory
from asterism.core.space.projection import Projection
from bench import processes, synthetic
from bench.timing import Figure, Goal, Timing, duration, interleaved, median

NAME = "idle"
NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
YEAR = 365
FIRST_RECALL = """
import sys, time
from datetime import datetime
from asterism import Memory
with Memory.open_sync(sys.argv[1], space="bench", clock=datetime.fromisoformat(sys.argv[2])) as memory:
    assert memory.recall("who moved to Berlin?").hits
"""


def run(*, quick: bool) -> Iterator[Figure]:
    repeat = 3 if quick else 7
    yield from _first_recall(repeat)
    yield from _two_stars(repeat)
    yield from _many_links(20_000 // (10 if quick else 1), repeat)


def _first_recall(repeat: int) -> Iterator[Figure]:
    """Tell two memories the same, one yesterday and one eight years ago; ask each in fresh processes."""
    taken: dict[str, list[Timing]] = {"old": [], "new": []}
    with tempfile.TemporaryDirectory() as folder, processes.compiled() as environment:
        paths = {name: Path(folder) / f"{name}.db" for name in taken}
        for name, ago in (("old", 8 * YEAR), ("new", 1)):
            _tell(paths[name], NOW - timedelta(days=ago))
        for turn in range(repeat + 1):
            for name, path in paths.items():
                spent, _ = processes.run(FIRST_RECALL, path, NOW.isoformat(), environment=environment)
                if turn:  # the first one compiles
                    taken[name].append(spent)
    yield duration(
        "first recall of a memory last told 8 years ago",
        median(taken["old"]),
        "ms",
        other="the same told yesterday",
        theirs=median(taken["new"]),
        goal=Goal("ratio", "<=", 1.5),
        note="a fresh process, imports included: a note, three stars and a week of evidence",
    )


def _tell(path: Path, last: datetime) -> None:
    with Memory.open_sync(path, space="bench", clock=last) as memory:
        memory.learn("Anna moved to Berlin.", at=last - timedelta(days=6))
        for star in ("sleep", "mood", "work"):
            memory.add_star(star, domain="health", at=last - timedelta(days=6))
        for ago in range(6, -1, -1):
            at = last - timedelta(days=ago)
            memory.set_brightness("sleep", 0.3 + 0.1 * (ago % 3), at=at)
            memory.set_brightness("mood", 0.4 + 0.1 * (ago % 3), at=at)
            memory.observe("sleep", "mood", "user_confirms", at=at)


def _two_stars(repeat: int) -> Iterator[Figure]:
    """Pass years over two stars and a link, as few and as many."""
    told = synthetic.space(stars=2, links=1)
    jobs = {str(years): partial(_pass_years, years) for years in (1, 8, 126)}
    taken = _on_copies(jobs, told, repeat)
    growth = _exponent(taken["8"], taken["126"], 126 / 8)
    yield duration(
        "2 stars and 1 link over 126 years",
        taken["126"],
        "ms",
        other="over a year",
        theirs=taken["1"],
        goal=Goal("ours", "<=", 50.0),
        note=f"growth with years: exponent {growth:.2f} from 8 to 126",
    )


def _many_links(links: int, repeat: int) -> Iterator[Figure]:
    """Pass ten years, and twenty, over links that fall asleep."""
    told = synthetic.space(stars=links // 10, links=links)
    jobs: dict[str, Callable[[Projection], None]] = {
        "ten": partial(_pass_years, 10),
        "twenty": partial(_pass_years, 20),
        "each day": _end_sixty_days,
    }
    taken = _on_copies(jobs, told, repeat)
    each_day = taken["each day"].per(60 / (10 * YEAR))
    yield duration(
        f"{links:,} links idle for 10 years",
        taken["ten"],
        "s",
        other="ending every day for every link (60 of them, scaled)",
        theirs=each_day,
        goal=Goal("ours", "<=", 1.0),
    )
    yield Figure(
        "- growth from 10 to 20 idle years",
        "exponent",
        _exponent(taken["ten"], taken["twenty"], 2),
        math.log(max(taken["twenty"].wall / taken["ten"].wall, 1e-9)) / math.log(2),
        goal=Goal("ours", "<=", 0.1),
        note="1 is linear in the years",
    )


def _on_copies(jobs: Mapping[str, Callable[[Projection], None]], told: Projection, repeat: int) -> dict[str, Timing]:
    """Let jobs take turns, each on a copy that is made before the clock starts."""
    copied: dict[str, Projection] = {}

    def before(name: str) -> None:
        copied[name] = told.copy()

    def on_its_copy(name: str) -> None:
        jobs[name](copied[name])

    return interleaved({name: partial(on_its_copy, name) for name in jobs}, repeat=repeat, before=before)


def _pass_years(years: int, projection: Projection) -> None:
    assert projection.day is not None
    projection.close_days(projection.day + years * YEAR)


def _end_sixty_days(projection: Projection) -> None:
    for _ in range(60):
        projection.connections.close_day()


def _exponent(few: Timing, many: Timing, factor: float) -> float:
    return math.log(many.cpu / few.cpu) / math.log(factor)

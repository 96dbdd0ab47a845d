"""Measuring on a machine that is never quiet: jobs take turns, medians count, CPU time stands beside wall time."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

Work = Callable[[], object]


@dataclass(frozen=True)
class Timing:
    """Seconds."""

    cpu: float
    wall: float

    def __sub__(self, other: Timing) -> Timing:
        return Timing(max(self.cpu - other.cpu, 0.0), max(self.wall - other.wall, 0.0))

    def per(self, units: float) -> Timing:
        return Timing(self.cpu / units, self.wall / units)


def timed(work: Work) -> Timing:
    """Run once, after a collection, so that no job pays for another's garbage; its own it pays for."""
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return Timing(time.process_time() - cpu, time.perf_counter() - wall)


def median(timings: Sequence[Timing]) -> Timing:
    return Timing(statistics.median(each.cpu for each in timings), statistics.median(each.wall for each in timings))


def total(steps: Sequence[Timing]) -> Timing:
    return Timing(sum(step.cpu for step in steps), sum(step.wall for step in steps))


def interleaved(
    jobs: Mapping[str, Work], *, repeat: int, before: Callable[[str], object] | None = None
) -> dict[str, Timing]:
    """Let the jobs take turns and give each one's median; `before` prepares a turn and is not measured."""
    taken: dict[str, list[Timing]] = {name: [] for name in jobs}
    for _ in range(repeat):
        for name, work in jobs.items():
            if before is not None:
                before(name)
            taken[name].append(timed(work))
    return {name: median(each) for name, each in taken.items()}


Clock = Literal["cpu", "wall"]


@dataclass(frozen=True)
class Goal:
    """A bound on our figure, or on its ratio to the alternative."""

    of: Literal["ours", "ratio"]
    relation: Literal["<=", ">="]
    bound: float

    def met(self, value: float) -> bool:
        return value <= self.bound if self.relation == "<=" else value >= self.bound


@dataclass(frozen=True)
class Figure:
    """One line of the table. Values are in `unit`; `judged` says which clock the ratio and the goal look at."""

    job: str
    unit: str
    cpu: float
    wall: float
    judged: Clock = "cpu"
    other: str = ""
    other_cpu: float | None = None
    other_wall: float | None = None
    goal: Goal | None = None
    note: str = ""

    @property
    def ours(self) -> float:
        return self.cpu if self.judged == "cpu" else self.wall

    @property
    def theirs(self) -> float | None:
        return self.other_cpu if self.judged == "cpu" else self.other_wall

    @property
    def ratio(self) -> float | None:
        """Ours over the alternative, in the unit of the line: below 1 is good for times, above 1 for rates."""
        return self.ours / self.theirs if self.theirs else None

    @property
    def met(self) -> bool | None:
        if self.goal is None:
            return None
        value = self.ours if self.goal.of == "ours" else self.ratio
        return None if value is None else self.goal.met(value)

    def to_dict(self) -> dict[str, object]:
        return {**asdict(self), "ratio": self.ratio, "met": self.met}


SCALES = {"s": 1.0, "ms": 1e3, "us": 1e6}


def duration(
    job: str,
    ours: Timing,
    unit: Literal["s", "ms", "us"],
    *,
    judged: Clock = "cpu",
    other: str = "",
    theirs: Timing | None = None,
    goal: Goal | None = None,
    note: str = "",
) -> Figure:
    """A line about time: less is better."""
    scale = SCALES[unit]
    return Figure(
        job,
        unit,
        ours.cpu * scale,
        ours.wall * scale,
        judged,
        other,
        theirs.cpu * scale if theirs else None,
        theirs.wall * scale if theirs else None,
        goal,
        note,
    )


def rate(
    job: str,
    ours: Timing,
    unit: str,
    *,
    units: float,
    judged: Clock = "cpu",
    other: str = "",
    theirs: Timing | None = None,
    their_units: float | None = None,
    goal: Goal | None = None,
    note: str = "",
) -> Figure:
    """A line about speed, `units` of work in the time given: more is better."""
    amount = units if their_units is None else their_units
    return Figure(
        job,
        unit,
        units / ours.cpu,
        units / ours.wall,
        judged,
        other,
        amount / theirs.cpu if theirs else None,
        amount / theirs.wall if theirs else None,
        goal,
        note,
    )

"""The day's end over a million links, against memory bandwidth and against a loop written by hand."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from asterism.core.connections.day import Graph
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.items import make_item
from asterism.core.space.projection import Projection
from bench import synthetic
from bench.plain_day import LiteralSpace, PlainSpace
from bench.timing import Figure, Goal, Timing, duration, median, rate, timed
from tests.support.plain import PlainFold

NAME = "daily_step"
TOLERANCE = 1e-9


def run(*, quick: bool) -> Iterator[Figure]:
    scale = 10 if quick else 1
    links, stars, repeat = 1_000_000 // scale, 100_000 // scale, 5 if quick else 9
    plain_links, plain_days = 20_000 // scale, 3
    large = synthetic.space(stars=stars, links=links)
    small = synthetic.space(stars=plain_links // 10, links=plain_links, seed=2)
    agreed = _agreement(small.copy(), days=5)

    chance = np.random.default_rng(3)
    taken: dict[str, list[Timing]] = {"ours": [], "fast": [], "tuned": [], "literal": []}
    parts: list[dict[str, Timing]] = []
    bandwidths: list[Timing] = []
    room = np.empty(links)
    synthetic.live_a_day(large, chance)
    large.connections.close_day()  # the first day warms up: links made by hand settle into their states
    fast = large.copy()
    fast.connections.compile()
    synthetic.live_a_day(fast, np.random.default_rng(4))
    fast.connections.close_day()  # compiles
    for _ in range(repeat):
        synthetic.live_a_day(large, chance)
        synthetic.type_due(large, due=False)
        stages = Stages()
        taken["ours"].append(timed(partial(large.connections.close_day, stages)))
        parts.append(stages.taken())
        synthetic.live_a_day(fast, chance)
        synthetic.type_due(fast, due=False)
        taken["fast"].append(timed(fast.connections.close_day))
        bandwidths.append(timed(partial(_bandwidth, large.connections.graph, room)))
        for name, kind in (("tuned", PlainSpace), ("literal", LiteralSpace)):
            plain = kind(small)
            taken[name].append(timed(partial(_walk, plain, plain_days)))
    day, compiled, tuned, literal = (median(taken[name]) for name in ("ours", "fast", "tuned", "literal"))
    yield duration(
        f"day's end, {links:,} links",
        day,
        "ms",
        goal=Goal("ours", "<=", 60.0 / scale),
        note="all but type re-evaluation; a tenth of the stars engaged, a tenth of the links told, events at one in 15",
    )
    against = f"loop over objects, {plain_links:,} links"
    for told, theirs, goal in (
        (f"{against}: the seed's functions", literal, Goal("ratio", ">=", 200.0)),
        (f"{against}: tuned by hand", tuned, None),
    ):
        yield rate(
            "- connection-days",
            day,
            "links/s",
            units=links,
            other=told,
            theirs=theirs,
            their_units=plain_links * plain_days,
            goal=goal,
            note=agreed if goal else "",
        )
    yield rate(
        "- connection-days, compiled (extra fast)",
        compiled,
        "links/s",
        units=links,
        other=f"{against}: the seed's functions",
        theirs=literal,
        their_units=plain_links * plain_days,
        goal=Goal("ratio", ">=", 100.0),
        note=f"a day's end of {compiled.cpu * 1e3:.1f} ms, with the same bits",
    )
    reference, reference_links, reference_days = _reference(repeat=3)
    yield rate(
        "- connection-days",
        day,
        "links/s",
        units=links,
        other=f"readable reference of the tests, {reference_links:,} links",
        theirs=reference,
        their_units=reference_links * reference_days,
    )
    yield from _parts(parts, bandwidths, day)
    yield _types(large, day, goal=1.0 / scale, repeat=3)


class Stages:
    """Looks at the clocks after every stage of a day's end."""

    def __init__(self) -> None:
        self.marks: list[tuple[str, Timing]] = []

    def after(self, stage: str, day: int, graph: Graph) -> None:  # noqa: ARG002  # a watch looks at what it likes
        self.marks.append((stage, Timing(time.process_time(), time.perf_counter())))

    def slept(self, day: int, until: int, graph: Graph) -> None:
        """Every day of these benchmarks has items."""

    def taken(self) -> dict[str, Timing]:
        """Give how long each stage took; the first mark is the beginning."""
        return {stage: now - before for (_, before), (stage, now) in pairwise(self.marks)}


def _bandwidth(graph: Graph, room: NDArray[np.float64]) -> None:
    """Touch what decay must touch, and do nothing with it: read and write strength, read ends, state and kind."""
    links = graph.links.trim()
    np.copyto(room, links.strength)
    for column in (links.a, links.b, links.state, links.kind):
        column.max()


def _reference(*, repeat: int) -> tuple[Timing, int, int]:
    """Time the plain fold that the tests hold against the columns, on days when no type is due."""
    stars, links, days = 200, 2_000, 3
    chance = np.random.default_rng(5)
    names = [f"s{number:03d}" for number in range(stars)]
    told = [("star_added", {"star": name, "name": name, "domain": "soul"}, 0) for name in names]
    while len(told) < stars + 3 * links:
        a, b = sorted(chance.choice(stars, 2, replace=False).tolist())
        told += [("evidence", {"a": names[a], "b": names[b], "kind": "user_confirms"}, day) for day in (0, 1, 2)]
    items = [
        make_item(space="s", what=what, at=day * MICROS_PER_DAY + number, payload=payload, known_at=0)
        for number, (what, payload, day) in enumerate(told)
    ]
    plain = PlainFold(ConnectionParameters())
    for item in sorted(items, key=lambda item: item.position):
        plain.apply(item)
    plain.close_days(3)
    taken = [timed(partial(copy.deepcopy(plain).close_days, 3 + days)) for _ in range(repeat)]
    return median(taken), len(plain.links), days


def _walk(plain: PlainSpace, days: int) -> None:
    for _ in range(days):
        plain.end_day()


def _agreement(projection: Projection, *, days: int) -> str:
    """Let all walk the same days; strengths, states and brightness must agree."""
    loops = PlainSpace(projection), LiteralSpace(projection)
    for _ in range(days):
        synthetic.type_due(projection, due=False)
        projection.connections.close_day()
    links, stars = projection.connections.graph.links.trim(), projection.connections.graph.stars.trim()
    worst = 0.0
    for plain in loops:
        _walk(plain, days)
        strength = np.abs(links.strength - [link.strength for link in plain.links]).max()
        brightness = np.abs(stars.brightness - [star.brightness for star in plain.stars]).max()
        states = int((links.state != [link.state for link in plain.links]).sum())
        states += int((stars.state != [star.state for star in plain.stars]).sum())
        worst = max(worst, float(strength), float(brightness))
        if worst > TOLERANCE or states:
            raise AssertionError(f"{type(plain).__name__} and the step differ: by {worst:g}, in {states} states")
    return f"loops and step agree after {days} days: numbers to {worst:.0e}, every state"


def _parts(days: list[dict[str, Timing]], bandwidths: list[Timing], whole: Timing) -> Iterator[Figure]:
    found = {stage: median([day[stage] for day in days]) for stage in days[0]}
    yield duration(
        "- decay of links",
        found["decay"],
        "ms",
        other="copy and read of the same 26 bytes a link",
        theirs=median(bandwidths),
    )
    yield duration("- states of links", found["state"], "ms")
    yield duration("- influence on stars", found["influence"], "ms")
    yield duration("- predictions", found["prediction"], "ms")
    rest = whole
    for stage in ("decay", "state", "influence", "prediction"):
        rest = rest - found[stage]
    yield duration("- all else", rest, "ms", note="stars, switches, boosts, caps, counts, the next day's opening")


def _types(projection: Projection, day: Timing, *, goal: float, repeat: int) -> Figure:
    taken: list[Timing] = []
    for _ in range(repeat):
        trial = projection.copy()
        synthetic.type_due(trial, due=True)
        taken.append(timed(trial.connections.close_day))
    links = projection.connections.graph.links.size
    return duration(
        f"- type re-evaluation of all {links:,} links",
        median(taken) - day,
        "s",
        goal=Goal("ours", "<=", goal),
        note="a day's end with every link due, less one with none",
    )

"""Exploration: time, hops and memory on a large graph, a hub, a deadline; and what colouring does to a second visit."""

from __future__ import annotations

import gc
import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from asterism.core.walkers.effects import effects_of
from asterism.core.walkers.expedition import Expedition
from asterism.core.walkers.expedition import run as walk
from asterism.core.walkers.fold import Walks
from asterism.core.walkers.formulas import alignment, link_score, novelty
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.laying import laid
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import KINDS, Place
from asterism.core.walkers.scoring import Probes, rank
from asterism.core.walkers.vectors import unit, unit_rows
from asterism.core.walkers.walker import Question
from asterism.engine.explore.run import Asking, ExplorationTimeout, explore_now
from bench import explore_memory
from bench.timing import Figure, Goal, Timing, duration, timed

NAME = "explore"
DIMENSION = 256
TURNS = 3
MIXED, TALK = 0.2, 0.5  # share of moments: a memory of many things; one that is mostly talk, where all walkers go out
SEED = ExplorationParameters()


def run(*, quick: bool) -> Iterator[Figure]:
    nodes, links, walks = (10_000, 100_000, 30) if quick else (100_000, 1_000_000, 200)
    for moments in (MIXED, TALK):
        place = large(nodes, links, moments=moments)
        yield from explorations(place, walks if moments == MIXED else walks // 4, moments=moments)
        if moments == MIXED:
            yield memory(place, 500 if quick else 10_000)
            yield deadline(place)
    yield hub(10_000 if quick else 100_000)
    yield from colouring(topics=20 if quick else 60)
    yield from explore_memory.figures(quick=quick)


# --- a large graph ------------------------------------------------------------------------------------------------


def large(nodes: int, links: int, *, moments: float) -> WalkGraph:
    """Make topics with nodes around them; six links of ten stay within a topic, and few nodes have many links."""
    chance = np.random.default_rng(7)
    topics = max(nodes // 250, 4)
    centre = chance.normal(size=(topics, DIMENSION))
    topic = np.sort(chance.integers(0, topics, nodes))
    vectors = (centre[topic] + 1.2 * chance.normal(size=(nodes, DIMENSION))).astype(np.float32)
    share = {"actor": 0.02, "moment": moments, "narrative": 0.05, "place": 0.03}
    kinds = chance.choice(len(KINDS), nodes, p=[share.get(kind, 0.9 - moments) for kind in KINDS]).astype(np.uint8)
    a = chance.permutation(nodes)[np.minimum((chance.power(0.5, links) * nodes).astype(np.int64), nodes - 1)]
    first, last = np.searchsorted(topic, topic[a]), np.searchsorted(topic, topic[a], side="right")
    near = first + (chance.random(links) * (last - first)).astype(np.int64)
    b = np.where(chance.random(links) < 0.6, near, chance.integers(0, nodes, links))
    return WalkGraph.build(
        ids=[f"n{number}" for number in range(nodes)],
        kinds=kinds,
        vectors=vectors,
        a=a,
        b=b,
        polarity=chance.uniform(0.2, 1.0, (links, 2)),
        permanence=chance.uniform(0.0, 0.9, links),
        hierarchy=chance.uniform(-1.0, 1.0, links),
        contents=["what was said or done"] * nodes,
    )


def question(place: WalkGraph, number: int) -> Expedition:
    """Ask something near where one starts, for the sake of something farther away."""
    chance = np.random.default_rng(10_000 + number)
    start, goal = chance.integers(0, len(place), 2).tolist()
    noise = chance.normal(size=(2, DIMENSION)) / 16
    query = unit(place.vectors[start] + noise[0])
    return Expedition(
        Question("what", query, "why", unit(query + place.vectors[goal] + noise[1])), place.look(start), SEED
    )


def explorations(place: WalkGraph, walks: int, *, moments: float) -> Iterator[Figure]:
    for number in range(walks, walks + 5):
        walk(question(place, number), place.answer)
    taken: list[Timing] = []
    done: list[Expedition] = []
    for number in range(walks):
        turns = []
        for turn in range(TURNS):
            expedition = question(place, number)
            cpu, wall = time.process_time(), time.perf_counter()
            walk(expedition, place.answer)
            turns.append(Timing(time.process_time() - cpu, time.perf_counter() - wall))
            if turn == 0:
                done.append(expedition)
        taken.append(Timing(statistics.median(t.cpu for t in turns), statistics.median(t.wall for t in turns)))
    where = f"{len(place):,} nodes, {len(place.links) // 2:,} links, {moments:.0%} moments"
    steps = statistics.median(each.steps for each in done)
    walkers = [len(each.tour.walkers) for each in done]
    note = (
        f"{walks} explorations, median of {TURNS} turns each; median {steps:.0f} steps and "
        f"{statistics.median(walkers):.0f} walkers, at most {max(walkers)}"
    )
    judged = moments == MIXED
    for name, place_of, most in (("p50", 0.5, 20.0), ("p95", 0.95, 80.0)):
        cpu, wall = (
            sorted(getattr(each, clock) for each in taken)[min(int(place_of * walks), walks - 1)]
            for clock in ("cpu", "wall")
        )
        goal = Goal("ours", "<=", most) if judged else None
        yield duration(f"exploration, depth 10, {where}: {name}", Timing(cpu, wall), "ms", goal=goal, note=note)
    hops = statistics.mean(each.depth for one in done for each in one.tour.walkers if not each.children)
    yield Figure(f"mean hops, {moments:.0%} moments", "hops", hops, hops, goal=Goal("ours", ">=", 5.0))


def memory(place: WalkGraph, count: int) -> Figure:
    """Explore many times and see whether memory grows after the first tenth."""
    few = ExplorationParameters(max_walkers=4)
    after: list[float] = []
    for number in range(count):
        asked = question(place, number)
        walk(Expedition(asked.tour.question, asked.start, few), place.answer)
        if number in (count // 10, count - 1):
            gc.collect()
            after.append(resident())
    grown = after[-1] - after[0]
    note = f"{after[-1]:,.0f} MB in all, graph included; at most 4 walkers each"
    return Figure(
        f"memory gained by {count:,} explorations", "MB", grown, grown, goal=Goal("ours", "<=", 8.0), note=note
    )


def resident() -> float:
    """Give the memory this process holds now, in MB."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20


def deadline(place: WalkGraph) -> Figure:
    """Explore without other bounds for 50 ms."""
    endless = ExplorationParameters(max_walkers=100_000, max_depth=1000, fatigue_window=1000, min_link_score=0.0)
    taken, found = [], 0
    for number in range(20):
        asked = question(place, number).tour.question
        start = int(np.flatnonzero(place.kinds == KINDS.index("moment"))[number])
        vectors = asked.query_vector, asked.intention_vector
        asking = Asking(
            query="what",
            query_vector=vectors[0],
            intention="why",
            intention_vector=vectors[1],
            start=start,
            parameters=endless,
            deadline=0.05,
        )
        began = time.perf_counter()
        try:
            explore_now(place, asking)
        except ExplorationTimeout as late:
            taken.append(time.perf_counter() - began)
            found += len(late.exploration.found)
    note = f"{len(taken)} of 20 ran out of time; {found / max(len(taken), 1):.0f} findings each; the median is shown"
    spent = statistics.median(taken) if taken else 0.0
    return duration(
        "a deadline of 50 ms ends after",
        Timing(spent, spent),
        "ms",
        judged="wall",
        goal=Goal("ours", "<=", 75.0),
        note=note,
    )


# --- a hub --------------------------------------------------------------------------------------------------------


def hub(links: int) -> Figure:
    """Score all links of a node with very many, deep in a walk with siblings; beside it, one link after the other."""
    chance = np.random.default_rng(3)
    place = WalkGraph.build(
        ids=[f"n{number}" for number in range(links + 1)],
        kinds=np.full(links + 1, KINDS.index("thing"), dtype=np.uint8),
        vectors=chance.normal(size=(links + 1, DIMENSION)).astype(np.float32),
        a=np.zeros(links, dtype=np.int64),
        b=1 + np.arange(links),
        polarity=chance.random((links, 2)),
        permanence=chance.random(links),
    ).look(0)
    vectors = [unit(chance.normal(size=DIMENSION)) for _ in range(12)]
    probes = Probes.of(place.vector, vectors[0], vectors[1], vectors[2:10], vectors[10:])
    taken = [timed(lambda: rank(place, probes, {5}, SEED, most=4)) for _ in range(9)]
    ours = Timing(statistics.median(each.cpu for each in taken), statistics.median(each.wall for each in taken))
    some = links // 1000
    plain = timed(lambda: [one_by_one(place, number, probes) for number in range(some)])
    return duration(
        f"scoring a hub of {links:,} links",
        ours,
        "ms",
        other=f"link by link in plain Python ({some} measured)",
        theirs=Timing(plain.cpu / some * links, plain.wall / some * links),
        goal=Goal("ours", "<=", 30.0),
    )


def one_by_one(place: Place, number: int, probes: Probes) -> float:
    end = place.links.vectors[place.links.rows[number]].tolist()
    link = [x + y for x, y in zip(place.vector.tolist(), end, strict=True)]
    length = sum(x * x for x in link) ** 0.5
    cosines = [sum(x * y for x, y in zip(link, row, strict=True)) / length for row in probes.rows.tolist()]
    path = 3 + probes.path
    return link_score(
        alignment=alignment(cosines[1], cosines[2]),
        polarity=float(place.links.polarity[number]),
        permanence=float(place.links.permanence[number]),
        self_novelty=novelty(cosines[3 : path - 1]),
        sibling_divergence=novelty(cosines[path:]),
    )


# --- colouring ----------------------------------------------------------------------------------------------------


class Visit(NamedTuple):
    """How questions went, on average."""

    hops: float
    steps: float
    satisfaction: float


class Prepared:
    """A place with a way out for each topic: a crossing, two narratives behind it, a blind loop beside them.

    The loop looks a little more like what is asked than the way does, so a walker that was never there mostly takes it.
    """

    def __init__(self, topics: int, rules: ExplorationParameters) -> None:
        chance = np.random.default_rng(11)
        self.rules = rules
        self.asked = [unit(chance.normal(size=DIMENSION)) for _ in range(topics)]
        self.kinds = ["place"]
        vectors = [unit(chance.normal(size=DIMENSION))]
        a: list[int] = []
        b: list[int] = []
        for query in self.asked:
            crossing = len(self.kinds)
            loop, back, told, more = range(crossing + 1, crossing + 5)
            self.kinds += ["place", "place", "place", "narrative", "narrative"]
            noise = [unit(chance.normal(size=DIMENSION)) for _ in range(5)]
            vectors += [
                unit(share * query + each) for share, each in zip((0.5, 0.53, 0.3, 0.5, 2.0), noise, strict=True)
            ]
            a += [0, crossing, loop, back, crossing, told]
            b += [crossing, loop, back, crossing, told, more]
        self.vectors = unit_rows(np.array(vectors))
        self.a, self.b = np.array(a), np.array(b)
        self.ids = [f"n{number}" for number in range(len(self.kinds))]
        self.link_ids = [f"l{number:06}" for number in range(len(a))]

    def graph(self, walks: Walks) -> WalkGraph:
        """Build the graph with the colours that were left on it."""
        over = laid(
            walks,
            links={link: number for number, link in enumerate(self.link_ids)},
            a=self.a,
            b=self.b,
            vectors=self.vectors,
            permanence=np.full(len(self.a), 0.1, dtype=np.float32),
            embedder="",
        )
        return WalkGraph.build(
            ids=self.ids,
            kinds=self.kinds,
            vectors=self.vectors,
            a=self.a,
            b=self.b,
            link_ids=self.link_ids,
            permanence=over.permanence,
            colours=over.colours,
        )

    def ask(self, place: WalkGraph, topic: int) -> Expedition:
        """Ask the question of a topic, from the place that all ways lead out of."""
        asked = Question("what", self.asked[topic], "why", self.asked[topic])
        return walk(Expedition(asked, place.look(0), self.rules), place.answer)


def colouring_figures(
    topics: int, *, times: int = 2, rules: ExplorationParameters = SEED
) -> dict[str, tuple[Visit, Visit]]:
    """Ask half of the questions twice, and then all of them, with the colours that this left and without."""
    prepared, walks = Prepared(topics, rules), Walks(rules)
    bare = prepared.graph(walks)
    before = [prepared.ask(bare, topic) for topic in range(topics)]
    at = 0
    for _ in range(times):
        place = prepared.graph(walks)
        for topic in range(0, topics, 2):
            at += 1
            walks.apply(effects_of(prepared.ask(place, topic)), at, b"")
    coloured = prepared.graph(walks)
    after = [prepared.ask(coloured, topic) for topic in range(topics)]
    return {
        "asked before": (visits(before[::2]), visits(after[::2])),
        "never asked": (visits(before[1::2]), visits(after[1::2])),
    }


def visits(done: list[Expedition]) -> Visit:
    return Visit(
        statistics.mean(each.root.depth for each in done),
        statistics.mean(each.steps for each in done),
        statistics.mean(each.root.satisfaction for each in done),
    )


def colouring(topics: int) -> Iterator[Figure]:
    for which, (before, after) in colouring_figures(topics).items():
        note = (
            f"steps {before.steps:.1f} -> {after.steps:.1f}, "
            f"satisfaction {before.satisfaction:.3f} -> {after.satisfaction:.3f}"
        )
        goal = Goal("ratio", "<=", 0.9 if which == "asked before" else 1.0)
        yield Figure(
            f"hops of questions {which}, with colours",
            "hops",
            after.hops,
            after.hops,
            other="without colours",
            other_cpu=before.hops,
            other_wall=before.hops,
            goal=goal,
            note=note,
        )


if __name__ == "__main__":
    sys.exit("run it as: python -m bench explore")

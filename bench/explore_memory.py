"""Explorations of a memory: what learning from them costs, whether the time told is the time waited, and deadlines."""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np

from asterism import Evidence, Memory
from asterism.core.dialogue.lines import Line
from asterism.engine.explore.run import ExplorationTimeout
from asterism.sync import Memory as SyncMemory
from bench.recall_corpus import Corpus, corpus
from bench.timing import Figure, Goal, Timing, duration

SPACE = "bench"
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
NOW = BEGIN + timedelta(days=2)
TURNS = 12
DEADLINES = (0.05, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 60.0, 0.05)  # seconds, one after the other in a fresh process
MILLION = 999_000  # characters, the longest line


def figures(*, quick: bool) -> Iterator[Figure]:
    for size in (500, 2_000) if quick else (1_000, 15_000, 100_000):
        yield learning(size)
    yield told_time(500 if quick else 5_000)
    scale = 10 if quick else 1
    yield overrun(f"a line of {MILLION // scale:,} characters", lambda memory: one_long_line(memory, MILLION // scale))
    yield overrun(f"a transcript of {15_000 // scale:,} lines", lambda memory: many_lines(memory, 15_000 // scale))
    yield overrun(f"a hub of {50_000 // scale:,} links", lambda memory: hub(memory, 50_000 // scale), start="hub")


# What is walked


def filled(memory: SyncMemory, given: Corpus) -> None:
    """Tell a memory texts in conversations, and evidence that links each to the next and to one far away."""
    rows = [
        {"content": f"{text} {row}", "conversation": f"g{given.conversation[row]}", "at": BEGIN}
        for row, text in enumerate(given.texts)
    ]
    ids = [each.id for at in range(0, len(rows), 10_000) for each in memory.learn_many(rows[at : at + 10_000])]
    far = np.random.default_rng(5).permutation(len(ids)).tolist()
    pairs = [*pairwise(ids), *((a, ids[b]) for a, b in zip(ids, far, strict=True) if a != ids[b])]
    for at in range(0, len(pairs), 10_000):
        memory.observe_many([Evidence(a, b, "user_creates", BEGIN) for a, b in pairs[at : at + 10_000]])


def one_long_line(memory: SyncMemory, characters: int) -> None:
    said = [f"I want to open the {text}" for text in corpus(60).texts]
    said[20] = " ".join([*said, *corpus(3_000).texts] * 10)[:characters]
    read(memory, said)


def many_lines(memory: SyncMemory, lines: int) -> None:
    read(memory, [f"I want to open the {text}" if row % 2 else text for row, text in enumerate(corpus(lines).texts)])


def read(memory: SyncMemory, said: list[str]) -> None:
    lines = [Line(row, ("Ann", "DM", "Cy")[row % 3], text) for row, text in enumerate(said)]
    memory.read_transcript(lines, session="One", started_at=BEGIN)


def hub(memory: SyncMemory, links: int) -> None:
    memory.add_star("Hub", domain="health", at=BEGIN)
    texts = [{"content": f"Thing {number} is near the door {number % 977}.", "at": BEGIN} for number in range(links)]
    for at in range(0, links, 10_000):
        some = memory.learn_many(texts[at : at + 10_000])
        memory.observe_many([Evidence("hub", each.id, "user_creates", BEGIN) for each in some])


# Learning


def learning(size: int) -> Figure:
    """Explore with and without learning, in turns, each first every other time."""
    given = corpus(size)
    taken: dict[bool, list[Timing]] = {True: [], False: []}
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder) / "m.db") as memory:
        filled(memory, given)
        for learn in (False, True, True):
            memory.explore(given.questions[0], learn=learn, deadline=3_600)  # it gets ready here
        gc.collect()
        for turn in range(TURNS):
            for learn in (True, False) if turn % 2 else (False, True):
                cpu, wall = time.process_time(), time.perf_counter()
                memory.explore(given.questions[turn + 1], intention=given.questions[-turn - 1], learn=learn)
                taken[learn].append(Timing(time.process_time() - cpu, time.perf_counter() - wall))
        left = sum(memory.stats().items.get(kind, 0) for kind in ("explored",))
    ours, theirs = (middle(taken[learn]) for learn in (True, False))
    note = f"{left} explorations left something; the slowest {max(each.cpu for each in taken[True]) * 1e3:.0f} ms"
    job = f"learning exploration among {size:,} nodes"
    return duration(job, ours, "ms", other="without learning", theirs=theirs, goal=Goal("ratio", "<=", 2.0), note=note)


def middle(timings: list[Timing]) -> Timing:
    return Timing(statistics.median(each.cpu for each in timings), statistics.median(each.wall for each in timings))


def opened(path: Path) -> SyncMemory:
    return Memory.open_sync(path, space=SPACE, clock=NOW)


# The time told


def told_time(size: int) -> Figure:
    """Compare what calls say they took with what the caller waited: the first ones, later ones, after writes."""
    given, ratios = corpus(size), list[float]()

    def wait(call: Callable[[], object]) -> None:
        began = time.perf_counter()
        took: float = call().took_ms  # type: ignore[attr-defined]  # an answer or an exploration
        ratios.append(took / 1e3 / (time.perf_counter() - began))

    async def others(path: Path) -> None:
        async with Memory.open(path, space=SPACE, clock=NOW) as memory:
            for learn in (True, False):
                began = time.perf_counter()
                found = await memory.explore(given.questions[4], learn=learn)
                ratios.append(found.took_ms / 1e3 / (time.perf_counter() - began))
            began = time.perf_counter()
            answer = await memory.recall(given.questions[5])
            ratios.append(answer.took_ms / 1e3 / (time.perf_counter() - began))

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.db"
        with opened(path) as memory:
            filled(memory, given)
        with opened(path) as memory:
            wait(lambda: memory.recall(given.questions[0]))
            wait(lambda: memory.recall(given.questions[1]))
            memory.learn("Something new was learned.")
            wait(lambda: memory.recall(given.questions[2]))
            for learn in (False, True, True):
                wait(lambda learn=learn: memory.explore(given.questions[3], learn=learn))  # type: ignore[misc]  # binds the loop's value
        asyncio.run(others(path))
    off = max(abs(1.0 - each) for each in ratios)
    shares = f"{min(ratios):.3f} to {max(ratios):.3f}"
    note = f"recall and explore, first and later, after writes, in a thread too; told over waited {shares}"
    goal = Goal("ours", "<=", 0.2)
    return Figure("took_ms off what was waited, the most", "", off, off, "wall", goal=goal, note=note)


# Deadlines


def overrun(what: str, tell: Callable[[SyncMemory], None], *, start: str = "") -> Figure:
    """Let deadlines strike everywhere on the way from a fresh process to an answer, by a clock of CPU time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.db"
        with opened(path) as memory:
            tell(memory)
        done = subprocess.run(
            [sys.executable, "-m", "bench.explore_memory", str(path), start],
            check=True,
            capture_output=True,
            text=True,
            timeout=3_600,
        )
    told: list[tuple[float, float]] = json.loads(done.stdout)
    over = max(max(0.0, took - deadline) for deadline, took in told) * 1e3
    shown = ", ".join(f"{deadline * 1e3:.0f} -> {took * 1e3:.0f}" for deadline, took in told)
    goal = Goal("ours", "<=", 50.0)
    return Figure(f"overrun of a deadline, {what}, the most", "ms", over, over, goal=goal, note=f"CPU ms: {shown}")


def main(path: str, start: str) -> None:
    told = []
    with opened(Path(path)) as memory:
        memory._async._timer = time.process_time  # type: ignore[attr-defined]  # so that other jobs do not count
        for deadline in DEADLINES:
            began = time.process_time()
            with suppress(ExplorationTimeout):
                memory.explore("What is behind the door?", start=start or None, deadline=deadline, learn=False)
            told.append((deadline, time.process_time() - began))
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:3])

"""What facts weigh on disk before and after a dream, and what it costs a fresh process to open them and to answer.

The facts are dreamed by hand: a dream's own items (four edges a fact, as real ones have), the vectors of the texts, and
what the engine leaves after a dream. To dream 100,000 facts takes minutes, and is measured by `dream`.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import numpy as np

from asterism import Memory
from asterism.core.blocks.dreaming import Dreamed
from asterism.core.blocks.links import Edge
from asterism.core.blocks.payloads import payload_of
from asterism.core.blocks.scoring import block_id
from asterism.core.ledger.items import make_item
from asterism.engine.blocks.dream import leave_for_the_next
from asterism.engine.space.live import Live
from asterism.engine.space.vectors import text_key
from bench import processes
from bench.recall_corpus import vocabulary
from bench.timing import Figure, Goal, Timing, duration, median, total

NAME = "weight"
SPACE = "bench"
NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
KNOWN = 8_000  # words that a person's facts are told in
CONTENT = 6  # words of a fact that are no stop words: 70 characters
STEP = 10_000  # facts that a step of a dream takes in
EDGES = 4  # a fact
QUESTION = "What did they say about the sea?"
SCRIPT = """
import json, sys, time
from datetime import datetime
path, clock, question = sys.argv[1:]
marks = [(0.0, 0.0), (time.process_time(), time.perf_counter())]
def mark():
    marks.append((time.process_time(), time.perf_counter()))
from asterism import Memory
import asterism.sync
mark()
with Memory.open_sync(path, space="bench", clock=datetime.fromisoformat(clock)) as memory:
    mark()
    found = memory.recall(question)
    mark()
assert found.hits
print(json.dumps(marks))
"""
STEPS = ("Python", "import", "open", "first recall")


def run(*, quick: bool) -> Iterator[Figure]:
    scale, repeat = (10, 3) if quick else (1, 5)
    for size, bound in ((20_000 // scale, 0.6), (100_000 // scale, 1.5)):
        with tempfile.TemporaryDirectory() as folder:
            before, after = Path(folder) / "before.db", Path(folder) / "after.db"
            texts = facts(size)
            for path in (before, after):
                told(path, texts)
            yield weight(f"{size:,} facts, not dreamed", before, size)
            dreamed_by_hand(after, texts)
            goal = Goal("ours", "<=", 1_700.0) if size == 20_000 // scale else None
            yield weight(f"{size:,} facts, dreamed", after, size, goal=goal)
            theirs, ours = answered(before, repeat), answered(after, repeat)
            yield duration(
                f"open {size:,} facts, dreamed, first recall",
                total(ours),
                "s",
                other="the same facts, not dreamed",
                theirs=total(theirs),
                goal=Goal("ours", "<=", bound),
                note=f"a fresh process, imports and all; CPU: {_told(ours)}; not dreamed: {_told(theirs)}",
            )


def facts(size: int) -> list[str]:
    """Make facts of about 70 characters, in words with the frequencies of a language."""
    chance = np.random.default_rng(size)
    words = vocabulary(chance)[:KNOWN]
    share = 1.0 / (np.arange(KNOWN) + 2.7) ** 1.05
    drawn = chance.choice(KNOWN, (size, CONTENT), p=share / share.sum())
    small = ("the", "of", "and", "has", "to", "with")
    return [
        " ".join(f"{little} {words[word]}" for little, word in zip(small, row, strict=True)).capitalize()
        + f" since {1900 + number % 120}."
        for number, row in enumerate(drawn.tolist())
    ]


def told(path: Path, texts: list[str]) -> None:
    with Memory.open_sync(path, space=SPACE, clock=NOW) as memory:
        for start in range(0, len(texts), STEP):
            memory.learn_many(texts[start : start + STEP])


def dreamed_by_hand(path: Path, texts: list[str]) -> None:
    """Append the items of a dream, keep the vectors, and leave what a dream leaves."""
    chance = np.random.default_rng(1)
    names = sorted({block_id(text) for text in texts})
    with Memory.open_sync(path, space=SPACE, clock=NOW) as memory:
        live = _live(memory)
        vectors, embedder, at = live.texts(), live.texts().embedder, live.now()
        vectors.make_anew(texts)
        items = []
        for place, start in enumerate(range(0, len(names), STEP)):
            some = names[start : start + STEP]
            ends = np.sort(chance.integers(0, len(some), (EDGES * len(some), 2)), axis=1)
            pairs = {(some[a], some[b]) for a, b in ends.tolist() if a != b}
            scores = np.round(chance.uniform(0.4, 0.9, len(pairs)), 9).tolist()
            edges = tuple(Edge(a, b, score) for (a, b), score in zip(sorted(pairs), scores, strict=True))
            left = max(0, len(names) - start - STEP)
            step = Dreamed(0.0, tuple(some), (), (), edges, (), exact=True, recall=1.0, remaining=left)
            said = payload_of(step, dream="by hand")
            items.append(make_item(space=SPACE, what="dreamed", at=at + 1 + place, payload=said, known_at=at))
        made = vectors.made()
        with live.store.writing(SPACE) as writing:
            writing.append(items)
            writing.set_embedder(embedder.identity)
            writing.put_vectors(embedder.identity, made)
        vectors.kept(made)
        assert len(made) == len({text_key(text) for text in texts})
        live.refresh()
        leave_for_the_next(live, len(names))


def _live(memory: object) -> Live:
    live = memory._async._live  # type: ignore[attr-defined]  # the engine is measured from inside
    assert isinstance(live, Live)
    return live


def weight(job: str, path: Path, size: int, *, goal: Goal | None = None) -> Figure:
    each = path.stat().st_size / size
    return Figure(f"bytes a fact: {job}", "bytes", each, each, goal=goal, note=f"{path.stat().st_size / 1e6:.1f} MB")


def answered(path: Path, repeat: int) -> list[Timing]:
    """Open and ask in fresh processes; give the median of every step."""
    taken: list[list[Timing]] = []
    with processes.compiled() as environment:
        for turn in range(repeat + 1):
            _, printed = processes.run(SCRIPT, path, NOW.isoformat(), QUESTION, environment=environment)
            if not turn:
                continue  # the first one compiles
            marks = [Timing(*mark) for mark in json.loads(printed)]
            marks[0] = Timing(0.0, marks[1].wall)  # how long Python took to begin, it cannot say itself
            taken.append([after - before for before, after in pairwise(marks)])
    return [median(step) for step in zip(*taken, strict=True)]


def _told(steps: list[Timing]) -> str:
    return ", ".join(f"{name} {step.cpu * 1e3:.0f} ms" for name, step in zip(STEPS, steps, strict=True))

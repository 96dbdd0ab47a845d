"""A dream: time and growth from 2,000 to 100,000 blocks, a small dream into a large memory, edge recall, memory."""

from __future__ import annotations

import math
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from asterism.core.blocks.claims import claims_of
from asterism.core.blocks.conflicting import may_speak_of, words_of_subjects
from asterism.core.blocks.conflicts import Text, conflicts_among
from asterism.core.blocks.dreaming import Dreamed, dream_step
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.state import Active, Edges, Inbox, Tags, Vectors, unit_vectors
from asterism.core.ledger.columns import Ints, Longs
from bench.recall_peers import ELFMEM, AbsentError, measured
from bench.timing import Figure, Goal, Timing, duration, interleaved, median, timed

NAME = "dream"
DIMENSION = 256
EVERY_PAIR = 10**15
TURNS = 3  # with the peer, whose dream takes half a minute


def run(*, quick: bool) -> Iterator[Figure]:
    sizes = (200, 1_000, 10_000) if quick else (2_000, 10_000, 100_000)
    rules = BlockParameters(dream_batch_blocks=sizes[-1])
    taken: dict[int, Timing] = {}
    done: list[Dreamed] = []
    for size in sizes:
        inbox, vectors = learned(size)
        jobs = {"ours": lambda i=inbox, v=vectors: done.append(dream(i, v, rules))}
        taken[size] = interleaved(jobs, repeat=15 if size < 10_000 else 3 if size < 100_000 else 1)["ours"]
        yield duration(
            f"dream of {size:,} blocks",
            taken[size],
            "s",
            other="the smallest" if size > sizes[0] else "",
            theirs=taken[sizes[0]] if size > sizes[0] else None,
            goal=Goal("ours", "<=", 120.0) if size == sizes[-1] else None,
            note=told(done[-1]),
        )
    yield growth(taken)
    yield from against_every_pair(done[-1], sizes[-1])
    yield incremental(sizes[-1], 100)
    yield from conflicts(sizes[-1], 100)
    if not quick:
        yield against_elfmem(sizes[0], rules)


def dream(inbox: Inbox, vectors: Vectors, rules: BlockParameters) -> Dreamed:
    return dream_step(Active.none(DIMENSION), inbox, vectors, now_hours=0.0, parameters=rules)


def told(dreamed: Dreamed) -> str:
    path = "every pair" if dreamed.exact else f"cells, recall {dreamed.recall:.4f} on a sample"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lost = len(dreamed.duplicates) + len(dreamed.superseded)
    return f"{path}; {len(dreamed.edges_created):,} edges, {lost:,} duplicates; peak memory so far {peak:,.0f} MB"


def growth(taken: dict[int, Timing]) -> Figure:
    small, large = min(taken), max(taken)
    cpu, wall = (
        math.log(getattr(taken[large], clock) / getattr(taken[small], clock)) / math.log(large / small)
        for clock in ("cpu", "wall")
    )
    job = f"growth from {small:,} to {large:,}, exponent"
    return Figure(job, "", cpu, wall, goal=Goal("ours", "<=", 1.3))


def against_every_pair(dreamed: Dreamed, size: int) -> Iterator[Figure]:
    """Dream again, looking at every pair, and compare the edges."""
    inbox, vectors = learned(size)
    rules = BlockParameters(dream_batch_blocks=size, dream_exact_pairs=EVERY_PAIR)
    done: list[Dreamed] = []
    yield duration(f"the same {size:,}, every pair", timed(lambda: done.append(dream(inbox, vectors, rules))), "s")
    mine, every = ({edge[:2] for edge in each.edges_created} for each in (dreamed, done[0]))
    recall = len(mine & every) / len(every)
    note = f"{len(every):,} edges; {len(mine - every):,} that looking at every pair does not give"
    path = "every pair" if dreamed.exact else "cells"
    yield Figure(f"edge recall at {size:,}, {path}", "", recall, recall, goal=Goal("ours", ">=", 0.99), note=note)


def incremental(size: int, new: int) -> Figure:
    """Dream a few blocks into a large memory."""
    inbox, vectors = learned(size + new)
    rules = BlockParameters(dream_batch_blocks=size)
    first = Inbox(inbox.ids[:size], inbox.at[:size], inbox.tags.take(np.arange(size)), *_cut(inbox, slice(0, size)))
    dreamed = dream(first, vectors[:size], rules)
    row = {name: place for place, name in enumerate(inbox.ids)}
    kept = np.array([row[name] for name in dreamed.promoted])
    place = {name: number for number, name in enumerate(dreamed.promoted)}
    state = replace(
        Active.none(DIMENSION),
        ids=dreamed.promoted,
        at=inbox.at[kept],
        tags=inbox.tags.take(kept),
        category=inbox.category[kept],
        facts=inbox.facts[kept],
        hours=np.zeros(len(kept)),
        vectors=vectors[kept],
        fresh=np.zeros(len(kept), dtype=np.bool_),
        edges=Edges.of([(place[a], place[b], score) for a, b, score in dreamed.edges_created]),
    )
    last = np.arange(size, size + new)
    more = Inbox(inbox.ids[size:], inbox.at[last], inbox.tags.take(last), *_cut(inbox, slice(size, None)))
    done: list[Dreamed] = []
    jobs = {
        "ours": lambda: done.append(dream_step(state, more, vectors[last], now_hours=8.0, parameters=BlockParameters()))
    }
    taken = interleaved(jobs, repeat=3)["ours"]
    return duration(
        f"dream of {new} new blocks into {size:,}",
        taken,
        "s",
        goal=Goal("ours", "<=", 2.0),
        note=told(done[-1]),
    )


def conflicts(size: int, new: int) -> Iterator[Figure]:
    """Look for conflicts among many short facts, and of a few new ones with them: the first time, all are read."""
    texts = facts(size + new)
    found: list[int] = []

    def among(new: list[Text], old: list[Text]) -> Callable[[], object]:
        def work() -> None:
            words = words_of_subjects(new)
            near = [each for each in old if may_speak_of(words, each.content, each.speaker)]
            found.append(len(conflicts_among(new, near)))

        return work

    claims_of.cache_clear()
    whole = timed(among(texts[:size], []))
    yield duration(f"conflicts among {size:,} facts", whole, "s", note=f"{found[-1]:,} found, no vector read")
    claims_of.cache_clear()
    few = timed(among(texts[size:], texts[:size]))
    yield duration(f"conflicts of {new} new facts with {size:,}", few, "s", goal=Goal("ours", "<=", 1.0))


def facts(size: int) -> list[Text]:
    """Make facts of a few people each: where they live, what they like, what they met."""
    chance = np.random.default_rng(size)
    people = chance.integers(0, max(size // 20, 1), size).tolist()
    told = (
        "Person{0} lives in Town{1}.",
        "Person{0} likes long walks by the river in the evening with friends.",
        "The budget of project{0} is {1},000 euros.",
        "Person{0} met somebody at the fair, and they talked about the weather for an hour.",
        "The parcel for house {0} came on a rainy day in autumn.",
    )
    rows = zip(people, chance.integers(0, 50, size).tolist(), strict=True)
    return [Text(f"{number:06d}", told[number % len(told)].format(*row), "") for number, row in enumerate(rows)]


def _cut(inbox: Inbox, rows: slice) -> tuple[Ints, Longs]:
    return inbox.category[rows], inbox.facts[rows]


def learned(size: int) -> tuple[Inbox, Vectors]:
    """Make blocks about topics within fields: 50 to a topic; a topic has tags and mostly one category."""
    chance = np.random.default_rng(size)
    topics, fields = max(size // 50, 1), 40
    field_of = chance.integers(0, fields, topics)
    centre = chance.normal(size=(fields, DIMENSION))[field_of] * 0.6 + chance.normal(size=(topics, DIMENSION))
    topic = chance.integers(0, topics, size)
    vectors = (centre[topic] + chance.normal(size=(size, DIMENSION)) * 0.8).astype(np.float32)
    copies = chance.integers(1, size, size // 50)
    vectors[copies] = vectors[copies - 1] + chance.normal(size=(len(copies), DIMENSION)) * 0.3
    vocabulary = 20 + size // 100
    tags_of = np.minimum(chance.zipf(1.3, (topics, 4)) - 1, vocabulary - 1)
    tags = [tags_of[each][:number] for each, number in zip(topic.tolist(), chance.integers(0, 4, size), strict=True)]
    category = np.where(chance.random(size) < 0.8, topic % 5, chance.integers(0, 5, size))
    facts = np.where(chance.random(size) < 0.5, 0, chance.integers(1, 10 * size, size))
    names = [f"{number:016x}" for number in chance.permutation(size)]
    at = np.arange(size, dtype=np.int64)
    inbox = Inbox(names, at, Tags.of([each.tolist() for each in tags]), category.astype(np.int32), facts)
    return inbox, unit_vectors(names, vectors)


def against_elfmem(size: int, rules: BlockParameters) -> Figure:
    """Let elfmem consolidate the same blocks with the same vectors, in turns with ours."""
    inbox, vectors = learned(size)
    job = f"dream of {size:,} blocks against elfmem 0.20"
    ours: list[Timing] = []
    theirs: list[Timing] = []
    told = {"edges": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        blocks = Path(folder) / "blocks.npz"
        np.savez(blocks, vectors=vectors, starts=inbox.tags.starts, tags=inbox.tags.codes, category=inbox.category)
        try:
            for _ in range(TURNS):
                ours += [timed(lambda: dream(inbox, vectors, rules)) for _ in range(5)]
                told = measured(ELFMEM, str(blocks))
                theirs.append(Timing(told["cpu"], told["wall"]))
                ours += [timed(lambda: dream(inbox, vectors, rules)) for _ in range(5)]
        except AbsentError as problem:
            return duration(job, median(ours), "s", note=str(problem))
    return duration(
        job,
        median(ours),
        "s",
        other=f"its consolidate, {told['edges']:,} edges; no model, vectors at hand",
        theirs=median(theirs),
        goal=Goal("ratio", "<=", 1 / 300),
        note=f"{median(theirs).cpu / median(ours).cpu:,.0f} times in CPU time, medians of {TURNS} turns",
    )


if __name__ == "__main__":
    sys.exit("run it as: python -m bench dream")

"""Recall: time at 5,000 and 100,000 entries, growth, memory, and the same texts and vectors in other systems."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.graph import Entry
from asterism.core.recall.index import Index
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import Recall
from asterism.core.recall.signals import Query
from asterism.core.recall.vectors import Meaning
from asterism.core.text.words import content
from bench.recall_corpus import TURNS, Corpus, corpus
from bench.recall_given import HITS, held, measured
from bench.recall_peers import ELFMEM_RECALL, LANGGRAPH, MEM0, TXTAI, AbsentError, Peer
from bench.recall_peers import measured as measured_peer
from bench.timing import Figure, Goal, Timing, duration, median, timed
from tests.support.ties import Ties

NAME = "recall"
PEERS: Mapping[Peer, tuple[int, int]] = {
    LANGGRAPH: (1_000, 5_000),
    MEM0: (1_000, 5_000),
    TXTAI: (1_000, 5_000),
    ELFMEM_RECALL: (500, 1_000),  # its dream grows with the square
}
GOALS = {5_000: 3.0, 100_000: 10.0}  # milliseconds
AFTER_AMONG = 100_000  # entries, where a new one may cost 20 ms
EVERY = 10**9
TURNS_WITH_PEERS = 3


@dataclass(frozen=True)
class Ready:
    """A recall over a corpus, the questions to ask it, and what it took."""

    recall: Recall
    queries: list[Query]
    built: Timing

    def ask(self, question: int) -> Sequence[object]:
        return self.recall.ask(self.queries[question], k=HITS)

    def timing(self) -> Timing:
        told = measured(self.ask, len(self.queries))
        return Timing(told["cpu"], told["wall"])


def run(*, quick: bool) -> Iterator[Figure]:
    sizes = (500, 5_000) if quick else (1_000, 5_000, 100_000)
    taken: dict[int, Timing] = {}
    given = corpus(sizes[0])
    ready = made(given)
    for size in sizes:
        if size > sizes[0]:
            given = corpus(size)
            ready = made(given)
        first = first_asked(ready)
        taken[size] = ready.timing()
        note = f"{HITS} hits with reasons, 7 frequent words, vectors and kin; the first time {first.cpu * 1e3:.1f} ms"
        note += f"; built in {ready.built.cpu:.1f} s; {memory_of(size):,.0f} MB with the vectors and what is kept"
        goal = Goal("ours", "<=", GOALS[size]) if size in GOALS else None
        yield duration(f"recall among {size:,} entries, p50", taken[size], "ms", goal=goal, note=note)
    yield exponent("recall", taken[sizes[0]], taken[sizes[-1]], sizes[0], sizes[-1])
    yield against_every_vector(ready, given)
    yield after_learning(ready, sizes[-1])
    for peer, (small, large) in ({} if quick else PEERS).items():
        yield from against(peer, small, large)


def made(given: Corpus) -> Ready:
    """Index a corpus: conversations, speakers, times, vectors, and similarity links as a dream makes them."""
    index = Index()

    def build() -> None:
        for row, text in enumerate(given.texts):
            index.add(
                Entry(
                    f"e{row:06}",
                    text,
                    group=f"g{given.conversation[row]}",
                    position=row % TURNS,
                    speaker=given.speaker[row],
                    at=(19_000 * 86_400 + row * 600) * 10**6,
                )
            )

    built = timed(build)
    p = RecallParameters()
    meaning = Meaning(index, p, entries=given.vectors, words=word_vectors(index, given))
    size = len(given.texts)
    chance = np.random.default_rng(size)
    first, second = chance.integers(0, size, (2, 2 * size))
    ties = Ties(first.tolist(), second.tolist(), chance.random(2 * size).tolist(), rows=size)
    ready = Recall(index, p, meaning=meaning, given={"similar": ties})
    queries = [query(given, number) for number in range(len(given.questions))]
    return Ready(ready, queries, built)


def word_vectors(index: Index, given: Corpus) -> NDArray[np.float32]:
    """Look up the vectors of the words that the index knows."""
    found = np.zeros((len(index.words.names), given.word_vectors.shape[1]), dtype=np.float32)
    for number, word in enumerate(index.words.names):
        if word in given.number:
            found[number] = given.word_vectors[given.number[word]]
    return found


def query(given: Corpus, number: int) -> Query:
    text = given.questions[number]
    words = {word: given.word_vectors[given.number[word]] for word in content(text) if word in given.number}
    return Query(text, vector=given.question_vectors[number], words=words)


def first_asked(ready: Ready) -> Timing:
    """Ask each question for the first time, after one that lays everything out."""
    ready.ask(0)
    return median([timed(partial(ready.ask, number)) for number in range(1, len(ready.queries))])


def exponent(job: str, small: Timing, large: Timing, few: int, many: int) -> Figure:
    cpu, wall = (math.log(b / a) / math.log(many / few) for a, b in ((small.cpu, large.cpu), (small.wall, large.wall)))
    return Figure(f"growth of {job} from {few:,} to {many:,}, exponent", "", cpu, wall)


def against_every_vector(ready: Ready, given: Corpus) -> Figure:
    """Compare with taking every cosine: by the questions, and by their vectors alone."""
    recall = ready.recall
    index, p = recall.index, recall.p
    meaning = Meaning(index, p, entries=given.vectors, words=word_vectors(index, given), few=EVERY)
    every = Recall(index, p, meaning=meaning, given=recall.links.given)
    by_vector = [Query("", vector=each.vector) for each in ready.queries]
    shares = []
    for queries in (ready.queries, by_vector):
        found = [[{hit.id for hit in each.ask(one, k=HITS)} for one in queries] for each in (recall, every)]
        shares.append(float(np.mean([len(mine & theirs) / HITS for mine, theirs in zip(*found, strict=True)])))
    many = recall.first.meaning is not None and recall.first.meaning.many
    path = "shadows, then some exactly" if many else "every vector"
    note = f"{path}; by the vector alone {shares[1]:.4f}"
    job = f"share of the {HITS} hits that taking every cosine gives, {len(index):,} entries"
    return Figure(job, "", shares[0], shares[0], goal=Goal("ours", ">=", 0.99), note=note)


def after_learning(ready: Ready, size: int) -> Figure:
    """Ask right after an entry was learned: what is kept must be brought up to date."""
    index, taken = ready.recall.index, []
    for number in range(7):
        index.add(Entry(f"late{number}", "Something new was learned.", group=f"g{number}", position=TURNS))
        taken.append(timed(partial(ready.ask, number)))
    goal = Goal("ours", "<=", 20.0) if size == AFTER_AMONG else None
    return duration(f"recall right after a new entry among {size:,}", median(taken), "ms", goal=goal)


def against(peer: Peer, small: int, large: int) -> Iterator[Figure]:
    """Measure a peer and ours in turns, over the same texts and vectors."""
    name = f"{peer.name}'s" if peer is not TXTAI else "txtai 9.14's"
    job = f"recall among {large:,} against {name}"
    theirs: dict[int, list[dict[str, float]]] = {small: [], large: []}
    ours: list[Timing] = []
    with tempfile.TemporaryDirectory() as folder:
        ready = made(corpus(large))
        try:
            for size in (small, large):
                path = Path(folder) / f"given{size}.npz"
                write(path, corpus(size))
                for _ in range(TURNS_WITH_PEERS if size == large else 1):
                    ours.append(ready.timing())
                    theirs[size].append(measured_peer(peer, str(path)))
        except AbsentError as problem:
            yield duration(job, ready.timing(), "ms", note=str(problem))
            return
    found = {size: median([Timing(each["cpu"], each["wall"]) for each in told]) for size, told in theirs.items()}
    last = theirs[large][-1]
    memory = f"{last['memory']:,.0f} MB, ours {memory_of(large):,.0f}"
    note = f"it builds in {last['build']:.1f} s CPU, ours in {ready.built.cpu:.1f}; {memory}"
    yield duration(job, median(ours), "ms", other=peer.name, theirs=found[large], note=note)
    yield exponent(f"{name} recall", found[small], found[large], small, large)


def write(path: Path, given: Corpus) -> None:
    """Write what a peer is given."""
    texts, questions = (np.frombuffer(json.dumps(each).encode(), np.uint8) for each in (given.texts, given.questions))
    np.savez(path, texts=texts, questions=questions, vectors=given.vectors, question_vectors=given.question_vectors)


def memory_of(size: int) -> float:
    """Let a fresh process build and ask, and tell how much memory it held for that, in MB."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.recall", str(size)], check=True, capture_output=True, text=True, timeout=3_600
    )
    return float(done.stdout)


def main(size: int) -> None:
    given = corpus(size)
    before = held()
    made(given).timing()
    print(held() - before + given.vectors.nbytes / 2**20)


if __name__ == "__main__":
    main(int(sys.argv[1]))

"""Recall as a user gets it: a memory is told a pool by its own calls and asked by `recall`.

Each way of telling is one a user has. What a hit stands for is told by its id: that of the block that `learn` gave, or
that of the line of a read transcript. A hit that is neither (an actor, a narrative) takes its place in the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby

import numpy as np

from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.graph import Entry
from asterism.core.recall.rank import PLACES
from asterism.embed import CheckedEmbedder, Vectors, open_embedder
from asterism.embed.port import Codes
from asterism.engine.blocks.learn import Fact
from asterism.engine.memory import Memory
from asterism.engine.space.vectors import EmbedderSpec
from asterism.evals.recall_sets import Asked, Pool, Progress, plain_bm25
from asterism.evals.report import Report, Row
from asterism.sync import Memory as OpenMemory

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)  # when a pool without times is told and asked
AFTER = timedelta(days=1)  # a conversation is asked about the day after its last turn
SECOND = timedelta(seconds=1)  # from one turn to the next, where only the session's time is known

Known = dict[str, set[str]]  # what a hit's id stands for: entries of the pool


@dataclass(frozen=True)
class Used:
    """One answer: what each hit stands for, best first, and how sure the memory was of it."""

    hits: tuple[frozenset[str], ...]
    probability: float
    unsure: bool

    def shares(self, gold: Sequence[str], depths: Sequence[int]) -> list[float]:
        """Give the share of gold among the first k hits, for each k.

        >>> Used((frozenset("a"), frozenset(), frozenset("bc")), 0.9, False).shares(("a", "b"), (1, 2, 3))
        [0.5, 0.5, 1.0]
        """
        seen = [frozenset[str]().union(*self.hits[:depth]) for depth in depths]
        return [len(found.intersection(gold)) / max(len(gold), 1) for found in seen]


Answered = tuple[str, Asked, Used]  # the pool's name, the question, the answer
Rows = Callable[[list[Answered]], Iterable[Row]]


class Once:
    """An embedder that reads each text once, however many memories are told of it."""

    def __init__(self, inner: CheckedEmbedder) -> None:
        self._inner = inner
        self._rows: dict[str, Vectors] = {}
        self.identity, self.dimension, self.knows_words = inner.identity, inner.dimension, inner.knows_words

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Give the rows of texts."""
        new = [text for text in dict.fromkeys(texts) if text not in self._rows]
        self._rows.update(zip(new, self._inner.embed(new), strict=True))
        return np.array([self._rows[text] for text in texts], dtype=np.float32).reshape(len(texts), self.dimension)


class OnceByPieces(Once):
    """The same of an embedder that knows the pieces of a text."""

    def __init__(self, inner: CheckedEmbedder) -> None:
        super().__init__(inner)
        self._pieces: dict[str, Codes] = {}
        self.piece_size = inner.piece_size

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Give the rows of texts."""
        return self.embed_pieces(texts)[0]

    def embed_pieces(self, texts: Sequence[str]) -> tuple[Vectors, list[Codes]]:
        """Give the rows of texts, and those of their pieces."""
        new = [text for text in dict.fromkeys(texts) if text not in self._rows]
        rows, pieces = self._inner.embed_pieces(new)
        self._rows.update(zip(new, rows, strict=True))
        self._pieces.update(zip(new, pieces, strict=True))
        return super().embed(texts), [self._pieces[text] for text in texts]

    def words_of_pieces(self, text: str) -> Sequence[str]:
        """Name the word that each piece of a text is of."""
        return self._inner.words_of_pieces(text)


def read_once(embedder: EmbedderSpec) -> Once:
    """Open an embedder that reads each text once."""
    opened_here = open_embedder(embedder)
    return OnceByPieces(opened_here) if opened_here.knows_pieces else Once(opened_here)


class Clock:
    """A clock that is set by hand."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """Give the time."""
        return self.now


@dataclass(frozen=True)
class Way:
    """One way to tell a memory of a pool: what is called, in words, and the calls."""

    told: str
    tell: Callable[[OpenMemory, Pool, Clock], Known]


def learned(memory: OpenMemory, pool: Pool, _: Clock) -> Known:
    """Learn every entry with all that is known of it: conversation, speaker and time, or the title."""
    entries = in_order(pool)
    times = times_of(entries)
    facts = [
        Fact(each.text, name=each.name or None, conversation=each.group or None, speaker=each.speaker or None, at=at)
        for each, at in zip(entries, times, strict=True)
    ]
    return _known((receipt.id, each) for receipt, each in zip(memory.learn_many(facts), entries, strict=True))


def learned_at_once(memory: OpenMemory, pool: Pool, _: Clock) -> Known:
    """Learn every entry by itself as "Name: text", one call each, and say nothing else of it."""
    told = [(each, f"{each.speaker}: {each.text}") for each in in_order(pool)]
    return _known((memory.learn(text).id, each) for each, text in told)


def learned_live(memory: OpenMemory, pool: Pool, clock: Clock) -> Known:
    """Learn every entry as "Name: text" when it is said, as an agent does that listens; say nothing else of it."""
    entries, asked = in_order(pool), clock.now
    told = []
    for each, at in zip(entries, times_of(entries), strict=True):
        clock.now = at or asked
        told.append((memory.learn(f"{each.speaker}: {each.text}").id, each))
    clock.now = asked
    return _known(told)


def read(memory: OpenMemory, pool: Pool, _: Clock) -> Known:
    """Read every session as a transcript: who says what, and when it began."""
    known: Known = {}
    for group, held in groupby(in_order(pool), key=lambda each: each.group):
        entries = list(held)
        session = group.replace("_", "-")
        lines = [(place, each.speaker, each.text) for place, each in enumerate(entries)]
        memory.read_transcript(lines, session=session, started_at=times_of(entries)[0])
        known |= {f"{session}/{place}": {each.id} for place, each in enumerate(entries)}
    return known


def dreamt(way: Way) -> Way:
    """Let the memory dream before it is asked."""

    def tell(memory: OpenMemory, pool: Pool, clock: Clock) -> Known:
        known = way.tell(memory, pool, clock)
        memory.dream()
        return known

    return Way(f"{way.told}, then dream", tell)


LEARN = Way("as used: learn_many with conversation, speaker and at", learned)
TALK: Mapping[str, Way] = {
    "as used": LEARN,
    "dreamt": dreamt(LEARN),
    "read": Way("as used: read_transcript of each session with started_at", read),
    "alone": Way('as used: learn("Name: text") as it is said, nothing else told', learned_live),
    "at once": Way('as used: learn("Name: text") of all afterwards, nothing else told', learned_at_once),
}
NAMED = Way("as used: learn_many with name", learned)
PASSAGES: Mapping[str, Way] = {
    "as used": NAMED,
    "dreamt": dreamt(NAMED),
}


def in_order(pool: Pool) -> list[Entry]:
    """Give the entries as they were said; passages as they come."""
    return sorted(pool.entries, key=lambda each: (each.at or 0, each.group, each.position))


def times_of(entries: Sequence[Entry]) -> list[datetime | None]:
    """Give each turn its session's time, and a second more than the turn before it; a passage has none."""
    return [None if each.at is None else to_datetime(each.at) + each.position * SECOND for each in entries]


def opened(clock: Clock, embedder: EmbedderSpec) -> OpenMemory:
    """Open an empty memory."""
    return Memory.open_sync(":memory:", space="eval", clock=clock, embedder=embedder)


def asking_time(pool: Pool) -> datetime:
    """Say when a pool is asked about."""
    last = max((each.at for each in pool.entries if each.at is not None), default=None)
    return NOW if last is None else to_datetime(last) + AFTER


def ask(memory: OpenMemory, known: Mapping[str, set[str]], question: str, k: int) -> Used:
    """Ask as a user does."""
    answer = memory.recall(question, k=k)
    best = max((getattr(hit, "probability", hit.score) for hit in answer.hits), default=0.0)
    hits = tuple(frozenset(known.get(hit.id, ())) for hit in answer.hits)
    return Used(hits, best, getattr(answer, "unsure", not answer.hits))


def used_reports(
    evaluation: str,
    pools: Sequence[Pool],
    ways: Mapping[str, Way],
    *,
    k: int,
    rows: Rows,
    embedder: EmbedderSpec = None,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Tell and ask every pool by every way, and BM25 the same; a report each, whose preset names the calls."""
    reports, once = [], read_once(embedder)
    for name, way in ways.items():
        begun = clock()
        answered: list[Answered] = []
        for pool in pools:
            if progress is not None:
                progress(f"{name}: {pool.name}")
            clock_there = Clock(asking_time(pool))
            with opened(clock_there, once) as memory:
                known = way.tell(memory, pool, clock_there)
                answered += [(pool.name, asked, ask(memory, known, asked.text, k)) for asked in pool.questions]
        reports.append(Report(evaluation, name, way.told, tuple(rows(answered)), round(clock() - begun, 3)))
    begun = clock()
    answered = [answer for pool in pools for answer in _by_words(pool, k)]
    return [*reports, Report(evaluation, "BM25", "none", tuple(rows(answered)), round(clock() - begun, 3))]


def _by_words(pool: Pool, k: int) -> Iterable[Answered]:
    """Answer by BM25, as the sets' READMEs do; ties by id."""
    scores, ids = plain_bm25(pool), sorted(each.id for each in pool.entries)
    for asked in pool.questions:
        found = scores(asked.text)
        first = np.argsort(-np.round(found, PLACES), kind="stable")[:k]
        yield pool.name, asked, Used(tuple(frozenset([ids[row]]) for row in first), float(found.max()), unsure=False)


def sampled(pools: Sequence[Pool], most: int | None) -> list[Pool]:
    """Keep so many questions of each pool, from all over it."""
    if most is None:
        return list(pools)
    return [replace(pool, questions=pool.questions[:: max(1, -(-len(pool.questions) // most))]) for pool in pools]


def _known(told: Iterable[tuple[str, Entry]]) -> Known:
    """Say what each block stands for: turns of the same words are one."""
    known: Known = {}
    for name, entry in told:
        known.setdefault(name, set()).add(entry.id)
    return known

"""What the retrieval evaluations share: pools of entries with questions, prepared, ranked, scored."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Bools, Floats
from asterism.core.ledger.graph import Entry
from asterism.core.ledger.parameters import Setting
from asterism.core.recall.cues import question_of
from asterism.core.recall.index import Index
from asterism.core.recall.links import NAME_LINKS
from asterism.core.recall.match import MATCH_SIGNALS, PiecesOf
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import PLACES, Recall
from asterism.core.recall.signals import FIRST_SIGNALS, Query
from asterism.core.recall.speakers import Speakers
from asterism.core.recall.vectors import Matrix, Meaning
from asterism.core.text.words import content, words
from asterism.embed import CheckedEmbedder
from asterism.errors import InputError

LINKS = (*NAME_LINKS, *(f"{kind}_rest" for kind in NAME_LINKS))
FIRST = (*FIRST_SIGNALS, *MATCH_SIGNALS)
FITTED = (*FIRST, *LINKS)

Weights = Mapping[str, float]
Progress = Callable[[str], None]


class Embeds(Protocol):
    """Makes a row of float32 for each text."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the ids that answer it, its kind, and the fold in which it is scored and not learnt from."""

    text: str
    gold: tuple[str, ...]
    kind: str
    fold: str


@dataclass(frozen=True, slots=True)
class Pool:
    """Entries that are searched together, and the questions asked of them."""

    name: str
    entries: tuple[Entry, ...]
    questions: tuple[Asked, ...]
    conversation: bool  # else passages


@dataclass(frozen=True, slots=True)
class Example:
    """A question made ready: its query, its gold as a mask, and the first signals of every entry."""

    asked: Asked
    query: Query
    gold: Bools
    first: NDArray[np.float32]  # entries x FIRST


class Prepared:
    """A pool with its index, its vectors and its questions' first signals."""

    def __init__(self, pool: Pool, parameters: RecallParameters, embedder: Embeds | None) -> None:
        self.pool = pool
        self.index = Index()
        for entry in sorted(pool.entries, key=lambda entry: entry.id):
            self.index.add(entry)
        self.meaning, pieces = None, None
        if embedder is not None:
            self.meaning, pieces = meaning_of(pool.entries, self.index, parameters, embedder)
        self.recall = Recall(self.index, parameters, meaning=self.meaning, pieces=pieces)
        ids = np.array(self.index.ids)
        self.examples = []
        for asked in pool.questions:
            query = query_of(asked.text, embedder, self.recall.first.speakers)
            first = self.recall.score(query, hops=0).first
            columns = np.zeros((len(ids), len(FIRST)), dtype=np.float32)
            for name, values in first.items():
                columns[:, FIRST.index(name)] = values
            self.examples.append(Example(asked, query, np.isin(ids, asked.gold), columns))

    def links(self, example: Example, first: Floats) -> Floats:
        """Give what links bring to every entry, entries x LINKS, when these are the first scores."""
        brought = np.zeros((len(first), len(LINKS)))
        for kind, reached in self.recall.hop(example.query, first).items():
            brought[reached.rows, LINKS.index(kind)] = reached.values
        return brought

    def scores(self, example: Example, weights: Weights) -> Floats:
        """Score every entry with other weights than the parameters': what Recall.score gives with these."""
        first = example.first.astype(np.float64) @ vector_of(weights, FIRST)
        return first + self.links(example, first) @ vector_of(weights, LINKS)


System = Callable[[Prepared, Example], Floats]  # scores every entry of a pool for a question


def meaning_of(
    entries: Sequence[Entry], index: Index, parameters: RecallParameters, embedder: Embeds
) -> tuple[Meaning, PiecesOf | None]:
    """Embed entries (title and text) and the index's words; give the entries' pieces too, where there are such."""
    by_id = {entry.id: f"{entry.name}. {entry.text}" if entry.name else entry.text for entry in entries}
    texts = [by_id[one] for one in index.ids]
    if isinstance(embedder, CheckedEmbedder) and embedder.knows_pieces:
        matrix, pieces = embedder.embed_pieces(texts)
        of_id = dict(zip(index.ids, pieces, strict=True))
        return Meaning(index, parameters, entries=matrix), lambda ids: [of_id[one] for one in ids]
    words: Matrix = embedder.embed(list(index.words.names))
    return Meaning(index, parameters, entries=embedder.embed(texts), words=words), None


def query_of(text: str, embedder: Embeds | None, speakers: Speakers) -> Query:
    """Make a query, with its vector (without the speakers' names) and its words' or pieces' if there is an embedder."""
    if embedder is None:
        return Query(text)
    meant, plain = speakers.without_names(text), speakers.without_names(text, question_of(text).called)
    if isinstance(embedder, CheckedEmbedder) and embedder.knows_pieces:
        vectors, pieces = embedder.embed_pieces([meant, plain])
        words = embedder.words_of_pieces(meant)
        return Query(text, vector=vectors[0], plain=vectors[1], pieces=pieces[0], piece_words=words)
    spoken = sorted(set(content(text)))
    vectors = embedder.embed([meant, plain, *spoken])
    return Query(text, vector=vectors[0], plain=vectors[1], words=dict(zip(spoken, vectors[2:], strict=True)))


def vector_of(weights: Weights, names: Sequence[str]) -> Floats:
    """Put weights in order; a missing one is 0."""
    return np.array([weights.get(name, 0.0) for name in names])


def shipped(parameters: RecallParameters) -> dict[str, float]:
    """Give the weights that the parameters hold."""
    return {name: parameters.weight(name) for name in FITTED}


def plain_bm25(pool: Pool) -> Callable[[str], Floats]:
    """Rank by BM25 as the data's READMEs do: words as they are, k1 1.2, b .75, who speaks or the title included."""
    ordered = sorted(pool.entries, key=lambda entry: entry.id)
    counts = [Counter(words(f"{entry.speaker} {entry.name} {entry.text}")) for entry in ordered]
    lengths = np.array([count.total() for count in counts], dtype=np.float64)
    pull = 1.2 * (0.25 + 0.75 * lengths / max(float(lengths.mean()), 1.0))
    holders: dict[str, list[int]] = {}
    for row, count in enumerate(counts):
        for word in count:
            holders.setdefault(word, []).append(row)

    def scores(question: str) -> Floats:
        total = np.zeros(len(ordered))
        for word in words(question):
            rows = holders.get(word, [])
            idf = math.log(1.0 + (len(ordered) - len(rows) + 0.5) / (len(rows) + 0.5))
            tf = np.array([counts[row][word] for row in rows], dtype=np.float64)
            total[rows] += idf * tf * 2.2 / (tf + pull[rows])
        return total

    return scores


def found(scores: Floats, gold: Bools, depths: Sequence[int]) -> list[float]:
    """Give the share of gold among the first k, for each k; ties by id, which is the order of rows.

    >>> found(np.array([0.1, 0.9, 0.5]), np.array([True, True, False]), (1, 2, 3))
    [0.5, 0.5, 1.0]
    """
    ranked = gold[np.argsort(-np.round(scores, PLACES), kind="stable")]
    return [float(ranked[:depth].sum()) / int(gold.sum()) for depth in depths]


def prepare(
    pools: Sequence[Pool],
    embedder: Embeds | None,
    progress: Progress | None,
    *,
    changed: Mapping[str, Setting] | None = None,
) -> list[Prepared]:
    """Index and embed pools, with the parameters as shipped: `seed`, or `lexical` without an embedder; or changed."""
    parameters = RecallParameters.build("lexical" if embedder is None else "seed", changed)
    if isinstance(embedder, CheckedEmbedder) and embedder.knows_pieces:
        parameters = parameters.suited_to("minilm")
    made = []
    for pool in pools:
        if progress is not None:
            progress(f"{pool.name}: {len(pool.entries)} entries, {len(pool.questions)} questions")
        made.append(Prepared(pool, parameters, embedder))
    return made


def folder_of(data: Path, name: str) -> Path:
    """Find a set's folder: the one of its name inside the given one, or the given one."""
    return data / name if (data / name).is_dir() else data


def beside_of(data: Path, name: str) -> Path | None:
    """Find the other set's folder, inside the given one or beside it, to learn from."""
    return next((folder for folder in (data / name, data.parent / name) if folder.is_dir()), None)


def read(path: Path) -> list[dict[str, object]]:
    """Read a JSON list of objects, gzipped or not."""
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        records = json.loads(raw)
    except (OSError, EOFError, ValueError, zlib.error) as problem:
        raise unusable(path, f"it is damaged ({problem})") from problem
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise unusable(path, "it is no JSON list of objects")
    return records


def unusable(path: Path, problem: str) -> InputError:
    """Say that a file or folder does not hold the set."""
    return InputError(
        f"{path} cannot be evaluated: {problem}",
        code="bad_data",
        item=str(path),
        hint="the README beside the public data tells the format",
    )

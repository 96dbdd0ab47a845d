"""The read model of recall: the index, vectors and links of a projection, kept up with it. It writes nothing."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from asterism.core.blocks.capability import BLOCKS
from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import KINDS as OF_BLOCKS
from asterism.core.blocks.records import Block
from asterism.core.blocks.shown import entry_of
from asterism.core.blocks.words import INBOX, THERE
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.columns import Bools, Columns, prefixed, text_column, texts_of, under
from asterism.core.ledger.graph import Entry
from asterism.core.recall.index import Index
from asterism.core.recall.links import GIVEN_LINKS, Ties
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import Recall
from asterism.core.recall.signals import Query
from asterism.core.recall.vectors import Matrix, Meaning, Vector
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.text.words import content
from asterism.core.walkers.crystals import WALK
from asterism.engine.space.live import Live
from asterism.engine.space.vectors import VectorTable
from asterism.store.port import Cache

CACHE = "recall"
CACHE_VERSION = 1  # raise it when the index changes: a cache of another version is not read
INBOX_EMBEDDED = 20_000  # blocks of the inbox that a question gives vectors to; the rest waits for a dream
FIRST_ROWS = 64
CACHED_FROM = 1_000  # entries indexed since the last cache, from which it is written again
EVIDENCE = "evidence"  # what recall calls a connection


@dataclass(frozen=True)
class Filter:
    """What a hit must be: of these kinds, with all these tags, of a category, a source, a stretch of time."""

    tags: tuple[str, ...] = ()
    category: str | None = None
    source: str | None = None
    since: int | None = None
    until: int | None = None
    kinds: tuple[str, ...] = ()

    def failed(self, entry: Entry, block: Block | None) -> str | None:
        """Say which condition, the first of them, an entry does not meet; the source of a moment is its session."""
        if self.kinds and entry.kind not in self.kinds:
            return f"It is a {entry.kind}"
        tags, category = (block.tags, block.category) if block is not None else ((), "")
        sources = block.sources if block is not None else (entry.group,) if entry.group else ()
        missing = [tag for tag in self.tags if tag not in tags]
        if missing:
            return f"It has no tag {missing[0]}"
        if self.category is not None and (block is None or category != self.category):
            return f"Its category is {category or 'not given'}"
        if self.source is not None and self.source not in sources:
            return f"Its source is {', '.join(sources) or 'not given'}"
        if self.since is None and self.until is None:
            return None
        if entry.at is None:
            return f"A {entry.kind} has no time"
        if (self.since is not None and entry.at < self.since) or (self.until is not None and entry.at > self.until):
            return f"It is of {to_datetime(entry.at):%Y-%m-%d %H:%M}"
        return None


class Grown:
    """A matrix that grows by doubling."""

    def __init__(self, dimension: int) -> None:
        self._all: Matrix = np.zeros((FIRST_ROWS, dimension), dtype=np.float32)
        self.size = 0

    def to(self, size: int) -> Matrix:
        """Give the first rows, after making room for so many; fresh ones are zero."""
        if len(self._all) < size:
            larger = np.zeros((1 << (size - 1).bit_length(), self._all.shape[1]), dtype=np.float32)
            larger[: self.size] = self._all[: self.size]
            self._all = larger
        self.size = max(self.size, size)
        return self._all[:size]


class Recaller:
    """Everything a question needs, following one projection after the other."""

    def __init__(self, parameters: RecallParameters, texts: VectorTable, cached: Cache | None = None) -> None:
        self.parameters = parameters
        self.texts = texts
        self.index = Index()
        self.waiting: dict[str, str] = {}  # texts of entries that have no vector yet
        self.indexed = 0  # entries that were read since the cache was
        self._stamps: dict[str, int] = {}
        self._given_vectors = 0  # how often some were given
        self._words = Grown(texts.embedder.dimension)
        self._known: dict[str, Vector] = {}  # words of the cache
        self.entries: dict[str, Entry] = {}
        self.kept: object = None  # what somebody made of it, for the next time
        self._blocks: Blocks | None = None
        self._others: tuple[object, ...] | None = None
        self._filtered: tuple[tuple[object, ...], Bools] | None = None
        self._own: dict[str, Vector] = {}  # vectors that are not their text's
        self._moved = 0  # rises when an id gets another row
        self._given: tuple[tuple[object, ...], dict[str, Ties]] | None = None
        if cached is not None and cached.fingerprint == self.fingerprint:
            self._take(cached.columns)
        self.meaning = Meaning(
            self.index, parameters, entries=np.zeros((0, texts.embedder.dimension), dtype=np.float32)
        )
        self.recall = Recall(self.index, parameters, meaning=self.meaning)

    @property
    def fingerprint(self) -> str:
        """What a cache must have been made with."""
        return f"{CACHE_VERSION}-{self.texts.embedder.identity}"

    # Keeping up

    def follow(self, projection: Projection) -> None:
        """Bring the index up to a projection."""
        self._follow(projection, projection.blocks.take_changes())

    def show(self, projection: Projection) -> None:
        """Bring the index up to a projection that another one follows, and leave to that one what has changed."""
        self._follow(projection, set())

    def _follow(self, projection: Projection, changed: set[str]) -> None:
        blocks, graph = projection.blocks, SpaceGraph(projection)
        others = graph.revision(without=BLOCKS.name)
        if blocks is not self._blocks or others != self._others:
            changed |= blocks.blocks.keys() | self._stamps.keys()
            for entry in graph.entries(without=BLOCKS.name):
                self._put(entry)
                changed.discard(entry.id)
            self._own = self._crystals(projection)
        there = {name for name in changed if name in blocks.blocks and blocks.blocks[name].status in THERE}
        for name in changed - there:
            self._remove(name)
        for name in sorted(there, key=lambda name: (blocks.blocks[name].at, name)):
            self._put(entry_of(blocks, name), blocks.blocks[name].text())
        self._blocks, self._others = blocks, others

    def _crystals(self, projection: Projection) -> dict[str, Vector]:
        """Give the vectors that narratives crystallised with, if this embedder made them."""
        identity = self.texts.embedder.identity
        made = {name: crystal.unit_vector(identity) for name, crystal in projection.walks.narratives.items()}
        return {name: vector.astype(np.float32) for name, vector in made.items() if vector is not None}

    def _put(self, entry: Entry, text: str = "") -> None:
        stamp = _stamp(entry)
        self.entries[entry.id] = entry
        if self._stamps.get(entry.id) == stamp:
            if self.waiting.get(entry.id) == "":  # it came from the cache
                self.waiting[entry.id] = text or entry.text
            return
        if entry.id in self._stamps:
            self._moved += 1
        self.index.add(entry)
        self._stamps[entry.id] = stamp
        self.waiting[entry.id] = text or entry.text
        self.indexed += 1

    def _remove(self, name: str) -> None:
        if self._stamps.pop(name, None) is not None:
            self.index.remove(name)
            self.entries.pop(name, None)
            self.waiting.pop(name, None)
            self._moved += 1
            self.indexed += 1

    def embed(self, most: int | None = INBOX_EMBEDDED) -> int:
        """Give vectors to the entries that wait for one, of the inbox to the first `most` learned; count the rest."""
        later = self._later(most) if self.waiting and most is not None else set()
        ready = {name: text for name, text in self.waiting.items() if name not in later}
        if ready:
            vectors = self.texts.of_blocks(ready)
            for place, name in enumerate(ready):
                if name in self._own:
                    vectors[place] = self._own[name]
            self.meaning.put(np.array([self.index.rows[name] for name in ready]), vectors)
            self.waiting = {name: text for name, text in self.waiting.items() if name not in ready}
            self._given_vectors += 1
        if self.texts.embedder.knows_words and self._words.size < len(self.index.words.names):
            self.meaning.words = self._worded()
        return len(self.waiting)

    def _later(self, most: int) -> set[str]:
        """Name the blocks of the inbox behind the first so many, whoever looked before."""
        assert self._blocks is not None
        inbox = sorted((each.at, name) for name, each in self._blocks.blocks.items() if each.status == INBOX)
        return {name for _, name in inbox[most:]}

    def _worded(self) -> Matrix:
        names = self.index.words.names
        done = self._words.size
        fresh = [name for name in names[done:] if name not in self._known]
        made = dict(zip(fresh, halved(self.texts.embedder.embed(fresh)), strict=True)) if fresh else {}
        matrix = self._words.to(len(names))
        for place, name in enumerate(names[done:], done):
            matrix[place] = made[name] if name in made else self._known[name]
        return matrix

    # Asking

    def query(self, text: str, intention: str | None) -> Query:
        """Make a query: its vector, those of its words, and those of the intention."""
        embedder = self.texts.embedder
        spoken = sorted(set(content(text))) if embedder.knows_words else []
        asked = [text, *([intention] if intention else []), *spoken]
        vectors = embedder.embed(asked)
        words = dict(zip(spoken, halved(vectors[len(asked) - len(spoken) :]), strict=True))
        return Query(
            text,
            vector=vectors[0],
            words=words,
            intention=intention or "",
            intention_vector=vectors[1] if intention else None,
        )

    @property
    def state(self) -> tuple[object, ...]:
        """What changes whenever an entry, a vector or a link does."""
        return (self.index.version, self._given_vectors, self._given[0] if self._given is not None else None)

    def linked(self, folded: Projection) -> None:
        """Take the links there are: structural ones at this hour, connections as they stand."""
        size, blocks = len(self.index.ids), folded.blocks
        linked = (blocks.links, blocks.links.version, round(blocks.hours_now, 1))
        connected = (folded.connections, folded.dated, folded.day)
        key = (*linked, *connected, self._moved, self._others)
        if self._given is not None and self._given[0][:-1] == key and size <= int(str(self._given[0][-1])):
            return
        room = 2 * size + FIRST_ROWS
        given = {kind: Ties(*columns, rows=room) for kind, columns in self._pairs(folded).items()}
        self._given = ((*key, room), given)
        self.recall.links.given = given

    def _pairs(self, folded: Projection) -> dict[str, tuple[list[int], list[int], list[float]]]:
        rows = self.index.rows
        found: dict[str, tuple[list[int], list[int], list[float]]] = {}
        for edge in SpaceGraph(folded).edges(rows):
            kind = edge.kind or EVIDENCE
            if kind in GIVEN_LINKS or edge.kind in OF_BLOCKS:
                first, second, strengths = found.setdefault(kind, ([], [], []))
                first.append(rows[edge.a])
                second.append(rows[edge.b])
                strengths.append(1.0 if kind == WALK else edge.strength)
        return found

    def allowed(self, wanted: Filter, blocks: Blocks) -> Bools | None:
        """Mark the rows that pass a filter; None if all do."""
        if wanted == Filter():
            return None
        key = (wanted, self.state, blocks.revision)  # tags and sources are not in the index
        if self._filtered is not None and self._filtered[0] == key:
            return self._filtered[1]
        mask = np.zeros(len(self.index.ids), dtype=bool)
        for name, row in self.index.rows.items():
            mask[row] = wanted.failed(self.entries[name], blocks.blocks.get(name)) is None
        self._filtered = (key, mask)
        return mask

    # The cache

    def cache(self) -> Cache:
        """Pack the index, so that a later process need not read every text again."""
        names = self.index.words.names[: self._words.size]
        columns = prefixed("index", self.index.dump()) | {
            "stamps": np.array([self._stamps[name] for name in sorted(self._stamps)], dtype=np.int64),
            "words": text_column(names),
            "vectors": self._words.to(self._words.size).astype(np.float16),
        }
        return Cache(self.fingerprint, columns)

    def _take(self, columns: Columns) -> None:
        try:
            index = Index.load(under("index", columns))
            stamps: list[int] = columns["stamps"].tolist()
            known = zip(texts_of(columns["words"]), columns["vectors"].astype(np.float32), strict=True)
            self._stamps = dict(zip(index.ids, stamps, strict=True))
        except (LookupError, ValueError):
            return  # damaged: the texts are read again
        self.index, self._known = index, dict(known)
        self.waiting = dict.fromkeys(index.ids, "")


def halved(vectors: Matrix) -> Matrix:
    """Round vectors of words to half precision: what a cache keeps is what was used.

    >>> halved(np.array([[0.1]], dtype=np.float32)).tolist()
    [[0.0999755859375]]
    """
    return vectors.astype(np.float16).astype(np.float32)


def _stamp(entry: Entry) -> int:
    told = "\0".join(
        [entry.text, entry.name, entry.group, entry.speaker, str(entry.position), str(entry.at), entry.kind]
    )
    return zlib.crc32(told.encode(errors="surrogatepass"))


def recaller_of(live: Live) -> Recaller:
    """Give the read model of a space, following what is folded there now."""
    projection, texts, parameters = live.refresh(), live.texts(), live.parameters.recall
    recaller = live.of_texts
    if not isinstance(recaller, Recaller) or recaller.parameters != parameters:
        recaller = live.of_texts = Recaller(parameters, texts, live.store.cache(live.space, CACHE))
    recaller.follow(projection)
    return recaller

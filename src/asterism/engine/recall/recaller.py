"""The read model of recall: the index, vectors and links of a projection, kept up with it. It writes nothing."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np

from asterism.core.blocks.capability import BLOCKS
from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.shown import entry_of
from asterism.core.blocks.words import INBOX, THERE
from asterism.core.ledger.columns import Bools, Columns
from asterism.core.ledger.graph import Entry
from asterism.core.recall.cues import question_of
from asterism.core.recall.index import NARRATIVE, Index
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import Recall
from asterism.core.recall.signals import Query
from asterism.core.recall.vectors import Codes, Matrix, Meaning, Moments, Vector
from asterism.core.space.graph import LEVEL, SpaceGraph
from asterism.core.space.projection import FOLD_VERSION, Projection
from asterism.core.text.terms import term_of
from asterism.core.text.words import INDEXED_WITHIN, words
from asterism.core.walkers.fold import Walks
from asterism.engine.recall.around import Around
from asterism.engine.recall.filters import NAME_ALONE, Filter
from asterism.engine.recall.holding import Holding
from asterism.engine.recall.inbox import Inbox
from asterism.engine.recall.packed import packed, unpacked
from asterism.engine.recall.query import query_of
from asterism.engine.recall.word_vectors import WordVectors
from asterism.engine.space.follow import TakenUp
from asterism.engine.space.live import Live
from asterism.engine.space.vectors import VectorTable
from asterism.store.port import Cache

CACHE = "recall"
CACHE_VERSION = 9  # raise it when the index changes: a cache of another version is not read
INBOX_EMBEDDED = 20_000  # blocks of the inbox that a question gives vectors to; the rest waits for a dream
CHARACTERS_PER_ENTRY = 200  # what it costs to index an entry, however short its text is, in characters
CHARACTERS_AT_ONCE = 32_768  # of texts that are read between two of them: a few milliseconds


class Portions:
    """Looks at a clock between texts, when many characters were read since."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick
        self._read = 0

    def before(self, text: str) -> None:
        """Be about to read a text."""
        self._read += CHARACTERS_PER_ENTRY + len(text)
        if self._read > CHARACTERS_AT_ONCE:
            self._read = 0
            self._tick()


class Entries(dict[str, Entry]):
    """Entries by id; those of blocks that came from a cache are made when they are first asked for."""

    blocks: Blocks

    def __missing__(self, name: str) -> Entry:
        entry = self[name] = entry_of(self.blocks, name)
        return entry


class Recaller:
    """Everything a question needs, following one projection after the other.

    Whatever takes long is done in portions, between which `tick` of the texts may end it; the rest is done at the next
    look.
    """

    def __init__(
        self,
        parameters: RecallParameters,
        texts: VectorTable,
        cached: Cache | None = None,
        taken_up: TakenUp | None = None,
    ) -> None:
        self.told = parameters
        if texts.embedder.knows_pieces:
            parameters = parameters.suited_to("minilm")
        elif not texts.embedder.knows_words:
            parameters = parameters.suited_to("by_words")
        self.parameters = parameters  # as they were told, but for what goes with the embedder
        self.texts = texts
        self.index = Index()
        self.waiting: dict[str, str] = {}  # texts of entries that have no vector yet; "" as long as nobody looked
        self.indexed = 0  # entries that were read since the cache was
        self.reshaped = 0  # rises when another entry than a narrative comes, goes, or gets a vector
        self.entries = Entries()
        self.kept: object = None  # what somebody made of it, for the next time
        self._stamps: dict[str, int] = {}
        self._given_vectors = 0  # how often some were given
        nothing: Matrix = np.zeros((0, texts.embedder.dimension), dtype=np.float32)
        self._words = WordVectors(nothing)
        self._blocks: Blocks | None = None
        self._walks: Walks | None = None
        self._others: dict[str, tuple[object, dict[str, Entry]]] = {}  # by capability: its revision and its entries
        self._pending: set[str] = set()  # ids that may be other entries than those in the index
        self._inbox = Inbox()
        self._fresh: set[str] = set()  # of those that wait: who came since the last look ..
        self._edge: tuple[int, str] | None = None  # .. at which blocks of the inbox from here on had to wait
        self._filtered: tuple[tuple[object, ...], Bools] | None = None
        self._linked: tuple[object, ...] = ()
        self._holding: tuple[int, Holding] | None = None
        vectors = None
        if cached is not None and cached.fingerprint == self.fingerprint:
            vectors = self._take(cached.columns, taken_up)
        self.meaning = Meaning(self.index, parameters, entries=nothing if vectors is None else vectors)
        self.meaning.tick = texts.ticked
        if vectors is not None and cached is not None and not self.waiting and self.meaning.many:
            self._take_moments(cached.columns)
        if self._words.size:
            self.meaning.words = self._words.rows
        pieces = self._pieces if texts.embedder.knows_pieces else None
        self.recall = Recall(self.index, parameters, meaning=self.meaning, pieces=pieces, texts=self._text)

    @property
    def fingerprint(self) -> str:
        """What a cache must have been made with."""
        return f"{CACHE_VERSION}.{FOLD_VERSION}-{self.texts.embedder.identity}"

    # Keeping up

    def follow(self, projection: Projection) -> None:
        """Bring the index up to a projection."""
        self._follow(projection, projection.blocks.take_changes())

    def show(self, projection: Projection) -> None:
        """Bring the index up to a projection that another one follows, and leave to that one what has changed."""
        self._follow(projection, set())

    def _follow(self, projection: Projection, changed: set[str]) -> None:
        blocks, self._walks = projection.blocks, projection.walks
        self.entries.blocks = blocks
        if blocks is not self._blocks:
            changed |= blocks.blocks.keys() | self._stamps.keys()
            self._blocks = blocks
        else:  # the times of what was found to say the same are those of the block that it repeats
            changed |= {blocks.standing(name) for name in changed if name in blocks.blocks}
        self._holding = None if changed else self._holding
        self._inbox.change({name: _in_inbox(blocks, name) for name in changed})
        self._pending |= changed
        for name, revision, entries in SpaceGraph(projection).listing(without=BLOCKS.name):
            known, before = self._others.get(name, (None, dict[str, Entry]()))
            if revision is not known:
                now = {entry.id: entry for entry in entries()}
                self._pending.update(each for each, entry in now.items() if before.get(each) != entry)
                self._pending.update(before.keys() - now.keys())
                self._others[name] = revision, now
        self._settle(blocks)

    def _settle(self, blocks: Blocks) -> None:
        """Look at what may have changed, those of other capabilities first, blocks in the order of the ledger."""
        if not self._pending:
            return
        others = {name: entry for name in self._pending if (entry := self._other(name)) is not None}
        there = {name for name in self._pending - others.keys() if _is_there(blocks, name)}
        for name in self._pending - others.keys() - there:
            self._remove(name)
            self._pending.discard(name)
        ticked = Portions(self.texts.ticked)
        for name, entry in others.items():
            ticked.before(entry.text)
            self._put(entry)
            self._pending.discard(name)
        for name in sorted(there, key=lambda name: (blocks.blocks[name].at, name)):
            ticked.before(blocks.blocks[name].content)
            self._put(entry_of(blocks, name), blocks.blocks[name].text())
            self._pending.discard(name)

    def _other(self, name: str) -> Entry | None:
        """Give an entry that is no block: of several of one id, a level is the last to be meant."""
        found = [entries[name] for _, entries in self._others.values() if name in entries]
        return next((entry for entry in found if entry.kind != LEVEL), found[-1] if found else None)

    def _put(self, entry: Entry, text: str = "") -> None:
        stamp = _stamp(entry)
        self.entries[entry.id] = entry
        if self._stamps.get(entry.id) == stamp:
            if self.waiting.get(entry.id) == "":  # it came from the cache
                self.waiting[entry.id] = (text or entry.text)[:INDEXED_WITHIN]
                self._fresh.add(entry.id)
            return
        self.index.add(entry)
        self._stamps[entry.id] = stamp
        self.waiting[entry.id] = (text or entry.text)[:INDEXED_WITHIN]
        self._fresh.add(entry.id)
        self._count(entry.kind)

    def _remove(self, name: str) -> None:
        if self._stamps.pop(name, None) is not None:
            self.index.remove(name)
            entry = self.entries.pop(name, None)
            self.waiting.pop(name, None)
            self._fresh.discard(name)
            self._count("" if entry is None else entry.kind)

    def _count(self, kind: str) -> None:
        self.indexed += 1
        self.reshaped += kind != NARRATIVE

    def embed(self, most: int | None = INBOX_EMBEDDED) -> int:
        """Give vectors to the entries that wait for one, of the inbox to the first `most` learned; count the rest."""
        edge = None if most is None else self._inbox.after(most)
        looked = self._fresh if edge == self._edge else self.waiting
        ready = {
            name: self.waiting[name] or self._text(name) for name in looked if not self._inbox.is_behind(name, edge)
        }
        if ready:
            vectors = self.texts.of_blocks(ready)
            for place, name in enumerate(ready):
                made = self._crystal(name)
                if made is not None:
                    vectors[place] = made
            self.meaning.put(np.array([self.index.rows[name] for name in ready]), vectors)
            self.reshaped += any(self.entries[name].kind != NARRATIVE for name in ready)
            self._given_vectors += 1
        for name in ready:
            del self.waiting[name]
        self._fresh.clear()
        self._edge = edge
        self._embed_words()
        return len(self.waiting)

    def _text(self, name: str) -> str:
        """Give the text of an entry that its vector is of."""
        assert self._blocks is not None
        block = self._blocks.blocks.get(name)
        return self.entries[name].text if block is None else block.text()

    def _pieces(self, names: Sequence[str]) -> list[Codes]:
        """Give the vectors of the pieces of entries; those without a vector yet have none."""
        return self.texts.pieces([self._text(name)[:INDEXED_WITHIN] for name in names])

    def _crystal(self, name: str) -> Vector | None:
        """Give the vector that a narrative crystallised with, if this embedder made it."""
        made = None if self._walks is None else self._walks.narratives.get(name)
        vector = None if made is None else made.unit_vector(self.texts.embedder.identity)
        return None if vector is None else vector.astype(np.float32)

    def _embed_words(self) -> None:
        """Give vectors to the words that came since, in portions."""
        if self.texts.embedder.knows_words:
            for matrix in self._words.keep_up(self.index.words.names, self.texts.embedder.embed):
                self.meaning.words = matrix
                self.texts.ticked()

    # Asking

    def query(self, text: str, intention: str | None) -> Query:
        """Make a query: its vector, those of its words, and those of the intention."""
        return query_of(text, intention, self.texts.embedder, self.recall.first.speakers)

    def holding(self, blocks: Blocks) -> Holding:
        """Say when the blocks hold of which an end or a beginning is known."""
        if self._holding is None or self._holding[0] != self.index.version:
            self._holding = self.index.version, Holding(blocks, self.index.rows)
        return self._holding[1]

    @property
    def state(self) -> tuple[object, ...]:
        """What changes whenever an entry, a vector or a link does."""
        return self.index.version, self._given_vectors, self._linked

    def linked(self, folded: Projection) -> None:
        """Take the links there are: structural ones at this hour, connections as they stand."""
        hours, graph = round(folded.blocks.hours_now, 1), SpaceGraph(folded)
        key = (folded.connections, folded.dated, folded.day, hours, self.index.version, graph.revision())
        if self._linked != key:
            self._linked = key
            self.recall.links.given = dict(Around(graph, self.index).given())

    def allowed(self, wanted: Filter, blocks: Blocks, query: Query) -> Bools | None:
        """Mark the rows that pass a filter; None if all do.

        Actors do where `kinds` asks for them, or the question for nothing but who somebody is.
        """
        asked_for = bool(wanted.kinds) or self.only_names(query.text)
        actor = 0 if asked_for else self.index.labels["kind"].numbers.get(NAME_ALONE, 0)
        if wanted == Filter() and not actor:
            return None
        key = (wanted, actor, self.state, blocks.revision)  # tags and sources are not in the index
        if self._filtered is not None and self._filtered[0] == key:
            return self._filtered[1]
        mask = np.ones(len(self.index.ids), dtype=bool)
        if wanted != Filter():
            mask[:] = False
            for name, row in self.index.rows.items():
                mask[row] = wanted.failed(self.entries[name], blocks.blocks.get(name)) is None
        if actor:
            mask &= self.index.facts.trim().kind != actor
        self._filtered = (key, mask)
        return mask

    def only_names(self, question: str) -> bool:
        """Say whether all that is asked for are names of those who speak."""
        terms = set(question_of(question).terms)
        return bool(terms) and terms <= {
            term_of(word) for name in self.index.labels["speaker"].texts for word in words(name)
        }

    # The cache

    def cache(self, seq: int) -> Cache:
        """Pack the index of all items up to `seq`, so that a later process need not read every text again."""
        texts = ["" if self._crystal(name) is not None else self._text(name) for name in sorted(self._stamps)]
        places = self.texts.places(texts)
        columns = packed(seq, self.index, stamps=self._stamps, words=self._words.rows, places=places)
        moments = self.meaning.moments()
        if moments is not None and not self.waiting and min(places, default=0) >= 0:  # all that is in them
            columns |= {"sum": moments.sum, "squares": moments.squares}  # comes back with its vector
        return Cache(self.fingerprint, columns)

    def _take_moments(self, columns: Columns) -> None:
        with suppress(LookupError, ValueError):  # they are only there if all vectors are
            width = self.texts.embedder.dimension
            total, squares = (columns[name].astype(np.float64) for name in ("sum", "squares"))
            self.meaning.take_moments(Moments(total.reshape(width), squares.reshape(width, width)))

    def _take(self, columns: Columns, taken_up: TakenUp | None) -> Matrix | None:
        """Take the index of a cache, with what vectors there are of its entries; none of it if it is damaged.

        If it was made of the very blocks that were taken up here, only those that changed since are looked at.
        """
        kept = unpacked(columns)
        if kept is None:
            return None
        index, places = kept.index, kept.places
        vectors = self.texts.kept_by_place(places)
        if vectors is None:  # some are gone: each entry asks for its own
            places[:] = -1
            vectors = np.zeros((len(places), self.texts.embedder.dimension), dtype=np.float32)
        self.index, self._stamps, self._words = index, kept.stamps, WordVectors(kept.words)
        self.waiting = {index.ids[row]: "" for row in np.flatnonzero(places < 0).tolist()}
        if taken_up is not None and taken_up.seq == kept.seq and not taken_up.projection.blocks.followed:
            self._blocks = taken_up.projection.blocks
            shelf = self._blocks.blocks
            self._inbox.change({name: _in_inbox(self._blocks, name) for name in shelf.of_status(INBOX)})
            self._pending = self._stamps.keys() - shelf.keys()  # nobody has said yet that these are there
            self._fresh = set(self.waiting)
        return vectors


def _is_there(blocks: Blocks, name: str) -> bool:
    return name in blocks.blocks and blocks.blocks[name].status in THERE


def _in_inbox(blocks: Blocks, name: str) -> int | None:
    """Say when a block was learned, if it is in the inbox."""
    block = blocks.blocks.get(name)
    return block.at if block is not None and block.status == INBOX else None


def _stamp(entry: Entry) -> int:
    parts = (*entry[1:5], entry.speaker, entry.at, entry.kind, *entry.times)
    told = "\0".join(map(str, parts))
    return zlib.crc32(told.encode(errors="surrogatepass"))


def recaller_of(live: Live) -> Recaller:
    """Give the read model of a space, following what is folded there now."""
    return _following(live, live.refresh())


def _following(live: Live, projection: Projection) -> Recaller:
    texts, parameters = live.texts(), live.parameters.recall
    recaller = live.of_texts
    if not isinstance(recaller, Recaller) or recaller.told != parameters:
        cached = live.store.cache(live.space, CACHE)
        recaller = live.of_texts = Recaller(parameters, texts, cached, live.taken_up)
    recaller.follow(projection)
    return recaller


def recaller_then(live: Live, folded: Projection) -> Recaller:
    """Give a read model of a space as it was, made once for a look back; where nothing came since, the one of now."""
    if folded.blocks is live.held.blocks:
        return _following(live, live.held)
    texts, past = live.texts(), live.past
    if past is not None and past.projection is folded and isinstance(past.of_texts, Recaller):
        return past.of_texts
    recaller = Recaller(live.parameters.recall, texts)
    recaller.show(folded)
    if past is not None and past.projection is folded:
        past.of_texts = recaller
    return recaller

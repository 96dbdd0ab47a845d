"""The vectors of a space's texts: which embedder makes them, which are kept, which are made when they are needed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from asterism.core.ledger.columns import Longs
from asterism.embed import CheckedEmbedder, Embedder, Vectors, open_embedder
from asterism.embed.port import Codes
from asterism.errors import AsterismError, CorruptError, InputError
from asterism.hints import Hint, step
from asterism.store.port import Store, Writing, pieces_of

EmbedderSpec = str | Embedder | Callable[[list[str]], object] | None
BUILT_IN = ("default", "hashed", "minilm")
FIRST_ROWS = 64
AT_ONCE = 128  # texts that are embedded between two looks at a clock
HASH = 16  # bytes of the name of a text
PIECES_KEPT = 20_000  # texts whose vectors of pieces stay at hand: about 60 MB
LENGTH_TOLERANCE = 1e-3  # of a squared length that was computed elsewhere
READ_AT_ONCE = 1_999  # vectors that are read between two of them, if somebody looks


def text_key(text: str) -> bytes:
    """Name a text by its hash.

    >>> text_key("tea").hex()
    'a9f74d1ec36ebdeb2da3f6e5868090cd'
    """
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()[:HASH]


def embedder_of(spec: EmbedderSpec, recorded: str | None) -> CheckedEmbedder:
    """Open the embedder that was asked for; if none was, the one that made the vectors there are, else the default."""
    asked = open_embedder(spec)
    if spec is not None or recorded in (None, asked.identity):
        return asked
    for name in BUILT_IN:
        try:
            other = open_embedder(name)
        except AsterismError:  # its weights are not installed
            continue
        if other.identity == recorded:
            return other
    return asked


def refuse_another(embedder: CheckedEmbedder, recorded: str | None, space: str) -> None:
    """Let only the embedder in that made the vectors there are: those of two cannot be compared."""
    if recorded not in (None, embedder.identity):
        raise InputError(
            f"the vectors of space {space!r} were made by {recorded}, not by {embedder.identity}",
            code="other_embedder",
            item=str(recorded),
            hint=Hint("open it with that embedder, or make all vectors anew with this one: ", step("reembed")),
        )


def numbers_of(store: Store, space: str, identity: str) -> int | None:
    """Say how many numbers the vectors of an embedder have, by those that are kept, or if it is built in; else None."""
    for names, data in store.vector_packs(space, identity)[:1]:
        return len(data) * HASH // (4 * max(len(names), HASH))
    known = embedder_of(None, identity)
    return known.dimension if known.identity == identity else None


def vector_problem(data: bytes, numbers: int | None, identity: str | None) -> str:
    """Say why recall could not use a vector that comes from elsewhere; "" if it can. None: it may have any size.

    >>> vector_problem(np.array([0.6, 0.8], dtype="<f4").tobytes(), 2, "mine"), vector_problem(bytes(8), 3, "mine")
    ('', 'its vector has 2 numbers, and those of mine have 3')
    """
    vector = np.frombuffer(data[: len(data) // 4 * 4], dtype="<f4").astype(np.float64)
    if numbers is not None and len(data) != 4 * numbers:
        return f"its vector has {len(data) / 4:g} numbers, and those of {identity or 'the others'} have {numbers}"
    length = float(vector @ vector) if np.isfinite(vector).all() else np.nan
    return "" if length == 0 or abs(length - 1) <= LENGTH_TOLERANCE else "its vector is not of length 1"


class VectorTable:
    """The vectors of texts by one embedder: those a store keeps, and those made since."""

    def __init__(self, store: Store, space: str, embedder: CheckedEmbedder) -> None:
        self.embedder = embedder
        self._store = store
        self._space = space
        self._matrix: Vectors = np.zeros((FIRST_ROWS, embedder.dimension), dtype=np.float32)
        self._size = 0  # rows in use: a text that is embedded anew gets another
        self._rows: dict[bytes, int] = {}
        self._made: set[bytes] = set()  # here, and not kept yet
        self._pieces: dict[bytes, Codes] = {}  # by text, the vectors of its pieces
        self.embedded = 0  # texts that were embedded here
        self.tick: Callable[[], None] | None = None  # called between two portions of work, which it may end

    def __len__(self) -> int:
        """Count the texts whose vectors are here."""
        return len(self._rows)

    def of(self, texts: Sequence[str]) -> Vectors:
        """Give a row for each text; what is not there is embedded."""
        keys = [text_key(text) for text in texts]
        self._fetch(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows}
        self._embed(missing)
        return self._matrix[[self._rows[key] for key in keys]]

    def pieces(self, texts: Sequence[str]) -> list[Codes]:
        """Give the vectors of the pieces of each text, none where they were not made with its vector."""
        keys = [text_key(text) for text in texts]
        missing = {key for key in keys if key not in self._pieces}
        if missing:
            kept = self._store.vectors(self._space, pieces_of(self.embedder.identity), missing)
            self._pieces.update((key, self._codes(kept.get(key, b""))) for key in sorted(missing))
        found = [self._pieces[key] for key in keys]
        for key in list(self._pieces)[: max(0, len(self._pieces) - PIECES_KEPT)]:
            if key not in self._made:
                del self._pieces[key]
        return found

    def _codes(self, data: bytes) -> Codes:
        size = self.embedder.piece_size
        return np.frombuffer(data[: len(data) // size * size], dtype=np.int8).reshape(-1, size)

    def keep(self, writing: Writing, made: Mapping[bytes, bytes]) -> None:
        """Have a store keep vectors that were made here, and those of the pieces of the same texts."""
        writing.set_embedder(self.embedder.identity)
        writing.put_vectors(self.embedder.identity, made)
        if self.embedder.knows_pieces:
            pieces = {key: self._pieces[key].tobytes() for key in made}
            writing.put_vectors(pieces_of(self.embedder.identity), pieces)

    def of_blocks(self, texts: Mapping[str, str]) -> Vectors:
        """Give a row for the text of each block; one that the embedder cannot embed is named by its block."""
        try:
            return self.of(list(texts.values()))
        except AsterismError as error:
            if error.code == "bad_vector":
                self._blame(texts)
            raise

    def _blame(self, texts: Mapping[str, str]) -> None:
        for name, text in texts.items():
            try:
                self.of([text])
            except AsterismError as error:
                raise AsterismError(
                    f"block {name}: {error.message}",
                    code="bad_vector",
                    item=name,
                    hint=Hint("repair the embedder, or forget this block: ", step("forget", name)),
                ) from error

    def forget(self) -> None:
        """Let go of every vector, kept or not."""
        self._rows, self._made, self._size = {}, set(), 0
        self._pieces = {}
        self._matrix = np.zeros((FIRST_ROWS, self.embedder.dimension), dtype=np.float32)

    def make_anew(self, texts: Iterable[str]) -> None:
        """Embed texts, whatever the store keeps of them."""
        self._embed({text_key(text): text for text in texts})

    def ticked(self) -> None:
        """Let whoever waits end the work here; what was done so far is kept."""
        if self.tick is not None:
            self.tick()

    def _portions(self, keys: list[bytes], size: int) -> Iterator[list[bytes]]:
        """Give everything at once, or in portions if somebody wants to look at a clock between them."""
        size = size if self.tick is not None else max(len(keys), 1)
        for start in range(0, len(keys), size):
            yield keys[start : start + size]
            self.ticked()

    def _embed(self, texts: Mapping[bytes, str]) -> None:
        for some in self._portions(list(texts), AT_ONCE):
            told = [texts[key] for key in some]
            if self.embedder.knows_pieces:
                vectors, pieces = self.embedder.embed_pieces(told)
                self._pieces.update(zip(some, pieces, strict=True))
            else:
                vectors = self.embedder.embed(told)
            self._add(some, vectors)
            self._made.update(some)
            self.embedded += len(some)

    def made(self) -> dict[bytes, bytes]:
        """Give the vectors that no store keeps yet, as bytes."""
        return {key: self._matrix[self._rows[key]].astype("<f4").tobytes() for key in self._made}

    def kept(self, keys: Iterable[bytes]) -> None:
        """Note that a store keeps these now."""
        self._made.difference_update(keys)

    def _fetch(self, keys: Sequence[bytes]) -> None:
        for some in self._portions([key for key in dict.fromkeys(keys) if key not in self._rows], READ_AT_ONCE):
            found = self._store.vectors(self._space, self.embedder.identity, set(some))
            self._add(found, self._read(found))

    def places(self, texts: Sequence[str]) -> list[int]:
        """Say where in the order of the store each text's vector is kept, the first that asks; -1 where it is not."""
        packs = self._store.vector_packs(self._space, self.embedder.identity)
        held = (names[at : at + HASH] for names, _ in packs for at in range(0, len(names), HASH))
        place = {name: number for number, name in enumerate(held)}
        return [place.pop(text_key(text), -1) for text in texts]

    def kept_by_place(self, places: Longs) -> Vectors | None:
        """Give the vectors at these places of the store, zeros where there is none; None if so many are not kept."""
        size = 4 * self.embedder.dimension
        packs = self._store.vector_packs(self._space, self.embedder.identity)
        total = sum(len(names) // HASH for names, _ in packs)
        if len(places) and places.max() >= total:
            return None
        found = np.zeros((len(places), self.embedder.dimension), dtype=np.float32)
        row_at = np.full(total, -1, dtype=np.int64)
        row_at[places[places >= 0]] = np.flatnonzero(places >= 0)
        start = 0
        for names, data in packs:
            count = len(names) // HASH
            if len(data) != count * size:
                raise self._damaged(names[:HASH])
            vectors = np.frombuffer(data, dtype="<f4").reshape(count, self.embedder.dimension)
            if not np.isfinite(vectors.sum()) and not (finite := np.isfinite(vectors).all(axis=1)).all():
                raise self._damaged(names[HASH * int(finite.argmin()) :][:HASH])
            rows = row_at[start : start + count]
            wanted = rows >= 0
            if wanted.all():
                found[rows] = vectors
            else:
                found[rows[wanted]] = vectors[wanted]
            start += count
        return found

    def _read(self, found: Mapping[bytes, bytes]) -> Vectors:
        size = 4 * self.embedder.dimension
        if all(len(data) == size for data in found.values()):
            rows = (
                np.frombuffer(b"".join(found.values()), dtype="<f4").reshape(len(found), size // 4).astype(np.float32)
            )
            if np.isfinite(rows).all():
                return rows
        raise self._damaged(next(key for key, data in found.items() if not _is_vector(data, size)))

    def _damaged(self, key: bytes) -> CorruptError:
        return CorruptError(
            f"the vector of text {key.hex()} is damaged, or not one of {self.embedder.dimension} numbers",
            code="damaged_vector",
            item=key.hex(),
            hint=Hint("make all vectors anew: ", step("reembed")),
        )

    def _add(self, keys: Iterable[bytes], vectors: Vectors) -> None:
        names = list(keys)
        if not names:
            return
        first, self._size = self._size, self._size + len(names)
        if len(self._matrix) < self._size:
            larger = np.zeros((1 << (self._size - 1).bit_length(), self._matrix.shape[1]), dtype=np.float32)
            larger[:first] = self._matrix[:first]
            self._matrix = larger
        self._matrix[first : self._size] = vectors
        self._rows.update(zip(names, range(first, self._size), strict=True))


def _is_vector(data: bytes, size: int) -> bool:
    return len(data) == size and bool(np.isfinite(np.frombuffer(data, dtype="<f4")).all())

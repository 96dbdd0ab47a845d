"""The vectors of a space's texts: which embedder makes them, which are kept, which are made when they are needed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from asterism.core.columns import Rows
from asterism.embed import CheckedEmbedder, Embedder, Vectors, open_embedder
from asterism.errors import AsterismError, CorruptError, InputError
from asterism.store.port import Store

EmbedderSpec = str | Embedder | Callable[[list[str]], object] | None
BUILT_IN = ("default", "hashed", "minilm")
FIRST_ROWS = 64


def text_key(text: str) -> bytes:
    """Name a text by its hash.

    >>> text_key("tea").hex()
    'a9f74d1ec36ebdeb2da3f6e5868090cd'
    """
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()[:16]


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
            hint="open it with that embedder, or make all vectors anew with this one: reembed()",
        )


class VectorTable:
    """The vectors of texts by one embedder: those a store keeps, and those made since."""

    def __init__(self, store: Store, space: str, embedder: CheckedEmbedder) -> None:
        self.embedder = embedder
        self._store = store
        self._space = space
        self._matrix: Vectors = np.zeros((FIRST_ROWS, embedder.dimension), dtype=np.float32)
        self._rows: dict[bytes, int] = {}
        self._made: set[bytes] = set()  # here, and not kept yet
        self.embedded = 0  # texts that were embedded here

    def of(self, texts: Sequence[str]) -> Vectors:
        """Give a row for each text; what is not there is embedded."""
        keys = [text_key(text) for text in texts]
        self._fetch(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows}
        self._embed(missing)
        return self._matrix[[self._rows[key] for key in keys]]

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
                    hint=f"repair the embedder, or forget this block: forget({name!r})",
                ) from error

    def make_anew(self, texts: Iterable[str]) -> None:
        """Embed texts, whatever the store keeps of them."""
        self._embed({text_key(text): text for text in texts})

    def _embed(self, texts: Mapping[bytes, str]) -> None:
        if texts:
            self._add(texts, self.embedder.embed(list(texts.values())))
            self._made |= texts.keys()
            self.embedded += len(texts)

    def made(self) -> dict[bytes, bytes]:
        """Give the vectors that no store keeps yet, as bytes."""
        return {key: self._matrix[self._rows[key]].astype("<f4").tobytes() for key in self._made}

    def kept(self, keys: Iterable[bytes]) -> None:
        """Note that a store keeps these now."""
        self._made.difference_update(keys)

    def _fetch(self, keys: Sequence[bytes]) -> None:
        unknown = {key for key in keys if key not in self._rows}
        if unknown:
            found = self._store.vectors(self._space, self.embedder.identity, unknown)
            self._add(found, [self._read(key, data) for key, data in found.items()])

    def _read(self, key: bytes, data: bytes) -> Vectors:
        if len(data) == 4 * self.embedder.dimension:
            vector = np.frombuffer(data, dtype="<f4").astype(np.float32)
            if np.isfinite(vector).all():
                return vector
        raise CorruptError(
            f"the vector of text {key.hex()} is damaged, or not one of {self.embedder.dimension} numbers",
            code="damaged_vector",
            item=key.hex(),
            hint="make all vectors anew: reembed()",
        )

    def _add(self, keys: Iterable[bytes], vectors: Vectors | Sequence[Vectors]) -> None:
        names = list(keys)
        if not names:
            return
        rows: Rows = np.arange(len(self._rows), len(self._rows) + len(names))
        while len(self._matrix) <= rows[-1]:
            self._matrix = np.concatenate([self._matrix, np.zeros_like(self._matrix)])
        self._matrix[rows] = vectors
        self._rows.update(zip(names, rows.tolist(), strict=True))

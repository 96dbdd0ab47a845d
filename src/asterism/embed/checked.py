"""The checks that every embedder passes through: what goes in is bounded, what comes out is a vector for each text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from asterism.embed.port import Codes, Embedder, Piecewise, Vectors, squares, unit
from asterism.errors import AsterismError, InputError

BATCH_TEXTS = 256
BATCH_CHARACTERS = 1_000_000  # of one batch, unless a single text has more
LONGEST_CHARACTERS = 65_536  # of one text: about 10,000 words; what comes after no longer moves a mean
LENGTH_TOLERANCE = 1e-5  # a squared length this close to 1 is left as it is, bit for bit
SHOWN_CHARACTERS = 60

LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class CheckedEmbedder:
    """An embedder whose input is bounded and whose output is checked.

    Blank texts are zero rows and are not sent on; lone surrogates are read as U+FFFD; a text longer than `longest`
    characters is cut, and `cut` counts how many were. Rows that are not of length 1 are scaled.
    """

    def __init__(self, inner: Embedder, *, batch: int = BATCH_TEXTS, longest: int = LONGEST_CHARACTERS) -> None:
        if batch < 1 or longest < 1:
            raise InputError(
                "an embedder needs room for at least one text of one character",
                code="bad_batch",
                item=f"batch {batch}, longest {longest}",
                hint="give both as whole numbers above 0",
            )
        self._inner = inner
        self._batch = batch
        self._longest = longest
        self.cut = 0

    @property
    def identity(self) -> str:
        """The name of the embedder inside."""
        return lasting_name(self._inner.identity)

    @property
    def dimension(self) -> int:
        """The dimension of the embedder inside."""
        return whole_dimension(self._inner.dimension)

    @property
    def knows_words(self) -> bool:
        """Say whether single words have vectors of their own, and cost next to nothing."""
        return bool(getattr(self._inner, "knows_words", False))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Give a checked row for each text."""
        clean = [self._clean(text, number) for number, text in enumerate(_listed(texts))]
        vectors = np.zeros((len(clean), self.dimension), dtype=np.float32)
        for rows in self._batches(clean):
            batch = [clean[row] for row in rows]
            vectors[rows] = _checked(self._inner.embed(batch), batch, rows, self._inner)
        return vectors

    @property
    def knows_pieces(self) -> bool:
        """Say whether the pieces of a text have vectors of their own."""
        return hasattr(self._inner, "embed_pieces")

    @property
    def piece_size(self) -> int:
        """How many numbers the vector of a piece has."""
        return cast(Piecewise, self._inner).piece_size

    def embed_pieces(self, texts: Sequence[str]) -> tuple[Vectors, list[Codes]]:
        """Give a checked row for each text, and the vectors of its pieces."""
        inner = cast(Piecewise, self._inner)
        clean = [self._clean(text, number) for number, text in enumerate(_listed(texts))]
        vectors = np.zeros((len(clean), self.dimension), dtype=np.float32)
        pieces: list[Codes] = [np.zeros((0, inner.piece_size), dtype=np.int8)] * len(clean)
        for rows in self._batches(clean):
            batch = [clean[row] for row in rows]
            given, found = inner.embed_pieces(batch)
            vectors[rows] = _checked(given, batch, rows, inner)
            for row, each in zip(rows, found, strict=True):
                pieces[row] = each
        return vectors, pieces

    def words_of_pieces(self, text: str) -> tuple[str, ...]:
        """Name the word that each piece of a text is of."""
        return tuple(cast(Piecewise, self._inner).words_of_pieces(self._clean(text, 0)))

    def _clean(self, text: object, number: int) -> str:
        if not isinstance(text, str):
            raise InputError(
                f"text {number} is a {type(text).__name__}, not a text",
                code="bad_text",
                item=str(number),
                hint="give strings",
            )
        if len(text) > self._longest:
            self.cut += 1
            text = text[: self._longest]
        return LONE_SURROGATE.sub("\ufffd", text)

    def _batches(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """Give the numbers of the texts that are not blank, in bounded batches."""
        rows: list[int] = []
        characters = 0
        for row, text in enumerate(texts):
            if not text or text.isspace():
                continue
            if rows and (len(rows) == self._batch or characters + len(text) > BATCH_CHARACTERS):
                yield rows
                rows, characters = [], 0
            rows.append(row)
            characters += len(text)
        if rows:
            yield rows


def _listed(texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str | bytes):
        raise InputError(
            "one text was given where several are expected",
            code="bad_text",
            item=shown(str(texts)),
            hint="give a list: embed([text])",
        )
    return list(texts)


def _checked(given: object, texts: Sequence[str], rows: Sequence[int], embedder: Embedder) -> Vectors:
    vectors = as_rows(given, embedder.identity)
    if len(vectors) != len(texts):
        raise AsterismError(
            f"{embedder.identity} gave {len(vectors)} vectors for {len(texts)} texts",
            code="bad_vector",
            item=named(texts[0], rows[0]),
            hint="an embedder gives one row for each text, in the same order",
        )
    if vectors.shape[1] != embedder.dimension:
        name = named(texts[0], rows[0])
        raise AsterismError(
            f"{embedder.identity} gave {vectors.shape[1]} numbers, not {embedder.dimension}, for {name}",
            code="bad_vector",
            item=name,
            hint="every vector of a memory has the dimension its embedder names",
        )
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        first = int(np.argmin(finite))
        raise AsterismError(
            f"{embedder.identity} gave a vector with NaN or infinity for {named(texts[first], rows[first])}",
            code="bad_vector",
            item=named(texts[first], rows[first]),
            hint="repair the embedder, or leave this text out",
        )
    lengths = squares(vectors.astype(np.float64))
    odd = (np.abs(lengths - 1) > LENGTH_TOLERANCE) & (lengths > 0)
    if odd.any():
        vectors[odd] = unit(vectors[odd])
    return vectors


def as_rows(given: object, name: str) -> Vectors:
    """Read what an embedder gave as a table of float32 of our own."""
    try:
        read: NDArray[np.generic] = np.asarray(given)
    except (TypeError, ValueError):  # rows of several lengths
        read = np.empty(0)
    if read.ndim != 2 or read.dtype.kind not in "fiu":
        raise AsterismError(
            f"{name} gave no table of numbers",
            code="bad_vector",
            item=name,
            hint="an embedder gives one row of numbers for each text, all of one length",
        )
    with np.errstate(over="ignore", invalid="ignore"):  # what float32 cannot hold becomes infinite, and is refused
        return read.astype(np.float32)


def lasting_name(name: object) -> str:
    """Take a name that a memory can remember."""
    if not isinstance(name, str) or not name.strip():
        raise InputError(
            "an embedder needs a name that lasts: a memory remembers which one made its vectors",
            code="unnamed_embedder",
            item=repr(name),
            hint='CallableEmbedder(function, name="my-model-1")',
        )
    return name


def whole_dimension(dimension: object) -> int:
    """Take a whole number above 0."""
    if isinstance(dimension, bool) or not isinstance(dimension, int) or dimension < 1:
        raise InputError(
            f"a vector cannot have {dimension!r} numbers",
            code="bad_dimension",
            item=repr(dimension),
            hint="a dimension is a whole number above 0",
        )
    return dimension


def named(text: str, row: int) -> str:
    """Name a text by its number and its beginning."""
    return f"text {row} ({shown(text)!r})"


def shown(text: str) -> str:
    """Cut a text for a message."""
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"

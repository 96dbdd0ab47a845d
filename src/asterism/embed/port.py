"""The port between the engine and whatever turns texts into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int8]  # one row for each piece of a text
Vectors = NDArray[np.float32]  # one row for each text


class Embedder(Protocol):
    """Turns texts into vectors of one length, the same text always into the same vector.

    A row has length 1, or is zero for a text without any known token. A row does not depend on the texts beside it.
    """

    @property
    def identity(self) -> str:
        """The stable name of what makes the vectors, with version and dimension: a memory refuses another."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Give a float32 array of shape (number of texts, dimension)."""


class Piecewise(Embedder, Protocol):
    """An embedder that also knows the vector of each piece of a text, in its place, as whole numbers of a byte."""

    @property
    def piece_size(self) -> int:
        """How many numbers the vector of a piece has."""

    def embed_pieces(self, texts: Sequence[str]) -> tuple[Vectors, list[Codes]]:
        """Give the vector of each text, as `embed` does, and those of its pieces, a row each; at the price of one."""

    def words_of_pieces(self, text: str) -> list[str]:
        """Name the word that each piece of a text is of."""


def unit(rows: NDArray[np.floating]) -> Vectors:
    """Scale each row to length 1 and leave zero rows zero, to the same bits on every machine.

    x / sqrt(sum of x²), in float64: half is added to half until one is left, an order that no processor changes.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    wide = rows.astype(np.float64)
    largest = np.abs(wide).max(axis=1, initial=0.0, keepdims=True)
    wide /= np.where(largest > 0, largest, 1.0)  # so that no square overflows or vanishes
    lengths = np.sqrt(squares(wide))[:, None]
    return (wide / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def squares(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the squares of each row, in an order that depends on nothing but the number of columns.

    >>> squares(np.array([[1.0, 2.0, 3.0]])).tolist()
    [14.0]
    """
    sums = rows * rows
    while (width := sums.shape[1]) > 1:
        half = width // 2
        folded = sums[:, :half] + sums[:, half : 2 * half]
        sums = np.concatenate([folded, sums[:, 2 * half :]], axis=1)
    return sums.reshape(-1)

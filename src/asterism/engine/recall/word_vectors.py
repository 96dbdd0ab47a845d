"""The vectors of words: a byte a number, in use as in the cache, growing with the words of an index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from asterism.core.recall.vectors import Codes, Matrix

FIRST_ROWS = 64
WORDS_AT_ONCE = 2_048  # words that are given vectors between two looks at a clock


class WordVectors:
    """A row for each word of an index that has one, in the order of the words; it grows by doubling."""

    def __init__(self, rows: Matrix) -> None:
        self._all = rows
        self.size = len(rows)

    @property
    def rows(self) -> Matrix:
        """The vectors there are."""
        return self._all[: self.size]

    def keep_up(self, words: Sequence[str], embed: Callable[[Sequence[str]], Matrix]) -> Iterator[Matrix]:
        """Give vectors to the words that came since, in portions, and all vectors after each."""
        while self.size < len(words):
            some = words[self.size : self.size + WORDS_AT_ONCE]
            made = rounded(embed(some))
            self._make_room(self.size + len(some))
            self._all[self.size : self.size + len(some)] = made
            self.size += len(some)
            yield self.rows

    def _make_room(self, size: int) -> None:
        if len(self._all) < size:
            larger = np.zeros((1 << (max(size, FIRST_ROWS) - 1).bit_length(), self._all.shape[1]), dtype=np.float32)
            larger[: self.size] = self.rows
            self._all = larger


def rounded(vectors: Matrix) -> Matrix:
    """Round vectors of words to what a cache keeps of them: a byte a number. What it keeps is what is used.

    >>> rounded(np.array([[0.1, -0.01]], dtype=np.float32)).tolist()
    [[0.099609375, -0.009765625]]
    """
    return decoded(*coded(vectors))


def coded(vectors: Matrix) -> tuple[Codes, Codes]:
    """Give each number of a vector as a byte, and the power of two that such a step is in this vector."""
    power = np.frexp(np.abs(vectors).max(axis=1, initial=0.0) / 127)[1]
    return np.rint(np.ldexp(vectors, -power[:, None])).astype(np.int8), power.astype(np.int8)


def decoded(codes: Codes, power: Codes) -> Matrix:
    """Give the vectors that `coded` gave."""
    return np.ldexp(codes.astype(np.float32), power.astype(np.int32)[:, None])

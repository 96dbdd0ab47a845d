"""Match: each piece of a question by its best match in an entry, where texts have vectors of their pieces.

    S(e, t) = the best cosine of the question's piece t with a piece of entry e
    match(e) = sum over t of idf(t) S(e, t) / sum of idf
    match_window(e) = the same with max(S(e, t), .9 S(previous, t), .85 S(following, t))

A mean of thirty pieces loses the one that answers: "kickboxing" answers "martial arts" when each word may find its own
match. Stop words and names of speakers are left out. Only the 100 best by everything else are looked at; the
signals are the standard scores over these, and 0 for all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from asterism.core.ledger.columns import Bools, Floats, Longs
from asterism.core.recall.index import Index
from asterism.core.recall.lexical import Lexical
from asterism.core.recall.vectors import NO_SPREAD, Codes, Matrix
from asterism.core.text.rarity import idf
from asterism.core.text.stems import STOP_WORDS
from asterism.core.text.terms import term_of

MATCH_SIGNALS = ("match", "match_window")
BESIDE = (("previous", 0.9), ("following", 0.85))  # what a match in a neighbour is worth

PiecesOf = Callable[[Sequence[str]], Sequence[Codes]]  # the vectors of the pieces of entries, by id


def weights_of(index: Index, lexical: Lexical, words: Sequence[str], without: set[str]) -> Floats:
    """Give what each piece of a question is worth: the rarity of its word, shared by the word's pieces; in all 1."""
    counts = {word: words.count(word) for word in words}
    worth = np.array(
        [
            0.0
            if word in STOP_WORDS or word in without or not word[:1].isalnum()
            else idf(len(index), len(lexical.holding(term_of(word)))) / counts[word]
            for word in words
        ]
    )
    total = float(worth.sum())
    return worth / total if total else worth


class Match:
    """Matches the pieces of questions with those of an index's entries."""

    def __init__(self, index: Index, pieces: PiecesOf) -> None:
        self.index = index
        self.pieces = pieces

    def best(self, asked: Codes, worth: Floats, rows: Sequence[int]) -> tuple[Floats, Floats, Bools]:
        """Give for rows the match, the match of the window, and who has pieces at all."""
        counted = np.flatnonzero(worth)
        own, window, has = self.around(asked[counted], rows)
        return worth[counted] @ own, worth[counted] @ window, has

    def around(self, asked: Codes, rows: Sequence[int]) -> tuple[Floats, Floats, Bools]:
        """Give the best cosine of each piece in rows, in rows or beside (pieces x rows), and who has pieces at all."""
        facts = self.index.facts.trim()
        sides = [getattr(facts, side)[list(rows)] for side, _ in BESIDE]
        every = list(dict.fromkeys([*rows, *(int(row) for side in sides for row in side if row >= 0)]))
        found, has = self._similar(asked, every)
        place = {row: at for at, row in enumerate(every)}
        own = found[:, : len(rows)]
        window = own
        for side, (_, share) in zip(sides, BESIDE, strict=True):
            at = np.array([place.get(int(row), -1) for row in side])
            window = np.maximum(window, np.where(at >= 0, share * found[:, at], 0.0))
        return own, window, has[: len(rows)]

    def _similar(self, asked: Codes, rows: Sequence[int]) -> tuple[Floats, Bools]:
        """Give the best cosine of each piece with those of each row: pieces x rows.

        Products of bytes are whole numbers that float32 holds exactly, in whatever order they are summed.
        """
        pieces = self.pieces([self.index.ids[row] for row in rows])
        lengths: Longs = np.array([len(each) for each in pieces], dtype=np.int64)
        filled = np.flatnonzero(lengths)
        found = np.zeros((len(asked), len(rows)))
        if len(filled) and len(asked):
            starts = np.cumsum(lengths[filled]) - lengths[filled]
            said = np.concatenate([each for each in pieces if len(each)]).astype(np.float32)
            told = asked.astype(np.float32)
            cosines = (told @ said.T) / np.outer(_lengths(told), _lengths(said))
            found[:, filled] = np.maximum.reduceat(cosines, starts, axis=1)
        return found, lengths > 0


def _lengths(codes: Matrix) -> Matrix:
    """Give the length of each row, of zeros 1."""
    squares = np.einsum("ij,ij->i", codes, codes)
    lengths: Matrix = np.sqrt(np.where(squares > 0, squares, 1))
    return lengths


def standard(values: Floats, known: Bools) -> Floats:
    """Give standard scores over the known values; 0 for the others, and for all where they are alike.

    >>> standard(np.array([1.0, 3.0, 9.0]), np.array([True, True, False])).tolist()
    [-1.0, 1.0, 0.0]
    """
    held = np.sort(values[known])  # so that the sums below do not depend on who came first
    spread = float(held.std()) if len(held) else 0.0
    if spread < NO_SPREAD:
        return np.zeros_like(values)
    return np.where(known, (values - float(held.mean())) / spread, 0.0)

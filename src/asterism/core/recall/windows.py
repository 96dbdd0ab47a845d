"""Windows: an entry with its neighbours, and how long that is.

    length(e) = words(e) + .7 words(previous) + .5 words(following) + .3 words(two away)

The mean length is made of sums of whole numbers, so that it is the same to the bit however it was arrived at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Floats, Longs, Rows
from asterism.core.recall.index import SIDES, Index
from asterism.core.recall.parameters import RecallParameters

Sides = NDArray[np.int32]


def window_weights(p: RecallParameters) -> dict[str, float]:
    """Give the weight of each neighbour."""
    return {
        "previous": p.window_previous,
        "following": p.window_following,
        "second_previous": p.window_second,
        "second_following": p.window_second,
    }


class Lengths:
    """The lengths of all windows of an index, as it was when they were last brought up to date."""

    def __init__(self, index: Index, parameters: RecallParameters) -> None:
        self.index = index
        self.p = parameters
        self.sides: Sides = np.empty((4, 0), dtype=np.int32)  # by side: the neighbours of every row
        self._words: Longs = np.empty((5, 0), dtype=np.int64)  # of the row, and of each neighbour; none of dead rows
        self._total: Longs = np.zeros(5, dtype=np.int64)

    @property
    def grouped(self) -> bool:
        """Say whether any row has a neighbour."""
        return bool((self.sides[0] >= 0).any())

    def measure(self) -> None:
        """Measure every window."""
        size = self.index.facts.size
        self.sides = np.empty((4, size), dtype=np.int32)
        self._words, self._total = np.zeros((5, size), dtype=np.int64), np.zeros(5, dtype=np.int64)
        self.change(np.arange(size))

    def change(self, rows: Rows) -> None:
        """Measure the windows of some rows again; those that came since must be among them."""
        facts = self.index.facts.trim()
        missing = facts.size - self.sides.shape[1]
        if missing:
            self.sides = np.pad(self.sides, ((0, 0), (0, missing)), constant_values=-1)
            self._words = np.pad(self._words, ((0, 0), (0, missing)))
        sides = np.array([getattr(facts, side)[rows] for side, _ in SIDES], dtype=np.int32)
        alive = facts.alive[rows]
        words = np.where(sides >= 0, facts.length[sides], 0)
        words = np.vstack([facts.length[rows], words]).astype(np.int64) * alive
        self._total = self._total + words.sum(axis=1) - self._words[:, rows].sum(axis=1)
        self.sides[:, rows], self._words[:, rows] = sides, words

    def pull(self) -> Floats:
        """Give k1 (1 - b + b length / mean length) of every row."""
        weights = [1.0, *window_weights(self.p).values()]
        length, total = np.zeros(self._words.shape[1]), 0.0
        for weight, words, every in zip(weights, self._words, self._total.tolist(), strict=True):
            length += weight * words
            total += weight * every
        if total:
            length *= len(self.index) / total
        return self.p.k1 * (1.0 - self.p.b + self.p.b * length)

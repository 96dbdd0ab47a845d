"""Links that are given to recall, laid out at once; a memory looks them up instead (engine/recall/around.py)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from asterism.core.ledger.columns import Floats, Rows


class Ties:
    """Given links of one kind: pairs of rows with strengths, readable from both ends."""

    def __init__(self, first: Sequence[int], second: Sequence[int], strengths: Sequence[float], *, rows: int) -> None:
        ends: Rows = np.concatenate([np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)])
        others: Rows = np.concatenate([np.asarray(second, dtype=np.int64), np.asarray(first, dtype=np.int64)])
        order = np.lexsort((others, ends))
        self._others = others[order]
        self._strengths = np.tile(np.asarray(strengths, dtype=np.float64), 2)[order]
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=rows))])

    def of(self, row: int) -> tuple[Rows, Floats]:
        """Give the rows tied to one, and how strongly."""
        span = slice(self._starts[row], self._starts[row + 1])
        return self._others[span], self._strengths[span]

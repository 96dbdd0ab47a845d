"""The links that recall follows, looked up at the few nodes that it follows them from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from asterism.core.ledger.columns import Floats, Rows
from asterism.core.recall.index import Index
from asterism.core.recall.links import GIVEN_LINKS
from asterism.core.space.graph import SpaceGraph

EVIDENCE = "evidence"  # what recall calls a connection
Ends = tuple[Rows, Floats]
_NONE: Ends = np.empty(0, dtype=np.int64), np.empty(0)


class Around:
    """What is linked to an entry: structural links at this hour, connections as they stand; each looked up once."""

    def __init__(self, graph: SpaceGraph, index: Index) -> None:
        self._graph, self._index = graph, index
        self._known: dict[int, Mapping[str, Ends]] = {}

    def of(self, row: int) -> Mapping[str, Ends]:
        """Give the rows linked to one, by kind, and how strongly."""
        known = self._known.get(row)
        if known is None:
            known = self._known[row] = self._look(row)
        return known

    def _look(self, row: int) -> dict[str, Ends]:
        rows, found = self._index.rows, dict[str, list[Ends]]()
        for kind, others, strengths in self._graph.followed(self._index.ids[row], rows):
            ends = np.array([rows.get(other, -1) for other in others], dtype=np.int64)
            there = ends >= 0
            found.setdefault(kind or EVIDENCE, []).append((ends[there], np.asarray(strengths)[there]))
        return {
            kind: (np.concatenate([rows for rows, _ in ends]), np.concatenate([each for _, each in ends]))
            for kind, ends in found.items()
        }

    def given(self) -> dict[str, OfKind]:
        """Give it as the links that recall is given, by kind."""
        return {kind: OfKind(self, kind) for kind in GIVEN_LINKS}


class OfKind:
    """The links of one kind."""

    def __init__(self, around: Around, kind: str) -> None:
        self._around, self._kind = around, kind

    def of(self, row: int) -> Ends:
        """Give the rows linked to one, and how strongly."""
        return self._around.of(row).get(self._kind, _NONE)

"""The narrative nearest to a walker's vector, without a look at most of them.

A walker's vector v lies near the plane of query and intention. With n = n1 + n2, v = v1 + v2 (in the plane, and at
right angles to it), n.v <= n1.v1 + |n2| |v2|: the parts in the plane are found once for an exploration, and only
narratives whose bound reaches the likeness asked for are compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.columns import Ints
from asterism.core.walkers.places import Near, Nearest
from asterism.core.walkers.vectors import Matrix, Vector

MARGIN = 1e-4  # more than float32 products are off
PLANES_KEPT = 8
FEW = 256  # narratives that are compared at once


class Plane(NamedTuple):
    """A plane by two axes at right angles, and what the narratives are in it and beside it."""

    first: Vector
    second: Vector
    parts: Matrix  # of the narratives: along each axis, and beside the plane, a row for each


class Narratives:
    """The vectors of all narratives."""

    def __init__(self, ids: Sequence[str], rows: Ints, vectors: Matrix) -> None:
        self.ids = ids
        self.rows = rows
        self.vectors = vectors
        self._planes: dict[bytes, Plane] = {}

    def nearest(self, asked: Near) -> Nearest | None:
        """Give the nearest narrative that is near enough; of equally near ones that with the smaller id."""
        plane = self._plane(asked.query, asked.intention)
        x, y = float(plane.first @ asked.vector), float(plane.second @ asked.vector)
        rest = math.sqrt(max(0.0, 1.0 - x * x - y * y))
        bound = np.array([x, y, rest], dtype=np.float32) @ plane.parts
        near = np.flatnonzero(bound >= asked.least - MARGIN)
        if len(near) > FEW:
            about = self.vectors @ asked.vector.astype(np.float32)
            near = near[about[near] >= asked.least - MARGIN]
        if not len(near):
            return None
        likeness = np.round(self.vectors[near].astype(np.float64) @ asked.vector, 9)
        best = float(likeness.max())
        if best < asked.least:
            return None
        return Nearest(min(self.ids[row] for row in self.rows[near[likeness == best]].tolist()), min(best, 1.0))

    def _plane(self, query: Vector, intention: Vector) -> Plane:
        key = query.tobytes() + intention.tobytes()
        plane = self._planes.get(key)
        if plane is None:
            while len(self._planes) >= PLANES_KEPT:
                del self._planes[next(iter(self._planes))]
            plane = self._planes[key] = self._measured(query, intention)
        return plane

    def _measured(self, query: Vector, intention: Vector) -> Plane:
        across = intention - float(query @ intention) * query
        length = math.sqrt(float(across @ across))
        second = across / length if length > MARGIN else np.zeros_like(across)
        along = np.ascontiguousarray((self.vectors @ np.stack([query, second], axis=1).astype(np.float32)).T)
        beside = np.sqrt(np.clip(1.0 - (along * along).sum(axis=0), 0.0, 1.0))
        return Plane(query, second, np.concatenate([along, beside[None, :]]))

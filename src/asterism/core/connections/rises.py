"""What strengthens a link on days on which nobody tells anything: a prediction that came true, and detection.

Both are evidence the fold finds by itself in what was told before (D5, D10): a look ahead has to say so, because it
promises what happens if nothing does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from asterism.core.connections.day import Graph
from asterism.core.connections.model import Rise
from asterism.core.connections.words import EvidenceKind, word
from asterism.core.ledger.calendar import to_date
from asterism.core.ledger.columns import Floats, Ints

PREDICTED = "prediction_verified"
CORRELATED, CAUSED = word(EvidenceKind.CORRELATION_DETECTED), word(EvidenceKind.CAUSATION_DETECTED)
BEFORE = {"prediction": "star decay", "detected": "decay"}  # the stage that comes before each that can raise


class RiseWatch:
    """Notes for some links what raised each, day by day."""

    def __init__(self, rows: Sequence[int], *, causation_threshold: float) -> None:
        self.rises: list[list[Rise]] = [[] for _ in rows]
        self._rows = np.array(rows, dtype=np.intp)
        self._threshold = causation_threshold
        self._strength: Floats = np.zeros(0)
        self._raw: Ints = np.zeros(0, dtype=np.int32)

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Note what a stage added; keep what the next one starts from."""
        links = graph.links.trim()
        strength, raw = links.strength[self._rows], links.raw[self._rows]
        if stage in BEFORE:
            for place in np.flatnonzero(strength > self._strength).tolist():
                caused = bool(links.causation[self._rows[place]] > self._threshold)
                found = ((CORRELATED, raw[place] - self._raw[place] > caused), (CAUSED, caused))
                reasons = [PREDICTED] if stage == "prediction" else [name for name, there in found if there]
                gain = strength.item(place) - self._strength.item(place)
                self.rises[place].append(Rise(to_date(day), gain, tuple(reasons)))
        if stage in BEFORE.values():
            self._strength, self._raw = strength, raw

    def slept(self, day: int, until: int, graph: Graph) -> None:
        """Nothing rises while all sleeps."""

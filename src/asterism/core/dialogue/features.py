"""Pairs of lines as named numbers: for each response line, each candidate before it, and "none".

A sheet is rows x (window + 1) x features: place d - 1 is the line d before, the last place is "none". A feature is
named `family.what`; `x` is the candidate, `y` the line that responds. A weight table weighs them by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asterism.core.dialogue.features_lines import Singles, Talk
from asterism.core.ledger.columns import Bools, Floats, Longs

Grid = NDArray[np.generic]  # rows x window


@dataclass(frozen=True, slots=True)
class Window:
    """The candidates of some lines: y the lines, x the lines before them, nearest first."""

    y: Longs
    x: Longs  # rows x window; 0 where there is no such line
    real: Bools
    same: Bools  # x and y have one speaker
    d: Longs

    @property
    def other(self) -> Bools:
        """Say where the speakers differ."""
        return self.real & ~self.same


def window_of(talk: Talk, y: Longs, size: int) -> Window:
    """Lay out the `size` lines before each y."""
    d = np.arange(1, size + 1, dtype=np.int64)
    x = y[:, None] - d
    real = x >= 0
    x = np.where(real, x, 0)
    return Window(y, x, real, real & (talk.speaker[x] == talk.speaker[y][:, None]), d)


def nearest(flag: Bools) -> Bools:
    """Keep the first true of every row: the nearest candidate with a property."""
    first: Bools = flag & (np.cumsum(flag, axis=1) == 1)
    return first


def best(values: Floats | Singles, real: Bools) -> Bools:
    """Mark the candidate with the highest positive value of its row, the nearest of equals."""
    shown = np.where(real, values, -np.inf)
    top = shown.max(axis=1, keepdims=True)
    return nearest(np.asarray(real & (shown == top) & (shown > 0)))


class Sheet:
    """Columns of features by name, filled in by families; a name that is not asked for is passed over."""

    def __init__(self, names: Sequence[str], rows: int, size: int) -> None:
        self.names = tuple(names)
        self.places = {name: place for place, name in enumerate(self.names)}
        self.columns: Singles = np.zeros((len(self.names), rows, size + 1), dtype=np.float32)

    def put(self, name: str, grid: Grid) -> None:
        """Write what a feature says of the candidates."""
        place = self.places.get(name)
        if place is not None:
            self.columns[place, :, :-1] = grid

    def none(self, name: str, column: Grid | float) -> None:
        """Write what a feature says for "none"."""
        place = self.places.get(name)
        if place is not None:
            self.columns[place, :, -1] = column

    @property
    def values(self) -> Singles:
        """Give the same numbers as rows x (window + 1) x features."""
        return np.moveaxis(self.columns, 0, -1)

    def logits(self, weights: Singles) -> Singles:
        """Give each candidate's sum of weighted features."""
        flat = weights @ self.columns.reshape(len(self.names), -1)
        logits: Singles = flat.reshape(self.columns.shape[1:])
        return logits


class Listing(Sheet):
    """A sheet that only notes which features there are."""

    def __init__(self) -> None:
        super().__init__((), 0, 0)
        self.seen: dict[str, None] = {}

    def put(self, name: str, grid: Grid) -> None:  # noqa: ARG002 - as Sheet's
        """Note a name."""
        self.seen[name] = None

    def none(self, name: str, column: Grid | float) -> None:  # noqa: ARG002 - as Sheet's
        """Note a name."""
        self.seen[name] = None

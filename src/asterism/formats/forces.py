"""The forces of a drawing: links pull, nodes push one another away, a little gravity holds all together.

Near nodes push one by one, far ones by the cells they are in (`far.py`), so that thousands take a second.
"""

from __future__ import annotations

import math

import numpy as np

from asterism.core.ledger.columns import Floats, Rows
from asterism.formats.far import from_afar

EXACT = 300  # nodes up to which every pair is looked at
IN_CELL = 4.0  # nodes in a cell of the grid, on average
GRAVITY = (0.42, 0.6)  # a drawing lies rather than stands
HEAT = 0.12  # how far a node may go in the first step, in widths of the drawing
SOFT = 1e-3  # no push is endless


def relaxed(places: Floats, a: Rows, b: Rows, weight: Floats, *, steps: int) -> Floats:
    """Let the forces work for so many steps, each shorter than the one before."""
    count = len(places)
    places = places.copy()
    tied = np.bincount(a, weights=weight, minlength=count) + np.bincount(b, weights=weight, minlength=count)
    pull = weight / np.sqrt(np.maximum(np.minimum(tied[a], tied[b]), 1e-9))
    mean = float(np.sort(pull)[len(pull) // 2]) if len(pull) else 1.0
    pull = pull / max(mean, 1e-9)
    width = math.sqrt(count)
    for step in range(steps):
        force = _pushes(places) - places * GRAVITY
        for axis in (0, 1):
            gone = (places[b, axis] - places[a, axis]) * pull
            force[:, axis] += np.bincount(a, weights=gone, minlength=count)
            force[:, axis] -= np.bincount(b, weights=gone, minlength=count)
        length = np.sqrt(force[:, 0] * force[:, 0] + force[:, 1] * force[:, 1]) + 1e-12
        most = HEAT * width * (1.0 - step / steps) ** 2 + 0.01
        places += force * (np.minimum(length * 0.15, most) / length)[:, None]
    return places


def _pushes(places: Floats) -> Floats:
    """Give what every node is pushed by all others: one over the distance, by each."""
    if len(places) <= EXACT:
        return _by_all(places)
    low, side, wide = _square(places)
    force = from_afar(places, np.ones(len(places)), low, side, wide)
    a, b, _ = near_pairs(places, grid=(low - side, side, wide + 2))
    x, y = places[a, 0] - places[b, 0], places[a, 1] - places[b, 1]
    over = 1.0 / (x * x + y * y + SOFT)
    for axis, gone in enumerate((x * over, y * over)):
        force[:, axis] += np.bincount(a, weights=gone, minlength=len(places))
        force[:, axis] -= np.bincount(b, weights=gone, minlength=len(places))
    return force


def _by_all(places: Floats) -> Floats:
    x = places[:, 0] - places[:, 0, None]
    y = places[:, 1] - places[:, 1, None]
    over = 1.0 / (x * x + y * y + SOFT)
    return np.stack([(x * over).sum(axis=0), (y * over).sum(axis=0)], axis=1)


def _square(places: Floats) -> tuple[Floats, float, int]:
    """Give the corner of a square around all, the side of its cells, and how many a row has: a power of two."""
    low, high = places.min(axis=0), places.max(axis=0)
    wide = 1 << max(2, math.ceil(math.log2(math.sqrt(len(places) / IN_CELL))))
    side = max(float((high - low).max()) * 1.0001 / wide, 1e-9)
    return low, side, wide


def _grid(places: Floats, cells: float) -> tuple[Floats, float, int]:
    """Give a grid's corner, its cell's side, and the cells of a row (with one to spare at either end)."""
    low, high = places.min(axis=0), places.max(axis=0)
    side = max(float((high - low).max()) / max(cells, 1.0), 1e-9)
    return low - side, side, int((high[0] - low[0]) // side) + 3


def near_pairs(
    places: Floats, *, within: float | None = None, grid: tuple[Floats, float, int] | None = None
) -> tuple[Rows, Rows, Floats]:
    """Give the pairs in the same or in touching cells of a grid, each once, and how far apart they are."""
    if within is not None:
        low = places.min(axis=0)
        grid = (low - within, within, int((places[:, 0].max() - low[0]) // within) + 3)
    low, side, wide = grid or _grid(places, math.sqrt(len(places) / IN_CELL))
    cell = ((places - low) // side).astype(np.intp)
    key = cell[:, 1] * wide + cell[:, 0]
    order = np.argsort(key, kind="stable")
    held = key[order]
    firsts, seconds = [], []
    for below, left, right in ((0, 0, 1), (1, -1, 1)):  # the rest of the own row, then the row below
        begin = np.arange(len(order)) + 1 if not below else np.searchsorted(held, held + wide + left, "left")
        end = np.searchsorted(held, held + below * wide + right, "right")
        many = np.maximum(end - begin, 0)
        one = np.repeat(np.arange(len(order)), many)
        other = np.arange(len(one)) - np.repeat(np.cumsum(many) - many, many) + np.repeat(begin, many)
        firsts.append(order[one])
        seconds.append(order[other])
    a, b = np.concatenate(firsts), np.concatenate(seconds)
    x, y = places[a, 0] - places[b, 0], places[a, 1] - places[b, 1]
    gone = np.sqrt(x * x + y * y)
    if within is not None:
        kept = gone < within
        return a[kept], b[kept], gone[kept]
    return a, b, gone

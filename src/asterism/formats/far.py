"""What far nodes push: cells of a grid push cells, coarser the farther they are (a fast multipole method).

A push of mass m over the distance is m / (z - z0) as complex numbers, but for the sign of its second part. Around the
middle c of a cell, the pushes of everything far away add up to a polynomial of three terms,

    sum m / (z - z0)  =  sum m/(c - z0)  -  (z - c) sum m/(c - z0)^2  +  (z - c)^2 sum m/(c - z0)^3  -  ...

Far from a cell, and dealt with at its level, are the cells that do not touch it but whose parents touch its parent. The
numbers are kept as pairs of reals: products and sums of those are the same on any machine.
"""

from __future__ import annotations

import numpy as np

from asterism.core.ledger.columns import Floats

REACH = 3  # cells beyond this many belong to the level above


def from_afar(places: Floats, mass: Floats, low: Floats, side: float, wide: int) -> Floats:
    """Give what every node is pushed by the nodes in cells that touch its own neither by a side nor by a corner.

    The grid has `wide` cells in a row, a power of two and at least 4.
    """
    cell = np.minimum(((places - low) / side).astype(np.intp), wide - 1)
    key = cell[:, 1] * wide + cell[:, 0]
    total, x, y = (
        np.bincount(key, weights=weights, minlength=wide * wide).reshape(wide, wide).astype(np.float64)
        for weights in (mass, mass * places[:, 0], mass * places[:, 1])
    )
    force = np.zeros_like(places)
    while wide >= 4:
        middles = (np.arange(wide) + 0.5) * side
        terms = _terms(total, x, y, low[0] + middles, low[1] + middles)
        row, column = cell[:, 1], cell[:, 0]
        dx, dy = places[:, 0] - low[0] - middles[column], places[:, 1] - low[1] - middles[row]
        (ax, ay), (bx, by), (cx, cy) = ((real[row, column], imaginary[row, column]) for real, imaginary in terms)
        sx, sy = dx * dx - dy * dy, 2.0 * dx * dy
        force[:, 0] += ax - (bx * dx - by * dy) + (cx * sx - cy * sy)
        force[:, 1] -= ay - (bx * dy + by * dx) + (cx * sy + cy * sx)
        total, x, y = (_coarser(each) for each in (total, x, y))
        cell, side, wide = cell // 2, side * 2.0, wide // 2
    return force


def _terms(total: Floats, x: Floats, y: Floats, columns: Floats, rows: Floats) -> list[tuple[Floats, Floats]]:
    """Give the three sums at the middle of every cell, over the cells that are far from it at this level."""
    held = np.maximum(total, 1e-300)
    at_x, at_y = x / held, y / held  # where the mass of a cell is, on average; an empty one weighs nothing
    sums = [(np.zeros_like(total), np.zeros_like(total)) for _ in range(3)]
    for down in range(-REACH, REACH + 1):
        for right in range(-REACH, REACH + 1):
            if max(abs(down), abs(right)) <= 1:
                continue
            for odd_row in (0, 1):
                for odd_column in (0, 1):
                    if abs((odd_row + down) // 2) <= 1 and abs((odd_column + right) // 2) <= 1:
                        to_row, from_row = _every_other(len(total), odd_row, down)
                        to_column, from_column = _every_other(len(total), odd_column, right)
                        source = (from_row, from_column)
                        dx = columns[to_column] - at_x[source]
                        dy = rows[to_row][:, None] - at_y[source]
                        _add(sums, (to_row, to_column), total[source], dx, dy)
    return sums


def _every_other(wide: int, odd: int, far: int) -> tuple[slice, slice]:
    """Give the even or odd rows for which there is a row so far from them, and those rows."""
    begin = odd if odd + far >= 0 else odd + (1 - odd - far) // 2 * 2
    end = min(wide, wide - far)
    return slice(begin, end, 2), slice(begin + far, end + far, 2)


def _add(sums: list[tuple[Floats, Floats]], target: tuple[slice, slice], mass: Floats, dx: Floats, dy: Floats) -> None:
    over = 1.0 / (dx * dx + dy * dy)
    one_x, one_y = dx * over, -dy * over
    real, imaginary = mass * one_x, mass * one_y
    for at, (to_x, to_y) in enumerate(sums):
        if at:
            real, imaginary = real * one_x - imaginary * one_y, real * one_y + imaginary * one_x
        to_x[target] += real
        to_y[target] += imaginary


def _coarser(cells: Floats) -> Floats:
    return np.asarray((cells[0::2, 0::2] + cells[0::2, 1::2]) + (cells[1::2, 0::2] + cells[1::2, 1::2]))

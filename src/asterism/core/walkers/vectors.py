"""Vectors on a grid: every product of two is exact, so that its sum is the same in any order.

All components are whole multiples of 2^-24, which float32 holds exactly up to 1. A product of two is a multiple of
2^-48, and the sums of products of unit vectors stay below 2: float64 adds them without rounding, however BLAS orders
them and with whatever instructions. So numbers out of a matrix product can be kept: every machine has the same.
"""

from __future__ import annotations

import base64

import numpy as np
from numpy.typing import ArrayLike, NDArray

from asterism.core.ledger.columns import Floats
from asterism.errors import InputError

Vector = NDArray[np.float64]  # on the grid
Matrix = NDArray[np.float32]  # rows on the grid
GRID = 2.0**24


def on_grid(values: Floats) -> Floats:
    """Move components to the nearest multiples of 2^-24."""
    return np.rint(values * GRID) / GRID


def unit(vector: ArrayLike) -> Vector:
    """Bring a vector to length 1, on the grid; a zero vector stays zero.

    >>> unit([3.0, 4.0]).round(6).tolist()
    [0.6, 0.8]
    """
    given: Vector = np.asarray(vector, dtype=np.float64)
    largest = float(np.abs(given).max(initial=0.0))
    if not largest:
        return given
    scaled = given / largest  # squares neither vanish nor overflow
    return on_grid(scaled / np.sqrt(np.cumsum(scaled * scaled)[-1]))  # a running sum has only one order


def unit_rows(vectors: ArrayLike, *, out: Matrix | None = None) -> Matrix:
    """Bring the rows of a matrix to length 1, on the grid; rows of zeros stay. They can be put somewhere.

    >>> unit_rows([[3.0, 4.0], [0.0, 0.0]]).round(6).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    whole = np.asarray(vectors)
    made = np.zeros((len(whole), whole.shape[1] if whole.ndim == 2 else 0), dtype=np.float32) if out is None else out
    for start in range(0, len(made) if made.shape[1] else 0, 4096):
        rows = np.asarray(whole[start : start + 4096], dtype=np.float64)
        largest = np.abs(rows).max(axis=1, keepdims=True)
        rows = rows / np.where(largest > 0, largest, 1.0)
        lengths = np.sqrt(np.cumsum(rows * rows, axis=1)[:, -1:])
        made[start : start + 4096] = on_grid(rows / np.where(lengths > 0, lengths, 1.0))
    return made


def checked(vector: ArrayLike, *, dimension: int, field: str) -> Vector:
    """Let through a vector of finite numbers with the graph's dimension, as a unit vector."""
    given = np.asarray(vector, dtype=np.float64)
    if given.shape != (dimension,) or not np.isfinite(given).all():
        raise InputError(
            f"the vector of the {field} is not {dimension} finite numbers",
            code="bad_vector",
            item=field,
            hint="embed it with the embedder of this memory",
        )
    return unit(given)


def cosine(a: Vector, b: Vector) -> float:
    """Give the cosine of two unit vectors on the grid, rounded to 1e-9 and clamped to [-1, 1].

    >>> cosine(unit([3.0, 4.0]), unit([4.0, 3.0]))
    0.96
    """
    return round(min(max(float(a @ b), -1.0), 1.0), 9)


def written(vector: Vector) -> str:
    """Write a vector as text.

    >>> read(written(unit([3.0, 4.0]))).round(6).tolist(), written(unit([1.0]))
    ([0.6, 0.8], 'AACAPw==')
    """
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def read(text: str) -> Vector:
    """Read what `written` wrote."""
    return np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4").astype(np.float64)

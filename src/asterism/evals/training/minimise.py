"""A smooth convex function and its lowest point: L-BFGS in a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asterism.core.ledger.columns import Floats

REMEMBERED = 10  # moves from which the curvature is guessed
STEPS = 150
ENOUGH = 1e-5  # relative gain below which another step is not worth it

Loss = Callable[[Floats], tuple[float, Floats]]  # weights -> value, slope


def minimise(loss: Loss, start: Floats, *, steps: int = STEPS) -> Floats:
    """Minimise a smooth function by L-BFGS with halved steps.

    >>> import numpy as np
    >>> place = minimise(lambda w: (float(((w - 3.0) ** 2).sum()), 2.0 * (w - 3.0)), np.zeros(2))
    >>> np.round(place, 4).tolist()
    [3.0, 3.0]
    """
    weights = start.astype("float64")
    value, slope = loss(weights)
    moves: list[tuple[Floats, Floats, float]] = []
    for _ in range(steps):
        direction = -_scaled(slope, moves)
        downhill = float(direction @ slope)
        length = 1.0 if moves else min(1.0, 1.0 / max(float(abs(slope).sum()), 1e-12))
        after, after_slope = loss(weights + length * direction)
        while after > value + 1e-4 * length * downhill and length > 1e-10:
            length /= 2
            after, after_slope = loss(weights + length * direction)
        move, turn = length * direction, after_slope - slope
        gained = value - after
        if gained > 0:
            weights, value, slope = weights + move, after, after_slope
        curve = float(move @ turn)
        if curve > 1e-12:
            moves = [*moves[1 - REMEMBERED :], (move, turn, curve)]
        if gained < ENOUGH * max(abs(value), 1e-12):
            break
    return weights


def _scaled(slope: Floats, moves: Sequence[tuple[Floats, Floats, float]]) -> Floats:
    """Multiply the slope by the inverse curvature that the last moves tell."""
    result = slope.copy()
    pulls = []
    for move, turn, curve in reversed(moves):
        pull = float(move @ result) / curve
        pulls.append(pull)
        result -= pull * turn
    if moves:
        _, turn, curve = moves[-1]
        result *= curve / float(turn @ turn)
    for (move, turn, curve), pull in zip(moves, reversed(pulls), strict=True):
        result += (pull - float(turn @ result) / curve) * move
    return result

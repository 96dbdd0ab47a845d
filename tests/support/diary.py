"""A diary with what is planted in it: mood goes with sleep, focus follows sleep by a day, noise is noise."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np

from asterism.core.ledger.columns import Floats
from asterism.engine.memory import Memory
from tests.support.memories import DAY, NOON

STARS = ("Sleep", "Mood", "Focus", "Noise")


def planted(days: int, *, chance: int = 3, broken_from: int | None = None) -> dict[str, Floats]:
    """Draw the values of each star; from a day on nothing may go with anything."""
    draw = np.random.default_rng(chance)
    sleep, other, third, noise = (draw.normal(size=days) for _ in range(4))
    mood = 0.9 * sleep + 0.4 * other
    focus = 0.9 * np.concatenate([[0.0], sleep[:-1]]) + 0.4 * third
    if broken_from is not None:
        mood[broken_from:], focus[broken_from:] = other[broken_from:], third[broken_from:]
    values = zip(STARS, (sleep, mood, focus, noise), strict=True)
    return {name: np.clip(0.5 + 0.15 * series, 0.05, 1.0) for name, series in values}


async def keep_diary(
    memory: Memory, *, days: int = 60, until: datetime = NOON, source: str | None = None, **how: int | None
) -> None:
    """Tell a diary whose last day is that of a time, each value at its hour."""
    told = planted(days, **how)  # type: ignore[arg-type]  # by name
    first = until - (days - 1) * DAY
    for name in STARS:
        await memory.add_star(name, at=first - timedelta(hours=2))
    for day in range(days):
        for name in STARS:
            await memory.set_brightness(
                name, float(told[name][day]), at=first + day * DAY - timedelta(hours=1), source=source
            )

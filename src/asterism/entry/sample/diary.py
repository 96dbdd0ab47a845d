"""Ninety days of somebody who does not exist, as a CSV: what `asterism diary sample` writes.

Mood follows sleep on the same day, focus follows sleep a day later, coffee and steps go their own ways; weekends are
different, some days are missing. The numbers come from a generator with a fixed start, so the file is always the same.
"""

from __future__ import annotations

import random
from datetime import date, timedelta

DAYS = 90
START = 11
COLUMNS = ("date", "sleep", "mood", "focus", "coffee", "steps")


def diary_csv(last: date) -> str:
    """Write the days up to one, as a spreadsheet would."""
    chance = random.Random(START)  # noqa: S311  # a sample, no secret
    rows, slept = [",".join(COLUMNS)], 7.0
    for place in range(DAYS):
        day = last - timedelta(days=DAYS - 1 - place)
        before = slept
        slept = min(10.0, max(4.0, 7.0 + (0.5 if day.weekday() >= 5 else 0.0) + chance.gauss(0, 1.1)))
        values = {
            "sleep": f"{slept:.1f}",
            "mood": f"{_rated(4 + 1.1 * (slept - 7.1) + chance.gauss(0, 0.6))}",
            "focus": f"{_rated(4 + 1.1 * (before - 7.1) + chance.gauss(0, 0.7))}",
            "coffee": f"{max(0, round(2 + chance.gauss(0, 1)))}",
            "steps": f"{max(900, round(8000 + chance.gauss(0, 2500)))}",
        }
        if chance.random() < 0.08:
            values[chance.choice(COLUMNS[1:])] = ""
        rows.append(",".join([day.isoformat(), *values.values()]))
    return "\n".join(rows) + "\n"


def _rated(value: float) -> int:
    return min(7, max(1, round(value)))

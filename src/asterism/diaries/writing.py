"""A diary as a wide CSV: a row a day, a column a star, an empty cell where nothing was told."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from datetime import date


def wide_csv(stars: Mapping[str, Mapping[date, float]]) -> str:
    """Write values by star and day, as a reader takes them.

    >>> print(wide_csv({"sleep": {date(2026, 11, 3): 6.5}, "mood": {date(2026, 11, 4): 4.0}}), end="")
    date,sleep,mood
    2026-11-03,6.5,
    2026-11-04,,4
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["date", *stars])
    for day in sorted({day for values in stars.values() for day in values}):
        cells = (values.get(day) for values in stars.values())
        writer.writerow([day.isoformat(), *("" if cell is None else f"{cell:.12g}" for cell in cells)])
    return text.getvalue()

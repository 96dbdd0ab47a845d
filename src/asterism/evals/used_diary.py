"""A diary as a user has it: a CSV file, `read_diary`, `dream`, and the links that are there then."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from asterism import Memory
from asterism.core.ledger.columns import Floats
from asterism.evals.diary_systems import Told

CALLS = "as used: read_diary(FILE.csv), dream(), links()"
FIRST_DAY = datetime(2026, 1, 5, tzinfo=UTC)
CAUSE = "causation"


def write_csv(path: Path, values: Floats) -> None:
    """Write a diary (stars x days) as a wide CSV: a line a day, a column a star, nothing where nothing was told."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["date", *(f"star{star}" for star in range(len(values)))])
        for day, told in enumerate(values.T):
            cells = ["" if np.isnan(value) else f"{value:.6g}" for value in told]
            writer.writerow([(FIRST_DAY + timedelta(days=day)).date().isoformat(), *cells])


def as_used(values: Floats) -> list[Told]:
    """Tell a new memory the diary from a file, let it dream once on the last evening, and read its links.

    A link of the kind `causation` with a direction is told as a cause, every other one as going together.
    """
    evening = FIRST_DAY + timedelta(days=values.shape[1] - 1, hours=23)
    with TemporaryDirectory() as folder, Memory.open_sync(":memory:", space="eval", clock=evening) as memory:
        path = Path(folder) / "diary.csv"
        write_csv(path, values)
        memory.read_diary(path)
        memory.dream()
        places = {star.id: int(star.name.removeprefix("star")) for star in memory.stars()}
        found = memory.links()
    told = []
    for link in found:
        ends = (link.b, link.a) if link.direction == "b_to_a" else (link.a, link.b)
        directed = link.kind == CAUSE and link.direction in ("a_to_b", "b_to_a")
        told.append(Told(places[ends[0]], places[ends[1]], directed=directed))
    return told

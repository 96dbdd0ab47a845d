"""What a memory expects of a diary as people use it: values are told, a week's end discovers, predictions are read.

Nothing is told of links. What the memory finds by itself predicts, is settled, and is told as an expectation once its
record beats the base rate; both kinds are scored, by the probability of each against its base rate, which knows no
more than the memory knew that morning.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from asterism.core.connections.model import Prediction
from asterism.core.connections.read_predictions import bins
from asterism.core.ledger.parameters import Setting
from asterism.engine.memory import Memory
from asterism.evals.diaries import SLOTS, STEP_HOURS, Diary
from asterism.evals.report import Row

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)  # any date will do
WEEK = 7
SETTLES_DAYS = 5  # after which no prediction is open
KEPT: dict[str, Setting] = {"predictions_kept": 1_000_000}


def predicted(diary: Diary) -> tuple[int, list[Prediction]]:
    """Tell a diary to a memory prompt by prompt, and give how many links it found, and what it predicted."""
    low, high = np.nanmin(diary.series, axis=1), np.nanmax(diary.series, axis=1)
    shares = (diary.series - low[:, None]) / np.where(high > low, high - low, 1.0)[:, None]
    days = diary.series.shape[1] // SLOTS
    now = BEGIN
    found: set[str] = set()
    with Memory.open_sync(":memory:", space="diary", clock=lambda: now, embedder="hashed", parameters=KEPT) as memory:
        for day in range(days):
            for slot in range(day * SLOTS, (day + 1) * SLOTS):
                now = BEGIN + timedelta(hours=slot * STEP_HOURS)
                told = {
                    name: round(float(value), 6)
                    for name, value in zip(diary.items, shares[:, slot], strict=True)
                    if np.isfinite(value)
                }
                if told:
                    memory.tell_values(told, at=now, scales=dict.fromkeys(told, "0..1"))
            now = BEGIN + timedelta(days=day + 1)
            if day % WEEK == WEEK - 1 or day == days - 1:
                found |= {each.link for each in memory.discover().told()}
        memory.advance(days=SETTLES_DAYS)
        return len(found), [each for each in memory.predictions().items if each.resolved_at is not None]


def used_rows(group: str, people: Sequence[Diary]) -> list[Row]:
    """Give the rows of one group: what was found and settled, and how good what was told and what was silent is."""
    found, settled = 0, list[Prediction]()
    for diary in people:
        links, predictions = predicted(diary)
        found += links
        settled += predictions
    rows = [Row(group, "people", len(people), len(people)), Row(group, "links found", found, len(people))]
    rows.append(Row(group, "predictions settled", len(settled), len(people)))
    rows += scored(group, "told", [each for each in settled if each.told])
    return rows + scored(group, "silent", [each for each in settled if not each.told])


def scored(group: str, name: str, settled: Sequence[Prediction]) -> list[Row]:
    """Give the rows of some settled predictions: how many, how often true, skill over the base rate, reliability."""
    n = len(settled)
    rows = [Row(group, f"{name}: settled", n, n)]
    if not n:
        return rows
    hit = np.array([each.outcome == "verified" for each in settled], dtype=np.float64)
    said, base = (np.array([getattr(each, of) for each in settled]) for of in ("probability", "base_rate"))
    brier, brier_base = float(((said - hit) ** 2).mean()), float(((base - hit) ** 2).mean())
    rows += [
        Row(group, f"{name}: hit rate", float(hit.mean()), n),
        Row(group, f"{name}: base rate", float(base.mean()), n),
        Row(group, f"{name}: probability", float(said.mean()), n),
        Row(group, f"{name}: Brier skill over the base rate", 1.0 - brier / brier_base, n),
    ]
    for low, high, size, mean, came in bins(list(zip(said.tolist(), hit.astype(bool).tolist(), strict=True))):
        rows.append(Row(group, f"{name} {low:.1f}-{high:.1f}: said", mean, size))
        rows.append(Row(group, f"{name} {low:.1f}-{high:.1f}: came true", came, size))
    return rows

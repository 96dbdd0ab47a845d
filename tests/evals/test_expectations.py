"""Predictions scored on diaries: a steady cause is expected and comes true more often than by chance."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from asterism.core.connections.model import Prediction
from asterism.core.discovery.detectors import Link
from asterism.evals import expectations
from asterism.evals.diaries import SLOTS, Diary
from asterism.evals.expectations import expected, items_of, prediction_reports, prediction_rows
from asterism.evals.expectations_used import scored

DAYS = 40


def diary(*, follows: bool) -> Diary:
    """Every third day `a` rises at one of six prompts, or falls; `b` does the opposite a prompt later, or anything."""
    rng = np.random.default_rng(5)
    series = np.full((2, DAYS * SLOTS), np.nan)
    high = False
    for day in range(DAYS):
        first = day * SLOTS + 1
        series[0, first : first + 8] = series[0, first - SLOTS + 7] if day else 2.0
        series[1, first : first + 8] = series[1, first - SLOTS + 7] if day else 5.0
        if day % 4 == 1:
            high = not high
            prompt = first + int(rng.integers(0, 6))
            series[0, prompt : first + 8] = 6.0 if high else 2.0
            other = prompt + 1 if follows else first + int(rng.integers(0, 6))
            series[1, other : first + 8] = (2.0 if high else 6.0) if follows else float(rng.integers(1, 7))
    return Diary("single_case", "1", ("a", "b"), series, 1)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    class Found:
        links = (Link(0, 1, 1, 0.9, False),)

    monkeypatch.setattr(expectations, "DETECTORS", {"best": lambda *_, **__: Found})


def test_a_diary_is_told_as_a_ledger() -> None:
    items = list(items_of(diary(follows=True), (Link(0, 1, 1, 0.9, False),), 20))
    kinds = [item.what for item in items]
    assert kinds.count("star_added") == 2
    assert kinds.count("brightness_observed") == 2 * 8 * DAYS
    assert kinds.count("type_assigned") == 1
    assert kinds.count("evidence") == 6 + 2
    values = [float(str(item.payload["value"])) for item in items if item.what == "brightness_observed"]
    assert (min(values), max(values)) == (0.1, 1.0)


def test_what_follows_is_expected_and_comes_true() -> None:
    settled, chance, events = expected(diary(follows=True), "tuned")
    assert events >= 10
    assert settled
    assert {each.star for each in settled} == {"b"}
    assert all(each.outcome == "verified" for each in settled)
    assert chance.max() < 0.2
    rows = {row.metric: row.value for row in prediction_rows("single_case", [diary(follows=True)], "tuned")}
    assert rows["hit rate"] == 1.0
    assert rows["hit rate by chance"] < 0.2
    assert rows["Brier score"] < rows["Brier score of the base rate"]
    assert rows["Brier skill over the base rate"] > 0
    bins = [name for name in rows if name.endswith(": n")]
    assert sum(rows[name] for name in bins) == len(settled)


def test_what_does_not_follow_is_no_better_than_chance() -> None:
    rows = {row.metric: row.value for row in prediction_rows("single_case", [diary(follows=False)], "tuned")}
    assert rows.get("hit rate", 0.0) < 0.7


def test_there_is_a_report_for_each_preset() -> None:
    said: list[str] = []
    reports = prediction_reports([diary(follows=True)], progress=said.append)
    assert [report.system for report in reports] == ["expects seed", "expects tuned", "expects found"]
    assert len(said) == 3
    used = {row.metric: row.value for row in reports[-1].rows}
    assert used["people"] == 1
    assert used["told: settled"] + used["silent: settled"] == used["predictions settled"]


def test_told_and_silent_ones_are_scored_against_the_base_rate_of_their_day() -> None:
    at = datetime(2024, 1, 1, tzinfo=UTC)
    made = [
        Prediction("a~b", "b", at, at, 1, 1.0, 0.75, 0.5, True, outcome, at) for outcome in ("verified", "missed") * 2
    ]
    rows = {row.metric: row.value for row in scored("single_case", "told", made)}
    assert (rows["told: settled"], rows["told: hit rate"], rows["told: base rate"]) == (4, 0.5, 0.5)
    assert rows["told: Brier skill over the base rate"] == pytest.approx(1 - 0.3125 / 0.25)
    assert (rows["told 0.6-0.8: said"], rows["told 0.6-0.8: came true"]) == (0.75, 0.5)
    assert [row.value for row in scored("single_case", "silent", [])] == [0]

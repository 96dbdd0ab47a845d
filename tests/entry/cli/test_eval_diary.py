"""`asterism eval diary`: the evaluation that makes its own data."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import Line


def test_an_evaluation_of_diaries_needs_no_data(line: Line) -> None:
    reports = line.json("eval", "diary", "--diaries", "1")
    systems = ["as used", "inside", "pairwise", "clean pairwise", "best", "seed"]
    assert [report["system"] for report in reports] == systems
    assert "read_diary" in line.run("eval", "diary", "--diaries", "1").stdout


def test_a_number_of_diaries_is_for_diaries(line: Line, tmp_path: Path) -> None:
    told = line.run("eval", "causal", "--data", str(tmp_path), "--diaries", "3", code=2)
    assert "--diaries is for diary" in told.stderr

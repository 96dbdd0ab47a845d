"""The lines of a session that a summary tells of, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from asterism.entry.cli.app import app


def test_a_summary_is_placed_part_by_part(tmp_path: Path) -> None:
    where = ["--db", str(tmp_path / "memory.db")]
    told, summary = tmp_path / "ferry.txt", tmp_path / "summary.txt"
    told.write_text("Ann: I pay the ferryman with a coin.\nDM: He nods.\nAnn: I ring the bell of the tower.\n")
    summary.write_text("The ferryman is paid.\n\nThe bell of the tower rings.\n")
    read = ["transcript", "read", str(told), "--started", "2026-01-05T18:00Z", *where]
    assert CliRunner().invoke(app, read).exit_code == 0
    asks = ["transcript", "story", str(summary), "--session", "ferry", "-k", "1", *where]
    shown = CliRunner().invoke(app, asks)
    assert shown.exit_code == 0, shown.output
    assert "The ferryman is paid." in shown.stdout
    assert "Ann: I pay the ferryman with a coin." in shown.stdout
    answers = json.loads(CliRunner().invoke(app, [*asks, "--json"]).stdout)
    assert [answer["hits"][0]["text"] for answer in answers] == [
        "I pay the ferryman with a coin.",
        "I ring the bell of the tower.",
    ]

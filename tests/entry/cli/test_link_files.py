"""`asterism transcript links --out`: links go into files, and what cannot be written says what to type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Line

SAID = "Ann: I open the vault.\nDM: It opens.\nBo: Is it dark?\nDM: No, bright.\nAnn: I go in.\n"


@pytest.fixture
def read(line: Line, tmp_path: Path) -> Line:
    file = tmp_path / "Night 1.txt"
    file.write_text(SAID, encoding="utf-8")
    line.run("transcript", "read", str(file), "--started", "2026-09-05T18:00Z")
    return line


def test_links_are_written_to_one_file_or_several(read: Line, tmp_path: Path) -> None:
    out = tmp_path / "links.jsonl"
    assert "".join(read.run("transcript", "links", "--out", str(out)).output.split()) == f"3linksin{out}."
    rows = [json.loads(row) for row in out.read_text(encoding="utf-8").splitlines()]
    assert [{name: row[name] for name in row if name != "event"} for row in rows] == read.json("transcript", "links")
    told = read.json("transcript", "links", "--session", "Night 1", "--out", str(tmp_path / "l.txt"), "--format", "csv",
                     "--per-file", "2")  # fmt: skip
    assert told == {"files": [str(tmp_path / f"l-000{n}.txt") for n in (1, 2)], "links": 3}
    assert (tmp_path / "l-0002.txt").read_text(encoding="utf-8").startswith("id,session_id,actor,")


def test_what_cannot_be_written_says_what_to_type(read: Line, tmp_path: Path) -> None:
    out = tmp_path / "links.csv"
    out.write_text("mine")
    assert "replace it with --force" in read.run("transcript", "links", "--out", str(out), code=2).output
    assert out.read_text() == "mine"
    read.run("transcript", "links", "--out", str(out), "--force")
    assert out.read_text().startswith("id,")
    both = ("--out", "x.csv", "--limit", "2")
    assert "--limit is for the screen" in read.run("transcript", "links", *both, code=2).output
    assert "are for a file" in read.run("transcript", "links", "--per-file", "2", code=2).output

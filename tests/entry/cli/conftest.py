"""A command line in a folder of its own: no memory of the user is ever touched."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.command_line import FACTS, Line


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Line:
    for name in ("ASTERISM_DB", "ASTERISM_SPACE", "ASTERISM_EMBEDDER", "ASTERISM_EMBEDDER_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return Line(tmp_path / "memory.db")


@pytest.fixture(scope="session")
def told_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    line = Line(tmp_path_factory.mktemp("told") / "memory.db")
    line.run("star", "add", "Sleep", "--domain", "health", "--at", "2026-09-01T08:00Z")
    line.run("star", "add", "Mood", "--domain", "soul", "--at", "2026-09-01T08:00Z")
    line.run("observe", "sleep", "mood", "user_creates", "--at", "2026-09-02", "--source", "user")
    line.run("observe", "sleep", "mood", "user_confirms", "--at", "2026-09-03", "--note", "again")
    return line.db


@pytest.fixture
def told(line: Line, told_file: Path) -> Line:
    """A memory with two stars and a link of two items."""
    shutil.copy(told_file, line.db)
    return line


@pytest.fixture(scope="session")
def dreamt_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dreamt")
    rows = folder / "facts.jsonl"
    rows.write_text("".join(json.dumps(fact) + "\n" for fact in FACTS), encoding="utf-8")
    line = Line(folder / "memory.db")
    line.run("learn", "--file", str(rows))
    line.run("dream", "--embedder", "hashed")
    return line.db


@pytest.fixture
def dreamt(line: Line, dreamt_file: Path) -> Line:
    """A memory with three blocks, two of them linked by a dream."""
    shutil.copy(dreamt_file, line.db)
    return line

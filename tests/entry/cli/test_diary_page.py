"""docs/diary.md is lived through: every command of the page, in its order, prints what stands under it."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism.entry.cli.app import app
from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "diary.md").read_text(encoding="utf-8")
FILES = {
    "us.csv": "date,sleep\n11/03/2026,7\n11/04/2026,6\n",
    "typo.csv": "date,sleep\n2026-11-03,7\n2026-11-04,six\n",
}


def steps() -> list[tuple[str, str]]:
    """Give the commands of the page, each with what it prints."""
    blocks = re.findall(r"(?m)^    \$ (asterism .*)\n((?:    .*\n)*)", PAGE)
    return [(command, re.sub(r"(?m)^    ", "", printed)) for command, printed in blocks]


def test_every_command_of_the_page_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASTERISM_DB", str(tmp_path / "mine.db"))
    for name, text in FILES.items():
        Path(name).write_text(text)
    assert len(steps()) > 6
    for command, printed in steps():
        result = CliRunner().invoke(app, shlex.split(command)[1:])
        told = result.stdout + result.stderr
        assert doctest.OutputChecker().check_output(printed, told, doctest.ELLIPSIS), (command, told)

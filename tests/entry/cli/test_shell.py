"""Completion in the three shells, and benchmarks where there are none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism.entry.cli.app import app


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_what_the_shell_reads(shell: str) -> None:
    result = CliRunner().invoke(app, ["completion", shell])
    assert result.exit_code == 0
    assert "_ASTERISM_COMPLETE" in result.output
    told = json.loads(CliRunner().invoke(app, ["completion", shell, "--json"]).output)
    assert told["shell"] == shell
    assert told["script"].strip() == result.output.strip()


def test_completion_takes_the_shell_that_is_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert "fish" in CliRunner().invoke(app, ["completion"]).output
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    result = CliRunner().invoke(app, ["completion"])
    assert result.exit_code == 2
    assert "bash, zsh, fish" in result.output


def test_commands_and_kinds_complete() -> None:
    words = {"COMP_WORDS": "asterism nodes --kind ac", "COMP_CWORD": "3", "_ASTERISM_COMPLETE": "bash_complete"}
    done = subprocess.run(
        [sys.executable, "-c", "from asterism.entry.cli import main; main()"],
        env={**os.environ, **words},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["plain,actor"]


def test_benchmarks_are_run_in_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["bench"])
    assert result.exit_code == 3
    assert "clone the repository" in result.output
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench" / "timing.py").write_text("")
    (tmp_path / "bench" / "__main__.py").write_text("import sys; sys.exit(7 * (sys.argv[1:] != ['x', '--quick']))")
    assert CliRunner().invoke(app, ["bench", "x", "--quick"]).exit_code == 0
    assert CliRunner().invoke(app, ["bench", "y"]).exit_code == 7

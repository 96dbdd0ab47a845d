"""`asterism doctor`: findings and what repairs them at a prompt, also for files that no other command can open."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism.entry.cli.app import app
from tests.support.command_line import Line


@pytest.fixture
def told(line: Line) -> Line:
    line.run("star", "add", "Sleep", "--domain", "health")
    line.run("learn", "Ada likes tea")
    line.db.chmod(0o600)
    return line


def change(db: Path, statement: str) -> None:
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        connection.execute(statement)


def test_a_healthy_memory(told: Line) -> None:
    shown = told.run("doctor").output
    assert "Nothing is broken: 0 errors, 0 warnings" in shown
    assert f"→ asterism dream --db {told.db} --space default" in shown
    found = told.json("doctor")
    assert found["ok"] is True
    assert {"inbox_waits"} <= {each["name"] for each in found["findings"]}
    assert set(found["findings"][0]) == {"name", "severity", "what", "item", "repair"}
    assert "replay of the ledger" not in told.json("doctor", "--quick")["checked"]


def test_a_file_that_no_command_opens_is_told_of(line: Line) -> None:
    assert "unknown_memory" in line.run("doctor", code=1).output
    line.db.write_text("nothing of that kind " * 100)
    result = line.run("doctor", "--json", code=1)
    assert json.loads(result.stdout)["findings"][0]["name"] == "not_a_memory"


def test_unreadable_parameters_are_repaired(told: Line) -> None:
    change(told.db, "UPDATE space SET parameters = 'x'")
    told.run("stats", code=4)
    assert "damaged_parameters" in told.run("doctor", code=1).output
    shown = told.run("doctor", "--repair").output
    assert "Repaired: space 'default': preset seed recorded" in shown
    assert "Nothing is broken" in shown
    told.run("stats")


def test_a_truncated_file_says_where_to_go(told: Line) -> None:
    with told.db.open("r+b") as file:
        file.truncate(told.db.stat().st_size - 5000)
    shown = told.run("doctor", "--repair", code=1).output
    assert "truncated" in shown
    assert "asterism merge COPY --db NEW.db" in shown


def test_at_means_nothing_here(told: Line) -> None:
    assert "looks at the file as it is" in told.run("doctor", "--at", "2026-01-01", code=2).output


def test_a_memory_that_was_not_begun_is_not_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("ASTERISM_DB", raising=False)
    result = CliRunner().invoke(app, ["doctor", "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert told["ok"]
    assert [each["severity"] for each in told["findings"] if each["name"] == "unknown_memory"] == ["note"]
    assert CliRunner().invoke(app, ["doctor", "--db", str(tmp_path / "named.db")]).exit_code == 1


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_new_memory_is_its_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    assert CliRunner().invoke(app, ["learn", "Ada likes tea", "--db", str(path)]).exit_code == 0
    assert path.stat().st_mode & 0o777 == 0o600
    told = json.loads(CliRunner().invoke(app, ["doctor", "--db", str(path), "--json"]).output)
    assert "open_to_others" not in {each["name"] for each in told["findings"]}

"""`asterism backup`: a copy, the way back, and what is refused; in words and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import TEA, TEA_ID, Line


def test_a_backup_comes_back_without_what_was_erased_since(dreamt: Line, tmp_path: Path) -> None:
    items, file = dreamt.items(), tmp_path / "backup.db"
    shown = " ".join(dreamt.run("backup", str(file)).output.split())
    assert f"default: {items} items" in shown
    assert "read back and whole" in shown
    assert Line(file).json("verify")["ok"]
    dreamt.run("erase", TEA_ID, "--yes")
    dreamt.run("learn", "told after the backup")
    shown = " ".join(dreamt.run("backup", "--restore", str(file)).output.split())
    assert f"restored from {file}" in shown
    assert "erased since the backup erased again" in shown
    assert f"before: {dreamt.db}.before-restore" in shown
    assert dreamt.json("verify")["ok"]
    texts = {block["content"] for block in dreamt.json("blocks")}
    assert TEA not in texts
    assert "told after the backup" not in texts


def test_a_backup_as_json_names_the_copy(dreamt: Line, tmp_path: Path) -> None:
    told = dreamt.json("backup", str(tmp_path / "backup.db"))
    assert told["spaces"] == {"default": dreamt.items()}
    back = Line(tmp_path / "new.db").json("backup", "--restore", str(tmp_path / "backup.db"))
    assert (back["kept"], back["left_out"], back["spaces"]) == (None, 0, told["spaces"])
    assert back["copy"] != told["copy"]


def test_a_moment_comes_back_in_a_new_file_and_as_a_ledger(dreamt: Line, tmp_path: Path) -> None:
    dreamt.run("backup", str(tmp_path / "backup.db"))
    then = Line(tmp_path / "then.db")
    told = then.json("backup", "--restore", str(tmp_path / "backup.db"), "--known-at", "2020-01-01")
    assert (told["spaces"], told["left_out"]) == ({"default": 0}, dreamt.items())
    assert dreamt.json("export", str(tmp_path / "then.jsonl"), "--known-at", "2020-01-01")["counts"]["items"] == 0


@pytest.mark.parametrize(
    "words",
    [
        ("backup", "--restore", "--force", "a.db"),
        ("backup", "--known-at", "2026-01-01", "a.db"),
        ("backup",),
        ("backup", "a.db", "--at", "2026-01-01"),
        ("backup", "--restore", "nowhere.db"),
    ],
)
def test_what_makes_no_sense_is_refused(dreamt: Line, words: tuple[str, ...]) -> None:
    assert dreamt.run(*words, code=3 if "nowhere.db" in words else 2).output


def test_a_backup_is_replaced_by_force(dreamt: Line, tmp_path: Path) -> None:
    dreamt.run("backup", str(tmp_path / "backup.db"))
    refused = dreamt.run("backup", str(tmp_path / "backup.db"), code=2).output
    assert "--force" in refused
    dreamt.run("backup", str(tmp_path / "backup.db"), "--force")


def test_increments_go_out_by_runs_and_come_back_as_one(dreamt: Line, tmp_path: Path) -> None:
    folder, other = tmp_path / "increments", Line(tmp_path / "other.db")
    told = dreamt.json("export", "--increments", str(folder))
    assert (told["items"], len(told["written"]), told["ok"]) == (dreamt.items(), 1, True)
    assert "Nothing new" in dreamt.run("export", "--increments", str(folder)).output
    dreamt.run("erase", TEA_ID, "--yes")
    shown = dreamt.run("export", "--increments", str(folder), code=1).output
    assert "--remake" in shown
    assert told["written"][0] in shown
    assert "Written anew" in dreamt.run("export", "--increments", str(folder), "--remake").output
    assert other.json("import", str(folder))["added"] == dreamt.items()
    assert other.json("verify")["digest"] == dreamt.json("verify")["digest"]


@pytest.mark.parametrize("words", [("--vectors",), ("--limit", "3"), ("--at", "2026-01-01"), ("--force",)])
def test_an_increment_is_whole(dreamt: Line, tmp_path: Path, words: tuple[str, ...]) -> None:
    dreamt.run("export", "--increments", str(tmp_path / "increments"), *words, code=2)
    dreamt.run("export", "--remake", str(tmp_path / "a.jsonl"), code=2)
    assert not (tmp_path / "increments").exists()

"""docs/diary.md is lived through: every command of the page, in its order, prints what stands under it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.pages import live_through

FILES = {
    "us.csv": "date,sleep\n11/03/2026,7\n11/04/2026,6\n",
    "typo.csv": "date,sleep\n2026-11-03,7\n2026-11-04,six\n",
}


def test_every_command_of_the_page_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASTERISM_DB", str(tmp_path / "mine.db"))
    for name, text in FILES.items():
        Path(name).write_text(text)
    assert live_through("diary.md") > 6

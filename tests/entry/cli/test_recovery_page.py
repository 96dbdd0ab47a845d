"""docs/recovery.md is lived through: every loss happens, and every command that helps prints what stands under it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.pages import live_through
from tests.support.paths import DATA


def test_every_loss_of_the_page_is_made_good_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASTERISM_DB", "mind.db")
    shutil.copy(DATA / "schema1.db", "old.db")
    assert live_through("recovery.md") > 30

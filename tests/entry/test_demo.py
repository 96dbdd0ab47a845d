"""The demo: deterministic, within 80 columns, and it finds what the story holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from asterism.entry.cli.app import app
from asterism.entry.layout import cells
from asterism.entry.sample.month import month
from tests.entry.conftest import Line


def output_of(*words: str) -> str:
    result = CliRunner().invoke(app, [*words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def page() -> str:
    return output_of("demo")


@pytest.fixture(scope="module")
def document() -> Any:
    return json.loads(output_of("demo", "--json"))


def test_the_demo_fits_80_columns(page: str) -> None:
    assert max(cells(row) for row in page.splitlines()) <= 80


def test_the_demo_is_the_same_every_time(page: str) -> None:
    assert output_of("demo") == page


def test_the_demo_shows_stars_links_reasons_and_what_comes(page: str) -> None:
    for part in (
        "Stars",
        "Links",
        "Why?",
        "A market day",
        "What will fade",
        "What it expected",
        "Try next",
        "= strength",
    ):
        assert part in page


def test_detection_finds_what_the_story_holds(document: Any) -> None:
    found = {link["id"]: (link["kind"], link["direction"]) for link in document["links"]}
    assert found["mood~sleep"] == ("resonance", None)
    assert found["late-screen~sleep"] == ("causation", "a_to_b")
    assert found["energy~running"] == ("growth_edge", "b_to_a")
    assert found["family~overtime"] == ("tension", None)
    assert found["inner-critic~novel"] == ("blocks", "a_to_b")
    assert found["mood~savings"] == ("shadow_mirror", None)
    assert {"inner-critic~sleep", "inner-critic~mood"} <= set(document["discovered"])
    assert [each["outcome"] for each in document["predictions"]["items"]] == ["verified", "missed", "open"]
    stars = {star["id"]: star for star in document["stars"]}
    assert stars["savings"]["state"] == "DARK"
    assert stars["novel"]["cap"] < 1


def test_the_reasons_add_up(document: Any) -> None:
    why = document["why"]
    assert sum(line["value"] for line in why["lines"]) == pytest.approx(why["total"], abs=1e-9)


def test_the_story_is_told_in_order_and_in_all_five_domains() -> None:
    story = month()
    assert [told.at for told in story] == sorted(told.at for told in story)
    assert {told.subjects[1] for told in story if told.call == "add_star"} == {
        "health",
        "relationships",
        "wealth",
        "purpose",
        "soul",
    }


def test_a_kept_demo_can_be_asked_and_is_not_overwritten(
    line: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = line.run("demo").output
    commands = [row.strip().split("  ")[0] for row in page.split("Try next\n")[1].splitlines()]
    assert len(commands) == 3
    for command in commands:
        assert CliRunner().invoke(app, command.split()[1:]).exit_code == 0, command
    assert "HARBOR@98.5" in (tmp_path / "day.html").read_text()
    assert line.json("verify")["ok"] is True
    assert "name a new file" in line.run("demo", code=2).stderr


def test_the_market_day_is_remembered_where_the_order_stood(document: Any) -> None:
    strongest = document["levels"][0]
    assert (strongest["id"], strongest["reason"], strongest["rejections"]) == ("HARBOR@98.5", "persistence", 6)


def test_the_demo_leaves_the_users_own_memory_alone(
    line: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASTERISM_DB", str(line.db))
    output_of("demo")
    assert not line.db.exists()
    assert not (tmp_path / "data").exists()

"""The demo: deterministic, within 80 columns, one story in which one capability needs another."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from asterism.embed.wordllama import WordLlamaEmbedder
from asterism.engine.memory import Memory
from asterism.entry.cli.app import app
from asterism.entry.sample.month import month
from asterism.entry.sample.page import page as story_page
from asterism.entry.sample.page import way_to_the_game
from asterism.entry.sample.play import StoryClock
from asterism.entry.sample.story import tell
from asterism.entry.text.layout import cells, plain
from tests.support.command_line import Line


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


def test_the_demo_shows_all_five_capabilities_and_where_to_go_on(page: str) -> None:
    parts = (
        "Mara sleeps badly",
        "The diary",
        "What it noticed",
        "What it expected",
        "Why?",
        "What will fade",
        "The game night",
        "Who tied him up, though?",
        "The market day",
        "The notes, and what they name",
        "asterism recall",
        "asterism explore",
        "names in notes",
        "Try next",
    )
    places = [page.index(part) for part in parts]
    assert places == sorted(places)
    assert page.count("= strength") == 2


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


def test_an_answer_crosses_notes_diary_and_transcript(document: Any, page: str) -> None:
    named, felt, spoken = document["way"]
    assert named["to"] == "late-screen"
    assert felt == {"by": "late-screen~sleep", "to": "sleep"}
    assert spoken["by"].endswith("#mention")
    assert spoken["to"].startswith("the-bell-of-low-water/")
    assert "causation 0.81" in page
    assert "the diary's evidence" in page


def test_the_answers_come_from_notes_and_from_the_market(document: Any) -> None:
    rest, ferryman, harbor = document["recall"]
    assert rest["hits"][0]["text"].startswith("Whenever I scroll")
    assert ferryman["hits"][0]["name"] == "Ferryman"
    assert ferryman["hits"][1]["kind"] == "moment"
    assert {hit["kind"] for hit in harbor["hits"][:2]} == {"level", "block"}


def test_the_notes_name_what_others_told_and_the_link_says_so(document: Any) -> None:
    mentions = [set(each["mentions"]) for each in document["notes"]]
    assert {"savings", "HARBOR@98.5"} in mentions
    assert {"late-screen"} in mentions
    assert any("brindle" in each for each in mentions)
    kinds = {line["text"].split()[1] for line in document["grown"]["lines"]}
    assert kinds == {"causation_detected", "co_mention_session", "co_mention_response"}
    assert any("named in block" in note for note in document["grown"]["notes"])


def test_the_numbers_of_the_month_are_those_of_the_diary_alone(document: Any) -> None:
    assert document["why"]["total"] == pytest.approx(0.814962, abs=1e-6)


def test_the_story_can_be_told_without_word_vectors() -> None:
    clock = StoryClock()
    with Memory.open_sync(":memory:", space="mara", clock=clock, embedder="hashed") as memory:
        story = tell(memory, clock)
        names = memory.entries(*(node for _, node in way_to_the_game(story)))
        lines = story_page(story, names, width=80)
    assert max(cells("".join(piece.text for piece in line)) for line in lines) <= 80
    nowhere = replace(story, walk=replace(story.walk, found=()))
    assert way_to_the_game(nowhere) == []
    assert "None of them came to the game." in plain(story_page(nowhere, {}, width=100))


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
    assert "Late screen" in (tmp_path / "sky.html").read_text()
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


def test_without_word_vectors_the_demo_does_not_say_that_it_found_by_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WordLlamaEmbedder, "is_installed", lambda: False)
    shown = " ".join(CliRunner().invoke(app, ["demo"]).output.split())
    assert "they are found by meaning, and" not in shown
    assert "No word vectors are installed, so they may be missed here" in shown


def test_commands_to_try_next_can_be_copied_into_a_shell(tmp_path: Path) -> None:
    path = tmp_path / "a month.db"
    shown = CliRunner().invoke(app, ["demo", "--db", str(path), "--space", "for me"]).output
    (line,) = [line for line in shown.splitlines() if "export sky.html" in line]
    assert shlex.split(line)[-6:-2] == ["--db", str(path), "--space", "for me"]

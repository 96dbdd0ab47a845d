"""The evaluation of facts that change: its set, what it counts, and the figures it must reach."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism.entry.cli.app import app
from asterism.errors import InputError
from asterism.evals.changes import Tally, run, there
from asterism.evals.report import Report
from asterism.evals.stories import AROUND, SPLITS, Ask, read_stories


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    return {report.system: report for report in run()}


def test_the_set_has_enough_stories_and_no_frame_in_both_halves() -> None:
    stories = read_stories()
    frames = {split: {story.frame for story in stories if story.split == split} for split in SPLITS}
    assert len(stories) >= 300
    assert sum(map(len, frames.values())) >= 120
    assert not frames["dev"] & frames["held"]
    counts = Counter((story.split, story.kind) for story in stories)
    for split in SPLITS:
        assert {kind for half, kind in counts if half == split} == {
            "changing",
            "recurring",
            "corrections",
            "conflicts",
            "negatives",
        }
    texts = {split: {told.text for story in stories if story.split == split for told in story.told} for split in SPLITS}
    assert len(texts["dev"] & texts["held"]) <= 1
    assert len(read_stories(splits=[AROUND])) == 1


def test_what_is_asked_for_is_told() -> None:
    for story in read_stories():
        assert all(ask.first < len(story.told) for ask in story.asks), story.name
        assert all(a < b < len(story.told) for a, b in story.conflicts), story.name
        assert all(not {*pair} - {*there(story)} for pair in story.conflicts), story.name


@pytest.mark.parametrize("split", SPLITS)
def test_of_what_is_marked_nine_in_ten_are_right_and_most_are_found(reports: dict[str, Report], split: str) -> None:
    used = reports["as used"]
    assert (used.value(split, "precision of conflicts") or 0) >= 0.9
    assert (used.value(split, "recall of conflicts") or 0) >= 0.6
    plain = reports["cosine"]
    assert (plain.value(split, "precision of conflicts") or 1) < 0.7


def test_of_facts_by_another_hand_nearly_all_that_is_marked_is_right(reports: dict[str, Report]) -> None:
    inside = reports["inside"]
    assert (inside.value("another hand", "precision of conflicts") or 0) >= 0.9
    assert (inside.value("another hand", "recall of conflicts") or 0) >= 0.5


@pytest.mark.parametrize("split", SPLITS)
def test_what_holds_now_comes_first_and_what_happens_again_is_counted(reports: dict[str, Report], split: str) -> None:
    used = reports["as used"]
    assert (used.value(split, "the current fact first") or 0) >= 0.95
    assert (used.value(split, "how often, when last") or 0) >= 0.9
    assert (used.value(split, "of look-alikes the right one first") or 0) >= 0.9


def test_a_half_without_conflicts_has_no_figures_of_them() -> None:
    tally = Tally()
    (story,) = [each for each in read_stories() if each.name == "likes-both-1"]
    tally.pairs(set(), story)
    tally.ask(story, Ask("?", 0), first=True)
    assert [row.metric for row in tally.rows("dev")] == ["of look-alikes the right one first"]


def test_a_line_that_is_no_story_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"story": "one"}\n')
    with pytest.raises(InputError, match="line 1 is no story"):
        read_stories(path)


def test_a_file_of_ones_own_is_told_at_the_command_line(tmp_path: Path) -> None:
    told = [{"at": "2025-01-02", "text": "I live in Paris."}, {"at": "2025-02-02", "text": "I moved to Berlin."}]
    ask = [{"question": "Where do I live now?", "first": 1}]
    story = {"story": "s", "frame": "f", "split": "held", "kind": "changing", "told": told, "conflicts": [[0, 1]]}
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(story | {"ask": ask}) + "\n")
    said = CliRunner().invoke(app, ["eval", "changes", "--data", str(path), "--split", "held", "--json"])
    assert said.exit_code == 0, said.output
    used = json.loads(said.output)[0]
    assert {(row["metric"], row["value"]) for row in used["rows"]} == {
        ("precision of conflicts", 1.0),
        ("recall of conflicts", 1.0),
        ("the current fact first", 1.0),
    }
    missing = CliRunner().invoke(app, ["eval", "esm"])
    assert missing.exit_code == 2
    assert "--data is needed" in missing.output

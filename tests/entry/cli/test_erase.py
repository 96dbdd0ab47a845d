"""Erasing and what-if on the command line: shown first, asked for, in text and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism.core.space.erasure import LostItem, Manifest, Mention, TrimmedItem, WhatIf
from asterism.entry.cli import erase as module
from asterism.entry.cli.app import app
from asterism.entry.text.erased import manifest_lines, what_if_lines
from asterism.entry.text.layout import plain
from tests.support.command_line import COLD, COLD_ID, TEA, Line
from tests.support.memories import NOON


def test_a_dry_run_shows_what_would_go_and_writes_nothing(told: Line) -> None:
    before = told.db.read_bytes()
    shown = told.run("erase", "Sleep", "--dry-run").output
    assert "node:sleep: 3 items would be erased (2 evidence, 1 star_added)" in shown
    assert "Nothing was written." in shown
    assert told.db.read_bytes() == before


def test_it_is_erased_when_one_says_yes(told: Line) -> None:
    shown = told.run("erase", "source:user", "--yes").output
    assert "source:user: 1 item erased for good (1 evidence)" in shown
    assert "No byte of what was erased is left" in shown
    assert "told anew, of another time, is taken as new." in shown
    assert " ".join(shown.split()).endswith("until asterism export --increments FOLDER --remake.")
    assert told.json("stats")["tombstones"] == 1
    assert b"again" in told.db.read_bytes()


def test_where_nobody_can_be_asked_nothing_is_erased(told: Line) -> None:
    items = told.items()
    failed = told.run("erase", "sleep", code=2)
    assert "only if you say so" in failed.output
    assert "--yes" in failed.output
    assert told.run("erase", "sleep", "--json", code=2).output.startswith('{"error": "not_confirmed"')
    assert told.items() == items


def test_at_a_terminal_it_shows_and_asks(told: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ask", lambda *_: None)
    words = ["erase", "sleep", "--db", str(told.db)]
    items = told.items()
    refused = CliRunner().invoke(app, words, input="n\n")
    assert refused.exit_code == 130
    assert "would be erased" in refused.output
    assert told.items() == items
    agreed = CliRunner().invoke(app, words, input="y\n")
    assert agreed.exit_code == 0
    assert "erased for good" in agreed.output
    told.run("show", "sleep", code=3)


def test_as_json_the_manifest_has_the_hashes(dreamt: Line) -> None:
    manifest = dreamt.json("erase", "source:ada", "--yes")
    assert manifest["items"] == {"dreamed": 1, "learned": 1}
    assert [len(name) for name in manifest["ids"]] == [32, 32]
    assert [each["what"] for each in manifest["trimmed"]] == ["dreamed"]
    assert manifest["scrubbed"] is True
    assert TEA.encode() not in dreamt.db.read_bytes()
    assert dreamt.json("show", COLD_ID)["node"]["content"] == COLD
    assert "ok" in dreamt.run("verify").output


def test_the_same_told_again_is_refused_and_the_hint_speaks_of_options(told: Line) -> None:
    told.run("erase", "source:user", "--yes")
    again = told.run("observe", "sleep", "mood", "user_creates", "--at", "2026-09-02", "--source", "user", code=2)
    assert "does not come back" in again.output
    assert "--at another time" in again.output


def test_of_a_file_a_row_that_was_erased_is_refused_by_its_line_or_left_out_and_counted(
    told: Line, tmp_path: Path
) -> None:
    path = tmp_path / "evidence.csv"
    path.write_text(
        "a,b,kind,at,source\nsleep,mood,user_creates,2026-09-02,user\nsleep,mood,user_creates,2026-09-05,user\n"
    )
    told.run("erase", "source:user", "--yes")
    before = told.db.read_bytes()
    assert "evidence.csv, line 2: this was erased" in told.run("observe", "--file", str(path), code=2).stderr
    assert told.db.read_bytes() == before
    shown = " ".join(told.run("observe", "--file", str(path), "--skip-erased").output.split())
    assert "1 items of evidence added" in shown
    assert "1 were erased and stay away" in shown
    assert told.json("observe", "--file", str(path), "--skip-erased")["erased"] == 1
    alone = told.run("observe", "sleep", "mood", "user_creates", "--skip-erased", code=2).stderr
    assert "--skip-erased is for --file" in alone


def test_of_many_texts_one_that_was_erased_is_refused_by_its_line_or_left_out(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    rows = [{"content": "Ada likes tea", "at": "2026-09-02"}, {"content": "Bo likes rain", "at": "2026-09-02"}]
    path.write_text("\n\n".join(json.dumps(row) for row in rows))
    for receipt in line.json("learn", "--file", str(path)):
        line.run("erase", receipt["id"], "--yes")
    assert "facts.jsonl, line 1: this was erased" in line.run("learn", "--file", str(path), code=2).stderr
    path.write_text("\n\n".join(json.dumps(row) for row in [{"content": "Cleo likes wind"}, *rows]))
    assert "facts.jsonl, line 3: this was erased" in line.run("learn", "--file", str(path), code=2).stderr
    assert line.json("blocks") == []
    told = line.json("learn", "--file", str(path), "--skip-erased")
    assert [each["status"] for each in told] == ["new", "erased", "erased"]
    shown = line.run("learn", "--file", str(path), "--skip-erased").output
    assert "1 known already, 2 erased." in shown
    assert "--skip-erased is for --file" in line.run("learn", "Ada likes tea", "--skip-erased", code=2).stderr


def test_what_if_shows_changes_and_writes_nothing(told: Line) -> None:
    before = told.db.read_bytes()
    shown = told.run("what-if", "--without", "sleep", "--limit", "1").output
    assert "Without node:sleep (2 evidence, 1 star_added):" in shown
    assert "star: 1 gone" in shown
    assert told.db.read_bytes() == before
    found = told.json("what-if", "--without", "source:user")
    assert (found["without"], found["items"]) == ("source:user", {"evidence": 1})


def test_what_is_not_known_is_named_with_what_is_near(told: Line) -> None:
    assert "did you mean sleep?" in told.run("erase", "slep", "--dry-run", code=3).output
    assert "did you mean sleep?" in told.run("what-if", "--without", "slep", code=3).output
    assert "at all times" in told.run("erase", "sleep", "--at", "2026-09-01", code=2).output


MANIFEST = Manifest(
    subject="node:ann",
    dry_run=False,
    items={"transcript": 2},
    ids=("00" * 16,) * 2,
    lost=(LostItem("00" * 16, "evidence", NOON, ("ann",)),),
    trimmed=(TrimmedItem("00" * 16, "11" * 16, "dreamed", NOON, ("b1", "b2")),),
    nodes=tuple(f"ferry/{number}" for number in range(20)),
    returning=("b3",),
    mentions=(
        Mention("22" * 16, "learned", "Ann Lee", "Ann Lee likes tea", taken=True),
        Mention("44" * 16, "evidence", "Ann Lee", "Ann Lee again", taken=False),
    ),
    vectors=3,
    checkpoints=0,
    caches=1,
    tombstone="33" * 16,
    scrubbed=False,
    note="another program is reading the memory",
    called={"ann": "Ann Lee", "ferry/1": "I row"},
    sessions={"Ferry": ("Ann Lee",), "Pier": ()},
)


def test_every_part_of_a_manifest_is_told() -> None:
    shown = plain(manifest_lines(MANIFEST))
    assert shown.startswith("node:ann (Ann Lee): 2 items erased for good (2 transcript)")
    assert "With them: 20 nodes, 3 vectors, 1 index." in shown
    assert "Of these items, 1 goes because of what it stood on; 1 stays in part, as another item." in " ".join(
        shown.split()
    )
    assert "These sessions go whole\n  Ferry, because Ann Lee speaks in it\n  Pier\n" in shown
    assert "evidence of 2026-03-01: ann (Ann Lee)" in shown
    assert "dreamed of 2026-03-01: without 2 of its nodes" in shown
    assert "  ferry/1 (I row)\n" in shown
    assert "and 8 more" in shown
    assert "stand for themselves again\n  b3" in shown
    assert f"2 texts still name Ann Lee\n  Ann Lee likes tea (learned, item:{'22' * 16})" in shown
    assert "asterism erase 'name:Ann Lee' takes 1 of them along." in shown
    assert f"asterism why {'22' * 16} shows the first" in shown
    assert "\nanother program is reading the memory\n" in shown


def test_a_manifest_says_itself() -> None:
    said = str(MANIFEST).splitlines()
    assert said[0] == "node:ann (Ann Lee): 2 items erased"
    assert "  20 nodes, 3 vectors, 0 checkpoints" in said
    assert "  session Ferry goes whole, because Ann Lee speaks in it" in said
    assert "  session Pier goes whole" in said
    assert "  2 texts still name Ann Lee; name:Ann Lee takes 1 of them along" in said
    assert f"    evidence {'44' * 16}: Ann Lee again" in said
    alone = replace(MANIFEST, mentions=MANIFEST.mentions[:1], nodes=("ann",), subject="source:ann")
    assert str(alone).startswith("source:ann: ")
    assert "  1 node, 3 vectors" in str(alone)
    assert "1 text still names Ann Lee; name:Ann Lee takes it along" in str(alone)
    staying = replace(MANIFEST, mentions=MANIFEST.mentions[1:])
    assert "\n  1 text still names Ann Lee\n" in str(staying)
    assert replace(MANIFEST, mentions=()).still_named == ""


@pytest.mark.parametrize("width", [40, 80])
def test_headlines_wrap(width: int) -> None:
    items = {f"kind_{number}": number + 1 for number in range(9)}
    what_if = WhatIf("source:b", items, (), 3, (), 2, 0, (), 0, {}, "00")
    many = replace(MANIFEST, items=items, mentions=(), note="")
    for lines in (manifest_lines(many, width=width), what_if_lines(what_if, width=width)):
        assert max(map(len, plain(lines).splitlines())) <= width
        assert "(1 kind_0," in " ".join(plain(lines).split())


def test_if_nothing_would_change_it_says_so() -> None:
    nothing = WhatIf("source:b", {"learned": 1}, (), 0, (), 0, 0, (), 0, {}, "00")
    assert plain(what_if_lines(nothing)) == "Without source:b (1 learned):\n  Nothing would change."


def test_a_person_is_erased_by_name(told: Line) -> None:
    told.run("learn", "Ada lives at 12 Elm Road.")
    told.run("learn", "Tea at Ada's on Monday.")
    assert "name:Ada takes the 2 texts that name it" in told.run("erase", "Ada", "--dry-run", code=3).output
    assert "the sources are user" in told.run("erase", "source:nobody", "--dry-run", code=3).output
    assert "(Ada lives at 12 Elm Road.)" in told.run("erase", "name:Ada", "--dry-run").output
    assert "name:Ada: 2 items erased for good (2 learned)" in told.run("erase", "name:Ada", "--yes").output
    assert b"Elm Road" not in told.db.read_bytes()

"""Wrong use: the exit code, the thing to type instead, and nothing written."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism.entry.cli.app import app
from asterism.store.sqlite import SQLiteStore
from tests.support.command_line import Line
from tests.support.memories import store_checkpoint


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("star", "engage", "slep"), 3, "did you mean sleep?"),
        (("star", "engage", "zzz"), 3, "asterism star add"),
        (("show", "slep"), 3, "did you mean sleep?"),
        (("observe", "sleep", "sleep", "user_creates"), 2, "name two different nodes"),
        (("observe", "sleep", "mood", "rumour"), 2, "user_confirms"),
        (("observe", "sleep", "mood"), 2, "KIND is one of"),
        (("observe", "sleep", "mood", "user_confirms", "--at", "2999-01-01"), 2, "asterism advance --to"),
        (("observe", "sleep", "mood", "user_confirms", "--at", "2026-09-05T10:00"), 2, "2026-01-31T18:30:00Z"),
        (("observe", "sleep", "mood", "user_confirms", "--at", "soon"), 2, "2026-01-31"),
        (("star", "observe", "sleep", "7"), 2, "from 0.05 to 1"),
        (("star", "add", "Tea", "--domain", "x"), 2, "'health', 'relationships', 'wealth', 'purpose', 'soul'"),
        (("star", "add", "Tea", "--domain", "kitchen"), 2, "relationships"),
        (("deny", "sleep", "tea"), 3, "asterism star add"),
        (("assign-type", "sleep", "mood", "tension", "--direction", "a_to_b", "--at", "2026-09-03"), 2, "no direction"),
        (("why", "sleep", "mood", "tea"), 2, "asterism why A B"),
        (("why", "nothing"), 3, "32 hex digits"),
        (("advance",), 2, "--days N"),
        (("advance", "--days", "-1"), 2, "-1 days is no span of time ahead"),
        (("advance", "--days", "4000"), 2, "4000 days is more than ten years"),
        (("project", "--days", "-3"), 2, "-3 days is no span of time ahead"),
        (("project", "--days", "-3"), 2, "asterism as-of TIME shows the past"),
        (("advance", "--to", "2020-01-01"), 2, "asterism as-of"),
        (("advance", "--to", "2030-01-01", "--days", "1"), 2, "either"),
        (("advance", "--days", "1", "--at", "2026-09-05"), 2, "asterism advance --to TIME"),
        (("project", "--to", "2020-01-01"), 2, "asterism as-of"),
        (("project", "--to", "2030-01-01", "--days", "3"), 2, "either"),
        (("as-of", "2999-01-01"), 2, "asterism project --to TIME"),
        (("links", "--at", "2999-01-01"), 2, "asterism project --to TIME"),
        (("links", "slep"), 3, "did you mean sleep?"),
        (("links", "sleep", "mod"), 3, "did you mean mood?"),
        (("link", "slep", "mood"), 3, "did you mean sleep?"),
        (("links", "zzz"), 3, "asterism nodes"),
        (("star", "add", "Sleep", "--domain", "soul"), 2, "add it as health"),
        (("observe", "sleep", "mood", "user_confrms"), 2, "Did you mean user_confirms"),
        (("deny", "sleep", "mood", "--at", "2026-09-01"), 3, "on 2026-09-01"),
        (("stats", "--at", "2026-09-05"), 2, "--at means nothing here"),
        (("config", "--set", "half_lives=3"), 2, "asterism config --all"),
        (("config", "--set", "floor"), 2, "NAME=VALUE"),
        (("config", "--set", "floor=9"), 2, "between 0 and 0.5"),
        (("config", "--preset", "loud"), 2, "--preset seed, "),
        (("merge", "nowhere.db"), 3, "check the path"),
        (("lnks",), 2, "link"),
        (("links", "--limt", "3"), 2, "--limit"),
    ],
)
def test_wrong_use_says_what_to_type_instead(told: Line, words: tuple[str, ...], code: int, said: str) -> None:
    before = told.items()
    result = told.run(*words, code=code)
    assert said in result.stderr, result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert told.items() == before


def test_errors_are_json_when_json_was_asked_for(told: Line) -> None:
    error = json.loads(told.run("star", "engage", "slep", "--json", code=3).stderr)
    assert error == {
        "error": "unknown_node",
        "message": "there is no node 'slep' in this space",
        "item": "slep",
        "hint": "did you mean sleep?",
    }
    usage = json.loads(told.run("star", "add", "Tea", "--domain", "x", "--json", code=2).stderr)
    assert usage["error"] == "usage"


@pytest.mark.parametrize(
    ("name", "text", "code", "said"),
    [
        ("r.jsonl", '{"a": "sleep", "b": "mood", "kind": "user_confirms"}\n{"a": "sleep", "b": "mod"', 2, "line 2"),
        ("r.jsonl", '{"a": "sleep", "b": "mood", "kind": "user_confirms"}\n\n[1]\n', 2, "line 3"),
        ("r.jsonl", '{"a": "sleep", "b": "mood", "kind": "user_confirms", "weight": "2"}\n', 2, "weight"),
        ("r.jsonl", '{"a": "sleep", "b": "mood"}\n', 2, "has no kind"),
        ("r.jsonl", '{"a": "sleep", "b": 3, "kind": "user_confirms"}\n', 2, "not text"),
        ("r.jsonl", '{"a": "sleep", "b": "mood", "kind": "user_confirms", "source": "a\\nb"}\n', 2, "line 1"),
        ("r.csv", "a,b,kind\nsleep,mood,user_confirms\nsleep,mod,user_confirms\n", 3, "line 3"),
        ("r.csv", "a,b,kind\nsleep,mood,user_confirms\nsleep,mood,rumour\n", 2, "line 3"),
        ("r.csv", "a,b,kind\nsleep,mood,user_confirms\nsleep,sleep,user_confirms\n", 2, "line 3"),
        (
            "r.csv",
            "a,b,kind,at\nsleep,mood,user_confirms,2026-09-04\nsleep,mood,user_confirms,2999-01-01\n",
            2,
            "line 3",
        ),
        ("r.csv", "a,b,kind,at\nsleep,mood,user_confirms,2026-09-04T10:00\n", 2, "line 2"),
        ("r.csv", "a,b,kind,at\nsleep,mood,user_confirms,noon\n", 2, "line 2"),
    ],
)
def test_a_bad_row_is_named_and_none_is_written(
    told: Line, tmp_path: Path, name: str, text: str, code: int, said: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    before = told.items()
    result = told.run("observe", "--file", str(path), code=code)
    assert said in result.stderr
    assert "nothing was written" in result.stderr
    assert told.items() == before


def test_a_file_that_is_not_text_is_refused(told: Line, tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(b"a,b,kind\n\xff\xfe,x,y\n")
    assert "UTF-8" in told.run("observe", "--file", str(path), code=2).stderr


def test_rows_and_words_do_not_mix(told: Line, tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("a,b,kind\n", encoding="utf-8")
    assert "the rows say everything" in told.run("observe", "sleep", "--file", str(path), code=2).stderr


@pytest.mark.parametrize(
    "words", [("links",), ("nodes",), ("star", "engage", "sleep"), ("observe", "a", "b", "user_creates")]
)
def test_a_memory_that_is_not_there_is_not_made_by_asking(line: Line, words: tuple[str, ...]) -> None:
    result = line.run(*words, code=3)
    assert "asterism star add" in result.stderr
    assert not line.db.exists()


@pytest.mark.parametrize("words", [("links",), ("star", "add", "Tea", "--domain", "health"), ("verify",)])
def test_a_file_that_is_no_memory_is_left_alone(line: Line, words: tuple[str, ...]) -> None:
    line.db.write_bytes(b"these are not the bytes of a database, whatever its name says" * 100)
    before = line.db.read_bytes()
    result = line.run(*words, code=4)
    assert "not a memory" in result.stderr
    assert line.db.read_bytes() == before


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    line = Line(tmp_path / "no" / "such" / "folder.db")
    assert "folder" in line.run("star", "add", "Tea", "--domain", "health", code=4).stderr


@pytest.mark.parametrize(
    ("payload", "said"),
    [("json_set(payload, '$.a', 'moot')", "the replay differs"), ("'[]'", "the ledger cannot be replayed")],
)
def test_an_item_that_was_changed_in_the_file_is_named_by_verify(told: Line, payload: str, said: str) -> None:
    with closing(SQLiteStore(told.db)) as store:
        store_checkpoint(store, space=store.spaces()[0])
    with closing(sqlite3.connect(told.db)) as file:
        file.execute(f"UPDATE ledger SET payload = {payload} WHERE what = 'evidence'")
        file.commit()
    output = told.run("verify", code=1).output
    assert said in output
    assert "\n  item " in output


def test_reading_leaves_the_file_as_it_was(told: Line) -> None:
    before = told.db.read_bytes()
    for words in (("links",), ("nodes",), ("why", "sleep"), ("stats",), ("verify",), ("project",), ("predictions",)):
        told.run(*words)
    assert told.db.read_bytes() == before


def test_a_memory_inside_the_process_makes_no_sense_here() -> None:
    result = CliRunner().invoke(app, ["--db", ":memory:", "links"])
    assert result.exit_code == 2
    assert "--db" in result.stderr


def test_a_url_is_taken_for_the_memory_it_means(told: Line) -> None:
    url = f"sqlite:///{told.db}"
    for words in (["links"], ["verify"], ["config"], ["merge", url], ["stats", "--json"], ["doctor", "--quick"]):
        assert CliRunner().invoke(app, [*words, "--db", url]).exit_code == 0, words
    by_environment = CliRunner().invoke(app, ["verify"], env={"ASTERISM_DB": url})
    assert by_environment.exit_code == 0
    missing = CliRunner().invoke(app, ["links", "--db", f"{url}.not"])
    assert (missing.exit_code, f"there is no memory at {told.db}.not" in missing.output) == (3, True)


@pytest.mark.parametrize("words", [["links"], ["learn", "Ada likes tea"], ["doctor"], ["stats"]])
def test_a_url_of_no_store_that_there_is_names_those_there_are(words: list[str]) -> None:
    result = CliRunner().invoke(app, [*words, "--db", "postgresql://host/mind"])
    assert result.exit_code == 2
    assert "sqlite:///mind.db" in result.output


def test_an_evaluation_without_its_data_says_what_it_expects(line: Line, tmp_path: Path) -> None:
    assert "expected" in line.run("eval", "causal", "--data", str(tmp_path), code=2).stderr
    assert "--data" in line.run("eval", "esm", code=2).stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_file_that_may_not_be_written_is_left_alone(told: Line) -> None:
    told.db.chmod(0o444)
    told.db.parent.chmod(0o555)
    try:
        assert "permissions" in told.run("star", "engage", "sleep", code=4).stderr
    finally:
        told.db.parent.chmod(0o755)


@pytest.mark.parametrize(
    "words",
    [
        ("observe", "Ferry", "sleep", "user_confirms"),
        ("deny", "Ferry", "sleep"),
        ("link", "sleep", "Ferry"),
        ("links", "Ferry"),
        ("show", "Ferry"),
        ("why", "Ferry"),
        ("why-not", "Ferry", "boat"),
        ("explore", "boat", "--start", "Ferry"),
        ("what-if", "--without", "Ferry"),
        ("erase", "Ferry", "--dry-run"),
    ],
)
def test_a_name_of_two_nodes_is_asked_back_by_every_command(told: Line, words: tuple[str, ...]) -> None:
    told.run("star", "add", "Ferry", "--domain", "soul")
    told.run("learn", "The boat leaves at noon", "--name", "Ferry")
    before = told.items()
    assert "2 nodes are called 'Ferry'" in told.run(*words, code=2).stderr
    assert told.items() == before

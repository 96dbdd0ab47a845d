"""`asterism export` and `asterism import`: files by their names, standard output and input, errors."""

from __future__ import annotations

import json
from pathlib import Path

import networkx
import pytest
from click.testing import CliRunner

from asterism.engine.exchange.export import FORMATS
from asterism.entry.cli import exchange
from asterism.entry.cli.app import app
from asterism.store.in_memory import InMemoryStore
from tests.support.command_line import Line
from tests.support.exchanging import tell_all_kinds
from tests.support.memories import remembering


def test_the_choices_are_those_of_the_engine() -> None:
    assert exchange.FORMATS == FORMATS


def test_a_memory_goes_out_and_comes_back(dreamt: Line, tmp_path: Path) -> None:
    path, other = tmp_path / "memory.jsonl.gz", Line(tmp_path / "other.db")
    shown = dreamt.run("export", str(path), "--vectors").output
    assert f"{dreamt.items()} items, 3 vectors as jsonl" in " ".join(shown.split())
    told = other.json("import", str(path))
    assert (told["added"], told["vectors"], told["space"]) == (dreamt.items(), 3, "default")
    assert "0 items added" in other.run("import", str(path)).output
    assert other.json("verify")["digest"] == dreamt.json("verify")["digest"]
    hashed = ("--embedder", "hashed")
    asked = ("recall", "why do deploys fail?", *hashed)
    assert other.json(*asked)["hits"] == dreamt.json(*asked)["hits"]


def test_the_ending_says_what_is_written(dreamt: Line, tmp_path: Path) -> None:
    for name in ("a.graphml", "a.dot", "a.mmd", "a.csv", "a.parquet", "a.jsonl", "a.html"):
        told = dreamt.json("export", str(tmp_path / name))
        assert told["bytes"] > 0
        assert told["path"].endswith(name)
    assert networkx.read_graphml(tmp_path / "a.graphml").number_of_nodes() == 3
    told = dreamt.json("export", str(tmp_path / "few"), "--format", "dot", "--limit", "1", "--kind", "block")
    assert (told["counts"], told["left_out"]) == ({"nodes": 1, "links": 0}, {"nodes": 2, "links": 1})
    few = ("export", str(tmp_path / "few"), "--format", "dot", "--limit", "1", "--force", "--min-strength", "0.1")
    assert "Left out: 2 nodes, 1 link." in dreamt.run(*few).output


def test_a_dash_is_standard_output_and_input(told: Line, tmp_path: Path) -> None:
    text = told.run("export", "-").stdout
    assert json.loads(text.splitlines()[0])["asterism"] == "ledger"
    assert len(text.splitlines()) == told.items() + 1
    assert told.run("export", "-", "--format", "mermaid").stdout.startswith("flowchart LR\n")
    assert "leave it out" in told.run("export", "-", "--json", code=2).stderr
    new = ["import", "-", "--db", str(tmp_path / "new.db")]
    result = CliRunner().invoke(app, new, input=text)
    assert result.exit_code == 0, result.output
    assert "4 items added" in result.output


def test_the_past_is_written_too(told: Line) -> None:
    now, then = told.run("export", "-").stdout, told.run("export", "-", "--at", "2026-09-02").stdout
    assert now.startswith(then)
    assert now != then


def test_errors_say_what_to_type(told: Line, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    told.run("export", str(path))
    assert "--force" in told.run("export", str(path), code=2).output
    assert "--space default" in told.run("import", str(path), "--space", "you", code=2).output
    assert "4 items added" in told.run("import", str(path), "--space", "you", "--as-copy").output
    told.run("config", "--set", "soft_cap=20", "--space", "you")
    assert "asterism config" in told.run("import", str(path), "--space", "you", "--as-copy", code=2).output
    assert "'dott' is not one of" in told.run("export", "a", "--format", "dott", code=2).output
    assert "end it in .jsonl" in told.run("export", str(tmp_path / "a.xyz"), code=2).output
    assert "no_moment" in told.run("import", str(path), "--at", "2026-09-01", "--json", code=2).output


@pytest.mark.parametrize("data", [b"", b"hello\n", b"\0\1\2"])
def test_what_is_no_ledger_makes_no_memory(line: Line, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(data)
    shown = line.run("import", str(path), code=2).output
    assert "reference memory server" in " ".join(shown.split())
    assert not line.db.exists()
    line.run("import", str(tmp_path / "nothing"), code=2)
    assert not line.db.exists()


def test_a_file_of_the_reference_server_is_recognised(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    rows = [
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["Likes tea"]},
        {"type": "entity", "name": "Bo", "entityType": "person", "observations": []},
        {"type": "relation", "from": "Ada", "to": "Bo", "relationType": "knows"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    shown = " ".join(line.run("import", str(path)).output.split())
    assert "2 entities, 1 observation, 1 relation added, 0 were known already" in shown
    assert len(line.json("links")) == 1


@pytest.fixture
def ledger(tmp_path: Path) -> bytes:
    with remembering(InMemoryStore(), space="my life") as memory:
        tell_all_kinds(memory, tmp_path)
        return str(memory.export().text).encode()


def run(*words: str, data: bytes | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(words), input=data)
    return result.exit_code, " ".join(result.output.split())


@pytest.mark.parametrize("stream", [False, True])
def test_a_file_that_is_bad_anywhere_makes_no_memory(ledger: bytes, tmp_path: Path, stream: bool) -> None:
    db, path = tmp_path / "new.db", tmp_path / "a b.jsonl"
    where = ("--db", str(db), "--space", "my life")
    for data in (ledger[:-30], ledger + b"{}\n", b"hello\n", b""):
        path.write_bytes(data)
        code, _ = run("import", "-" if stream else str(path), *where, data=data if stream else None)
        assert (code, db.exists()) == (2, False)
    path.write_bytes(ledger)
    code, shown = run("import", str(path), "--db", str(db))
    assert (code, db.exists()) == (2, False)
    assert "open the memory with --space 'my life', or copy the items into this space: --as-copy" in shown
    code, shown = run("import", "-" if stream else str(path), *where, data=ledger if stream else None)
    assert (code, f"{len(ledger.splitlines()) - 1} items added" in shown) == (0, True)
    code, shown = run("export", "-", *where)
    assert shown == " ".join(ledger.decode().split())


def test_a_limit_of_nodes_means_each_kind_in_json_too(ledger: bytes, tmp_path: Path) -> None:
    where = ("--db", str(tmp_path / "new.db"), "--space", "my life")
    run("import", "-", *where, data=ledger)
    result = CliRunner().invoke(app, ["nodes", "--limit", "1", "--json", *where])
    kinds = [each["kind"] for each in json.loads(result.stdout)]
    assert kinds == ["star", "block", "level", "actor", "moment", "narrative"]


def test_every_node_that_is_listed_can_be_shown_and_fits_its_line(ledger: bytes, tmp_path: Path) -> None:
    where = ("--db", str(tmp_path / "new.db"), "--space", "my life")
    run("import", "-", *where, data=ledger)
    listed = CliRunner().invoke(app, ["nodes", "--limit", "1", "--json", *where])
    for node in json.loads(listed.stdout):
        code, shown = run("show", node["id"], *where)
        assert code == 0, (node, shown)
    shown = CliRunner().invoke(app, ["nodes", *where]).output
    assert max(map(len, shown.splitlines())) <= 80

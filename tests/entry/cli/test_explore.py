"""`asterism explore`: what walkers found and left behind, and how they went; nothing learned, out of time, no start."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism import Memory
from asterism.core.walkers.states import STOPS as STOPPED
from asterism.entry.cli.app import app
from asterism.entry.text.explored import STOPS, explored_lines, nodes_of
from asterism.entry.text.layout import plain
from tests.support.command_line import COLD_ID, Line
from tests.support.exploring import left_behind
from tests.support.memories import remembering

HASHED = ("--embedder", "hashed")
SESSION = """\
Ann: I look for water in the garden.
DM: The well in the garden is dry.
Bo: Is there a river near the garden?
DM: There is a river, behind the museum.
Ann: I walk to the river and fill the bucket.
DM: The bucket leaks, the water runs into the garden.
"""


@pytest.fixture
def read(line: Line, tmp_path: Path) -> Line:
    """A memory with a session, and a star that it names."""
    path = tmp_path / "Dry.txt"
    path.write_text(SESSION, encoding="utf-8")
    line.run("star", "add", "Garden", "--domain", "health", "--at", "2026-09-01")
    line.run("transcript", "read", str(path), "--started", "2026-09-05T18:00Z")
    return line


def test_it_tells_what_was_found_and_left_behind(read: Line) -> None:
    before = read.items()
    shown = read.run("explore", "water in the garden", "--intention", "save the plants", *HASHED).output
    assert "walker took" in shown
    assert "save the plants: " in shown[shown.index("Left behind") :]
    assert read.items() == before + 1
    assert all(len(row) <= 80 for row in shown.splitlines())
    again = read.json("explore", "water in the garden", "--intention", "save the plants", "--no-learn", *HASHED)
    assert not again["learned"]
    assert again["found"][0]["path"]
    assert {"steps", "walkers", "trace", "health", "declined_because", "crystallized"} <= again.keys()
    assert read.items() == before + 1
    hits = read.json("recall", "save the plants", *HASHED)["hits"]
    found = [hit for hit in hits if hit["kind"] == "narrative"]
    assert found[0]["text"].startswith("save the plants")
    assert read.json("verify")["ok"]
    assert {each["kind"] for each in read.json("links", found[0]["id"])} == {"walk"}
    assert "dry/1" in read.run("links", "dry/0").output


def test_nothing_is_written_when_nothing_is_learned(read: Line) -> None:
    before = read.db.read_bytes()
    shown = read.run("explore", "river", "--no-learn", *HASHED).output
    assert "nothing was written" in shown
    assert read.db.read_bytes() == before


def test_the_way_is_shown_step_by_step_or_as_a_tree(read: Line) -> None:
    steps = read.run("explore", "river", "--start", "Ann", "--trace", "--no-learn", *HASHED).output
    assert "round 1\n  0  SEEKING  “Ann”: walked to “" in steps  # nodes go by what they say
    assert "        score  fits  pull fresh   new apart\n      ✓ 0." in steps
    assert "I walk to the river" in steps[steps.index("The nodes") :]
    assert "dry/" in steps[steps.index("The nodes") :]
    tree = read.run("explore", "river", "--start", "ann", "--tree", "--no-learn", *HASHED).output
    assert "\n└─ 0." in tree or "\n0  found no link" in tree
    assert "; satisfaction 0." in tree[tree.index("The walkers") :]
    assert all(len(row) <= 80 for row in (steps + tree).splitlines())


def test_a_memory_of_blocks_is_explored_too(dreamt: Line) -> None:
    told = dreamt.json("explore", "why do deploys fail?", "--start", COLD_ID, *HASHED)
    assert told["trace"][0]["node"] == COLD_ID
    assert told["stop"]
    shown = dreamt.run("explore", "tea in the morning", "--start", "Tea", *HASHED).output
    assert "1 walker took" in shown


def test_out_of_time_it_says_so_after_what_it_found(read: Line) -> None:
    before = read.items()
    result = read.run("explore", "river", "--deadline", "0", *HASHED, code=1)
    assert "the time was over" in result.stdout
    assert "not done after 0 seconds" in result.stderr
    assert "--deadline" in result.stderr
    told = read.run("explore", "river", "--deadline", "0", "--json", *HASHED, code=1)
    assert json.loads(told.stdout)["stop"] == "deadline"
    assert json.loads(told.stderr)["error"] == "deadline"
    assert read.items() == before


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("river", "--start", "nobody"), 3, "asterism recall TEXT shows ids"),
        (("river", "--start", "gardn"), 3, "did you mean garden"),
        ((" ",), 2, "the query is empty"),
        (("river", "--deadline", "-1"), 2, "--deadline"),
        (("river", "--at", "2026-09-05"), 2, "leave --at out"),
    ],
)
def test_what_cannot_be_explored(read: Line, words: tuple[str, ...], code: int, said: str) -> None:
    before = read.items()
    assert said in " ".join(read.run("explore", *words, *HASHED, code=code).output.split())
    assert read.items() == before


def test_an_empty_memory_and_none_at_all(line: Line) -> None:
    assert "there is no memory" in line.run("explore", "river", *HASHED, code=3).output
    line.run("config", "--preset", "seed")
    assert "nothing to explore" in line.run("explore", "river", *HASHED, code=2).output


def test_every_stop_has_words_and_long_lists_are_cut() -> None:
    assert set(STOPPED) <= set(STOPS)
    with remembering(":memory:") as memory:
        for number in range(30):
            memory.learn(f"Garden note {number}", name=f"Garden {number}")
        for number in range(29):
            blocks = memory.blocks()
            memory.observe(blocks[number].id, blocks[number + 1].id, "user_creates")
        found = memory.explore("garden note", intention="garden", learn=False)
        names = memory.entries(*nodes_of(found))
        for width in (60, 80, 120):
            for shape in (None, "text", "tree"):
                shown = plain(explored_lines(found, names, shape=shape, width=width)).splitlines()
                assert all(len(row) <= width for row in shown)


def test_the_command_line_says_how_a_forgotten_narrative_comes_back(tmp_path: Path) -> None:
    async def prepared() -> str:
        async with Memory.open(tmp_path / "memory.db", space="default", embedder="hashed") as memory:
            narrative, _ = await left_behind(memory)
            await memory.forget(narrative)
            return narrative

    narrative = asyncio.run(prepared())
    place = ["--db", str(tmp_path / "memory.db")]
    for words in (["show", narrative], ["why", narrative], ["why-not", narrative, "cranes"]):
        told = CliRunner().invoke(app, [*words, *place])
        assert told.exit_code == 3
        assert f"asterism restore {narrative}" in told.stderr
    back = CliRunner().invoke(app, ["restore", narrative, *place])
    assert back.exit_code == 0, back.stderr
    assert CliRunner().invoke(app, ["show", narrative, *place]).exit_code == 0

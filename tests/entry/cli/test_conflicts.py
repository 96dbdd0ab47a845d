"""`asterism conflicts`: pairs side by side, and the commands that settle them."""

from __future__ import annotations

import json
import shlex

from tests.support.command_line import Line

DARK, LIGHT = "The user prefers dark mode", "The user prefers light mode"


def test_conflicts_are_shown_with_the_commands_that_settle_them(line: Line) -> None:
    line.run("learn", DARK, "--at", "2026-01-02")
    assert "Nothing here is known to be in conflict" in line.run("conflicts").output
    line.run("learn", LIGHT, "--at", "2026-02-02")
    dreamed = line.run("dream").output
    assert "1 conflict found" in dreamed
    assert "asterism conflicts" in dreamed
    (told,) = json.loads(line.run("conflicts", "--json").output)
    earlier, later = told["earlier"]["id"], told["later"]["id"]
    assert (told["earlier"]["text"], told["later"]["text"], told["reason"]) == (DARK, LIGHT, "preference")
    shown = line.run("conflicts", "--limit", "1").output
    assert "two things of a kind, each preferred" in shown
    assert f"asterism forget {later}" in shown
    assert f"asterism learn '{LIGHT}' --replaces {earlier}" in shown
    assert "conflict" in line.run("links").output
    assert f"in conflict    {later} of 2026-02-02: {LIGHT}" in line.run("show", earlier).output
    assert "1 pair is in conflict" in line.run("doctor").output
    line.run("forget", earlier)
    assert json.loads(line.run("conflicts", "--json").output) == []


def test_the_command_that_is_proposed_settles_it_and_says_so(line: Line) -> None:
    line.run("learn", "Anna lives in Lisbon.", "--at", "2026-01-10")
    line.run("learn", "Anna moved to Porto.", "--at", "2026-05-02")
    line.run("dream")
    proposed = next(each for each in line.run("conflicts").output.splitlines() if "the later holds:" in each)
    command = shlex.split(proposed.partition("asterism ")[2])
    said = line.run(*command).output
    assert "somebody else" not in said
    assert "told then already, and now how long it holds" in " ".join(said.split())
    assert "ends “Anna lives in Lisbon.”" in said
    assert json.loads(line.run("conflicts", "--json").output) == []
    hits = json.loads(line.run("recall", "Where does Anna live?", "--json").output)["hits"]
    assert [hit["text"] for hit in hits] == ["Anna moved to Porto.", "Anna lives in Lisbon."]


def test_of_many_the_first_are_shown(line: Line) -> None:
    for number in range(3):
        line.run("learn", f"Anna moved to Town{number}", "--at", f"2026-01-0{number + 1}")
    line.run("dream")
    assert "--limit 3 shows all" in line.run("conflicts", "--limit", "1").output

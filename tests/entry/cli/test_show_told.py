"""What transcripts left can be opened from a prompt: moments, actors, and the links between them."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import Line

LINES = "Bo: Where is the key?\nDM: The key is here.\n"


def test_a_moment_can_be_shown_and_its_links_say_why(line: Line, tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_text(LINES)
    line.run("transcript", "read", str(file), "--started", "2026-09-05T18:00Z")
    told = line.json("show", "one/0")
    assert told["node"]["text"] == "Where is the key?"
    assert {each["kind"] for each in told["links"]} == {"caused", "order"}
    output = line.run("show", "one/0").output
    assert "Where is the key?" in output
    assert "caused: came of it, in a session" in output
    assert "The key is here." in line.run("links").output
    assert "nearness at distance 1" in line.run("why", "one/0", "one/1").output
    assert line.run("links", "one/0").exit_code == 0


def test_another_transcript_of_the_same_name_is_told(line: Line, tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_text(LINES)
    line.run("transcript", "read", str(file), "--started", "2026-09-05T18:00Z")
    file.write_text("Ann: I jump.\nDM: You fall.\nAnn: Ouch.\n")
    again = line.run("transcript", "read", str(file), "--started", "2026-09-05T18:00Z").output
    assert "It replaces another transcript of this name (2 lines)" in " ".join(again.split())


def test_a_page_does_not_overwrite_its_transcript(line: Line, tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_text(LINES)
    result = line.run("transcript", "annotate", str(file), "--html", str(file), code=2)
    assert "is the transcript itself" in result.output
    assert file.read_text() == LINES

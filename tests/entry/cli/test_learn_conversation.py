"""A conversation told on the command line: who speaks is read off each text (08 E12)."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command_line import Line


def test_the_command_line_takes_a_conversation(line: Line, tmp_path: Path) -> None:
    line.run("learn", "Ann: I moved to Oslo.", "Bo: When was that?", "--conversation", "chat")
    path = tmp_path / "chat.jsonl"
    path.write_text('{"role": "user", "content": "It snows."}\n')
    line.run("learn", "--file", str(path), "--conversation", "chat")
    text = tmp_path / "chat.txt"
    text.write_text("Cy: Take a lamp with you.\n")
    line.run("learn", "--file", str(text), "--conversation", "chat")
    line.run("learn", "Dee: I said: no.", "--conversation", "chat", "--speaker", "Eve")
    ledger = tmp_path / "ledger.jsonl"
    line.run("export", str(ledger))
    told = [json.loads(row) for row in ledger.read_text().splitlines()]
    said = [each["payload"] for each in told if "content" in each.get("payload", {})]
    assert {each["content"]: each["speaker"] for each in said} == {
        "I moved to Oslo.": "Ann",
        "When was that?": "Bo",
        "It snows.": "user",
        "Take a lamp with you.": "Cy",
        "Dee: I said: no.": "Eve",
    }
    assert {each["conversation"] for each in said} == {"chat"}

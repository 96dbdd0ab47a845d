"""An agent takes in a conversation in whichever way it has the lines."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.mcp_client import Asking, in_process, items

LINES = [("Ann", "I open the door."), ("DM", "The door creaks open: a goblin jumps at you.")]
FORMS = (
    [f"{name}: {said}" for name, said in LINES],
    [{"speaker": name, "text": said} for name, said in LINES],
    [{"role": name, "content": said} for name, said in LINES],
)


def test_lines_say_who_speaks_in_any_of_the_usual_forms() -> None:
    async def work(ask: Asking) -> None:
        told = [
            await ask.call("transcript_read", session="one", lines=lines, started_at="2026-04-01T18:00Z")
            for lines in FORMS
        ]
        assert [each["new"] for each in told] == [True, False, False]
        assert told[0]["links"][0]["consequence"] == LINES[1][1]

    in_process(work)


@pytest.mark.parametrize(
    "line", ["nobody says this", ": who?", "Ann:", f"{'so it went on ' * 10}: until dawn", {"speaker": "Ann"}, {}]
)
def test_a_line_that_does_not_say_who_speaks_is_named(line: Any) -> None:
    async def work(ask: Asking) -> None:
        before = await items(ask)
        lines = [FORMS[0][0], line]
        failed = await ask.fail("transcript_read", session="one", lines=lines, started_at="2026-04-01T18:00Z")
        assert (failed["error"], failed["item"]) == ("bad_line", "lines[1]")
        assert "Name: text" in failed["hint"]
        assert await items(ask) == before

    in_process(work)

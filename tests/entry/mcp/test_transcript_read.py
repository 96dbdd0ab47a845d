"""An agent takes in a conversation in whichever way it has the lines."""

from __future__ import annotations

from typing import Any

import pytest

from asterism.core.dialogue.answering import WAYS
from asterism.entry.mcp import tools_sources
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


def test_who_answers_whom_is_found_by_the_way_that_is_asked_for() -> None:
    assert tools_sources.WAYS == WAYS
    lines = ["ann: does the printer work?", "bo: which one?", "ann: the Canon", "bo: yes, since Monday"]

    async def work(ask: Asking) -> None:
        for way in ("channel", "reply"):
            told = await ask.call(
                "transcript_read", **{"session": way, "lines": lines, "started_at": "2026-04-01T18:00Z", "as": way}
            )
            assert (told["answering"], told["remembered"]) == (way, 4)
        chosen = await ask.call("transcript_read", session="any", lines=lines, started_at="2026-04-01T18:00Z")
        assert chosen["answering"] in WAYS

    in_process(work)


def test_when_it_began_need_not_be_said_and_what_was_done_about_it_is() -> None:
    async def work(ask: Asking) -> None:
        first = await ask.call("transcript_read", session="one", lines=FORMS[0])
        assert first["notes"] == ["Nobody said when it began: it is taken to end now (started_at says otherwise)."]
        again = await ask.call("transcript_read", session="one", lines=FORMS[0])
        assert (again["new"], "keeps the time it had" in again["notes"][0]) == (False, True)
        moved = await ask.call("transcript_read", session="one", lines=FORMS[0], started_at="2026-04-01T18:00Z")
        assert moved["notes"][0].startswith("It replaces the reading that began ")
        other = await ask.call("transcript_read", session="one", lines=FORMS[0][:1], started_at="2026-04-01T18:00Z")
        assert other["notes"] == [
            "It replaces another transcript of this name (2 lines): another session name keeps both."
        ]

    in_process(work)

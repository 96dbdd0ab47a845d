"""Questions without a sure answer are written down where the server was told to, and listed until they have one."""

from __future__ import annotations

import json
from dataclasses import replace

from asterism.entry.mcp.manner import FULL
from tests.support.mcp_client import Asking, in_process, items, text_of

QUERY = "What is the capital of Mongolia?"


def test_a_question_left_open_is_listed_until_it_is_answered() -> None:
    async def work(ask: Asking) -> None:
        await ask.call("learn", facts=["The ferry leaves at noon."])
        assert (await ask.call("recall", query=QUERY))["unsure"]
        (left,) = (await ask.call("show", what="unanswered"))["unanswered"]
        assert (left["query"], left["times"], left["missing"]) == (QUERY, 1, ["capital", "mongolia"])
        assert "1x: What is the capital of Mongolia? (nobody told of capital, mongolia)" in text_of(
            await ask.result("show", what="unanswered")
        )
        (content,) = (await ask.client.read_resource("asterism://unanswered")).contents
        assert json.loads(content.text)["unanswered"] == [left]  # type: ignore[union-attr]
        await ask.call("learn", facts=["The capital of Mongolia is Ulaanbaatar."])
        assert (await ask.call("show", what="unanswered"))["unanswered"] == []

    in_process(work, manner=replace(FULL, keep_unanswered=True))


def test_nothing_is_written_down_unless_the_server_was_told_to() -> None:
    async def work(ask: Asking) -> None:
        await ask.call("learn", facts=["The ferry leaves at noon."])
        before = await items(ask)
        assert (await ask.call("recall", query=QUERY))["unsure"]
        assert await items(ask) == before

    in_process(work)

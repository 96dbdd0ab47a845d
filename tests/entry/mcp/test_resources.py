"""Views that only read, under their addresses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp import MCPError

from tests.support.mcp_client import COLD, WARM, Asking, in_process


async def read(ask: Asking, address: str) -> Any:
    (content,) = (await ask.client.read_resource(f"asterism://{address}")).contents
    text = content.text  # type: ignore[union-attr]
    return json.loads(text) if content.mime_type == "application/json" else text


def test_every_view_is_listed_and_can_be_read() -> None:
    async def work(ask: Asking) -> None:
        told = await ask.call("learn", facts=[{"content": COLD, "name": "Cold"}, {"content": WARM}])
        cold, warm = (each["id"] for each in told["learned"])
        await ask.call("observe", a=cold, b=warm, kind="user_creates")
        lines = [{"speaker": "Ann", "text": "I open the door."}, {"speaker": "DM", "text": "It opens."}]
        await ask.call("transcript_read", session="a/b c", lines=lines, started_at="2026-04-01T18:00Z")
        listed = (await ask.client.list_resources()).resources
        assert [each.name for each in listed] == [
            "stats",
            "links",
            "conflicts",
            "spaces",
            "unanswered",
            "slots",
            "sessions",
            "guide",
        ]
        for each in listed:
            assert await read(ask, str(each.uri).removeprefix("asterism://"))
        templates = (await ask.client.list_resource_templates()).resource_templates
        assert [each.name for each in templates] == ["node", "slot", "session", "levels"]
        assert (await read(ask, "node/Cold"))["nodes"][0]["id"] == cold
        assert (await read(ask, f"node/{cold}"))["links"]
        (session,) = (await read(ask, "sessions"))["sessions"]
        assert (await read(ask, session["uri"].removeprefix("asterism://")))["session"] == "a/b c"

    in_process(work)


@pytest.mark.parametrize("address", ["nothing", "node/", "node/nobody", "session/none", "levels/NOPE", "stats/more"])
def test_what_is_not_there_is_an_error_that_names_what_is(address: str) -> None:
    async def work(ask: Asking) -> None:
        with pytest.raises(MCPError) as caught:
            await read(ask, address)
        assert caught.value.code in (-32002, -32602)

    in_process(work)

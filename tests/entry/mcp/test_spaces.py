"""A server reads its own space, and those that it was granted at its start; of others it knows nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mcp import Client

from asterism import Memory
from tests.support.mcp_client import asking, command, text_of

CANARY = "The canary sings at dawn."


def test_a_space_is_read_if_it_was_granted_and_unknown_if_not(tmp_path: Path) -> None:
    for space, text in (("own", "The own door is red."), ("team", "The team door is blue."), ("secret", CANARY)):
        with Memory.open_sync(tmp_path / "memory.db", space=space, embedder="hashed") as memory:
            memory.learn(text)

    async def run() -> None:
        async with Client(command(tmp_path, "--space", "own", "--also-read", "team")) as client:
            ask = await asking(client)
            assert [each["name"] for each in (await ask.call("show", what="spaces"))["spaces"]] == ["own", "team"]
            assert {hit["text"] for hit in (await ask.call("recall", query="door"))["hits"]} == {"The own door is red."}
            both = await ask.call("recall", query="which door is red, which is blue?", spaces=["own", "team"])
            assert {hit["space"] for hit in both["hits"]} == {"own", "team"}
            for unknown in ("secret", "nowhere"):
                told = await ask.fail("recall", query="canary", spaces=["own", unknown])
                assert told["error"] == "unknown_space"
                assert "canary" not in str(told).replace(unknown, "").lower()
            learned = (await ask.call("learn", facts=["The own roof leaks."]))["learned"]
            assert learned[0]["status"] == "new"
        async with Client(command(tmp_path, "--space", "fresh")) as client:
            text = text_of(await (await asking(client)).result("recall", query="door"))
            assert not any(name in text for name in ("team", "secret"))

    asyncio.run(run())
    with Memory.open_sync(tmp_path / "memory.db", space="team", embedder="hashed") as memory:
        assert memory.stats().items == {"learned": 1}

"""A server and the SDK's own client in one process, over a memory that lives as long as a test."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from asterism import Memory

pytest.importorskip("mcp")

from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from asterism.engine.space.vectors import EmbedderSpec
from asterism.entry.mcp.holding import Holding
from asterism.entry.mcp.manner import FULL, Manner
from asterism.entry.mcp.server import build

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
COLD, WARM = "Deploys fail when the cache is cold", "Warm the cache before each deploy"


class Asking:
    """A client, and short ways to ask."""

    def __init__(self, client: Client, outputs: dict[str, dict[str, Any]]) -> None:
        self.client = client
        self.outputs = outputs

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed; its values fit its schema."""
        result = await self.result(tool, **arguments)
        assert not result.is_error, text_of(result)
        Draft202012Validator(self.outputs[tool]).validate(result.structured_content)
        assert text_of(result)
        return dict(result.structured_content)

    async def fail(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must fail; its values are the error."""
        result = await self.result(tool, **arguments)
        assert result.is_error
        told = dict(result.structured_content)
        assert told["error"] in text_of(result)
        assert told["message"] in text_of(result)
        return told

    async def result(self, tool: str, **arguments: Any) -> CallToolResult:
        result = await self.client.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        return result


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def asking(client: Client) -> Asking:
    tools = (await client.list_tools()).tools
    return Asking(client, {tool.name: tool.output_schema or {} for tool in tools})


Work = Callable[[Asking], Awaitable[None]]


def held(path: str | Path = ":memory:", space: str = "me", embedder: EmbedderSpec = "hashed") -> Holding:
    return Holding(lambda: Memory.open(path, space=space, clock=NOW, embedder=embedder))


def in_process(
    work: Work,
    *,
    profile: str = "asterism",
    mode: str = "legacy",
    embedder: EmbedderSpec = "hashed",
    manner: Manner = FULL,
) -> None:
    """Run work with a client of a server in this process."""

    async def run() -> None:
        holding = held(embedder=embedder)
        try:
            async with Client(build(holding, profile=profile, manner=manner), mode=mode) as client:
                await work(await asking(client))
        finally:
            await holding.close()

    asyncio.run(run())


def environment(folder: Path) -> dict[str, str]:
    """Give an environment in which no memory of the user is touched."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ASTERISM_")}
    return kept | {"XDG_DATA_HOME": str(folder), "ASTERISM_EMBEDDER": "hashed"}


def command(folder: Path, *words: str) -> StdioServerParameters:
    """Give the command of a real server."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "asterism", "mcp", "--full", "--db", str(folder / "memory.db"), *words],
        env=environment(folder),
    )


HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def send(process: subprocess.Popen[bytes], message: object) -> None:
    assert process.stdin is not None
    process.stdin.write((message if isinstance(message, str) else json.dumps(message)).encode() + b"\n")
    process.stdin.flush()


CRANES = [{"content": f"Harbour crane {number} needs grease every {number} days"} for number in range(30)]


async def items(asking: Asking) -> dict[str, int]:
    (content,) = (await asking.client.read_resource("asterism://stats")).contents
    return dict(json.loads(content.text)["items"])  # type: ignore[union-attr]

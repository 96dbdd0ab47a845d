"""Messages to the MCP server: each that asks something is answered, and never with an internal error."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any, Self

from asterism.entry.mcp.holding import Holding
from asterism.entry.mcp.manner import FULL
from asterism.entry.mcp.offering import PROFILES, Offering
from asterism.entry.mcp.stdio import INTERNAL_ERROR, Conversation
from asterism.store.in_memory import InMemoryStore
from campaign.odd import FLOATS, INTEGERS, Json, Odd
from tests.support.memories import opened
from tests.support.small_memory import begin

HELLO: Json = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "campaign", "version": "1"},
    },
}
METHODS = (
    "tools/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "prompts/list",
    "prompts/get",
    "ping",
    "server/discover",
    "initialize",
    "notifications/cancelled",
)
logging.getLogger("asterism.mcp").setLevel(logging.CRITICAL)  # what it refuses is what is counted here
TOOLS = [(profile, tool) for profile, tools in PROFILES.items() for tool in tools]


class Served:
    """A server over a memory of a round."""

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._store = InMemoryStore()
        self._memory = opened(self._store)
        self._loop.run_until_complete(self._told())
        holding = Holding(lambda: opened(self._store))
        self._holdings = dict.fromkeys(PROFILES, holding)
        return self

    async def _told(self) -> None:
        async with self._memory as memory:
            await begin(memory)
            await memory.learn("The ferry leaves at nine.", name="Ferry")

    def __exit__(self, *_: object) -> None:
        for holding in set(self._holdings.values()):
            self._loop.run_until_complete(holding.close())
        self._loop.close()

    def take(self, odd: Odd) -> None:
        """Send a greeting, and a message."""
        profile, tool = odd.of(TOOLS)
        arguments = {
            name: _argument(odd, schema)
            for name, schema in tool.takes.items()
            if name in tool.needs or odd.sometimes(0.3)
        }
        calls: Json = {
            "jsonrpc": "2.0",
            "id": 7,
            "method": "tools/call",
            "params": {"name": tool.name, "arguments": arguments},
        }
        asks: Json = {
            "jsonrpc": "2.0",
            "id": 7,
            "method": odd.of(METHODS),
            "params": {
                "uri": odd.of(("asterism://stats", "asterism://nodes", odd.word())),
                "name": odd.word(),
                "arguments": {odd.word(): odd.word()},
            },
        }
        message = odd.of((calls, calls, asks))
        line = odd.written(odd.spoiled_json(message, 0.1) if odd.sometimes(0.4) else message)
        before = self._store.head("me")
        answers = self._loop.run_until_complete(self._said(profile, [json.dumps(HELLO), line.replace("\n", " ")]))
        for answer in answers:
            assert answer.get("error", {}).get("code") != INTERNAL_ERROR, f"an internal error: {line[:500]}"
        if is_request(line):
            assert len(answers) == 2, f"{len(answers) - 1} answers to {line[:500]}"
        refused = [answer for answer in answers if "error" in answer or answer.get("result", {}).get("isError")]
        assert not refused or self._store.head("me") == before, "what was refused left something"

    async def _said(self, profile: str, lines: list[str]) -> list[dict[str, Any]]:
        answers: list[dict[str, Any]] = []

        async def send(line: bytes) -> None:
            answers.append(json.loads(line))

        async with asyncio.TaskGroup() as under_way:
            offering = Offering(self._holdings[profile], profile=profile, manner=FULL)
            talk = Conversation(offering, version="1", send=send, under_way=under_way)
            for line in lines:
                await talk.take(line.encode("utf-8", "surrogatepass"))
        return answers


def is_request(line: str) -> bool:
    """Say whether a line asks for an answer: an object with an id and a method, or something that is no message."""
    try:
        message = json.loads(line.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return bool(line.strip("\ufeff \t\r\n"))
    return not isinstance(message, dict) or ("id" in message and "method" in message)


def _argument(odd: Odd, schema: dict[str, Any]) -> Json:
    """Draw an argument that fits its schema, or does not."""
    if odd.sometimes(0.12):
        return odd.json(2)
    if "anyOf" in schema:
        return _argument(odd, odd.of(schema["anyOf"]))
    if "enum" in schema:
        return str(odd.of(schema["enum"]))
    match schema.get("type"):
        case "integer":
            return odd.chance.randint(schema.get("minimum", 0), min(schema.get("maximum", 50), 2**31))
        case "number":
            return odd.of((0.5, 1, odd.of(FLOATS), odd.of(INTEGERS)))
        case "boolean":
            return odd.sometimes(0.5)
        case "array":
            return [
                _argument(odd, schema.get("items", {})) for _ in range(len(odd.times(3)) + schema.get("minItems", 0))
            ]
        case "object":
            return {
                name: _argument(odd, each) for name, each in schema.get("properties", {}).items() if odd.sometimes(0.6)
            }
        case _:
            return odd.of(("sleep", "mood", "Ferry", "Ann", odd.line(), odd.word()))

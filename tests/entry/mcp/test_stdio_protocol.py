"""What is said over stdin and stdout is what the official SDK's server says, in both protocols."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from asterism import Memory
from asterism.entry.mcp.holding import Holding
from asterism.entry.mcp.offering import Offering
from asterism.entry.mcp.server import build
from asterism.entry.mcp.stdio import CAPABILITIES, LONGEST_MESSAGE, VERSION, Conversation
from tests.support.mcp_client import COLD, HELLO, environment, held

Message = dict[str, Any]
ENVELOPE = {VERSION: "2026-07-28", CAPABILITIES: {}, "io.modelcontextprotocol/clientInfo": HELLO["clientInfo"]}
LEARN = {"name": "learn", "arguments": {"facts": [{"content": COLD}]}}
ASKED: Sequence[tuple[str, Message]] = (
    ("tools/list", {}),
    ("tools/list", {"cursor": "x"}),
    ("tools/call", LEARN),
    ("tools/call", {"name": "recall", "arguments": {"query": "cold cache"}}),
    ("tools/call", {"name": "recall", "arguments": {"query": 7}}),
    ("tools/call", {"name": "recal"}),
    ("tools/call", {"name": 7}),
    ("tools/call", {}),
    ("tools/call", {"name": "recall", "arguments": []}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "asterism://stats"}),
    ("resources/read", {"uri": "asterism://nowhere"}),
    ("resources/read", {}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "recall_first", "arguments": {"question": "Who is Ada?"}}),
    ("prompts/get", {"name": "recall_first"}),
    ("prompts/get", {"name": "nonsense"}),
    ("prompts/get", {"name": "recall_first", "arguments": {"question": 7}}),
    ("prompts/get", {}),
    ("ping", {}),
    ("nonsense", {}),
    ("server/discover", {}),
)
SHAKEN: Sequence[tuple[str, Message]] = (("initialize", HELLO), *ASKED, ("tools/list", {"_meta": ENVELOPE}))
ENVELOPED: Sequence[tuple[str, Message]] = (
    *((method, params | {"_meta": ENVELOPE}) for method, params in ASKED),
    ("initialize", HELLO),
    ("initialize", {}),
    ("tools/list", {}),
    ("tools/list", {"_meta": {VERSION: "2026-07-28"}}),
    ("tools/list", {"_meta": ENVELOPE | {VERSION: "2031-01-01"}}),
    ("tools/list", {"_meta": ENVELOPE | {VERSION: 7}}),
)


def requests(asked: Sequence[tuple[str, Message]]) -> list[Message]:
    return [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(asked)
    ]


async def of_ours(asked: Sequence[Message], holding: Holding) -> list[Message]:
    answers: asyncio.Queue[bytes] = asyncio.Queue()
    async with asyncio.TaskGroup() as under_way:
        talk = Conversation(Offering(holding), version="0", send=answers.put, under_way=under_way)
        found = []
        for one in asked:
            await talk.take(json.dumps(one).encode())
            found.append(json.loads(await answers.get()))
    return found


async def of_the_sdk(asked: Sequence[Message], holding: Holding) -> list[Message]:
    server = build(holding)
    answers: list[Message] = []
    async with create_client_server_memory_streams() as ((reads, writes), (server_reads, server_writes)):
        running = asyncio.create_task(server.run(server_reads, server_writes, server.create_initialization_options()))
        for one in asked:
            await writes.send(SessionMessage(jsonrpc_message_adapter.validate_python(one)))
            told = await reads.receive()
            assert isinstance(told, SessionMessage)
            answers.append(json.loads(told.message.model_dump_json(by_alias=True, exclude_unset=True)))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    return answers


def said(answer: Message) -> Message:
    """Leave out the words of the protocol's own errors, which are each server's, and who says it."""
    error = answer.get("error")
    if error is not None and error["code"] != -32002 and "Unknown tool" not in error["message"]:
        data = {"data": error["data"]} if error.get("data") else {}
        answer = answer | {"error": {"code": error["code"]} | data}
    told: Message = json.loads(json.dumps(answer).replace(f'"version": "{version("asterism")}"', '"version": "0"'))
    return told


@pytest.mark.parametrize("asked", [SHAKEN, ENVELOPED], ids=["handshake", "envelope"])
def test_every_request_is_answered_as_the_sdk_answers_it(asked: Sequence[tuple[str, Message]]) -> None:
    async def run() -> None:
        here, there = held(), held()
        try:
            ours, theirs = await of_ours(requests(asked), here), await of_the_sdk(requests(asked), there)
        finally:
            await here.close()
            await there.close()
        for request, one, other in zip(requests(asked), ours, theirs, strict=True):
            assert said(one) == said(other), request

    asyncio.run(run())


@pytest.mark.parametrize("wanted", ["2024-11-05", "2025-06-18", "1999-01-01"])
def test_a_handshake_agrees_on_the_version_asked_for_or_else_on_the_latest(wanted: str) -> None:
    asked = requests([("initialize", HELLO | {"protocolVersion": wanted})])

    async def run() -> None:
        (ours,), (theirs,) = await of_ours(asked, held()), await of_the_sdk(asked, held())
        assert said(ours) == said(theirs)

    asyncio.run(run())


def test_before_the_handshake_nothing_but_a_ping_is_answered() -> None:
    asked = requests([("tools/list", {}), ("ping", {}), ("prompts/list", {}), ("initialize", {}), ("tools/list", {})])

    async def run() -> None:
        ours, theirs = await of_ours(asked, held()), await of_the_sdk(asked, held())
        assert [said(each) for each in ours] == [said(each) for each in theirs]

    asyncio.run(run())


PING: Message = {"jsonrpc": "2.0", "id": "here", "method": "ping"}


def answers_to(line: bytes) -> list[Message]:
    """Give what a client gets that writes one line."""
    answers: asyncio.Queue[bytes] = asyncio.Queue()

    async def run() -> list[Message]:
        async with asyncio.TaskGroup() as under_way:
            await Conversation(Offering(held()), version="0", send=answers.put, under_way=under_way).take(line)
        return [json.loads(answers.get_nowait()) for _ in range(answers.qsize())]

    return asyncio.run(run())


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b'{"jsonrpc": "2.0", "id": 3, "result": {}}',
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}',
    ],
)
def test_what_asks_nothing_is_not_answered(line: bytes) -> None:
    assert answers_to(line) == []


@pytest.mark.parametrize(
    ("line", "code", "number"),
    [
        (b"\xff\xfe\n", -32700, None),
        (b"{not json\n", -32700, None),
        (b"[" * 100_000 + b"\n", -32700, None),
        (b"[]\n", -32600, None),
        (json.dumps([PING, PING]).encode(), -32600, None),
        (b"7\n", -32600, None),
        (PING | {"jsonrpc": "1.0"}, -32600, "here"),
        (PING | {"method": 7}, -32600, "here"),
        (PING | {"params": [1]}, -32600, "here"),
        (PING | {"params": []}, -32600, "here"),
        (PING | {"id": None}, -32600, None),
        (PING | {"id": 2.5}, -32600, None),
        (PING | {"id": True}, -32600, None),
        ({"jsonrpc": "2.0"}, -32600, None),
        ({}, -32600, None),
        (b'"' + b"x" * LONGEST_MESSAGE, -32600, None),
    ],
    ids=lambda each: str(each)[:40],
)
def test_what_is_no_message_is_answered_with_what_is_wrong(
    line: bytes | Message, code: int, number: str | None
) -> None:
    (answer,) = answers_to(line if isinstance(line, bytes) else json.dumps(line).encode())
    assert answer["error"]["code"] == code
    assert answer["id"] == number
    assert answer["error"]["message"]


def test_a_batch_and_a_message_too_long_say_what_to_send_instead() -> None:
    assert "one message a line" in answers_to(b"[]")[0]["error"]["message"]
    assert "send several" in answers_to(b"x" * (LONGEST_MESSAGE + 1))[0]["error"]["message"]


ODD: dict[bytes, Message] = {
    b'{"jsonrpc":"2.0","id":1,"method":"ping","params":null}': {"id": 1, "result": {}},
    b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}': {"id": "\ufffd", "result": {}},
    b'\xef\xbb\xbf{"jsonrpc":"2.0","id":2,"method":"ping"}': {"id": 2, "result": {}},
    b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}': {"id": "\ud800", "result": {}},
    b'{"jsonrpc":"2.0","id":3,"method":"\\ud800"}': {
        "id": 3,
        "error": {"code": -32601, "message": "Method not found", "data": "\ud800"},
    },
}


@pytest.mark.parametrize(("line", "answer"), ODD.items())
def test_a_request_that_is_oddly_written_is_answered(line: bytes, answer: Message) -> None:
    answers: asyncio.Queue[bytes] = asyncio.Queue()

    async def run() -> None:
        async with asyncio.TaskGroup() as under_way:
            await Conversation(Offering(held()), version="0", send=answers.put, under_way=under_way).take(line)
        assert json.loads(answers.get_nowait().decode()) == {"jsonrpc": "2.0"} | answer

    asyncio.run(run())


class Waiting(Holding):
    """A memory that is not open until somebody says so."""

    def __init__(self) -> None:
        super().__init__(lambda: Memory.open(":memory:", space="me"))
        self.asked, self.may_open = asyncio.Event(), asyncio.Event()

    async def memory(self) -> Memory:
        self.asked.set()
        await self.may_open.wait()
        return await super().memory()


def test_requests_are_answered_while_others_are_under_way_and_one_that_is_cancelled_is_not() -> None:
    answers: list[Message] = []

    async def send(line: bytes) -> None:
        answers.append(json.loads(line))

    async def run() -> None:
        waiting = Waiting()
        lines = requests([("initialize", HELLO), ("tools/call", LEARN), ("tools/call", LEARN), ("ping", {})])
        async with asyncio.TaskGroup() as under_way:
            talk = Conversation(Offering(waiting), version="0", send=send, under_way=under_way)
            for line in lines:
                await talk.take(json.dumps(line).encode())
            await waiting.asked.wait()
            await talk.take(b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}')
            waiting.may_open.set()
        await waiting.close()
        assert [answer["id"] for answer in answers] == [0, 3, 2]

    asyncio.run(run())


def run_python(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-c", script]
    return subprocess.run(line, env=environment(folder), capture_output=True, text=True, check=False)


def test_a_client_that_starts_the_server_waits_for_neither_the_sdk_nor_the_engine(tmp_path: Path) -> None:
    hello = json.dumps(requests([("initialize", HELLO)])[0])
    script = f"""
from click.testing import CliRunner
from asterism.entry.cli.mcp import mcp
from asterism.entry.cli.commands import Asked
result = CliRunner().invoke(mcp, ["--db", {str(tmp_path / "memory.db")!r}], obj=Asked(), input={hello!r} + chr(10))
assert result.exit_code == 0 and "serverInfo" in result.output, result.output
import sys
print(*sys.modules)
"""
    told = run_python(script, tmp_path)
    assert told.returncode == 0, told.stderr
    assert {"mcp", "mcp_types", "pydantic", "numpy", "asterism.engine.memory"} & set(told.stdout.split()) == set()


def test_without_the_sdk_the_command_says_what_to_install(tmp_path: Path) -> None:
    script = """
import sys
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "mcp" else found(name, package)
sys.argv = ["asterism", "mcp", "--json"]
from asterism.entry.cli import main
main()
"""
    told = run_python(script, tmp_path)
    assert told.returncode == 1
    error = json.loads(told.stderr)
    assert error["error"] == "needs_mcp"
    assert error["hint"].startswith("pip install 'asterism[mcp]', or in a clone")

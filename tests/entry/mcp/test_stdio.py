"""Real servers over stdin and stdout: one client, several at once, and how they end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from asterism import Memory
from asterism.entry.mcp.manner import FULL
from asterism.entry.mcp.server import build
from tests.support.mcp_client import (
    COLD,
    CRANES,
    HELLO,
    asking,
    command,
    environment,
    held,
    send,
)

COLD_CACHE = {"name": "cache", "entityType": "thing", "observations": [COLD]}


@contextmanager
def server(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    told = command(folder, *words)
    process = subprocess.Popen(
        [told.command, *told.args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(folder),
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ask(process: subprocess.Popen[bytes], number: int, method: str, params: dict[str, Any]) -> Any:
    send(process, {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    assert told["id"] == number
    return told


def test_stdout_carries_the_protocol_alone_and_the_server_ends_with_its_stdin(tmp_path: Path) -> None:
    with server(tmp_path) as process:
        assert ask(process, 1, "initialize", HELLO)["result"]["serverInfo"]["name"] == "asterism"
        send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert len(ask(process, 2, "tools/list", {})["result"]["tools"]) == 12
        send(process, "this is no message at all")
        assert json.loads(process.stdout.readline())["error"]["code"] == -32700  # type: ignore[union-attr]
        facts = {"facts": [{"content": COLD}]}
        told = ask(process, 3, "tools/call", {"name": "learn", "arguments": facts})
        assert told["result"]["structuredContent"]["learned"][0]["status"] == "new"
        rest, log = process.communicate()
        assert rest == b""
        assert process.returncode == 0
        assert b"Traceback" not in log


@pytest.mark.parametrize(
    ("number", "profile", "tool", "arguments"),
    [
        (signal.SIGTERM, "asterism", "learn", {"facts": [{"content": COLD}]}),
        (signal.SIGINT, "reference", "create_entities", {"entities": [COLD_CACHE]}),
    ],
)
def test_a_signal_ends_it_cleanly_and_nothing_is_lost(
    tmp_path: Path, number: signal.Signals, profile: str, tool: str, arguments: dict[str, Any]
) -> None:
    with server(tmp_path, "--profile", profile) as process:
        ask(process, 1, "initialize", HELLO)
        send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert "error" not in ask(process, 2, "tools/call", {"name": tool, "arguments": arguments})
        process.send_signal(number)
        rest, log = process.communicate()
        assert process.returncode == 128 + number
        assert rest == b""
        assert b"Traceback" not in log
    with Memory.open_sync(tmp_path / "memory.db", space="default") as memory:
        assert COLD in memory.recall("cold cache").hits[0].text


def cli(folder: Path, *words: str) -> str:
    line = [sys.executable, "-m", "asterism", *words, "--db", str(folder / "memory.db")]
    return subprocess.run(line, env=environment(folder), capture_output=True, text=True, check=True).stdout


def test_two_servers_and_the_command_line_write_at_once_and_see_each_other(tmp_path: Path) -> None:
    each = 6

    async def run() -> None:
        async with Client(command(tmp_path)) as one, Client(command(tmp_path)) as two:
            asks = [await asking(one), await asking(two)]

            async def many(place: int) -> None:
                for number in range(each):
                    await asks[place].call("learn", facts=[{"content": f"server {place} said {number}"}])

            await asyncio.gather(many(0), many(1), asyncio.to_thread(cli, tmp_path, "learn", "line said so"))
            wanted = {f"server {place} said {number}" for place in (0, 1) for number in range(each)}
            wanted |= {"line said so"}
            for ask_one in asks:
                shown = await ask_one.call("show", max_tokens=50_000)
                assert {node["text"] for node in shown["nodes"]} == wanted

    asyncio.run(run())
    with Memory.open_sync(tmp_path / "memory.db", space="default") as memory:
        assert memory.verify().ok


def test_spaces_do_not_leak(tmp_path: Path) -> None:
    async def run() -> None:
        spaces = [held(tmp_path / "memory.db", space) for space in ("mine", "theirs")]
        async with Client(build(spaces[0], manner=FULL)) as one, Client(build(spaces[1], manner=FULL)) as two:
            mine, theirs = await asking(one), await asking(two)
            (fact,) = (await mine.call("learn", facts=[{"content": "the canary sings at dawn"}]))["learned"]
            assert (await theirs.call("recall", query="canary at dawn"))["hits"] == []
            assert (await theirs.call("show"))["nodes"] == []
            assert (await theirs.fail("show", id=fact["id"]))["error"] == "unknown_node"
            assert (await theirs.fail("forget", ids=[fact["id"]]))["error"] == "unknown_block"
            assert (await mine.call("recall", query="canary"))["hits"]
        for space in spaces:
            await space.close()

    asyncio.run(run())


def test_a_client_that_is_gone_in_the_middle_ends_the_server_without_a_word(tmp_path: Path) -> None:
    told = command(tmp_path)
    reads, writes = os.pipe()
    process = subprocess.Popen(
        [told.command, *told.args],
        stdin=subprocess.PIPE,
        stdout=writes,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    try:
        os.close(writes)
        send(process, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO})
        with open(reads, "rb") as answers:  # noqa: PTH123  # a pipe
            assert b"serverInfo" in answers.readline()
        send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        params = {"name": "learn", "arguments": {"facts": CRANES}}
        send(process, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})
        while process.poll() is None and not _learned(tmp_path):
            time.sleep(0.05)
        _, log = process.communicate()
        assert (process.returncode, log) == (0, b"")
    finally:
        process.kill()
        process.wait()
    assert _learned(tmp_path) == len(CRANES)  # all of it, though nobody could be told


def _learned(folder: Path) -> int:
    """Count what was learned, without getting in the way of who learns."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{folder / 'memory.db'}?mode=ro", uri=True)) as file:
        return int(file.execute("SELECT count(*) FROM ledger WHERE what = 'learned'").fetchone()[0])
    return 0  # no file yet, or no table

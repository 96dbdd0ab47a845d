"""The server over HTTP on this machine: who is let in, under which names."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from asterism.entry.mcp.running import application, serve_http
from asterism.entry.mcp.server import build
from asterism.entry.network.limits import Limits
from asterism.errors import InputError
from tests.support.mcp_client import COLD, HELLO, asking, environment, held
from tests.support.sockets import Connect, served


@contextmanager
def serving(folder: Path, *words: str, stop: signal.Signals = signal.SIGTERM) -> Iterator[str]:
    """Run a server at a port that is free; give its address."""
    line = [
        sys.executable,
        "-m",
        "asterism",
        "mcp",
        "--full",
        "--http",
        "--port",
        "0",
        "--db",
        str(folder / "memory.db"),
        *(words or ["--no-token"]),
    ]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(folder))
    assert process.stderr is not None
    try:
        told = process.stderr.readline()
        found = re.search(r"http://\S+/mcp", told)
        assert found, told + process.stderr.read()
        yield found.group()
        process.send_signal(stop)
        _, log = process.communicate()
        assert "Traceback" not in log
        assert process.returncode == 0
        assert not (folder / "memory.db-wal").exists()  # the memory was closed
    finally:
        process.kill()
        process.communicate()


def status(address: str, **headers: str) -> int:
    """Send an initialize by hand; give the status."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}).encode()
    told = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"} | headers
    request = urllib.request.Request(address, body, {name.replace("_", "-"): value for name, value in told.items()})
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_a_client_works_over_http_and_strange_names_are_turned_away(tmp_path: Path) -> None:
    async def run(address: str) -> None:
        async with Client(address) as client:
            ask = await asking(client)
            await ask.call("learn", facts=[{"content": COLD}])
            assert (await ask.call("recall", query="cold cache"))["hits"][0]["text"] == COLD
            assert (await ask.fail("show", id="nobody"))["error"] == "unknown_node"

    with serving(tmp_path) as address:
        assert address.startswith("http://127.0.0.1:")
        asyncio.run(run(address))
        assert status(address) == 200
        assert status(address, Origin=address.removesuffix("/mcp")) == 200
        assert status(address, Origin="http://localhost:3000") == 403
        assert status(address, Origin="https://evil.example") == 403
        assert status(address, Origin="http://localhost.evil.example") == 403
        assert status(address, Host="evil.example") == 421
        assert status(address, Host="127.0.0.1:evil.example") == 421
        assert status(address, Host="127.0.0.1:70000") == 421
        assert status(address, Content_Type="text/plain") == 400


def test_with_a_token_only_who_has_it_is_let_in(tmp_path: Path) -> None:
    secret = "t0ken-of-more-than-thirty-letters"
    file = tmp_path / "token"
    file.write_text(secret + "\n")

    async def run(address: str) -> None:
        async with (
            create_mcp_http_client(headers={"Authorization": f"Bearer {secret}"}) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            assert len((await client.list_tools()).tools) == 12

    with serving(tmp_path, "--token-file", str(file), stop=signal.SIGINT) as address:
        assert status(address) == 401
        assert status(address, Authorization="Bearer wrong") == 401
        assert status(address, Authorization=f"Bearer {secret}") == 200
        asyncio.run(run(address))


@pytest.mark.parametrize(
    ("words", "token", "code"),
    [
        ((), None, "needs_token"),
        (("--host", "0.0.0.0"), None, "needs_token"),
        (("--host", "0.0.0.0", "--no-token"), None, "needs_token"),
        (("--token", "told-to-everybody-who-lists-processes"), None, "usage"),
        ((), "two words", "bad_token"),
        ((), " ", "bad_token"),
        (("--allow-host", "http://memory.example.org", "--no-token"), None, "bad_host"),
    ],
)
def test_without_a_token_it_serves_nobody_unless_told_by_name(
    words: tuple[str, ...], token: str | None, code: str, tmp_path: Path
) -> None:
    from click.testing import CliRunner

    from asterism.entry.cli.app import app

    words = ("mcp", "--http", "--json", "--port", "0", "--db", str(tmp_path / "memory.db"), *words)
    result = CliRunner().invoke(app, words, env={"ASTERISM_TOKEN": token})
    assert result.exit_code == 2
    assert json.loads(result.stderr)["error"] == code


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match="cannot listen") as caught:
            serve_http(held, profile="asterism", host="127.0.0.1", port=port, token=None, allowed_hosts=(), tell=print)
    assert caught.value.code == "bad_address"


def test_sessions_are_bounded_and_expire() -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}).encode()
    head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    head += f"Accept: application/json, text/event-stream\r\nContent-Length: {len(body)}\r\n\r\n"

    async def begin(connect: Connect) -> int:
        reader, writer = await connect()
        writer.write(head.encode() + body)
        return int((await reader.read()).split()[1])

    async def run(limits: Limits, work: Callable[[Connect], Awaitable[None]]) -> None:
        holding = held()
        async with served(application(build(holding), limits), limits) as connect:
            await work(connect)
        await holding.close()

    async def bounded(connect: Connect) -> None:
        assert [await begin(connect) for _ in range(3)] == [200, 200, 503]

    async def expiring(connect: Connect) -> None:
        assert await begin(connect) == 200
        while await begin(connect) != 200:  # until the first one is closed
            pass

    asyncio.run(run(Limits(sessions=2), bounded))
    asyncio.run(run(Limits(sessions=1, session_seconds=0.05), expiring))

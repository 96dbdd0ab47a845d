"""The service as a process: the line that says it answers, tokens, events that go on after a kill, MCP on its port."""

from __future__ import annotations

import asyncio
import json
import signal
import ssl
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from asterism import Memory
from asterism.entry.cli.app import app
from tests.support.http_service import token
from tests.support.mcp_client import environment
from tests.support.paths import DATA


@contextmanager
def serving(db: Path, *words: str, end: signal.Signals = signal.SIGTERM) -> Iterator[str]:
    """Run a server at a free port; give its address."""
    line = [sys.executable, "-m", "asterism", "serve", "--port", "0", "--db", str(db), *words]
    process = subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(db.parent)
    )
    assert process.stdout is not None
    try:
        told = process.stdout.readline().split()
        assert told[:1] == ["ready"], process.communicate()
        yield told[1]
        process.send_signal(end)
        _, log = process.communicate()
        assert "Traceback" not in log, log
        if end == signal.SIGTERM:
            assert process.returncode == 0
            assert not db.with_name("memory.db-wal").exists()  # everything was let go of
    finally:
        process.kill()
        process.communicate()


def post(address: str, command: str, *, secret: str | None = None, **told: Any) -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    request = urllib.request.Request(f"{address}/v1/spaces/me/{command}", json.dumps(told).encode(), headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return json.load(error)


class Listening:
    """Reads a stream of events."""

    def __init__(self, address: str, last: str = "") -> None:
        headers = {"Last-Event-ID": last} if last else {}
        self._stream = urllib.request.urlopen(urllib.request.Request(f"{address}/v1/spaces/me/events", None, headers))

    def next(self) -> dict[str, str]:
        """Wait for the next event."""
        found: dict[str, str] = {}
        while True:
            line = self._stream.readline().decode().rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                found[name] = value
            elif "id" in found:
                return found
            else:
                found = {}

    def close(self) -> None:
        self._stream.close()


def test_it_says_when_it_answers_and_whom_it_lets_in(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    secret = token(db, "me", may="write")
    with serving(db) as address:
        assert post(address, "learn", content="Ada likes tea")["error"] == "no_token"
        assert post(address, "learn", content="Ada likes tea", secret=secret)["status"] == "new"
        assert post(address, "recall", query="tea", secret=secret)["hits"][0]["text"] == "Ada likes tea"


def test_events_go_on_after_a_kill_without_loss_or_repetition(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    told = [f"Crane {number} needs grease" for number in range(6)]
    heard: list[dict[str, str]] = []
    with serving(db, "--no-token", end=signal.SIGKILL) as address:
        with closing(Listening(address)) as stream:
            for text in told[:3]:
                post(address, "learn", content=text)
                heard.append(stream.next())
        post(address, "learn", content=told[3])  # nobody listens
    with serving(db, "--no-token") as address, closing(Listening(address, heard[-1]["id"])) as stream:
        for text in told[4:]:
            post(address, "learn", content=text)
        heard += [stream.next() for _ in range(3)]
        with closing(Listening(address, f"{'0' * 16}-3")) as anew:
            assert anew.next()["event"] == "reset"
            again = [anew.next() for _ in told]
        exported = urllib.request.urlopen(f"{address}/v1/spaces/me/export").read().decode().splitlines()[1:]
        post(address, "erase", subject=f"item:{json.loads(heard[0]['data'])['id']}", yes=True)
        kinds = [stream.next() for _ in range(2)]
    assert [json.loads(each["data"])["payload"]["content"] for each in heard] == told
    assert again == heard
    assert [each["data"] for each in heard] == exported
    copies = {each["id"].partition("-")[0] for each in heard}
    assert [int(each["id"].partition("-")[2]) for each in heard] == [1, 2, 3, 4, 5, 6]
    assert len(copies) == 1
    assert json.loads(heard[0]["data"])["id"] in {json.loads(each["data"]).get("erased") for each in kinds}


def test_a_kill_in_the_middle_of_writes_loses_and_repeats_nothing(tmp_path: Path) -> None:
    db, sent, kills = tmp_path / "memory.db", 24, 2
    with serving(db, "--no-token", "--quiet") as address:
        for name in ("Sleep", "Mood"):
            post(address, "star/add", name=name)
    answers: dict[int, str] = {}
    begun = 0
    for each in range(kills + 1):
        last = each == kills
        with killed(db, after=None if last else sent // (kills + 1) - each) as address:
            try:
                while begun < sent:
                    request = urllib.request.Request(f"{address}/v1/spaces/me/observe", BODY, {**JSON, KEY: str(begun)})
                    with urllib.request.urlopen(request) as answer:
                        answers[begun] = json.load(answer)["item_id"]
                    begun += 1
            except OSError:  # it was killed: whether this one was written is not known here, and it is sent again
                assert not last
    assert len(set(answers.values())) == sent
    with Memory.open_sync(db, space="me", embedder="hashed") as memory:
        assert memory.stats().items["evidence"] == sent
        assert memory.verify().ok


BODY = json.dumps({"a": "sleep", "b": "mood", "kind": "user_confirms"}).encode()
JSON, KEY = {"Content-Type": "application/json"}, "Idempotency-Key"


@contextmanager
def killed(db: Path, *, after: int | None) -> Iterator[str]:
    """Run a server that is killed once it has begun to answer so many requests, or is ended as it should be."""
    if after is None:
        with serving(db, "--no-token") as address:
            yield address
        return
    line = [sys.executable, "-m", "asterism", "serve", "--port", "0", "--db", str(db), "--no-token"]
    process = subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(db.parent)
    )
    assert process.stdout is not None
    assert process.stderr is not None
    lines = process.stderr

    def kill() -> None:
        for count, _ in enumerate(lines):
            if count >= after:
                process.kill()

    watching = threading.Thread(target=kill)
    watching.start()
    try:
        yield process.stdout.readline().split()[1]
    finally:
        process.kill()
        watching.join()
        process.communicate()


def test_agents_ask_on_the_same_port_with_the_same_tokens(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    writer, reader, both = token(db, "me", may="write"), token(db, "me", may="read"), token(db, "*", may="admin")

    async def tools(address: str, secret: str) -> set[str]:
        async with (
            create_mcp_http_client(headers={"Authorization": f"Bearer {secret}"}) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            names = {tool.name for tool in (await client.list_tools()).tools}
            if "learn" in names:
                await client.call_tool("learn", {"facts": ["Ada likes tea"]})
            told = await client.call_tool("recall", {"query": "tea"})
            assert "Ada likes tea" in str(told.content)
            return names

    def status(path: str, secret: str | None) -> int:
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        try:
            with urllib.request.urlopen(urllib.request.Request(path, b"{}", headers)) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    with serving(db) as address:
        assert len(asyncio.run(tools(f"{address}/mcp", writer))) == 12
        assert asyncio.run(tools(f"{address}/mcp/me", reader)) == {"recall", "show", "why", "market_levels"}
        assert post(address, "recall", query="tea", secret=reader)["hits"]
        assert status(f"{address}/mcp", None) == 401
        assert status(f"{address}/mcp/you", reader) == 404
        assert status(f"{address}/mcp", both) == 422


def test_other_machines_need_a_certificate_and_its_own_is_spoken(tmp_path: Path) -> None:
    db, chain, key = tmp_path / "memory.db", DATA / "localhost.crt", DATA / "localhost.key"
    proof = ("--certificate", str(chain), "--key", str(key))
    with serving(db, "--no-token", *proof) as address:
        assert address.startswith("https://")
        known = ssl.create_default_context(cafile=str(chain))
        with urllib.request.urlopen(f"{address}/healthz", context=known) as answer:
            assert json.load(answer) == {"ok": True}
    for words, code in (
        (("--host", "0.0.0.0"), "needs_tls"),
        (("--host", "0.0.0.0", "--no-token", *proof), "needs_token"),
        (("--certificate", str(chain), "--key", str(chain)), "bad_certificate"),
        (("--certificate", str(chain)), "usage"),
    ):
        result = CliRunner().invoke(app, ["serve", "--json", "--port", "0", "--db", str(db), *words])
        assert (result.exit_code, json.loads(result.stderr)["error"]) == (2, code)

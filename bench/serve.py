"""Fifty clients at once: how long each waits for the service, what goes wrong, and whether anything is lost.

Each keeps one connection and asks as soon as it was answered: four times recall, then a learn. Beside it a bare
starlette endpoint, asked by the same clients, says what the machine and the clients take. At the end the events from
the beginning are compared with what was acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from bench.timing import Figure, Goal, Timing, duration

NAME = "serve"
CLIENTS = 50
SECONDS, QUICK_SECONDS = 300.0, 5.0
FACTS = 200
BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

async def endpoint(request):
    await request.body()
    return PlainTextResponse("{}")

app = Starlette(routes=[Route("/{path:path}", endpoint, methods=["POST"])])
config = uvicorn.Config(app, port=0, log_level="error", access_log=False)

class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print("ready http://127.0.0.1:%d" % self.servers[0].sockets[0].getsockname()[1], flush=True)

Server(config).run()
"""


@dataclass
class Seen:
    """What the clients saw: seconds of each answer, what was acknowledged, and what was not answered well."""

    recalls: list[float] = field(default_factory=list)
    learns: list[float] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    wrong: list[int] = field(default_factory=list)


def run(*, quick: bool) -> Iterator[Figure]:
    if find_spec("mcp") is None:
        print("serve: skipped, the packages of the extra serve are not installed", file=sys.stderr)
        return
    seconds = QUICK_SECONDS if quick else SECONDS
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder, "memory.db")
        words = [sys.executable, "-m", "asterism", "serve", "--no-token", "--quiet", "--port", "0", "--db", str(db)]
        bare, _, _ = measured([sys.executable, "-c", BARE], seconds / 5, facts=0)
        ours, heard, grown = measured([*words, "--embedder", "hashed"], seconds, facts=FACTS)
    lost, strange = len(ours.told - heard), len(heard - ours.told)
    note = f"{len(ours.recalls) + len(ours.learns):,} answers in {seconds:.0f} s, {len(ours.wrong)} errors; "
    note += f"{lost} of {len(ours.told):,} acknowledged lost, {strange} not acknowledged; memory {grown:+.0%}"
    middle, late = share(ours.recalls, 0.5), share(ours.recalls, 0.99)
    yield duration(f"recall, one of {CLIENTS} clients: median", wall(middle), "ms", judged="wall", note=note)
    yield duration(
        f"recall, one of {CLIENTS} clients: 99 of 100, beside five times the median",
        wall(late),
        "ms",
        other="five times the median",
        theirs=wall(5 * middle),
        goal=Goal("ratio", "<=", 1.0),
        judged="wall",
    )
    yield duration("learn: median", wall(share(ours.learns, 0.5)), "ms", judged="wall")
    yield duration("learn: 99 of 100", wall(share(ours.learns, 0.99)), "ms", judged="wall")
    yield duration("a bare starlette endpoint: median", wall(share(bare.recalls, 0.5)), "ms", judged="wall")


def wall(seconds: float) -> Timing:
    return Timing(float("nan"), seconds)


def share(times: list[float], part: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def measured(command: list[str], seconds: float, *, facts: int) -> tuple[Seen, set[str], float]:
    """Run a server and its clients; give what they saw, what the events tell, and how much the process grew."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        address = process.stdout.readline().split()[1]
        host, _, port = address.removeprefix("http://").rpartition(":")
        seen = Seen()
        asyncio.run(all_clients(host, int(port), seconds / 5, seen, facts=facts))
        before = resident(process.pid)
        seen.recalls, seen.learns = [], []
        asyncio.run(all_clients(host, int(port), seconds, seen, facts=0))
        after = resident(process.pid)
        heard = events(address, len(seen.told)) if facts else set()
        return seen, heard, after / before - 1
    finally:
        process.terminate()
        process.communicate()


def resident(pid: int) -> int:
    text = Path(f"/proc/{pid}/statm").read_text() if Path("/proc").exists() else "0 1"
    return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def all_clients(host: str, port: int, seconds: float, seen: Seen, *, facts: int) -> None:
    if facts:
        await asyncio.gather(*(client(host, port, None, seen, number, facts // CLIENTS) for number in range(CLIENTS)))
    until = time.perf_counter() + seconds
    await asyncio.gather(*(client(host, port, until, seen, number, 0) for number in range(CLIENTS)))


async def client(host: str, port: int, until: float | None, seen: Seen, number: int, facts: int) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    count = 0
    while count < facts if until is None else time.perf_counter() < until:
        count += 1
        if until is None or count % 5 == 0:
            text = f"Client {number} saw crane {len(seen.told)} lift {time.perf_counter_ns()} kilos"
            took, status = await post(reader, writer, "learn", {"content": text})
            seen.learns.append(took)
            if status == 200:
                seen.told.add(text)
        else:
            took, status = await post(reader, writer, "recall", {"query": f"which crane did client {number} see?"})
            seen.recalls.append(took)
        if status != 200:
            seen.wrong.append(status)
    writer.close()


async def post(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, command: str, told: dict[str, str]
) -> tuple[float, int]:
    body = json.dumps(told).encode()
    head = f"POST /v1/spaces/me/{command} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    began = time.perf_counter()
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    answered = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = next(int(line[15:]) for line in answered.split("\r\n") if line.startswith("content-length:"))
    await reader.readexactly(length)
    return time.perf_counter() - began, int(answered.split()[1])


def events(address: str, count: int) -> set[str]:
    """Listen from the beginning until as many were learned as were acknowledged."""
    heard: list[str] = []
    with urllib.request.urlopen(f"{address}/v1/spaces/me/events") as stream:
        while len(heard) < count:
            line = stream.readline()
            if line.startswith(b"data: "):
                told = json.loads(line[6:])
                heard += [told["payload"]["content"]] if told.get("what") == "learned" else []
    return set(heard)

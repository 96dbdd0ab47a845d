"""How long an MCP client waits: from the start of the server's process to the answer to its `initialize`.

Beside it a server of the same SDK that does nothing, and the reference memory server where npx is at hand.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from bench import processes
from bench.timing import Figure, Goal, Timing, duration, median

NAME = "mcp"
REFERENCE = "@modelcontextprotocol/server-memory"
REFERENCE_COMMAND = "mcp-server-memory"
PATIENCE = 30.0
BARE = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def main():
    server = Server("bare")
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

anyio.run(main)
"""
OURS = "import sys; sys.argv = ['asterism', 'mcp']; from asterism.entry.cli import main; main()"


def ask(number: int, method: str, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


HELLO = ask(
    1, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "bench", "version": "1"}
)
READY = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode() + b"\n"
ROUNDS = {
    "initialize": (HELLO,),
    "tools/list": (HELLO, READY + ask(2, "tools/list")),
    "first recall": (
        HELLO,
        READY + ask(2, "tools/list"),
        ask(3, "tools/call", name="recall", arguments={"query": "why do deploys fail?"}),
    ),
}


def run(*, quick: bool) -> Iterator[Figure]:
    if find_spec("mcp") is None:
        print("mcp: skipped, the package mcp is not installed: pip install '.[mcp]'", file=sys.stderr)
        return
    commands = {"ours": [sys.executable, "-c", OURS], "bare": [sys.executable, "-c", BARE]}
    reference = _reference()
    if reference:
        commands["reference"] = reference
    else:
        print(f"mcp: {REFERENCE} is not measured: npx is not here, or cannot get it", file=sys.stderr)
    taken: dict[str, list[Timing]] = {}
    with processes.compiled() as environment, tempfile.TemporaryDirectory() as folder:
        environment |= {
            "ASTERISM_DB": str(Path(folder, "memory.db")),
            "MEMORY_FILE_PATH": str(Path(folder, "memory.jsonl")),  # of the reference server
        }
        for turn in range(4 if quick else 11):
            for name, command in commands.items():
                for asked, lines in ROUNDS.items() if name == "ours" else [("initialize", ROUNDS["initialize"])]:
                    timing = answered(command, lines, environment)
                    if turn:  # the first one compiles
                        taken.setdefault(f"{name} {asked}", []).append(timing)
    found = {name: median(each) for name, each in taken.items()}
    yield duration(
        "ready: process start to answered initialize",
        found["ours initialize"],
        "s",
        other="a bare server of the same SDK",
        theirs=found["bare initialize"],
        goal=Goal("ours", "<=", 0.5),
        note="the protocol over stdio is spoken without the SDK (entry/mcp/stdio.py, docs/adr/0015)",
    )
    if "reference initialize" in found:
        yield duration(
            "the same, beside the reference server",
            found["ours initialize"],
            "s",
            other=REFERENCE,
            theirs=found["reference initialize"],
        )
    yield duration("process start to the list of tools", found["ours tools/list"], "s")
    yield duration("process start to the first recall, of a new memory", found["ours first recall"], "s")


def answered(command: Sequence[str], lines: Sequence[bytes], environment: Mapping[str, str]) -> Timing:
    """Start a server, send lines and wait for an answer to each; give the time to the last one."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(environment)
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        for line in lines:
            process.stdin.write(line)
            process.stdin.flush()
            if not select.select([process.stdout], [], [], PATIENCE)[0] or not process.stdout.readline():
                raise RuntimeError(f"{command[0]} did not answer")
        return Timing(cpu_of(process.pid), time.perf_counter() - began)
    finally:
        process.kill()
        process.communicate()


def cpu_of(pid: int) -> float:
    """Give the CPU seconds of a process so far; where the system does not tell, nothing."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _reference() -> list[str]:
    """Let npx get the reference server, and give the command that runs it without npx; nothing if that fails."""
    npx, node = shutil.which("npx"), shutil.which("node")
    if npx is None or node is None:
        return []
    asked = [npx, "--yes", "--package", REFERENCE, "--call", f"command -v {REFERENCE_COMMAND}"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    path = told.stdout.strip()
    if told.returncode or not path:
        return []
    command = [node, str(Path(path).resolve())]
    try:
        answered(command, ROUNDS["initialize"], dict(os.environ))
    except (OSError, RuntimeError):
        return []
    return command

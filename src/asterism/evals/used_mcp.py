"""Recall over MCP as an agent gets it: a real server on a file of its own, and the SDK's own client.

What is told and asked goes through the tools, briefly, as a server offers them by default; answers are read as an
agent reads them, one page of text.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import datetime
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from asterism.core.blocks.scoring import block_id
from asterism.core.ledger.graph import Entry
from asterism.evals.as_used import Answered, Known, Rows, Used, in_order, times_of
from asterism.evals.recall_sets import Pool, Progress
from asterism.evals.report import Report

if TYPE_CHECKING:
    from mcp import Client

HITS = 10
ID = re.compile(r"\[([^\[\]\s]+)\]")
Tell = Callable[["Client", Pool], Awaitable[Known]]


def installed() -> bool:
    """Say whether the SDK is there."""
    return find_spec("mcp") is not None


async def learned(client: Client, pool: Pool) -> Known:
    """Tell every session by `learn`: its conversation, and of each turn who said it when."""
    known: Known = {}
    for group, entries in _sessions(pool):
        facts = [
            {"content": each.text, "speaker": each.speaker, "at": _written(at)}
            for each, at in zip(entries, times_of(entries), strict=True)
        ]
        await call(client, "learn", {"facts": facts, "conversation": group})
        for each in entries:
            known.setdefault(block_id(each.text.strip()), set()).add(each.id)
    return known


async def read(client: Client, pool: Pool) -> Known:
    """Tell every session by `transcript_read`: its lines as "Name: text", and when it began."""
    known: Known = {}
    for group, entries in _sessions(pool):
        session = group.replace("_", "-")
        told = {"lines": [f"{each.speaker}: {each.text}" for each in entries], "session": session}
        await call(client, "transcript_read", {**told, "started_at": _written(times_of(entries)[0])})
        known |= {f"{session}/{place}": {each.id} for place, each in enumerate(entries)}
    return known


WAYS: Mapping[str, tuple[str, Tell]] = {
    "mcp": ("as used: MCP learn with conversation, speaker and at, then recall", learned),
    "mcp read": ('as used: MCP transcript_read of each session as "Name: text", then recall', read),
}


def mcp_reports(
    evaluation: str,
    pools: Sequence[Pool],
    *,
    rows: Rows,
    embedder: str | None = None,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Tell and ask every pool by every way over MCP: a report each; none without the SDK."""
    reports = []
    for name, (told, tell) in WAYS.items() if installed() else ():
        begun = clock()
        answered: list[Answered] = []
        for pool in pools:
            if progress is not None:
                progress(f"{name}: {pool.name}")
            answered += asyncio.run(_served(pool, tell, embedder))
        reports.append(Report(evaluation, name, told, tuple(rows(answered)), round(clock() - begun, 3)))
    return reports


async def _served(pool: Pool, tell: Tell, embedder: str | None) -> list[Answered]:
    """Start a server for a pool, tell it all and ask it every question."""
    from mcp import Client, StdioServerParameters

    environment = {} if embedder is None else {"ASTERISM_EMBEDDER": embedder}  # the SDK adds where programs lie
    with tempfile.TemporaryDirectory() as folder:
        serves = ["-m", "asterism", "mcp", "--db", str(Path(folder) / "memory.db"), "--space", "eval"]
        server = StdioServerParameters(command=sys.executable, args=serves, env=environment)
        async with Client(server) as client:
            known = await tell(client, pool)
            return [(pool.name, asked, await _asked(client, known, asked.text)) for asked in pool.questions]


async def _asked(client: Client, known: Known, question: str) -> Used:
    told = await call(client, "recall", {"query": question, "k": HITS, "floor": 0})
    ids = dict.fromkeys(found for found in ID.findall(told) if found in known)
    return Used(tuple(frozenset(known[each]) for each in ids), probability=0.0, unsure="unsure" in told)


async def call(client: Client, tool: str, arguments: dict[str, object]) -> str:
    """Call a tool and give what the agent reads."""
    result = await client.call_tool(tool, arguments)
    told = "\n".join(getattr(each, "text", "") for each in result.content)
    if result.is_error:
        raise RuntimeError(f"{tool} failed: {told}")
    return told


def _sessions(pool: Pool) -> Iterator[tuple[str, list[Entry]]]:
    return ((group, list(held)) for group, held in groupby(in_order(pool), key=lambda each: each.group))


def _written(at: datetime | None) -> str:
    assert at is not None
    return at.isoformat()

"""Odd dates and wrong clocks over real MCP: every call is answered, and nothing is blocked after reopening."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mcp import Client, StdioServerParameters

from asterism.core.ledger.calendar import to_micros
from asterism.store.in_memory import InMemoryStore
from tests.support.mcp_client import COLD, WARM, asking, command, environment, text_of
from tests.support.memories import DAY, NOON, AnyMemory, remembering
from tests.support.work import lines_run

JUMPED = """
import sys, time
real, ahead = time.time_ns, {ahead}
time.time_ns = lambda: real() + ahead  # what a machine with a wrong clock says
from asterism.entry.cli import main
sys.argv = ["asterism", *sys.argv[1:]]
main()
"""
EIGHTY_YEARS = 80 * 365 * 86_400 * 10**9


def jumped(folder: Path, *, ahead: int) -> StdioServerParameters:
    """Give the command of a server on a machine whose clock is ahead by so many nanoseconds."""
    told = ["-c", JUMPED.format(ahead=ahead), "mcp", "--full", "--db", str(folder / "memory.db")]
    return StdioServerParameters(command=sys.executable, args=told, env=environment(folder))


def latest(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "memory.db")) as connection:
        return int(connection.execute("SELECT max(max(at), max(known_at)) FROM ledger").fetchone()[0])


def test_a_date_of_1900_and_a_clock_of_2106_stop_nobody_and_leave_no_trace(tmp_path: Path) -> None:
    facts = [{"content": COLD, "name": "Cold"}, {"content": WARM, "name": "Warm"}]

    async def long_ago() -> None:
        async with Client(command(tmp_path)) as client:
            asks = await asking(client)
            await asks.call("learn", facts=facts)
            await asks.call("observe", a="Cold", b="Warm", kind="user_confirms", at="1900-01-02")
            assert (await asks.call("recall", query="cold cache"))["hits"]
            refused = await asks.fail("observe", a="Cold", b="Warm", kind="user_confirms", at="1899-12-31")
            assert refused["error"] == "bad_time"

    async def far_ahead() -> None:
        async with Client(jumped(tmp_path, ahead=EIGHTY_YEARS)) as client:
            asks = await asking(client)
            answered = await asks.result("recall", query="cold cache")
            assert not answered.is_error
            assert COLD in text_of(answered)
            assert "system's clock" in text_of(answered)
            refused = await asks.fail("learn", facts=[{"content": "the canary sings at dawn"}])
            assert refused["error"] == "clock_ahead"
            assert "--trust-clock" in (refused["hint"] or "")

    async def back() -> None:
        async with Client(command(tmp_path)) as client:
            asks = await asking(client)
            assert (await asks.call("recall", query="cold cache"))["hits"]
            await asks.call("observe", a="Cold", b="Warm", kind="user_confirms")
            assert await asks.call("why", ids=["Cold", "Warm"])

    for step in (long_ago, far_ahead, back):
        asyncio.run(step())
    assert latest(tmp_path) < to_micros(datetime.now(UTC) + timedelta(days=1))


def told(**how: object) -> tuple[int, int]:
    """Count the lines that it takes to tell of a time, and to open the memory and ask after that."""
    store = InMemoryStore()
    with remembering(store) as memory:
        memory.learn(COLD, name="Cold")
        memory.learn(WARM, name="Warm")
        memory.observe("Cold", "Warm", "user_confirms")
        telling = lines_run(lambda: memory.observe("Cold", "Warm", "user_confirms", **how))

    def ask() -> None:
        memory: AnyMemory
        with remembering(store) as memory:
            memory.recall("cold cache")

    return telling, lines_run(ask)


def test_what_was_in_1900_costs_no_more_than_what_was_a_year_ago() -> None:
    year, century = told(at=NOON - 365 * DAY), told(at="1900-01-02")
    assert century[0] < 2 * year[0]
    assert century[1] < 2 * year[1]

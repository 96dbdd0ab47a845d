"""What odd dates, a wrong clock and late items cost: no call may wait for the days between, or for what came before.

An observation of 1900-01-02 and a system clock that jumps to 2106 and back, each through the library and over MCP on
stdin and stdout, and the first call after opening the memory again. Then items that come late among many.
"""

from __future__ import annotations

import json
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from asterism import Memory
from asterism.engine.connections.observe import Evidence
from asterism.engine.space.clock import SystemClock, system_time
from asterism.engine.space.threads import HereRunner
from asterism.errors import ClockError
from asterism.sync import Memory as SyncMemory
from bench import processes
from bench.mcp import HELLO, PATIENCE, READY, ask, cpu_of
from bench.timing import Figure, Goal, Timing, duration, interleaved, timed

NAME = "bounds"
SPACE = "me"
QUICKLY = Goal("ours", "<=", 2.0)
EIGHTY_YEARS = timedelta(days=80 * 365)
SERVER = """
import sys, time
real, ahead = time.time_ns, int(sys.argv.pop(1))
time.time_ns = lambda: real() + ahead  # what a machine with a wrong clock says
sys.argv = ["asterism", "mcp", *sys.argv[1:]]
from asterism.entry.cli import main
main()
"""
LONG_AGO = "1900-01-02"
EVIDENCE = {"a": "Tea", "b": "Sleep", "kind": "user_confirms"}
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


def run(*, quick: bool) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        yield from _library(Path(folder, "library.db"))
        yield from _server(Path(folder, "mcp.db"))
    yield from _late(2_000 if quick else 20_000, repeat=3 if quick else 5)


# An odd date, and a wrong clock


def _opened(path: Path, *, ahead: timedelta = timedelta()) -> SyncMemory:
    jump = round(ahead.total_seconds() * 1e6)
    clock = SystemClock(lambda: system_time() + jump)
    return SyncMemory(Memory(path, space=SPACE, clock=clock, embedder="hashed", runner=HereRunner()))


def _begun(path: Path) -> None:
    with _opened(path) as memory:
        memory.add_star("Sleep", domain="health")
        memory.learn("Tea keeps me awake.", name="Tea")
        memory.observe("Tea", "Sleep", "user_creates")


def _library(path: Path) -> Iterator[Figure]:
    _begun(path)

    def reopened(ahead: timedelta = timedelta()) -> Timing:
        def first_recall() -> None:
            with _opened(path, ahead=ahead) as memory:
                memory.recall("tea")

        return timed(first_recall)

    def refused() -> None:
        with _opened(path, ahead=EIGHTY_YEARS) as memory:
            try:
                memory.observe("Tea", "Sleep", "user_confirms")
            except ClockError:
                return
            raise RuntimeError("an observation of 2106 was written")

    with _opened(path) as memory:
        told = timed(lambda: memory.observe("Tea", "Sleep", "user_confirms", at=LONG_AGO))
    yield _quick("library: observe dated 1900-01-02", told)
    yield _quick("library: open and recall after it", reopened())
    yield _quick("library: open and recall in 2106", reopened(EIGHTY_YEARS))
    yield _quick("library: observe in 2106, refused", timed(refused))
    yield _quick("library: open and recall, the clock being right again", reopened())


def _quick(job: str, taken: Timing) -> Figure:
    return duration(job, taken, "s", judged="wall", goal=QUICKLY)


class Server:
    """A server over stdin and stdout, and what each call of it takes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._number = 1
        self._answer(HELLO)
        self._send(READY)

    def call(self, tool: str, **arguments: object) -> tuple[Timing, dict[str, object]]:
        """Call a tool; give the time to its answer, and what it says."""
        self._number += 1
        cpu, wall = cpu_of(self._process.pid), time.perf_counter()
        told = self._answer(ask(self._number, "tools/call", name=tool, arguments=arguments))
        return Timing(cpu_of(self._process.pid) - cpu, time.perf_counter() - wall), told

    def _send(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()

    def _answer(self, line: bytes) -> dict[str, object]:
        self._send(line)
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], PATIENCE)[0]:
            raise RuntimeError(f"no answer within {PATIENCE:g} s: {line[:100]!r}")
        return dict(json.loads(self._process.stdout.readline())["result"])


@contextmanager
def _served(path: Path, environment: Mapping[str, str], *, ahead: timedelta = timedelta()) -> Iterator[Server]:
    jump = round(ahead.total_seconds()) * 10**9
    command = [sys.executable, "-c", SERVER, str(jump), "--db", str(path), "--space", SPACE, "--embedder", "hashed"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(environment)
    )
    try:
        yield Server(process)
    finally:
        process.kill()
        process.communicate()


def _server(path: Path) -> Iterator[Figure]:
    _begun(path)
    with processes.compiled() as environment:
        with _served(path, environment) as server:
            server.call("recall", query="tea")  # which loads the engine
            yield _answered("observe dated 1900-01-02", server.call("observe", **EVIDENCE, at=LONG_AGO))
            yield _answered("recall after it", server.call("recall", query="tea"))
        with _served(path, environment) as server:
            note = "with loading the engine, as in any new process"
            yield _answered("first recall of a new server", server.call("recall", query="tea"), note=note)
        with _served(path, environment, ahead=EIGHTY_YEARS) as server:
            yield _answered("first recall in 2106", server.call("recall", query="tea"))
            yield _answered("observe in 2106, refused", server.call("observe", **EVIDENCE), refused=True)
        with _served(path, environment) as server:
            right = "first recall, the clock being right again"
            yield _answered(right, server.call("recall", query="tea"))
            yield _answered("observe then", server.call("observe", **EVIDENCE))


def _answered(job: str, told: tuple[Timing, dict[str, object]], *, refused: bool = False, note: str = "") -> Figure:
    taken, answer = told
    if bool(answer.get("isError")) is not refused:
        raise RuntimeError(f"{job}: {answer}")
    return duration(f"MCP: {job}", taken, "s", judged="wall", goal=QUICKLY, note=note)


# Late items


def _late(many: int, *, repeat: int) -> Iterator[Figure]:
    """Tell of the past among many items of a thousand days: it costs what came after, not what came before."""
    chance = Random(1)
    stars = [f"star {number}" for number in range(100)]
    days = [NOW - timedelta(days=1_000 * (1 - place / many)) for place in range(many)]
    with Memory.open_sync(":memory:", space=SPACE, clock=NOW, embedder="hashed") as memory:
        for star in stars:
            memory.add_star(star, domain="soul", at=days[0])
        memory.observe_many([Evidence(a, b, "user_confirms", at) for at in days for a, b in [chance.sample(stars, 2)]])
        memory.learn_many([{"content": f"fact {place}: {chance.random()}", "at": at} for place, at in enumerate(days)])
        count = iter(range(10**9))

        def observed(back: timedelta) -> Callable[[], object]:
            return lambda: memory.observe(stars[0], stars[1], "user_confirms", at=NOW - back, source=str(next(count)))

        def learned(back: timedelta) -> Callable[[], object]:
            return lambda: memory.learn(f"late fact {next(count)}", at=NOW - back)

        today, hours, month, years = (timedelta(days=each) for each in (0, 0.6, 30, 900))
        for back in (hours, month):
            observed(back)()
            learned(back)()
        for what, tell in (("observe", observed), ("learn", learned)):
            jobs = {"today": tell(today), "hours": tell(hours), "month": tell(month), "years": tell(years)}
            taken: dict[str, Timing] = {}
            for (
                name,
                job,
            ) in jobs.items():  # one after the other: what is late for one must not be what the next goes back to
                taken |= interleaved({name: job}, repeat=repeat)
            for name, said in (("hours", "yesterday"), ("month", "a month ago"), ("years", "900 days ago")):
                yield duration(
                    f"{what} of {said}, among {many:,} items of 1,000 days",
                    taken[name],
                    "ms",
                    other="the same of today",
                    theirs=taken["today"],
                )

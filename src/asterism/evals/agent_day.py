"""An agent's days: what it learns over sixty of them, and what it is asked on the last evening, over MCP.

The stories are our own (`data/agent_day_*.jsonl`): what is told on which day, some of it the value of a slot, then what
is asked. The questions were written before any was asked. What was wrong with the translator's was looked at while
recall was built, and what was wrong with the mechanic's later, by kinds of mistakes; the innkeeper's came last. A
server is started as a client starts it, but for its clock, which stands on the last evening; the official SDK's client
tells and asks, and what is judged is the text that an agent would read:

    now, then      the first hit is the fact that holds, or held at the time asked about
    when           it is the fact, and its line has the day
    how often      it is the fact, and its line has the number
    unanswerable   the answer says that it is unsure, or nothing was recalled
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from asterism.evals.report import Report, Row
from asterism.evals.used_mcp import call

if TYPE_CHECKING:
    from mcp import Client

STORIES = ("translator", "mechanic", "innkeeper")
DATA = Path(__file__).parent / "data"
FIRST_DAY, DAYS = date(2026, 3, 2), 60
EVENING = datetime(2026, 4, 30, 21, tzinfo=UTC)
DREAMS_EVERY = 15  # days
KINDS = ("now", "then", "when", "how often", "unanswerable")
HIT = re.compile(r"^\[([^\[\]\s]+)\] ")
UNSURE = "unsure"
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something told on a day, counted from 1; perhaps the value of a slot from then on."""

    day: int
    text: str
    slot: str = ""

    @property
    def at(self) -> str:
        """The day as a date."""
        return (FIRST_DAY + timedelta(days=self.day - 1)).isoformat()

    def told(self) -> dict[str, str]:
        """Give it as `learn` takes it."""
        return {"content": self.text, "at": self.at} | ({"slot": self.slot} if self.slot else {})


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, the fact that answers it ("" if none does), and what its line has to say besides."""

    text: str
    kind: str
    gold: str = ""
    date: str = ""
    times: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """A question and the text that the agent got."""

    question: Question
    text: str

    @property
    def first(self) -> str:
        """The line of the first hit, "" if there is none."""
        return next((line for line in self.text.splitlines() if HIT.match(line)), "")

    @property
    def unsure(self) -> bool:
        """Whether the memory said that it does not know."""
        return not self.first or UNSURE in HIT.sub("", self.text.replace(self.first, ""))

    @property
    def right(self) -> bool:
        """Whether it is the answer, told with confidence; or rightly none."""
        asked, line = self.question, HIT.sub("", self.first)
        if not asked.gold:
            return self.unsure
        context, told, _ = line.partition(asked.gold)
        if self.unsure or not told:
            return False
        if asked.date:
            return asked.date in context
        return not asked.times or f" {asked.times}x " in context


def story(name: str) -> tuple[list[Fact], list[Question]]:
    """Read what is told, in the order of days, and what is asked."""
    facts, questions = list[Fact](), list[Question]()
    for line in (DATA / f"agent_day_{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "tell" in row:
            facts.append(Fact(row["day"], row["tell"], row.get("slot", "")))
        else:
            more = {name: row[name] for name in ("gold", "date", "times") if name in row}
            questions.append(Question(row["ask"], row["kind"], **more))
    return facts, questions


def by_day(facts: Sequence[Fact]) -> Iterator[tuple[int, list[Fact]]]:
    """Give each day on which something is told, with what."""
    for day in range(1, DAYS + 1):
        told = [each for each in facts if each.day == day]
        if told:
            yield day, told


async def lived(client: Client, name: str, progress: Progress | None = None) -> list[Reply]:
    """Tell all days of a story, with a dream now and then, and ask all its questions."""
    facts, questions = story(name)
    for day, told in by_day(facts):
        await call(client, "learn", {"facts": [each.told() for each in told]})
        if day % DREAMS_EVERY == 0:
            if progress is not None:
                progress(f"{name}: day {day} of {DAYS}")
            await call(client, "dream", {})
    return [Reply(each, await call(client, "recall", {"query": each.text})) for each in questions]


def replies(name: str, *, embedder: str | None = None, progress: Progress | None = None) -> list[Reply]:
    """Start a server, and live through a story."""

    async def run() -> list[Reply]:
        from mcp import Client, StdioServerParameters

        with tempfile.TemporaryDirectory() as folder:
            more = [] if embedder is None else [embedder]
            words = ["-m", "asterism.entry.mcp.simulated", str(Path(folder) / "day.db"), EVENING.isoformat(), *more]
            async with Client(StdioServerParameters(command=sys.executable, args=words)) as client:
                return await lived(client, name, progress)

    return asyncio.run(run())


def rows(found: Sequence[Reply]) -> tuple[Row, ...]:
    """Count what was right, of each kind and in all."""
    told = []
    for kind in (*KINDS, "all"):
        of_kind = [each for each in found if kind in (each.question.kind, "all")]
        told.append(Row(kind, "right", sum(each.right for each in of_kind) / len(of_kind), len(of_kind)))
    return tuple(told)


def run(
    *, embedder: str | None = None, progress: Progress | None = None, clock: Callable[[], float] = time.perf_counter
) -> list[Report]:
    """Score an agent's days, a report for each story."""
    reports = []
    for name in STORIES:
        begun = clock()
        found = replies(name, embedder=embedder, progress=progress)
        reports.append(Report("agent", name, "as used, over MCP", rows(found), round(clock() - begun, 3)))
    return reports

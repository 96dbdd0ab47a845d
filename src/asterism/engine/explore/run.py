"""Running an exploration over a graph: the core says what it needs, here it is fetched.

A graph may answer at once or be awaited. Answers of one round are fetched side by side; their order does not matter, so
the result and the trace are the same with one walker at a time or many. Nothing is written: the result holds the
effects, for whoever owns the ledger.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from numpy.typing import ArrayLike

from asterism.core.ledger.items import check_text
from asterism.core.walkers.expedition import Asked, Expedition
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import Answer, Look, Near, Nearest, Place
from asterism.core.walkers.result import Exploration, result_of
from asterism.core.walkers.vectors import checked
from asterism.core.walkers.walker import Question
from asterism.errors import AsterismError, InputError
from asterism.hints import Hint, in_python, option

Clock = Callable[[], float]
Given = TypeVar("Given")
LONGER = Hint("give it longer (", option("deadline"), ")")


class Graph(Protocol):
    """What can be explored; both methods may answer at once or give something to await."""

    @property
    def dimension(self) -> int:
        """Give the length of the vectors."""
        ...

    def look(self, node: int) -> Place | Awaitable[Place]:
        """Give a node and its links, in the order of their ids."""
        ...

    def nearest(self, asked: Near) -> Nearest | Awaitable[Nearest | None] | None:
        """Give the narrative nearest to a vector, if it is near enough."""
        ...


class ExplorationTimeout(AsterismError):  # noqa: N818  # what the contract calls it
    """An exploration ran out of time; `exploration` holds what was found so far, and nothing was written."""

    http_status = 504

    def __init__(
        self,
        exploration: Exploration,
        *,
        seconds: float,
        spent: Mapping[str, float] | None = None,
        needed: float = 0.0,
    ) -> None:
        super().__init__(
            f"the exploration was not done after {seconds:g} seconds{_where(exploration, spent or {}, needed)}",
            code="deadline",
            item=f"{len(exploration.found)} findings",
            hint=Hint(
                LONGER,
                ", or lower max_depth or max_walkers",
                in_python("; error.exploration has what was found"),
            )
            if exploration.steps
            else Hint(
                LONGER,
                "; a memory is got ready once after it was opened, "
                "by the first recall or exploration without a deadline",
            ),
        )
        self.exploration = exploration
        self.spent = dict(spent or {})  # seconds before the walkers set out, by what they went into


def _where(exploration: Exploration, spent: Mapping[str, float], needed: float) -> str:
    """Say what the time went into."""
    told = ", ".join(f"{what} {took:.2f}" for what, took in spent.items())
    if exploration.steps:
        return f", {sum(spent.values()):.2f} of them spent getting ready" if spent else ""
    needs = f"; reading the texts would take another {needed:.2g} at least" if needed else ""
    return f": the memory was still being got ready ({told or 'nothing was done yet'}{needs})"


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What is asked of a graph, where it starts, and within which limits."""

    query: str
    query_vector: ArrayLike
    start: int
    intention: str | None = None
    intention_vector: ArrayLike | None = None
    parameters: ExplorationParameters = field(default_factory=ExplorationParameters)
    deadline: float | None = None  # seconds; None: that of the parameters
    tolerate_failures: bool = False
    concurrency: int = 64
    embedder: str = ""
    forgotten: Collection[str] = ()  # narratives that are not to be made again

    def question(self, dimension: int) -> Question:
        """Check what is asked, and give it with unit vectors."""
        check_text(self.query, field="query", many_lines=True)
        if self.intention is not None:
            check_text(self.intention, field="intention", many_lines=True)
        if self.concurrency < 1 or self.seconds < 0:
            raise InputError(
                "an exploration needs time and at least one walker at a time",
                code="bad_limit",
                item="concurrency" if self.concurrency < 1 else "deadline",
                hint=Hint("give ", option("concurrency"), " 1 or more, and ", option("deadline"), " 0 seconds or more"),
            )
        query = checked(self.query_vector, dimension=dimension, field="query")
        if self.intention_vector is None:
            return Question(self.query, query, self.intention)
        intention = checked(self.intention_vector, dimension=dimension, field="intention")
        return Question(self.query, query, self.intention, intention)

    @property
    def seconds(self) -> float:
        """Give the time there is."""
        return self.parameters.deadline_seconds if self.deadline is None else self.deadline


class _Run:
    """One exploration against the clock."""

    def __init__(self, asking: Asking, start: Place, question: Question, clock: Clock, began: float) -> None:
        self.asking = asking
        self.expedition = Expedition(question, start, asking.parameters, forgotten=asking.forgotten)
        self.clock = clock
        self.began = began

    def begin(self) -> list[Asked]:
        """Begin a round, with a look at the clock after every walker."""
        asked = []
        for each in self.expedition.begin():
            self.check()
            if each is not None:
                asked.append(each)
        return asked

    def check(self) -> None:
        """Stop when the time is over."""
        if self.left <= 0:
            self.late()

    @property
    def left(self) -> float:
        return self.asking.seconds - (self.clock() - self.began)

    def late(self) -> None:
        self.expedition.stop("deadline")
        raise ExplorationTimeout(self.told(), seconds=self.asking.seconds)

    def settle(self) -> None:
        """End a round; a lost walker ends the exploration unless that is tolerated."""
        errors = self.expedition.settle()
        if errors and (self.expedition.root.failed is not None or not self.asking.tolerate_failures):
            self.expedition.stop("cancelled")
            errors[0].add_note("while exploring; tolerate_failures=True goes on without the walker that failed")
            raise errors[0]

    def told(self) -> Exploration:
        took_ms = (self.clock() - self.began) * 1e3
        return result_of(self.expedition, took_ms=round(took_ms, 3), embedder=self.asking.embedder)


def explore_now(graph: Graph, asking: Asking, *, clock: Clock = time.perf_counter) -> Exploration:
    """Explore a graph that answers at once, without an event loop."""
    began = clock()
    run = _Run(asking, _here(graph.look(asking.start)), asking.question(graph.dimension), clock, began)
    while not run.expedition.done:
        for asked in run.begin():
            run.check()
            try:
                run.expedition.answer(asked, _here(_call(graph, asked)))
            except Exception as error:
                run.expedition.fail(asked, error)
        run.settle()
    return run.told()


async def explore(graph: Graph, asking: Asking, *, clock: Clock = time.perf_counter) -> Exploration:
    """Explore a graph; a cancelled exploration leaves nothing behind."""
    began = clock()
    question = asking.question(graph.dimension)
    try:
        async with asyncio.timeout(asking.seconds):
            start = graph.look(asking.start)
            place = await start if inspect.isawaitable(start) else start
    except TimeoutError:
        raise AsterismError("the graph did not give the start in time", code="deadline", hint=LONGER) from None
    run = _Run(asking, place, question, clock, began)
    gate = asyncio.Semaphore(asking.concurrency)
    try:
        while not run.expedition.done:
            await _fetch(graph, run, gate)
            run.settle()
    except asyncio.CancelledError:
        run.expedition.stop("cancelled")
        raise
    return run.told()


async def _fetch(graph: Graph, run: _Run, gate: asyncio.Semaphore) -> None:
    """Fetch the answers of one round, side by side if they have to be awaited."""
    waiting: list[tuple[Asked, Awaitable[Answer]]] = []
    for asked in run.begin():
        run.check()
        try:
            answer = _call(graph, asked)
        except Exception as error:
            run.expedition.fail(asked, error)
            continue
        if inspect.isawaitable(answer):
            waiting.append((asked, answer))
        else:
            run.expedition.answer(asked, answer)
    if not waiting:
        await asyncio.sleep(0)  # a walk in memory never waits by itself: here it can be cancelled
        return
    try:
        async with asyncio.timeout(max(run.left, 0.0)), asyncio.TaskGroup() as group:
            for asked, coming in waiting:
                group.create_task(_wait(run.expedition, asked, coming, gate))
    except TimeoutError:
        run.late()
    finally:
        for _, coming in waiting:
            _close(coming)


async def _wait(expedition: Expedition, asked: Asked, coming: Awaitable[Answer], gate: asyncio.Semaphore) -> None:
    async with gate:
        try:
            expedition.answer(asked, await coming)
        except Exception as error:
            expedition.fail(asked, error)


def _call(graph: Graph, asked: Asked) -> Answer | Awaitable[Answer]:
    request = asked.request
    return graph.look(request.node) if isinstance(request, Look) else graph.nearest(request)


def _here(answer: Given | Awaitable[Given]) -> Given:
    if inspect.isawaitable(answer):
        _close(answer)
        raise InputError(
            "this graph has to be awaited", code="not_async", hint=Hint(in_python("use `await explore(graph, ...)`"))
        )
    return answer


def _close(coming: Awaitable[object]) -> None:
    """Give up an answer that nobody waits for any more."""
    if inspect.iscoroutine(coming):
        coming.close()

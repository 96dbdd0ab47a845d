"""Running an exploration over a graph: the core says what it needs, here it is fetched.

A graph may answer at once or be awaited. Answers of one round are fetched side by side; their order does not matter, so
the result and the trace are the same with one walker at a time or many. Nothing is written: the result holds the
effects, for whoever owns the ledger.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NoReturn, Protocol, TypeVar

from numpy.typing import ArrayLike

from asterism.core.ledger.items import check_text
from asterism.core.walkers.expedition import Asked, Expedition
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import Answer, Look, Near, Nearest, Place, Request
from asterism.core.walkers.result import Exploration, nothing_found, result_of
from asterism.core.walkers.vectors import checked
from asterism.core.walkers.walker import Question
from asterism.errors import AsterismError, InputError
from asterism.hints import Hint, in_python, option

Clock = Callable[[], float]  # seconds, from wherever
Given = TypeVar("Given")
LONGER = Hint("give it longer (", option("deadline"), ")")
STEPS_PER_LOOK = 8  # at the clock, where nothing waits: most take a tenth of a millisecond, one at a large hub 20


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


class Countdown:
    """The time that an exploration has, from the call on, and where it went before walkers set out."""

    def __init__(self, seconds: float, *, clock: Clock = time.perf_counter, began: float | None = None) -> None:
        self.seconds = seconds
        self.spent: dict[str, float] = {}
        self._clock = clock
        self._began = clock() if began is None else began
        self._doing: tuple[str, float] | None = None

    @property
    def left(self) -> float:
        """Give the seconds that are left."""
        return self.seconds - (self._clock() - self._began)

    @property
    def took_ms(self) -> float:
        """Give the time since the call."""
        return round((self._clock() - self._began) * 1e3, 3)

    @contextmanager
    def spend(self, what: str) -> Iterator[None]:
        """Count the time inside, and look at the clock before and after it."""
        self.check()
        self._doing = what, self._clock()
        yield
        self._count()
        self.check()

    def check(self, *, needed: float = 0.0) -> None:
        """End everything if the time is over, or less is left than is needed."""
        if self.left <= needed:
            self._count()
            raise self.late(nothing_found("deadline", took_ms=self.took_ms), needed=needed)

    def in_time(self, found: Exploration) -> Exploration:
        """Let through what is to be written, if the time is not over."""
        if self.left <= 0:
            raise self.late(replace(found, stop="deadline", took_ms=self.took_ms))
        return found

    def late(self, exploration: Exploration, *, needed: float = 0.0) -> ExplorationTimeout:
        """Give the error that says so, with what was found."""
        return ExplorationTimeout(exploration, seconds=self.seconds, spent=self.spent, needed=needed)

    def _count(self) -> None:
        if self._doing is not None:
            what, since = self._doing
            self.spent[what] = self.spent.get(what, 0.0) + self._clock() - since
            self._doing = None


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

    def __init__(self, asking: Asking, start: Place, question: Question, countdown: Countdown) -> None:
        self.asking = asking
        self.expedition = Expedition(question, start, asking.parameters, forgotten=asking.forgotten)
        self.countdown = countdown

    def check(self) -> None:
        """Stop when the time is over."""
        if self.countdown.left <= 0:
            self.late()

    def late(self) -> NoReturn:
        """Stop every walker."""
        self.expedition.stop("deadline")
        raise self.countdown.late(self.told())

    def lose(self, errors: list[BaseException]) -> None:
        """End the exploration for a walker that was lost, unless that is tolerated."""
        if errors and (self.expedition.root.failed is not None or not self.asking.tolerate_failures):
            self.expedition.stop("cancelled")
            errors[0].add_note("while exploring; tolerate_failures=True goes on without the walker that failed")
            raise errors[0]

    def told(self) -> Exploration:
        """Tell what was found."""
        return result_of(self.expedition, took_ms=self.countdown.took_ms, embedder=self.asking.embedder)


def explore_now(graph: Graph, asking: Asking, *, countdown: Countdown | None = None) -> Exploration:
    """Explore a graph that answers at once, without an event loop."""
    countdown = countdown or Countdown(asking.seconds)
    run = _Run(asking, _here(graph.look(asking.start)), asking.question(graph.dimension), countdown)
    # The memory's own graph never waits, so that nobody needs to look whether it does.
    answer = graph.answer if isinstance(graph, WalkGraph) else lambda request: _here(_call(graph, request))
    run.check()
    for errors in run.expedition.portions(answer, steps=STEPS_PER_LOOK):
        run.lose(errors)
        run.check()
    return run.told()


async def explore(graph: Graph, asking: Asking, *, countdown: Countdown | None = None) -> Exploration:
    """Explore a graph; a cancelled exploration leaves nothing behind."""
    countdown = countdown or Countdown(asking.seconds)
    question = asking.question(graph.dimension)
    start = graph.look(asking.start)
    try:
        async with asyncio.timeout(max(countdown.left, 0.0)):
            place = await start if inspect.isawaitable(start) else start
    except TimeoutError:
        raise AsterismError("the graph did not give the start in time", code="deadline", hint=LONGER) from None
    run = _Run(asking, place, question, countdown)
    gate = asyncio.Semaphore(asking.concurrency)
    try:
        while not run.expedition.done:
            await _fetch(graph, run, gate)
            run.lose(run.expedition.settle())
    except asyncio.CancelledError:
        run.expedition.stop("cancelled")
        raise
    return run.told()


async def _fetch(graph: Graph, run: _Run, gate: asyncio.Semaphore) -> None:
    """Fetch the answers of one round, side by side if they have to be awaited."""
    waiting: list[tuple[Asked, Awaitable[Answer]]] = []
    for asked in run.expedition.begin():
        run.check()
        if asked is None:
            continue
        try:
            answer = _call(graph, asked.request)
        except Exception as error:
            asked.error = error
            continue
        if inspect.isawaitable(answer):
            waiting.append((asked, answer))
        else:
            asked.answer = answer
    if not waiting:
        await asyncio.sleep(0)  # a walk in memory never waits by itself: here it can be cancelled
        return
    try:
        async with asyncio.timeout(max(run.countdown.left, 0.0)), asyncio.TaskGroup() as group:
            for asked, coming in waiting:
                group.create_task(_wait(asked, coming, gate))
    except TimeoutError:
        run.late()
    finally:
        for _, coming in waiting:
            _close(coming)


async def _wait(asked: Asked, coming: Awaitable[Answer], gate: asyncio.Semaphore) -> None:
    async with gate:
        try:
            asked.answer = await coming
        except Exception as error:
            asked.error = error


def _call(graph: Graph, request: Request) -> Answer | Awaitable[Answer]:
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

"""What a memory says to questions: recall, with walkers if asked, and explorations."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from asterism.engine.space.face import Held
from asterism.engine.space.threads import HereRunner

if TYPE_CHECKING:  # a call loads what does its work
    from asterism.core.ledger.calendar import When
    from asterism.core.recall.model import Answer
    from asterism.core.walkers.graph import WalkGraph
    from asterism.core.walkers.result import Exploration
    from asterism.engine.explore.run import Asking, Clock
    from asterism.engine.recall.answer import Question, Sight
    from asterism.engine.recall.unanswered import OpenQuestion
    from asterism.engine.space.live import Live


def _walk(live: Live, seen: Sight, asked: Question, start: str) -> Exploration:
    """Send walkers out from a node for a question; nothing of it is written, and a late walk gives what it has."""
    from asterism.engine.explore import journey
    from asterism.engine.explore.graph import graph_of
    from asterism.engine.explore.run import Countdown, ExplorationTimeout, explore_now

    wanted = journey.journey(
        asked.query, intention=asked.intention, start=start, deadline=None, tolerate_failures=False, concurrency=1
    )
    clock = Countdown(journey.seconds(live, wanted))
    graph = graph_of(live, seen)
    try:
        return explore_now(graph, journey.asking_of(live, seen, graph, wanted), countdown=clock)
    except ExplorationTimeout as late:
        return late.exploration


def _earlier(seen_from: int | None, at: int) -> int:
    """Give a time that is asked about, in a look back at the latest the time of that."""
    return at if seen_from is None else min(seen_from, at)


class RecallReads(Held):
    """What can be recalled, now or as it was."""

    async def recall(
        self,
        query: str,
        *,
        k: int = 10,
        intention: str | None = None,
        walk: bool = False,
        hops: int = 1,
        budget_tokens: int | None = None,
        tags: Iterable[str] = (),
        category: str | None = None,
        source: str | None = None,
        since: When | None = None,
        until: When | None = None,
        kinds: Iterable[str] = (),
        floor: float | None = None,
        spaces: Iterable[str] | None = None,
        at: When | None = None,
    ) -> Answer:
        """Recall what answers a question, best first, each hit with its reason; it writes nothing.

        `intention` says what the answer is for; `hops` how often links are followed. With `walk`, walkers go out from
        the best hit, and up to k more hits that they found come behind the others, each with the path in its `via`.
        The others narrow it: a budget of tokens, all of some tags, a category, a source, a stretch of time (dates
        count whole), kinds of nodes.
        Hits that are far from probable are left out, and the answer is `unsure` where none is probable enough; with
        `floor`, every hit less probable than that is left out.
        With `spaces`, these spaces of the file are asked, each ranked by itself; their hits are joined by probability,
        each with its `space`.
        With `at`, it is asked at that time, as `as_of(at)` would answer; a date means the end of it.
        """
        begun = time.perf_counter()

        def work() -> Answer:
            from asterism.engine.recall import levels
            from asterism.engine.recall.answer import question, sight

            mine = live = self._open()
            past = self._at if at is None else _earlier(self._at, live.reading_time(at))
            asked = question(
                query,
                k=k,
                intention=intention,
                hops=hops,
                budget_tokens=budget_tokens,
                tags=tags,
                category=category,
                source=source,
                since=since,
                until=until,
                kinds=kinds,
                floor=floor,
                node_kinds=live.capabilities.node_kinds,
            )

            def answer(live: Live, asked: Question) -> Answer:
                then = past if live is mine or past is None else min(past, live.reading_now())
                seen = sight(live, at=then, known_at=self._known_at)
                walks = partial(_walk, live, seen, asked) if walk else None
                return levels.answer(live, seen, asked, walks, at=then, known_at=self._known_at)

            if spaces is None:
                told = answer(live, asked)
            else:
                from asterism.engine.recall.joined import joined

                whole = replace(asked, budget_tokens=None)
                told = joined(asked, [(each.space, answer(each, whole)) for each in self._beside().lives(spaces)])
            others = [] if told.searched else [name for name in self._beside().names() if name != live.space]
            if others and spaces is None:
                told = replace(told, notes=(*told.notes, f"this space is empty; there are {', '.join(others)}"))
            note = live.clock_note if past is None else ""
            return replace(told, notes=(*told.notes, note)) if note else told

        told = await self._runner.run(work)
        return replace(told, took_ms=(time.perf_counter() - begun) * 1e3)

    async def open_questions(self) -> list[OpenQuestion]:
        """List the questions that were left `unanswered` and still have no sure answer, the latest first.

        Each with what comes nearest, and the words of it that nothing here holds: what would have to be told.
        """

        def work() -> list[OpenQuestion]:
            from asterism.engine.recall.answer import sight
            from asterism.engine.recall.unanswered import still_open

            live = self._open()
            seen = sight(live, at=self._at, known_at=self._known_at)
            return still_open(live, seen, at=self._at, known_at=self._known_at)

        return await self._runner.run(work)


class ExplorationCalls(Held):
    """Walkers over the memory, and questions that were left open."""

    async def unanswered(self, query: str) -> str:
        """Write down that a question has no sure answer, and give the item's id; `open_questions` lists them.

        Recall itself writes nothing. `erase` finds the words of such questions.
        """

        def work() -> str:
            from asterism.engine.recall.unanswered import keep

            return keep(self._open(), query)

        return await self._runner.run(work)

    _timer: Clock = time.perf_counter  # of deadlines

    async def explore(
        self,
        query: str,
        *,
        intention: str | None = None,
        start: str | None = None,
        learn: bool = True,
        deadline: float | None = None,
        tolerate_failures: bool = False,
        concurrency: int = 64,
    ) -> Exploration:
        """Send walkers over the memory with a query and an intention: what they find, how they got there, and why.

        They start at a node, or at what recall finds first. What they learn (colours on useful paths, a narrative
        where there was a gap) is written in one transaction at the end; `learn=False` writes nothing. After
        `deadline` seconds (30; getting ready and writing included) it ends with `ExplorationTimeout`, which holds what
        was found; then nothing is written.
        """
        begun = self._timer()
        from asterism.engine.explore import journey
        from asterism.engine.explore.ready import ready
        from asterism.engine.explore.run import Countdown, explore, explore_now

        wanted = journey.journey(
            query,
            intention=intention,
            start=start,
            deadline=deadline,
            tolerate_failures=tolerate_failures,
            concurrency=concurrency,
        )
        clock = Countdown(journey.seconds(self._open(), wanted), clock=self._timer, began=begun)

        def begin() -> tuple[WalkGraph, Asking]:
            live = self._open()
            if learn:
                live.stamp()  # which refuses a clock in doubt, before anybody walks
            return ready(live, wanted, clock)

        graph, asking = await self._runner.run(begin)
        if isinstance(self._runner, HereRunner):
            found = explore_now(graph, asking, countdown=clock)
        else:
            found = await explore(graph, asking, countdown=clock)  # in the caller's loop, where it can be cancelled
        if learn:
            await self._runner.run(lambda: journey.learn_from(self._open(), clock.in_time(found)))
        return replace(found, took_ms=clock.took_ms)

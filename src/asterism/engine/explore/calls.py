"""What a memory says of explorations: the calls, thin over `walking`."""

from __future__ import annotations

from asterism.core.walkers.result import Exploration
from asterism.engine.explore import journey as walking
from asterism.engine.explore import run as exploring
from asterism.engine.explore.ready import ready
from asterism.engine.explore.run import ExplorationTimeout
from asterism.engine.space.face import Held
from asterism.engine.space.threads import HereRunner


class ExplorationCalls(Held):
    """Walkers over the memory."""

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
        `deadline` seconds (30, getting ready included) it ends with `ExplorationTimeout`, which holds what was found;
        then nothing is written.
        """
        wanted = walking.journey(
            query,
            intention=intention,
            start=start,
            deadline=deadline,
            tolerate_failures=tolerate_failures,
            concurrency=concurrency,
        )
        graph, asking, clock = await self._runner.run(lambda: ready(self._open(), wanted))
        try:
            if isinstance(self._runner, HereRunner):
                found = exploring.explore_now(graph, asking)
            else:
                found = await exploring.explore(graph, asking)  # in the caller's loop, where it can be cancelled
        except ExplorationTimeout as late:
            raise ExplorationTimeout(late.exploration, seconds=clock.seconds, spent=clock.spent) from None
        if learn:
            await self._runner.run(lambda: walking.learn_from(self._open(), found))
        return found

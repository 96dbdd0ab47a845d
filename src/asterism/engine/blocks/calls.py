"""What a memory says of blocks: the calls, thin over `learning`, `dreaming` and `answering`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial

from asterism.core.blocks import read as read_blocks
from asterism.core.blocks.model import BlockView, DreamResult, LearnReceipt
from asterism.core.blocks.records import THERE
from asterism.core.ledger.calendar import Moment
from asterism.core.ledger.model import Node
from asterism.core.recall.model import Answer, WhyNotAnswer
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import find
from asterism.core.walkers.result import Exploration
from asterism.engine.blocks import dream as dreaming
from asterism.engine.blocks import forget as forgetting
from asterism.engine.blocks import learn as learning
from asterism.engine.blocks.learn import CATEGORY, Fact, FactRow, Ids
from asterism.engine.explain import why_not
from asterism.engine.explore import journey as walking
from asterism.engine.explore import run as exploring
from asterism.engine.explore.graph import graph_of
from asterism.engine.recall import answer as answering
from asterism.engine.recall import levels as level_hits
from asterism.engine.space.face import Held
from asterism.engine.space.live import Live


def _walk(live: Live, seen: answering.Sight, asked: answering.Question, start: str) -> Exploration:
    """Send walkers out from a node for a question; nothing of it is written, and a late walk gives what it has."""
    wanted = walking.journey(
        asked.query, intention=asked.intention, start=start, deadline=None, tolerate_failures=False, concurrency=1
    )
    graph = graph_of(live, seen)
    try:
        return exploring.explore_now(graph, walking.asking_of(live, seen, graph, wanted))
    except exploring.ExplorationTimeout as late:
        return late.exploration


class BlockReads(Held):
    """What can be asked of blocks, now or as it was."""

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
        since: Moment | None = None,
        until: Moment | None = None,
        kinds: Iterable[str] = (),
    ) -> Answer:
        """Recall what answers a question, best first, each hit with its reason; it writes nothing.

        `intention` says what the answer is for; `hops` how often links are followed. With `walk`, walkers go out from
        the best hit, and up to k more hits that they found come behind the others, each with the path in its `via`.
        The others narrow it: a budget of tokens, all of some tags, a category, a source, a stretch of time (dates
        count whole), kinds of nodes.
        """

        def work() -> Answer:
            asked = answering.question(
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
            )
            live = self._open()
            seen = answering.sight(live, at=self._at, known_at=self._known_at)
            walks = partial(_walk, live, seen, asked) if walk else None
            return level_hits.answer(live, seen, asked, walks, at=self._at, known_at=self._known_at)

        return await self._runner.run(work)

    async def why_not(
        self,
        id: str,
        query: str,
        *,
        k: int = 10,
        intention: str | None = None,
        hops: int = 1,
        budget_tokens: int | None = None,
        tags: Iterable[str] = (),
        category: str | None = None,
        source: str | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        kinds: Iterable[str] = (),
    ) -> WhyNotAnswer:
        """Say which gate keeps something out of an answer, and the smallest change that would let it in.

        With the id of another block as `query`: why a dream has not linked the two. With the id of a link ("a~b")
        and a state or a kind as `query`: what keeps the connection from it.
        """

        def work() -> WhyNotAnswer:
            asked = answering.question(
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
            )
            live = self._open()
            seen = answering.sight(live, at=self._at, known_at=self._known_at)
            return why_not.why_not(live, seen, id, asked, at=self._at, known_at=self._known_at)

        return await self._runner.run(work)

    async def block(self, id: str, *, at: Moment | None = None) -> BlockView | None:
        """Give one block, whatever became of it, or None."""
        return await self._read(at, lambda folded: _block(folded, id))

    async def blocks(self, *, statuses: Iterable[str] = THERE, at: Moment | None = None) -> list[BlockView]:
        """Give the blocks that are there (or of other statuses), in the order they were learned."""
        return await self._read(at, lambda folded: read_blocks.blocks_of(folded.blocks, statuses))


class BlockCalls(Held):
    """What can be told of blocks."""

    async def learn(
        self,
        content: str,
        *,
        tags: Iterable[str] = (),
        category: str = CATEGORY,
        name: str | None = None,
        source: str | None = None,
        at: Moment | None = None,
        conversation: str | None = None,
        speaker: str | None = None,
    ) -> LearnReceipt:
        """Learn a text at once; `recall` sees it from now on, and `dream` links it.

        A `name` makes it known by name in other texts. Texts of one `conversation` are neighbours in the order of
        time, and `speaker` said it.
        """
        fact = Fact(content, tags, category, name, source, at, conversation, speaker)  # type: ignore[arg-type]
        return (await self.learn_many([fact]))[0]

    async def learn_many(self, facts: Iterable[FactRow]) -> list[LearnReceipt]:
        """Learn many texts: one transaction, all of them or none."""
        wanted = learning.facts_of(facts)
        return await self._runner.run(lambda: learning.learn(self._open(), wanted))

    async def dream(
        self, *, steps: int | None = None, progress: Callable[[float, int], None] | None = None
    ) -> DreamResult:
        """Consolidate the inbox: near-duplicates, superseded blocks, links nobody named.

        Shared tags connect blocks at lower similarity: tag what belongs together. Each step is one transaction; a
        dream that was ended goes on where it stopped. `progress` is told the share done and the blocks so far.
        """
        return await self._runner.run(lambda: dreaming.dream(self._open(), steps=steps, progress=progress))

    async def reembed(self, *, progress: Callable[[float, int], None] | None = None) -> int:
        """Make every vector anew with the embedder this memory was opened with; give how many blocks."""
        return await self._runner.run(lambda: dreaming.reembed(self._open(), progress=progress))

    async def edit(self, id: str, content: str, *, at: Moment | None = None, source: str | None = None) -> BlockView:
        """Correct a block; its links go to the new one, and the old wording does not come back by learning it again."""
        return await self._runner.run(lambda: learning.edit(self._open(), id, content, at, source))

    async def forget(self, id: str, *, at: Moment | None = None, source: str | None = None) -> BlockView | Node:
        """Put a block or a narrative away; learning it again does not bring it back, `restore` does."""
        return await self._runner.run(lambda: forgetting.forget(self._open(), id, at, source))

    async def restore(self, id: str, *, at: Moment | None = None, source: str | None = None) -> BlockView | Node:
        """Undo `forget`: the block is in the inbox again, the narrative has its links again."""
        return await self._runner.run(lambda: forgetting.restore(self._open(), id, at, source))

    async def used(
        self, answer: Ids, *, session: str, at: Moment | None = None, source: str | None = None
    ) -> list[str]:
        """Say what was used together: an answer, a hit, or ids. The third session of two blocks links them.

        It helps to find them together again; it makes nothing truer.
        """
        return await self._runner.run(lambda: learning.used(self._open(), answer, session, at, source))

    async def outcome(
        self, ids: Ids, signal: float, *, at: Moment | None = None, source: str | None = None
    ) -> list[BlockView]:
        """Say how it went with some blocks, from 0 (badly) to 1 (well)."""
        return await self._runner.run(lambda: learning.outcome(self._open(), ids, signal, at, source))

    async def begin_session(self, name: str, *, at: Moment | None = None) -> float:
        """Open a session: active hours pass from now on; gives those so far."""
        return await self._runner.run(lambda: learning.session(self._open(), name, "start", at))

    async def end_session(self, name: str, *, at: Moment | None = None) -> float:
        """Close a session; gives the active hours so far."""
        return await self._runner.run(lambda: learning.session(self._open(), name, "end", at))

    @asynccontextmanager
    async def session(self, name: str) -> AsyncIterator[None]:
        """Count the time inside as active hours: blocks age in them alone."""
        await self.begin_session(name)
        try:
            yield
        finally:
            await self.end_session(name)


def _block(folded: Projection, name: str) -> BlockView | None:
    found = find(SpaceGraph(folded), name, ("block",), gone=True)
    return None if found is None else read_blocks.block(folded.blocks, found.id)

"""What a memory says of blocks: the calls, thin over `learn`, `forget` and `dream`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from asterism.core.blocks import read as read_blocks
from asterism.core.blocks.model import BlockView, DreamResult, LearnReceipt
from asterism.core.blocks.records import THERE
from asterism.core.ledger.calendar import When
from asterism.core.ledger.model import Node
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import find
from asterism.engine.blocks import dream, forget, learn
from asterism.engine.blocks.learn import CATEGORY, Fact, FactRow, Ids
from asterism.engine.space.face import Held


class BlockReads(Held):
    """What can be asked of blocks, now or as it was."""

    async def block(self, id: str, *, at: When | None = None) -> BlockView | None:
        """Give one block, whatever became of it, or None."""
        return await self._read(at, lambda folded: _block(folded, id))

    async def blocks(self, *, statuses: Iterable[str] = THERE, at: When | None = None) -> list[BlockView]:
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
        at: When | None = None,
        conversation: str | None = None,
        speaker: str | None = None,
    ) -> LearnReceipt:
        """Learn a text at once; `recall` sees it from now on, and `dream` links it.

        A `name` makes it known by name in other texts. Texts of one `conversation` are neighbours in the order of
        time, and `speaker` said it.
        """
        fact = Fact(content, tags, category, name, source, at, conversation, speaker)  # type: ignore[arg-type]
        return (await self.learn_many([fact]))[0]

    async def learn_many(self, facts: Iterable[FactRow], *, skip_erased: bool = False) -> list[LearnReceipt]:
        """Learn many texts: one transaction, all of them or none.

        A text that was erased is an error that names its row; with `skip_erased`, its receipt says so, and the others
        are learned.
        """
        wanted = learn.facts_of(facts)
        return await self._runner.run(lambda: learn.learn(self._open(), wanted, skip_erased=skip_erased))

    async def dream(
        self, *, steps: int | None = None, progress: Callable[[float, int], None] | None = None
    ) -> DreamResult:
        """Consolidate the inbox: near-duplicates, superseded blocks, links nobody named.

        Shared tags connect blocks at lower similarity: tag what belongs together. Each step is one transaction; a
        dream that was ended goes on where it stopped. `progress` is told the share done and the blocks so far.
        """
        return await self._runner.run(lambda: dream.dream(self._open(), steps=steps, progress=progress))

    async def reembed(self, *, progress: Callable[[float, int], None] | None = None) -> int:
        """Make every vector anew with the embedder this memory was opened with; give how many blocks."""
        return await self._runner.run(lambda: dream.reembed(self._open(), progress=progress))

    async def edit(self, id: str, content: str, *, at: When | None = None, source: str | None = None) -> BlockView:
        """Correct a block; its links go to the new one, and the old wording does not come back by learning it again."""
        return await self._runner.run(lambda: learn.edit(self._open(), id, content, at, source))

    async def forget(self, id: str, *, at: When | None = None, source: str | None = None) -> BlockView | Node:
        """Put a block or a narrative away; learning it again does not bring it back, `restore` does."""
        return await self._runner.run(lambda: forget.forget(self._open(), id, at, source))

    async def restore(self, id: str, *, at: When | None = None, source: str | None = None) -> BlockView | Node:
        """Undo `forget`: the block is in the inbox again, the narrative has its links again."""
        return await self._runner.run(lambda: forget.restore(self._open(), id, at, source))

    async def used(self, answer: Ids, *, session: str, at: When | None = None, source: str | None = None) -> list[str]:
        """Say what was used together: an answer, a hit, or ids. The third session of two blocks links them.

        It helps to find them together again; it makes nothing truer.
        """
        return await self._runner.run(lambda: learn.used(self._open(), answer, session, at, source))

    async def outcome(
        self, ids: Ids, signal: float, *, at: When | None = None, source: str | None = None
    ) -> list[BlockView]:
        """Say how it went with some blocks, from 0 (badly) to 1 (well)."""
        return await self._runner.run(lambda: learn.outcome(self._open(), ids, signal, at, source))

    async def begin_session(self, name: str, *, at: When | None = None) -> float:
        """Open a session: active hours pass from now on; gives those so far."""
        return await self._runner.run(lambda: learn.session(self._open(), name, "start", at))

    async def end_session(self, name: str, *, at: When | None = None) -> float:
        """Close a session; gives the active hours so far."""
        return await self._runner.run(lambda: learn.session(self._open(), name, "end", at))

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

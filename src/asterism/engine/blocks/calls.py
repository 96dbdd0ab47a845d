"""What a memory says of blocks: the calls, thin over `learn`, `forget` and `dream`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from asterism.core.blocks.words import CATEGORY, THERE
from asterism.engine.space.face import Held

if TYPE_CHECKING:  # a call loads what does its work
    from asterism.core.blocks.model import BlockView, ConflictView, DreamResult, LearnReceipt, SlotValue
    from asterism.core.ledger.calendar import When
    from asterism.core.ledger.model import Node
    from asterism.core.space.projection import Projection
    from asterism.engine.blocks.acts import Ids
    from asterism.engine.blocks.learn import FactRow


class BlockReads(Held):
    """What can be asked of blocks, now or as it was."""

    async def block(self, id: str, *, at: When | None = None) -> BlockView | None:
        """Give one block, whatever became of it, or None."""
        return await self._read(at, lambda folded: _block(folded, id))

    async def blocks(self, *, statuses: Iterable[str] = THERE, at: When | None = None) -> list[BlockView]:
        """Give the blocks that are there (or of other statuses), in the order they were learned."""
        from asterism.core.blocks.read import blocks_of

        return await self._read(at, lambda folded: blocks_of(folded.blocks, statuses))

    async def conflicts(self, *, at: When | None = None) -> list[ConflictView]:
        """Give the pairs that probably cannot both hold, the surest first; a dream finds them, and settles none.

        One ends when either side is replaced (`learn(..., replaces=ID)`), edited, forgotten, or runs out.
        """
        from asterism.core.blocks.conflicting import conflict_views

        return await self._read(at, lambda folded: conflict_views(folded.blocks, folded.blocks.seen))

    async def history(self, slot: str | None = None, *, at: When | None = None) -> list[SlotValue]:
        """Give what a slot held and from when to when, in the order of time; without a slot, of every slot."""
        from asterism.core.blocks.read import slot_values
        from asterism.engine.blocks.terms import slot_of

        wanted = None if slot is None else slot_of(slot)
        return await self._read(at, lambda folded: slot_values(folded.blocks, wanted))

    async def slots(self, *, at: When | None = None) -> list[SlotValue]:
        """Give what each slot holds, or what it held last, in the order of their names."""
        from asterism.core.blocks.read import last_values

        return await self._read(at, lambda folded: last_values(folded.blocks))


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
        slot: str | None = None,
        replaces: str | None = None,
        valid_from: When | None = None,
        valid_until: When | None = None,
        expires: When | None = None,
    ) -> LearnReceipt:
        """Learn a text at once; `recall` sees it from now on, and `dream` links it.

        A `name` makes it known by name in other texts. Texts of one `conversation` are neighbours in the order of
        time, and `speaker` said it. The same text of another time is another occurrence of it (`again`).

        It holds from `valid_from`, or when it was told, until `valid_until`, until a text that `replaces` it begins,
        or until other words become the value of its `slot` ("user/home"). From `expires` on it is not recalled.
        """
        from asterism.engine.blocks.learn import Fact

        fact = Fact(
            content,
            tags,  # type: ignore[arg-type]  # read as a list
            category,
            name,
            source,
            at,
            conversation,
            speaker,
            slot,
            replaces,
            valid_from,
            valid_until,
            expires,
        )
        return (await self.learn_many([fact]))[0]

    async def learn_many(
        self,
        facts: Iterable[FactRow],
        *,
        conversation: str | None = None,
        skip_erased: bool = False,
        imported: bool = False,
    ) -> list[LearnReceipt]:
        """Learn many texts: one transaction, all of them or none.

        In a `conversation` texts "Name: text" are what that name said, and a chat's role is who speaks.
        A text that was erased is an error that names its row; with `skip_erased`, its receipt says so, and the others
        are learned. A row without a time that is `imported` gets the time of its first import: the same rows imported
        again change nothing.
        """
        from asterism.engine.blocks.learn import facts_of, learn

        wanted = facts_of(facts, conversation)
        return await self._runner.run(lambda: learn(self._open(), wanted, skip_erased=skip_erased, imported=imported))

    async def dream(
        self, *, steps: int | None = None, progress: Callable[[float, int], None] | None = None
    ) -> DreamResult:
        """Consolidate the inbox: near-duplicates, superseded blocks, links nobody named.

        Shared tags connect blocks at lower similarity: tag what belongs together. Each step is one transaction; a
        dream that was ended goes on where it stopped. `progress` is told the share done and the blocks so far.
        """
        from asterism.engine.blocks.dream import dream

        return await self._runner.run(lambda: dream(self._open(), steps=steps, progress=progress))

    async def reembed(self, *, progress: Callable[[float, int], None] | None = None) -> int:
        """Make every vector anew with the embedder this memory was opened with; give how many blocks."""
        from asterism.engine.blocks.dream import reembed

        return await self._runner.run(lambda: reembed(self._open(), progress=progress))

    async def edit(self, id: str, content: str, *, at: When | None = None, source: str | None = None) -> BlockView:
        """Correct a block; its links go to the new one, and only a later telling brings the old wording back."""
        from asterism.engine.blocks.acts import edit

        return await self._runner.run(lambda: edit(self._open(), id, content, at, source))

    async def forget(self, id: str, *, at: When | None = None, source: str | None = None) -> BlockView | Node:
        """Put a block or a narrative away; `restore` brings it back, and so does telling it again later."""
        from asterism.engine.blocks.forget import forget

        return await self._runner.run(lambda: forget(self._open(), id, at, source))

    async def restore(self, id: str, *, at: When | None = None, source: str | None = None) -> BlockView | Node:
        """Undo `forget`: the block is in the inbox again, the narrative has its links again."""
        from asterism.engine.blocks.forget import restore

        return await self._runner.run(lambda: restore(self._open(), id, at, source))

    async def pin(self, id: str, *, on: bool = True, at: When | None = None, source: str | None = None) -> BlockView:
        """Keep a block from fading, and its links from being displaced; `on=False` undoes it."""
        from asterism.engine.blocks.acts import pin

        return await self._runner.run(lambda: pin(self._open(), id, at, source, on=on))

    async def used(self, answer: Ids, *, session: str, at: When | None = None, source: str | None = None) -> list[str]:
        """Say what was used together: an answer, a hit, or ids. The third session of two blocks links them.

        It helps to find them together again; it makes nothing truer.
        """
        from asterism.engine.blocks.acts import used

        return await self._runner.run(lambda: used(self._open(), answer, session, at, source))

    async def outcome(
        self, ids: Ids, signal: float, *, at: When | None = None, source: str | None = None
    ) -> list[BlockView]:
        """Say how it went with some blocks, from 0 (badly) to 1 (well)."""
        from asterism.engine.blocks.acts import outcome

        return await self._runner.run(lambda: outcome(self._open(), ids, signal, at, source))

    async def begin_session(self, name: str, *, at: When | None = None) -> float:
        """Open a session: active hours pass from now on; gives those so far."""
        from asterism.engine.blocks.acts import session

        return await self._runner.run(lambda: session(self._open(), name, "start", at))

    async def end_session(self, name: str, *, at: When | None = None) -> float:
        """Close a session; gives the active hours so far."""
        from asterism.engine.blocks.acts import session

        return await self._runner.run(lambda: session(self._open(), name, "end", at))

    @asynccontextmanager
    async def session(self, name: str) -> AsyncIterator[None]:
        """Count the time inside as active hours: blocks age in them alone."""
        await self.begin_session(name)
        try:
            yield
        finally:
            await self.end_session(name)


def _block(folded: Projection, name: str) -> BlockView | None:
    from asterism.core.blocks.read import block
    from asterism.core.space.graph import SpaceGraph
    from asterism.core.space.resolve import find

    found = find(SpaceGraph(folded), name, ("block",), gone=True)
    return None if found is None else block(folded.blocks, found.id)

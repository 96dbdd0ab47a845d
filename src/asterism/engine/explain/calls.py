"""What a memory says for itself: why a number is what it is, and why something is not in an answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from asterism.engine.space.face import Held

if TYPE_CHECKING:  # a call loads what does its work
    from asterism.core.ledger.calendar import When
    from asterism.core.ledger.model import Why, WhyNotAnswer
    from asterism.engine.explain.why import Subject


class ExplainReads(Held):
    """What can be explained, now or as it was."""

    async def why(self, *ids: Subject) -> Why:
        """Explain a number as lines that add up to it.

        A link's strength by its two ends or its id, a star, a block, a level, a narrative, a moment, an actor, a hit
        of an answer, a prediction, a causal link (or "SESSION:LINE", or a trace of it), what an item added.
        """
        from asterism.engine.explain.why import why

        return await self._runner.run(lambda: why(self._open(), ids, at=self._at, known_at=self._known_at))

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
        since: When | None = None,
        until: When | None = None,
        kinds: Iterable[str] = (),
        floor: float | None = None,
    ) -> WhyNotAnswer:
        """Say which gate keeps something out of an answer, and the smallest change that would let it in.

        With the id of another block as `query`: why a dream has not linked the two. With the id of a link ("a~b")
        and a state or a kind as `query`: what keeps the connection from it.
        """

        def work() -> WhyNotAnswer:
            from asterism.engine.explain.why_not import why_not
            from asterism.engine.recall.answer import question, sight

            live = self._open()
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
            seen = sight(live, at=self._at, known_at=self._known_at)
            return why_not(live, seen, id, asked, at=self._at, known_at=self._known_at)

        return await self._runner.run(work)

"""What can be asked of a memory, now or as it was."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from asterism.engine.space.face import Held

if TYPE_CHECKING:  # a call loads what does its work
    from asterism.core.connections.model import Predictions, Star
    from asterism.core.ledger.calendar import When
    from asterism.core.ledger.model import Link
    from asterism.core.space.projection import Projection
    from asterism.engine.graph.nodes import AnyNode


class Reads(Held):
    """What can be asked of a memory, now or as it was; a date means the end of that day, or now if that is earlier."""

    async def link(self, a: str, b: str, *, at: When | None = None) -> Link | None:
        """Give the connection between two nodes as seen from `a`, or None."""
        from asterism.core.space.graph import SpaceGraph
        from asterism.core.space.resolve import node_id

        return await self._read(at, lambda folded: SpaceGraph(folded).link(node_id(folded, a), node_id(folded, b)))

    async def links(self, a: str | None = None, b: str | None = None, *, at: When | None = None) -> list[Link]:
        """Give links of both families, strongest first: all of them, one node's, or those of a pair."""
        from asterism.core.space.graph import SpaceGraph

        return await self._read(at, lambda folded: SpaceGraph(folded).links(_end(folded, a), _end(folded, b)))

    async def star(self, id: str, *, at: When | None = None) -> Star | None:
        """Give one star, or None."""
        return await self._read(at, lambda folded: _star(folded, id))

    async def stars(self, *, at: When | None = None) -> list[Star]:
        """Give every star, by id."""
        from asterism.core.connections.read import stars

        return await self._read(at, lambda folded: stars(folded.connections))

    async def nodes(self, *, kinds: Collection[str] = (), at: When | None = None) -> list[AnyNode]:
        """Give every node, or those of some kinds (star, block, level, actor, moment ...), by kind and id.

        A star is a Star, a block a BlockView, a level a Level; `node()` of each gives what all kinds share.
        """

        def work() -> list[AnyNode]:
            from asterism.engine.graph.nodes import nodes

            live = self._open()
            return nodes(live, kinds, at=self._moment(live, at), known_at=self._known_at)

        return await self._runner.run(work)

    async def predictions(self, *, at: When | None = None) -> Predictions:
        """Give what causal links expect or expected, with hit rate and calibration."""
        from asterism.core.connections.read_predictions import predictions

        return await self._read(at, lambda folded: predictions(folded.connections))

    async def curves(self, *, points: int = 30) -> dict[str, tuple[float, ...]]:
        """Give every link's strength through time, as so many points."""
        from asterism.engine.connections.curves import curves

        return await self._runner.run(lambda: curves(self._open(), at=self._at, known_at=self._known_at, points=points))


def _star(folded: Projection, name: str) -> Star | None:
    from asterism.core.connections.read import star
    from asterism.core.space.graph import SpaceGraph
    from asterism.core.space.resolve import find

    found = find(SpaceGraph(folded), name, ("star",))
    return None if found is None else star(folded.connections, found.id)


def _end(folded: Projection, name: str | None) -> str | None:
    from asterism.core.space.resolve import node_id

    return None if name is None else node_id(folded, name)

"""What can be asked of a memory, now or as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from asterism.core.calendar import Moment, to_micros
from asterism.core.connections import read
from asterism.core.connections.model import Link, Predictions, Star
from asterism.core.levels import read as read_levels
from asterism.core.levels.history import Replay
from asterism.core.levels.model import Cluster, Density, Gap, Level, Nearest, SymbolInfo
from asterism.core.model import Why
from asterism.core.nodes import slug
from asterism.core.projection import Projection
from asterism.engine import market, provenance
from asterism.engine.live import Live
from asterism.engine.runner import Runner, closed
from asterism.engine.telling import node_name

Result = TypeVar("Result")


class Reads:
    """What can be asked of a memory, now or as it was; a date means the end of that day, or now if that is earlier."""

    _runner: Runner
    _live: Live | None
    _at: int | None = None
    _known_at: int | None = None

    async def link(self, a: str, b: str, *, at: Moment | None = None) -> Link | None:
        """Give the connection between two nodes as seen from `a`, or None."""
        return await self._read(
            at, lambda folded: read.link(folded.connections, node_id(folded, a), node_id(folded, b))
        )

    async def links(self, a: str | None = None, b: str | None = None, *, at: Moment | None = None) -> list[Link]:
        """Give connections, strongest first: all of them, one node's, or the one of a pair."""
        return await self._read(at, lambda folded: read.links(folded.connections, _end(folded, a), _end(folded, b)))

    async def star(self, id: str, *, at: Moment | None = None) -> Star | None:
        """Give one star, or None."""
        return await self._read(at, lambda folded: read.star(folded.connections, node_id(folded, id)))

    async def nodes(self, *, at: Moment | None = None) -> list[Star]:
        """Give every node (so far: stars), by id."""
        return await self._read(at, lambda folded: read.stars(folded.connections))

    async def predictions(self, *, at: Moment | None = None) -> Predictions:
        """Give what causal links expect or expected, with hit rate and calibration."""
        return await self._read(at, lambda folded: read.predictions(folded.connections))

    async def why(self, *ids: str) -> Why:
        """Explain a number: a link's strength by its two ends, a star's brightness, a level, an item's gain."""
        return await self._runner.run(lambda: provenance.why(self._open(), ids, at=self._at, known_at=self._known_at))

    async def curves(self, *, points: int = 30) -> dict[str, tuple[float, ...]]:
        """Give every link's strength through time, as so many points."""
        return await self._runner.run(
            lambda: provenance.curves(self._open(), at=self._at, known_at=self._known_at, points=points)
        )

    # Markets

    async def symbols(self) -> list[SymbolInfo]:
        """Give the symbols that were fed, with how much of each."""
        return await self._runner.run(lambda: market.symbols(self._open(), at=self._at, known_at=self._known_at))

    async def levels(
        self,
        symbol: str,
        *,
        near: float | None = None,
        within_bps: float | None = None,
        min_strength: float = 0.0,
        side: str | None = None,
        archived: bool = False,
        at: Moment | None = None,
    ) -> list[Level]:
        """Give the prices a market remembers, strongest first; without a time, as of the symbol's latest event."""
        return await self._market(
            symbol,
            at,
            lambda seen: read_levels.levels(
                seen.columns,
                symbol,
                seen.parameters,
                at=seen.at,
                near=near,
                within_bps=within_bps,
                min_strength=min_strength,
                side=side,
                archived=archived,
            ),
        )

    async def nearest(self, symbol: str, price: float, n: int = 3, *, at: Moment | None = None) -> Nearest:
        """Give the n levels next below and the n next above a price."""
        return await self._market(symbol, at, lambda seen: read_levels.nearest(seen.levels(), price, n))

    async def clusters(self, symbol: str, *, gap_bps: float | None = None, at: Moment | None = None) -> list[Cluster]:
        """Join levels whose neighbours are near, lowest first."""
        return await self._market(symbol, at, lambda seen: read_levels.clusters(seen.levels(), seen.gap(gap_bps)))

    async def gaps(self, symbol: str, *, gap_bps: float | None = None, at: Moment | None = None) -> list[Gap]:
        """Give the stretches between clusters that nothing remembers, lowest first."""
        return await self._market(symbol, at, lambda seen: read_levels.gaps(seen.levels(), seen.gap(gap_bps)))

    async def density(self, symbol: str, *, bins: int = 20, at: Moment | None = None) -> list[Density]:
        """Count levels and add up their strength in equal steps of price."""
        return await self._market(symbol, at, lambda seen: read_levels.density(seen.levels(), bins=bins))

    async def replay(
        self,
        symbol: str,
        *,
        start: Moment | None = None,
        end: Moment | None = None,
        steps: int = 200,
        most: int = 200,
    ) -> Replay:
        """Give the strength of a symbol's levels through time, in equal steps, with the path of its price."""

        def work() -> Replay:
            live = self._open()
            first = None if start is None else to_micros(start, of_date=0)
            last = self._at if end is None else live.reading_time(end)
            return market.replay(live, symbol, start=first, end=last, known_at=self._known_at, steps=steps, most=most)

        return await self._runner.run(work)

    # What the methods above share

    async def _market(self, symbol: str, at: Moment | None, look: Callable[[market.Seen], Result]) -> Result:
        def work() -> Result:
            live = self._open()
            moment = self._at if at is None else live.reading_time(at)
            return look(market.look(live, symbol, at=moment, known_at=self._known_at))

        return await self._runner.run(work)

    async def _read(self, at: Moment | None, look: Callable[[Projection], Result]) -> Result:
        def work() -> Result:
            live = self._open()
            moment = self._at if at is None else live.reading_time(at)
            return look(live.view(moment, known_at=self._known_at))

        return await self._runner.run(work)

    def _open(self) -> Live:
        if self._live is None or self._live.closed:
            raise closed()
        return self._live


def node_id(folded: Projection, name: str) -> str:
    """Read a name as an id: an id stays as it is, a name becomes its id."""
    slugged = slug(node_name(name))
    return name if name in folded.nodes.rows or slugged not in folded.nodes.rows else slugged


def _end(folded: Projection, name: str | None) -> str | None:
    return None if name is None else node_id(folded, name)

"""What a memory says of markets: the calls, thin over `feed` and `files`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from asterism.engine.space.face import Held

if TYPE_CHECKING:  # a call loads what does its work
    from pathlib import Path

    from asterism.core.ledger.calendar import When
    from asterism.core.levels.events import Batch, Events
    from asterism.core.levels.history import Replay
    from asterism.core.levels.model import Cluster, Density, FeedReport, Gap, Level, Nearest, SymbolInfo
    from asterism.core.levels.resting import Resting
    from asterism.engine.market.feed import Seen

Result = TypeVar("Result")


class MarketReads(Held):
    """What can be asked of a market, now or as it was."""

    async def symbols(self) -> list[SymbolInfo]:
        """Give the symbols that were fed, with how much of each."""
        from asterism.engine.market.feed import symbols

        return await self._runner.run(lambda: symbols(self._open(), at=self._at, known_at=self._known_at))

    async def levels(
        self,
        symbol: str,
        *,
        near: float | None = None,
        within_bps: float | None = None,
        min_strength: float = 0.0,
        side: str | None = None,
        archived: bool = False,
        at: When | None = None,
    ) -> list[Level]:
        """Give the prices a market remembers, strongest first; without a time, as of the symbol's latest event."""
        from asterism.core.levels.read import levels

        return await self._market(
            symbol,
            at,
            lambda seen: levels(
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

    async def nearest(self, symbol: str, price: float, n: int = 3, *, at: When | None = None) -> Nearest:
        """Give the n levels next below and the n next above a price."""
        from asterism.core.levels.read import nearest

        return await self._market(symbol, at, lambda seen: nearest(seen.levels(), price, n))

    async def clusters(self, symbol: str, *, gap_bps: float | None = None, at: When | None = None) -> list[Cluster]:
        """Join levels whose neighbours are near, lowest first."""
        from asterism.core.levels.read import clusters

        return await self._market(symbol, at, lambda seen: clusters(seen.levels(), seen.gap(gap_bps)))

    async def gaps(self, symbol: str, *, gap_bps: float | None = None, at: When | None = None) -> list[Gap]:
        """Give the stretches between clusters that nothing remembers, lowest first."""
        from asterism.core.levels.read import gaps

        return await self._market(symbol, at, lambda seen: gaps(seen.levels(), seen.gap(gap_bps)))

    async def density(self, symbol: str, *, bins: int = 20, at: When | None = None) -> list[Density]:
        """Count levels and add up their strength in equal steps of price."""
        from asterism.core.levels.read import density

        return await self._market(symbol, at, lambda seen: density(seen.levels(), bins=bins))

    async def replay(
        self,
        symbol: str,
        *,
        start: When | None = None,
        end: When | None = None,
        steps: int = 200,
        most: int = 200,
    ) -> Replay:
        """Give the strength of a symbol's levels through time, in equal steps, with the path of its price."""

        def work() -> Replay:
            from asterism.core.ledger.calendar import to_micros
            from asterism.engine.market.feed import replay

            live = self._open()
            first = None if start is None else to_micros(start, of_date=0)
            last = self._at if end is None else live.reading_time(end)
            return replay(live, symbol, start=first, end=last, known_at=self._known_at, steps=steps, most=most)

        return await self._runner.run(work)

    async def _market(self, symbol: str, at: When | None, look: Callable[[Seen], Result]) -> Result:
        def work() -> Result:
            from asterism.engine.market.feed import look as seen

            live = self._open()
            return look(seen(live, symbol, at=self._moment(live, at), known_at=self._known_at))

        return await self._runner.run(work)


class MarketCalls(Held):
    """What can be told of a market."""

    _resting: dict[str, Resting]

    async def feed(
        self,
        symbol: str,
        events: Batch | Events,
        *,
        unit: str = "s",
        source: str | None = None,
        offset: int | None = None,
        lateness: float | None = None,
        strict: bool = False,
    ) -> FeedReport:
        """Take in market events of a symbol: dicts, or columns by name; one transaction, all of them or none.

        Numbers in `at` are in `unit`. `source` names where they come from and `offset` how many came from there
        before: what was recorded already is not taken twice (None: they go on where the record ends). `lateness`
        is how many seconds events wait for those before them; 0 takes them in as they come.
        """
        from asterism.engine.market.feed import Feeding, feed

        how = Feeding(symbol, unit, source, offset, lateness, strict)
        return await self._runner.run(lambda: feed(self._open(), how, events, resting=self._resting))

    async def feed_file(
        self,
        symbol: str,
        *paths: str | Path,
        mapping: str | Mapping[str, str] | None = None,
        unit: str | None = None,
        sort: bool | None = None,
        strict: bool = False,
        only: str | None = None,
        max_bytes: int | None = None,
        progress: Callable[[float, int], None] | None = None,
    ) -> FeedReport:
        """Take in files of market events: CSV (.gz, .zip), Parquet, recordings; several are merged by time.

        `mapping` is a ready layout's name or columns by field, None if the columns alone tell; `unit` that of the
        times; `sort` puts a file in order of time, or (False) takes it as it is; `only` takes the rows of one symbol
        from a file of several. A file is known by its first event: a copy is not taken twice, and one that was
        interrupted, or grew, goes on where the record ends. `progress` is told the share read and the events so far.
        A file may have 16 GiB, packed no more than 100 times its size, or `max_bytes`.
        """
        from asterism.engine.market.files import Files, feed_files
        from asterism.incoming import path_of

        files = Files(
            tuple(path_of(path, meant="the file to feed") for path in paths),
            mapping,
            unit,
            sort,
            strict,
            only,
            max_bytes,
        )
        return await self._runner.run(
            lambda: feed_files(self._open(), symbol, files, progress=progress or (lambda _share, _events: None))
        )

    async def fed(self, symbol: str, source: str) -> int:
        """Say how many events of a source have been recorded: where a feed goes on."""
        from asterism.engine.market.feed import fed

        return await self._runner.run(lambda: fed(self._open(), symbol, source))

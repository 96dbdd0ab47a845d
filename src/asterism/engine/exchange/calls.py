"""What a memory says to files and other programs: the calls, thin over `graph.view`, `export` and `take_in`."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, cast

from asterism.engine.space.face import Held

if TYPE_CHECKING:  # a call loads what does its work
    from pathlib import Path

    from asterism.core.ledger.calendar import When
    from asterism.core.ledger.parameters import Preset, Setting
    from asterism.core.space.view import GraphView
    from asterism.engine.exchange.backup import Backup
    from asterism.engine.exchange.export import Exported, Progress, Target
    from asterism.engine.exchange.increments import Increments
    from asterism.engine.exchange.take_in import Imported, Source
    from asterism.engine.explore.calls import RecallReads
    from asterism.engine.space.vectors import EmbedderSpec
    from asterism.formats.as_networkx import NetworkxGraph


class ExchangeReads(Held):
    """What can be taken out of a memory, now or as it was."""

    async def graph(
        self,
        *,
        kinds: Collection[str] = (),
        min_strength: float = 0.0,
        limit: int | None = None,
        at: When | None = None,
    ) -> GraphView:
        """Give nodes and links as one graph: of some kinds, with links so strong, so many nodes (most linked first)."""

        def work() -> GraphView:
            from asterism.engine.graph import view
            from asterism.engine.graph.view import Thinning

            live = self._open()
            thinning = Thinning(kinds, min_strength, limit)
            return view.view(live, thinning, at=self._moment(live, at), known_at=self._known_at)

        return await self._runner.run(work)

    async def to_networkx(
        self,
        *,
        directed: bool = False,
        kinds: Collection[str] = (),
        min_strength: float = 0.0,
        limit: int | None = None,
        at: When | None = None,
    ) -> NetworkxGraph:
        """Give the graph to networkx: a MultiGraph, or a MultiDiGraph in which links without a direction go both ways.

        Edges are keyed by their links' ids.
        """
        from asterism.formats.as_networkx import as_networkx

        seen = await self.graph(kinds=kinds, min_strength=min_strength, limit=limit, at=at)
        return as_networkx(seen, directed=directed)

    async def export(
        self,
        path: Target = None,
        *,
        format: str | None = None,  # noqa: A002  # what the command line calls it too
        vectors: bool = False,
        kinds: Collection[str] = (),
        min_strength: float = 0.0,
        limit: int | None = None,
        at: When | None = None,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Exported:
        """Write the memory to a file: the ledger (jsonl), or the graph (graphml, dot, mermaid, csv, parquet, html).

        The ending of the name says which (.gz behind it: compressed); csv and parquet are two files in a folder. A
        file that is there is only replaced by `force`. Without a path, the text is in the answer. `vectors` puts the
        blocks' vectors into a ledger; kinds, min_strength and limit thin out a graph, as in `graph`.
        """

        def work() -> Exported:
            from asterism.engine.exchange import export
            from asterism.engine.graph.view import Thinning

            live = self._open()
            thinning = Thinning(kinds, min_strength, limit)
            wanted = export.Wanted(path, format, vectors, thinning, force, progress)
            return export.export(live, wanted, at=self._moment(live, at), known_at=self._known_at)

        return await self._runner.run(work)


class ExchangeCalls(Held):
    """What a memory takes in from a file, and a copy of all of it."""

    _preset: Preset | None
    _parameters: dict[str, Setting]
    _embedder: EmbedderSpec

    async def backup(self, path: str | Path, *, force: bool = False, progress: Progress | None = None) -> Backup:
        """Write all spaces to a file, as they are at one moment, and read it back; whoever writes meanwhile goes on.

        The file is a memory, and can be opened as one; `asterism backup --restore` (`restore_backup`) puts it in the
        memory's place. One that is there is only replaced by `force`, and only if it is a memory that nobody has open.
        """

        def work() -> Backup:
            from asterism.engine.exchange.backup import backup

            store = self._open().store
            size = store.size_bytes()

            def say(share: float) -> None:
                if progress is not None:
                    progress(share, round(share * size))

            return backup(store, path, force=force, say=say)

        return await self._runner.run(work)

    async def export_increments(
        self, folder: str | Path, *, remake: bool = False, progress: Progress | None = None
    ) -> Increments:
        """Add a file to a folder, with what came to this space since the last one; none that is there is written again.

        `import_` takes in the whole folder. Files that hold something erased since are named; `remake` writes them
        anew without it, and those of this copy that are damaged.
        """

        def work() -> Increments:
            from asterism.engine.exchange.increments import export_increments
            from asterism.incoming import path_of

            where = path_of(folder, meant="the folder of increments")
            return export_increments(self._open(), where, remake=remake, progress=progress)

        return await self._runner.run(work)

    async def import_(
        self, path: Source, *, as_copy: bool = False, max_bytes: int | None = None, progress: Progress | None = None
    ) -> Imported:
        """Take in a ledger that `export` wrote: the set union of both, each item checked, all of it or nothing.

        A folder is one of increments (`export_increments`). What was erased here stays erased. A new space takes over
        the ledger's parameters and embedder. The items of another space get in with `as_copy`, under new ids. The JSON
        lines of the reference memory server are recognised too: entities, observations and relations become blocks. A
        file may have 16 GiB, packed no more than 100 times its size, or `max_bytes`.
        """
        from asterism.engine.exchange import lines as import_lines
        from asterism.engine.exchange import take_in
        from asterism.engine.exchange.reference import ReferenceGraph
        from asterism.engine.exchange.take_in import Imported

        asked = take_in.Asked(self._preset, self._parameters, self._embedder, as_copy, progress)

        def work() -> Imported | list[dict[str, object]]:
            live = self._open()
            with take_in.lines_of(path, max_bytes=max_bytes) as lines:
                first, rest = import_lines.first_line(lines)
                if "asterism" not in first:
                    return import_lines.reference_rows(lines, rest, progress)
                told, self._live = take_in.take_in(live, lines, first, rest, asked)
            return told

        told = await self._runner.run(work)
        if isinstance(told, Imported):
            return told
        loaded = await ReferenceGraph(cast("RecallReads", self)).load(told)
        return Imported(
            format="reference",
            space=self._open().space,
            added=loaded.entities + loaded.observations + loaded.relations,
            duplicates=loaded.known,
            entities=loaded.entities,
            observations=loaded.observations,
            relations=loaded.relations,
        )

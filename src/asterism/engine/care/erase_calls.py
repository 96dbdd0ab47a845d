"""What a memory says of erasing, and of what it would be without something: the calls, thin over the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asterism.engine.space.face import Held

if TYPE_CHECKING:  # a call loads what does its work
    from asterism.core.levels.resting import Resting
    from asterism.core.space.erasure import Manifest, WhatIf
    from asterism.engine.care.rename import Renamed


class ErasureCalls(Held):
    """Erasing for good, and looking at the memory without something."""

    _resting: dict[str, Resting]

    async def erase(self, subject: str, *, dry_run: bool = False) -> Manifest:
        """Erase a node, a session or a source for good: items, what was derived from them, and every byte.

        `subject` is an id or a name; where a name is that of several, say which: `node:NAME`, `session:NAME`,
        `source:NAME`, or `item:ID`. `name:WORDS` is all that is called so, with every learned text that names it.
        Hashes stay behind, so that no merge or import brings it back. `dry_run` gives the manifest and writes nothing.
        """

        def work() -> Manifest:
            from asterism.engine.care.erase import erase

            manifest = erase(self._open(), subject, dry_run=dry_run)
            for node in () if dry_run else manifest.nodes:
                self._resting.pop(node, None)  # the orders that rest in the book of a symbol
            return manifest

        return await self._runner.run(work)

    async def rename_star(self, star: str, name: str) -> Renamed:
        """Call a star otherwise: what was told of it is told again under the new name, and the old one is erased.

        What was found in its values is found again by the next look.
        """
        from asterism.engine.care.rename import rename

        return await self._runner.run(lambda: rename(self._open(), star, name))

    async def what_if(self, *, without: str, limit: int = 100) -> WhatIf:
        """Show what would be otherwise if a node, a session, a source or an item had never been told.

        It is named as for `erase`. The biggest change comes first, `limit` of them at most; the totals count all. It
        writes nothing.
        """
        from asterism.engine.care.what_if import what_if

        return await self._runner.run(lambda: what_if(self._open(), without, limit=limit))

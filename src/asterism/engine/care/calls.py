"""What a memory says of its own health: the call, thin over `doctoring`."""

from __future__ import annotations

from asterism.engine.care import doctor as doctoring
from asterism.engine.care.checkup import Checkup, checkup_of
from asterism.engine.care.surroundings import extras, versions
from asterism.engine.space.face import Held
from asterism.engine.space.vectors import EmbedderSpec
from asterism.store.sqlite import SQLiteStore


class CareCalls(Held):
    """What can be asked of a memory's health."""

    _embedder: EmbedderSpec

    async def doctor(self, *, replay: bool = True) -> Checkup:
        """Say what is wrong with the memory, each finding with the command that repairs it; it changes nothing.

        `replay=False` leaves out the slow part, which folds the ledger anew and compares. A file that cannot be
        opened is examined by `asterism doctor`.
        """

        def work() -> Checkup:
            live, store = self._open(), self._open().store
            how = {"clock": live.clock, "embedder": self._embedder, "replay": replay}
            if isinstance(store, SQLiteStore):
                return doctoring.examine(store.path, spaces=[live.space], mine=True, **how)  # type: ignore[arg-type]
            found = doctoring.of_space(store, live.space, "FILE", **how)  # type: ignore[arg-type]  # as its names say
            return checkup_of(":memory:", [*versions(), *found, *extras()], ["the space", "what is installed"])

        return await self._runner.run(work)

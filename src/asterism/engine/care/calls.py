"""What a memory says of its own health: the call, thin over `doctoring`."""

from __future__ import annotations

from asterism.engine.care import doctor as doctoring
from asterism.engine.care.checkup import Checkup
from asterism.engine.space.face import Held
from asterism.engine.space.vectors import EmbedderSpec


class CareCalls(Held):
    """What can be asked of a memory's health."""

    _embedder: EmbedderSpec

    async def doctor(self, *, replay: bool = True) -> Checkup:
        """Say what is wrong with the memory, each finding with the command that repairs it; it changes nothing.

        `replay=False` leaves out the slow part, which folds the ledger anew and compares. A file that cannot be
        opened is examined by `asterism doctor`.
        """

        def work() -> Checkup:
            live = self._open()
            return doctoring.examine(
                live.store.place,
                spaces=[live.space],
                clock=live.clock,
                embedder=self._embedder,
                replay=replay,
                mine=True,
            )

        return await self._runner.run(work)

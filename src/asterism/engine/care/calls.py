"""What a memory says of itself: what lies ahead of it, whether it is sound, how much there is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from asterism.engine.space.face import Held

if TYPE_CHECKING:  # a call loads what does its work
    from asterism.core.connections.model import Outlook, Stats, Verify
    from asterism.core.ledger.calendar import When
    from asterism.engine.care.checkup import Checkup
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
            from asterism.engine.care.doctor import examine

            live = self._open()
            return examine(
                live.store.place,
                spaces=[live.space],
                clock=live.clock,
                embedder=self._embedder,
                replay=replay,
                mine=True,
            )

        return await self._runner.run(work)

    async def project(self, to: When | None = None, *, days: float | None = None, limit: int = 100) -> Outlook:
        """Say what will fade, and when, if nothing happens; the strongest links first, `limit` at most.

        A date as `to` means the end of that day; without it, 30 days from now.
        """

        def work() -> Outlook:
            from asterism.core.ledger.calendar import DAY_END, MICROS_PER_DAY, in_calendar, to_micros
            from asterism.engine.care.outlook import project
            from asterism.engine.connections.advance import span_ahead

            live = self._open()
            live.refresh()
            ahead = span_ahead(days, None) or 30 * MICROS_PER_DAY
            until = in_calendar(live.now() + ahead, "the time ahead") if to is None else to_micros(to, of_date=DAY_END)
            return project(live, until, limit=limit)

        return await self._runner.run(work)

    async def verify(self) -> Verify:
        """Replay the ledger and compare with what is stored, bit for bit."""
        from asterism.engine.care.verify import verify

        return await self._runner.run(lambda: verify(self._open()))

    async def stats(self) -> Stats:
        """Count what there is, what was dropped, and the calls of this memory that were cancelled."""
        from asterism.engine.care.verify import stats

        counted = await self._runner.run(lambda: stats(self._open()))
        ended = self._runner.broken_off
        return replace(counted, cancelled_calls=ended.calls, cancelled_writes=ended.written)

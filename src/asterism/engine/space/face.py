"""What every face of a memory shares: the space it holds, and the thread that work runs in."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from asterism.engine.space.asked import checked

if TYPE_CHECKING:  # the engine is loaded when a memory is opened
    from asterism.core.ledger.calendar import When
    from asterism.core.space.projection import Projection
    from asterism.engine.space.beside import Beside
    from asterism.engine.space.live import Live
    from asterism.engine.space.threads import Runner

Result = TypeVar("Result")


class Held:
    """A space that is open, now or as it was; a date means the end of that day, or now if that is earlier."""

    _runner: Runner
    _live: Live | None
    _at: int | None = None
    _known_at: int | None = None

    def __init_subclass__(cls, **kwargs: object) -> None:
        """Have every public call look at its flags and functions before it begins."""
        super().__init_subclass__(**kwargs)
        for name, call in vars(cls).copy().items():
            if inspect.iscoroutinefunction(call) and not name.startswith("_"):
                setattr(cls, name, checked(call))

    async def _read(self, at: When | None, look: Callable[[Projection], Result]) -> Result:
        def work() -> Result:
            live = self._open()
            return look(live.view(self._moment(live, at), known_at=self._known_at))

        return await self._runner.run(work)

    def _moment(self, live: Live, at: When | None) -> int | None:
        return self._at if at is None else live.reading_time(at)

    def _beside(self) -> Beside:
        """Give the spaces of the file beside this one."""
        raise NotImplementedError

    def _open(self) -> Live:
        if self._live is None or self._live.closed:
            raise self._runner.closed()
        return self._live

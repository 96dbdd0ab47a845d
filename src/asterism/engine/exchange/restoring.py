"""`restore_backup`: what a program calls to go back to a backup; no memory is open for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from asterism.core.ledger.calendar import DAY_END, When, to_micros
from asterism.engine.exchange.restore import Restored, restore
from asterism.engine.space.clock import SystemClock
from asterism.wiring import place_of


def restore_backup(
    backup: str | Path,
    path: str | Path,
    *,
    known_at: When | None = None,
    progress: Callable[[float], object] | None = None,
) -> Restored:
    """Put a backup in the place of the memory at `path`, which is kept aside; or where none is yet.

    What that memory had erased since is erased in it too. `known_at` leaves out what was learnt later; a date means
    the end of it. Refused while anybody has the memory open; whatever happens on the way, it is as it was.
    """
    known = None if known_at is None else to_micros(known_at, of_date=DAY_END)
    say = progress or (lambda _: None)
    return restore(place_of(backup), place_of(path), known_at=known, clock=SystemClock(), say=say)

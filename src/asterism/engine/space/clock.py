"""The clock a memory goes by, and whether it can be believed.

A clock is a function that gives microseconds. Whoever hands one over answers for it. The system's own is judged, for a
machine without a battery wakes up in 1970, and one bit makes 2106 of it: an item that is stamped so would stand in the
ledger for good, and hold the memory's clock there. So it is believed between two bounds:

    not more than a day before the space last learnt something     else `clock_behind`
    not more than 20 years after this version was released         else `clock_ahead`

Outside of them nothing is stamped with it, and reads do not ask it (`Live.now`), unless somebody says that it is right.
Nor is an item of another copy taken that comes after the second bound, unless the memory itself stands there already:
it would hold its clock there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date, datetime

from asterism.core.ledger.calendar import LATEST, MICROS_PER_DAY, to_date, to_micros, written
from asterism.errors import ClockError
from asterism.hints import Hint, in_python, step

Clock = Callable[[], int]

RELEASED = date(2026, 11, 18)  # of this version: the newest date in CHANGELOG.md, once it has one
YEARS_AHEAD = 20
MOST_BEHIND = MICROS_PER_DAY
RELEASED_AT = to_micros(RELEASED)
LAST_CREDIBLE = to_micros(RELEASED.replace(year=RELEASED.year + YEARS_AHEAD))
REPAIR = Hint(
    "set the clock of this machine right; if it is, say so: ",
    in_python("Memory.open(..., trust_clock=True)", otherwise="--trust-clock, after any command"),
)


def system_time() -> int:
    """Read the system's clock."""
    return time.time_ns() // 1000


class SystemClock:
    """The system's clock where nobody answers for it: it is judged before it is believed."""

    def __init__(self, read: Clock = system_time) -> None:
        self._read = read

    def __call__(self) -> int:
        """Read it."""
        return self._read()


def clock_of(given: Callable[[], datetime] | datetime | SystemClock | None, *, trusted: bool = False) -> Clock:
    """Give a clock in microseconds: the system's, somebody's own, or one that stands still."""
    if given is None:
        return system_time if trusted else SystemClock()
    if isinstance(given, SystemClock):
        return given
    if callable(given):
        return lambda: to_micros(given())
    still = to_micros(given)
    return lambda: still


def last_believed(clock: Clock, now: int) -> int:
    """Say up to when items of another copy are believed: as the system's clock is, or up to where a memory stands.

    >>> last_believed(SystemClock(), RELEASED_AT) == LAST_CREDIBLE, last_believed(system_time, RELEASED_AT) == LATEST
    (True, True)
    """
    return LATEST if clock is system_time else max(now, LAST_CREDIBLE)


def ahead(at: int, what: str) -> ClockError:
    """Say that an item of another copy is of a time that nobody is believed to have reached."""
    return ClockError(
        f"{what} is of {written(at)}, more than {YEARS_AHEAD} years after this version was released ({RELEASED})",
        code="clock_ahead",
        item=written(at),
        hint=Hint(
            "it would hold this memory's clock there: leave it out, or, if it is meant, ",
            in_python("Memory.open(..., trust_clock=True)", otherwise="--trust-clock, after any command"),
        ),
    )


def doubt(system: int, known: int | None) -> ClockError | None:
    """Say why the system's clock cannot be believed, by when something was last learnt; None if it can.

    >>> doubt(RELEASED_AT, known=None), doubt(RELEASED_AT, known=RELEASED_AT + MOST_BEHIND)
    (None, None)
    >>> doubt(0, known=RELEASED_AT).code, doubt(to_micros("2106-02-07"), known=None).code
    ('clock_behind', 'clock_ahead')
    """
    if system > LAST_CREDIBLE:
        return ClockError(
            f"the system's clock says {written(system)}, more than {YEARS_AHEAD} years after this version was "
            f"released ({RELEASED})",
            code="clock_ahead",
            item=written(system),
            hint=REPAIR,
        )
    if known is not None and system < known - MOST_BEHIND:
        return ClockError(
            f"the system's clock says {written(system)}, but this space last learnt something on "
            f"{to_date(known // MICROS_PER_DAY)}",
            code="clock_behind",
            item=written(system),
            hint=Hint(REPAIR, "; ", step("doctor"), " names what was learnt later"),
        )
    return None

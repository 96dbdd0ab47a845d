"""Active hours: the union of sessions, each counted for a day while it is open, and whole once somebody ended it."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from asterism.core.blocks.sessions import ActiveClock
from asterism.core.ledger.calendar import MICROS_PER_HOUR

DAY = 24
MANY = 100


class Act(NamedTuple):
    """Somebody starts or ends a session at an hour."""

    at: int
    name: str
    act: str


def clock_of(*acts: Act, most_open: int = MANY) -> ActiveClock:
    clock = ActiveClock(DAY, most_open)
    for each in acts:
        (clock.start if each.act == "start" else clock.end)(each.name, each.at * MICROS_PER_HOUR)
    return clock


def covered(acts: list[Act], until: int) -> int:
    """Count the hours that sessions cover by a time, hour by hour; one begun anew goes on as another."""
    begun: dict[str, int] = {}
    hours: set[int] = set()
    for at, name, act in acts:
        if at > until:
            break
        if name in begun:
            last = at if act == "end" else min(at, begun[name] + DAY)
            hours |= set(range(begun.pop(name), last))
        if act == "start":
            begun[name] = at
    for first in begun.values():
        hours |= set(range(first, min(until, first + DAY)))
    return len(hours)


def test_a_session_nobody_ended_counts_for_a_day() -> None:
    clock = clock_of(Act(0, "s", "start"))
    assert clock.hours_at(10 * MICROS_PER_HOUR) == 10.0
    assert clock.advance(100 * MICROS_PER_HOUR) == 24.0


def test_a_session_that_was_ended_counts_whole_what_lies_beyond_a_day_at_its_end() -> None:
    clock = clock_of(Act(0, "s", "start"))
    assert clock.advance(99 * MICROS_PER_HOUR) == 24.0
    clock.end("s", 100 * MICROS_PER_HOUR)
    assert clock.advance(200 * MICROS_PER_HOUR) == 100.0


def test_what_several_long_sessions_cover_counts_once() -> None:
    acts = [Act(0, "a", "start"), Act(30, "b", "start"), Act(100, "a", "end"), Act(110, "b", "end")]
    assert clock_of(*acts).hours == 110.0
    assert clock_of(*acts[:2], Act(100, "b", "end"), Act(110, "a", "end")).hours == 110.0


def test_a_session_begun_anew_counts_apart_from_the_one_nobody_ended() -> None:
    clock = clock_of(Act(0, "s", "start"), Act(48, "s", "start"), Act(50, "s", "end"), Act(90, "s", "end"))
    assert clock.hours == 26.0


def test_of_too_many_open_sessions_the_latest_may_still_be_ended() -> None:
    acts = [Act(0, "a", "start"), Act(1, "b", "start"), Act(2, "c", "start"), Act(100, "a", "end")]
    clock = clock_of(*acts, most_open=2)
    assert (clock.hours, clock.dropped, sorted(clock.open)) == (26.0, 1, ["b", "c"])
    clock.end("b", 100 * MICROS_PER_HOUR)
    assert clock.hours == 26.0 + 74.0


@given(
    st.lists(
        st.builds(Act, st.integers(0, 200), st.sampled_from("abc"), st.sampled_from(["start", "end"])), max_size=12
    ),
    st.integers(0, 300),
)
def test_active_hours_are_those_that_sessions_cover(acts: list[Act], later: int) -> None:
    acts.sort()
    clock = ActiveClock(DAY, MANY)
    for number, (at, name, act) in enumerate(acts):
        assert clock.hours_at(at * MICROS_PER_HOUR) == covered(acts[:number], at)
        before = clock.copy()
        (clock.start if act == "start" else clock.end)(name, at * MICROS_PER_HOUR)
        assert clock.hours == covered(acts[: number + 1], at) >= before.hours
    last = acts[-1].at if acts else 0
    assert clock.advance((last + later) * MICROS_PER_HOUR) == covered(acts, last + later)

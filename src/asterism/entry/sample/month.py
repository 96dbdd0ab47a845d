"""A month in a person's life, September 2026: ten stars in five domains, daily diaries and what was said about them.

The story, for those who want to check what the memory finds:
a late evening at the screen costs the next night; the mood follows the sleep; overtime eats the family's evenings;
a long run gives energy the morning after; the novel is worked on nearly every day and does not move, because the inner
critic sits beside it, louder after a bad night; and three times the savings plan was broken on the day it was praised.
Everything is computed, nothing is random.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

FIRST_DAY = datetime(2026, 9, 1, tzinfo=UTC)
DISCOVERY = datetime(2026, 9, 28, 23, tzinfo=UTC)  # the memory is asked for links that nobody named
LAST_MOMENT = datetime(2026, 10, 1, 5, tzinfo=UTC)  # the morning after, before anyone is up
DAYS = 30

STARS = {
    "Sleep": "health",
    "Energy": "health",
    "Running": "health",
    "Late screen": "soul",
    "Mood": "soul",
    "Inner critic": "soul",
    "Family": "relationships",
    "Overtime": "wealth",
    "Savings": "wealth",
    "Novel": "purpose",
}

SCREEN_NIGHTS = (2, 6, 10, 14, 18, 22, 26, 30)  # the evening of this day ran late
SLEPT_IN = 26  # once, it did no harm
LONG_RUNS = (3, 8, 12, 17, 21, 26)
NOVEL_DAYS = tuple(day for day in range(1, DAYS + 1) if day % 7 not in (0, 6) or day in (13, 20, 27))
OVERTIME = (3, 4, 6, 7, 5, 1, 1, 3, 2, 2, 3, 2, 1, 1, 5, 7, 8, 8, 7, 4, 2, 3, 2, 1, 2, 1, 1, 1, 4, 5)
BROKEN_PROMISES = (5, 12, 19)

EVIDENCE = """
 1 19:00 sleep mood co_mention_session | journal | slept badly, snapped at everyone
 2 21:10 late-screen sleep co_mention_response | chat |
 2 21:30 running mood co_mention_session | journal |
 3 20:00 overtime family user_creates | user | late again, dinner without me
 4 08:30 running energy user_creates | user |
 4 21:00 sleep mood user_creates | user | they rise and fall together
 5 18:00 novel late-screen co_mention_session | journal |
 5 21:00 inner-critic novel co_mention_session | journal | rewrote page one again
 5 21:30 savings mood co_mention_session | journal |
 6 20:30 sleep mood tars_confirmed | chat |
 7 09:00 late-screen sleep user_confirms | user | one more episode
 7 20:00 overtime family co_mention_session | journal |
 8 19:30 family mood co_mention_session | journal | a long walk with the children
 9 09:30 running energy user_confirms | user |
 9 21:00 sleep mood co_mention_session | journal |
10 20:00 family mood user_confirms | user |
11 07:30 late-screen sleep user_confirms | user | three episodes, actually
11 20:30 inner-critic novel user_creates | user |
12 21:00 savings mood user_confirms | user | bought it, hid the box
13 09:00 running energy tars_confirmed | chat |
13 21:00 sleep mood user_confirms | user |
14 20:00 novel energy user_creates | user | maybe mornings are better for writing?
15 20:00 inner-critic novel tars_confirmed | chat |
15 07:30 late-screen sleep user_confirms | user |
16 21:00 overtime family user_confirms | user | missed the school play
17 21:00 sleep mood co_mention_response | chat |
18 09:30 running energy user_confirms | user |
19 20:00 overtime family tars_confirmed | chat |
19 21:00 savings mood user_confirms | user |
19 08:00 late-screen sleep tars_confirmed | chat |
20 19:30 late-screen sleep co_mention_session | journal | phone stays in the kitchen from now on
20 20:00 inner-critic novel user_confirms | user | deleted a chapter
21 08:00 late-screen sleep co_mention_response | chat |
21 21:00 sleep mood user_confirms | user |
22 09:00 running energy co_mention_session | journal |
23 20:00 inner-critic novel user_confirms | user |
23 07:40 late-screen sleep user_confirms | user |
25 21:00 sleep mood tars_confirmed | chat |
26 20:00 savings mood tars_confirmed | chat |
27 20:00 running energy user_confirms | user |
28 20:30 sleep mood user_confirms | user |
29 20:00 overtime family user_confirms | user |
"""


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that was said to the memory: the call, its subjects, and the moment."""

    at: datetime
    call: str
    subjects: tuple[str, ...]
    value: float | None = None
    source: str | None = None
    note: str | None = None


def month() -> list[Told]:
    """Give everything that was told in the month, in the order of time.

    >>> story = month()
    >>> len(story), story[0].call, story[-1].at.date().isoformat()
    (370, 'add_star', '2026-09-30')
    """
    told = [*_stars(), *_diaries(), *_habits(), *_evidence()]
    return sorted(told, key=lambda one: (one.at, one.call, one.subjects))


def _moment(day: int, hour: int, minute: int = 0) -> datetime:
    return FIRST_DAY + timedelta(days=day - 1, hours=hour, minutes=minute)


def _wobble(day: int, step: int) -> float:
    """Everyday noise, far below the size of an event."""
    return (day * step % 7 - 3) * 0.006


def _worn_off(day: int, jumps: tuple[int, ...], *, jump: float, step: float) -> float:
    """What is left of the latest jump, so many days later."""
    since = min((day - past for past in jumps if past <= day), default=None)
    return 0.0 if since is None else max(jump - step * since, 0.0)


def _sleep(day: int) -> float:
    costly = tuple(night for night in SCREEN_NIGHTS if night != SLEPT_IN)
    return 0.74 - _worn_off(day - 1, costly, jump=0.24, step=0.06) + _wobble(day, 5)


def _stars() -> Iterator[Told]:
    for place, (name, domain) in enumerate(STARS.items()):
        yield Told(_moment(1, 6, place), "add_star", (name, domain), source="user")


def _diaries() -> Iterator[Told]:
    """Brightness as the diary has it: each jump comes at once and wears off in small steps."""
    for day in range(1, DAYS + 1):
        screen = 0.30 + _worn_off(day, SCREEN_NIGHTS, jump=0.20, step=0.05) + _wobble(day, 3)
        sleep = _sleep(day)
        running = 0.45 + _worn_off(day, LONG_RUNS, jump=0.20, step=0.05) + _wobble(day, 2)
        energy = 0.50 + _worn_off(day - 1, LONG_RUNS, jump=0.22, step=0.06) + _wobble(day, 4)
        overtime = 0.15 + 0.08 * OVERTIME[day - 1]
        family = 0.88 - 0.6 * overtime + _wobble(day, 6)
        yield from (
            Told(_moment(day, 7), "set_brightness", ("sleep",), round(sleep, 3)),
            Told(_moment(day, 9), "set_brightness", ("energy",), round(energy, 3)),
            Told(_moment(day, 18), "set_brightness", ("running",), round(running, 3)),
            Told(_moment(day, 19), "set_brightness", ("overtime",), round(overtime, 3)),
            Told(_moment(day, 20, 15), "set_brightness", ("mood",), round(0.8 * sleep + _wobble(day, 3), 3)),
            Told(_moment(day, 21), "set_brightness", ("family",), round(family, 3)),
            Told(_moment(day, 21, 45), "set_brightness", ("late-screen",), round(screen, 3)),
        )


def _habits() -> Iterator[Told]:
    for day in NOVEL_DAYS:
        yield Told(_moment(day, 6, 30), "engage", ("novel",), source="habit tracker")
        yield Told(_moment(day, 6, 31), "engage", ("inner-critic",), source="habit tracker")
        yield Told(_moment(day, 8), "set_brightness", ("novel",), round(0.42 + _wobble(day, 2) / 2, 3))
        critic = 0.54 + 0.003 * day + 0.35 * (0.7 - _sleep(day)) + _wobble(day, 4) / 2
        yield Told(_moment(day, 8, 1), "set_brightness", ("inner-critic",), round(critic, 3))
    for day in (1, 8, 15, 22):
        yield Told(_moment(day, 12), "set_brightness", ("savings",), round(0.55 - 0.012 * day, 3))
    for day in BROKEN_PROMISES:
        yield Told(_moment(day, 17), "contradict", ("savings",), source="bank statement")


def _evidence() -> Iterator[Told]:
    for line in EVIDENCE.strip().splitlines():
        said, source, note = (part.strip() for part in line.split("|"))
        day, clock, a, b, kind = said.split()
        hour, minute = map(int, clock.split(":"))
        at = _moment(int(day), hour, minute)
        yield Told(at, "observe", (a, b, kind), source=source, note=note or None)
    yield Told(_moment(9, 21, 30), "deny", ("novel", "late-screen"), source="user")

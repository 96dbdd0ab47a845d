"""Telling a memory the sample month, day by day, and noting what changed overnight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from asterism.entry.sample.month import DAYS, DISCOVERY, FIRST_DAY, LAST_MOMENT, Told, month

if TYPE_CHECKING:
    from asterism.core.ledger.model import Link
    from asterism.sync import Memory


class StoryClock:
    """A clock that stands where the story is."""

    def __init__(self) -> None:
        self.now = FIRST_DAY

    def __call__(self) -> datetime:
        """Give the story's moment."""
        return self.now


@dataclass(frozen=True, slots=True)
class Noted:
    """Something that was different on the morning of a day."""

    day: datetime
    what: str
    before: str
    after: str
    link: Link | None = None


@dataclass
class Played:
    """What came of the month: how much was told, what changed, what was discovered."""

    told: int = 0
    noted: list[Noted] = field(default_factory=list)
    discovered: list[str] = field(default_factory=list)


def play(memory: Memory, clock: StoryClock, *, progress: Callable[[str], None] = lambda _: None) -> Played:
    """Tell the memory the month; it is asked once, near the end, for links that nobody named."""
    played, story = Played(), month()
    before = _look(memory)
    for day in range(DAYS):
        morning = FIRST_DAY + timedelta(days=day + 1)
        progress(f"The month, day {day + 1} of {DAYS}")
        today = [told for told in story if told.at.day == day + 1]
        for told in today:
            clock.now = told.at
            _tell(memory, told)
        played.told += len(today)
        if DISCOVERY.date() == (morning - timedelta(days=1)).date():
            clock.now = DISCOVERY
            changes = memory.advance(to=DISCOVERY, discover=True)
            played.discovered = [each.id for each in changes.states if each.before == "DISSOLVED"]
        clock.now = morning
        after = _look(memory)
        played.noted += _differences(morning, before, after, played.discovered)
        before = after
    clock.now = LAST_MOMENT
    memory.advance(to=LAST_MOMENT)
    return played


def _tell(memory: Memory, told: Told) -> None:
    first, *rest = told.subjects
    if told.call == "add_star":
        memory.add_star(first, domain=rest[0], at=told.at, source=told.source)
    elif told.call == "set_brightness":
        assert told.value is not None
        memory.set_brightness(first, told.value, at=told.at, source=told.source)
    elif told.call == "engage":
        memory.engage(first, at=told.at, source=told.source)
    elif told.call == "contradict":
        memory.contradict(first, at=told.at, source=told.source)
    elif told.call == "deny":
        memory.deny(first, rest[0], at=told.at, source=told.source)
    else:
        memory.observe(first, rest[0], rest[1], at=told.at, source=told.source, note=told.note)


@dataclass(frozen=True, slots=True)
class _Look:
    links: dict[str, Link]
    stars: dict[str, tuple[str, str]]


def _look(memory: Memory) -> _Look:
    stars = {star.id: (star.name, star.state) for star in memory.stars()}
    return _Look({link.id: link for link in memory.links()}, stars)


def _differences(day: datetime, before: _Look, after: _Look, discovered: list[str]) -> list[Noted]:
    """Note what detection decided, what fell asleep or dissolved, and which stars went dark."""
    noted = []
    for link_id in sorted(before.links.keys() | after.links.keys()):
        old, new = before.links.get(link_id), after.links.get(link_id)
        if old is None and new is not None and link_id in discovered:
            noted.append(Noted(day, "kind", "-", new.kind, new))
        elif old is not None and new is None:
            noted.append(Noted(day, "link", old.state, "DISSOLVED", old))
        elif old is not None and new is not None and old.kind != new.kind:
            noted.append(Noted(day, "kind", old.kind, new.kind, new))
        elif old is not None and new is not None and old.state != new.state == "DORMANT":
            noted.append(Noted(day, "link", old.state, new.state, new))
    for star_id, (name, state) in sorted(after.stars.items()):
        held = before.stars.get(star_id, (name, state))[1]
        if held != state and state in ("BRIGHT", "DIM", "DARK", "DORMANT"):
            noted.append(Noted(day, name, held, state))
    return noted

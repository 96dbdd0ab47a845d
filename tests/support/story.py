"""A short way to tell a ledger in a test: what happened on which day, folded."""

from __future__ import annotations

import math

from asterism.core.connections import read
from asterism.core.connections.fold import Gain
from asterism.core.connections.model import Star
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.tables import Links, Stars
from asterism.core.ledger.calendar import MICROS_PER_DAY, MICROS_PER_HOUR
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.core.ledger.model import Link
from asterism.core.ledger.parameters import Setting
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection

PLAIN = {"excavation_days": 0}  # the numbers of spec 01 are outside excavation


class Story:
    """A space told day by day; day 0 is 1970-01-01."""

    def __init__(self, *stars: str, **overrides: Setting) -> None:
        self.projection = Projection(SpaceParameters(ConnectionParameters.build("seed", {**PLAIN, **overrides})))
        self.items: list[Item] = []
        for name in stars:
            self.say("star_added", 0, 0, star=name, name=name.upper(), domain="soul")

    def say(self, what: str, day: int, hour: float = 12, **payload: str | float) -> Gain | None:
        at = day * MICROS_PER_DAY + round(hour * MICROS_PER_HOUR)
        told: Payload = dict(payload)
        self.items.append(make_item(space="s", what=what, at=at, payload=told, known_at=0))
        gain = self.projection.apply(self.items[-1])
        assert gain is None or isinstance(gain, Gain)
        return gain

    def evidence(self, kind: str, day: int, hour: float = 12, a: str = "a", b: str = "b") -> Gain:
        gain = self.say("evidence", day, hour, a=a, b=b, kind=kind)
        assert gain is not None
        return gain

    def observe(self, star: str, value: float, day: int, hour: float = 12) -> None:
        self.say("brightness_observed", day, hour, star=star, value=value)

    def end(self, day: int) -> None:
        """End every day up to and including this one."""
        self.projection.close_days(day + 1)

    def link(self, a: str = "a", b: str = "b") -> Link:
        found = read.link(self.projection.connections, a, b)
        assert found is not None
        return found

    def link_or_none(self, a: str = "a", b: str = "b") -> Link | None:
        return read.link(self.projection.connections, a, b)

    def star(self, name: str) -> Star:
        found = read.star(self.projection.connections, name)
        assert found is not None
        return found

    def links(self) -> Links:
        return self.projection.connections.graph.links

    def stars(self) -> Stars:
        return self.projection.connections.graph.stars

    def row(self, name: str) -> int:
        return self.projection.nodes.rows[name]

    def set_link(self, a: str = "a", b: str = "b", **columns: float) -> int:
        """Put a link where a test wants it to begin."""
        row = read.row_of(self.projection.connections, a, b)
        for name, value in columns.items():
            getattr(self.links(), name)[row] = value
        return row

    def set_star(self, name: str, **columns: float) -> int:
        """Put a star where a test wants it to begin."""
        row = self.row(name)
        for column, value in columns.items():
            getattr(self.stars(), column)[row] = value
        return row


def wave(day: int) -> float:
    return round(0.5 + 0.3 * math.sin(day * 0.9), 6)


def diary(sign: float, days: int = 20, **overrides: float | str) -> Story:
    """Two stars observed daily, moving together or against each other, and one item between them."""
    story = Story("a", "b", **overrides)
    story.evidence("user_creates", 0)
    for day in range(days):
        story.observe("a", wave(day), day)
        story.observe("b", round(0.5 + sign * (wave(day) - 0.5), 6), day, 13)
    story.end(days - 1)
    return story


def followed(sign: int, **overrides: float | str) -> Story:
    """B changes 20 h after A, every third day; the daily values themselves hardly correlate."""
    story = Story("a", "b", **{"resonance_threshold": 1.0, "tension_threshold": -1.0, **overrides})
    story.evidence("user_creates", 0, 1)
    story.evidence("user_confirms", 0, 2)
    for turn in range(9):
        value = 0.7 if turn % 2 else 0.3
        story.observe("a", value, 3 * turn, 12)
        story.observe("b", value if sign > 0 else 1 - value, 3 * turn + 1, 8)
    return story

"""A short way to tell a ledger in a test: what happened on which day, folded."""

from __future__ import annotations

from asterism.core.connections import read
from asterism.core.connections.fold import Gain
from asterism.core.connections.model import Star
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.tables import Links, Stars
from asterism.core.ledger.calendar import MICROS_PER_DAY, MICROS_PER_HOUR
from asterism.core.ledger.items import Payload, make_item
from asterism.core.ledger.model import Link
from asterism.core.ledger.parameters import Setting
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection

PLAIN = {"excavation_days": 0}  # the numbers of spec 01 are outside excavation


class Story:
    """A space told day by day; day 0 is 1970-01-01."""

    def __init__(self, *stars: str, **overrides: Setting) -> None:
        self.projection = Projection(SpaceParameters(ConnectionParameters.build("seed", {**PLAIN, **overrides})))
        for name in stars:
            self.say("star_added", 0, 0, star=name, name=name.upper(), domain="soul")

    def say(self, what: str, day: int, hour: float = 12, **payload: str | float) -> Gain | None:
        at = day * MICROS_PER_DAY + round(hour * MICROS_PER_HOUR)
        told: Payload = dict(payload)
        gain = self.projection.apply(make_item(space="s", what=what, at=at, payload=told, known_at=0))
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

"""Letting time pass, and saying what happened meanwhile."""

from __future__ import annotations

import numpy as np

from asterism.core.connections import read
from asterism.core.connections.day import Graph
from asterism.core.connections.fold import Connections
from asterism.core.connections.model import Changes, StarInfluence
from asterism.core.ledger.arguments import is_number
from asterism.core.ledger.calendar import (
    MICROS_PER_DAY,
    MICROS_PER_HOUR,
    day_of,
    in_calendar,
    to_date,
    to_datetime,
    written,
)
from asterism.core.ledger.items import Item, cut, make_item
from asterism.core.ledger.parameters import Preset, Setting, preset_names
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from asterism.engine.space.live import Live
from asterism.engine.space.parameters import as_declared, recorded
from asterism.errors import InputError
from asterism.hints import Hint, mention, option

MOST_DAYS = 3_660  # ten years at once: a slip of the finger must not hold the memory's clock for good


def refuse_far_future(until: int, now: int) -> None:
    """Let time pass, or be looked into, by a bounded number of days."""
    if until - now > MOST_DAYS * MICROS_PER_DAY:
        raise InputError(
            f"{written(until)} is more than ten years ({MOST_DAYS:,} days) ahead of the memory's clock, {written(now)}",
            code="bad_span",
            item=written(until),
            hint=f"go to {to_date(day_of(now) + MOST_DAYS - 1)} at most, and on from there",
        )


class Advance:
    """One step of the clock: the marks that say it, and a watch over what happens until then."""

    def __init__(self, live: Live, *, by: int | None, to: int | None, discover: bool) -> None:
        if (by is None) == (to is None):
            hint = Hint("give ", option("days"), ", ", option("hours"), " or ", option("to"))
            raise InputError("say how far to advance", code="bad_span", hint=hint)
        self._live, self._by, self._to = live, by, to
        self._marks = ("clock", "discovery") if discover else ("clock",)
        self._influence = np.zeros(0)
        self._brightness = np.zeros(0)

    def begin(self, projection: Projection) -> list[Item]:
        """Look at the space as it stands, and give the marks; called where nobody else can write."""
        live = self._live
        now = live.now()
        until = in_calendar(now + self._by, "the time ahead") if self._by is not None else self._to
        assert until is not None
        if until < now:
            raise InputError(
                f"{written(until)} is before the memory's clock, {written(now)}",
                code="past_time",
                item=written(until),
                hint=Hint("time only passes forwards; ", mention("as_of"), " shows the past"),
            )
        refuse_far_future(until, now)
        self._first_day, self._until = day_of(now), until
        self._before, self._nodes = read.Look(live.view().connections), projection.nodes
        known_at = live.stamp()
        marks = [
            make_item(space=live.space, what=mark, at=until, payload={}, known_at=known_at) for mark in self._marks
        ]
        return [mark if live.has(mark) else live.anew(mark) for mark in marks]

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Add up what links do to each star, from the first day on."""
        if day < self._first_day:
            return
        brightness = graph.stars.trim().brightness
        if stage == "state":
            self._brightness = brightness.copy()
        elif stage == "influence":
            self._influence = np.pad(self._influence, (0, len(brightness) - len(self._influence)))
            self._influence += brightness - self._brightness

    def slept(self, day: int, until: int, graph: Graph) -> None:
        """No star is moved while all sleeps."""

    def changes(self, folded: Connections) -> Changes:
        """Say what is otherwise now."""
        changed = self._before.changes(folded)
        moved = np.flatnonzero(np.abs(self._influence) > 1e-9).tolist()
        return Changes(
            clock=to_datetime(self._until),
            states=changed.states,
            types=changed.types,
            dormant=tuple(change.id for change in changed.states if change.after == "DORMANT"),
            dissolved=tuple(change.id for change in changed.states if change.after == "DISSOLVED"),
            stars=changed.stars,
            influence=tuple(StarInfluence(self._nodes.ids[row], self._influence.item(row)) for row in moved),
            predictions=changed.predictions,
        )


def advance(live: Live, *, by: int | None, to: int | None, discover: bool) -> Changes:
    """Append a clock mark, fold the days up to it, and give what changed."""
    step = Advance(live, by=by, to=to, discover=discover)
    live.write(step.begin, watch=step)
    return step.changes(live.refresh().connections)


def reconfigured(live: Live, preset: Preset, overrides: dict[str, Setting]) -> Live:
    """Record other parameters for a space and fold it anew with them."""
    built = SpaceParameters.build(preset, overrides, capabilities=live.capabilities)
    with live.store.writing(live.space) as writing:
        writing.set_parameters(recorded(preset_names(preset), as_declared(overrides, built)))
    return Live(live.store, live.space, clock=live.clock, embedder=live.embedder, capabilities=live.capabilities)


def span_ahead(days: float | None, hours: float | None) -> int | None:
    """Read a span ahead: so many days and hours."""
    given = {name: value for name, value in (("days", days), ("hours", hours)) if value is not None}
    if not given:
        return None
    told = " and ".join(
        f"{float(value):g} {name}" if is_number(value) else f"{cut(repr(value))} {name}"
        for name, value in given.items()
    )
    if all(is_number(value) for value in given.values()):
        total = float(given.get("days", 0)) * 24 + float(given.get("hours", 0))
        if 0 < total <= MOST_DAYS * 24:
            return round(total * MICROS_PER_HOUR)
        if total > 0:
            raise InputError(
                f"{told} is more than ten years",
                code="bad_span",
                item=told,
                hint=f"go {MOST_DAYS:,} days at most, and on from there",
            )
    raise InputError(
        f"{told} is no span of time ahead",
        code="bad_span",
        item=told,
        hint=Hint("give a number above 0; ", mention("as_of"), " shows the past"),
    )

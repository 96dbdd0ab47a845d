"""Letting time pass, and saying what happened meanwhile."""

from __future__ import annotations

import numpy as np

from asterism.core.calendar import MICROS_PER_DAY, day_of, to_datetime
from asterism.core.connections import read
from asterism.core.connections.day import Graph
from asterism.core.connections.model import Changes, StarInfluence
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.items import make_item
from asterism.core.parameters import Preset, Setting, preset_names
from asterism.engine.live import Live, recorded
from asterism.errors import InputError

MOST_DAYS = 3_660  # a step of ten years at once; a slip of the finger must not fold for hours


class InfluenceWatch:
    """Adds up what links did to each star."""

    def __init__(self, first_day: int) -> None:
        self.first_day = first_day
        self._before = np.zeros(0)
        self.total = np.zeros(0)

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Note brightness before and after influence, from the first day on."""
        if day < self.first_day:
            return
        brightness = graph.stars.trim().brightness
        if stage == "state":
            self._before = brightness.copy()
        elif stage == "influence":
            self.total = np.pad(self.total, (0, len(brightness) - len(self.total)))
            self.total += brightness - self._before


def refuse_far_future(until: int, now: int) -> None:
    """Let time pass, or be looked into, by a bounded number of days."""
    if until - now > MOST_DAYS * MICROS_PER_DAY:
        raise InputError(
            f"{to_datetime(until).isoformat()} is more than {MOST_DAYS:,} days ahead",
            code="bad_span",
            item=to_datetime(until).isoformat(),
            hint="go in smaller steps",
        )


def advance(live: Live, *, by: int | None, to: int | None, discover: bool) -> Changes:
    """Append a clock mark, fold the days up to it, and give what changed."""
    live.refresh()
    now = live.now()
    if (by is None) == (to is None):
        raise InputError("say how far to advance", code="bad_span", hint="give days=, hours= or to=")
    until = now + by if by is not None else to
    assert until is not None
    if until < now:
        raise InputError(
            f"{to_datetime(until).isoformat()} is before the memory's clock, {to_datetime(now).isoformat()}",
            code="past_time",
            item=to_datetime(until).isoformat(),
            hint="time only passes forwards; as_of shows the past",
        )
    refuse_far_future(until, now)
    start = live.view()
    before = read.Look(start.connections)
    known = len(read.prediction_list(start.connections))
    watch = InfluenceWatch(day_of(now))
    marks = ("clock", "discovery") if discover else ("clock",)
    known_at = live.clock()
    items = [make_item(space=live.space, what=what, at=until, payload={}, known_at=known_at) for what in marks]
    live.write(lambda _: items, watch=watch)
    folded = live.refresh().connections
    states = tuple(before.state_changes(folded))
    return Changes(
        clock=to_datetime(until),
        states=states,
        types=tuple(before.type_changes(folded)),
        dormant=tuple(change.id for change in states if change.after == "DORMANT"),
        dissolved=tuple(change.id for change in states if change.after == "DISSOLVED"),
        stars=tuple(before.star_changes(folded)),
        influence=tuple(
            StarInfluence(folded.nodes.ids[row], watch.total.item(row))
            for row in np.flatnonzero(np.abs(watch.total) > 1e-9).tolist()
        ),
        predictions=tuple(read.prediction_list(folded)[known:]),
    )


def reconfigured(live: Live, preset: Preset, overrides: dict[str, Setting]) -> Live:
    """Record other parameters for a space and fold it anew with them."""
    ConnectionParameters.build(preset, overrides)
    with live.store.writing(live.space) as writing:
        writing.set_parameters(recorded(preset_names(preset), overrides))
    return Live(live.store, live.space, clock=live.clock)

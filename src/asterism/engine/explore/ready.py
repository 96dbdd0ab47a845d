"""Getting a memory ready to be walked, against the clock: its texts, their vectors, the graph, where to start.

A process that has just opened a large memory has all of this to do. What can be done in portions is, with a look at
the clock between them; what cannot is not begun when there is clearly no time for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from asterism.core.space.projection import Projection
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.result import nothing_found
from asterism.engine.explore.graph import graph_of
from asterism.engine.explore.journey import Journey, asking_of, seconds
from asterism.engine.explore.run import Asking, ExplorationTimeout
from asterism.engine.recall import answer as answering
from asterism.engine.space.live import Live

SECONDS_PER_TEXT = 15e-6  # a text that was never looked at here takes at least so long, on the machines we know


class Countdown:
    """The time that an exploration has, and where it went before walkers set out."""

    def __init__(self, seconds: float, began: float) -> None:
        self.seconds = seconds
        self.began = began
        self.spent: dict[str, float] = {}
        self._doing: tuple[str, float] | None = None

    @property
    def left(self) -> float:
        """Give the seconds that are left."""
        return self.seconds - (time.perf_counter() - self.began)

    @contextmanager
    def spend(self, what: str) -> Iterator[None]:
        """Count the time inside, and look at the clock before and after it."""
        self.check()
        self._doing = what, time.perf_counter()
        yield
        self._count()
        self.check()

    def check(self, *, needed: float = 0.0) -> None:
        """End everything if the time is over, or less is left than is needed."""
        if self.left <= needed:
            self._count()
            nothing = nothing_found("deadline", took_ms=round((time.perf_counter() - self.began) * 1e3, 3))
            raise ExplorationTimeout(nothing, seconds=self.seconds, spent=self.spent, needed=needed)

    def _count(self) -> None:
        if self._doing is not None:
            what, since = self._doing
            self.spent[what] = self.spent.get(what, 0.0) + time.perf_counter() - since
            self._doing = None


def ready(live: Live, wanted: Journey) -> tuple[WalkGraph, Asking, Countdown]:
    """Give the graph, what is asked of it, and the clock; nothing is written."""
    clock = Countdown(seconds(live, wanted), wanted.began)
    with clock.spend("the ledger"):
        folded, texts = live.refresh(), live.texts()
    clock.check(needed=SECONDS_PER_TEXT * max(0, _texts_in(folded) - len(texts)))
    texts.tick = clock.check
    try:
        with clock.spend("texts and vectors"):
            seen = answering.sight(live)
            seen.recaller.embed(most=None)  # walkers need the vectors of all there is
        with clock.spend("the graph"):
            graph = graph_of(live, seen, tick=clock.check)
        with clock.spend("the start"):
            asking = asking_of(live, seen, graph, wanted)
    finally:
        texts.tick = None
    return graph, asking, clock


def _texts_in(folded: Projection) -> int:
    return len(folded.blocks.blocks) + sum(len(kept.said.moments) for kept in folded.transcripts.readings.values())

"""Getting a memory ready to be walked, against the clock: its texts, their vectors, the graph, where to start.

A process that has just opened a large memory has all of this to do. What can be done in portions is, with a look at
the clock between them; what cannot is not begun when there is clearly no time for it.
"""

from __future__ import annotations

from asterism.core.space.projection import Projection
from asterism.core.walkers.graph import WalkGraph
from asterism.engine.explore.graph import graph_of
from asterism.engine.explore.journey import Journey, asking_of
from asterism.engine.explore.run import Asking, Countdown
from asterism.engine.recall import answer
from asterism.engine.space.live import Live

SECONDS_PER_TEXT = 15e-6  # a text that was never looked at here takes at least so long, on the machines we know
SECONDS_TO_WAKE = 0.05  # an embedder reads its tables when it is first asked, and cannot be interrupted


def ready(live: Live, wanted: Journey, clock: Countdown) -> tuple[WalkGraph, Asking]:
    """Give the graph and what is asked of it; nothing is written."""
    with clock.spend("the ledger"):
        folded, texts = live.refresh(), live.texts()
    clock.check(needed=SECONDS_PER_TEXT * max(0, _texts_in(folded) - len(texts)))
    if texts.embedder.knows_words and not texts.embedded:
        clock.check(needed=SECONDS_TO_WAKE)
        with clock.spend("the embedder"):
            texts.embedder.embed([wanted.query])
    texts.tick = clock.check
    try:
        with clock.spend("texts and vectors"):
            seen = answer.sight(live)
            seen.recaller.embed(most=None)  # walkers need the vectors of all there is
        with clock.spend("the graph"):
            graph = graph_of(live, seen, tick=clock.check)
        with clock.spend("the start"):
            asking = asking_of(live, seen, graph, wanted)
    finally:
        texts.tick = None
    return graph, asking


def _texts_in(folded: Projection) -> int:
    return len(folded.blocks.blocks) + sum(len(kept.said.moments) for kept in folded.transcripts.readings.values())

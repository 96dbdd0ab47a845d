"""CRD3 as used: a memory reads the whole episode as a transcript, and each chunk of the summary is put to `recall`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np

from asterism.core.ledger.columns import Floats
from asterism.core.ledger.nodes import slug
from asterism.embed import open_embedder
from asterism.engine.space.vectors import EmbedderSpec
from asterism.evals import crd3
from asterism.evals.as_used import NOW, Clock, ask, opened
from asterism.evals.recall_sets import Progress
from asterism.evals.report import Report

BEGAN = timedelta(hours=6)  # before it is asked about: an episode is over by then
READ = "as used: read_transcript of the episode with whoever says most as the responder, recall(chunk)"


def run(
    data: Path,
    *,
    progress: Progress | None = None,
    embedder: str | None = None,
    sample: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Read every episode and ask for every chunk; with `sample`, for so many of each."""
    episodes = [some_chunks(each, sample) for each in crd3.load(data)]
    begun, opens = clock(), open_embedder(embedder)
    found = []
    for each in episodes:
        if progress is not None:
            progress(f"as used: {each.name}")
        found.append(_asked(each, opens))
    hit = [replace(each, gold=each.gold & (ranked > 0)) for each, ranked in zip(episodes, found, strict=True)]
    return [Report("crd3", "as used", READ, tuple(crd3.rows(found, hit)), round(clock() - begun, 3))]


def some_chunks(episode: crd3.Episode, most: int | None) -> crd3.Episode:
    """Keep so many chunks of an episode, from all over it."""
    step = 1 if most is None else max(1, -(-len(episode.chunks) // most))
    return replace(episode, chunks=episode.chunks[::step], gold=episode.gold[::step])


def _asked(episode: crd3.Episode, embedder: EmbedderSpec) -> Floats:
    """Give for each chunk and turn how early the turn is among the hits; 0 for one that is not."""
    told = zip(episode.speakers, episode.turns, strict=True)
    lines = [(place, speaker, text) for place, (speaker, text) in enumerate(told)]
    leads = Counter(episode.speakers).most_common(1)[0][0]
    session = slug(episode.name)
    depth = max(crd3.DEPTHS)
    ranked = np.zeros((len(episode.chunks), len(episode.turns)))
    with opened(Clock(NOW), embedder) as memory:
        memory.read_transcript(lines, session=session, started_at=NOW - BEGAN, responders=leads)
        known = {f"{session}/{place}": {str(place)} for place, _, _ in lines}
        for row, chunk in enumerate(episode.chunks):
            if not chunk.strip():
                continue
            for place, stands in enumerate(ask(memory, known, chunk, depth).hits):
                ranked[row, [int(turn) for turn in stands]] = depth - place
    return ranked

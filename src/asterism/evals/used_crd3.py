"""CRD3 as used: a memory reads the whole episode as a transcript, and each chunk of the summary is put to `recall`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
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
WAYS = {
    "as used": "as used: read_transcript of the episode, recall(chunk)",
    "story": "as used: the same, recall_story(chunks)",
}


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
    opens, begun = open_embedder(embedder), clock()
    found: dict[str, list[Floats]] = {name: [] for name in WAYS}
    for each in episodes:
        if progress is not None:
            progress(f"as used: {each.name}")
        for name, ranked in zip(WAYS, _asked(each, opens), strict=True):
            found[name].append(ranked)
    return [_report(name, episodes, found[name], round(clock() - begun, 3)) for name in WAYS]


def _report(name: str, episodes: Sequence[crd3.Episode], found: Sequence[Floats], seconds: float) -> Report:
    hit = [replace(each, gold=each.gold & (ranked > 0)) for each, ranked in zip(episodes, found, strict=True)]
    return Report("crd3", name, WAYS[name], tuple(crd3.rows(found, hit)), seconds)


def some_chunks(episode: crd3.Episode, most: int | None) -> crd3.Episode:
    """Keep so many chunks of an episode, from all over it."""
    step = 1 if most is None else max(1, -(-len(episode.chunks) // most))
    return replace(episode, chunks=episode.chunks[::step], gold=episode.gold[::step])


def _asked(episode: crd3.Episode, embedder: EmbedderSpec) -> tuple[Floats, Floats]:
    """Give for each chunk and turn how early the turn is among the hits, 0 for one that is not: by recall, by story."""
    told = zip(episode.speakers, episode.turns, strict=True)
    lines = [(place, speaker, text) for place, (speaker, text) in enumerate(told)]
    session = slug(episode.name)
    known = {f"{session}/{place}": {str(place)} for place, _, _ in lines}
    depth = max(crd3.DEPTHS)
    asked = [(row, chunk) for row, chunk in enumerate(episode.chunks) if chunk.strip()]
    by_recall, by_story = (np.zeros((len(episode.chunks), len(episode.turns))) for _ in WAYS)
    with opened(Clock(NOW), embedder) as memory:
        memory.read_transcript(lines, session=session, started_at=NOW - BEGAN)
        for row, chunk in asked:
            for place, stands in enumerate(ask(memory, known, chunk, depth).hits):
                by_recall[row, [int(turn) for turn in stands]] = depth - place
        placed = memory.recall_story([chunk for _, chunk in asked], session=session, k=depth)
        for (row, _), answer in zip(asked, placed, strict=True):
            for place, hit in enumerate(answer.hits):
                by_story[row, int(hit.id.rsplit("/", 1)[1])] = depth - place
    return by_recall, by_story

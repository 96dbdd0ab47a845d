"""CRD3: game sessions of four hours; which turns does each chunk of the summary tell of?

    asterism eval crd3 --data FOLDER

The folder (or its folder `crd3`) holds `cleaned/EPISODE.json.gz` with `TURNS`, and `aligned_c2/EPISODE_2_0.json.gz`
with chunks and the turns that the set's authors aligned them to by words (silver truth). hit@k: one of the first k
turns lies in the chunk's span. "inside" is story order with the shipped settings; "others' settings" takes those
that do best on the other episodes.
"""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from asterism.core.dialogue.story import StoryParameters, in_story_order, word_scores
from asterism.core.ledger.columns import Bools, Floats
from asterism.core.ledger.graph import Entry
from asterism.core.text.words import words
from asterism.evals.dialogue_sets import Progress
from asterism.evals.recall_sets import Pool, plain_bm25, unusable
from asterism.evals.report import Report, Row

DEPTHS = (1, 10)
WARMTHS, DROPS, REACHES = (0.3, 0.6), (2.0, 3.0, 4.0), (1, 2)


@dataclass(frozen=True)
class Episode:
    """A session: its turns with their speakers, and for each chunk of the summary the span it was aligned to."""

    name: str
    turns: tuple[str, ...]
    speakers: tuple[str, ...]
    chunks: tuple[str, ...]
    gold: Bools  # chunks x turns


def run(
    data: Path, *, progress: Progress | None = None, clock: Callable[[], float] = time.perf_counter
) -> list[Report]:
    """Rank every episode's turns for every chunk, by words alone and in story order."""
    episodes = load(data)
    reports = []
    for name, preset, ranked in (
        ("BM25", "-", _bm25),
        ("words", "story", lambda each: word_scores(_told(each), each.chunks)),
        ("inside", "story", lambda each: in_story_order(word_scores(_told(each), each.chunks))),
    ):
        reports.append(_report(name, preset, episodes, ranked, progress, clock))
    if len(episodes) > 1:
        if progress is not None:
            progress("choosing settings on the other episodes")
        chosen = settings_of_others(episodes)

        def by_others(each: Episode) -> Floats:
            return in_story_order(word_scores(_told(each), each.chunks), chosen[each.name])

        reports.append(_report("others' settings", "chosen here", episodes, by_others, progress, clock))
    return reports


def settings_of_others(episodes: Sequence[Episode]) -> dict[str, StoryParameters]:
    """Choose for each episode the settings with most hits at 10 on all others; the first of equals."""
    grid = [
        StoryParameters(warmth=warmth, drop=drop, reach=reach)
        for warmth, drop, reach in product(WARMTHS, DROPS, REACHES)
    ]
    scores = [word_scores(_told(each), each.chunks) for each in episodes]
    hits = np.array(
        [
            [_hits(in_story_order(mine, rules), each.gold, 10).sum() for rules in grid]
            for mine, each in zip(scores, episodes, strict=True)
        ]
    )
    best = np.argmax(hits.sum(axis=0) - hits, axis=1)
    return {each.name: grid[place] for each, place in zip(episodes, best.tolist(), strict=True)}


def _told(episode: Episode) -> list[str]:
    """Give the turns with their speakers: a chunk names who acts."""
    return [f"{name} {turn}" for name, turn in zip(episode.speakers, episode.turns, strict=True)]


def _bm25(episode: Episode) -> Floats:
    """Rank as the set's README does: plain BM25 over the turns, each word of the chunk once."""
    entries = tuple(Entry(f"{at:09d}", turn) for at, turn in enumerate(episode.turns))
    scores = plain_bm25(Pool(episode.name, entries, (), conversation=True))
    return np.array([scores(" ".join(dict.fromkeys(words(chunk)))) for chunk in episode.chunks])


def _hits(ranked: Floats, gold: Bools, depth: int) -> Bools:
    """Say for every chunk whether one of its first turns lies in its span; ties go to the earlier turn."""
    first = np.argsort(-np.round(ranked, 9), axis=1, kind="stable")[:, :depth]
    found: Bools = np.asarray(np.take_along_axis(gold, first, axis=1).any(axis=1))
    return found


def _report(
    name: str,
    preset: str,
    episodes: Sequence[Episode],
    ranked: Callable[[Episode], Floats],
    progress: Progress | None,
    clock: Callable[[], float],
) -> Report:
    if progress is not None:
        progress(name)
    started = clock()
    found = [ranked(each) for each in episodes]
    seconds = clock() - started
    return Report("crd3", name, preset, tuple(rows(found, episodes)), seconds)


def rows(found: Sequence[Floats], episodes: Sequence[Episode]) -> Iterable[Row]:
    """Give hits among the first turns, of all chunks and by episode."""
    total = sum(len(each.chunks) for each in episodes)
    yield Row("all", "episodes", len(episodes), len(episodes))
    yield Row("all", "turns", sum(len(each.turns) for each in episodes), len(episodes))
    for depth in DEPTHS:
        hits = np.concatenate([_hits(each, one.gold, depth) for each, one in zip(found, episodes, strict=True)])
        yield Row("all", f"hit@{depth}", float(hits.mean()), total)
    for each, one in zip(found, episodes, strict=True):
        yield Row(one.name, "hit@10", float(_hits(each, one.gold, 10).mean()), len(one.chunks))


def load(data: Path) -> list[Episode]:
    """Read every aligned episode under the folder."""
    folder = data / "crd3" if (data / "crd3").is_dir() else data
    found = []
    for path in sorted([*folder.glob("aligned_c2/*.json"), *folder.glob("aligned_c2/*.json.gz")]):
        name = path.name.split("_")[0]
        session = next((each for each in sorted(folder.glob(f"cleaned/{name}.json*"))), None)
        if session is None:
            raise unusable(path, f"its session cleaned/{name}.json.gz is missing")
        found.append(_episode(name, _parsed(session), _parsed(path), path))
    if not found:
        raise unusable(data, "it holds no episodes: no aligned_c2/EPISODE_2_0.json.gz with cleaned/EPISODE.json.gz")
    return found


def _episode(name: str, session: object, aligned: object, path: Path) -> Episode:
    try:
        assert isinstance(session, dict)
        assert isinstance(aligned, list)
        turns = session["TURNS"]
        numbers = np.array([int(turn["NUMBER"]) for turn in turns])
        spans = [(int(one["ALIGNMENT"]["TURN START"]), int(one["ALIGNMENT"]["TURN END"])) for one in aligned]
        return Episode(
            name,
            tuple(" ".join(turn["UTTERANCES"]) for turn in turns),
            tuple(" ".join(turn["NAMES"]) for turn in turns),
            tuple(str(one["CHUNK"]) for one in aligned),
            np.array([(numbers >= start) & (numbers <= end) for start, end in spans]),
        )
    except (KeyError, TypeError, ValueError, AssertionError) as problem:
        raise unusable(path, f"it does not read as CRD3's ({problem!r})") from problem


def _parsed(path: Path) -> object:
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return json.loads(raw)
    except (OSError, EOFError, ValueError, zlib.error) as problem:
        raise unusable(path, f"it is damaged ({problem})") from problem

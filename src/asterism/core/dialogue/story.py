"""Story order: a summary is told in the order of what happened, so each of its parts helps to place the others.

    path(c, t) = log sum over all placements of the parts, none before the one told earlier, with part c at turn t,
                 of exp(sum of warmth x bm25(part, its turn))
    rank(c, t) = log(exp path(c, t) + sum over parts n at most `reach` away of exp(path(n, t) - |n - c| drop))

The second line says that neighbouring parts often tell of one turn. Words count as they are, stop words too: in a
summary of the same events even "the" and "they" say something. Time grows with parts x turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from asterism.core.ledger.columns import Floats
from asterism.core.ledger.parameters import Parameters, count, number
from asterism.core.text.rarity import idf
from asterism.core.text.words import words


@dataclass(frozen=True, kw_only=True)
class StoryParameters(Parameters):
    """The numbers of story order, chosen on the developer part of CRD3."""

    k1: float = number(3.0, 0, 10, "factor", "CRD3, docs/dialogue.md", "how late repeats of a word stop counting")
    b: float = number(0.2, 0, 1, "factor", "CRD3, docs/dialogue.md", "how far long turns are discounted")
    warmth: float = number(0.3, 0, 100, "1/score", "CRD3, docs/dialogue.md", "how much a word's score counts on a path")
    drop: float = number(3.0, 0, 100, "nats", "CRD3, docs/dialogue.md", "what a neighbour's place loses for each part")
    reach: int = count(2, 0, 100, "parts", "CRD3, docs/dialogue.md", "how many parts to each side are neighbours")


def word_scores(turns: Sequence[str], parts: Sequence[str], parameters: StoryParameters | None = None) -> Floats:
    """Score every turn for every part by BM25 over words as they are: parts x turns.

    >>> word_scores(["a red door", "the sea"], ["They open the door."]).round(2).tolist()
    [[0.67, 0.71]]
    """
    rules = parameters or StoryParameters()
    said: dict[str, tuple[list[int], list[int]]] = {}  # by word: the turns it is said in, and how often
    sizes = []
    for place, turn in enumerate(turns):
        counts = Counter(words(turn))
        for word, times in counts.items():
            places, repeats = said.setdefault(word, ([], []))
            places.append(place)
            repeats.append(times)
        sizes.append(counts.total())
    lengths = np.array(sizes, dtype=np.float64)
    pull = rules.k1 * (1.0 - rules.b + rules.b * lengths / max(float(lengths.mean()), 1e-9))
    scores = np.zeros((len(parts), len(turns)))
    for row, part in enumerate(parts):
        for word in sorted(set(words(part))):
            rows, repeats = said.get(word, ([], []))
            tf = np.array(repeats, dtype=np.float64)
            scores[row, rows] += idf(len(turns), len(rows)) * tf * (rules.k1 + 1.0) / (tf + pull[rows])
    return scores


def in_story_order(scores: Floats, parameters: StoryParameters | None = None) -> Floats:
    """Rank turns for every part of a story told in order: parts x turns, log of a share.

    >>> scores = np.array([[9.0, 0.0, 0.0], [5.0, 0.0, 5.5], [0.0, 0.0, 9.0]])
    >>> in_story_order(scores, StoryParameters(warmth=1.0, reach=0)).argmax(axis=1).tolist()
    [0, 2, 2]
    """
    rules = parameters or StoryParameters()
    warm = rules.warmth * scores
    path = _forward(warm) + _forward(warm[::-1, ::-1])[::-1, ::-1] - warm
    path -= np.logaddexp.reduce(path, axis=1, keepdims=True)
    ranked = path.copy()
    for step in range(1, min(rules.reach, len(path) - 1) + 1):
        ranked[step:] = np.logaddexp(ranked[step:], path[:-step] - rules.drop * step)
        ranked[:-step] = np.logaddexp(ranked[:-step], path[step:] - rules.drop * step)
    return ranked


def _forward(warm: Floats) -> Floats:
    """Sum over all placements of the parts up to each one that end at each turn, in logarithms."""
    total = np.empty_like(warm)
    total[0] = warm[0]
    for part in range(1, len(warm)):
        total[part] = warm[part] + np.logaddexp.accumulate(total[part - 1])
    return total

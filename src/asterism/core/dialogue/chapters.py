"""Chapters: where a long session turns to something else, told by the words alone.

A session is cut into blocks of 20 lines. Between two blocks the words of the 3 before and the 3 behind are compared:

    likeness = cosine of word counts, each word weighted with log(blocks / blocks that have it)
    depth    = (highest likeness before - likeness) + (highest behind - likeness), while it rises

The deepest valleys are the borders, none nearer to another than 3 blocks. An excluded run of reason `transition` is a
border too. A chapter is known by the words that are common in it and rare elsewhere, and by the line of a responder
that has most of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from asterism.core.dialogue.actors import RESPONDER
from asterism.core.dialogue.answering import RESPONDERS
from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.scoring import tokens_of
from asterism.core.ledger.rounding import rounded
from asterism.core.text.stems import STOP_WORDS

BLOCK = 20  # lines
WINDOW = 3  # blocks that are compared on each side, and the least length of a chapter
MOST = 24  # chapters
WORDS = 6  # that a chapter is known by
DEPTH = 0.5  # standard deviations above the mean depth that make a border

Bag = Counter[str]


class Chapter(NamedTuple):
    """A stretch of lines that is about something, and the words that set it apart."""

    start: int
    end: int  # inclusive
    words: tuple[str, ...]
    quoted: int | None  # the responder's line that tells most of it


def chapters(reading: Reading) -> list[Chapter]:
    """Part a session into chapters, in order; every line belongs to one."""
    lines = reading.lines
    bags = [_bag(lines[first : first + BLOCK]) for first in range(0, len(lines), BLOCK)]
    borders = {border * BLOCK for border in _valleys(_likeness(bags))}
    borders |= {run.end + 1 for run in reading.excluded if "transition" in run.reasons and run.end + 1 < len(lines)}
    starts = sorted({0, *borders})
    ends = [*(start - 1 for start in starts[1:]), len(lines) - 1]
    scores = _apart([_bag(lines[start : end + 1]) for start, end in zip(starts, ends, strict=True)])
    found = []
    for start, end, score in zip(starts, ends, scores, strict=True):
        words = tuple(sorted(score, key=lambda word, score=score: (-score[word], word))[:WORDS])  # type: ignore[misc]
        found.append(Chapter(start, end, words, _quoted(reading, lines[start : end + 1], score)))
    return found


def _quoted(reading: Reading, lines: Sequence[Line], scores: Mapping[str, float]) -> int | None:
    """Choose the responder's line whose words tell most of a chapter; the earlier of equals."""
    told = [
        (rounded(math.fsum(scores.get(word, 0.0) for word in tokens_of(line.content))), -line.line_index)
        for line in lines
        if reading.speakers[line.author_name].role == RESPONDER or reading.answering.by != RESPONDERS
    ]
    return -max(told)[1] if told else None


def _bag(lines: Sequence[Line]) -> Bag:
    return Counter(word for line in lines for word in tokens_of(line.content))


def _weights(bags: Sequence[Bag]) -> dict[str, float]:
    """Weigh a word by how few of the bags have it."""
    spread = Counter(word for bag in bags for word in bag)
    return {word: math.log(len(bags) / number) for word, number in spread.items()}


def _likeness(bags: Sequence[Bag]) -> list[float]:
    """Compare what stands before each border between two blocks with what stands behind it."""
    weights = _weights(bags)
    found = []
    for border in range(1, len(bags)):
        before = _sum(bags[max(0, border - WINDOW) : border])
        behind = _sum(bags[border : border + WINDOW])
        found.append(rounded(_cosine(before, behind, weights)))
    return found


def _sum(bags: Sequence[Bag]) -> Bag:
    total: Bag = Counter()
    for bag in bags:
        total.update(bag)
    return total


def _cosine(a: Bag, b: Bag, weights: dict[str, float]) -> float:
    def product(words: Sequence[str], one: Bag, other: Bag) -> float:
        return math.fsum(one[word] * other[word] * weights[word] ** 2 for word in words)

    lengths = math.sqrt(product(list(a), a, a) * product(list(b), b, b))
    return product([word for word in a if word in b], a, b) / lengths if lengths else 0.0


def _valleys(likeness: Sequence[float]) -> list[int]:
    """Choose the borders: the deepest first, none too near to another or to an end."""
    depths = [_climb(likeness, place, -1) + _climb(likeness, place, 1) for place in range(len(likeness))]
    if not depths:
        return []
    mean = math.fsum(depths) / len(depths)
    spread = math.sqrt(math.fsum((depth - mean) ** 2 for depth in depths) / len(depths))
    chosen: list[int] = []
    for place in sorted(range(len(depths)), key=lambda place: (-depths[place], place)):
        border = place + 1
        apart = min([border, len(likeness) + 1 - border, *(abs(border - other) for other in chosen)])
        if depths[place] > mean + DEPTH * spread and apart >= WINDOW and len(chosen) < MOST - 1:
            chosen.append(border)
    return sorted(chosen)


def _climb(likeness: Sequence[float], place: int, step: int) -> float:
    """Give how far likeness rises from a place in one direction, before it falls again."""
    top, at = likeness[place], place + step
    while 0 <= at < len(likeness) and likeness[at] >= top:
        top, at = likeness[at], at + step
    return top - likeness[place]


def _apart(bags: Sequence[Bag]) -> list[dict[str, float]]:
    """Score the words that set each chapter apart: often here, in few others."""
    spread = Counter(word for bag in bags for word in bag)
    rarity = {word: math.log((1 + len(bags)) / number) for word, number in spread.items()}
    return [
        {word: rounded(number * rarity[word]) for word, number in bag.items() if number > 1 and word not in STOP_WORDS}
        for bag in bags
    ]

"""Who gets which response: strong intents first, one to one; then weak ones, which may share (05, D3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from asterism.core.dialogue.intents import Intent
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.scoring import Pairs

NOTHING = -1


class Allocation(NamedTuple):
    """For each intent the pair it got and the pair it wanted most; `NOTHING` where there is none."""

    got: list[int]
    wanted: list[int]


def allocate(
    intents: Sequence[Intent], pairs: Pairs, scores: Sequence[float], parameters: DialogueParameters
) -> Allocation:
    """Hand out the responses.

    Strong intents, by line order, claim the best response that no strong one has, if it scores `strong_min_score`; with
    `allocation` = greedy the best pair of all goes first. Weak ones take the best response, shared or not, from
    `weak_min_score`. Equal scores go to the nearer line.
    """
    rules = parameters
    got = [NOTHING] * len(intents)
    wanted = [NOTHING] * len(intents)
    taken: set[int] = set()
    greedy = rules.allocation == "greedy"
    starts, responses = pairs.starts, pairs.responses
    for place, intent in enumerate(intents):
        start, end = starts[place], starts[place + 1]
        if start == end:
            continue
        best = start if end == start + 1 else max(range(start, end), key=scores.__getitem__)  # of equals the nearest
        if intent.strength == "weak":
            if scores[best] >= rules.weak_min_score:
                got[place] = wanted[place] = best
            continue
        if scores[best] < rules.strong_min_score:
            continue
        wanted[place] = best
        if greedy:
            continue
        if responses[best] in taken:
            free = [pair for pair in range(start, end) if responses[pair] not in taken]
            best = max(free, key=scores.__getitem__) if free else NOTHING
            if best == NOTHING or scores[best] < rules.strong_min_score:
                continue
        got[place] = best
        taken.add(responses[best])
    if greedy:
        _best_first(intents, pairs, scores, got, rules)
    return Allocation(got, wanted)


def _best_first(
    intents: Sequence[Intent], pairs: Pairs, scores: Sequence[float], got: list[int], rules: DialogueParameters
) -> None:
    """Let the best pair of all strong intents go first, then the best of the rest."""
    offers = [
        (-scores[pair], pairs.distances[pair], place, pair)
        for place, intent in enumerate(intents)
        if intent.strength == "strong"
        for pair in range(pairs.starts[place], pairs.starts[place + 1])
        if scores[pair] >= rules.strong_min_score
    ]
    taken: set[int] = set()
    for _, _, place, pair in sorted(offers):
        response = pairs.responses[pair]
        if got[place] == NOTHING and response not in taken:
            got[place] = pair
            taken.add(response)

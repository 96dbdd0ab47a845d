"""How probable it is that a hit answers: a score says who comes first, not whether anybody knows.

    P(hit) = P(something here answers) x P(it is this hit, if something does)

The first is a curve over raw values, which do not grow or shrink with the memory: is there anything like what is asked
(the best share of the question's words that an entry holds, the best cosine, the best match of each word in an entry or
beside it, a title that the question names)? Of a note it is lower where only one word of the question is matched: who
is asked about may be known, and what is asked not ("How tall is Henrik?" where "My manager is Henrik." was told). A
turn of a conversation may answer what another one asks, so that is for notes alone.

Where the question names one of several speakers, two things may be wrong: nobody said anything like it, or somebody
else did (`said.py`). Both are weighed against the answer being here, by the same values and the gaps between speakers:

    P(something here answers) = 1 / (1 + exp(-known) + exp(-said))

P(this hit) falls with the score below the best hit's. Every coefficient is a parameter, fitted with questions that
nothing answers (docs/recall.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from asterism.core.recall.parameters import OF_SPEAKERS, RecallParameters
from asterism.core.recall.said import Gaps

LEAST_REST = 0.2  # what a note keeps that matches one word: it is unsure, and still told
PLACES = 6  # digits of a probability


@dataclass(frozen=True, slots=True)
class Raw:
    """What the best entries are like, in values that do not depend on how many entries there are."""

    held: float = 0.0  # the best share of the question's words, by rarity
    near: float = 0.0  # the best cosine
    match: float = 0.0  # the best mean of how well each word is matched, here or beside
    titled: float = 0.0  # the question holds the title of one
    topic: float = 0.0  # as match, where words count by how near they are to the whole question
    gaps: Gaps | None = None  # between who is asked about and anybody else; None where nobody is told apart
    rest: float | None = None  # match without the word that tells most; None for one word, none held, or no note first

    def values(self) -> dict[str, float]:
        """Give the values that have coefficients, by their names; `base` is 1."""
        own = {name: float(getattr(self, name)) for name in ("held", "near", "match", "titled", "topic")}
        return {"base": 1.0, **own, **({} if self.gaps is None else self.gaps.sides())}


ALIKE = {value: f"chance_{value}" for value in ("base", "held", "near", "match", "titled")}  # coefficients of values
AGAINST = tuple({value: f"chance_{against}_{value}" for value in OF_SPEAKERS} for against in ("known", "said"))


def answerable(p: RecallParameters, raw: Raw) -> float:
    """Give the probability that anything here answers.

    >>> p = RecallParameters()
    >>> answerable(p, Raw(held=1.0, near=0.7, match=1.0)) > 0.8 > 0.1 > answerable(p, Raw(near=0.1, match=0.1))
    True
    """
    values = raw.values()
    if raw.gaps is not None:
        return 1.0 / (1.0 + sum(math.exp(-_sum(p, against, values)) for against in AGAINST))
    chance = _logistic(_sum(p, ALIKE, values))
    if raw.rest is not None:
        chance *= max(LEAST_REST, _logistic(p.chance_rest_base + p.chance_rest * raw.rest))
    return chance


def probability(p: RecallParameters, raw: Raw, below: float, *, first: bool) -> float:
    """Give the probability that a hit answers whose score is so far below the best.

    >>> p, raw = RecallParameters(), Raw(held=1.0, near=0.7, match=1.0)
    >>> probability(p, raw, 0.0, first=True) > p.chance_floor > probability(p, raw, 3.0, first=False)
    True
    """
    this = p.chance_hit + p.chance_first * first - p.chance_below * below
    return round(answerable(p, raw) * _logistic(this), PLACES)


def is_unsure(p: RecallParameters, probabilities: Sequence[float]) -> bool:
    """Say whether no hit is probable enough.

    >>> is_unsure(RecallParameters(chance_floor=0.2), [0.1, 0.3]), is_unsure(RecallParameters(), [])
    (False, True)
    """
    return max(probabilities, default=0.0) < p.chance_floor


def faint(p: RecallParameters, floor: float | None = None) -> float:
    """Give the probability with which even the best hit is not told; beside better ones such a hit is noise.

    Where a floor was asked for, that is what counts.

    >>> faint(RecallParameters(chance_floor=0.2, floor_nothing=0.25)), faint(RecallParameters(), floor=0.0)
    (0.05, 0.0)
    """
    return p.floor_nothing * p.chance_floor if floor is None else floor


def worth_telling(p: RecallParameters, probabilities: Sequence[float], floor: float | None = None) -> list[bool]:
    """Say which hits to tell: those that reach a floor that was asked for; else all that are not far below the default.

    Where even the best is far below it, nothing is told.

    >>> p = RecallParameters(chance_floor=0.2, floor_nothing=0.25, floor_far=0.02)
    >>> worth_telling(p, [0.3, 0.01, 0.001]), worth_telling(p, [0.04, 0.03]), worth_telling(p, [0.3, 0.2], floor=0.25)
    ([True, True, False], [False, False], [True, False])
    """
    if floor is None:
        nothing = max(probabilities, default=0.0) < faint(p)
        floor = math.inf if nothing else p.floor_far * p.chance_floor
    return [each >= floor for each in probabilities]


def _sum(p: RecallParameters, coefficients: Mapping[str, str], values: Mapping[str, float]) -> float:
    return math.fsum(float(getattr(p, name)) * values[value] for value, name in coefficients.items())


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))

"""How well a response fits an intent: the seed's score, and what any other scorer has to offer.

    score = hill(d) x (1 + .5 lexical) + .15 if it answers a question with yes or no
    hill(d) = 1 / (1 + (d / 2)^2.2)
    lexical = shared words / words of the larger set

The kernel finds the *pairs* that may be linked at all and asks the scorer once, for all pairs of the session. A scorer
may look at each pair alone, as the seed's does, or let every response choose among its intents: it sees them all.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from asterism.core.dialogue.intents import Intent
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.overlap import lexical_overlaps
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.ledger.columns import Bools, Longs
from asterism.core.ledger.rounding import rounded

if TYPE_CHECKING:
    from asterism.core.dialogue.features_lines import Talk

BLOCK = 4096  # intents that are scored together: what the processor keeps at hand
TOKEN = re.compile(r"[^\W_]{3,}")
ANSWER = re.compile(r"\W*(?:yes|yeah|yep|yup|sure|okay|ok|no|nope|nah|not really|not at all|not exactly)(?!\w|['’-]\w)")


class Pairs(NamedTuple):
    """Every intent with every response it may claim; those of intent i are starts[i] : starts[i + 1], nearest first."""

    starts: Sequence[int]
    responses: Sequence[int]  # line indices
    distances: Sequence[int]  # 1, 2, .. in lines or in lines of responders


@dataclass(frozen=True)
class Scene:
    """What a scorer sees: the lines, who speaks them, which count, and what is intended."""

    lines: Sequence[Line]
    roles: Sequence[int]  # of each line: UNKNOWN, INITIATOR or RESPONDER of `actors`
    eligible: Bools
    intents: Sequence[Intent]  # in the order of their lines
    _tokens: dict[int, frozenset[str]] = field(default_factory=dict)

    def tokens(self, line_index: int) -> frozenset[str]:
        """Give the words of a line, kept for the next time."""
        found = self._tokens.get(line_index)
        if found is None:
            found = self._tokens[line_index] = tokens_of(self.lines[line_index].content)
        return found

    @cached_property
    def talk(self) -> Talk:
        """The lines of speech as columns, read once for all who ask."""
        from asterism.core.dialogue.features_lines import talk_of  # only some scorers want it

        return talk_of(self.lines)


class Scorer(Protocol):
    """Scores every pair of a session at once.

    `scores` gives one number for each pair, in the order of `pairs.responses`; the kernel compares it with
    `strong_min_score` and `weak_min_score` and keeps it in the link. Equal input must give equal bits: round to 1e-9.
    `parts` gives, for each of the pairs again, the named numbers that made its score; it is asked only for traces.
    `name` is kept with the reading.
    """

    @property
    def name(self) -> str:
        """What this scorer is called."""

    def scores(self, scene: Scene, pairs: Pairs) -> Sequence[float]:
        """Score all pairs."""

    def parts(self, scene: Scene, pairs: Pairs) -> Sequence[Mapping[str, float]]:
        """Give what made each score."""


def hill(distance: float, *, tau: float = 2.0, power: float = 2.2) -> float:
    """Give how near something is: 1 at no distance, one half at `tau`.

    >>> [round(hill(d), 4) for d in range(1, 9)]
    [0.8213, 0.5, 0.2907, 0.1787, 0.1175, 0.0819, 0.0597, 0.0452]
    """
    return 1.0 / (1.0 + math.pow(distance / tau, power))


def tokens_of(text: str) -> frozenset[str]:
    """Give the words of a text that count: lower case, letters and digits, longer than two.

    >>> sorted(tokens_of("I go to the Inn, at 10 or 1000."))
    ['1000', 'inn', 'the']
    """
    return frozenset(TOKEN.findall(text.lower()))


def lexical(a: frozenset[str], b: frozenset[str]) -> float:
    """Give the share of words in common: shared / larger set; 0 if one has none.

    >>> lexical(frozenset({"red", "door"}), frozenset({"the", "door", "opens"}))
    0.3333333333333333
    """
    return len(a & b) / max(len(a), len(b)) if a and b else 0.0


def is_yes_no_answer(text: str) -> bool:
    """Say whether a text begins with a yes or a no, as a whole word.

    >>> [is_yes_no_answer(text) for text in ("No.", "Now what", "North", "Not really, no", "Not yet")]
    [True, False, False, True, False]
    """
    return ANSWER.match(text.lower()) is not None


@dataclass(frozen=True)
class SeedScorer:
    """The seed's score: nearness first, then words in common, then the form of an answer."""

    parameters: DialogueParameters = field(default_factory=DialogueParameters)
    name: str = "seed"

    def scores(self, scene: Scene, pairs: Pairs) -> list[float]:
        """Score all pairs, each alone; the arithmetic is that of `seed_score`, to the bit."""
        found: list[float] = []
        for first in range(0, len(scene.intents), BLOCK):
            found += self._of_block(scene, pairs, scene.intents[first : first + BLOCK], first)
        return found

    def _of_block(self, scene: Scene, pairs: Pairs, some: Sequence[Intent], first: int) -> list[float]:
        starts: Longs = np.array(pairs.starts[first : first + len(some) + 1], dtype=np.int64)
        counts = starts[1:] - starts[:-1]
        mine = slice(pairs.starts[first], pairs.starts[first + len(some)])
        intents = np.repeat(np.array([intent.line_index for intent in some], dtype=np.int64), counts)
        responses: Longs = np.array(pairs.responses[mine], dtype=np.int64)
        distances: Longs = np.array(pairs.distances[mine], dtype=np.int64)
        used, rows = np.unique(np.concatenate([intents, responses]), return_inverse=True)
        texts = [scene.lines[line].content for line in used.tolist()]
        shared = lexical_overlaps(texts, rows[: len(intents)], rows[len(intents) :])
        near = np.array([self._near(distance) for distance in range(int(distances.max(initial=0)) + 1)])[distances]
        asks = np.repeat(np.array([intent.type == "question" for intent in some], dtype=np.bool_), counts)
        boost = np.where(asks & _answers(scene, responses, asks), self.parameters.answer_boost, 0.0)
        whole = near * (1.0 + self.parameters.lexical_weight * shared) + boost
        found: list[float] = rounded(whole).tolist()
        return found

    def _near(self, distance: int) -> float:
        return hill(distance, tau=self.parameters.hill_tau, power=self.parameters.hill_power)

    def parts(self, scene: Scene, pairs: Pairs) -> list[Mapping[str, float]]:
        """Give nearness, words in common and what the form of an answer adds."""
        boost = self.parameters.answer_boost
        found: list[Mapping[str, float]] = []
        for place, intent in enumerate(scene.intents):
            for pair in range(pairs.starts[place], pairs.starts[place + 1]):
                response = pairs.responses[pair]
                answers = intent.type == "question" and is_yes_no_answer(scene.lines[response].content)
                found.append(
                    {
                        "nearness": rounded(self._near(pairs.distances[pair])),
                        "lexical": rounded(lexical(scene.tokens(intent.line_index), scene.tokens(response))),
                        "answer": boost if answers else 0.0,
                    }
                )
        return found


def seed_score(near: float, shared: float, *, answer: bool, parameters: DialogueParameters) -> float:
    """Put the parts together: nearness x (1 + .5 lexical) + .15 for an answer, rounded to 1e-9.

    >>> seed_score(hill(1), 1 / 3, answer=True, parameters=DialogueParameters())
    1.108139456
    """
    boost = parameters.answer_boost if answer else 0.0
    return rounded(near * (1.0 + parameters.lexical_weight * shared) + boost)


def _answers(scene: Scene, responses: Longs, asks: Bools) -> Bools:
    """Say of each response to a question whether it is a yes or a no."""
    asked = {line: is_yes_no_answer(scene.lines[line].content) for line in set(responses[asks].tolist())}
    return np.array([asked.get(line, False) for line in responses.tolist()], dtype=np.bool_)

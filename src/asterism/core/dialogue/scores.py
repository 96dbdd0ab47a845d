"""What a scorer must give: a name, one number for each pair, and for traces what made each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from asterism.core.dialogue.scoring import Scorer
from asterism.core.ledger.items import check_text, cut
from asterism.errors import InputError

HINT = "scores(scene, pairs) gives a finite number, and parts(scene, pairs) a mapping, for each of pairs.responses"


def check_scorer(scorer: Scorer) -> Scorer:
    """Let through what can score: it has a name, `scores` and `parts`."""
    for part in ("name", "scores", "parts"):
        if not hasattr(scorer, part):
            raise _bad(cut(repr(scorer)), f"has no {part}")
    check_text(scorer.name, field="scorer's name")
    return scorer


def check_scores(scores: Sequence[float], scorer: str, pairs: int) -> list[float]:
    """Let through one finite number for each pair.

    >>> check_scores([0.5, float("nan")], "mine", 2)
    Traceback (most recent call last):
    asterism.errors.InputError: the scorer 'mine' gives nan for pair 1 (scores(scene, pairs) gives a finite number, ...
    """
    try:
        found = np.asarray(scores)
    except ValueError:  # rows of unequal length
        found = np.empty((), dtype=object)
    if found.shape != (pairs,) or (pairs and found.dtype.kind not in "fiu"):
        raise _bad(scorer, f"does not give {pairs} numbers for {pairs} pairs")
    wrong = np.flatnonzero(~np.isfinite(found))
    if len(wrong):
        raise _bad(scorer, f"gives {found[wrong[0]]} for pair {wrong[0]}")
    numbers: list[float] = found.astype(np.float64).tolist()
    return numbers


def check_parts(parts: Sequence[Mapping[str, float]], scorer: str, pairs: int) -> Sequence[Mapping[str, float]]:
    """Let through one mapping for each pair."""
    given: object = parts
    if not isinstance(given, Sequence) or len(given) != pairs or not all(isinstance(each, Mapping) for each in given):
        raise _bad(scorer, f"does not give the parts of {pairs} pairs")
    return parts


def _bad(scorer: str, problem: str) -> InputError:
    return InputError(f"the scorer {scorer!r} {problem}", code="bad_scorer", item=scorer, hint=HINT)

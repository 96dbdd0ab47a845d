"""Whether it was said by whoever is asked about: how far their best entries are ahead of anybody else's.

The scores are taken without the cue `speaker`, which would lift theirs whatever they said. What others say to somebody
("you") may be of the one who is asked about, so a second gap counts it as theirs; and since one entry may come
first by chance, a third compares the best three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from asterism.core.ledger.columns import Bools, Floats
from asterism.core.recall.index import Index
from asterism.core.recall.scored import Scored

WIDEST = 3.0  # beyond it, more says no more
SEVERAL = 3  # best entries
KINDS = ("gap", "told", "several")


@dataclass(frozen=True, slots=True)
class Gaps:
    """How far those who are asked about are ahead, in scores; below 0, behind."""

    gap: float  # best entry against best entry
    told: float  # the same, what others say to somebody counted as theirs
    several: float  # the mean of the best three against that of the others' best three

    def sides(self) -> dict[str, float]:
        """Give each gap as two values, one of which is 0: how far ahead, at most 3, and how far behind.

        >>> Gaps(5.0, -2.0, 0.5).sides()["gap_ahead"], Gaps(5.0, -2.0, 0.5).sides()["told_behind"]
        (3.0, -2.0)
        """
        gaps = [(kind, float(getattr(self, kind))) for kind in KINDS]
        found = {f"{kind}_ahead": min(max(gap, 0.0), WIDEST) for kind, gap in gaps}
        return found | {f"{kind}_behind": min(gap, 0.0) for kind, gap in gaps}


def gaps_of(index: Index, scored: Scored, named: Sequence[int], may: Bools) -> Gaps | None:
    """Compare the entries of the speakers who are named with everybody else's; None where nobody is told apart."""
    if not named:
        return None
    facts = index.facts.trim()
    if scored.exact is not None:
        may = may & scored.exact
    theirs = may & np.isin(facts.speaker, named)
    others = may & ~theirs & (facts.speaker > 0)
    if not (theirs.any() and others.any()):
        return None
    scores = scored.scores - scored.weights["speaker"] * scored.first["speaker"]
    to_them, of_others = others & facts.speaks_to, others & ~facts.speaks_to
    told = _best(scores, theirs | to_them) - _best(scores, of_others) if of_others.any() else WIDEST
    return Gaps(
        gap=_best(scores, theirs) - _best(scores, others),
        told=told,
        several=_several(scores[theirs]) - _several(scores[others]),
    )


def _best(scores: Floats, rows: Bools) -> float:
    return float(scores[rows].max())


def _several(scores: Floats) -> float:
    """Give the mean of the highest few.

    >>> _several(np.array([1.0, 9.0, 2.0, 4.0])), _several(np.array([1.0]))
    (5.0, 1.0)
    """
    return float(np.sort(scores)[-SEVERAL:].mean())

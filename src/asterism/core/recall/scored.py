"""Every row's score, and what it is the sum of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from asterism.core.ledger.columns import Bools, Floats
from asterism.core.recall.links import Reached

WALK = "walk"  # the signal of what walkers found


@dataclass(frozen=True, slots=True)
class Scored:
    """Every row's signals, what links brought, and the weighted sum."""

    weights: Mapping[str, float]
    first: Mapping[str, Floats]
    reached: Mapping[str, Reached]
    scores: Floats
    exact: Bools | None = None  # rows whose score is; None: all

    def of(self, row: int) -> dict[str, float]:
        """Give the weighted signals of a row that bring anything; their sum is its score."""
        brought = {name: self.weights[name] * float(values[row]) for name, values in self.first.items()}
        brought |= {kind: self.weights[kind] * links.to(row)[0] for kind, links in self.reached.items()}
        return {name: value for name, value in brought.items() if value != 0.0}

    def walked(self, found: Reached, weight: float) -> Scored:
        """Add what walkers found, as one more signal."""
        scores = self.scores.copy()
        scores[found.rows] += weight * found.values
        return Scored({**self.weights, WALK: weight}, self.first, {**self.reached, WALK: found}, scores, self.exact)

    def highest(self, name: str, allowed: Bools) -> float:
        """Give the most that a signal brings to any allowed row."""
        if name in self.first:
            return float((self.weights[name] * self.first[name][allowed]).max(initial=0.0))
        links = self.reached[name]
        return float((self.weights[name] * links.values[allowed[links.rows]]).max(initial=0.0))

"""The systems that look for links in diaries, each brought to one form of answer.

inside          the detector for diaries, that a memory looks with        core/discovery/diary.py
pairwise        a plain test of every pair and lag, the same correction
clean pairwise  the same after weekday rhythm and trend were taken out
best            the detector for evenly spaced series of any kind         core/discovery/detectors.py
seed            the seed's event lags and its thresholds of correlation
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from asterism.core.discovery.aligned import chance_of, cross_correlations
from asterism.core.discovery.cleaning import TERMS, without_rhythm_and_trend
from asterism.core.discovery.detectors import Discovery
from asterism.core.discovery.diary import DIARY_LAGS, MIN_DAYS, RATE, look_through_diary
from asterism.core.ledger.columns import Floats
from asterism.core.space.discover import DETECTORS
from asterism.core.statistics.granger import discovery_limit
from asterism.core.statistics.series import standardise

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Told:
    """One pair told as a link: the direction if there is one, and the interval of r if one was given."""

    first: int
    second: int
    directed: bool
    low: float | None = None
    high: float | None = None

    @property
    def pair(self) -> Pair:
        """The pair as (smaller, larger)."""
        return min(self.first, self.second), max(self.first, self.second)


def _diary(values: Floats) -> list[Told]:
    looks = look_through_diary(values).told()
    return [Told(look.first, look.second, look.verdict == "drives", look.low, look.high) for look in looks]


def pairwise(values: Floats, *, spent: int = 0) -> list[Told]:
    """Test every pair and lag by its correlation on the days both have; Benjamini-Hochberg over all of them.

    `spent` is how many coefficients were fitted to each series before. The likeliest lag gives the direction.

    >>> sleep = np.array([np.sin(3.7 * day * day) for day in range(60)])
    >>> pairwise(np.array([sleep, np.roll(sleep, 1)]))
    [Told(first=0, second=1, directed=True, low=None, high=None)]
    """
    found = cross_correlations(standardise(values), lags=DIARY_LAGS)
    looks = [
        (chance_of(float(found.r[lag, a, b]), freedom=float(found.days[lag, a, b]) - 2.0 - spent), int(lag), a, b)
        for lag, a, b in np.argwhere(found.days >= MIN_DAYS).tolist()
        if a < b or (lag > 0 and a != b)
    ]
    limit = discovery_limit(np.array([look[0] for look in looks]), rate=RATE)
    told: dict[Pair, Told] = {}
    for p, lag, a, b in sorted(looks):
        if p <= limit:
            told.setdefault((min(a, b), max(a, b)), Told(a, b, directed=lag > 0))
    return list(told.values())


def _pairwise_clean(values: Floats) -> list[Told]:
    return pairwise(without_rhythm_and_trend(values), spent=TERMS)


def _links(found: Discovery) -> dict[Pair, Told]:
    """Bring links to pairs; one listed both ways has no direction."""
    ways = found.pairs()
    told = (
        Told(link.cause, link.effect, directed=link.directed and (link.effect, link.cause) not in ways)
        for link in found.links
    )
    return {each.pair: each for each in told}


def _best(values: Floats) -> list[Told]:
    return list(_links(DETECTORS["best"](values)).values())


def _seed(values: Floats) -> list[Told]:
    """Give what the seed makes a link of: causation by events, resonance and tension by correlation."""
    found = DETECTORS["seed"](values)
    ties = {pair: Told(*pair, directed=False) for pair in sorted(found.correlated)}
    return list((ties | _links(found)).values())


SYSTEMS: Mapping[str, Callable[[Floats], list[Told]]] = MappingProxyType(
    {"inside": _diary, "pairwise": pairwise, "clean pairwise": _pairwise_clean, "best": _best, "seed": _seed}
)

"""Diaries: what goes with what, what drives what and with which delay, and why nothing is said of the rest.

A diary is a matrix of daily values, a row a star, NaN on days on which nothing was told. In four steps:

1. Weekday rhythm, trend and each series' own memory (most of it) are taken out (`cleaning`).
2. What is left of every pair is correlated on the same day and 1 to `lags` days apart, either leading. All these
   looks are paid for at once by a false discovery rate (Benjamini-Hochberg over pairs and lags). A look that a few
   days decide, or a change of level, does not count (`doubts`). A pair is known by its least likely look.
3. Of three stars that are all related, the weakest pair may be no pair at all: a chain, or two effects of one
   cause. It is correlated again given the third, at the delays found; when nothing is left it is told as
   correlated through the third (`thirds`).
4. A pair with a delay is told as a cause only when the one that leads forecasts unseen days of the other
   better than that one's own past does, and better than the other way round (`forecast`). Otherwise it is told
   without a direction, as pairs of the same day are.

Spec 08-everyday, E14, E15; docs/causality.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from asterism.core.discovery.aligned import Correlations, chances_of, cross_correlations, interval, shifted
from asterism.core.discovery.cleaning import TERMS, news, without_rhythm_and_trend, worth
from asterism.core.discovery.doubts import (
    MOST_TELLING,
    apart_from_around,
    apart_from_usual,
    far_out,
    leans,
    lopsided_chances,
    steadiness,
    without_days,
    without_most_telling,
)
from asterism.core.discovery.forecast import skill
from asterism.core.discovery.thirds import Tie, Ties, explaining
from asterism.core.ledger.columns import Bools, Floats
from asterism.core.statistics.granger import discovery_limit
from asterism.core.statistics.series import as_matrix

DETECTOR_VERSION = 2  # raise it when a look says something else: looks that are kept are of one version
DIARY_LAGS = 2
RATE = 0.04  # of what is told, expected to be chance; also about the share of empty diaries that tell anything
LEAST = 0.2  # a weaker correlation may be no chance in a long diary, and is still not worth a sentence
MIN_DAYS = 21  # three of each weekday
MIN_APART = 5  # days on which a series is not at its most common value
WITHOUT_FEW = 0.05  # p that a link has to reach without the days that speak most for it
WITHOUT_SPELL = 0.1  # times the p that links have to reach: what one has to reach without an odd spell of both
AROUND = 0.001  # p that a link has to reach in what days are apart from those around them
AROUND_STEADY = 0.005  # the same where one of the two is steady
STEADY = 0.75  # share of its variance that a series has day by day
MIN_SPELL, MOST_SPELL = (
    3,
    21,
)  # days on which both are far out, and the stretch they lie in, that a link must do without

Way = tuple[int, int, int]  # lag, leader, follower
Verdict = Literal["drives", "together", "through", "nothing"]
Reason = Literal[
    "too few days",
    "does not vary",
    "hardly varies",
    "few days decide it",
    "not day by day",
    "within chance",
    "too weak",
    "explained by others",
    "same day",
    "no better forecast",
    "forecasts better",
]


@dataclass(frozen=True, slots=True)
class Look:
    """What was tested of one pair and what came of it.

    `first` leads `second` by `lag` days (0: the same day, `first` is the smaller number). `r` with the 95 %
    interval `low`..`high` rests on `days` days; `p` is of the pair's best look alone and `limit` what it had to
    reach. `skill` is how much better unseen days of `second` are forecast with `first`, `backward` the best
    skill the other way round. `through` names the stars that explain the pair.
    """

    first: int
    second: int
    lag: int
    days: int
    r: float
    low: float
    high: float
    p: float
    limit: float
    verdict: Verdict
    reason: Reason
    skill: float | None = None
    backward: float | None = None
    through: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DiaryLooks:
    """Every pair of a diary once, the strongest first, and how many `tests` were paid for."""

    looks: tuple[Look, ...]
    tests: int

    def told(self) -> tuple[Look, ...]:
        """Give what is worth telling as a link: pairs that drive or go together by themselves."""
        return tuple(look for look in self.looks if look.verdict in ("drives", "together"))


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Each series cleaned, its news, and whether it varies (enough).

    Of every look, indexed [lag, leader, follower], its correlation, how lopsided it is, and its freedom.
    """

    clean: Floats
    fresh: Floats
    varies: Bools
    enough: Bools
    found: Correlations
    lean: Floats
    freedom: Floats
    share: Floats


def look_through_diary(values: Floats, *, lags: int = DIARY_LAGS, rate: float = RATE) -> DiaryLooks:
    """Look at every pair of stars of a diary (stars x days, NaN = not told) and say what came of it.

    told = best p of the pair's 2 lags + 1 looks accepted by Benjamini-Hochberg over all looks, |r| >= .2, no doubt.

    >>> sleep = np.array([np.sin(3.7 * day * day) for day in range(70)])
    >>> noise = np.array([np.cos(1.3 * day * day) for day in range(70)])
    >>> mood = sleep + 0.4 * np.cos(2.1 * np.arange(70.0) ** 2)
    >>> focus = np.roll(sleep, 1) + 0.5 * np.cos(0.7 * np.arange(70.0) ** 2)
    >>> found = look_through_diary(np.array([sleep, mood, focus, noise]))
    >>> [(look.first, look.second, look.lag, look.verdict) for look in found.looks[:3]]
    [(0, 1, 0, 'together'), (0, 2, 1, 'drives'), (1, 2, 1, 'through')]
    """
    values = as_matrix(values)
    evidence, around = _evidence(values, lags=lags), _evidence(apart_from_around(values), lags=lags)
    testable = _testable(evidence)
    chances = _chances(evidence, testable)
    unlikely = testable & (chances <= discovery_limit(chances[testable], rate=rate))
    level = rate * float(unlikely.sum()) / max(float(testable.sum()), 1.0)  # that the likeliest of them had to reach
    doubts = _doubts(evidence, around, unlikely, level=level)
    sure = chances.copy()
    for way in doubts:
        sure[way] = 1.0
    limit = discovery_limit(sure[testable], rate=rate)
    best = _best_looks(evidence, chances, sure, doubts, limit)
    ties = Ties([Tie(look.first, look.second, look.lag, look.r) for look in best if look.verdict != "nothing"])
    looks = [look if look.verdict == "nothing" else _settled(look, values, evidence, ties, lags=lags) for look in best]
    order = sorted(looks, key=lambda look: (look.p, -abs(look.r), look.first, look.second))
    return DiaryLooks(looks=tuple(order), tests=int(testable.sum()))


def _evidence(values: Floats, *, lags: int) -> _Evidence:
    clean = without_rhythm_and_trend(values)
    fresh = news(clean)
    found = cross_correlations(fresh, lags=lags)
    told = np.maximum(np.isfinite(values).sum(axis=1), 1)
    # Rhythm, trend and memory were fitted on all days of a series; a pair pays in proportion to its days.
    share = np.maximum(1.0 - (TERMS + 1.0) / np.minimum(told[:, None], told[None, :]), 0.0) * worth(fresh)
    varies = np.asarray(np.nan_to_num(fresh).any(axis=1))
    enough = np.array([apart_from_usual(row) >= MIN_APART for row in values], dtype=bool)
    return _Evidence(
        clean=clean,
        fresh=fresh,
        varies=varies,
        enough=enough,
        found=found,
        lean=leans(fresh, lags=lags),
        freedom=found.days * share - 1.0,
        share=share,
    )


def _testable(evidence: _Evidence) -> Bools:
    """Mark the looks that there are: each same-day pair once, each delay both ways, enough days, variation."""
    once = np.repeat(~np.eye(len(evidence.fresh), dtype=bool)[None], len(evidence.freedom), axis=0)
    once[0] = np.triu(once[0], 1)
    varies = evidence.varies & evidence.enough
    return np.asarray(once & varies[:, None] & varies[None, :] & (evidence.found.days >= MIN_DAYS))


def _chances(evidence: _Evidence, looks: Bools) -> Floats:
    """Give the chance of each of these looks, 1 of all others."""
    chances = np.ones_like(evidence.freedom)
    chances[looks] = lopsided_chances(evidence.found.r[looks], evidence.lean[looks], freedom=evidence.freedom[looks])
    return chances


def _doubts(evidence: _Evidence, around: _Evidence, looks: Bools, *, level: float) -> dict[Way, Reason]:
    """Say which looks that are hardly chance by their own p may be chance all the same, and why."""
    doubts: dict[Way, Reason] = {}
    near, odd = _chances(around, looks), far_out(evidence.clean)
    steady = steadiness(evidence.clean) >= STEADY
    ways: list[Way] = []
    for lag, a, b in np.argwhere(looks).tolist():
        enough = AROUND_STEADY if steady[a] or steady[b] else AROUND
        if around.found.r[lag, a, b] * evidence.found.r[lag, a, b] <= 0.0 or near[lag, a, b] > enough:
            doubts[lag, a, b] = "not day by day"
        else:
            ways.append((lag, a, b))
    without, spent = np.zeros((2, len(ways))), np.zeros((2, len(ways)))  # the most telling days, and an odd spell
    r, freedom = (np.array([each[way] for way in ways]) for each in (evidence.found.r, evidence.freedom))
    for place, (lag, a, b) in enumerate(ways):
        first, second = shifted(evidence.fresh[a], lag), evidence.fresh[b]
        without[:, place] = without_most_telling(r.item(place), first, second), np.sign(r[place])
        spent[0, place] = MOST_TELLING
        spell = np.flatnonzero(odd[b] & np.concatenate([np.zeros(lag, dtype=bool), odd[a][: odd.shape[1] - lag]]))
        if len(spell) >= MIN_SPELL and spell[-1] - spell[0] < MOST_SPELL:
            without[1, place] = without_days(first, second, spell)
            spent[1, place] = len(spell) * evidence.share[a, b]
    p = chances_of(without.ravel(), freedom=(freedom - spent).ravel()).reshape(without.shape)
    decided = ((without * r <= 0.0) | (p > np.array([[WITHOUT_FEW], [WITHOUT_SPELL * level]]))).any(axis=0)
    doubts.update((ways[place], "few days decide it") for place in np.flatnonzero(decided).tolist())
    return doubts


def _best_looks(
    evidence: _Evidence, chances: Floats, sure: Floats, doubts: Mapping[Way, Reason], limit: float
) -> list[Look]:
    """Choose of each pair the least likely look, one without doubts if there is, and say whether it is chance."""
    first, second = np.triu_indices(len(evidence.fresh), 1)
    ways = [(lag, *way) for lag in range(len(chances)) for way in ((first, second), (second, first))]
    told = np.array([np.where(sure[way] <= limit, sure[way], np.inf) for way in ways])
    any_way = np.array([chances[way] for way in ways])
    chosen = np.where(np.isfinite(told).any(axis=0), told.argmin(axis=0), any_way.argmin(axis=0))
    return [
        _best_look(evidence, chances, doubts, limit, (place // 2, b, a) if place % 2 else (place // 2, a, b))
        for place, a, b in zip(chosen.tolist(), first.tolist(), second.tolist(), strict=True)
    ]


def _best_look(evidence: _Evidence, chances: Floats, doubts: Mapping[Way, Reason], limit: float, way: Way) -> Look:
    lag, a, b = way
    r, days, p = evidence.found.r.item(way), int(evidence.found.days.item(way)), chances.item(way)
    low, high = interval(r, freedom=evidence.freedom.item(way))
    reason: Reason = "same day"
    if days < MIN_DAYS:
        reason = "too few days"
    elif not (evidence.varies[a] and evidence.varies[b]):
        reason = "does not vary"
    elif not (evidence.enough[a] and evidence.enough[b]):
        reason = "hardly varies"
    elif way in doubts:
        reason = doubts[way]
    elif p > limit:
        reason = "within chance"
    elif abs(r) < LEAST:
        reason = "too weak"
    return Look(a, b, lag, days, r, low, high, p, limit, "together" if reason == "same day" else "nothing", reason)


def _settled(look: Look, values: Floats, evidence: _Evidence, ties: Ties, *, lags: int) -> Look:
    """Say of a pair beyond chance whether thirds explain it, and of a delayed one whether it has a direction."""
    a, b = look.first, look.second
    tie = Tie(a, b, look.lag, look.r)
    through = explaining(tie, ties, evidence.fresh, share=float(evidence.share[a, b]))
    if through:
        return replace(look, verdict="through", reason="explained by others", through=through)
    if look.lag == 0:
        return look
    forward = skill(values[a], values[b], lag=look.lag)
    ways_back = [skill(values[b], values[a], lag=lag) for lag in range(1, lags + 1)]
    backward = max((way for way in ways_back if way is not None), default=None)
    if forward is None or forward <= max(0.0, backward or 0.0):
        return replace(look, reason="no better forecast", skill=forward, backward=backward)
    return replace(look, verdict="drives", reason="forecasts better", skill=forward, backward=backward)

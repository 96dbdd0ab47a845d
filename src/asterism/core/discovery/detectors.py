"""Discovery: from a matrix of series to directed links, by four detectors with one form of answer.

    seed        the seed's event lags, literal (seed 5.3, D10)            event_lags.py
    seed_tuned  the same with stdev/mean and next-event pairing           event_lags.py
    granger     each source given the past of all others, F-test          granger.py
    best        the model that the data itself asks for                   curved.py, delayed.py, instant.py

How `best` decides, from the data alone:

1. A factor that carries most of the variance of ten or more series is taken out.
2. Products of series are tried; if they explain much more, the links are those of the curved model.
3. Otherwise delayed links and instant ties are both found. If the ties weigh more than twice as much as the
   delayed links, the series are linked faster than they are sampled, and what lagged tests see is only
   smoothing: the ties are the answer. Otherwise the delayed links are. After a factor was taken out, ties
   are its remains and not asked.

An instant tie shows no direction and is listed both ways, with `directed` false.

The seed's two differ by the rules they are given, those of connections; `core/space/discover.py` gives them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from asterism.core.discovery.curved import curved_links
from asterism.core.discovery.delayed import SMALL_EFFECT, delayed_links
from asterism.core.discovery.event_lags import EventRules, event_lags
from asterism.core.discovery.instant import instant_links
from asterism.core.ledger.columns import Bools, Floats
from asterism.core.statistics.granger import discovery_limit, granger_conditional
from asterism.core.statistics.series import standardise, whole_steps, without_common_factor

Verdict = Literal["causes", "correlated", "none"]
Pair = tuple[int, int]

DEFAULT_LAGS = 3  # 72 hours of daily steps, the seed's longest lag
DAY_HOURS = 24.0
TIES_OUTWEIGH = 2.0
EFFECT_AFTER_FACTOR = 0.0225  # f2; a factor found from the series themselves leaves traces of each in all others
CORRELATION_LEVEL = 0.01
GRANGER_RATE = 0.05
GRANGER_STEPS_PER_TERM = 2


@dataclass(frozen=True, slots=True)
class Link:
    """One found link; `delay` in steps (0 = within the step), `positive` when both move the same way."""

    cause: int
    effect: int
    delay: int
    confidence: float
    positive: bool
    directed: bool = True


@dataclass(frozen=True, slots=True)
class Discovery:
    """What one detector found: the links, and the other pairs that merely move together."""

    detector: str
    links: tuple[Link, ...]
    correlated: frozenset[Pair]

    def pairs(self) -> frozenset[Pair]:
        """Give the links as ordered pairs (cause, effect)."""
        return frozenset((link.cause, link.effect) for link in self.links)

    def verdict(self, first: int, second: int) -> Verdict:
        """Say what joins two series, whichever way: "causes", "correlated" or "none".

        >>> found = Discovery("best", (Link(0, 1, 1, 0.99, True),), frozenset({(1, 2)}))
        >>> found.verdict(1, 0), found.verdict(2, 1), found.verdict(0, 2)
        ('causes', 'correlated', 'none')
        """
        if not self.pairs().isdisjoint({(first, second), (second, first)}):
            return "causes"
        return "correlated" if (min(first, second), max(first, second)) in self.correlated else "none"


def _ordered(linked: Bools) -> Iterator[Pair]:
    for cause, effect in np.argwhere(linked):
        yield int(cause), int(effect)


def _unordered(together: Bools) -> frozenset[Pair]:
    return frozenset(_ordered(np.triu(together | together.T, 1)))


def moves_together(series: Floats, *, lags: int) -> frozenset[Pair]:
    """Find the pairs whose correlation, at once or up to `lags` steps apart, is no accident.

    |atanh r| sqrt(n - 3) > sqrt(2 log(m / .01)) for m = pairs x (2 lags + 1) tests (Bonferroni).

    >>> first = np.array([np.sin(3.7 * step * step) for step in range(120)])
    >>> other = np.array([np.cos(1.3 * step * step) for step in range(120)])
    >>> sorted(moves_together(standardise(np.vstack([first, other, np.roll(first, 1)])), lags=1))
    [(0, 2)]

    Spec 01-connections, "Type".
    """
    size = len(series)
    together = np.zeros((size, size), dtype=bool)
    steps = whole_steps(series, lags=lags)
    if len(steps) < lags + 4 or size < 2:
        return frozenset()
    tests = (size * (size - 1) // 2) * (2 * lags + 1)
    # sqrt(2 log(m / level)) lies above the normal quantile of level / m, so no inverse is needed.
    needed = np.sqrt(2.0 * np.log(tests / CORRELATION_LEVEL))
    now = series[:, steps] - series[:, steps].mean(axis=1, keepdims=True)
    for lag in range(lags + 1):
        then = series[:, steps - lag] - series[:, steps - lag].mean(axis=1, keepdims=True)
        scale = np.sqrt(np.outer((then**2).sum(axis=1), (now**2).sum(axis=1)))
        correlation = (then @ now.T) / np.where(scale > 0.0, scale, 1.0)
        together |= np.abs(np.arctanh(np.clip(correlation, -0.999999, 0.999999))) * np.sqrt(len(steps) - 3) > needed
    return _unordered(together)


def by_events(series: Floats, *, name: str, rules: EventRules, step_hours: float) -> Discovery:
    """Find links by the lags between events, and ties by correlation, as the rules of connections do for stars."""
    found = event_lags(series, step_hours=step_hours, rules=rules)
    linked = found.confidence > rules.causation_threshold
    links = tuple(
        Link(
            cause=cause,
            effect=effect,
            delay=max(1, round(float(found.lag_hours[cause, effect]) / step_hours)),
            confidence=float(found.confidence[cause, effect]),
            positive=bool(found.positive[cause, effect]),
        )
        for cause, effect in _ordered(linked)
    )
    z = standardise(series)
    whole = z[:, whole_steps(z, lags=0)]
    if whole.shape[1] < rules.min_observations:
        return Discovery(detector=name, links=links, correlated=frozenset())
    whole = standardise(whole)
    correlation = whole @ whole.T / whole.shape[1]
    together = (correlation > rules.resonance_threshold) | (correlation < rules.tension_threshold)
    return Discovery(detector=name, links=links, correlated=_unordered(together))


def granger(series: Floats, *, lags: int = DEFAULT_LAGS, step_hours: float = DAY_HOURS) -> Discovery:
    """Find links by the F-test of each source given the past of all the others.

    linked = p accepted by Benjamini-Hochberg at 5 %; fewer lags when there are not two steps for each term.

    >>> rise = np.array([np.sin(3.7 * step * step) for step in range(80)])
    >>> late = np.roll(rise, 1) + 0.3 * np.cos(1.3 * np.arange(80.0) ** 2)
    >>> sorted(granger(np.vstack([rise, late])).pairs())
    [(0, 1)]

    Spec 01-connections, "Type", D11.
    """
    del step_hours
    z = standardise(series)
    size = len(z)
    while lags > 1 and len(whole_steps(z, lags=lags)) < GRANGER_STEPS_PER_TERM * (size * lags + 1):
        lags -= 1
    tests = granger_conditional(z, lags=lags)
    limit = discovery_limit(tests.p[~np.eye(size, dtype=bool)], rate=GRANGER_RATE)
    linked = (tests.p <= limit) & (tests.f > 0.0)
    steps = whole_steps(z, lags=lags)
    links = []
    for cause, effect in _ordered(linked):
        products = [float(z[cause, steps - lag] @ z[effect, steps]) for lag in range(1, lags + 1)]
        strongest = int(np.argmax(np.abs(products)))
        confidence = 1.0 - float(tests.p[cause, effect])
        links.append(Link(cause, effect, strongest + 1, confidence, products[strongest] > 0.0))
    return Discovery(detector="granger", links=tuple(links), correlated=moves_together(z, lags=lags))


def best(series: Floats, *, lags: int = DEFAULT_LAGS, step_hours: float = DAY_HOURS) -> Discovery:
    """Find links by the model that the data asks for: curved, delayed or instant (see the top of this file).

    >>> rise = np.array([np.sin(3.7 * step * step) for step in range(120)])
    >>> late = np.roll(rise, 2) + np.cos(1.3 * np.arange(120.0) ** 2)
    >>> [(link.cause, link.effect, link.delay) for link in best(np.vstack([rise, late])).links]
    [(0, 1, 2)]

    Spec 01-connections, "Type"; docs/causality.md.
    """
    del step_hours
    z = standardise(series)
    together = moves_together(z, lags=lags)
    rest, share = without_common_factor(z)
    curved = curved_links(rest)
    if curved is not None:
        signs = delayed_links(rest, lags=1).positive
        links = tuple(Link(a, b, 1, 1.0 - float(curved.p[a, b]), bool(signs[a, b])) for a, b in _ordered(curved.linked))
        return Discovery(detector="best", links=links, correlated=together)
    delayed = delayed_links(rest, lags=lags, least=SMALL_EFFECT if share == 0.0 else EFFECT_AFTER_FACTOR)
    weight = float(delayed.effect_size[delayed.linked].sum())
    instant = instant_links(rest) if share == 0.0 else None
    if instant is not None and float(instant.effect_size[instant.tied].sum()) / 2.0 > TIES_OUTWEIGH * weight:
        links = tuple(
            Link(a, b, 0, 1.0 - float(instant.p[a, b]), bool(instant.positive[a, b]), directed=False)
            for a, b in _ordered(instant.tied)
        )
        return Discovery(detector="best", links=links, correlated=together)
    links = tuple(
        Link(a, b, int(delayed.delay[a, b]), 1.0 - float(delayed.p[a, b]), bool(delayed.positive[a, b]))
        for a, b in _ordered(delayed.linked)
    )
    return Discovery(detector="best", links=links, correlated=together)

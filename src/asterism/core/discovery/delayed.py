"""Delayed links: which series drive which after one to a few steps, linear influence.

For each effect its own past is always in the fit. Every other series may enter through a *delay profile*: a
spike (one lag) or a box (the sum of the first few lags), because an influence comes either after a fixed delay
or spread over the steps that follow, and one coefficient for either is a sharper test than a free coefficient
for every lag. A profile is of a series' values, or of its *news*: what a first scan could not foresee of it. Where
an effect follows only its cause's news, as one stock another's, the cause's values are a poor witness, and another
effect of the same cause may be a better one; that one would be called the cause.

1. Parents are chosen forward: the profile with the largest partial F enters while its p, times the number of
   profiles on offer, stays under the level.
2. Each source is then scored twice: with nothing else in the fit, and given the effect's past and the whole
   course of the chosen parents, from now to one step before the longest lag. The smaller F counts. A chain and a
   pair with a driver in common fail the second look, and a pair that only seems linked because something was
   conditioned on fails the first.
3. A link needs p x (profiles on offer) < level, a place under Benjamini-Hochberg over all pairs, and a least
   effect f2 = F / (n - m): in a long record the smallest leftover is significant.
4. The scan is made twice: what each series' parents leave of it is its news, which the second scan may use.
5. If one shape describes all links found as briefly as a free choice for each (n/2 log(1 + f2) a link, less
   log(shapes) for the choice), influences in this record share their shape, and the scan is made again with
   that shape alone: fewer tests, so weaker links can be told from chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Bools, Floats
from asterism.core.statistics.granger import discovery_limit, f_survival
from asterism.core.statistics.series import whole_steps

LEVEL = 0.05
SMALL_EFFECT = 0.015  # f2; Cohen (1988) calls .01 (as r of .10) and .02 (in a regression) small
MAX_PARENTS = 12
_SPENT = 1e-8  # share of a profile that must be left after conditioning for its test to mean anything


@dataclass(frozen=True, slots=True)
class Delayed:
    """Matrices [cause, effect]: is there a link, its adjusted p, effect size, delay in steps and sign."""

    linked: Bools
    p: Floats
    effect_size: Floats
    delay: NDArray[np.int64]
    positive: Bools


@dataclass(frozen=True, slots=True)
class _Profiles:
    """The candidates: `values` (profiles x steps), whose `source`, and which `shape`.

    Shapes in order: spikes and boxes of values, then spikes and boxes of news. `around` is the value of each series
    (a row each) at the step itself and one step before the longest lag.
    """

    values: Floats
    source: NDArray[np.int64]
    shape: NDArray[np.int64]
    around: Floats
    lags: int

    def with_news(self, news: Floats, *, steps: NDArray[np.intp]) -> _Profiles:
        """Offer the same profiles of the news as well."""
        added = _profiles(news, steps=steps, lags=self.lags)
        return _Profiles(
            values=np.vstack([self.values, added.values]),
            source=np.concatenate([self.source, added.source]),
            shape=np.concatenate([self.shape, added.shape + 2 * self.lags - 1]),
            around=self.around,
            lags=self.lags,
        )

    def spikes_like(self, shape: int) -> range:
        """Give the shapes of the single lags of values, or of news, whichever this shape is of."""
        begin = shape - shape % (2 * self.lags - 1)
        return range(begin, begin + self.lags)

    def courses(self, chosen: list[int]) -> Floats:
        """Give the course of each chosen parent as columns: every single lag, now, and the step before them."""
        columns = [np.zeros((0, self.values.shape[1]))]
        for index in chosen:
            spikes = self.spikes_like(int(self.shape[index]))
            columns.append(self.values[(self.source == self.source[index]) & np.isin(self.shape, spikes)])
            columns.append(self.around[:, self.source[index]])
        return np.vstack(columns).T


@dataclass(frozen=True, slots=True)
class _Scan:
    """Matrices [cause, effect] of one pass, the strength [shape, cause, effect] of each shape in it, and the news."""

    p: Floats
    effect_size: Floats
    strength: Floats
    slope: Floats
    news: Floats

    def linked(self, *, least: float) -> Bools:
        """Apply the level, over the sources of an effect and over all pairs, and the least effect."""
        others = len(self.p) - 1
        apart = ~np.eye(len(self.p), dtype=bool)
        # Where little is linked, chance over all pairs counts too; where much is, this changes nothing.
        limit = discovery_limit(self.p[apart] / others, rate=LEVEL)
        return (self.p < LEVEL) & (self.p / others <= limit) & (self.effect_size >= least)


def _profiles(series: Floats, *, steps: NDArray[np.intp], lags: int) -> _Profiles:
    spikes = [series[:, steps - lag] for lag in range(1, lags + 1)]
    boxes = [np.asarray(sum(spikes[:width])) for width in range(2, lags + 1)]
    values = np.vstack(spikes + boxes)
    size = len(series)
    return _Profiles(
        values=values - values.mean(axis=1, keepdims=True),
        source=np.tile(np.arange(size), 2 * lags - 1),
        shape=np.repeat(np.arange(2 * lags - 1), size),
        # Before the record began it stood at its first value, and in a gap at its mean.
        around=np.nan_to_num(np.array([series[:, steps], series[:, np.maximum(steps - lags - 1, 0)]])),
        lags=lags,
    )


def _partial(target: Floats, *, given: Floats, offers: Floats) -> tuple[Floats, Floats, int]:
    """Give F and slope of each offered profile, cleared of what is given, and the degrees of freedom."""
    basis = np.linalg.qr(given)[0]
    left = target - basis @ (basis.T @ target)
    cleared = offers - (offers @ basis) @ basis.T
    power = np.einsum("ij,ij->i", cleared, cleared)
    usable = power > _SPENT * np.einsum("ij,ij->i", offers, offers)
    slope = np.where(usable, (cleared @ left) / np.where(usable, power, 1.0), 0.0)
    gain = slope**2 * power
    freedom = len(target) - given.shape[1] - 2
    noise = np.maximum(left @ left - gain, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        f = np.where(gain > 0.0, gain * freedom / noise, 0.0)
    return f, slope, freedom


def _choose_parents(target: Floats, *, own: Floats, profiles: _Profiles, open_to: Bools) -> list[int]:
    """Add profiles one by one, the strongest first, while the strongest left is significant and steps are left."""
    chosen: list[int] = []
    open_to = open_to.copy()
    # What is tested given all courses needs a degree of freedom: own past, parents, itself and a constant aside.
    most = min(MAX_PARENTS, (len(target) - own.shape[1] - 3) // (profiles.lags + 2))
    while open_to.any() and len(chosen) < most:
        offers = np.flatnonzero(open_to)
        given = np.column_stack([own, profiles.values[chosen].T])
        f, _, freedom = _partial(target, given=given, offers=profiles.values[offers])
        best = int(f.argmax())
        if f_survival(float(f[best]), between=1, within=freedom) * len(offers) >= LEVEL:
            break
        chosen.append(int(offers[best]))
        open_to &= profiles.source != profiles.source[offers[best]]
    return chosen


def _scan(series: Floats, *, steps: NDArray[np.intp], profiles: _Profiles, shapes: list[int]) -> _Scan:
    """Choose the parents of every effect and score every source, through profiles of the given shapes only."""
    size = len(series)
    news = np.zeros_like(series)
    p, effect_size, slopes = np.ones((size, size)), np.zeros((size, size)), np.zeros((size, size))
    strength = np.zeros((int(profiles.shape.max()) + 1, size, size))
    on_offer = (size - 1) * len(shapes)
    nothing = np.zeros((len(steps), 0))
    allowed = np.isin(profiles.shape, shapes)
    for effect in range(size):
        target = series[effect, steps] - series[effect, steps].mean()
        own = profiles.values[(profiles.source == effect) & (profiles.shape < profiles.lags)].T
        chosen = _choose_parents(target, own=own, profiles=profiles, open_to=allowed & (profiles.source != effect))
        basis = np.linalg.qr(np.column_stack([own, profiles.values[chosen].T]))[0]
        news[effect, steps] = target - basis @ (basis.T @ target)
        alone, _, _ = _partial(target, given=nothing, offers=profiles.values)
        parents = sorted({int(profiles.source[index]) for index in chosen})
        strangers = [source for source in range(size) if source not in (*parents, effect)]
        # A source that is no parent is tested given all parents: one projection serves all such sources.
        for sources in [strangers, *([parent] for parent in parents)]:
            tested = np.flatnonzero(allowed & np.isin(profiles.source, sources))
            given = np.column_stack([own, profiles.courses([one for one in chosen if one not in tested])])
            f, slope, freedom = _partial(target, given=given, offers=profiles.values[tested])
            strength[profiles.shape[tested], profiles.source[tested], effect] = f / freedom
            for cause in sources:
                mine = np.flatnonzero(profiles.source[tested] == cause)
                weaker = min(float(f[mine].max()), float(alone[tested[mine]].max()))
                p[cause, effect] = min(1.0, f_survival(weaker, between=1, within=freedom) * on_offer)
                effect_size[cause, effect] = weaker / freedom
                slopes[cause, effect] = slope[mine[int(f[mine].argmax())]]
    return _Scan(p=p, effect_size=effect_size, strength=strength, slope=slopes, news=news)


def _common_shape(scan: _Scan, *, steps: int, least: float) -> int | None:
    """Give the one shape that describes all links as briefly as a free choice for each, if there is one."""
    strength = scan.strength[:, scan.linked(least=least)]
    lengths = steps / 2.0 * np.log1p(strength)
    free = float((lengths.max(axis=0, initial=0.0) - np.log(len(lengths))).sum())
    single = lengths.sum(axis=1)
    return int(single.argmax()) if strength.size and float(single.max()) >= free else None


def delayed_links(series: Floats, *, lags: int, least: float = SMALL_EFFECT) -> Delayed:
    """Find who drives whom after 1 to `lags` steps, from standardised series.

    linked = min(F alone, F given parents) passes p x profiles < .05, and F / (n - m) >= `least`.

    >>> drive = np.array([np.sin(3.7 * step * step) for step in range(120)])
    >>> other = np.array([np.cos(1.3 * step * step) for step in range(120)])
    >>> found = delayed_links(np.vstack([drive, np.roll(drive, 2) + other]), lags=3)
    >>> found.linked.tolist(), int(found.delay[0, 1])
    ([[False, True], [False, False]], 2)

    Spec 01-connections, "Type", D11; docs/causality.md.
    """
    size = len(series)
    steps = whole_steps(series, lags=lags)
    # Own past, one parent and a constant must leave freedom for the noise.
    if size < 2 or len(steps) < lags + 4:
        none = np.zeros((size, size), dtype=bool)
        at_once = np.ones((size, size), dtype=np.int64)
        return Delayed(none, np.ones((size, size)), np.zeros((size, size)), at_once, none)
    profiles = _profiles(series, steps=steps, lags=lags)
    first = _scan(series, steps=steps, profiles=profiles, shapes=_shapes(profiles))
    profiles = profiles.with_news(first.news, steps=steps)
    scan = _scan(series, steps=steps, profiles=profiles, shapes=_shapes(profiles))
    delay = 1 + np.maximum(scan.strength[:lags], scan.strength[2 * lags - 1 :][:lags]).argmax(axis=0)
    shape = _common_shape(scan, steps=len(steps), least=least)
    if shape is not None:
        scan = _scan(series, steps=steps, profiles=profiles, shapes=[shape])
    return Delayed(scan.linked(least=least), scan.p, scan.effect_size, delay, scan.slope > 0.0)


def _shapes(profiles: _Profiles) -> list[int]:
    return list(range(int(profiles.shape.max()) + 1))

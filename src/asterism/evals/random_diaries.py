"""Random diaries with known links: what months of somebody's values could look like, made from a number.

    star = own course + weekday rhythm + trend, 0..10 with one decimal, about 10 % of it missing

The own courses hold the planted links. A cause of strength r and lag k gives its effect

    effect_t = r cause_(t-k) + sqrt(1 - sum of r²) own_t,

all with variance 1, `own` with a memory of its own (first-order, 0 to .6), so that r is the correlation of the
two before rhythm, trend and gaps are laid on top. Links come in four patterns: a pair, a chain, a common cause
of two effects, and two causes of one effect. The rest of the stars are linked to nothing. Part of the weekday
rhythm is shared by all stars, as weekends are, which correlates stars that have nothing to do with each other.

Nothing here is fitted to any data, and the same number always gives the same diary.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from asterism.core.ledger.columns import Floats

Pair = tuple[int, int]

STARS = (5, 20)
DAYS = (40, 120)
STRENGTH = (0.5, 0.9)
STRENGTH_OF_TWO = (0.5, 0.65)  # two causes of one effect: their squares must leave room for its own course
LAGS = (0, 1, 2)
MEMORY = (0.0, 0.6)
LONG_MEMORY = (0.6, 0.8)  # of diaries in which everything drifts
NEGATIVE = 0.3  # share of links that push the other way
LINKED = 0.6  # at most this share of the stars stands in a pattern
OWN_RHYTHM, SHARED_RHYTHM = 0.6, 0.8
TREND, BEND = 2.0, 0.5  # largest change from the first day to the last, and largest bow, in standard deviations
MISSING_DAY, MISSING_VALUE = 0.05, 0.05
CENTRE, SPREAD = 5.0, 1.2
_RUN_IN = 30  # days before the diary begins, so that lags and memories have a past


@dataclass(frozen=True, slots=True)
class Planted:
    """One true link: the `effect` follows the `cause` by `lag` days with correlation `r` (signed)."""

    cause: int
    effect: int
    lag: int
    r: float


@dataclass(frozen=True, slots=True)
class RandomDiary:
    """Values (stars x days, NaN where nothing was told), the planted links, and what is linked through a third.

    `chained` are the two ends of a chain, `shared` the two effects of a common cause, as (smaller, larger).
    """

    number: int
    values: Floats
    links: tuple[Planted, ...]
    chained: frozenset[Pair]
    shared: frozenset[Pair]

    @property
    def days(self) -> int:
        """The length of the diary."""
        return int(self.values.shape[1])


def random_diary(number: int, *, linked: bool = True, memory: tuple[float, float] = MEMORY) -> RandomDiary:
    """Make the diary of this number; with `linked` false nothing in it has to do with anything else.

    Each star's own course keeps a share of itself from day to day, drawn from `memory`.

    >>> diary = random_diary(3)
    >>> len(diary.values), diary.days, [(link.cause, link.effect, link.lag) for link in diary.links][:2]
    (20, 60, [(8, 19, 2), (15, 1, 0)])
    >>> random_diary(3, linked=False).links
    ()
    """
    rng = np.random.default_rng([number, int(linked)])
    size, days = int(rng.integers(*STARS, endpoint=True)), int(rng.integers(*DAYS, endpoint=True))
    links, chained, shared = _plant(rng, size) if linked else ([], set(), set())
    values = _courses(rng, size, _RUN_IN + days, links, memory)[:, _RUN_IN:]
    values = values + _rhythm(rng, size, days) + _trend(rng, size, days)
    told = np.round(np.clip(CENTRE + SPREAD * values, 0.0, 10.0), 1)
    missing = (rng.random(days) < MISSING_DAY) | (rng.random((size, days)) < MISSING_VALUE)
    return RandomDiary(
        number=number,
        values=np.where(missing, np.nan, told),
        links=tuple(links),
        chained=frozenset(chained),
        shared=frozenset(shared),
    )


ODD_KINDS = ("rare events", "level changes", "odd spells")


def odd_diary(number: int, kind: str) -> Floats:
    """Make a diary in which nothing is linked and few days look like everything.

    Rare events: yes or no, 1 to 8 times. Level changes: each star's level changes once, by 1 with noise of .05 to 1.
    Odd spells: each star is 4 standard deviations off for 3 to 15 days. All at times of their own.

    >>> odd_diary(3, "rare events").sum(axis=1).tolist()[:4]
    [3.0, 3.0, 3.0, 3.0]
    """
    rng = np.random.default_rng([number, 3 + ODD_KINDS.index(kind)])
    size, days = int(rng.integers(*STARS, endpoint=True)), int(rng.integers(*DAYS, endpoint=True))
    if kind == "rare events":
        events = int(rng.integers(1, 8, endpoint=True))
        return np.asarray(rng.random((size, days)).argsort(axis=1) < events, dtype=np.float64)
    day, noise = np.arange(days), rng.normal(size=(size, days))
    begin = rng.integers(5, days - 5, size=(size, 1))
    if kind == "level changes":
        return np.asarray((day >= begin) + rng.uniform(0.05, 1.0) * noise)
    return noise + 4.0 * ((day >= begin) & (day < begin + int(rng.integers(3, 15, endpoint=True))))


def _plant(rng: np.random.Generator, size: int) -> tuple[list[Planted], set[Pair], set[Pair]]:
    """Draw patterns among stars in random order until the share that may be linked is used up."""
    links: list[Planted] = []
    chained: set[Pair] = set()
    shared: set[Pair] = set()

    def link(cause: int, effect: int, strength: tuple[float, float] = STRENGTH) -> None:
        r = float(rng.uniform(*strength)) * (-1.0 if rng.random() < NEGATIVE else 1.0)
        links.append(Planted(cause, effect, int(rng.choice(LAGS)), r))

    def pair(a: int, b: int) -> None:
        link(a, b)

    def chain(a: int, b: int, c: int) -> None:
        link(a, b)
        link(b, c)
        chained.add((min(a, c), max(a, c)))

    def common_cause(a: int, b: int, c: int) -> None:
        link(a, b)
        link(a, c)
        shared.add((min(b, c), max(b, c)))

    def two_causes(a: int, b: int, c: int) -> None:
        link(a, c, STRENGTH_OF_TWO)
        link(b, c, STRENGTH_OF_TWO)

    patterns: tuple[tuple[int, Callable[..., None]], ...] = ((2, pair), (3, chain), (3, common_cause), (3, two_causes))
    waiting = [int(star) for star in rng.permutation(size)]
    room = max(3, int(size * LINKED))
    while True:
        stars, pattern = patterns[int(rng.integers(len(patterns)))]
        if stars > room:
            return links, chained, shared
        pattern(*(waiting.pop() for _ in range(stars)))
        room -= stars


def _courses(
    rng: np.random.Generator, size: int, days: int, links: list[Planted], memories: tuple[float, float]
) -> Floats:
    """Give every star its own course, variance 1, and lay the causes in; causes come before their effects."""
    memory = rng.uniform(*memories, size=(size, 1))
    shocks = rng.normal(size=(size, days))
    courses = shocks.copy()
    for day in range(1, days):
        courses[:, [day]] = memory * courses[:, [day - 1]] + np.sqrt(1.0 - memory**2) * shocks[:, [day]]
    for effect in dict.fromkeys(link.effect for link in links):
        causes = [link for link in links if link.effect == effect]
        courses[effect] *= math.sqrt(1.0 - sum(link.r**2 for link in causes))
        for link in causes:
            courses[effect] += link.r * np.roll(courses[link.cause], link.lag)
    return courses


def _rhythm(rng: np.random.Generator, size: int, days: int) -> Floats:
    """Give the weekly pattern of every star: one of its own, and its share of the one that all follow."""
    own = rng.normal(size=(size, 7)) * rng.uniform(0.0, OWN_RHYTHM, size=(size, 1))
    everyone = np.roll(np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]) - 2.0 / 7.0, int(rng.integers(7)))
    weekly = own + rng.uniform(-SHARED_RHYTHM, SHARED_RHYTHM, size=(size, 1)) * 2.0 * everyone
    return np.asarray(weekly[:, np.arange(days) % 7])


def _trend(rng: np.random.Generator, size: int, days: int) -> Floats:
    """Give a straight change from the first day to the last, with a bow."""
    course = np.linspace(-1.0, 1.0, days)
    slope = rng.uniform(-TREND / 2.0, TREND / 2.0, size=(size, 1))
    bow = rng.uniform(-BEND, BEND, size=(size, 1))
    return np.asarray(slope * course + bow * (1.0 - 2.0 * course**2))

"""Where liquidations come next: of the dollars liquidated in the next hour, how many fall at remembered prices?

At each full hour a system names prices, best first, of which the first k count that lie more than 0.2 % apart; a
liquidation is at a price when it is within 0.1 % of it. The systems are fed all liquidations before the hour and
nothing else, a day of them before the first question. An hour without a liquidation has nothing to find and is left
out; where there are no hours there is no report. Reported are the share of all dollars, the mean share of an hour (so
that a few wild hours do not decide), and what the memory has above two baselines: prices drawn at random between the
lowest and the highest of the last day, and the prices next to the last one. Intervals resample whole days, all coins
together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from asterism.core.ledger.columns import Floats, Longs
from asterism.evals.market_data import Liquidations, load_liquidations
from asterism.evals.market_levels import LevelMemory, Variant, liquidation_events
from asterism.evals.market_scores import interval, weighted_mean
from asterism.evals.market_touches import NEAR, STEP
from asterism.evals.report import Report, Row

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
STAY_MS = 6 * HOUR_MS
MINUTE_MS = 60_000
TOPS = (1, 3, 5, 10)
HEADLINES = (5, 10)
AGAINST = ("random", "distance")
MOST_NAMED = 200  # prices that a system is asked for; the first that lie apart count
EVAL = "market, next liquidation"


class Guesser(Protocol):
    """What can be tested: it takes in liquidations, and names the prices where the next ones will be, best first."""

    def feed(self, liquidations: Liquidations) -> None:
        """Take in what happened since the last call."""

    def prices(self, *, at_ms: int) -> Sequence[float]:
        """Name prices, best first."""


class Simple:
    """A baseline: a rule over the liquidations of the last day and the last price of all."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._past: list[Liquidations] = []

    def feed(self, liquidations: Liquidations) -> None:
        """Keep what a day needs."""
        self._past.append(liquidations)

    def prices(self, *, at_ms: int) -> Sequence[float]:
        """Apply the rule."""
        columns = zip(*((each.at_ms, each.price, each.usd, each.long) for each in self._past), strict=True)
        seen = Liquidations(*(np.concatenate(column) for column in columns))
        self._past = [seen.rows(min(seen.before(at_ms - DAY_MS), len(seen.price) - 1), len(seen.price))]
        (known,) = self._past
        day = known.rows(known.before(at_ms - DAY_MS), len(known.price))
        return list(map(float, self._rule(day, float(known.price[-1]), at_ms)))


Rule = Callable[[Liquidations, float, int], Floats]


def next_to(_day: Liquidations, last: float, _at_ms: int) -> Floats:
    """Name the last price and those next to it, nearest first."""
    away = np.arange(1, max(TOPS) + 1)
    steps = np.concatenate([[0], np.column_stack([away, -away]).ravel()])
    return np.asarray(last * np.exp(steps * (STEP * 1.001)))


def newest(day: Liquidations, _last: float, _at_ms: int) -> Floats:
    """Name the prices of the last liquidations."""
    return day.price[::-1]


def most_dollars(day: Liquidations, _last: float, _at_ms: int) -> Floats:
    """Name the steps of the grid with the most dollars of the last day."""
    return _fullest(day.price, day.usd)


def most_time(day: Liquidations, _last: float, at_ms: int) -> Floats:
    """Name the steps of the grid with liquidations in the most minutes of the last six hours."""
    late = day.rows(day.before(at_ms - STAY_MS), len(day.price))
    minutes = np.unique(np.column_stack([late.at_ms // MINUTE_MS, _steps(late.price)]), axis=0)[:, 1]
    return _fullest(np.exp(minutes * STEP), np.ones(len(minutes)))


def at_random(rng: np.random.Generator) -> Rule:
    """Name prices between the lowest and the highest of the last day."""

    def draw(day: Liquidations, last: float, _at_ms: int) -> Floats:
        prices = day.price if len(day.price) else np.array([last])
        return np.asarray(np.exp(rng.uniform(np.log(prices.min()), np.log(prices.max()), size=MOST_NAMED)))

    return draw


def _steps(price: Floats) -> Longs:
    return np.round(np.log(price) / STEP).astype(np.int64)


def _fullest(price: Floats, weight: Floats) -> Floats:
    steps, place = np.unique(_steps(price), return_inverse=True)
    return np.asarray(np.exp(steps[np.argsort(-np.bincount(place, weight), kind="stable")] * STEP))


class Remembered:
    """A memory of levels: its strongest, or those nearest to the last price."""

    def __init__(self, memory: LevelMemory, *, nearest: bool) -> None:
        self._memory = memory
        self._nearest = nearest
        self._last = 0.0

    def feed(self, liquidations: Liquidations) -> None:
        """Feed the memory."""
        self._memory.take(liquidation_events(liquidations))
        self._last = float(liquidations.price[-1]) if len(liquidations.price) else self._last

    def prices(self, *, at_ms: int) -> Sequence[float]:
        """Ask the memory."""
        if self._nearest:
            return self._memory.nearest(self._last, most=MOST_NAMED, at_ms=at_ms)
        return self._memory.strongest(at_ms=at_ms)


class Hours(NamedTuple):
    """Hours that had liquidations: the day, the dollars in all, and those at the first k prices, a column a k."""

    day: Longs
    usd: Floats
    found: Floats


def walk(liquidations: Liquidations, guesser: Guesser) -> Hours:
    """Go through the hours of one symbol: what came before is fed, prices are named, then the hour is counted."""
    first = (int(liquidations.at_ms[0]) // HOUR_MS + 1) * HOUR_MS + DAY_MS
    rows: list[tuple[int, float, list[float]]] = []
    known = 0
    for at_ms in range(first, int(liquidations.at_ms[-1]) - HOUR_MS + 1, HOUR_MS):
        until, end = liquidations.before(at_ms), liquidations.before(at_ms + HOUR_MS)
        guesser.feed(liquidations.rows(known, until))
        known = until
        guessed = apart(guesser.prices(at_ms=at_ms), most=max(TOPS))
        hour = liquidations.rows(until, end)
        if end > until:
            rows.append((at_ms // DAY_MS, float(hour.usd.sum()), [found_usd(hour, guessed[:top]) for top in TOPS]))
    day, usd, found = zip(*rows, strict=True) if rows else ((), (), ())
    return Hours(np.array(day, dtype=np.int64), np.array(usd), np.array(found).reshape(-1, len(TOPS)))


def apart(prices: Sequence[float], *, most: int) -> list[float]:
    """Keep the first prices that lie more than a step of 0.2 % from those before them.

    >>> apart([100.0, 100.1, 100.3, 99.9, 99.7], most=3)
    [100.0, 100.3, 99.7]
    """
    kept: list[float] = []
    for price in prices:
        if all(abs(math.log(price / other)) > STEP for other in kept):
            kept.append(price)
        if len(kept) == most:
            break
    return kept


def found_usd(hour: Liquidations, prices: Sequence[float]) -> float:
    """Add up what was liquidated within 0.1 % of some prices."""
    at = [np.abs(hour.price / price - 1.0) <= NEAR for price in prices]
    return float(hour.usd[np.any(at, axis=0)].sum()) if at else 0.0


Opens = Callable[[str], AbstractContextManager[Guesser]]


def _opens(rule: Rule) -> Opens:
    def opened(_symbol: str) -> AbstractContextManager[Guesser]:
        return nullcontext(Simple(rule))

    return opened


def baselines(seed: int) -> Mapping[str, Opens]:
    """Give the baselines by name."""
    rules = {
        "random": at_random(np.random.default_rng(seed)),
        "distance": next_to,
        "recency": newest,
        "volume": most_dollars,
        "time": most_time,
    }
    return {name: _opens(rule) for name, rule in rules.items()}


def memories(variant: Variant) -> Mapping[str, Opens]:
    """Give the two ways to ask a memory, by name."""

    def asked(*, nearest: bool) -> Opens:
        @contextmanager
        def opened(symbol: str) -> Iterator[Guesser]:
            with variant.opened(symbol) as memory:
                yield Remembered(memory, nearest=nearest)

        return opened

    return {variant.name: asked(nearest=False), f"{variant.name} nearest": asked(nearest=True)}


def run(
    data: Path, variant: Variant, *, seed: int, say: Callable[[str], None], clock: Callable[[], float]
) -> list[Report]:
    """Test the baselines and a memory on all liquidations in the folder."""
    symbols = load_liquidations(data)
    own = memories(variant)
    results: dict[str, Hours] = {}
    reports = []
    for name, opens in {**baselines(seed), **own}.items():
        begun = clock()
        parts = []
        for symbol, liquidations in symbols.items():
            say(f"{symbol}: {name}")
            with opens(symbol) as guesser:
                parts.append(walk(liquidations, guesser))
        if not sum(len(part.usd) for part in parts):
            return []
        results[name] = Hours(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        rows = hour_rows(results[name], seed=seed)
        if name in own:
            rows += [row for other in AGAINST for row in above_rows(results[name], other, results[other], seed=seed)]
        call = "nearest(last price)" if name.endswith(" nearest") else "levels()"
        how = f"as used: feed of liquidations, {call} at each hour" if name in own else "none"
        reports.append(Report(EVAL, name, how, tuple(rows), round(clock() - begun, 3)))
    return reports


def hour_rows(hours: Hours, *, seed: int) -> list[Row]:
    """Give the shares of one system."""
    size, rows = len(hours.usd), []
    for kind, statistic in MEASURES.items():
        rows += [Row(kind, f"@{top}", statistic(hours, top)(np.ones(size)), size) for top in TOPS]
        for top in HEADLINES:
            rows += _span(kind, f"@{top}", statistic(hours, top), hours.day, seed=seed)
    return rows


def above_rows(hours: Hours, name: str, other: Hours, *, seed: int) -> list[Row]:
    """Give how much more one system finds than another, on the same hours and the same resamples."""
    rows = []
    for kind, statistic in MEASURES.items():
        for top in HEADLINES:
            one, two = statistic(hours, top), statistic(other, top)

            def gain(weights: Floats, one: Statistic = one, two: Statistic = two) -> float:
                return one(weights) - two(weights)

            above = f"{kind}, vs {name}"
            rows.append(Row(above, f"@{top}", gain(np.ones(len(hours.usd))), len(hours.usd)))
            rows += _span(above, f"@{top}", gain, hours.day, seed=seed)
    return rows


Statistic = Callable[[Floats], float]


def share_of_dollars(hours: Hours, top: int) -> Statistic:
    """Give the statistic that is the share of all dollars at the first so many prices."""
    found = hours.found[:, TOPS.index(top)]
    return lambda weights: float(weights @ found / (weights @ hours.usd))


def mean_hour(hours: Hours, top: int) -> Statistic:
    """Give the statistic that is the mean over hours of that share."""
    return weighted_mean(hours.found[:, TOPS.index(top)] / hours.usd)


MEASURES = {"dollars": share_of_dollars, "hours": mean_hour}


def _span(name: str, metric: str, statistic: Statistic, day: Longs, *, seed: int) -> list[Row]:
    span, days = interval(statistic, day, rng=np.random.default_rng(seed)), len(np.unique(day))
    return [Row(name, f"{metric} low", span.low, days), Row(name, f"{metric} high", span.high, days)]

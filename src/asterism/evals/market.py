"""Market levels: when price comes back to a remembered price, does it turn? What else is a level good for?

    asterism eval market --data FOLDER [--preset NAME] [--set NAME=VALUE] [--only KIND] [--behind SHARE]

Each system scores every touch (see `market_touches`) with what was known before it. Reported are the AUC of score
against bounce, over all touches, over those of the first half of the days and of the later half, and of each coin-day,
with an interval (whole days resampled: the coins of one day move together); the AUC within twentieths of the last
minute's volatility; and by tenth of the score the bounce rate beside that of random prices matched for distance and
volatility. A calm market jumps less far past a level and so bounces more: "calm" is a score that knows no level at
all, and what a level adds must show within volatility.

Two more tests follow: where liquidations come next (`market_next`), where resting orders stay and come back
(`market_resting`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from asterism.core.ledger.columns import Bools, Floats, Longs
from asterism.evals import market_next, market_resting
from asterism.evals.market_baselines import BASELINES
from asterism.evals.market_data import CoinDay, load_market
from asterism.evals.market_levels import SHIPPED, Variant
from asterism.evals.market_scores import Ranking, auc, auc_within, interval, strata_of, weighted_mean
from asterism.evals.market_touches import (
    STRATA,
    Remembering,
    Touches,
    find_touches,
    grid_levels,
    matched_bounces,
    random_touches,
    recall,
    volatility,
)
from asterism.evals.report import Report, Row

Progress = Callable[[str], None]

TENTHS = 10
AGAINST = "time"  # the baseline that a memory is measured against
EVAL = "market"
TESTS = (EVAL, market_next.EVAL, market_resting.EVAL)


@dataclass(frozen=True, slots=True)
class Cases:
    """All touches of all coin-days: what happened, on which coin-day, how volatile it was, what random prices did."""

    days: tuple[CoinDay, ...]
    touches: tuple[Touches, ...]
    bounced: Bools
    coin_day: Longs
    stratum: Longs
    matched: Floats

    @property
    def day(self) -> Longs:
        """The number of the day of each touch, whatever the coin."""
        return np.unique([day.day for day in self.days], return_inverse=True)[1][self.coin_day]


def cases_of(days: Sequence[CoinDay], *, seed: int) -> Cases:
    """Find the touches of every coin-day and the random prices to set beside them."""
    touches, matched, moves = [], [], []
    for number, day in enumerate(days):
        last = day.ticker.last
        found = find_touches(last, grid_levels(last))
        controls = random_touches(last, rng=np.random.default_rng([seed, number]))
        touches.append(found)
        matched.append(matched_bounces(last, found, controls))
        moves.append(volatility(last, found.row))
    return Cases(
        tuple(days),
        tuple(touches),
        np.concatenate([some.bounced for some in touches]),
        np.repeat(np.arange(len(days)), [some.size for some in touches]),
        strata_of(np.concatenate(moves), parts=STRATA),
        np.concatenate(matched),
    )


def scored(cases: Cases, opens: Remembering, *, behind: float = 0.0) -> Floats:
    """Ask a fresh memory on each coin-day; it is fed only what came before each touch."""
    parts = []
    for day, touches in zip(cases.days, cases.touches, strict=True):
        with opens(day.symbol) as memory:
            parts.append(recall(day, touches, memory, behind=behind))
    return np.concatenate(parts)


def run(
    data: Path,
    *,
    variant: Variant | None = None,
    behind: float = 0.0,
    seed: int = 5,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Score the baselines and the memories on what is in the folder; `seed` fixes all that is drawn.

    With a `variant`, it is tested in place of those that are shipped. With `behind`, memories are asked for a price
    this share behind the touched one: what they tell there is not about the level. A variant that is told of some
    events only, or asked behind, takes the level-touch test alone.
    """
    memories = SHIPPED if variant is None else (variant,)
    for each in memories:
        _ = each.parameters  # which says what is wrong before hours of prices are read
    say = progress or (lambda _: None)
    reports = touch_reports(data, memories, behind=behind, seed=seed, say=say, clock=clock)
    if behind == 0.0 and not any(each.only for each in memories):
        reports += market_next.run(data, memories[0], seed=seed, say=say, clock=clock)
        reports += market_resting.run(data, memories[0], seed=seed, say=say, clock=clock)
    return reports


def touch_reports(
    data: Path, memories: Sequence[Variant], *, behind: float, seed: int, say: Progress, clock: Callable[[], float]
) -> list[Report]:
    """Score touches."""
    cases = cases_of(load_market(data), seed=seed)
    systems = {**BASELINES, **{each.name: each.opened for each in memories}}
    against: Floats | None = None
    reports = []
    for name, opens in systems.items():
        begun = clock()
        say(name)
        score = scored(cases, opens, behind=behind)
        against = score if name == AGAINST else against
        rows = score_rows(cases, score, seed=seed)
        if name not in BASELINES and against is not None:
            rows += against_rows(cases, score, against, seed=seed)
        how = "none" if name in BASELINES else f"as used: feed before each touch, levels(at=its time); {name}"
        reports.append(Report(EVAL, name, how, tuple(rows), round(clock() - begun, 3)))
    return reports


def score_rows(cases: Cases, score: Floats, *, seed: int) -> list[Row]:
    """Give the figures of one score, precomputed at every touch."""
    bounced, size, day = cases.bounced, len(score), cases.day
    ranking, days = Ranking(score, bounced), len(np.unique(day))
    span = interval(ranking, day, rng=np.random.default_rng(seed))
    later = day >= days // 2
    each = [
        auc(score[cases.coin_day == number], bounced[cases.coin_day == number]) for number in range(len(cases.days))
    ]
    rows = [
        Row("all", "bounce rate", float(bounced.mean()), size),
        Row("all", "random prices", float(cases.matched.mean()), size),
        Row("all", "AUC", ranking(np.ones(size)), size),
        Row("all", "AUC low", span.low, days),
        Row("all", "AUC high", span.high, days),
        Row("all", "in volatility", auc_within(score, bounced, cases.stratum), size),
        Row("coin-days", "mean AUC", float(np.mean(each)), len(each)),
    ]
    if days > 1:
        halves = {"first days": ~later, "later days": later}
        rows += [Row(name, "AUC", auc(score[half], bounced[half]), int(half.sum())) for name, half in halves.items()]
    for number, coin_day in enumerate(cases.days):
        rows.append(Row(coin_day.name, "AUC", each[number], int((cases.coin_day == number).sum())))
    tenths = strata_of(score, parts=TENTHS)
    for number, tenth in enumerate(np.unique(tenths).tolist(), start=1):
        rows += _tenth_rows(f"tenth {number}", cases, tenths == tenth, seed=seed)
    return rows


def against_rows(cases: Cases, score: Floats, other: Floats, *, seed: int) -> list[Row]:
    """Give how much better one score is than another, on the same touches and the same resamples."""
    one, two = Ranking(score, cases.bounced), Ranking(other, cases.bounced)

    def gain(weights: Floats) -> float:
        return one(weights) - two(weights)

    size, days = len(score), len(np.unique(cases.day))
    span = interval(gain, cases.day, rng=np.random.default_rng(seed))
    return [
        Row("all", f"above {AGAINST}", gain(np.ones(size)), size),
        Row("all", f"above {AGAINST} low", span.low, days),
        Row("all", f"above {AGAINST} high", span.high, days),
    ]


def _tenth_rows(name: str, cases: Cases, which: Bools, *, seed: int) -> list[Row]:
    bounced, matched = cases.bounced[which].astype(np.float64), cases.matched[which]
    size = len(bounced)
    beyond = weighted_mean(bounced - matched)
    span = interval(beyond, cases.day[which], rng=np.random.default_rng(seed))
    return [
        Row(name, "bounce rate", float(bounced.mean()), size),
        Row(name, "random prices", float(matched.mean()), size),
        Row(name, "beyond", float((bounced - matched).mean()), size),
        Row(name, "beyond low", span.low, size),
        Row(name, "beyond high", span.high, size),
    ]

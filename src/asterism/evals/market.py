"""Market levels: when price comes back to a remembered price, does it turn?

    asterism eval market --data FOLDER [--preset NAME] [--set NAME=VALUE] [--only KIND] [--behind SHARE]

Each system scores every touch (see `market_touches`) with what was known before it. Reported are the AUC of score
against bounce with two intervals (touches resampled; coin-days resampled), the AUC within twentieths of the last
minute's volatility, the AUC of each coin-day, and by tenth of the score the bounce rate beside that of random prices
matched for distance and volatility. A calm market jumps less far past a level and so bounces more: "calm" is a score
that knows no level at all, and what a level adds must show within volatility.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from asterism.core.ledger.columns import Bools, Floats, Longs
from asterism.evals.market_data import CoinDay, load_market
from asterism.evals.market_levels import MEMORIES, Remembering
from asterism.evals.market_scores import Ranking, auc, auc_within, interval, strata_of, weighted_mean
from asterism.evals.market_touches import (
    STRATA,
    Touches,
    find_touches,
    grid_levels,
    liquidated_usd,
    matched_bounces,
    random_touches,
    recall,
    seconds_at,
    volatility,
)
from asterism.evals.report import Report, Row

Progress = Callable[[str], None]
Score = Callable[[CoinDay, Touches], Floats]

TENTHS = 10
AGAINST = "time"  # the baseline that a memory is measured against


@dataclass(frozen=True, slots=True)
class Cases:
    """All touches of all coin-days: what happened, on which coin-day, how volatile it was, what random prices did."""

    days: tuple[CoinDay, ...]
    touches: tuple[Touches, ...]
    bounced: Bools
    day: Longs
    stratum: Longs
    matched: Floats


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


def _liquidated(day: CoinDay, touches: Touches) -> Floats:
    return liquidated_usd(day, touches)


def _stayed(day: CoinDay, touches: Touches) -> Floats:
    return seconds_at(day.ticker, touches)


def _calm(day: CoinDay, touches: Touches) -> Floats:
    return -volatility(day.ticker.last, touches.row)


BASELINES: Mapping[str, Score] = {"liquidated": _liquidated, "time": _stayed, "calm": _calm}


def remembered(remembering: Remembering, *, behind: float = 0.0) -> Score:
    """Make a score of a memory: a fresh one for each coin-day, fed only what came before each touch."""
    return lambda day, touches: recall(day, touches, remembering(day), behind=behind)


def run(
    data: Path,
    *,
    memories: Mapping[str, Remembering] | None = None,
    behind: float = 0.0,
    seed: int = 5,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Score the baselines and every memory on the coin-days in the folder; `seed` fixes all that is drawn.

    With `behind`, memories are asked for a price this share behind the touched one: what they tell there is not about
    the level.
    """
    cases = cases_of(load_market(data), seed=seed)
    asked = MEMORIES if memories is None else memories
    systems = {**BASELINES, **{name: remembered(each, behind=behind) for name, each in asked.items()}}
    scores: dict[str, Floats] = {}
    reports = []
    for name, score in systems.items():
        begun = clock()
        parts = []
        for day, touches in zip(cases.days, cases.touches, strict=True):
            if progress is not None:
                progress(f"{day.name}: {name}")
            parts.append(score(day, touches))
        scores[name] = np.concatenate(parts)
        rows = score_rows(cases, scores[name], seed=seed)
        if name not in BASELINES:
            rows += against_rows(cases, scores[name], scores[AGAINST], seed=seed)
        preset = "none" if name in BASELINES else name.split()[0]
        reports.append(Report("market", name, preset, tuple(rows), round(clock() - begun, 3)))
    return reports


def score_rows(cases: Cases, score: Floats, *, seed: int) -> list[Row]:
    """Give the figures of one score, precomputed at every touch."""
    bounced, size = cases.bounced, len(score)
    ranking, alone = Ranking(score, bounced), np.arange(size)
    by_touch = interval(ranking, alone, rng=np.random.default_rng(seed))
    by_day = interval(ranking, cases.day, rng=np.random.default_rng(seed))
    rows = [
        Row("all", "bounce rate", float(bounced.mean()), size),
        Row("all", "bounce rate, random prices", float(cases.matched.mean()), size),
        Row("all", "AUC", ranking(np.ones(size)), size),
        Row("all", "AUC 95 % low, touches", by_touch.low, size),
        Row("all", "AUC 95 % high, touches", by_touch.high, size),
        Row("all", "AUC 95 % low, coin-days", by_day.low, len(cases.days)),
        Row("all", "AUC 95 % high, coin-days", by_day.high, len(cases.days)),
        Row("all", "AUC within volatility", auc_within(score, bounced, cases.stratum), size),
    ]
    for number, day in enumerate(cases.days):
        which = cases.day == number
        rows.append(Row(day.name, "AUC", auc(score[which], bounced[which]), int(which.sum())))
    tenths = strata_of(score, parts=TENTHS)
    for number, tenth in enumerate(np.unique(tenths).tolist(), start=1):
        which = tenths == tenth
        rows += _tenth_rows(f"tenth {number}", cases, which, seed=seed)
    return rows


def against_rows(cases: Cases, score: Floats, other: Floats, *, seed: int) -> list[Row]:
    """Give how much better one score is than another, on the same touches and the same resamples."""
    one, two = Ranking(score, cases.bounced), Ranking(other, cases.bounced)

    def gain(weights: Floats) -> float:
        return one(weights) - two(weights)

    size = len(score)
    by_touch = interval(gain, np.arange(size), rng=np.random.default_rng(seed))
    by_day = interval(gain, cases.day, rng=np.random.default_rng(seed))
    return [
        Row("all", f"AUC above {AGAINST}", gain(np.ones(size)), size),
        Row("all", f"AUC above {AGAINST} 95 % low, touches", by_touch.low, size),
        Row("all", f"AUC above {AGAINST} 95 % high, touches", by_touch.high, size),
        Row("all", f"AUC above {AGAINST} 95 % low, coin-days", by_day.low, len(cases.days)),
        Row("all", f"AUC above {AGAINST} 95 % high, coin-days", by_day.high, len(cases.days)),
    ]


def _tenth_rows(name: str, cases: Cases, which: Bools, *, seed: int) -> list[Row]:
    bounced, matched = cases.bounced[which].astype(np.float64), cases.matched[which]
    size = len(bounced)
    beyond = weighted_mean(bounced - matched)
    span = interval(beyond, np.arange(size), rng=np.random.default_rng(seed))
    return [
        Row(name, "bounce rate", float(bounced.mean()), size),
        Row(name, "bounce rate, random prices", float(matched.mean()), size),
        Row(name, "beyond random", float((bounced - matched).mean()), size),
        Row(name, "beyond random 95 % low", span.low, size),
        Row(name, "beyond random 95 % high", span.high, size),
    ]

"""Would other numbers than the seed's serve a memory of levels better? Asked of days and coins they were not chosen on.

    python -m asterism.evals.market_settings --data FOLDER

prints for each of a few settings the AUC of the level-touch test, a mean over coin-days, with what it has above the
seed's (whole days resampled). Then, leaving out one day after the other, and one coin after the other: the setting that
is best on the rest, and what it has above the seed's on what was left out. It writes nothing; a setting that does not
stay above the seed's there is none to ship.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from asterism.core.ledger.columns import Bools, Floats
from asterism.core.ledger.parameters import Setting
from asterism.evals.market import Cases, cases_of, scored
from asterism.evals.market_data import load_market
from asterism.evals.market_levels import Variant
from asterism.evals.market_scores import auc, interval, weighted_mean

SEED = 5  # of all that is drawn
LEFT: Mapping[str, Setting] = {"revisit": "left"}
ALL: Mapping[str, Setting] = {"path": "all"}
QUICK: Mapping[str, Setting] = {"decay_rate_default": 5e-4}
LOW: Mapping[str, Setting] = {
    "execution_strength_base": 0.02,
    "execution_strength_per_1k": 1e-6,
    "liquidation_strength_base": 0.02,
    "liquidation_strength_per_event": 0.005,
    "boost_execution": 0.002,
    "boost_liquidation": 0.01,
    "boost_rejection": 0.02,
    "boost_resurrection": 0.02,
}


def _boosts(size: float) -> Mapping[str, Setting]:
    return {"boost_execution": size, "boost_liquidation": size, "boost_rejection": size}


SETTINGS: Mapping[str, Mapping[str, Setting]] = {
    "seed": {},
    "visits (D6)": {**LEFT},
    "visits, fills move the path": {**LEFT, **ALL},
    "quick": {**QUICK},
    "boosts .05": {**_boosts(0.05)},
    "boosts .02": {**_boosts(0.02)},
    "boosts .02, quick": {**_boosts(0.02), **QUICK},
    "boosts .02, visits": {**_boosts(0.02), **LEFT},
    "low": {**LOW},
    "low, visits, quick": {**LOW, **LEFT, **QUICK},
    "tuned, as it was": {**LOW, **LEFT, **ALL, **QUICK},
}


def by_coin_day(cases: Cases, score: Floats) -> Floats:
    """Give the AUC of each coin-day."""
    which = [cases.coin_day == number for number in range(len(cases.days))]
    return np.array([auc(score[mine], cases.bounced[mine]) for mine in which])


def left_out(found: Mapping[str, Floats], held: Bools) -> tuple[str, Floats]:
    """Choose the setting that is best on the rest, and give what it has above the seed's on what is held back."""
    best = max(found, key=lambda name: float(found[name][~held].mean()))
    return best, (found[best] - found["seed"])[held]


def lines(cases: Cases, found: Mapping[str, Floats]) -> list[str]:
    """Say what the settings give, and what the chosen ones give on what they were not chosen on."""
    days, coins = (np.array([getattr(day, name) for day in cases.days]) for name in ("day", "symbol"))
    block = np.unique(days, return_inverse=True)[1]
    told = []
    for name, each in found.items():
        above = each - found["seed"]
        low, high = interval(weighted_mean(above), block, rng=np.random.default_rng(SEED))
        told.append(f"{name}: AUC {each.mean():.3f}, above seed {above.mean():+.3f} ({low:+.3f} to {high:+.3f})")
    for kind, groups in (("day", days), ("coin", coins)):
        gains = np.zeros(len(days))
        for group in np.unique(groups).tolist():
            held = groups == group
            if held.all():
                continue
            best, gains[held] = left_out(found, held)
            told.append(f"without {group}: best is {best}; there above seed {gains[held].mean():+.3f}")
        low, high = interval(weighted_mean(gains), block, rng=np.random.default_rng(SEED))
        told.append(f"chosen without its {kind}: above seed {gains.mean():+.3f} ({low:+.3f} to {high:+.3f})")
    return told


def main(arguments: Sequence[str] | None = None, *, write: Callable[[str], object] = sys.stdout.write) -> None:
    """Print what other settings give."""
    parser = argparse.ArgumentParser(
        prog="python -m asterism.evals.market_settings", description="Compare settings of levels on unseen days."
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds tickers_1s/ and liquidations/")
    cases = cases_of(load_market(parser.parse_args(arguments).data), seed=SEED)
    variants = {name: Variant(settings=settings) for name, settings in SETTINGS.items()}
    found = {name: by_coin_day(cases, scored(cases, each.opened)) for name, each in variants.items()}
    for line in lines(cases, found):
        write(f"{line}\n")


if __name__ == "__main__":
    main()

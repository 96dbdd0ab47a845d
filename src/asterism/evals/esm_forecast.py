"""Forecasts of the next prompt: the item's own AR(1), and as much of what linked items add as has earned trust.

The cut between past and future moves forward through the record. At each cut links and coefficients come from the
past alone, and two forecasts of the block after it are made: `own`, the AR(1) of the item, and `full`, with linked
items, now and smoothed. What is given is between the two:

    forecast = own + w (full - own)

w is chosen for each person at each cut, from how both did on the blocks before, which neither had seen: the w with
the least error of all items together, if it was better than none by more than a standard error. A person for whom
links did not help so far is forecast by AR(1). The blocks before the first one scored are forecast only for that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from asterism.core.ledger.columns import Floats
from asterism.core.space.discover import Detector
from asterism.evals.diaries import SLOTS, STEP_HOURS, Diary, Slots, successive

WARM_UP = (0.2, 0.3, 0.4)  # cuts whose blocks only tell whether links are to be trusted
CUTS = (0.5, 0.6, 0.7, 0.8, 0.9)
MIN_PAIRS = 8  # successive prompts before a fit, or trust, means anything
SHRINK = 1.0  # ridge on linked items: as much prior as data, so a lone coefficient is halved
SMOOTHING_PROMPTS = 3.0  # half-life of the smoothed linked items
WEIGHTS = (0.25, 0.5, 0.75, 1.0)


@dataclass(slots=True)
class Errors:
    """Absolute errors of next-prompt forecasts, item by item, in standard deviations of the item's past."""

    count: int = 0
    item_sums: dict[str, Floats] = field(default_factory=dict)

    def add(self, item: str, sums: Floats) -> None:
        """Add one item's error sums: system, AR(1), persistence, mean."""
        self.item_sums[item] = self.item_sums.get(item, np.zeros(4)) + sums

    def include(self, other: Errors) -> None:
        """Add all errors of another person."""
        self.count += other.count
        for item, sums in other.item_sums.items():
            self.add(item, sums)

    def skills(self) -> Floats:
        """Give each item's skill over its own AR(1)."""
        return np.array([1.0 - sums[0] / sums[1] for sums in self.item_sums.values() if sums[1] > 0.0])

    def skill(self) -> float:
        """Give the mean skill over items, 0 without any."""
        skills = self.skills()
        return float(skills.mean()) if len(skills) else 0.0

    def totals(self) -> Floats:
        """Give the mean error of system, AR(1), persistence and mean over all items and prompts."""
        whole = np.sum(list(self.item_sums.values()), axis=0) if self.item_sums else np.zeros(4)
        return np.asarray(whole / max(self.count * len(self.item_sums), 1))


def trust(misses: Floats, added: Floats) -> float:
    """Choose how much of what links add to give, from forecasts of the past: a weight from 0 to 1.

    `misses` (prompts x items) is truth - own, `added` is full - own. 0 unless the gain of the best weight, the mean
    over items of |misses| - |misses - w added|, is more than its standard error over prompts.

    >>> truth = np.array([[0.5], [-0.5], [0.4], [-0.6], [0.5], [-0.4], [0.6], [-0.5]])
    >>> trust(truth, truth), trust(truth, 2.0 * truth), trust(truth, -truth)
    (1.0, 0.5, 0.0)
    """
    if len(misses) < MIN_PAIRS:
        return 0.0
    gains = {weight: (np.abs(misses) - np.abs(misses - weight * added)).mean(axis=1) for weight in WEIGHTS}
    best = max(WEIGHTS, key=lambda weight: float(gains[weight].mean()))
    gain = gains[best]
    return best if float(gain.mean()) > float(gain.std()) / np.sqrt(len(gain)) else 0.0


def forecast(diary: Diary, detector: Detector | None) -> Errors:
    """Fit on the past, predict the block after it, for every cut; without a detector only the baselines."""
    errors = Errors()
    answered = diary.answered()
    cuts = (*WARM_UP, *CUTS)
    edges = [int(np.quantile(answered, cut)) // SLOTS * SLOTS for cut in cuts] + [diary.series.shape[1]]
    misses, added = np.zeros((0, len(diary.items))), np.zeros((0, len(diary.items)))
    for cut, (start, stop) in zip(cuts, pairwise(edges), strict=True):
        past = successive(diary.series[:, :start])
        after = successive(diary.series[:, start:stop]) + start
        if len(past) < MIN_PAIRS or len(after) == 0:
            continue
        centre = diary.series[:, past].mean(axis=1, keepdims=True)
        spread = diary.series[:, past].std(axis=1, keepdims=True)
        z = (diary.series - centre) / np.where(spread > 0.0, spread, 1.0)
        own, full = _both(diary, detector, z, past=past, after=after)
        truth = z[:, after + 1]
        if cut in CUTS:
            given = own + trust(misses, added) * (full - own)
            errors.count += len(after)
            for item, name in enumerate(diary.items):
                guesses = np.vstack([given[item], own[item], z[item, after], np.zeros(len(after))])
                errors.add(name, np.abs(truth[item] - guesses).sum(axis=1))
        misses, added = np.vstack([misses, (truth - own).T]), np.vstack([added, (full - own).T])
    return errors


def _both(diary: Diary, detector: Detector | None, z: Floats, *, past: Slots, after: Slots) -> tuple[Floats, Floats]:
    """Predict what follows each slot of `after`, items x slots: from each item alone, and with what is linked to it."""
    seen = diary.series[:, : after[0]]
    pairs = detector(seen, lags=1, step_hours=STEP_HOURS).pairs() if detector is not None else frozenset()
    smooth = _smoothed(z)
    own, full = [], []
    for item in range(len(z)):
        linked = sorted(cause for cause, effect in pairs if effect == item)
        own.append(_predict(z, smooth, item=item, linked=[], past=past, after=after))
        full.append(_predict(z, smooth, item=item, linked=linked, past=past, after=after) if linked else own[-1])
    return np.array(own), np.array(full)


def _smoothed(z: Floats) -> Floats:
    """Give at each slot the exponentially weighted mean of the answers up to it."""
    keep = 0.5 ** (1.0 / SMOOTHING_PROMPTS)
    smooth = np.zeros_like(z)
    total, weight = np.zeros(len(z)), 0.0
    for slot in range(z.shape[1]):
        if np.isfinite(z[:, slot]).all():
            total, weight = keep * total + z[:, slot], keep * weight + 1.0
        smooth[:, slot] = total / max(weight, 1.0)
    return smooth


def _predict(z: Floats, smooth: Floats, *, item: int, linked: list[int], past: Slots, after: Slots) -> Floats:
    """Predict the next value by least squares on the item's own, with a ridge on what linked items add."""

    def design(slots: Slots) -> Floats:
        own = [np.ones(len(slots)), z[item, slots]]
        return np.vstack([*own, z[linked][:, slots], smooth[linked][:, slots]]).T

    known = design(past)
    # The own terms are free up to rounding: an item that stood still in the past has no slope to find.
    prior = np.diag([1e-9, 1e-9, *[SHRINK] * (2 * len(linked))]) * len(past)
    weights = np.linalg.solve(known.T @ known + prior, known.T @ z[item, past + 1])
    return np.asarray(design(after) @ weights)

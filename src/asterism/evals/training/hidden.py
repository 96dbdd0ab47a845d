"""A small hidden layer beside the weights, fitted by Adam to the same loss; chance is an argument.

The layer starts near nothing, so the fit starts where the weights alone end. What is kept is the mean of the weights
over the second half of the steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from asterism.core.dialogue.features_lines import Singles
from asterism.core.dialogue.reply import chosen
from asterism.core.dialogue.tables import Hidden
from asterism.core.ledger.columns import Floats
from asterism.evals.training.cases import Cases


@dataclass(frozen=True, slots=True)
class Schedule:
    """How the layer is fitted."""

    units: int = 40
    rounds: int = 16  # times that every line is seen
    batch: int = 128  # lines a step
    rate: float = 2e-3
    weights_rate: float = 4e-4  # the weights beside it move less
    dropped: float = 0.5  # share of units left out of a step
    decay: float = 3e-4
    warm: int = 100  # steps until the rate is full


def fit_hidden(
    cases: Cases, weights: Floats, *, rng: np.random.Generator, schedule: Schedule | None = None
) -> tuple[Hidden, Floats]:
    """Fit a layer, and the weights beside it again."""
    plan = schedule or Schedule()
    size = cases.values.shape[2]
    spread = cases.values[::20].reshape(-1, size).std(axis=0)
    scale = (1.0 / np.maximum(spread, 0.15)).astype(np.float32)
    parts: list[Singles] = [
        (rng.standard_normal((size, plan.units)) / np.sqrt(size)).astype(np.float32),
        np.zeros(plan.units, dtype=np.float32),
        (0.1 * rng.standard_normal(plan.units)).astype(np.float32),
        weights.astype(np.float32),
    ]
    rates = (plan.rate, plan.rate, plan.rate, plan.weights_rate)
    first = [np.zeros_like(part) for part in parts]
    second = [np.zeros_like(part) for part in parts]
    mean = [part.copy() for part in parts]
    order, step, averaged = np.arange(len(cases)), 0, 0
    for turn in range(plan.rounds):
        rng.shuffle(order)
        for start in range(0, len(order), plan.batch):
            step += 1
            slopes = _slopes(cases, np.sort(order[start : start + plan.batch]), scale, parts, rng, plan)
            pace = min(1.0, step / plan.warm) * (1.0 - 0.9 * turn / plan.rounds)
            for at, slope in enumerate(slopes):
                first[at] = 0.9 * first[at] + 0.1 * slope
                second[at] = 0.999 * second[at] + 0.001 * slope**2
                move = (first[at] / (1 - 0.9**step)) / (np.sqrt(second[at] / (1 - 0.999**step)) + 1e-8)
                parts[at] = (parts[at] - rates[at] * pace * move).astype(np.float32)
            if turn >= plan.rounds // 2:
                averaged += 1
                share = np.float32(1.0 / averaged)
                mean = [old + (new - old) * share for old, new in zip(mean, parts, strict=True)]
    inwards, bias, outwards, beside = (part.astype(np.float32) for part in mean)
    return Hidden(inwards * scale[:, None], bias, outwards), beside.astype(np.float64)


def _slopes(
    cases: Cases, rows: np.ndarray, scale: Singles, parts: list[Singles], rng: np.random.Generator, plan: Schedule
) -> list[Singles]:
    """Give the slope of the loss over some lines, for each part."""
    inwards, bias, outwards, weights = parts
    values, truth = cases.values[rows], cases.truth[rows]
    scaled = values * scale
    sums = scaled @ inwards + bias
    kept = ((rng.random(sums.shape) >= plan.dropped) / (1.0 - plan.dropped)).astype(np.float32)
    units = np.maximum(sums, 0.0) * kept
    off = (chosen(values @ weights + units @ outwards, cases.real[rows]) - truth) * cases.weight[rows, None]
    off = (off / len(rows)).astype(np.float32)
    back = off[:, :, None] * outwards * kept * (sums > 0)
    flat = back.reshape(-1, back.shape[2])
    return [
        scaled.reshape(-1, scaled.shape[2]).T @ flat + plan.decay * inwards,
        flat.sum(axis=0),
        off.reshape(-1) @ units.reshape(-1, units.shape[2]) + plan.decay * outwards,
        off.reshape(-1) @ values.reshape(-1, values.shape[2]),
    ]

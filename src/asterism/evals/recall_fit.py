"""Fit the weights of recall, on some questions, and never on those they are scored on.

    python -m asterism.evals.recall_fit --data FOLDER       # the folder that holds locomo/ and multihop/

prints the weights fitted on everything there, to paste into `core/recall/parameters.py`; it writes nothing. With
`--without-vectors` it prints those of the preset `lexical`, with `--embedder minilm` those of `minilm`; `--across-sets`
prints instead what each set gets from weights that were fitted on all the others.

The model is a listwise softmax: for a question with gold entries g and all others o,

    loss = mean over g of -log(exp s(g) / (exp s(g) + sum over o of exp s(o))) + penalty,   s = weights . signals

convex, minimised by Newton's method. First the first signals alone; then, with the links that these scores lead
to, all weights together. A multi-hop question counts three times: LoCoMo has ten times as many.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from asterism.core.ledger.columns import Bools, Floats
from asterism.evals.recall_sets import FIRST, FITTED, LINKS, Embeds, Example, Prepared, found, prepare

FIRST_PENALTY = 10.0
LINK_PENALTY = 1.0  # there are fewer links than words, so their weights are larger
CANDIDATES = 120  # best entries by each of the leading signals that a question is learnt from
LEADING = ("keyword", "meaning", "name")
MULTIHOP_COUNTS = 3.0
UNANSWERABLE = "5"  # the kind of LoCoMo's questions about what somebody else said
STEPS = 12
SMALLEST_STEP = 1e-6
ENOUGH = 1e-6  # relative gain below which another step is not worth it


@dataclass(frozen=True, slots=True)
class Case:
    """A question to learn from: signals of some entries, which of them are gold, and how much it counts."""

    signals: Floats
    gold: Bools
    weight: float


def fit(cases: Sequence[Case], *, penalty: Floats, start: Floats) -> Floats:
    """Minimise the listwise loss by Newton's method with halved steps."""
    weights = start.copy()
    value, slope, curve = _loss(cases, weights, penalty)
    for _ in range(STEPS):
        step = np.linalg.solve(curve, slope)
        after = _loss(cases, weights - step, penalty)
        while after[0] > value and np.abs(step).max() > SMALLEST_STEP:
            step = step / 2
            after = _loss(cases, weights - step, penalty)
        weights, gained = weights - step, value - after[0]
        value, slope, curve = after
        if gained < ENOUGH * value:
            break
    return weights


def _loss(cases: Sequence[Case], weights: Floats, penalty: Floats) -> tuple[float, Floats, Floats]:
    """Give the loss, its slope and its curvature."""
    value = 0.5 * float(penalty @ weights**2)
    slope, curve = penalty * weights, np.diag(penalty)
    for case in cases:
        scores = case.signals @ weights
        highest = scores.max()
        powers = np.exp(scores - highest)
        others = case.signals[~case.gold]
        pulls = powers[~case.gold]
        mass, mean = pulls.sum(), pulls @ others
        spread = (others * pulls[:, None]).T @ others
        share = case.weight / int(case.gold.sum())
        for row in np.flatnonzero(case.gold):
            own, power = case.signals[row], powers[row]
            whole = mass + power
            centre = (mean + power * own) / whole
            value += share * float(np.log(whole) + highest - scores[row])
            slope = slope + share * (centre - own)
            curve = curve + share * ((spread + power * np.outer(own, own)) / whole - np.outer(centre, centre))
    return value, slope, curve


def fit_first(examples: Iterable[tuple[Example, float]]) -> dict[str, float]:
    """Fit the weights of the first signals alone: fusion without the graph."""
    leading = [FIRST.index(name) for name in LEADING]
    cases = []
    for example, weight in examples:
        tops = [np.argsort(-example.first[:, column], kind="stable")[:CANDIDATES] for column in leading]
        rows = np.unique(np.concatenate([np.flatnonzero(example.gold), *tops]))
        cases.append(Case(example.first[rows].astype(np.float64), example.gold[rows], weight))
    size = len(FIRST)
    weights = fit(cases, penalty=np.full(size, FIRST_PENALTY), start=np.zeros(size))
    return dict(zip(FIRST, weights.tolist(), strict=True))


def fit_all(examples: Iterable[tuple[Prepared, Example, float]], first: dict[str, float]) -> dict[str, float]:
    """Fit all weights together, with the links that the first signals lead to."""
    start = np.array([first[name] for name in FIRST])
    cases = []
    for prepared, example, weight in examples:
        scores = example.first.astype(np.float64) @ start
        links = prepared.links(example, scores)
        top = np.argsort(-scores, kind="stable")[:CANDIDATES]
        rows = np.unique(np.concatenate([np.flatnonzero(example.gold), top, np.flatnonzero(links.any(axis=1))]))
        cases.append(Case(np.hstack([example.first[rows], links[rows]]), example.gold[rows], weight))
    penalty = np.array([FIRST_PENALTY] * len(FIRST) + [LINK_PENALTY] * len(LINKS))
    weights = fit(cases, penalty=penalty, start=np.concatenate([start, np.zeros(len(LINKS))]))
    return dict(zip(FITTED, weights.tolist(), strict=True))


def fit_weights(pools: Sequence[Prepared], *, leave_out: str | None) -> tuple[dict[str, float], dict[str, float]]:
    """Fit on all questions but those of one fold: the weights without the graph, and all weights.

    Links are costly to follow, so of the conversations every second question is taken for them and counts double.
    """
    learnt = [
        (pool, example, 1.0 if pool.pool.conversation else MULTIHOP_COUNTS)
        for pool in pools
        for example in pool.examples
        if example.asked.fold != leave_out
    ]
    first = fit_first((example, weight) for _, example, weight in learnt)
    thinned = [
        (pool, example, 2.0 * weight if pool.pool.conversation else weight)
        for number, (pool, example, weight) in enumerate(learnt)
        if number % 2 == 0 or not pool.pool.conversation
    ]
    return first, fit_all(thinned, first)


def across_sets(pools: Sequence[Prepared]) -> Iterator[str]:
    """Tell what each set gets from weights fitted on all the others: what a stranger's questions may expect."""
    sets: dict[str, list[Prepared]] = {}
    for pool in pools:
        sets.setdefault("locomo" if pool.pool.conversation else pool.pool.name, []).append(pool)
    for name, read in sets.items():
        weights = fit_weights([pool for pool in pools if pool not in read], leave_out=None)[1]
        depth = 10 if read[0].pool.conversation else 5
        shares = [
            found(pool.scores(example, weights), example.gold, (depth,))[0]
            for pool in read
            for example in pool.examples
            if example.asked.kind != UNANSWERABLE
        ]
        every = sum(share == 1.0 for share in shares) / len(shares)
        yield f"{name}: recall@{depth} {sum(shares) / len(shares):.3f}, all@{depth} {every:.3f}, n {len(shares)}"


def main(arguments: Sequence[str] | None = None, *, write: Callable[[str], object] = sys.stdout.write) -> None:
    """Print the weights fitted on all questions under a folder."""
    from asterism.embed import open_embedder
    from asterism.evals import locomo, multihop

    parser = argparse.ArgumentParser(
        prog="python -m asterism.evals.recall_fit", description="Fit the weights of recall."
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds locomo/ and multihop/")
    parser.add_argument("--without-vectors", action="store_true", help="fit the preset `lexical`")
    parser.add_argument("--embedder", default="default", help="fit with another: minilm for the preset of that name")
    parser.add_argument("--across-sets", action="store_true", help="print each set read by the others")
    asked = parser.parse_args(arguments)
    embedder: Embeds | None = None if asked.without_vectors else open_embedder(asked.embedder)
    pools = [*locomo.load(asked.data / "locomo"), *multihop.load(asked.data / "multihop")]
    prepared = prepare(pools, embedder, None)
    if asked.across_sets:
        for line in across_sets(prepared):
            write(f"{line}\n")
        return
    for name, weight in fit_weights(prepared, leave_out=None)[1].items():
        write(f"weight_{name} = {weight:.2f}\n")


if __name__ == "__main__":
    main()

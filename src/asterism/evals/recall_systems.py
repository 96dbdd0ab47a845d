"""The systems of the retrieval tables: two keyword searches, vectors alone, ours without links, ours, ours inside.

"no order" has no links at all, "no graph" has the neighbours of a conversation and no others. Weights of both and of
"ours" are cross-validated: a question's fold is never learnt from when it is scored. Those of "inside" are the shipped
ones: they were fitted on the whole developer part (docs/recall.md), so on that part they have seen the questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from asterism.core.ledger.columns import Floats
from asterism.evals.recall_fit import fit_first, fit_weights
from asterism.evals.recall_sets import (
    FIRST,
    Asked,
    Example,
    Prepared,
    Progress,
    System,
    found,
    plain_bm25,
    shipped,
    vector_of,
)
from asterism.evals.recall_walk import walk_systems
from asterism.evals.report import Report, Row

Scored = tuple[str, Asked, list[float]]  # the pool's name, the question, shares of gold at each depth
NO_WINDOWS = {"window_previous": 0.0, "window_following": 0.0, "window_second": 0.0}
ORDER_SIGNALS = ("group", "answers")
NOT_FITTED = ("BM25", "BM25 ours", "vectors")


def without_order(bare: Sequence[Prepared]) -> System:
    """Take the `order` links away too: no windows, no signal of group or neighbour; fitted on these pools alone."""
    columns = [FIRST.index(name) for name in ORDER_SIGNALS]
    examples = [(pool.pool.name, example) for pool in bare for example in pool.examples]
    for _, example in examples:
        example.first[:, columns] = 0.0
    signals = {(name, example.asked): example.first.astype(np.float64) for name, example in examples}
    fitted = {
        fold: fit_first((example, 1.0) for _, example in examples if example.asked.fold != fold)
        for fold in dict.fromkeys(example.asked.fold for _, example in examples)
    }
    return lambda pool, example: signals[pool.pool.name, example.asked] @ vector_of(fitted[example.asked.fold], FIRST)


def systems_of(
    pools: Sequence[Prepared],
    learnt: Sequence[Prepared],
    bare: Sequence[Prepared],
    progress: Progress | None,
    *,
    walk: bool = False,
) -> dict[str, System]:
    """Give every system as a function from a question to the scores of its pool's entries."""
    bm25 = {pool.pool.name: plain_bm25(pool.pool) for pool in pools}
    fitted = {}
    for fold in dict.fromkeys(example.asked.fold for pool in pools for example in pool.examples):
        if progress is not None:
            progress(f"fitting without {fold}")
        fitted[fold] = fit_weights(learnt, leave_out=fold)

    def first(name: str) -> System:
        return lambda _, example: example.first[:, FIRST.index(name)].astype(np.float64)

    def fused(_: Prepared, example: Example) -> Floats:
        weights = fitted[example.asked.fold][0]
        return example.first.astype(np.float64) @ vector_of(weights, FIRST)

    systems: dict[str, System] = {
        "BM25": lambda pool, example: bm25[pool.pool.name](example.asked.text),
        "BM25 ours": first("keyword"),
    }
    if all(pool.meaning is not None for pool in pools):
        systems["vectors"] = first("meaning")
    if bare:
        systems["no order"] = without_order(bare)
    systems["no graph"] = fused
    systems["ours"] = lambda pool, example: pool.scores(example, fitted[example.asked.fold][1])
    systems["inside"] = lambda pool, example: pool.scores(example, shipped(pool.recall.p))
    if walk and all(pool.meaning is not None for pool in pools):
        systems |= walk_systems(pools, fitted, progress)
    return systems


def reports_of(
    evaluation: str,
    pools: Sequence[Prepared],
    learnt: Sequence[Prepared],
    *,
    depths: Sequence[int],
    rows: Callable[[list[Scored]], Iterable[Row]],
    progress: Progress | None,
    clock: Callable[[], float],
    bare: Sequence[Prepared] = (),
    walk: bool = False,
) -> list[Report]:
    """Score every system on every question of the pools, and make a report of each."""
    reports = []
    weights_as_shipped = "lexical" if any(pool.meaning is None for pool in pools) else "seed"
    for name, system in systems_of(pools, learnt, bare, progress, walk=walk).items():
        begun = clock()
        scored = [
            (pool.pool.name, example.asked, found(system(pool, example), example.gold, depths))
            for pool in pools
            for example in pool.examples
        ]
        preset = "none" if name in NOT_FITTED else weights_as_shipped if name == "inside" else "cross-validated"
        reports.append(Report(evaluation, name, preset, tuple(rows(scored)), round(clock() - begun, 3)))
    return reports


def mean_rows(name: str, figures: Mapping[str, Sequence[float]]) -> list[Row]:
    """Give the mean of each figure; of nothing, no row.

    >>> mean_rows("musique", {"recall@5": [0.5, 1.0], "all@5": []})
    [Row(name='musique', metric='recall@5', value=0.75, n=2)]
    """
    return [Row(name, metric, sum(values) / len(values), len(values)) for metric, values in figures.items() if values]

"""Do walkers help recall? Walks from the best entry, and what they find as one more signal of the ranking.

    asterism eval locomo --data FOLDER --walk
    asterism eval multihop --data FOLDER --walk

A pool becomes a graph as a memory would: turns are moments, passages things; links are `mention` and `shared_term`
over names, and `order` from one turn to the next. A walk starts at the entry that the ranking without it puts first,
with the query and no intention, and learns nothing. The signal of an entry is its cosine with the query, 0 unless
the walkers found it (`walk`) or stepped on it (`paths`; `branching`: with passages as moments, too).

The weight of the signal is cross-validated like all others: for each fold the one of WEIGHTS with the best mean of
recall@5 and recall@10 on the evaluation's questions outside it, the smallest of equal ones; 0 is among them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from asterism.core.dialogue.fold import ORDER, ORDER_STRENGTH
from asterism.core.ledger.columns import Floats
from asterism.core.ledger.graph import Edge, Entry
from asterism.core.recall.links import named
from asterism.core.recall.rank import PLACES
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import MOMENT, THING
from asterism.engine.explore.edges import Edges
from asterism.engine.explore.run import Asking, explore_now
from asterism.evals.recall_sets import FIRST, LINKS, Example, Prepared, Progress, System, Weights, found, vector_of

WEIGHTS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)
SHOWN = (1.0, 4.0)  # weights that are told as they are, too
CHOSEN_AT = (5, 10)  # depths whose recall chooses the weight
FOUND, PATHS = 0, 1  # what a walk gives: findings, every node stepped on

Base = Callable[[Prepared, Example, str], Floats]  # scores with the weights learnt without a fold
Fitted = Mapping[str, tuple[Weights, Weights]]  # of each fold: without the graph, all


def graph_of(pool: Prepared, *, kind: str | None = None) -> WalkGraph:
    """Make a graph of a pool's entries, in the order of its index, with the links that a memory would see."""
    assert pool.meaning is not None
    rows, p = pool.index.rows, ExplorationParameters()
    edges = Edges.of([*named(pool.index, pool.index.names.names), *_order(pool.pool.entries)], rows, p)
    by_id = {entry.id: entry for entry in pool.pool.entries}
    return WalkGraph.build(
        ids=pool.index.ids,
        kinds=[kind or (MOMENT if pool.pool.conversation else THING)] * len(pool.index.ids),
        vectors=pool.meaning.entries,
        a=edges.a,
        b=edges.b,
        link_ids=edges.ids,
        polarity=edges.polarity,
        contents=[by_id[name].text for name in pool.index.ids],
    )


def _order(entries: Sequence[Entry]) -> list[Edge]:
    """Link each entry of a group with the next."""
    ordered = sorted((entry for entry in entries if entry.group), key=lambda entry: (entry.group, entry.position))
    beside = ((one, other) for one, other in pairwise(ordered) if one.group == other.group)
    return [Edge(ORDER, one.id, other.id, ORDER_STRENGTH) for one, other in beside]


class Walks:
    """What walkers give for questions, from where they start; each walk is made once."""

    def __init__(self, pools: Sequence[Prepared], *, kind: str | None = None) -> None:
        self.graphs = {pool.pool.name: graph_of(pool, kind=kind) for pool in pools}
        self._made: dict[tuple[str, str, int], tuple[Floats, Floats]] = {}

    def of(self, pool: Prepared, example: Example, start: int) -> tuple[Floats, Floats]:
        """Give every entry's signal: by what was found, and by every node on the paths."""
        key = pool.pool.name, example.asked.text, start
        if key not in self._made:
            self._made[key] = self._walk(key[0], example, start)
        return self._made[key]

    def _walk(self, name: str, example: Example, start: int) -> tuple[Floats, Floats]:
        graph, vector = self.graphs[name], example.query.vector
        assert vector is not None
        told = explore_now(graph, Asking(query=example.asked.text, query_vector=vector, start=start))
        aligned = np.maximum(graph.vectors @ (vector / max(float(np.linalg.norm(vector)), 1e-12)), 0.0)
        signals = np.zeros((2, len(graph)))
        new = {narrative.id for narrative in told.narratives}
        for place, nodes in ((FOUND, {each.id for each in told.found} - new), (PATHS, {s.node for s in told.trace})):
            rows = [row for node in nodes if (row := graph.number(node)) is not None]
            signals[place, rows] = aligned[rows]
        return signals[FOUND], signals[PATHS]


def two_hops(pool: Prepared, example: Example, weights: Weights) -> Floats:
    """Score as Recall does when links are followed twice."""
    first = example.first.astype(np.float64) @ vector_of(weights, FIRST)
    brings, once = vector_of(weights, LINKS), pool.links(example, first)
    twice = pool.links(example, first + once @ brings)
    return first + np.maximum(once, twice) @ brings


def walk_systems(pools: Sequence[Prepared], fitted: Fitted, progress: Progress | None) -> dict[str, System]:
    """Give the systems with walkers, next to two hops of spreading."""
    walks = Walks(pools)

    def fused(_: Prepared, example: Example, fold: str) -> Floats:
        return example.first.astype(np.float64) @ vector_of(fitted[fold][0], FIRST)

    def spread(pool: Prepared, example: Example, fold: str) -> Floats:
        return pool.scores(example, fitted[fold][1])

    systems: dict[str, System] = {
        "two hops": lambda pool, example: two_hops(pool, example, fitted[example.asked.fold][1])
    }
    for weight in SHOWN:
        systems[f"walk {weight:g}"] = _walked(walks, spread, FOUND, dict.fromkeys(fitted, weight))
    variants = [
        ("no graph+walk", walks, fused, FOUND),
        ("walk", walks, spread, FOUND),
        ("paths", walks, spread, PATHS),
    ]
    if not any(pool.pool.conversation for pool in pools):
        variants.append(("branching", Walks(pools, kind=MOMENT), spread, PATHS))
    for name, way, base, place in variants:
        chosen = {fold: _chosen(way, pools, base, place, fold) for fold in fitted}
        if progress is not None:
            progress(f"{name}: weights {', '.join(f'{weight:g}' for weight in chosen.values())}")
        systems[name] = _walked(way, base, place, chosen)
    if progress is not None:
        missed, seen, stepped, linked = beyond(walks, pools, spread)
        progress(f"gold outside the ten best: {missed}; found {seen}, stepped on {stepped}, one hop away {linked}")
    return systems


def beyond(walks: Walks, pools: Sequence[Prepared], base: Base) -> tuple[int, int, int, int]:
    """Count the gold outside the ten best, and what of it walkers found, stepped on, or one hop reaches."""
    counted = np.zeros(4, dtype=np.int64)
    for pool in pools:
        for example in pool.examples:
            before, signals = _signals(walks, base, pool, example, example.asked.fold)
            missed = example.gold.copy()
            missed[np.argsort(-np.round(before, PLACES), kind="stable")[: CHOSEN_AT[-1]]] = False
            linked = pool.links(example, before).any(axis=1)
            each = (missed, missed & (signals[FOUND] > 0), missed & (signals[PATHS] > 0), missed & linked)
            counted += [mask.sum() for mask in each]
    first, second, third, last = counted.tolist()
    return first, second, third, last


def _walked(walks: Walks, base: Base, place: int, weights: Mapping[str, float]) -> System:
    def scores(pool: Prepared, example: Example) -> Floats:
        fold = example.asked.fold
        before, signals = _signals(walks, base, pool, example, fold)
        return before + weights[fold] * signals[place]

    return scores


def _signals(
    walks: Walks, base: Base, pool: Prepared, example: Example, fold: str
) -> tuple[Floats, tuple[Floats, Floats]]:
    before = base(pool, example, fold)
    return before, walks.of(pool, example, int(np.argmax(np.round(before, PLACES))))


def _chosen(walks: Walks, pools: Sequence[Prepared], base: Base, place: int, fold: str) -> float:
    """Choose the weight that does best on all questions but a fold's."""
    gained = np.zeros(len(WEIGHTS))
    for pool in pools:
        for example in pool.examples:
            if example.asked.fold != fold:
                before, signals = _signals(walks, base, pool, example, fold)
                gained += [sum(found(before + w * signals[place], example.gold, CHOSEN_AT)) for w in WEIGHTS]
    return WEIGHTS[int(np.argmax(np.round(gained, PLACES)))]

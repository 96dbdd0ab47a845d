"""What a projection shows of predictions: each of them, how good they were, and what that earns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import exp

import numpy as np

from asterism.core.connections.expectations import MILLIONTHS, DaysBefore, Tally
from asterism.core.connections.fold import Connections
from asterism.core.connections.model import (
    CalibrationBin,
    Prediction,
    Predictions,
    Record,
    ReliabilityBin,
    Standing,
)
from asterism.core.connections.predictions import Outcome
from asterism.core.connections.words import word
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.columns import Bools
from asterism.core.ledger.model import link_id

BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
Bin = tuple[float, float, int, float, float]  # low, high, how many, mean of what was said, hit rate


def prediction_list(folded: Connections) -> list[Prediction]:
    """Read every prediction kept, in the order made."""
    made, ids, table = folded.graph.predictions.trim(), folded.nodes.ids, folded.graph.links
    read = []
    for row in range(made.size):
        at = made.link.item(row)
        outcome = Outcome(made.outcome.item(row))
        read.append(
            Prediction(
                link=link_id(ids[table.a[at]], ids[table.b[at]]),
                star=ids[made.star[row]],
                made_at=to_datetime(made.made_at.item(row)),
                expected_at=to_datetime(made.expected_at.item(row)),
                sign=made.sign.item(row),
                confidence=made.confidence.item(row),
                probability=made.probability.item(row),
                base_rate=made.base_rate.item(row),
                told=made.told.item(row),
                outcome=word(outcome),
                resolved_at=None if outcome is Outcome.OPEN else to_datetime(made.resolved_at.item(row)),
            )
        )
    return sorted(read, key=lambda each: (each.made_at, each.link, each.expected_at))


def predictions(folded: Connections) -> Predictions:
    """Read every prediction kept, with hit rate, calibration and Brier score of the resolved ones, and all records."""
    items = prediction_list(folded)
    resolved = [(each.confidence, each.outcome == word(Outcome.VERIFIED)) for each in items if each.resolved_at]
    probable = [(each.probability, each.outcome == word(Outcome.VERIFIED)) for each in items if each.resolved_at]
    some = len(resolved) or 1
    told = folded.graph.records.trim().told
    return Predictions(
        tuple(items),
        sum(hit for _, hit in resolved) / some if resolved else None,
        tuple(CalibrationBin(*each) for each in bins(resolved)),
        sum((sure - hit) ** 2 for sure, hit in resolved) / some if resolved else None,
        folded.graph.predictions_dropped,
        tuple(ReliabilityBin(*each) for each in bins(probable)),
        _record(folded, "all", np.ones_like(told)),
        _record(folded, "told", told),
        _record(folded, "silent", ~told),
        _of_signs(folded),
        _of_links(folded),
    )


def bins(said: Sequence[tuple[float, bool]]) -> Iterable[Bin]:
    """Group what was said, and whether it came true, by fifths; a fifth without any is left out.

    >>> list(bins([(0.25, True), (0.35, False), (1.0, True)]))
    [(0.2, 0.4, 2, 0.3, 0.5), (0.8, 1.0, 1, 1.0, 1.0)]
    """
    for low, high in pairwise(BINS):
        inside = [(sure, hit) for sure, hit in said if low <= sure < high or sure == high == BINS[-1]]
        if inside:
            n = len(inside)
            yield low, high, n, sum(sure for sure, _ in inside) / n, sum(hit for _, hit in inside) / n


def _record(folded: Connections, of: str, rows: Bools) -> Record:
    records = folded.graph.records.trim()
    sums = (records.settled, records.verified, records.by_chance, records.squares, records.chance_squares)
    settled, verified, by_chance, squares, chance_squares = (int(column[rows].sum()) for column in sums)
    if not settled:
        return Record(of, 0, 0, None, None, None, None, None)
    all_of_it = settled * MILLIONTHS
    return Record(
        of,
        settled,
        verified,
        verified / settled,
        by_chance / all_of_it,
        squares / all_of_it,
        chance_squares / all_of_it,
        1.0 - squares / chance_squares,
    )


def _of_signs(folded: Connections) -> tuple[Standing, ...]:
    sign = folded.graph.records.trim().sign
    rows = {"rises": sign > 0, "falls": sign < 0}
    tally = _before(folded).of_signs(np.array([1, -1]))
    return _standings(folded, [_record(folded, of, which) for of, which in rows.items()], tally)


def _of_links(folded: Connections) -> tuple[Standing, ...]:
    links, ids, of = folded.graph.links, folded.nodes.ids, folded.graph.records.trim().link
    rows = np.unique(of)
    names = [link_id(ids[links.a[row]], ids[links.b[row]]) for row in rows.tolist()]
    records = [_record(folded, name, of == row) for name, row in zip(names, rows.tolist(), strict=True)]
    standings = _standings(folded, records, _before(folded).of_links(rows))
    return tuple(sorted(standings, key=lambda each: each.record.of))


def _before(folded: Connections) -> DaysBefore:
    g = folded.graph
    return DaysBefore(g.events, g.stars, folded.day or 0, g.records, g.sign_odds)


def _standings(folded: Connections, records: Sequence[Record], tally: Tally) -> tuple[Standing, ...]:
    odds, beats = tally.log_odds.tolist(), tally.beats_chance(folded.parameters).tolist()
    return tuple(
        Standing(record, exp(won / MILLIONTHS), better)
        for record, won, better in zip(records, odds, beats, strict=True)
    )

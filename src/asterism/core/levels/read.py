"""Reading a level book: which prices are remembered at a time, what is near, what hangs together.

Reading changes nothing: strength at a time is the anchor, decayed (D8).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.columns import Columns, Floats
from asterism.core.ledger.nodes import level_id
from asterism.core.levels.events import ASK, BID, BOTH, KINDS, MOST, SIDES
from asterism.core.levels.formulas import all_settled
from asterism.core.levels.model import Cluster, Density, Gap, Level, Nearest
from asterism.core.levels.parameters import TOLERANCE, LevelParameters
from asterism.errors import InputError

MOST_ASKED = 100_000  # steps, bins or levels in one answer
REASONS = {"trade": "execution"}  # a level says what kind of evidence made it


def strengths(columns: Columns, at: int, parameters: LevelParameters) -> Floats:
    """Give every place's strength at a time; before its anchor a level stands as it was anchored."""
    anchored_at = columns["anchor_at"].astype(np.int64)
    rate = parameters.decay_rate_default
    return all_settled(_floats(columns, "anchor"), anchored_at, np.maximum(at, anchored_at), rate)


def _floats(columns: Columns, name: str) -> Floats:
    return columns[name].astype(np.float64, copy=False)


def levels(
    columns: Columns,
    symbol: str,
    parameters: LevelParameters,
    *,
    at: int,
    near: float | None = None,
    within_bps: float | None = None,
    min_strength: float = 0.0,
    side: str | None = None,
    archived: bool = False,
) -> list[Level]:
    """Give the levels that stand at a time, strongest first."""
    check_side(side)
    check_amount(min_strength, field="min_strength")
    strength = strengths(columns, at, parameters)
    there = columns["level"].astype(np.bool_) & (columns["first_seen"].astype(np.int64) <= at)
    wanted = there & (strength >= min_strength)
    if not archived:
        wanted &= strength >= parameters.archive_threshold
    if within_bps is not None or near is not None:
        near = check_price(near)
        span = parameters.band_bps if within_bps is None else within_bps
        check_amount(span, field="within_bps")
        wanted &= np.abs(_floats(columns, "centre") - near) <= near * (span / 10_000 + TOLERANCE)
    if side is not None:
        bits = {"bid": BID, "ask": ASK, "both": BOTH}[side]
        sides = columns["side"].astype(np.uint8)
        wanted &= (sides == BOTH) if bits == BOTH else (sides & bits).astype(np.bool_)
    rows = np.flatnonzero(wanted)
    rows = rows[np.lexsort((columns["number"][rows], -strength[rows]))]
    return [_level(columns, row, symbol, parameters, strength.item(row)) for row in rows.tolist()]


def _level(columns: Columns, row: int, symbol: str, parameters: LevelParameters, strength: float) -> Level:
    def value(name: str) -> float:
        found = columns[name][row].item()
        assert isinstance(found, int | float)
        return found

    price, confidence = float(value("centre")), float(value("confidence"))
    reason = KINDS[int(value("reason"))]
    return Level(
        id=level_id(symbol, price),
        symbol=symbol,
        side=SIDES[int(value("side"))],
        price=price,
        band=price * parameters.band_bps / 10_000,
        strength=strength,
        confidence=confidence,
        importance=strength * confidence,
        reason=REASONS.get(reason, reason),
        interactions=int(value("interactions")),
        volume=float(value("volume")),
        visits=int(value("visits")),
        rejections=int(value("rejections")),
        breaks=int(value("breaks")),
        first_seen=to_datetime(int(value("first_seen"))),
        last_seen=to_datetime(int(value("last_seen"))),
        active=strength >= parameters.archive_threshold,
    )


def nearest(found: Sequence[Level], price: float, n: int) -> Nearest:
    """Give the n levels next below and the n next above a price; one at the price itself counts as below."""
    check_price(price)
    check_count(n, field="n")
    below = sorted((level for level in found if level.price <= price), key=lambda level: -level.price)
    above = sorted((level for level in found if level.price > price), key=lambda level: level.price)
    return Nearest(price, tuple(below[:n]), tuple(above[:n]))


def clusters(found: Sequence[Level], gap_bps: float) -> list[Cluster]:
    """Join levels whose neighbours are no further apart than a gap, lowest first."""
    return [_cluster(run) for run in _runs(found, gap_bps)]


def gaps(found: Sequence[Level], gap_bps: float) -> list[Gap]:
    """Give the empty stretches between clusters, lowest first."""
    runs = _runs(found, gap_bps)
    return [
        Gap(lower[-1].price, upper[0].price, _bps(lower[-1].price, upper[0].price)) for lower, upper in pairwise(runs)
    ]


def density(found: Sequence[Level], *, bins: int) -> list[Density]:
    """Count levels, and add up their strength, in so many equal steps of price from the lowest to the highest.

    A single level spans no prices: it is one step of its band's width.
    """
    check_count(bins, field="bins")
    if not found:
        return []
    if len(found) == 1:
        (level,) = found
        return [Density(level.price - level.band / 2, level.price + level.band / 2, 1, level.strength)]
    prices = np.array([level.price for level in found])
    weights = np.array([level.strength for level in found])
    edges = np.linspace(prices.min(), prices.max(), bins + 1)
    counts, _ = np.histogram(prices, edges)
    sums, _ = np.histogram(prices, edges, weights=weights)
    columns = (edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), sums.tolist())
    return [Density(*row) for row in zip(*columns, strict=True)]


def _runs(found: Sequence[Level], gap_bps: float) -> list[list[Level]]:
    check_amount(gap_bps, field="gap_bps")
    runs: list[list[Level]] = []
    for level in sorted(found, key=lambda level: level.price):
        if runs and _bps(runs[-1][-1].price, level.price) <= gap_bps + TOLERANCE * 10_000:
            runs[-1].append(level)
        else:
            runs.append([level])
    return runs


def _bps(low: float, high: float) -> float:
    return (high - low) / low * 10_000


def _cluster(run: Sequence[Level]) -> Cluster:
    total = math.fsum(level.strength for level in run)
    middle = math.fsum(level.price * level.strength for level in run) / total if total else run[0].price
    strongest = max(run, key=lambda level: level.strength)
    return Cluster(run[0].price, run[-1].price, middle, len(run), total, strongest.id)


def check_price(price: object) -> float:
    """Let a price through; say what is wrong with anything else."""
    if not isinstance(price, int | float) or isinstance(price, bool) or not (0 < price <= MOST):
        raise InputError(f"{price!r} is not a price", code="bad_price", item=str(price), hint="give a number above 0")
    return price


def check_amount(amount: object, *, field: str) -> None:
    """Let a finite number of 0 or more through; say what is wrong with anything else."""
    if not isinstance(amount, int | float) or isinstance(amount, bool) or not (0 <= amount <= MOST):
        raise InputError(
            f"{field} {amount!r} is not a number of 0 or more", code="bad_number", item=field, hint=f"mend {field}"
        )


def check_count(count: object, *, field: str) -> None:
    """Let a whole number from 1 to a hundred thousand through; say what is wrong with anything else."""
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_ASKED:
        raise InputError(
            f"{field} {count!r} is not a whole number from 1 to {MOST_ASKED:,}",
            code="bad_count",
            item=field,
            hint="ask for at least one, and for no more than can be read",
        )


def check_side(side: object) -> None:
    """Let a side through; say what is wrong with anything else."""
    if side is not None and side not in SIDES[1:]:
        raise InputError(f"{side!r} is not a side", code="bad_side", item=str(side), hint="use bid, ask or both")

"""A look through all told values, and keeping it: without new values it would say the same again.

What a look says depends on the values alone. What becomes of it, also on what is known of each pair (`found`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date

import numpy as np

from asterism.core.connections.scales import LOWEST, Scale, scale_of
from asterism.core.discovery.diary import DETECTOR_VERSION, MIN_DAYS, Look, look_through_diary
from asterism.core.ledger.calendar import day_of, to_date
from asterism.core.ledger.columns import Columns, Floats
from asterism.core.ledger.items import Item
from asterism.core.space.discovered import Observed, Tested

SURE_DIGITS, P_DIGITS = 4, 3  # of figures in an item: enough to be told, too few to differ by a machine
FORM = f"1.{DETECTOR_VERSION}"  # of what is kept: a look of another form is looked anew


@dataclass(frozen=True)
class ToldSeries:
    """The told values of one star: of each day the last, the newest item, and the last that arrived."""

    star: str
    values: dict[int, float]
    newest: Item
    seq: int


def series_of(items: Sequence[tuple[int, Item]]) -> list[ToldSeries]:
    """Gather values, each with its place of arrival, given in the order (at, id), by star; of a day the last counts."""
    found: dict[str, ToldSeries] = {}
    scales: dict[str, Scale] = {}  # the first of each star: what was told on others is brought onto it
    for seq, item in items:
        star, value, day = str(item.payload["star"]), float(str(item.payload["value"])), day_of(item.at)
        scale = scale_of(item.payload)
        if scale is not None and (one := scales.setdefault(star, scale)) != scale:
            share = (scale.value(value) - one.low) / (one.high - one.low)  # may lie beyond the ends
            value = LOWEST + (1.0 - LOWEST) * share
        known = found.get(star)
        values = {} if known is None else known.values
        values[day] = value
        found[star] = ToldSeries(star, values, item, seq if known is None else max(seq, known.seq))
    return [found[star] for star in sorted(found)]


@dataclass(frozen=True)
class Compared:
    """A star that was compared: its last day with a value, its newest item, and the last that arrived."""

    star: str
    until: int
    newest: tuple[int, bytes]  # at and id
    seq: int


@dataclass(frozen=True)
class Looked:
    """A look through all told values: the stars, those of them that were compared, and every pair of those."""

    stars: tuple[Observed, ...]
    compared: Mapping[str, Compared]
    pairs: tuple[Tested, ...]
    tests: int
    since: int


def look_through(
    series: Sequence[ToldSeries], names: Mapping[str, str], *, since: int, most: int, before: Mapping[str, int]
) -> Looked:
    """Look through the values of many stars from a day on; stars that are left out say why.

    `before` gives the last day of those that have older values only.
    """
    enough = [each for each in series if len(each.values) >= MIN_DAYS]
    chosen = sorted(sorted(enough, key=lambda each: (-len(each.values), each.star))[:most], key=lambda each: each.star)
    compared = {
        each.star: Compared(each.star, max(each.values), (each.newest.at, each.newest.id), each.seq) for each in chosen
    }
    stars = [_before(star, names.get(star, star), last, since) for star, last in before.items()]
    for each in series:
        left_out = None
        if len(each.values) < MIN_DAYS:
            left_out = f"too few days: {len(each.values)} of at least {MIN_DAYS}"
        elif each.star not in compared:
            left_out = f"beyond the {most} stars with the most days"
        first, last = min(each.values), max(each.values)
        name = names.get(each.star, each.star)
        stars.append(Observed(each.star, name, len(each.values), to_date(first), to_date(last), left_out))
    stars.sort(key=lambda star: star.id)
    if len(chosen) < 2:
        return Looked(tuple(stars), compared, (), 0, since)
    found = look_through_diary(_matrix(chosen))
    ids = [each.star for each in chosen]
    return Looked(tuple(stars), compared, tuple(_tested(look, ids) for look in found.looks), found.tests, since)


def _before(star: str, name: str, last: int, since: int) -> Observed:
    told = to_date(last)
    return Observed(star, name, 0, told, told, f"no value since {to_date(since)}: the last is of {told}")


def _matrix(series: Sequence[ToldSeries]) -> Floats:
    first = min(min(each.values) for each in series)
    last = max(max(each.values) for each in series)
    matrix = np.full((len(series), last - first + 1), np.nan)
    for row, each in enumerate(series):
        for day, value in each.values.items():
            matrix[row, day - first] = value
    return matrix


def _tested(look: Look, stars: Sequence[str]) -> Tested:
    """Give a look in the words that every surface shows; nothing is written yet."""
    one, other = stars[look.first], stars[look.second]
    first, second = (one, other) if one < other else (other, one)
    return Tested(
        a=first,
        b=second,
        verdict=look.verdict,
        reason=look.reason,
        direction="none" if look.verdict != "drives" else "a_to_b" if one == first else "b_to_a",
        lag_days=look.lag,
        leads=one if look.lag else None,
        days=look.days,
        r=rounded(look.r),
        low=rounded(look.low),
        high=rounded(look.high),
        p=float(f"{look.p:.{P_DIGITS}g}"),
        limit=float(f"{look.limit:.{P_DIGITS}g}"),
        skill=None if look.skill is None else rounded(look.skill),
        backward=None if look.backward is None else rounded(look.backward),
        through=tuple(stars[place] for place in look.through),
    )


def rounded(value: float) -> float:
    """Round a figure to what an item tells of it."""
    return round(value, SURE_DIGITS) + 0.0


# Keeping it

_PAIR = tuple(field.name for field in fields(Tested) if field.name not in ("written", "gone", "note"))


def packed(looked: Looked) -> Columns:
    """Pack a look, to be kept for the next process."""
    told = {
        "stars": [
            [each.id, each.name, each.days, str(each.first), str(each.last), each.left_out] for each in looked.stars
        ],
        "compared": [
            [each.star, each.until, each.newest[0], each.newest[1].hex(), each.seq] for each in looked.compared.values()
        ],
        "pairs": [[getattr(each, name) for name in _PAIR] for each in looked.pairs],
        "tests": looked.tests,
        "since": looked.since,
    }
    return {"look": np.frombuffer(json.dumps(told, separators=(",", ":")).encode(), dtype=np.uint8)}


def unpacked(columns: Columns) -> Looked:
    """Take up a look that was kept; one that is damaged is a `ValueError` or a `LookupError`."""
    told = json.loads(columns["look"].tobytes())
    stars = [
        Observed(star, name, days, date.fromisoformat(first), date.fromisoformat(last), left_out)
        for star, name, days, first, last, left_out in told["stars"]
    ]
    compared = [
        Compared(star, until, (at, bytes.fromhex(item)), seq) for star, until, at, item, seq in told["compared"]
    ]
    pairs = [Tested(**(dict(zip(_PAIR, row, strict=True)) | {"through": tuple(row[-1])})) for row in told["pairs"]]
    by_star = {each.star: each for each in compared}
    return Looked(tuple(stars), by_star, tuple(pairs), told["tests"], told["since"])

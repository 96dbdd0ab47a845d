"""Scoring the links of a node: the five components of all of them from one matrix product.

For a link whose vector is the mean of its unit ends a and b, and any vector x:

    cos(x, link) = (x.a + x.b) / |a + b|,   |a + b| = sqrt(2 + 2 a.b)

so products with the ends are enough, and a itself is one of the x. The products are exact (see `vectors`). At a hub
only the links that could be among the best are scored in full: the other components are at most 1, so alignment x
polarity x (1 - permanence), for which float32 will do, is a bound on the score.

A coloured link is aligned by its colour, but novel and divergent by its ends: the links of a path bear one colour, so
by their colours each would look like a repetition of the one before, and a path that helped could not be walked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Bools, Floats, Rows
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import Links, Place
from asterism.core.walkers.vectors import Matrix

HUB = 48  # links from which a bound is looked at first
SHORT_LIST = 16
MARGIN = 1e-4  # more than float32 products are off
DIGITS = 1e9  # scores are whole multiples of 1e-9
ROUNDING = 1 / DIGITS
NO_LENGTH = 1e-9  # ends that are opposite have no mean
CHUNK = 8192
NONE: tuple[Rows, Matrix, Bools] = (
    np.empty(0, dtype=np.intp),
    np.empty((0, 0), dtype=np.float32),
    np.empty(0, dtype=np.bool_),
)


Products = NDArray[np.floating]


class Candidate(NamedTuple):
    """A link that could be walked, with its five components."""

    place: int
    score: float
    alignment: float
    polarity: float
    permanence_factor: float
    self_novelty: float
    sibling_divergence: float


class Probes(NamedTuple):
    """What links are compared with, as rows: where the walker stands, query, intention, path, siblings."""

    rows: Floats
    path: int  # number of path rows; siblings are the rest

    @classmethod
    def of(cls, here: Floats, query: Floats, intention: Floats, path: list[Floats], siblings: list[Floats]) -> Probes:
        """Stack the vectors."""
        every = (here, query, intention, *path, *siblings)
        return cls(np.concatenate(every).reshape(len(every), -1), len(path))  # quicker than a stack


def components(
    place: Place, chosen: Rows | None, probes: Probes, p: ExplorationParameters
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Give alignment, polarity, permanence factor, self-novelty and sibling divergence of all links, or of some."""
    links = place.links
    rows, polarity, permanence = links.rows, links.polarity, links.permanence
    if chosen is not None:
        rows, polarity, permanence = rows[chosen], polarity[chosen], permanence[chosen]
    compared = probes.rows
    cosines = links.vectors[rows].astype(np.float64) @ compared.T  # products, so far
    inverse = _inverse_lengths(cosines[:, 0], links, rows, place)
    cosines += compared @ compared[0]
    cosines *= inverse[:, None]
    owned, own, coloured = _own(links, chosen, p)
    literal = owned
    if len(owned):
        products = own.astype(np.float64) @ compared.T
        literal = owned[~coloured]
        cosines[literal] = products[~coloured]
        cosines[owned, 1:3] = products[:, 1:3]  # a colour says what a link helped with, not where it leads
    before = 3 + probes.path
    mixed = cosines[:, 1] * (1.0 - p.intention_weight)
    mixed += cosines[:, 2] * p.intention_weight
    novel = _novelty(cosines[:, 3 : before - 1])  # a mean of ends is near the link just walked, by the end they share
    if len(literal) and probes.path:
        novel[literal] = _novelty(cosines[literal, 3:before])
    factor = permanence.astype(np.float64)
    np.subtract(1.0, factor, out=factor)
    return _clamped(mixed), polarity.astype(np.float64), factor, novel, _novelty(cosines[:, before:])


def rank(
    place: Place, probes: Probes, walked: set[int], p: ExplorationParameters, *, most: int, left: int | None = None
) -> list[Candidate]:
    """Give the best links, best first, without those walked; ties go to the link listed first.

    Links to the node that was just `left` are not among them. At a hub, links that score below `min_link_score` may be
    missing.
    """
    links = place.links
    if len(links) == 0:
        return []
    gone = _places_of(links, walked, left)
    if len(links) < HUB:
        return _best(place, None, gone, probes, p, most)
    bound = _bounds(place, probes, p)
    if gone:
        bound[gone] = -1.0
    count, left = SHORT_LIST, len(links) - len(gone)
    while True:
        count = min(max(count, most), left)
        least = float(np.partition(bound, len(bound) - count)[len(bound) - count]) if count else 0.0
        places = np.flatnonzero((bound >= least) & (bound >= 0.0))
        best = _best(place, places, [], probes, p, most)
        enough = len(best) == most and best[-1].score > least + ROUNDING
        if enough or len(places) >= left or least < p.min_link_score:
            return best
        count *= 8


def _best(
    place: Place, places: Rows | None, gone: list[int], probes: Probes, p: ExplorationParameters, most: int
) -> list[Candidate]:
    parts = _parts(place, places, probes, p)
    align, polarity, factor, novel, diverse = parts
    score = align * polarity
    score *= factor
    score *= novel
    score *= diverse
    _round(score)
    if gone:
        score[gone] = -1.0
    order = (-score).argsort(kind="stable")[: min(most, len(score) - len(gone))]
    table = np.array([score, *parts])[:, order]
    _round(table)
    where = order if places is None else places[order]
    return [Candidate(at, *row) for at, row in zip(where.tolist(), table.T.tolist(), strict=True)]


def _parts(place: Place, places: Rows | None, probes: Probes, p: ExplorationParameters) -> Sequence[Floats]:
    if places is None or len(places) <= CHUNK:
        return components(place, places, probes, p)
    cuts = range(0, len(places), CHUNK)
    pieces = [components(place, places[start : start + CHUNK], probes, p) for start in cuts]
    return [np.concatenate(piece) for piece in zip(*pieces, strict=True)]


def _bounds(place: Place, probes: Probes, p: ExplorationParameters) -> Floats:
    """Give more than the score of each link, from one product in float32."""
    links = place.links
    here, query, intention = probes.rows[:3]
    sought = query * (1.0 - p.intention_weight) + intention * p.intention_weight
    pair = np.stack([here, sought], axis=1).astype(np.float32)
    if len(links) * 4 > len(links.vectors):  # most rows are wanted: taking numbers is cheaper than taking rows
        products = (links.vectors @ pair)[links.rows]
    else:
        products = links.vectors[links.rows] @ pair
    mixed = (products[:, 1] + np.float32(here @ sought)) * _inverse_lengths(products[:, 0], links, links.rows, place)
    owned, own, _ = _own(links, None, p)
    if len(owned):
        mixed[owned] = own @ sought.astype(np.float32)
    bound = np.clip(mixed + MARGIN, 0.0, 1.0).astype(np.float64)
    bound *= links.polarity
    bound *= 1.0 - links.permanence
    return bound


def _inverse_lengths(between: Products, links: Links, rows: Rows, place: Place) -> Products:
    """Give 1 / |a + b| of each link, and 0 where an end has no vector."""
    squares = between + between
    squares += 2.0
    if between.all() and squares.min(initial=1.0) > NO_LENGTH:
        return np.divide(1.0, np.sqrt(squares, out=squares), out=squares)
    if not place.vector.any():
        return np.zeros(len(rows), dtype=between.dtype)
    safe = squares > NO_LENGTH
    unlike = between == 0.0  # a row of zeros, or an end at a right angle
    safe[unlike] = links.vectors[rows[unlike]].any(axis=1)
    return np.where(safe, 1.0 / np.sqrt(np.where(safe, squares, 1.0)), 0.0).astype(between.dtype)


def _own(links: Links, chosen: Rows | None, p: ExplorationParameters) -> tuple[Rows, Matrix, Bools]:
    """Find the links that have a vector, of their own or coloured; by the letter, a coloured one is its own."""
    if links.own is None:
        return NONE
    rows = links.own.rows if chosen is None else links.own.rows[chosen]
    owned = np.flatnonzero(rows >= 0)
    coloured = links.own.coloured[rows[owned]]
    if p.coloured_novelty == "literal":
        coloured = np.zeros_like(coloured)
    return owned, links.own.vectors[rows[owned]], coloured


def _places_of(links: Links, walked: set[int], left: int | None) -> list[int]:
    """Find the links that are not walked: those walked before, and every link back to the node just left."""
    numbers = links.numbers
    gone: list[int] = []
    if left is not None:
        back = (links.ends == left).nonzero()[0]
        walked = walked.difference(numbers[back].tolist())
        gone = back.tolist()
    return gone + [place for link in walked for place in (numbers == link).nonzero()[0].tolist()]


def _novelty(cosines: Floats) -> Floats:
    if not cosines.shape[1]:
        return np.ones(len(cosines))
    nearest = cosines.max(axis=1)
    return _clamped(np.subtract(1.0, nearest, out=nearest))


def _round(values: Floats) -> None:
    """Round to whole multiples of 1e-9, in place."""
    values *= DIGITS
    np.rint(values, out=values)
    values /= DIGITS


def _clamped(values: Floats) -> Floats:
    return np.minimum(np.maximum(values, 0.0, out=values), 1.0, out=values)

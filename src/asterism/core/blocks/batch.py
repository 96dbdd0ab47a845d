"""The scores of many pairs at once: the numbers of `scoring`, to the bit, and a quick bound that proposes pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import DIGITS, temporal_proximity
from asterism.core.blocks.state import Tags, Vectors
from asterism.core.columns import Floats, Ints, Longs, Rows

CHUNK = 512  # pairs scored at a time: their products stay in the cache
OWN_TAGS, SHARED_TAGS = 32, 32  # columns of the bound: the most frequent tags have their own, the others share
OWN_CATEGORIES, SHARED_CATEGORIES = 12, 4
MARGIN = 2e-5  # more than float32 can be wrong by


def rounded(values: Floats) -> Floats:
    """Round to 1e-9, as `scoring.rounded` does."""
    return np.rint(values * DIGITS) / DIGITS


def dots(a: Vectors, b: Vectors) -> Floats:
    """Multiply vectors row by row in float64, summed as `scoring.dot` sums: by halves.

    >>> dots(np.ones((1, 3), dtype=np.float32), np.ones((1, 3), dtype=np.float32)).tolist()
    [3.0]
    """
    products = a.astype(np.float64)
    products *= b  # products of two float32 are exact in float64
    width = a.shape[1]
    while width > 1:
        half = (width + 1) // 2
        products[:, : width - half] += products[:, half:width]
        width = half
    return products[:, 0] if width else np.zeros(len(a))


@dataclass(frozen=True)
class Frame:
    """The blocks of a dream: the active ones first, then the promoted ones."""

    vectors: Vectors
    tags: Tags
    category: Ints
    time: Floats  # nearness to the dream's hour; of two blocks one is always at that hour
    parameters: BlockParameters

    def __len__(self) -> int:
        return len(self.category)

    @cached_property
    def lengths(self) -> Floats:
        """The squared length of each vector."""
        total = np.zeros(len(self))
        for rows in _chunks(len(self)):
            total[rows] = dots(self.vectors[rows], self.vectors[rows])
        return total

    def cosines(self, a: Rows, b: Rows) -> Floats:
        """Give the cosine of each pair, clamped to [0, 1] and rounded."""
        total = np.empty(len(a))
        for rows in _chunks(len(a)):
            one, other = a[rows], b[rows]
            scale = np.sqrt(self.lengths[one] * self.lengths[other])
            near = dots(self.vectors[one], self.vectors[other]) / np.where(scale > 0, scale, 1.0)
            total[rows] = rounded(np.clip(near, 0.0, 1.0))
        return total

    def scores(self, a: Rows, b: Rows) -> Floats:
        """Give the composite score of each pair."""
        rules = self.parameters
        near = self.cosines(a, b)
        category = np.where(self.category[a] == self.category[b], 1.0, rules.cross_category_score)
        score = (
            rules.weight_cosine * near
            + rules.weight_tags * self.jaccards(a, b)
            + rules.weight_category * category
            + rules.weight_time * (self.time[a] * self.time[b])
        )
        return np.where(near < rules.minimum_cosine_for_edge, 0.0, rounded(score))

    def jaccards(self, a: Rows, b: Rows) -> Floats:
        """Give |A and B| / |A or B| of the tags of each pair."""
        shared = np.zeros(len(a))
        if len(self.tags.codes):
            span = int(self.tags.codes.max()) + 1
            for rows in _chunks(len(a), CHUNK * 64):
                mine, theirs = self.tags.take(a[rows]), self.tags.take(b[rows])
                count = len(mine.sizes)
                keys = [np.repeat(np.arange(count), each.sizes) * span + each.codes for each in (mine, theirs)]
                both = np.sort(np.concatenate(keys))  # a tag of both stands there twice
                twice = both[1:][both[1:] == both[:-1]] // span
                shared[rows] = np.bincount(twice, minlength=count)
        sizes = self.tags.sizes
        union = sizes[a] + sizes[b] - shared
        return shared / np.maximum(union, 1)

    # What BLAS multiplies to propose pairs: never below the score where the cosine is at or above the guard

    @cached_property
    def rest_columns(self) -> Vectors:
        """Columns whose products are at least what tags, category and time add, but for `rest`.

        Jaccard is at most |A and B| / sqrt(|A| |B|): the product of the tags' columns over the roots of their numbers.
        """
        rules = self.parameters
        count = len(self)
        tag, tags_kept = _columns(self.tags.codes, OWN_TAGS, SHARED_TAGS)
        category, categories_kept = _columns(self.category, OWN_CATEGORIES, SHARED_CATEGORIES)
        rest = np.zeros((count, 1 + categories_kept + tags_kept), dtype=np.float32)
        rest[:, 0] = self.time * math.sqrt(rules.weight_time)
        rest[np.arange(count), 1 + category] = math.sqrt(rules.weight_category * (1.0 - rules.cross_category_score))
        sizes = self.tags.sizes
        owners = np.repeat(np.arange(count), sizes)
        share = math.sqrt(rules.weight_tags) / np.sqrt(np.maximum(sizes, 1))
        np.add.at(rest, (owners, 1 + categories_kept + tag), share[owners].astype(np.float32))
        return rest

    @property
    def rest(self) -> float:
        """What two blocks have in common for their category whatever it is."""
        return self.parameters.weight_category * self.parameters.cross_category_score

    @property
    def guard(self) -> float:
        """The least weighted cosine of a pair worth a look."""
        return self.parameters.weight_cosine * self.parameters.minimum_cosine_for_edge - MARGIN


def nearness(hours: Floats, now_hours: float, parameters: BlockParameters) -> Floats:
    """Say how near in time each block is to the current hour."""
    each, place = np.unique(hours, return_inverse=True)
    near = [temporal_proximity(now_hours, hour, sigma=parameters.temporal_sigma_hours) for hour in each.tolist()]
    return np.array(near, dtype=np.float64)[place]


def _columns(codes: Ints, own: int, shared: int) -> tuple[Longs, int]:
    """Number codes by how often they occur; those beyond the first `own` share columns."""
    found, place, counts = np.unique(codes, return_inverse=True, return_counts=True)
    rank = np.empty(len(found), dtype=np.int64)
    rank[np.lexsort((found, -counts))] = np.arange(len(found))
    column = np.where(rank < own, rank, own + (rank - own) % shared)
    return column[place], min(len(found), own + shared)


def _chunks(count: int, size: int = CHUNK) -> Iterator[slice]:
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))

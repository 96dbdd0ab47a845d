"""The scores of many pairs at once: the numbers of `scoring`, to the bit, and a quick bound that proposes pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import temporal_proximity
from asterism.core.blocks.state import Tags, Vectors
from asterism.core.ledger.columns import Bools, Floats, Ints, Longs, Masks, Rows
from asterism.core.ledger.rounding import rounded

CHUNK = 512  # pairs scored at a time: their products stay in the cache
OWN_TAGS, SHARED_TAGS = 32, 32  # columns of the bound: the most frequent tags have their own, the others share
OWN_CATEGORIES, SHARED_CATEGORIES = 12, 4
FREQUENT_TAGS = 256  # these are compared as bits
MARGIN = 2e-5  # more than float32 can be wrong by


def dots(a: Vectors, b: Vectors) -> Floats:
    """Multiply vectors row by row in float64, summed as `scoring.dot` sums: by halves.

    >>> dots(np.ones((1, 3), dtype=np.float32), np.ones((1, 3), dtype=np.float32)).tolist()
    [3.0]
    """
    width = a.shape[1]
    half = (width + 1) // 2
    products = np.multiply(a[:, :half], b[:, :half], dtype=np.float64)  # products of two float32 are exact in float64
    products[:, : width - half] += np.multiply(a[:, half:], b[:, half:], dtype=np.float64)
    width = half
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

    def take(self, rows: Longs) -> Frame:
        """Give some of the blocks."""
        some = replace(
            self,
            vectors=self.vectors[rows],
            tags=self.tags.take(rows),
            category=self.category[rows],
            time=self.time[rows],
        )
        some.__dict__["lengths"] = self.lengths[rows]  # known already
        return some

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
        near = self.cosines(a, b)
        return np.where(near < self.parameters.minimum_cosine_for_edge, 0.0, rounded(self._sum(near, a, b)))

    def nearly(self, a: Rows, b: Rows, bound: Floats) -> tuple[Floats, Bools]:
        """Give the score of each pair from its bound, at most a margin off.

        Say also where guard or threshold are too near to tell.
        """
        rules, rest = self.parameters, self.rest_columns
        near = bound.copy()
        for rows in _chunks(len(a), 8 * CHUNK):
            near[rows] -= np.einsum("ij,ij->i", rest[a[rows]], rest[b[rows]])
        score = near + self._sum(np.zeros(len(a)), a, b)
        above = near - rules.weight_cosine * rules.minimum_cosine_for_edge
        unsure = (np.abs(above) < MARGIN) | (np.abs(score - rules.edge_score_threshold) < MARGIN)
        return np.where(above < 0, 0.0, score), unsure

    def _sum(self, near: Floats, a: Rows, b: Rows) -> Floats:
        rules = self.parameters
        category = np.where(self.category[a] == self.category[b], 1.0, rules.cross_category_score)
        return (
            rules.weight_cosine * near
            + rules.weight_tags * self.jaccards(a, b)
            + rules.weight_category * category
            + rules.weight_time * (self.time[a] * self.time[b])
        )

    def jaccards(self, a: Rows, b: Rows) -> Floats:
        """Give |A and B| / |A or B| of the tags of each pair."""
        frequent, others = self._tag_sets
        shared = np.zeros(len(a))
        for word in frequent:
            shared += np.bitwise_count(word[a] & word[b])
        some = np.flatnonzero((others.sizes[a] > 0) & (others.sizes[b] > 0))
        if len(some):
            span = int(others.codes.max()) + 1
            mine, theirs = others.take(a[some]), others.take(b[some])
            keys = [np.repeat(np.arange(len(some)), each.sizes) * span + each.codes for each in (mine, theirs)]
            both = np.sort(np.concatenate(keys))  # a tag of both stands there twice
            twice = both[1:][both[1:] == both[:-1]] // span
            shared[some] += np.bincount(twice, minlength=len(some))
        sizes = self.tags.sizes
        union = sizes[a] + sizes[b] - shared
        return shared / np.maximum(union, 1)

    @cached_property
    def _tag_sets(self) -> tuple[list[Masks], Tags]:
        """The most frequent tags as bits, 64 to a word, and the other tags."""
        found, place, counts = np.unique(self.tags.codes, return_inverse=True, return_counts=True)
        rank = np.empty(len(found), dtype=np.int64)
        rank[np.lexsort((found, -counts))] = np.arange(len(found))
        rank, owners = rank[place], np.repeat(np.arange(len(self)), self.tags.sizes)
        words = []
        for first in range(0, min(len(found), FREQUENT_TAGS), 64):
            word = np.zeros(len(self), dtype=np.uint64)
            mine = (rank >= first) & (rank < first + 64)
            np.bitwise_or.at(word, owners[mine], np.uint64(1) << (rank[mine] - first).astype(np.uint64))
            words.append(word)
        others = rank >= FREQUENT_TAGS
        starts = np.concatenate([[0], np.cumsum(np.bincount(owners[others], minlength=len(self)))])
        return words, Tags(starts, self.tags.codes[others])

    # What BLAS multiplies to propose pairs: never below the score where the cosine is at or above the guard

    @cached_property
    def rest_columns(self) -> Vectors:
        """Columns whose products are at least what tags, category and time add.

        Jaccard is at most |A and B| / sqrt(|A| |B|): the product of the tags' columns over the roots of their numbers.
        """
        rules = self.parameters
        count = len(self)
        tag, tags_kept = _columns(self.tags.codes, OWN_TAGS, SHARED_TAGS)
        category, categories_kept = _columns(self.category, OWN_CATEGORIES, SHARED_CATEGORIES)
        rest = np.zeros((count, 2 + categories_kept + tags_kept), dtype=np.float32)
        rest[:, 0] = self.time * math.sqrt(rules.weight_time)
        rest[:, 1] = math.sqrt(rules.weight_category * rules.cross_category_score)  # whatever the categories are
        rest[np.arange(count), 2 + category] = math.sqrt(rules.weight_category * (1.0 - rules.cross_category_score))
        sizes = self.tags.sizes
        owners = np.repeat(np.arange(count), sizes)
        share = math.sqrt(rules.weight_tags) / np.sqrt(np.maximum(sizes, 1))
        np.add.at(rest, (owners, 2 + categories_kept + tag), share[owners].astype(np.float32))
        return rest

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

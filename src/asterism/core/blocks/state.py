"""What a dream looks at: the active blocks and the inbox, as columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from asterism.core.ledger.columns import Bools, Floats, Ints, Longs, Rows
from asterism.errors import InputError

Vectors = NDArray[np.float32]
UNIT = 1e-6  # a vector whose length is this near to 1 is kept to the bit


class Tags(NamedTuple):
    """The tags of many blocks: those of block i are codes[starts[i]:starts[i + 1]], sorted."""

    starts: Longs
    codes: Ints

    @classmethod
    def of(cls, tags: Iterable[Iterable[int]]) -> Tags:
        """Pack sets of tag codes.

        >>> Tags.of([{7, 3}, (), [3]]).codes.tolist()
        [3, 7, 3]
        """
        each = [sorted(set(codes)) for codes in tags]
        starts = np.cumsum([0, *map(len, each)], dtype=np.int64)
        return cls(starts, np.array([code for codes in each for code in codes], dtype=np.int32))

    @property
    def sizes(self) -> Longs:
        """How many tags each block has."""
        return np.diff(self.starts)

    def take(self, rows: Rows) -> Tags:
        """Give the tags of some blocks, in the order asked."""
        sizes = self.sizes[rows]
        starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)])
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
        return Tags(starts, self.codes[np.repeat(self.starts[:-1][rows], sizes) + inside])

    def join(self, other: Tags) -> Tags:
        """Put other blocks after these."""
        return Tags(
            np.concatenate([self.starts, other.starts[1:] + self.starts[-1]]), np.concatenate([self.codes, other.codes])
        )


class Edges(NamedTuple):
    """Links between blocks, by their rows."""

    a: Longs
    b: Longs
    score: Floats

    @classmethod
    def of(cls, edges: Iterable[tuple[int, int, float]] = ()) -> Edges:
        """Pack links.

        >>> Edges.of([(0, 1, 0.5)]).score.tolist()
        [0.5]
        """
        a, b, score = zip(*edges, strict=True) if (edges := list(edges)) else ((), (), ())
        return cls(np.array(a, dtype=np.int64), np.array(b, dtype=np.int64), np.array(score, dtype=np.float64))

    def where(self, mask: Bools | Longs) -> Edges:
        """Give some of them."""
        return Edges(self.a[mask], self.b[mask], self.score[mask])

    def join(self, other: Edges) -> Edges:
        """Put others after these."""
        return Edges(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))


class Protected(NamedTuple):
    """A link that no edge displaces, by the ids of its ends; one of them may be no block."""

    a: str
    b: str
    kind: str


@dataclass(frozen=True)
class Inbox:
    """Blocks that were learned and not yet consolidated; any order."""

    ids: Sequence[str]
    at: Longs  # when they were learned
    tags: Tags
    category: Ints  # codes, the same as those of the active blocks; so are those of the tags
    facts: Longs  # `facts_code` of the content


@dataclass(frozen=True)
class Active:
    """The active blocks, their similarity edges and the links that may not be displaced."""

    ids: Sequence[str]
    at: Longs
    tags: Tags
    category: Ints
    facts: Longs
    hours: Floats  # active hour of the last reinforcement
    vectors: Vectors  # unit length, or zero
    fresh: Bools  # promoted by an earlier step of this same dream
    edges: Edges = field(default_factory=Edges.of)  # kind `similar`, with their scores
    lost: Edges = field(default_factory=Edges.of)  # displaced by an earlier step of this dream: they may come back
    protected: Sequence[Protected] = ()  # user-made, outcome, connections; of inbox blocks too

    @classmethod
    def none(cls, dimension: int = 0) -> Active:
        """Give the state of a memory that has promoted nothing yet."""
        no = np.zeros(0, dtype=np.int64)
        return cls(
            ids=(),
            at=no,
            tags=Tags.of([]),
            category=no.astype(np.int32),
            facts=no,
            hours=np.zeros(0),
            vectors=np.zeros((0, dimension), dtype=np.float32),
            fresh=np.zeros(0, dtype=np.bool_),
        )


def unit_vectors(ids: Sequence[str], vectors: Sequence[ArrayLike] | Vectors, *, dimension: int = 0) -> Vectors:
    """Bring the vectors of blocks to length 1 in float32; a zero vector stays zero, a broken one is named.

    The dimension is that of the first vector if none is given.

    >>> unit_vectors(["a", "b"], [[3.0, 4.0], [0.0, 0.0]]).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    whole = vectors if isinstance(vectors, np.ndarray) and vectors.ndim == 2 else None
    rows = [] if whole is not None else [np.asarray(vector) for vector in vectors]
    if len(rows if whole is None else whole) != len(ids):
        raise InputError(
            f"there are {len(vectors)} vectors for {len(ids)} blocks",
            code="bad_vector",
            hint="give one vector for each block, in the order of the blocks",
        )
    if whole is not None:
        dimension = dimension or whole.shape[1]
        wrong = list(ids[:1]) if whole.shape[1] != dimension and len(ids) else []
    else:
        dimension = dimension or (rows[0].size if rows else 0)
        wrong = [name for name, row in zip(ids, rows, strict=True) if row.shape != (dimension,)]
    if wrong:
        raise _broken(wrong[0], f"has not the dimension {dimension}", "embed it with the embedder of this memory")
    matrix = np.asarray(rows if whole is None else whole, dtype=np.float64).reshape(len(ids), dimension)
    infinite = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(infinite):
        raise _broken(ids[int(infinite[0])], "has a value that is not a finite number", "embed it again")
    largest = np.abs(matrix).max(axis=1, initial=0.0)
    scale = np.where(largest > 0, largest, 1.0)[:, None]  # first to 1: squares neither vanish nor overflow
    lengths = np.sqrt(np.square(matrix / scale).cumsum(axis=1)[:, -1:] if dimension else scale) * scale
    keep = (np.abs(lengths - 1.0) < UNIT) | (largest[:, None] == 0)
    return (matrix / np.where(keep, 1.0, lengths)).astype(np.float32)


def _broken(block: str, problem: str, hint: str) -> InputError:
    return InputError(f"the vector of block {block} {problem}", code="bad_vector", item=block, hint=hint)

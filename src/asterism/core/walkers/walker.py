"""One walker: where it is, how it came there, what it found, and the vector of what it would crystallise.

    vector = unit(.4 query + .25 intention + .3 position + .2 found + .1 path), over the weights of what is there (D13)

Depth is the number of hops; how far the way led up and down is `awareness` (D1). A child begins one hop below its
parent with nothing found; its parent's path is there for novelty only (D18).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from operator import is_
from typing import NamedTuple

import numpy as np

from asterism.core.walkers.formulas import aware, criticality, fatigued
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import NARRATIVE, Place
from asterism.core.walkers.scoring import NO_LENGTH, Candidate, Probes
from asterism.core.walkers.states import State, move
from asterism.core.walkers.vectors import Vector, cosine, on_grid, unit


class Question(NamedTuple):
    """What is searched for, and why; without an intention the query stands for it."""

    query: str
    query_vector: Vector
    intention: str | None = None
    intention_vector: Vector | None = None

    @property
    def why(self) -> Vector:
        """Give the intention's vector, or the query's."""
        return self.query_vector if self.intention_vector is None else self.intention_vector


class Hop(NamedTuple):
    """A link that was walked, and where it led."""

    link: int
    left: int  # the node it was walked from
    id: str
    start: str
    end: str
    hierarchy: float
    permanence: float
    vector: Vector
    own: bool  # the vector is the link's own, not the mean of its ends
    origin: Vector  # of the node it was walked from
    emotions: tuple[float, ...]


class WalkFinding(NamedTuple):
    """What a walker found: how aligned it is with the intention, and the links that led there from the start."""

    id: str
    kind: str
    alignment: float
    path: tuple[str, ...]


class Declined(NamedTuple):
    """Why nothing was crystallised, and the narrative that made it unnecessary, if one did."""

    because: str
    narrative: str | None = None
    likeness: float | None = None

    def __str__(self) -> str:
        if self.narrative is None:
            return self.because
        near = "" if self.likeness is None else f" at {self.likeness:.2f}"
        return f"{self.because}: {self.narrative}{near}"


class LookAround(NamedTuple):
    """What a walker saw when it last scored links: it sees the same until it or a sibling has moved."""

    depth: int
    beside: list[Vector]
    candidates: list[Candidate]

    def still(self, depth: int, beside: list[Vector]) -> bool:
        """Say whether nobody has moved; a vector is never changed, but replaced."""
        return depth == self.depth and len(beside) == len(self.beside) and all(map(is_, beside, self.beside))


@dataclass(slots=True, eq=False)
class Walker:
    """A walker in the middle of its walk."""

    number: int
    name: str
    spawn: Place  # where it was created (D12)
    position: int
    vector: Vector
    parent: Walker | None = None
    state: State = State.SEEKING
    here: Place | None = None  # None: a child that has yet to arrive
    walked: list[Hop] = field(default_factory=list)  # every hop from the start
    first: int = 0  # where its own part of them begins; a parent's part is for novelty only (D18)
    path_sum: Vector | float = 0.0  # of the vectors of its own part
    nodes: list[str] = field(default_factory=list)  # names along the path
    found: dict[str, WalkFinding] = field(default_factory=dict)
    found_sum: Vector | float = 0.0
    found_weight: float = 0.0
    absorbed: set[int] = field(default_factory=set)
    resonated: set[int] = field(default_factory=set)
    satisfaction: float = 0.0
    previous: float = 0.0
    progress: list[float] = field(default_factory=list)
    up: float = 0.0
    down: float = 0.0
    children: list[Walker] = field(default_factory=list)
    siblings: list[Walker] = field(default_factory=list)
    looked: LookAround | None = None
    steps: int = 0
    stop: str = ""
    crystal: str | None = None
    declined: Declined | None = None
    failed: BaseException | None = None
    done: bool = False

    @property
    def depth(self) -> int:
        """Count the hops from the start."""
        return len(self.walked)

    @property
    def criticality(self) -> float:
        """Say how urgent it is to find something."""
        return criticality(self.satisfaction, self.depth)

    @property
    def path(self) -> list[Hop]:
        """Give the hops of its own."""
        return self.walked[self.first :]

    @property
    def waiting(self) -> bool:
        """Say whether children are still out."""
        return not all(child.done for child in self.children)

    def to(self, state: State, *, because: str = "", stop: str | None = None) -> None:
        """Move to another state; `because` is kept as the reason if it ends the walking."""
        self.state = move(self.state, state, stop=stop)
        self.stop = stop or because or self.stop

    def probes(self, here: Place, question: Question, beside: list[Vector]) -> Probes:
        """Gather what links are compared with; siblings count by their vectors of the round before."""
        path = [hop.vector for hop in self.walked]
        return Probes.of(here.vector, question.query_vector, question.why, path, beside)

    def arrive(self, here: Place, question: Question, p: ExplorationParameters) -> None:
        """Stand on a node that was walked to, and take it into the vector."""
        born = self.here is None
        self.here, self.position = here, here.number
        self.nodes.append(here.name)
        if born:  # its vector started from the link it came by (D15)
            return
        hop = self.walked[-1]
        self.up, self.down = aware(self.up, self.down, hop.hierarchy, threshold=p.awareness_threshold)
        self.vector = self._crystallising(here, question, p)
        current = cosine(self.vector, question.why)
        self.progress.append(round(current - self.previous, 9))  # the previous value is kept apart (D10)
        self.previous = current

    def _crystallising(self, here: Place, question: Question, p: ExplorationParameters) -> Vector:
        total = p.crystal_query * question.query_vector
        weight = p.crystal_query
        if question.intention_vector is not None:
            total = total + p.crystal_intention * question.intention_vector
            weight += p.crystal_intention
        if here.vector.any():
            total = total + p.crystal_position * here.vector
            weight += p.crystal_position
        if self.found_weight:
            total = total + (p.crystal_found / self.found_weight) * self.found_sum
            weight += p.crystal_found
        total = total + (p.crystal_path / (len(self.walked) - self.first)) * self.path_sum
        return unit(total / (weight + p.crystal_path))

    def walk(self, hop: Hop) -> None:
        """Take a hop into the path."""
        self.walked.append(hop)
        self.path_sum = self.path_sum + hop.vector

    def tired(self, p: ExplorationParameters) -> bool:
        """Say whether the last hops brought it no nearer to its intention."""
        return fatigued(self.progress, window=p.fatigue_window, threshold=p.fatigue_threshold)

    def find(self, here: Place, kind: str, alignment: float) -> None:
        """Store a finding; alignment of 0 or less stores nothing (D9)."""
        if alignment <= 0.0 or here.id in self.found:
            return
        self.found[here.id] = WalkFinding(here.id, kind, alignment, tuple(hop.id for hop in self.walked))
        self.found_sum = self.found_sum + alignment * here.vector
        self.found_weight += alignment

    def pull(self, child: Walker) -> None:
        """Take over what a finished child found, by max (D6)."""
        for key, finding in child.found.items():
            known = self.found.get(key)
            if known is None or finding.alignment > known.alignment:
                self.found[key] = finding
        self.satisfaction = max(self.satisfaction, child.satisfaction)

    def gather(self) -> None:
        """Take over what all its children found."""
        for child in self.children:
            self.pull(child)

    def narratives(self) -> list[float]:
        """Give the alignments of the narratives found."""
        return [each.alignment for each in self.found.values() if each.kind == NARRATIVE]


def hop_along(here: Place, candidate: Candidate, p: ExplorationParameters) -> Hop:
    """Make the hop that a candidate stands for."""
    links, place = here.links, candidate.place
    row = -1 if links.own is None else int(links.own.rows[place])
    own = False
    if links.own is not None and row >= 0:
        own = p.coloured_novelty == "literal" or not links.own.coloured[row]
    if links.own is not None and own:
        vector = links.own.vectors[row].astype(np.float64)
    else:
        vector = mean_of_ends(here.vector, links.vectors[links.rows[place]].astype(np.float64))
    emotions = () if links.emotions is None else tuple(np.round(links.emotions[place].astype(np.float64), 9).tolist())
    return Hop(
        int(links.numbers[place]),
        here.number,
        links.ids[place],
        here.id,
        links.end_ids[place],
        round(float(links.hierarchy[place]), 9),
        round(float(links.permanence[place]), 9),
        vector,
        own,
        here.vector,
        emotions,
    )


def mean_of_ends(a: Vector, b: Vector) -> Vector:
    """Give the vector of a link that has none of its own: the mean of its ends, zero if one has none.

    >>> mean_of_ends(unit([1.0, 0.0]), unit([0.0, 1.0])).round(4).tolist()
    [0.7071, 0.7071]
    """
    between = float(a @ b)
    square = 2.0 + 2.0 * between
    if square <= NO_LENGTH or (between == 0.0 and not (a.any() and b.any())):
        return np.zeros_like(a)
    return on_grid((a + b) / math.sqrt(square))


def child_vector(parent: Vector, via: Vector) -> Vector:
    """Start a child's vector from its parent's and the link it comes by (D15).

    >>> child_vector(unit([1.0, 0.0]), unit([0.0, 1.0])).round(4).tolist()
    [0.7071, 0.7071]
    """
    return unit((parent + via) / 2.0)

"""What the walkers of one exploration share, and what they will leave behind."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from asterism.core.walkers.crystals import Colour, Narrative, colours
from asterism.core.walkers.formulas import injection, weight_gain
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import MOMENT, Place
from asterism.core.walkers.scoring import Candidate, rank
from asterism.core.walkers.states import State
from asterism.core.walkers.vectors import Vector
from asterism.core.walkers.walker import LookAround, Question, Walker


@dataclass(eq=False)
class Tour:
    """What the walkers of one exploration share: the question, the rules, and what will be left behind."""

    question: Question
    p: ExplorationParameters
    walkers: list[Walker] = field(default_factory=list)
    forgotten: Collection[str] = ()  # narratives that are not to be made again
    energy: dict[str, float] = field(default_factory=dict)
    weight: dict[str, float] = field(default_factory=dict)
    coloured: dict[str, Colour] = field(default_factory=dict)  # each link once (D14)
    made: dict[str, Narrative] = field(default_factory=dict)  # each once: the same again is the first
    places: int = 1  # walkers there are, or will be when the round is over
    declined_branches: int = 0
    backtracks: int = 0
    alignments: list[float] = field(default_factory=list)  # of the links walked
    divergences: list[float] = field(default_factory=list)

    def inject(self, walker: Walker, state: State) -> None:
        """Leave energy where the walker stands, and what of it stays as weight."""
        assert walker.here is not None
        node, injected = walker.here.id, injection(walker.criticality, state)
        self.energy[node] = self.energy.get(node, 0.0) + injected
        self.weight[node] = self.weight.get(node, 0.0) + weight_gain(injected, walker.here.permanence)

    def reserve(self, count: int) -> bool:
        """Keep places for children, first come first served in the order of walkers; count who finds none (D20)."""
        if self.places + count > self.p.max_walkers:
            self.declined_branches += 1
            return False
        self.places += count
        return True

    def colour(self, walker: Walker, vector: Vector, boost: float) -> int:
        """Colour a walker's own part of the path; a link coloured before in this tree stays as it is."""
        new = [each for each in colours(walker.path, vector, boost) if each.link not in self.coloured]
        self.coloured |= {each.link: each for each in new}
        return len(new)

    def ranked(self, walker: Walker, here: Place) -> list[Candidate]:
        """Score the links of the walker's node, without those in its path (D8): at a moment, enough for a branch.

        Links that lead straight back are left out, too. A branch looks again at what seeking saw, unless a sibling has
        moved since.
        """
        beside = [sibling.vector for sibling in walker.siblings]
        if walker.looked is not None and walker.looked.still(walker.depth, beside):
            return walker.looked.candidates
        found = self._ranked(walker, here, beside)
        walker.looked = LookAround(walker.depth, beside, found)
        return found

    def _ranked(self, walker: Walker, here: Place, beside: list[Vector]) -> list[Candidate]:
        p, probes, walked = self.p, walker.probes(here, self.question, beside), walked_at(walker, here)
        left = walker.walked[-1].left if walker.walked and p.straight_back == "no" else None
        wanted = max(p.max_children, p.min_branch_links)
        most = max(p.trace_candidates, wanted)
        while True:
            found = rank(here, probes, walked, p, most=most, left=left)
            all_good = len(found) == most and found[-1].score >= p.min_link_score
            if here.kind != MOMENT or not all_good or len(one_per_end(found, here)) >= wanted:
                return found
            most *= 4  # several links to one node

    def took(self, candidate: Candidate) -> None:
        """Count a link that was walked."""
        self.alignments.append(candidate.alignment)
        self.divergences.append(candidate.sibling_divergence)

    @property
    def narratives(self) -> list[Narrative]:
        """Give the narratives that were made, in the order of the trace."""
        return list(self.made.values())


def one_per_end(candidates: list[Candidate], here: Place) -> list[Candidate]:
    """Keep the best link to each node."""
    best: dict[int, Candidate] = {}
    for each in candidates:
        best.setdefault(int(here.links.ends[each.place]), each)
    return list(best.values())


def walked_at(walker: Walker, here: Place) -> set[int]:
    """Name the links of a node that a walker has walked."""
    return {hop.link for hop in walker.walked if here.id in (hop.start, hop.end)}

"""The constants of exploration: the seed's names, defaults and sections, and the overlay `origin`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from asterism.core.ledger.parameters import Parameters, Setting, choice, count, number


@dataclass(frozen=True, kw_only=True)
class ExplorationParameters(Parameters):
    """Every number of spec 03; source 002 is the original document, 03 our page with decisions D1..D20."""

    # How far
    max_depth: int = count(10, 1, 1000, "hops", "002 Complexity, D4", "most links between the start and a walker")
    max_children: int = count(3, 2, 100, "walkers", "002 Branching 2", "most children of one branch")
    max_steps: int = count(1_000, 1, 1_000_000, "steps", "03 Defaults", "most steps of one walker")
    max_walkers: int = count(128, 1, 100_000, "walkers", "03 Defaults, D20", "most walkers of one exploration")
    deadline_seconds: float = number(30, 0, 86_400, "s", "002 Complexity", "longest exploration")

    # Which link
    intention_weight: float = number(0.25, 0, 1, "factor", "002 Seeking 3", "share of the intention in alignment")
    min_link_score: float = number(0.005, 0, 1, "score", "002 Seeking 4, D17", "below this no link is walked")
    min_branch_links: int = count(2, 2, 1000, "links", "002 Seeking 5", "scoring links that a branch needs")
    branch_share: float = number(0.5, 0, 1, "share", "03 Branching", "least score of a branch, of the best one's")
    coloured_novelty: str = choice(
        "ends", ("ends", "literal"), "03 D17", "what a coloured link is compared by with its path: ends, or its colour"
    )
    straight_back: str = choice(
        "no",
        ("no", "literal"),
        "03 D8",
        "whether a second link to the node just left is walked (literal: like any other)",
    )
    link_permanence: float = number(0.5, 0, 1, "permanence", "03 Graph", "permanence of a link that has none")
    link_polarity: float = number(0.5, 0, 1, "polarity", "03 Graph", "polarity of a link that has no strength")
    directed_back: float = number(0.5, 0, 1, "factor", "03 Graph", "polarity of a directed link walked backwards")

    # When it is enough
    satisfaction_threshold: float = number(0.8, 0, 1, "satisfaction", "002 Resonating 6", "from here a walker is done")
    useful_satisfaction: float = number(0.5, 0, 1, "satisfaction", "002 Reflecting 1", "above this a path was useful")
    fatigue_window: int = count(5, 1, 1000, "hops", "002 Awareness 3", "hops without progress that tire a walker")
    fatigue_threshold: float = number(0.05, 0, 2, "cosine", "002 Awareness 3, D10", "below this a hop is no progress")
    awareness_threshold: float = number(0.2, 0, 1, "hierarchy", "002 Awareness 1", "above this a link leads up or down")

    # What is new
    absorb_alignment: float = number(0.7, -1, 1, "cosine", "002 Absorbing 4", "above this content is aligned")
    absorb_novelty: float = number(0.7, 0, 1, "novelty", "002 Absorbing 4", "above this content is novel")
    child_match: float = number(0.9, 0, 1, "alignment", "002 Awareness 4, D11", "from here a found narrative is enough")
    nearest_narrative: float = number(0.85, 0, 1, "cosine", "03 D11", "from here an existing narrative is enough")
    crystal_query: float = number(0.4, 0, 10, "weight", "002 Seeking 9, D13", "the query in a walker's vector")
    crystal_intention: float = number(0.25, 0, 10, "weight", "002 Seeking 9, D13", "the intention in it")
    crystal_position: float = number(0.3, 0, 10, "weight", "002 Seeking 9, D13", "where it stands, in it")
    crystal_found: float = number(0.2, 0, 10, "weight", "002 Seeking 9, D13", "what it found, in it")
    crystal_path: float = number(0.1, 0, 10, "weight", "002 Seeking 9, D13", "the links of its path, in it")
    narrative_polarity: float = number(0.8, 0, 1, "polarity", "002 Crystallizing 2", "of a narrative's links, forwards")
    narrative_polarity_back: float = number(0.2, 0, 1, "polarity", "002 Crystallizing 2", "of them, backwards")
    focus_characters: int = count(300, 0, 5_000, "characters", "03 D19", "of the focus in a narrative's content")

    # What stays behind
    attenuation_rate: float = number(0.8, 0, 1, "factor", "002 Reflecting 2, D14", "what each hop leaves of a colour")
    colour_blend: float = number(0.3, 0, 1, "share", "03 D14", "of the colour in the last link, at permanence 0")
    boost_useful: float = number(0.05, 0, 1, "permanence", "002 Reflecting 2", "gain of a useful path, x satisfaction")
    boost_crystallized: float = number(
        0.1, 0, 1, "permanence", "002 Crystallizing 4", "gain of a path to a new narrative"
    )
    colours_kept: int = count(32, 1, 10_000, "colours", "00 point 7", "colours kept of a link, the latest")
    node_energy_max: float = number(1_000, 0, 1e12, "energy", "00 point 7", "most energy that a node gathers")
    node_weight_max: float = number(1_000, 1, 1e12, "weight", "00 point 7", "most weight that a node gathers")

    # What is told
    trace_candidates: int = count(4, 1, 1000, "links", "03 Result", "best links that a step of the trace shows")
    trace_steps: int = count(20_000, 0, 10_000_000, "steps", "00 point 7", "steps that a trace keeps, the first")

    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "seed": {},
        "origin": {"min_link_score": 0.1, "coloured_novelty": "literal", "straight_back": "literal"},
    }

    def contradictions(self) -> list[str]:
        """A walker's vector needs the query or where it stands, or it would have none."""
        if self.crystal_query == self.crystal_position == 0:
            return ["crystal_query and crystal_position are both 0: a walker would have no vector"]
        return []

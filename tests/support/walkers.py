"""Small graphs to walk on, and random ones, shared by the tests of exploration."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from asterism.core.ledger.parameters import Setting
from asterism.core.walkers.expedition import Expedition, run
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import KINDS
from asterism.core.walkers.vectors import unit
from asterism.core.walkers.walker import Question

Numbers = Sequence[float]


class Node(NamedTuple):
    """A node of a small graph."""

    id: str
    kind: str
    vector: Numbers
    content: str = ""
    permanence: float | None = None


class Link(NamedTuple):
    """A link of a small graph; its place in the list is its number, and its id sorts the same."""

    a: str
    b: str
    polarity: tuple[float, float] = (1.0, 1.0)
    permanence: float = 0.0
    hierarchy: float = 0.0
    vector: Numbers | None = None
    colour: Numbers | None = None
    emotions: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    walkable: bool = True


def toward(degrees: float) -> list[float]:
    """Give a direction in the plane."""
    return [math.cos(math.radians(degrees)), math.sin(math.radians(degrees))]


def graph(nodes: Sequence[Node], links: Sequence[Link]) -> WalkGraph:
    """Build a graph of a few nodes; links are named l00, l01, .."""
    row = {node.id: number for number, node in enumerate(nodes)}
    stays = [0.5 if node.permanence is None else node.permanence for node in nodes]
    return WalkGraph.build(
        ids=[node.id for node in nodes],
        kinds=[node.kind for node in nodes],
        vectors=np.array([node.vector for node in nodes], dtype=np.float64),
        names=[node.id.upper() for node in nodes],
        contents=[node.content for node in nodes],
        node_permanence=stays,
        a=[row[link.a] for link in links],
        b=[row[link.b] for link in links],
        link_ids=[f"l{number:02}" for number in range(len(links))],
        polarity=np.array([link.polarity for link in links]).reshape(-1, 2),
        permanence=[link.permanence for link in links],
        hierarchy=[link.hierarchy for link in links],
        walkable=[link.walkable for link in links],
        emotions=np.array([link.emotions for link in links]).reshape(-1, 4),
        link_vectors={number: link.vector for number, link in enumerate(links) if link.vector is not None},
        colours={number: link.colour for number, link in enumerate(links) if link.colour is not None},
    )


def asking(query: Numbers, intention: Numbers | None = None) -> Question:
    """Ask for a direction."""
    if intention is None:
        return Question("what", unit(query))
    return Question("what", unit(query), "why", unit(intention))


def sent(
    place: WalkGraph, start: str, query: Numbers, intention: Numbers | None = None, **parameters: Setting
) -> Expedition:
    """Prepare an exploration."""
    number = place.number(start)
    assert number is not None
    return Expedition(asking(query, intention), place.look(number), rules(**parameters))


def explored(
    place: WalkGraph, start: str, query: Numbers, intention: Numbers | None = None, **parameters: Setting
) -> Expedition:
    """Explore to the end."""
    return run(sent(place, start, query, intention, **parameters), place.answer)


def rules(**parameters: Setting) -> ExplorationParameters:
    """Build parameters that differ from the seed's."""
    return ExplorationParameters.build("seed", parameters)


def states(expedition: Expedition, walker: str = "0") -> list[str]:
    """Give the states a walker went through."""
    return [step.state for step in expedition.trace if step.walker == walker]


# --- random graphs ------------------------------------------------------------------------------------------------

SHARES = st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0])
COMPONENTS = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0, 2.0])
DIMENSION = 3


def directions(*, perhaps_none: bool = True) -> st.SearchStrategy[list[float]]:
    """Draw vectors; some are zero: there is none."""
    drawn = st.lists(COMPONENTS, min_size=DIMENSION, max_size=DIMENSION)
    return drawn if perhaps_none else drawn.filter(any)


@st.composite
def graphs(draw: st.DrawFn, *, most: int = 7, kinds: Sequence[str] = KINDS) -> WalkGraph:
    """Draw graphs with circles, hubs, links to themselves, links side by side, and nodes that are all alike."""
    count = draw(st.integers(1, most))
    alike = draw(st.booleans())
    same = draw(directions())
    nodes = [
        Node(
            f"n{number}",
            draw(st.sampled_from(kinds)),
            same if alike else draw(directions()),
            draw(st.sampled_from(["", "text", "x" * 400])),
        )
        for number in range(count)
    ]
    hub = draw(st.booleans())
    ends = st.integers(0, count - 1)
    links = [
        Link(
            "n0" if hub else f"n{draw(ends)}",
            f"n{draw(ends)}",
            polarity=(draw(SHARES), draw(SHARES)),
            permanence=draw(SHARES),
            hierarchy=draw(st.sampled_from([-1.0, -0.2, 0.0, 0.3])),
            vector=draw(st.none() | directions(perhaps_none=False)),
            colour=draw(st.none() | directions(perhaps_none=False)),
        )
        for _ in range(draw(st.integers(0, 14)))
    ]
    return graph(nodes, links)


@st.composite
def settings_drawn(draw: st.DrawFn) -> Mapping[str, Setting]:
    """Draw parameters that make walks short, wide, tired or easily satisfied."""
    return {
        "max_depth": draw(st.integers(1, 6)),
        "max_steps": draw(st.integers(1, 30)),
        "max_walkers": draw(st.integers(1, 12)),
        "max_children": draw(st.integers(2, 4)),
        "min_link_score": draw(st.sampled_from([0.0, 0.005, 0.1])),
        "satisfaction_threshold": draw(st.sampled_from([0.1, 0.4, 0.8])),
        "fatigue_window": draw(st.integers(1, 5)),
        "nearest_narrative": draw(st.sampled_from([0.5, 0.85, 1.0])),
    }


def line(*nodes: Node) -> tuple[list[Node], list[Link]]:
    """Put nodes in a row, each linked to the next."""
    return list(nodes), [Link(a.id, b.id) for a, b in pairwise(nodes)]


def branch(**kinds: str) -> tuple[list[Node], list[Link]]:
    """Put a moment before two ends, b and c, at 20 and 340 degrees."""
    nodes = [Node("m", "moment", toward(0))]
    nodes += [Node(name, kinds.get(name, "place"), toward(angle), "text") for name, angle in (("b", 20), ("c", -20))]
    return nodes, [Link("m", "b"), Link("m", "c")]


def step(expedition: Expedition, place: WalkGraph) -> None:
    for asked in expedition.ask():
        asked.answer = place.answer(asked.request)
    expedition.settle()

"""A graph that is changed is the graph that is built with the change; what was handed out before stays as it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.walkers.changing import Change, NewLink, NewNode, Recoloured
from asterism.core.walkers.fold import RECENT, Mark, Touched, Walks, folded
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.places import KINDS
from asterism.core.walkers.vectors import unit
from tests.core.walkers.test_fold import SEED, row
from tests.support.walkers import toward

DEGREES = st.integers(0, 35).map(lambda number: toward(10.0 * number))
Step = tuple[list[list[float]], list[NewLink], list[tuple[int, float, list[float] | None]], float]
SHARE = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@dataclass
class Told:
    """A graph as lists, to be built at once or changed step by step."""

    nodes: list[list[float]] = field(default_factory=list)
    links: dict[str, NewLink] = field(default_factory=dict)
    permanence: dict[str, float] = field(default_factory=dict)
    colours: dict[str, list[float]] = field(default_factory=dict)
    weight: dict[int, float] = field(default_factory=dict)
    energy: dict[int, float] = field(default_factory=dict)

    def built(self) -> WalkGraph:
        ids, size = sorted(self.links), len(self.nodes)
        links = [self.links[name] for name in ids]
        return WalkGraph.build(
            ids=[f"n{number}" for number in range(size)],
            kinds=[KINDS[number % len(KINDS)] for number in range(size)],
            vectors=np.array(self.nodes).reshape(-1, 2),
            a=[each.a for each in links],
            b=[each.b for each in links],
            link_ids=ids,
            polarity=np.array([(each.forth, each.back) for each in links]).reshape(-1, 2),
            hierarchy=[each.hierarchy for each in links],
            permanence=[self.permanence.get(name, self.links[name].permanence) for name in ids],
            colours={place: self.colours[name] for place, name in enumerate(ids) if name in self.colours},
            names=[f"N{number}" for number in range(size)],
            contents=[f"text {number}" for number in range(size)],
            weight=[self.weight.get(number, 0.0) for number in range(size)],
            energy=[self.energy.get(number, 0.0) for number in range(size)],
        )


@st.composite
def changes(
    draw: st.DrawFn,
) -> list[Step]:
    """Draw a beginning and some changes: nodes, links, and which links are recoloured."""
    found, size, names = [], 0, set[str]()
    for number in range(draw(st.integers(2, 5))):
        nodes = draw(st.lists(DEGREES, min_size=2 if number == 0 else 0, max_size=4))
        size += len(nodes)
        links = []
        for _ in range(draw(st.integers(0, 4))):
            name = draw(st.sampled_from([f"l{place:02}" for place in range(40)]))
            if name not in names:
                names.add(name)
                ends = draw(st.integers(0, size - 1)), draw(st.integers(0, size - 1))
                links.append(NewLink(name, *ends, *(draw(SHARE) for _ in range(4))))
        links.sort()
        coloured = [
            (draw(st.integers(0, 100)), draw(SHARE), draw(st.one_of(st.none(), DEGREES)))
            for _ in range(draw(st.integers(0, 3)) if number and names else 0)
        ]
        found.append((nodes, links, coloured, draw(SHARE)))
    return found


def said(place: WalkGraph) -> dict[str, object]:
    """Say what a walker sees, by ids."""
    told: dict[str, object] = {}
    for number in range(len(place)):
        here = place.look(number)
        links = here.links
        own: list[object] = [None] * len(links)
        if links.own is not None:
            for at, row in enumerate(links.own.rows.tolist()):
                if row >= 0:
                    own[at] = (links.own.vectors[row].tolist(), bool(links.own.coloured[row]))
        told[here.id] = (
            (here.kind, here.name, here.content, here.permanence, here.vector.tolist()),
            (place.weight.item(number), place.energy.item(number)),
            [links.ids[at] for at in range(len(links))],
            [links.end_ids[at] for at in range(len(links))],
            [links.vectors[row].tolist() for row in links.rows.tolist()],
            [column.tolist() for column in (links.polarity, links.hierarchy, links.permanence)],
            own,
        )
    return told


@given(changes())
@settings(max_examples=80)
def test_a_changed_graph_is_the_one_that_is_built_with_the_change(
    steps: Sequence[Step],
) -> None:
    told = Told()
    nodes, links, _, weight = steps[0]
    told.nodes, told.links, told.weight = list(nodes), {each.id: each for each in links}, {0: weight}
    place, numbers = told.built(), {each.id: number for number, each in enumerate(links)}
    for nodes, links, coloured, weight in steps[1:]:
        before, earlier = place, said(place)
        numbers |= {each.id: len(numbers) + at for at, each in enumerate(links)}
        first = len(told.nodes)
        told.nodes += nodes
        told.links |= {each.id: each for each in links}
        ids = sorted(numbers)
        recoloured = {}
        for number, permanence, colour in coloured:
            name = ids[number % len(ids)]
            told.permanence[name] = permanence
            told.colours.pop(name, None)
            if colour is not None:
                told.colours[name] = colour
            recoloured[numbers[name]] = Recoloured(permanence, None if colour is None else unit(colour))
        of_number = {number: name for name, number in numbers.items()}
        told.weight[0] = weight
        told.energy[len(told.nodes) - 1] = weight
        place = place.changed(
            Change(
                nodes=[
                    NewNode(f"n{at}", at % len(KINDS), f"N{at}", f"text {at}", vector)
                    for at, vector in enumerate(nodes, first)
                ],
                links=links,
                recoloured=recoloured,
                ends={each: (told.links[of_number[each]].a, told.links[of_number[each]].b) for each in recoloured},
                weight={0: weight},
                energy={len(told.nodes) - 1: weight},
            )
        )
        assert said(place) == said(told.built())
        assert said(before) == earlier
        assert place.number(f"n{first}") == (first if nodes else None)
        assert before.number(f"n{first}") is None


def test_two_graphs_that_go_on_from_one_do_not_meet() -> None:
    told = Told(nodes=[toward(0), toward(10)], weight={0: 1.0})
    place = told.built()
    one, other = (place.changed(Change(nodes=[NewNode("new", 0, "", "", toward(each))])) for each in (40, 80))
    assert one.vectors[2].tolist() != other.vectors[2].tolist()
    left, right = (place.changed(Change(nodes=[NewNode(each, 0, "", "", toward(0))])) for each in ("left", "right"))
    assert [left.number("left"), right.number("right")] == [2, 2]
    assert [left.number("right"), right.number("left"), place.number("left")] == [None, None, None]
    many = place
    for number in range(100):  # more than there was room for
        many = many.changed(Change(nodes=[NewNode(f"more{number}", 0, "", "", toward(number))]))
    assert len(many) == len(many.vectors) == 102
    assert many.vectors[:2].tolist() == place.vectors.tolist()


# What explorations changed


def test_walks_say_what_the_last_explorations_changed() -> None:
    walks = Walks(SEED)
    begun = walks.mark
    assert walks.touched_since(begun) == Touched()
    item = row()
    walks.apply(item.payload, item.at, item.id)
    touched = walks.touched_since(begun)
    assert touched is not None
    assert set(touched.nodes) == walks.energy.keys()
    assert touched.links == walks.permanence.keys()
    assert set(touched.narratives) == walks.narratives.keys()
    assert set(touched.ties) == walks.ties.keys()
    again = row(at=2)
    walks.apply(again.payload, again.at, again.id)
    both = walks.touched_since(begun)
    assert both is not None
    assert both.narratives == touched.narratives  # it was there already
    assert walks.touched_since(walks.mark) == Touched()


def test_what_is_too_long_ago_or_of_other_walks_is_not_known() -> None:
    walks, item = Walks(SEED), row()
    begun = walks.mark
    for at in range(1, RECENT + 2):
        walks.apply(item.payload, at, item.id)
    assert walks.touched_since(begun) is None
    mark = walks.mark
    assert walks.copy().touched_since(mark) is None
    assert folded([item], SEED).touched_since(mark) is None
    assert walks.touched_since(Mark(object(), 0)) is None
    (name,) = walks.narratives
    walks.apply({"narrative": name}, RECENT + 2, item.id, "narrative_forgotten")
    assert walks.touched_since(mark) is None


def test_building_a_graph_can_be_ended_between_portions() -> None:
    ticks = []
    WalkGraph.build(ids=["a"], kinds=["place"], vectors=[[1.0]], a=[], b=[], tick=lambda: ticks.append(1))
    assert ticks == [1]

"""What explorations left, laid over the graph that is walked: under the ids that nodes and links have now.

It is laid over a graph once when that is built (`walked`), and from then on where another exploration changed it
(`changes`); both give the same graph.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.read import standing
from asterism.core.ledger.graph import Edge, Entry
from asterism.core.ledger.model import kind_in, link_id, possible_ends
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.walkers.changing import Change, NewLink, NewNode, Recoloured
from asterism.core.walkers.fold import Touched
from asterism.core.walkers.graph import NARRATIVE_CODE, WalkGraph
from asterism.core.walkers.laying import laid
from asterism.core.walkers.shown import edge_of
from asterism.core.walkers.walker import mean_of_ends
from asterism.engine.explore.edges import Edges
from asterism.engine.recall.answer import Sight

SHOWN_NAME = 80  # characters

Given = Callable[[int], tuple[int, int, float]]  # the ends of a link by its number, and the permanence it was given


def shown_name(entry: Entry) -> str:
    """Call an entry by its name, or by the beginning of its text."""
    return entry.name or " ".join(entry.text[: 8 * SHOWN_NAME].split())[:SHOWN_NAME]


# All at once


def walked(seen: Sight, bare: WalkGraph, edges: Edges, links: dict[str, int]) -> WalkGraph:
    """Lay what explorations left over nodes and links: energy, weight, permanence, colours."""
    folded, made = seen.folded, seen.folded.walks.narratives
    over = laid(
        folded.walks,
        links=links,
        a=edges.a,
        b=edges.b,
        vectors=bare.vectors,
        permanence=edges.permanence,
        embedder=seen.recaller.texts.embedder.identity,
        stands=_standing_links(folded.blocks),
    )
    weight, energy = np.ones(len(bare)), np.zeros(len(bare))
    for name in {standing(folded.blocks, name) for name in (*folded.walks.weight, *folded.walks.energy)} | made.keys():
        row = bare.number(name)
        if row is not None:
            weight[row], energy[row] = _gathered(folded, name)
    return replace(
        bare.recoloured(permanence=over.permanence, colours=over.colours),
        weight=weight,
        energy=energy,
        permanence=weight / (weight + 1.0),
    )


def names_before(folded: Projection) -> dict[str, list[str]]:
    """Give the ids that coloured links had before, by those they have now."""
    stands, found = _standing_links(folded.blocks), dict[str, list[str]]()
    for name in sorted(folded.walks.permanence) if folded.blocks.forebears else ():
        if (link := stands(name)) != name:
            found.setdefault(link, []).append(name)
    return found


# Where something changed


def changes(
    touched: Touched,
    seen: Sight,
    graph: WalkGraph,
    *,
    numbers: Mapping[str, int],
    given: Given,
    before: dict[str, list[str]],
) -> tuple[Change, Edges] | None:
    """Say what explorations changed, and which links are new; None if all of it has to be built again."""
    folded, index, entries = seen.folded, seen.recaller.index, seen.recaller.entries
    made = folded.walks.narratives
    fresh = [name for name in touched.narratives if name in made and name in index.rows and graph.number(name) is None]
    rows = {name: number for number, name in enumerate(fresh, len(graph))}
    for name in touched.nodes:
        _know(rows, standing(folded.blocks, name), graph)
    ties = _ties(touched, folded, index.rows.keys())
    for edge in ties:
        _know(rows, edge.a, graph)
        _know(rows, edge.b, graph)
    ties = [edge for edge in ties if edge.a in rows and edge.b in rows]
    edges = Edges.of(ties, rows, folded.parameters.exploration)
    if edges.emotions is not None or any(name in numbers or name in folded.walks.permanence for name in edges.ids):
        return None
    nodes = [
        NewNode(name, NARRATIVE_CODE, shown_name(entries[name]), entries[name].text, _vector(seen, name))
        for name in fresh
    ]
    recoloured, ends = _recoloured(touched.links, seen, graph, numbers, given, before)
    gathered = {row: _gathered(folded, name) for name, row in rows.items()}
    return (
        Change(
            nodes=nodes,
            links=_new_links(edges),
            recoloured=recoloured,
            ends=ends,
            weight={row: weight for row, (weight, _) in gathered.items()},
            energy={row: energy for row, (_, energy) in gathered.items()},
        ),
        edges,
    )


def _know(rows: dict[str, int], name: str, graph: WalkGraph) -> None:
    """Note the number of a node, if it is there."""
    row = rows.get(name, graph.number(name))
    if row is not None:
        rows[name] = row


def _vector(seen: Sight, name: str) -> list[float]:
    vector: list[float] = seen.recaller.meaning.entries[seen.recaller.index.rows[name]].tolist()
    return vector


def _ties(touched: Touched, folded: Projection, among: Iterable[str]) -> list[Edge]:
    """Give the links that narratives brought, under the ids that their ends have now."""
    graph, found = SpaceGraph(folded), []
    for ends in sorted(set(touched.ties) & folded.walks.ties.keys()):
        edge = edge_of(folded.walks.ties[ends])
        a, b = (end if end in among else graph.standing(end) for end in (edge.a, edge.b))
        if a != b:
            found.append(edge._replace(a=a, b=b))
    return found


def _new_links(edges: Edges) -> list[NewLink]:
    columns = (edges.a, edges.b, edges.polarity[:, 0], edges.polarity[:, 1], edges.hierarchy, edges.permanence)
    return [NewLink(*row) for row in zip(edges.ids, *(column.tolist() for column in columns), strict=True)]


def _recoloured(
    links: Iterable[str],
    seen: Sight,
    graph: WalkGraph,
    numbers: Mapping[str, int],
    given: Given,
    before: dict[str, list[str]],
) -> tuple[dict[int, Recoloured], dict[int, tuple[int, int]]]:
    """Give what links are now, and their ends; those that are gone since, or asleep, are left out."""
    walks, stands = seen.folded.walks, _standing_links(seen.folded.blocks)
    identity, now = seen.recaller.texts.embedder.identity, set[str]()
    for name in links:
        link = stands(name)
        now.add(link)
        if link != name and name not in before.setdefault(link, []):
            insort(before[link], name)
    found, ends = dict[int, Recoloured](), dict[int, tuple[int, int]]()
    for link in now & numbers.keys():
        number, earlier = numbers[link], before.get(link, ())
        a, b, permanence = given(number)
        base = mean_of_ends(graph.vectors[a].astype(np.float64), graph.vectors[b].astype(np.float64))
        colour = walks.link_vector(link, base, embedder=identity, before=earlier) if base.any() else None
        found[number] = Recoloured(walks.link_permanence(link, permanence, before=earlier), colour)
        ends[number] = a, b
    return found, ends


# Under the ids of now


def _gathered(folded: Projection, name: str) -> tuple[float, float]:
    """Give the weight and the energy of a node: its own, and what it and those whose place it took gained."""
    blocks, walks, p = folded.blocks, folded.walks, folded.parameters.exploration
    made = walks.narratives.get(name)
    family = blocks.family(name) if name in blocks.blocks and blocks.forebears else [name]
    weight = energy = 0.0
    for each in family:
        if each == name or standing(blocks, each) == name:
            weight = min(p.node_weight_max, weight + walks.weight.get(each, 0.0))
            energy = min(p.node_energy_max, energy + walks.energy.get(each, 0.0))
    return (1.0 if made is None else made.weight) + weight, (0.0 if made is None else made.energy) + energy


def _standing_links(blocks: Blocks) -> Callable[[str], str]:
    """Give what names a link as it is called now."""
    return partial(_standing_link, blocks) if blocks.forebears else str


def _standing_link(blocks: Blocks, link: str) -> str:
    """Give the id that a link has now, if one of its ends is a block; the other may be any node, with any signs."""
    known = (ends for ends in possible_ends(link) if not blocks.blocks.keys().isdisjoint(ends))
    a, b = next(known, ("", ""))
    return link_id(standing(blocks, a), standing(blocks, b), kind_in(link)) if b else link

"""The memory as a graph to walk: nodes, vectors and walkable links of what is folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.read import standing
from asterism.core.ledger.columns import Rows
from asterism.core.ledger.graph import Edge, Entry
from asterism.core.ledger.items import Position
from asterism.core.ledger.model import kind_in, link_id, link_ids, possible_ends
from asterism.core.recall.index import Index
from asterism.core.recall.links import named
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.laying import laid
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import EMOTIONS, KINDS, THING, Shares
from asterism.engine.recall.answer import Sight
from asterism.engine.recall.recaller import Recaller
from asterism.engine.space.live import Live
from asterism.errors import InputError
from asterism.hints import Blank, Hint, in_python, mention, step

TICKS = 2_048  # names or links between two looks at a clock

Tick = Callable[[], None]
STILL = (0.0,) * EMOTIONS


class Edges(NamedTuple):
    """Links as a walker sees them, as columns in the order of their ids: so many small objects would keep the
    collector busy.
    """

    ids: list[str]
    a: Rows
    b: Rows
    polarity: Shares  # two columns
    hierarchy: Shares
    permanence: Shares
    emotions: Shares | None

    @classmethod
    def of(
        cls, edges: list[Edge], rows: Mapping[str, int], p: ExplorationParameters, *, tick: Tick | None = None
    ) -> Edges:
        """Gather links, of two with one id the stronger; against its direction a link carries less."""
        places: dict[str, int] = {}
        numbers: list[float] = []  # six of each link
        felt: list[tuple[float, ...]] = []
        for count, (name, edge) in enumerate(zip(link_ids(edge[:3] for edge in edges), edges, strict=True)):
            weaker = edge.strength * p.directed_back
            forth = weaker if edge.way < 0 else edge.strength
            back = edge.back if edge.back is not None else weaker if edge.way > 0 else edge.strength
            stays = p.link_permanence if edge.permanence is None else edge.permanence
            row = (rows[edge.a], rows[edge.b], forth, back, edge.hierarchy, stays)
            place = places.setdefault(name, len(places))
            if place == len(felt):
                numbers += row
                felt.append(edge.emotions or STILL)
            elif forth > numbers[6 * place + 2]:
                numbers[6 * place : 6 * place + 6] = row
                felt[place] = edge.emotions or STILL
            if tick is not None and count % TICKS == 0:
                tick()
        ids = sorted(places)
        order = np.fromiter((places[name] for name in ids), dtype=np.intp, count=len(ids))
        table = np.array(numbers).reshape(-1, 6)[order]
        shares = table[:, 2:].astype(np.float32)
        return cls(
            ids,
            table[:, 0].astype(np.intp),
            table[:, 1].astype(np.intp),
            shares[:, :2],
            shares[:, 2],
            shares[:, 3],
            np.array(felt, dtype=np.float32)[order] if any(map(any, felt)) else None,
        )


@dataclass(frozen=True)
class Kept:
    """Nodes and links of a state: they are used again until something else than an exploration changes them."""

    shape: tuple[object, ...]  # what they were made of
    edges: Edges
    links: dict[str, int]  # numbers of the edges
    bare: WalkGraph  # as if nobody had walked there
    walks: tuple[int, Position | None]  # how many explorations it was walked by, and the last
    graph: WalkGraph


def graph_of(live: Live, seen: Sight, *, tick: Tick | None = None) -> WalkGraph:
    """Give everything that can be recalled as nodes, with the links between them that are awake.

    It is used again until the memory changes. `tick` is called now and then while it is built, and may end that.
    """
    folded, recaller = seen.folded, seen.recaller
    walks = folded.walks
    walked = (walks.explorations, walks.position)
    # It rises with every item of another kind and never falls: what arrives raises the first, an exploration both, and
    # one that is erased lowers the second. (A revision of the graph tells of nodes and names; strengths count too.)
    told = live.seq - walks.explorations
    shape = (
        live.parameters,
        told,
        folded.day,
        round(folded.blocks.hours_now, 1),
        recaller.state[:2],  # entries and vectors
        walks.revision,  # narratives and their links
    )
    kept = recaller.kept
    if not isinstance(kept, Kept) or kept.shape != shape:
        ids = sorted(recaller.index.rows)
        rows = {name: row for row, name in enumerate(ids)}
        edges = Edges.of(_links(folded, recaller.index, tick), rows, folded.parameters.exploration, tick=tick)
        bare = _built(recaller, ids, edges)
        if tick is not None:
            tick()
        links = {name: number for number, name in enumerate(edges.ids)}
        kept = Kept(shape, edges, links, bare, walked, _walked(seen, bare, edges, links))
    elif kept.walks != walked:
        kept = replace(kept, walks=walked, graph=_walked(seen, kept.bare, kept.edges, kept.links))
    recaller.kept = kept
    return kept.graph


def _built(recaller: Recaller, ids: list[str], edges: Edges) -> WalkGraph:
    if not ids:
        more = in_python(" something, or read a transcript", otherwise=Hint(", or ", mention("read_transcript")))
        hint = Hint(step("learn", Blank("content")), more)
        raise InputError("there is nothing to explore", code="empty_space", hint=hint)
    order = [recaller.index.rows[name] for name in ids]
    kinds, numbers = recaller.index.labels["kind"].texts, recaller.index.facts.kind
    return WalkGraph.build(
        ids=ids,
        kinds=[kind if (kind := kinds[numbers[row]]) in KINDS else THING for row in order],
        vectors=recaller.meaning.entries[order],
        a=edges.a,
        b=edges.b,
        link_ids=edges.ids,
        polarity=edges.polarity,
        hierarchy=edges.hierarchy,
        emotions=edges.emotions,
        names=[_name(recaller.entries[name]) for name in ids],
        contents=[recaller.entries[name].text for name in ids],
    )


def _walked(seen: Sight, bare: WalkGraph, edges: Edges, links: dict[str, int]) -> WalkGraph:
    """Lay what explorations left over nodes and links: energy, weight, permanence, colours."""
    folded, p = seen.folded, seen.folded.parameters.exploration
    walks = folded.walks
    over = laid(
        walks,
        links=links,
        a=edges.a,
        b=edges.b,
        vectors=bare.vectors,
        permanence=edges.permanence,
        embedder=seen.recaller.texts.embedder.identity,
        stands=partial(_standing_link, folded.blocks) if folded.blocks.forebears else str,
    )
    gathered = _gathered(folded.blocks, walks.weight, p.node_weight_max)
    charged = _gathered(folded.blocks, walks.energy, p.node_energy_max)
    made = walks.narratives
    weight = np.array([(made[name].weight if name in made else 1.0) + gathered.get(name, 0.0) for name in bare.ids])
    energy = np.array([(made[name].energy if name in made else 0.0) + charged.get(name, 0.0) for name in bare.ids])
    return replace(
        bare.recoloured(permanence=over.permanence, colours=over.colours),
        weight=weight,
        energy=energy,
        permanence=weight / (weight + 1.0),
    )


def _gathered(blocks: Blocks, gained: Mapping[str, float], most: float) -> Mapping[str, float]:
    """Add up what nodes gained, under the ids of what stands for them now."""
    if not blocks.forebears:
        return gained
    found: dict[str, float] = {}
    for name in sorted(gained):
        heir = standing(blocks, name)
        found[heir] = min(most, found.get(heir, 0.0) + gained[name])
    return found


def _standing_link(blocks: Blocks, link: str) -> str:
    """Give the id that a link has now, if one of its ends is a block; the other may be any node, with any signs."""
    known = (ends for ends in possible_ends(link) if not blocks.blocks.keys().isdisjoint(ends))
    a, b = next(known, ("", ""))
    return link_id(standing(blocks, a), standing(blocks, b), kind_in(link)) if b else link


def _links(folded: Projection, index: Index, tick: Tick | None) -> list[Edge]:
    """Give every link that is awake, and those that names make."""
    found, names = SpaceGraph(folded).edges(index.rows), index.names.names
    for start in range(0, len(names), TICKS):
        found += named(index, names[start : start + TICKS])
        if tick is not None:
            tick()
    return found


def _name(entry: Entry) -> str:
    return entry.name or " ".join(entry.text.split())[:80]

"""The memory as a graph to walk: nodes, vectors and walkable links of what is folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, islice, product
from typing import NamedTuple

import numpy as np

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.read import standing
from asterism.core.ledger.columns import Rows
from asterism.core.ledger.graph import Entry
from asterism.core.ledger.items import Position
from asterism.core.ledger.model import link_id
from asterism.core.recall.index import Index
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.walkers.fold import JOINED
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.laying import laid
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import EMOTIONS, KINDS, THING, Shares
from asterism.engine.recall.answer import Sight
from asterism.engine.recall.recaller import Recaller
from asterism.engine.space.live import Live
from asterism.errors import InputError
from asterism.hints import Blank, Hint, in_python, mention, step

SAID = "said"  # leads from an actor to what they said; not back, or every moment would be two steps from any other
FROM_ACTOR = 0.5  # the polarity of a link that has no strength
SHARED_BY = 6  # texts that hold a name, up to which it links them all
NAMED_MOST = 1_000  # links of one name
TICKS = 2_048  # links between two looks at a clock

Tick = Callable[[], None]
STILL = (0.0,) * EMOTIONS


class Edge(NamedTuple):
    """A link as a walker sees it, by the rows of its ends."""

    id: str
    a: int
    b: int
    forth: float  # polarity from a to b
    back: float
    hierarchy: float = 0.0
    permanence: float = 0.5
    emotions: tuple[float, ...] = STILL


class Edges(NamedTuple):
    """Links as columns, in the order of their ids: so many small objects would keep the collector busy."""

    ids: list[str]
    a: Rows
    b: Rows
    polarity: Shares  # two columns
    hierarchy: Shares
    permanence: Shares
    emotions: Shares | None

    @classmethod
    def of(cls, edges: Iterable[Edge], *, tick: Tick | None = None) -> Edges:
        """Gather links, of two with one id the stronger."""
        places: dict[str, int] = {}
        numbers: list[float] = []  # six of each link
        felt: list[tuple[float, ...]] = []
        for count, edge in enumerate(edges):
            place = places.setdefault(edge.id, len(places))
            if place == len(felt):
                numbers += edge[1:7]
                felt.append(edge.emotions)
            elif edge.forth > numbers[6 * place + 2]:
                numbers[6 * place : 6 * place + 6] = edge[1:7]
                felt[place] = edge.emotions
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
    told = live.seq - walks.explorations  # rises with every item of another kind
    hours, made = round(folded.blocks.hours_now, 1), (len(walks.narratives), len(walks.ties))
    shape = (live.parameters, told, folded.day, hours, recaller.state[:2], made)  # entries and vectors
    kept = recaller.kept[1] if recaller.kept is not None else None
    if not isinstance(kept, Kept) or kept.shape != shape:
        ids = sorted(recaller.index.rows)
        rows = {name: row for row, name in enumerate(ids)}
        edges = Edges.of(_edges(folded, recaller.index, rows, folded.parameters.exploration), tick=tick)
        bare = _built(recaller, ids, edges)
        if tick is not None:
            tick()
        links = {name: number for number, name in enumerate(edges.ids)}
        kept = Kept(shape, edges, links, bare, walked, _walked(seen, bare, edges, links))
    elif kept.walks != walked:
        kept = replace(kept, walks=walked, graph=_walked(seen, kept.bare, kept.edges, kept.links))
    recaller.kept = (shape, kept)
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


def _gathered(blocks: Blocks, gained: Mapping[str, float], most: float) -> dict[str, float]:
    """Add up what nodes gained, under the ids of what stands for them now."""
    found: dict[str, float] = {}
    for name in sorted(gained):
        heir = standing(blocks, name)
        found[heir] = min(most, found.get(heir, 0.0) + gained[name])
    return found


def _standing_link(blocks: Blocks, link: str) -> str:
    ends, _, kind = link.partition("#")
    a, _, b = ends.partition(JOINED)
    return link_id(standing(blocks, a), standing(blocks, b), kind)


def _edges(folded: Projection, index: Index, rows: dict[str, int], p: ExplorationParameters) -> Iterator[Edge]:
    """Give every link that is awake as a walker sees it; against its direction a link carries less."""
    for link in SpaceGraph(folded).edges(rows):
        weaker = link.strength * p.directed_back
        yield Edge(
            link_id(link.a, link.b, link.kind),
            rows[link.a],
            rows[link.b],
            weaker if link.way < 0 else link.strength,
            link.back if link.back is not None else weaker if link.way > 0 else link.strength,
            link.hierarchy,
            p.link_permanence if link.permanence is None else link.permanence,
            link.emotions or STILL,
        )
    for moment in folded.transcripts.moments():
        if moment.id in rows and moment.actor in rows:
            ends = rows[moment.actor], rows[moment.id]
            yield Edge(link_id(moment.actor, moment.id, SAID), *ends, FROM_ACTOR, 0.0, 0.0, p.link_permanence)
    yield from named(index, rows, p)


def named(index: Index, rows: dict[str, int], p: ExplorationParameters) -> Iterator[Edge]:
    """Give the links that names make: a text holds the other's title, or both hold a name that few hold."""
    for name in index.names.names:
        holding = sorted(index.ids[row] for row in index.naming(name).tolist())
        titled = sorted(index.ids[row] for row in index.titled(name).tolist())
        mentions = (("mention", a, b) for a, b in product(holding, titled))
        shared = (("shared_term", a, b) for a, b in combinations(holding if len(holding) <= SHARED_BY else (), 2))
        for kind, a, b in islice(chain(mentions, shared), NAMED_MOST):
            if a != b:
                strength = max(1, len(titled if kind == "mention" else holding) - 1) ** -0.5
                yield Edge(link_id(a, b, kind), rows[a], rows[b], strength, strength, 0.0, p.link_permanence)


def _name(entry: Entry) -> str:
    return entry.name or " ".join(entry.text.split())[:80]
